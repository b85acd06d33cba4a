#include "app/window/session/image_clipboard.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <vector>

#include "core/error.h"

namespace ropewalk {
namespace {

bool is_installed(const std::string& program) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (!folder.empty() && access((std::filesystem::path(folder) / program).c_str(), X_OK) == 0) return true;
    return false;
}

/// Returns the program and its arguments; empty if none is installed.
std::vector<std::string> copying_program() {
    if (std::getenv("WAYLAND_DISPLAY") && is_installed("wl-copy")) return {"wl-copy", "--type", "image/png"};
    if (std::getenv("DISPLAY") && is_installed("xclip"))
        return {"xclip", "-selection", "clipboard", "-t", "image/png", "-i"};
    return {};
}

void write_all(int file, const std::string& bytes) {
    for (std::size_t written = 0; written < bytes.size();) {
        const ssize_t count = write(file, bytes.data() + written, bytes.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;  // the exit status says why
        written += static_cast<std::size_t>(count);
    }
}

}  // namespace

bool has_image_clipboard() {
    return !copying_program().empty();
}

void copy_png(const std::string& png) {
    std::vector<std::string> words = copying_program();
    if (words.empty()) throw IoError("Cannot copy an image. Install xclip or wl-clipboard.");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // A file in memory, not a pipe: the program may end before it has read everything.
    const int file = memfd_create("image", MFD_CLOEXEC);
    if (file < 0) throw IoError(std::string("Cannot copy an image: ") + std::strerror(errno));
    write_all(file, png);
    lseek(file, 0, SEEK_SET);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO);
    // The program keeps running to serve the clipboard, so it must not inherit the output.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    const int failed = posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(file);
    int status = 0;
    if (failed == 0)
        while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    if (failed != 0 || status != 0) throw IoError(words[0] + " could not copy the image");
}

}  // namespace ropewalk
