#include "app/window/widgets/find_words.h"

#include <algorithm>
#include <sstream>
#include <string>

namespace ropewalk {
namespace {

/// Returns the text in lower case and with one spelling of "colour".
std::string as_compared(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    for (std::size_t at = 0; (at = lower.find("colour", at)) != std::string::npos;) lower.erase(at + 4, 1);
    return lower;
}

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

/// Returns whether the text contains the word; a number only where a number begins.
bool holds_word(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const bool is_in_number =
            at > 0 && (is_digit(text[at - 1]) || (text[at - 1] == '.' && at > 1 && is_digit(text[at - 2])));
        if (!is_digit(word.front()) || !is_in_number) return true;
    }
    return false;
}

std::vector<int> that_hold_words(const std::vector<Findable>& all, std::string_view words) {
    std::vector<int> found, within, further;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (holds_words(all[i].title, words))
            (begins_with(all[i].title, words) ? found : within).push_back(static_cast<int>(i));
        else if (holds_words(all[i].title + " " + all[i].further, words))
            further.push_back(static_cast<int>(i));
    const auto is_enabled = [&](int index) { return all[static_cast<std::size_t>(index)].is_enabled; };
    if (!words.empty())  // without words, the list keeps its order
        for (std::vector<int>* each : {&found, &within, &further})
            std::stable_partition(each->begin(), each->end(), is_enabled);
    found.insert(found.end(), within.begin(), within.end());
    found.insert(found.end(), further.begin(), further.end());
    return found;
}

std::string without_numbers(std::string_view words) {
    std::istringstream each{std::string(words)};
    std::string rest;
    for (std::string word; each >> word;)
        if (!is_digit(word.front())) rest += word + " ";
    return rest;
}

/// Returns whether every word begins a word of the text.
bool holds_beginnings(const std::string& text, std::string_view words) {
    const std::string compared = " " + as_compared(text);
    std::istringstream each(as_compared(words));
    for (std::string word; each >> word;)
        if (compared.find(" " + word) == compared.npos) return false;
    return true;
}

}  // namespace

bool holds_words(std::string_view text, std::string_view words) {
    const std::string compared = as_compared(text);
    std::istringstream each(as_compared(words));
    for (std::string word; each >> word;)
        if (!holds_word(compared, word)) return false;
    return true;
}

bool begins_with(std::string_view text, std::string_view beginning) {
    return as_compared(text).starts_with(as_compared(beginning));
}

bool is_called(std::string_view title, std::string_view sought) {
    return title.size() == sought.size() && begins_with(title, sought);
}

std::string bare_name(std::string_view name) {
    std::string letters = as_compared(name);
    std::erase_if(letters, [](char c) { return std::string_view(" -_").find(c) != std::string_view::npos; });
    return letters;
}

std::vector<int> find_words(const std::vector<Findable>& all, std::string_view words) {
    constexpr std::size_t longest = 256;  // bytes; a longer text was pasted, and nothing contains it
    if (words.size() > longest) return {};
    std::vector<int> found = that_hold_words(all, words);
    const std::string rest = without_numbers(words);
    if (!found.empty() || rest.empty()) return found;
    found = that_hold_words(all, rest);
    std::erase_if(found, [&](int index) {
        const Findable& each = all[static_cast<std::size_t>(index)];
        return !holds_beginnings(each.title + " " + each.further, rest);
    });
    std::stable_partition(found.begin(), found.end(),
                          [&](int index) { return all[static_cast<std::size_t>(index)].has_fields; });
    return found;
}

}  // namespace ropewalk
