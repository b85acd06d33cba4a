// Numbers of the current head by name, for the text and conditions of lessons. Each is one entry in one list, which
// `ropewalk list numbers` prints.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Arguments of a number, as in "(-1, -2)": tokens and pairs counted from 0, negative ones from the end.
using NumberArguments = std::array<int, 3>;

/// The definition of a number.
struct LiveNumberKind {
    /// The name in the list and in errors: "weight(i, j)". The arguments are tokens i and j, a distance r, a pair t,
    /// positions s, or a number format.
    std::string signature;
    const char* help;
    /// Returns the question to ask; nullopt if the number depends on the encoding alone.
    std::function<std::optional<Question>(const Experiment& experiment, const NumberArguments& at)> need;
    /// Returns the value, or nullopt if it is undefined.
    std::function<std::optional<double>(const Results& results, const NumberArguments& at)> value;
    /// Returns whether the results lack the answer that the value is read from.
    std::function<bool(const Results& results, const NumberArguments& at)> is_awaited;

    /// Returns the signature's name without arguments.
    std::string id() const;
    /// Returns whether the number applies to the cursor's query, or query and key, if it has no arguments.
    bool may_be_of_cursor() const;
};

const std::vector<LiveNumberKind>& live_number_kinds();

/// A number with its arguments: "weight", "weight(-1, -2)", "cosine_error(bf16)".
class LiveNumber {
  public:
    /// Parses the text. Throws InputError with a sentence; for an unknown name it lists all names.
    explicit LiveNumber(std::string_view text);

    /// Returns the question to ask the worker; nullopt if none is needed, or if the token or pair does not exist.
    std::optional<Question> need(const Experiment& experiment, const Cursor& cursor) const;
    /// Returns the value from results that answer `need`: −∞ for the logit of a masked key, ∞ for the wavelength of a
    /// pair that is not rotated, nullopt if it is undefined or not in the results.
    std::optional<double> value(const Results& results) const;

    /// Returns whether there is no value yet because its answer is still being computed.
    bool is_awaited(const Results& results) const;

    const LiveNumberKind& kind() const { return *kind_; }

  private:
    std::optional<NumberArguments> resolved(const Experiment& experiment, const Cursor& cursor) const;

    const LiveNumberKind* kind_ = nullptr;
    bool of_cursor_ = false;
    NumberArguments arguments_{};
};

}  // namespace ropewalk
