#include "app/cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {

void write_output(const std::string& path, std::string_view bytes, const Cancel& cancel) {
    if (path != "-") return atomic_write(path, bytes, cancel);
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0) {
        if (errno == EPIPE) throw NobodyReads();
        throw IoError(std::string("standard output: ") + std::strerror(errno));
    }
}

void say(std::string sentence) {
    for (char& c : sentence)
        if (c == '\n' || c == '\r') c = ' ';
    const std::string line = "ropewalk: " + sentence + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace ropewalk
