#include "app/figures/parts/text/readout_text.h"

#include <algorithm>
#include <cctype>

#include "core/text/split.h"

namespace ropewalk {
namespace {

constexpr std::string_view item_separator = "   ";

bool is_number(std::string_view word) {
    return word.find_first_of("0123456789") != word.npos || word.ends_with("∞");
}

/// Returns the words of an item; the groups of three digits of one number are one word.
std::vector<std::string_view> words_of_item(std::string_view item) {
    constexpr auto digits = "0123456789";
    std::vector<std::string_view> words;
    for (const std::string_view word : split(item, " ")) {
        const bool is_group = std::min(word.find_first_not_of(digits), word.size()) == 3 && !words.empty() &&
                              std::isdigit(static_cast<unsigned char>(words.back().back())) &&
                              words.back().find('.') == word.npos;
        if (is_group)
            words.back() = {words.back().data(), words.back().size() + 1 + word.size()};
        else if (!word.empty())
            words.push_back(word);
    }
    return words;
}

/// Returns the item with each number that differs as "20 → −11.5"; the item alone if it is about something else now.
/// Notes whether it names another pair, since then what follows is that pair's.
std::string changed_item(std::string_view before, std::string_view now, bool& is_of_other_pair) {
    const auto old = words_of_item(before), words = words_of_item(now);
    if (old.size() != words.size()) return std::string(now);
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool differs = old[i] != words[i];
        if (differs && !is_number(old[i]) && !is_number(words[i])) return std::string(now);
        is_of_other_pair |= differs && i > 0 && words[i - 1] == "pair";
        if (i > 0) text += ' ';
        if (differs && !is_of_other_pair) text.append(old[i]).append(" → ");
        text += words[i];
    }
    return text;
}

/// Returns where the value of an item begins: after the equals sign, at the division sign, or at the first number after
/// a colon, if there is one. An item that begins with a number is all value, as in "15 of 64 pairs".
std::size_t start_of_value(std::string_view item) {
    if (const std::size_t equals = item.find(" = "); equals != item.npos) return equals + 3;
    if (const std::size_t divided = item.find(" ÷ "); divided != item.npos) return divided + 1;
    const std::size_t colon = item.find(": ");
    std::size_t at = colon == item.npos ? 0 : colon + 2;
    for (const std::string_view word : split(item.substr(at), " ")) {
        if (is_number(word)) return at;
        at += word.size() + 1;
    }
    return 0;
}

}  // namespace

std::string changed_readout(std::string_view before, std::string_view now) {
    const auto old_items = split(before, item_separator), items = split(now, item_separator);
    if (old_items.size() != items.size()) return std::string(now);
    std::string text;
    bool is_of_other_pair = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) text += item_separator;
        text += changed_item(old_items[i], items[i], is_of_other_pair);
    }
    return text;
}

std::vector<ReadoutItem> items_of_readout(std::string_view readout) {
    std::vector<ReadoutItem> items;
    for (std::string_view item : split(readout, item_separator)) {
        const std::size_t value = start_of_value(item);
        std::string_view label = item.substr(0, value);
        for (const std::string_view end : {" = ", " "})
            if (label.ends_with(end)) label.remove_suffix(end.size());
        if (!item.empty()) items.push_back({std::string(label), std::string(item.substr(value))});
    }
    return items;
}

std::pair<std::string, std::string> before_and_now(const ReadoutItem& item) {
    constexpr std::string_view arrow = " → ";
    const std::size_t at = item.value.find(arrow);
    if (at == item.value.npos) return {"", item.value};
    return {item.value.substr(0, at) + "  →  ", item.value.substr(at + arrow.size())};
}

}  // namespace ropewalk
