// The table of the session's training runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/session/session.h"
#include "app/window/widgets/ui.h"
#include "core/training/training_run.h"

namespace ropewalk {

class RunsCard {
  public:
    void open() { is_open_ = true, comes_from_key_ = true; }
    void close() { is_open_ = false; }
    bool is_open() const { return is_open_; }

    /// Draws the table at the right of `area` (device pixels), over the figures, which follow the training.
    void draw(Ui& ui, Session& session, const Rect& area);

  private:
    enum class Column { recipe, loss, accuracy, steps, time };
    struct Row {
        RunSummary run;
        std::string words;  // what distinguishes its recipe from those of the other runs
        std::size_t number = 0;
    };

    /// Fetches the runs, in the chosen order.
    void refresh(const Experiment& experiment);
    void sort();
    void take_keys(Ui& ui);
    void draw_heads(Ui& ui, double width);
    /// Returns whether the row was clicked.
    bool draw_row(Ui& ui, const Row& row, double width, const std::optional<Recipe>& current);
    void restore(Session& session, const Recipe& recipe);

    bool is_open_ = false;
    bool comes_from_key_ = false;     // it was just opened: the current run is selected
    std::vector<Row> rows_;           // as shown
    std::vector<Recipe> recipes_;     // of the runs whose words are known, in their order
    std::vector<std::string> words_;  // likewise
    std::optional<Column> sorted_by_;
    bool is_downwards_ = false;  // the largest first
    std::size_t at_ = 0;         // number of the selected run
    bool scrolls_to_it_ = false;
};

}  // namespace ropewalk
