// Layouts by name: the program's own, and those that a person keeps from run to run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "app/figures/page/view.h"
#include "core/io/json_reader.h"

namespace ropewalk {

struct NamedLayout {
    std::string name, about;
    Arrangement arrangement;
};

/// The program's own.
const std::vector<NamedLayout>& own_layouts();

/// What stands in its file is read before every change and written whole or not at all: what another window has kept
/// meanwhile, what a newer version has added and what cannot be read stay as they are.
class SavedLayouts {
  public:
    static constexpr std::size_t longest_name = 60;  // bytes

    /// Keeps `layouts.json` in `folder`, which is made when it is first needed; only as long as the program runs if
    /// that is empty.
    explicit SavedLayouts(const std::filesystem::path& folder = {});

    /// Why the file cannot be read; empty if it can.
    const std::string& complaint() const { return complaint_; }
    /// Of those that are kept, sorted.
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;

    /// The kept or else the own one of this name, which leaves figures that stand in `present` their options.
    /// InputError if there is none, or what was kept is none.
    Arrangement find(const std::string& name, const Arrangement& present = {}) const;
    /// The layout that this is; empty if it is none.
    std::string name_of(Arrangement arrangement) const;
    /// All of these throw InputError for a name that does not do and a file that cannot be read, IoError if it cannot
    /// be written; nothing is changed then. What is zoomed into is no part of a layout: its figures show all there is.
    void keep(const std::string& name, Arrangement arrangement);
    void rename(const std::string& from, const std::string& to);
    void remove(const std::string& name);

  private:
    nlohmann::json read() const;
    template <class Change>
    void change(Change change);

    std::filesystem::path file_;
    nlohmann::json document_ = nlohmann::json::object();  // as it was read or written last
    std::string complaint_;
};

}  // namespace ropewalk
