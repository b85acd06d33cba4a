// Choosing a file inside the window: a card over the panels, not another window.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/window/cards/replacement.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

/// What the user is asked to choose, and for what.
struct FileQuestion {
    enum class Kind { open, save };

    std::string title;
    Kind kind = Kind::open;
    std::vector<std::string>
        extensions;    // ".json"; only these files are shown, and a name without extension gets the first
    std::string name;  // proposed, when saving
    std::function<std::string(const std::string& path)> written_beside{};  // path of a second file; or empty
    std::string folder_marker{};  // a folder with a file of this name is opened, not entered; may be empty
};

class FileBrowser {
  public:
    /// Opens the card in the folder `start`, or the working directory if there is no such folder, with the focus on the
    /// file name. Folders among `places` can be entered at once.
    void ask(FileQuestion question, const std::filesystem::path& start = {},
             const std::vector<std::filesystem::path>& places = {});
    /// Asks at once whether to replace `file`, which `ask` proposed, with a sentence that says why.
    void ask_to_replace(const std::filesystem::path& file, std::string sentence);
    bool is_open() const { return open_; }

    /// Returns a path that was chosen, and its replacement confirmed, in another dialog. If it is not acceptable,
    /// returns nothing, and the card stays open with it and says why.
    std::optional<std::string> take(const std::filesystem::path& chosen);

    /// Draws the card in the middle of `area` (device pixels) while it is open. Returns the path once it is chosen, and
    /// confirmed if a file is replaced. The card stays open until `close`.
    std::optional<std::string> draw(Ui& ui, const Rect& area);
    void close() { open_ = false; }
    /// Shows why the chosen file was not accepted. What was typed stays.
    void complain(std::string sentence);

  private:
    void enter(const std::filesystem::path& folder);
    std::optional<std::string> accept();
    std::optional<std::string> accept_to_save(std::filesystem::path path);
    /// Returns the question whether to replace these files; empty if the same ones were asked about last.
    std::string replacement_question(const std::vector<std::filesystem::path>& files);
    bool is_of_kind(const std::filesystem::path& file) const;
    /// Returns whether a folder is itself what is asked for.
    bool is_opened(const std::filesystem::path& folder) const;
    /// Draws the places in a row. Returns the one that was chosen.
    std::optional<std::filesystem::path> draw_places(Ui& ui) const;
    /// Draws a folder or file at the cursor. Returns whether it was chosen.
    bool draw_row(Ui& ui, const std::string& label) const;
    std::optional<std::string> draw_list(Ui& ui, float height);

    FileQuestion question_;
    bool open_ = false, starts_naming_ = false;
    std::filesystem::path folder_;
    std::vector<std::filesystem::path> places_;
    std::vector<std::string> rows_;  // "..", folders with a slash at the end, files
    std::string name_, complaint_;
    Replacement replacement_;
};

}  // namespace ropewalk
