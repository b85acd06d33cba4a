#include "app/window/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "core/error.h"
#include "core/io/files.h"

extern char** environ;

namespace ropewalk {
namespace {

/// A folder of one's own that goes with its scope.
class ScratchFolder {
  public:
    ScratchFolder() {
        std::error_code error;
        std::string name = (std::filesystem::temp_directory_path(error) / "ropewalk-XXXXXX").string();
        if (error || !::mkdtemp(name.data())) throw IoError(fmt::format("{}: {}", name, std::strerror(errno)));
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::string file(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

/// Runs a program of the PATH with what it says thrown away, and ends it where `cancel` asks to stop. Its exit code;
/// −1 after a signal.
int run_program(std::vector<std::string> arguments, const Cancel& cancel) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null",
                                         descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, pointers[0], &files, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&files);
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
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string numbered(const std::string& stem, int step) {
    return fmt::format("{}-{:03}.png", stem, step + 1);
}

}  // namespace

bool has_film_maker() {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (::access((folder + "/ffmpeg").c_str(), X_OK) == 0) return true;
    return false;
}

std::string write_film(const Page& page, const Sweep& sweep, const std::string& path, Evaluator& evaluator,
                       const std::function<void(double)>& progress, const Cancel& cancel) {
    const bool is_film = extension_of(path) != "png";
    if (is_film && !has_film_maker())
        throw IoError(
            "Films are made by ffmpeg, which is not installed; a name that ends in .png gives numbered pictures");
    const ScratchFolder scratch;
    Page shown = page;
    for (int step = 0; step < sweep.steps; ++step) {
        shown.experiment = experiment_at(page.experiment, sweep, step);
        atomic_write(scratch.file(numbered("step", step)), make_page(shown, evaluator, "png", cancel), cancel);
        if (progress) progress(static_cast<double>(step + 1) / (sweep.steps + (is_film ? 1 : 0)));
    }
    if (!is_film) {
        const std::string stem = path.substr(0, path.size() - std::strlen(".png"));
        constexpr std::uint64_t greatest_picture = std::uint64_t{1} << 30;
        for (int step = 0; step < sweep.steps; ++step)
            atomic_write(numbered(stem, step), read_file(scratch.file(numbered("step", step)), greatest_picture),
                         cancel);
        return fmt::format("Exported {} pictures, {} …", sweep.steps, numbered(stem, 0));
    }
    const std::string film = scratch.file("film." + extension_of(path));
    std::vector<std::string> arguments{
        "ffmpeg", "-y", "-framerate", fmt::format("{}", sweep.per_second), "-i", scratch.file("step-%03d.png")};
    // A film's width and height are even; a GIF has a palette of its own colours.
    const std::string filter = extension_of(path) == "gif" ? "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none"
                                                           : "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white,format=yuv420p";
    arguments.insert(arguments.end(), {"-vf", filter, "-fflags", "+bitexact", film});
    if (const int code = run_program(std::move(arguments), cancel); code != 0)
        throw IoError(fmt::format("{}: ffmpeg could not make it (its exit code is {})", path, code));
    constexpr std::uint64_t greatest_film = std::uint64_t{4} << 30;
    atomic_write(path, read_file(film, greatest_film), cancel);
    if (progress) progress(1);
    return "Exported " + path;
}

}  // namespace ropewalk
