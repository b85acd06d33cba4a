// The question whether to replace what has the same name.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace ropewalk {

/// Asked once for what would be replaced, and confirmed by accepting the same again.
class Replacement {
  public:
    /// Returns the question about `names`; empty if the same `id` was asked about last.
    std::string question(const std::string& id, const std::vector<std::string>& names) {
        if (std::exchange(asked_, id) == id) return {};
        const bool is_one = names.size() == 1;
        return fmt::format("'{}' already {}. Press Replace to overwrite {}.", fmt::join(names, "' and '"),
                           is_one ? "exists" : "exist", is_one ? "it" : "them");
    }
    bool is_asked() const { return !asked_.empty(); }
    void withdraw() { asked_.clear(); }

  private:
    std::string asked_;
};

}  // namespace ropewalk
