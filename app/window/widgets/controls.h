// The sidebar: one widget per field of the experiment and of the main figure, built from the fields' descriptions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/figures/figures.h"
#include "app/window/widgets/widgets.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// What happened to the edited value.
struct ControlsState {
    bool held = false;
    std::string touched;   // path of the field that was changed
    std::string rejected;  // an error sentence about what was typed
    std::string rounded;   // a sentence that says how a typed value was rounded
    std::string context;   // path of the field whose actions were asked for

    /// Adds what happened to further controls.
    void include(const ControlsState& other);
};

/// Returns the alternatives, with a description each.
std::vector<Entry> entries_of(const ConstChoiceRef& choice);

/// The groups of controls of which only the headings are shown, as a list of titles: "Softmax, More".
class Folds {
  public:
    /// `titles` is kept up to date.
    explicit Folds(std::string& titles) : titles_(titles) {}

    /// Draws the heading of a group. Returns whether the group is to be drawn: if it is not folded, or if it holds the
    /// control that is `revealed`.
    bool heading(Ui& ui, std::string_view title, std::string_view hint, bool is_revealed = false);

  private:
    std::string& titles_;
};

/// Draws controls for every field of the experiment, in groups. A group with one of the paths `revealed` is open.
ControlsState experiment_controls(Ui& ui, Experiment& experiment, Folds folds, std::span<const std::string> revealed);
/// Draws the control for the field of one path.
ControlsState experiment_control(Ui& ui, Experiment& experiment, std::string_view path);

/// Returns the default of the field at `path`, as in --set; nothing if there is no such field.
std::optional<std::string> usual_text(const Experiment& experiment, std::string_view path);

/// Returns whether a figure has options to show controls for.
bool has_controls(const Figure& figure);

/// Draws controls for the fields of a struct whose paths, including `prefix`, satisfy `shown`. `usual` holds the values
/// that they are reset to.
ControlsState group_controls(Ui& ui, const GroupRef& group, const ConstGroupRef& usual, const std::string& prefix,
                             const std::function<bool(std::string_view path)>& shown);

/// Draws controls for a figure's options with this head, registered by `prefix` and name. Below settings that have no
/// effect it says why.
ControlsState figure_controls(Ui& ui, Figure& figure, const Experiment& experiment, const std::string& prefix);

}  // namespace ropewalk
