#include "core/fields/setting_text.h"

#include <algorithm>

#include "core/text/split.h"

namespace ropewalk {

std::vector<std::string> parts_outside_quotes(std::string_view text, char separator) {
    const bool has_quotes = std::count(text.begin(), text.end(), '\'') % 2 == 0;  // an unpaired one is an apostrophe
    constexpr std::string_view blanks = " \t\r\n";
    const auto is_blank = [&](char c) { return blanks.find(c) != blanks.npos; };
    std::vector<std::string> parts(1);
    bool quoted = false;
    for (const char c : text) {
        quoted ^= has_quotes && c == '\'';
        if (!quoted && (c == separator || (separator == ' ' && is_blank(c))))
            parts.emplace_back();
        else
            parts.back() += c;
    }
    for (std::string& part : parts) part = std::string(trimmed(part, blanks));
    std::erase(parts, "");
    return parts;
}

Settings settings_in(std::string_view text) {
    Settings settings = parts_outside_quotes(text, ' ');
    for (std::string& setting : settings) {
        if (std::count(setting.begin(), setting.end(), '\'') % 2 != 0) continue;  // an apostrophe
        std::string plain;
        bool quoted = false;
        for (std::size_t i = 0; i < setting.size(); ++i) {
            const bool is_quote = setting[i] == '\'';
            const bool is_doubled = is_quote && quoted && i + 1 < setting.size() && setting[i + 1] == '\'';
            if (!is_quote || is_doubled) plain += setting[i];
            if (is_doubled)
                ++i;
            else
                quoted ^= is_quote;
        }
        setting = plain;
    }
    return settings;
}

std::string in_one_line(const Settings& settings) {
    std::string text;
    for (const std::string& setting : settings) {
        if (!text.empty()) text += ' ';
        const auto value = setting.find('=') + 1;
        if (setting.find_first_of(" \t\r\n|'", value) == std::string::npos) {
            text += setting;
            continue;
        }
        text += setting.substr(0, value) + '\'';
        for (const char c : setting.substr(value)) text += c == '\'' ? std::string("''") : std::string(1, c);
        text += '\'';
    }
    return text;
}

}  // namespace ropewalk
