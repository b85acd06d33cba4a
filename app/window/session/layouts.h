// Layouts by name: the built-in ones, and those that the user saves between runs; shown, renamed, deleted and restored.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/session/document.h"
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
    static constexpr std::size_t longest_name = 60;  // characters

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
    const nlohmann::json& layouts() const { return document_.at("layouts"); }
    template <class Change>
    void change(Change change);

    std::filesystem::path file_;
    nlohmann::json document_ = {{"layouts", nlohmann::json::object()}};  // as last read or written
    std::string complaint_;
};

/// The layouts that a document's view can take. Failures become notices.
class Layouts {
  public:
    /// `folder` is that of the saved layouts; if it is empty they last as long as the program.
    Layouts(Document& document, Notices& notices, const std::filesystem::path& folder)
        : document_(document), notices_(notices), saved_(folder) {
        notices_.complain(saved_.complaint());
    }

    const SavedLayouts& saved() const { return saved_; }
    /// Shows a layout. One step of undo.
    void choose(const std::string& name);
    /// Saves the current layout. Returns false, with a notice, on failure, like the next functions.
    bool save(const std::string& name);
    bool rename(const std::string& from, const std::string& to);
    void remove(const std::string& name);
    /// Returns the name of the layout deleted last, until it is restored; empty if there is none.
    std::string deleted() const { return deleted_ ? deleted_->first : ""; }
    bool restore();

  private:
    Document& document_;
    Notices& notices_;
    SavedLayouts saved_;
    std::optional<std::pair<std::string, Arrangement>> deleted_;
};

}  // namespace ropewalk
