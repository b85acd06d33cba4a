// A display server of a test's own.
#pragma once

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace ropewalk {

/// A display server for the test, if Xvfb is installed.
class Xvfb {
  public:
    explicit Xvfb(const std::string& options) {
        const std::string script =
            fmt::format("exec 3>&1; Xvfb -displayfd 3 -screen 0 640x480x24 {} >/dev/null 2>&1 & echo $!", options);
        pipe_ = ::popen(("sh -c '" + script + "'").c_str(), "r");
        char line[64];
        if (pipe_ && std::fgets(line, sizeof line, pipe_)) pid_ = std::atoi(line);
        if (pipe_ && std::fgets(line, sizeof line, pipe_)) display_ = fmt::format(":{}", std::atoi(line));
    }
    ~Xvfb() {
        if (pid_ > 0) ::kill(pid_, SIGTERM);
        if (pipe_) ::pclose(pipe_);
    }
    Xvfb(const Xvfb&) = delete;
    Xvfb& operator=(const Xvfb&) = delete;

    const std::string& display() const { return display_; }

  private:
    FILE* pipe_ = nullptr;
    pid_t pid_ = 0;
    std::string display_;
};

}  // namespace ropewalk
