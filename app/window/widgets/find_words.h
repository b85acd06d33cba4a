// Search by words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Returns whether every word occurs in the text, ignoring case. A number matches only at the start of a number.
bool holds_words(std::string_view text, std::string_view words);

/// Returns whether the text begins with `beginning`; case does not matter.
bool begins_with(std::string_view text, std::string_view beginning);
/// Returns whether `sought` is the whole title; case does not matter.
bool is_called(std::string_view title, std::string_view sought);

/// Returns a name without what is often spelled differently: its case, blanks, hyphens and underscores.
std::string bare_name(std::string_view name);

/// A searchable text; titles that begin with the words come first, then those that contain them.
struct Findable {
    std::string title, further;
    bool has_fields = false;  // that can be set
    bool is_enabled = true;   // others come after those that match as well
};

/// Returns the indices of those that contain every word, best first. If there are none, words that
/// begin with a digit are ignored, as 8 in "8 tokens back", and the others must begin words. Those with fields then
/// come first.
std::vector<int> find_words(const std::vector<Findable>& all, std::string_view words);

}  // namespace ropewalk
