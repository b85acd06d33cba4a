// Layouts by name: shown, saved, renamed, deleted and restored.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/window/session/document.h"
#include "app/window/session/saved_layouts.h"

namespace ropewalk {

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
