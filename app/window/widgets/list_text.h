// Lists of numbers in a field of text: with digits that can be read, and none lost.
#pragma once

#include <string>
#include <vector>

namespace ropewalk {

/// "0.0156, 1, 0.333333": each with at most six significant digits, or all where they are few.
std::string shown_list(const std::vector<double>& values);

/// The same with the signs of numbers in figures, to be read only.
std::string list_at_rest(const std::vector<double>& values);

/// What an edited text says, which `shown_list(before)` was: numbers at its beginning and its end that still read as
/// they were shown keep all digits that they have in `before`.
std::vector<double> with_digits_of(const std::vector<double>& before, std::vector<double> edited);

}  // namespace ropewalk
