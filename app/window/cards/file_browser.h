// Choosing a file inside the window: a card over the panels, not another window.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/window/widgets/ui.h"

namespace ropewalk {

/// What is to be chosen, and for what.
struct FileQuestion {
    enum class Kind { open, save };

    std::string title;
    Kind kind = Kind::open;
    std::vector<std::string> extensions;  // ".json"; only such files are shown, and a name without one gets the first
    std::string name;                     // proposed, when saving
};

class FileBrowser {
  public:
    /// Shows itself over the next frames, in the folder it was in last (at first the working directory). What is typed
    /// goes into the file's name.
    void ask(FileQuestion question);
    bool is_open() const { return open_; }
    const FileQuestion& question() const { return question_; }

    /// Draws it in the middle of `area` (device pixels) while it is open. The chosen path, once there is one; asking
    /// twice before a file is replaced is its business too. It stays open until `close`.
    std::optional<std::string> draw(Ui& ui, const Rect& area);
    void close() { open_ = false; }
    /// What was chosen did not do: why, in a sentence. All that was typed is kept.
    void complain(std::string sentence);

  private:
    void enter(const std::filesystem::path& folder);
    std::optional<std::string> accept();
    std::optional<std::string> accept_to_save(std::filesystem::path path);
    bool is_of_kind(const std::filesystem::path& file) const;
    std::optional<std::string> draw_list(Ui& ui, float height);

    FileQuestion question_;
    bool open_ = false, starts_naming_ = false;
    std::filesystem::path folder_;
    std::vector<std::string> folders_, files_;
    std::string name_, complaint_, confirmed_;
};

}  // namespace ropewalk
