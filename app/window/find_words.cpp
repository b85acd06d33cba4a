#include "app/window/find_words.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ropewalk {
namespace {

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

}  // namespace

bool holds_words(std::string_view text, std::string_view words) {
    const std::string in_lower_case = lower_case(text);
    std::istringstream each(lower_case(words));
    for (std::string word; each >> word;)
        if (in_lower_case.find(word) == std::string::npos) return false;
    return true;
}

std::vector<int> find_words(const std::vector<Findable>& all, std::string_view words) {
    std::vector<int> found, further;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (holds_words(all[i].title, words))
            found.push_back(static_cast<int>(i));
        else if (holds_words(all[i].title + " " + all[i].further, words))
            further.push_back(static_cast<int>(i));
    found.insert(found.end(), further.begin(), further.end());
    return found;
}

}  // namespace ropewalk
