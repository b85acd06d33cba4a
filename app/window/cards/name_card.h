// A small card in which something is named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/widgets/ui.h"

namespace ropewalk {

struct NameQuestion {
    std::string title, name;         // what it is called so far; may be empty
    std::vector<std::string> taken;  // names that would be replaced
};

class NameCard {
  public:
    /// Shows itself over the next frames.
    void ask(NameQuestion question);
    bool is_open() const { return open_; }
    void close() { open_ = false; }
    /// What was typed does not do: why, in a sentence.
    void complain(std::string sentence) { complaint_ = std::move(sentence), starts_typing_ = true; }

    /// Draws it in the middle of `area` (device pixels) while it is open. The name once it is accepted, without blanks
    /// at its ends; asking twice before another is replaced is its business too. It stays open until `close`.
    std::optional<std::string> draw(Ui& ui, const Rect& area);

  private:
    std::optional<std::string> accept();

    NameQuestion question_;
    bool open_ = false, starts_typing_ = false;
    std::string name_, complaint_, confirmed_;
};

}  // namespace ropewalk
