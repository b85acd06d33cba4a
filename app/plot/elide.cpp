#include "app/plot/elide.h"

#include "app/plot/utf8.h"

namespace ropewalk {

std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas) {
    const auto fits = [&](const std::string& text) {
        return canvas.measure(text, style.size, style.weight).width <= room;
    };
    std::string whole(utf8);
    if (fits(whole)) return whole;
    std::string beginning, longest;
    while (!utf8.empty()) {
        beginning += utf8_of(take_character(utf8));
        const std::string candidate = beginning + "…";
        if (!fits(candidate)) break;
        if (beginning.back() != ' ') longest = candidate;
    }
    return longest;
}

}  // namespace ropewalk
