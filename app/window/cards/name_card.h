// A small card that asks for a name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/replacement.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

struct NameQuestion {
    std::string title, name;         // name: the current one; may be empty
    std::vector<std::string> taken;  // names that would be replaced
};

class NameCard {
  public:
    void ask(NameQuestion question);
    bool is_open() const { return open_; }
    void close() { open_ = false; }
    /// Shows why the name was not accepted.
    void complain(std::string sentence) { complaint_ = std::move(sentence), starts_typing_ = true; }

    /// Draws the card in the middle of `area` (device pixels) while it is open. Returns the accepted name, trimmed, and
    /// confirmed if another one is replaced. The card stays open until `close`.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    std::optional<std::string> accept();

    NameQuestion question_;
    bool open_ = false, starts_typing_ = false;
    std::string name_, complaint_;
    Replacement replacement_;
};

}  // namespace ropewalk
