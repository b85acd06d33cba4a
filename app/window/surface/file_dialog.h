// The desktop's own dialog for choosing a file, through the desktop portal (org.freedesktop.portal.FileChooser on
// D-Bus, https://flatpak.github.io/xdg-desktop-portal).
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ropewalk {

struct FileDialogRequest {
    bool saves = false;
    std::string title;
    std::vector<std::string> extensions;  // ".json"; only these files are shown at first
    std::string name;                     // proposed, when saving
    std::filesystem::path folder;         // shown first; empty: the desktop's choice
    std::string parent;                   // the window below it, as the portal names windows; empty: none
};

struct FileDialogAnswer {
    enum class State { opening, open, chosen, cancelled, unavailable };

    State state = State::opening;
    std::string path;  // if one was chosen
};

/// A dialog that waits on a thread of its own. Destroying it closes it.
class FileDialog {
  public:
    virtual ~FileDialog() = default;
    virtual FileDialogAnswer answer() const = 0;
};

/// Opens the portal's dialog. `wake` is called from another thread whenever the answer changes; it must not block.
/// Where there is no portal, the answer is `unavailable`: at once if there is no bus, after a second if nobody answers.
std::unique_ptr<FileDialog> open_portal_dialog(FileDialogRequest request, std::function<void()> wake);

}  // namespace ropewalk
