// Named layouts: the built-in ones, and those that the user saves between runs.
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

const std::vector<NamedLayout>& built_in_layouts();

/// The layouts saved in a file. The file is read before every change and written atomically: entries that another
/// window has saved meanwhile, that a newer version has added, or that cannot be read stay unchanged.
class SavedLayouts {
  public:
    static constexpr std::size_t longest_name = 60;  // bytes

    /// Uses `layouts.json` in `folder`, which is created when first needed. If `folder` is empty, layouts last as long
    /// as the program.
    explicit SavedLayouts(const std::filesystem::path& folder = {});

    /// Returns why the file cannot be read; empty if it can.
    const std::string& complaint() const { return complaint_; }
    /// Returns the names of the saved layouts, sorted.
    std::vector<std::string> names() const;
    bool has(const std::string& name) const;

    /// Returns the saved or else the built-in layout of this name. Figures that are also in `current` keep their
    /// options. Throws InputError if there is none, or if the saved one is invalid.
    Arrangement find(const std::string& name, const Arrangement& current = {}) const;
    /// Returns the name of this layout; empty if it has none.
    std::string name_of(Arrangement arrangement) const;
    /// Saves a layout. A layout does not include the zoom: its figures show everything. Like `rename` and `remove`,
    /// throws InputError for an invalid name or an unreadable file and IoError if the file cannot be written, without
    /// changing anything.
    void save(const std::string& name, Arrangement arrangement);
    void rename(const std::string& from, const std::string& to);
    void remove(const std::string& name);

  private:
    nlohmann::json read() const;
    template <class Change>
    void change(Change change);

    std::filesystem::path file_;
    nlohmann::json document_ = nlohmann::json::object();  // as last read or written
    std::string complaint_;
};

}  // namespace ropewalk
