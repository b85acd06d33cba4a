#include "core/io/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "core/io/temporaries.h"

extern char** environ;

namespace ropewalk {
namespace {

/// Returns the last bytes of a file; fewer or none if they cannot be read.
std::string end_of(const Descriptor& file) {
    constexpr off_t most = 4096;
    const off_t size = ::lseek(file.get(), 0, SEEK_END);
    std::string end(static_cast<std::size_t>(std::clamp<off_t>(size, 0, most)), '\0');
    const ssize_t read = ::pread(file.get(), end.data(), end.size(), std::max<off_t>(0, size - most));
    end.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read)));
    return end;
}

}  // namespace

bool has_program(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/" + name).c_str(), X_OK) == 0) return true;
    return false;
}

int run_program(std::vector<std::string> arguments, const Cancel& cancel, std::string_view input, std::string* errors) {
    // Unlike with a pipe, the program may end before it has read everything.
    const Descriptor standard_input(memfd_create("input", MFD_CLOEXEC));
    if (!standard_input || !standard_input.write_all(input))
        throw IoError(fmt::format("cannot hold the input of another program: {}", std::strerror(errno)));
    ::lseek(standard_input.get(), 0, SEEK_SET);
    const Descriptor standard_error(errors ? memfd_create("errors", MFD_CLOEXEC) : -1);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, standard_input.get(), STDIN_FILENO);
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_WRONLY, 0);
    if (standard_error) posix_spawn_file_actions_adddup2(&files, standard_error.get(), STDERR_FILENO);
    // A child that inherits blocked or ignored signals could not be stopped from outside if the parent ends before it.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, pointers[0], &files, &attributes, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) throw IoError(fmt::format("{}: {}", arguments[0], std::strerror(failed)));
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (cancel.requested()) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            throw Cancelled();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    if (errors) *errors = end_of(standard_error);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

ScratchFolder::ScratchFolder() {
    std::error_code error;
    const std::string place = std::filesystem::temp_directory_path(error).string();
    for (int made = 0;; ++made) {
        if (made == most_temporaries)
            throw IoError(fmt::format("other programs remove all temporary folders in '{}'; set TMPDIR", place));
        path_ = temporary_name(place);
        if (error || ::mkdir(path_.c_str(), 0700) != 0)
            throw IoError(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
        lock_ = std::make_unique<Descriptor>(path_.string(), O_RDONLY | O_DIRECTORY);
        if (!*lock_ && errno != ENOENT)  // without a name, another program was faster and removed it
            throw IoError(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
        if (*lock_ && lock_temporary(lock_->get(), path_.string())) break;
        std::error_code gone;
        std::filesystem::remove(path_, gone);
    }
    remove_abandoned(place);
}

ScratchFolder::~ScratchFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
}

}  // namespace ropewalk
