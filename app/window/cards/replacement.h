// The question whether to replace what has the same name.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ropewalk {

/// Asked once for what would be replaced, and confirmed by accepting the same again.
class Replacement {
  public:
    /// Returns the question about `name`; empty if the same `id` was asked about last.
    std::string question(const std::string& id, const std::string& name) {
        if (std::exchange(asked_, id) == id) return {};
        return fmt::format("'{}' already exists. Press Replace to overwrite it.", name);
    }
    bool is_asked() const { return !asked_.empty(); }
    void withdraw() { asked_.clear(); }

  private:
    std::string asked_;
};

}  // namespace ropewalk
