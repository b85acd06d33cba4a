// Lists of numbers in a text field: readable, and without losing digits.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// Returns, for example, "0.0156, 1, 0.333333": each number with at most six significant digits, or all where they are
/// few.
std::string shown_list(const std::vector<double>& values);

/// Returns the same list with typographic signs, to be read only.
std::string list_at_rest(const std::vector<double>& values);

/// Returns the values of an edited text that was `shown_list(before)`. Numbers at its beginning and end that are
/// unchanged keep all digits that they have in `before`.
std::vector<double> with_digits_of(const std::vector<double>& before, std::vector<double> edited);

}  // namespace ropewalk
