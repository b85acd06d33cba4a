// Numbers of the head that is looked at, by name: what lessons say in their prose and wait for in their conditions.
// Each is one entry in one list, which `ropewalk list numbers` prints.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// What a number is asked with, as "(-1, -2)": tokens and pairs counted from 0, negative ones from the end.
using NumberArguments = std::array<int, 3>;

/// What one argument is.
enum class ArgumentKind { token, distance, pair, positions, format };

/// One of the numbers that there are.
struct LiveNumberKind {
    const char* id;
    std::span<const ArgumentKind> arguments;
    bool may_be_of_cursor;  // without arguments it is of the cursor's query, or query and key
    const char* help;
    /// What must be asked for; nothing for what follows from the encoding alone.
    std::optional<Question> (*need)(const Experiment& experiment, const NumberArguments& at);
    /// Nothing if there is no such number.
    std::optional<double> (*value)(const Results& results, const NumberArguments& at);
};

std::span<const LiveNumberKind> live_number_kinds();

/// "weight(i, j)", as the list and errors call it.
std::string signature_of(const LiveNumberKind& kind);

/// A number as a text names it: "weight", "weight(-1, -2)", "cosine_error(bf16)".
class LiveNumber {
  public:
    /// Throws InputError with a sentence that names what there is if this is none.
    explicit LiveNumber(std::string_view text);

    /// What the worker must be asked for. Nothing if it needs nothing, or is of a token or pair that there is not.
    std::optional<Question> need(const Experiment& experiment, const Cursor& cursor) const;
    /// From results that answer its need; −∞ for the logit of a hidden key, ∞ for the wavelength of a pair that stands
    /// still. Nothing if there is no such number, or results do not hold it.
    std::optional<double> value(const Results& results) const;

    const LiveNumberKind& kind() const { return *kind_; }

  private:
    std::optional<NumberArguments> resolved(const Experiment& experiment, const Cursor& cursor) const;

    const LiveNumberKind* kind_ = nullptr;
    bool of_cursor_ = false;
    NumberArguments arguments_{};
};

}  // namespace ropewalk
