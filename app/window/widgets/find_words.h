// What is found by typing some words of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// Whether the text holds every word, as a part of a word of its own; case does not matter.
bool holds_words(std::string_view text, std::string_view words);

/// Whether the text begins like that; case does not matter.
bool begins_with(std::string_view text, std::string_view beginning);

/// What may be found: by its title before all else.
struct Findable {
    std::string title, further;
};

/// Those that hold every word, by number: first where the title does.
std::vector<int> find_words(const std::vector<Findable>& all, std::string_view words);

}  // namespace ropewalk
