#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"
#include "core/io/files.h"
#include "core/text/utf8.h"

namespace ropewalk {

void write_output(const std::string& path, std::string_view bytes, const Cancel& cancel) {
    if (path != "-") return atomic_write(path, bytes, cancel);
    cancel.check();
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
        if (errno == EPIPE) throw NobodyReads();
        throw IoError(std::string("standard output: ") + std::strerror(errno));
    }
}

void print(std::string_view text) {
    write_output("-", printable(text));
}

void print_json(const nlohmann::json& document) {
    constexpr bool only_ascii = true;
    write_output("-", document.dump(2, ' ', only_ascii, nlohmann::json::error_handler_t::replace) + "\n");
}

void say(const std::string& sentence) {
    constexpr std::size_t longest = 700;  // bytes; the longest list of choices has 650
    const std::string line = "ropewalk: " + brief(sentence, longest) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace ropewalk
