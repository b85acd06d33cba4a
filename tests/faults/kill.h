// A process that is killed while it saves.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

namespace ropewalk {

/// Lets a process do something again and again in a folder, and kills it after some milliseconds.
inline void kill_after(double milliseconds, const std::string& folder, const std::function<void()>& act) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::chdir(folder.c_str()) != 0) ::_exit(99);
        for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"}) ::setenv(name, "", 1);
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(nowhere, STDOUT_FILENO), ::dup2(nowhere, STDERR_FILENO);
        while (true) act();
    }
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

/// Returns how many processes a test kills: the environment variable ROPEWALK_KILLS, or 25.
inline int count_of_kills() {
    const char* count = std::getenv("ROPEWALK_KILLS");
    return count ? std::atoi(count) : 25;
}

}  // namespace ropewalk
