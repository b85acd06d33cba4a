// Sources as text, for tests of the rules that all of them follow.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/files.h"

namespace ropewalk {

struct TextAt {
    int line = 1;  // where it begins
    std::string text;
};

/// A C++ or JSON source taken apart.
struct SourceText {
    std::string code;              // without the content of comments, literals and includes; lines as in the source
    std::vector<TextAt> literals;  // strings, adjacent ones joined
};

inline SourceText taken_apart(std::string_view source) {
    SourceText parts;
    int line = 1;
    std::size_t at = 0, end_of_last = 0;
    const auto skip_to = [&](std::size_t end) {
        if (end <= at || end > source.size()) end = source.size();  // something is not closed
        for (; at < end; ++at)
            if (source[at] == '\n') parts.code += '\n', ++line;
    };
    while (at < source.size()) {
        const std::string_view rest = source.substr(at);
        const bool in_a_number = at > 0 && std::isxdigit(static_cast<unsigned char>(source[at - 1]));
        if (rest.starts_with("//") || rest.starts_with("#include")) {
            skip_to(source.find('\n', at));
        } else if (rest.starts_with("/*")) {
            skip_to(source.find("*/", at) + 2);
        } else if (rest.starts_with('\'') && !in_a_number) {
            skip_to(source.find('\'', at + (rest.starts_with("'\\") ? 3 : 2)) + 1);
        } else if (rest.starts_with("R\"")) {
            const std::size_t begin = source.find('(', at) + 1;
            const std::string close = ")" + std::string(source.substr(at + 2, begin - at - 3)) + "\"";
            const std::size_t end = source.find(close, begin);
            parts.literals.push_back({line, std::string(source.substr(begin, end - begin))});
            parts.code += "\"\"";
            skip_to(end + close.size());
        } else if (rest.starts_with('"')) {
            const bool goes_on =
                end_of_last > 0 && source.substr(end_of_last, at - end_of_last).find_first_not_of(" \n") == source.npos;
            if (!goes_on) parts.literals.push_back({line, {}});
            std::size_t end = at + 1;
            for (; end < source.size() && source[end] != '"'; ++end) {
                const bool is_escape = source[end] == '\\';
                if (is_escape) ++end;
                parts.literals.back().text += is_escape && source[end] == 'n' ? ' ' : source[end];
            }
            parts.code += "\"\"";
            skip_to(end + 1);
            end_of_last = at;
        } else {
            if (rest[0] == '\n') ++line;
            parts.code += rest[0];
            ++at;
        }
    }
    return parts;
}

/// Returns the paths below a folder of the sources that end so, in order.
inline std::vector<std::string> files_below(const std::string& folder, const std::vector<std::string>& extensions) {
    namespace fs = std::filesystem;
    std::vector<std::string> paths;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ROPEWALK_SOURCE_DIR) / folder))
        if (std::find(extensions.begin(), extensions.end(), entry.path().extension()) != extensions.end())
            paths.push_back(fs::relative(entry.path(), ROPEWALK_SOURCE_DIR).string());
    std::sort(paths.begin(), paths.end());
    return paths;
}

inline std::string content_of(const std::string& path) {
    return read_file((std::filesystem::path(ROPEWALK_SOURCE_DIR) / path).string(), 1 << 24);
}

}  // namespace ropewalk
