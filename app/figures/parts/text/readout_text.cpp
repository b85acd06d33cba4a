#include "app/figures/parts/text/readout_text.h"

#include <algorithm>

namespace ropewalk {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (std::size_t end = 0; end != text.npos;) {
        end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end != text.npos) text.remove_prefix(end + separator.size());
    }
    return parts;
}

/// Returns where the value of an item begins: after the equals sign, at the division sign, or at the first number after
/// a colon, if there is one. An item that begins with a number is all value, as in "15 of 64 pairs".
std::size_t start_of_value(std::string_view item) {
    if (const std::size_t equals = item.find(" = "); equals != item.npos) return equals + 3;
    if (const std::size_t divided = item.find(" ÷ "); divided != item.npos) return divided + 1;
    const std::size_t colon = item.find(": ");
    std::size_t at = colon == item.npos ? 0 : colon + 2;
    for (const std::string_view word : split(item.substr(at), " ")) {
        const bool is_number = word.find_first_of("0123456789") != word.npos || word == "∞" || word == "−∞";
        if (is_number) return at;
        at += word.size() + 1;
    }
    return 0;
}

}  // namespace

std::string changed_readout(std::string_view before, std::string_view now) {
    const auto old = split(before, " "), words = split(now, " ");
    if (old.size() != words.size()) return std::string(now);
    std::string text;
    bool is_of_other_pair = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += ' ';
        is_of_other_pair |= i > 0 && words[i - 1] == "pair" && old[i] != words[i];
        if (old[i] != words[i] && !is_of_other_pair) text.append(old[i]).append(" → ");
        text += words[i];
    }
    return text;
}

std::vector<ReadoutItem> items_of_readout(std::string_view readout) {
    std::vector<ReadoutItem> items;
    for (std::string_view item : split(readout, "   ")) {
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
