// Asks how an array that was opened is to be read.
#pragma once

#include <optional>
#include <utility>

#include "app/window/session/array_reading.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class ArrayCard {
  public:
    void ask(ArrayQuestion question) { question_ = std::move(question), reading_ = question_->guess; }
    bool is_open() const { return question_.has_value(); }
    void close() { question_.reset(); }
    /// Draws the card in the middle of `area` (device pixels) while it is open. Returns the question that was answered,
    /// with the answer in `guess`; the card then closes.
    std::optional<ArrayQuestion> draw(Ui& ui, const Rect& area);

  private:
    std::optional<ArrayQuestion> question_;
    ArrayReading reading_;
};

}  // namespace ropewalk
