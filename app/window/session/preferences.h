// The user's preferences for the window, whatever the scene, and how they are saved between runs.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/figures/page/page_style.h"
#include "app/window/session/saved_file.h"

namespace ropewalk {

/// What computes the attention.
enum class BackendChoice { automatic, gl, cpu, reference };
template <>
struct EnumText<BackendChoice> {
    static constexpr std::array<EnumName, 4> names{
        {{"automatic", "Automatic"}, {"gl", "Graphics"}, {"cpu", "CPU"}, {"reference", "Reference"}}};
};

struct Preferences {
    static constexpr double min_text = 0.8, max_text = 2;

    ThemeChoice theme = ThemeChoice::dark;
    double text_size = 1;  // relative to the usual size of text and controls
    BackendChoice backend = BackendChoice::automatic;
    bool formula = true;                                                     // shown above the figures
    bool reduced_motion = false;                                             // nothing moves by itself
    bool desktop_dialogs = true;                                             // for choosing files, where there are any
    std::string folded = "Encoding after training, Softmax, Display, More";  // groups of controls
    std::string folder;                                                      // in which a file was chosen last
    std::string scene;           // shown last: a file or the name of a bundled one
    std::vector<double> window;  // place and size when last closed; see WindowPlace
    PageStyle page;              // of exported figures
    PageStyle video{.format = ExportFormat::png, .sheet = {250, 190}, .scale = 1.5};  // of sweeps

    bool operator==(const Preferences&) const = default;
    /// Returns these preferences with the theme of this name, or unchanged if it is empty.
    Preferences with_theme(std::string_view name) const;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "theme", .label = "Theme", .help = "Dark or light colours."}, s.theme);
        f(Field{.name = "text_size",
                .label = "Text size",
                .min = min_text,
                .max = max_text,
                .help = "Size of text and controls, relative to the normal size."},
          s.text_size);
        f(Field{.name = "reduced_motion",
                .label = "Reduced motion",
                .help = "Show changes at once, without transitions."},
          s.reduced_motion);
        f(Field{.name = "backend",
                .label = "Backend",
                .help = "Compute with the graphics card, the processor or the slow reference, from the next start on. "
                        "Automatic prefers the graphics card."},
          s.backend);
        f(Field{.name = "formula", .label = "Formula", .help = "Show the head's formula above the figures."},
          s.formula);
        f(Field{.name = "desktop_dialogs",
                .label = "Desktop file dialogs",
                .help = "Use the desktop's own dialog to choose files, where there is one."},
          s.desktop_dialogs);
        f(Field{.name = "folder", .label = "Folder", .help = "Folder in which a file was chosen last."}, s.folder);
        f(Field{.name = "scene", .label = "Scene", .help = "Scene that was shown when the window was closed."},
          s.scene);
        f(Field{.name = "window",
                .label = "Window",
                .min = -1e5,
                .max = 1e5,
                .may_be_empty = true,
                .help = "Left, top, width and height of the window when it was closed."},
          s.window);
        f(Field{.name = "folded",
                .label = "Folded",
                .help = "Groups of controls of which only the headings are shown."},
          s.folded);
        f(Field{.name = "page", .label = "Page", .help = "Page settings of exported figures."}, s.page);
        f(Field{.name = "video", .label = "Video", .help = "Page settings of exported sweeps."}, s.video);
    }
};

const Theme& theme_of(const Preferences& preferences);

/// Returns the folder of the preferences: $XDG_CONFIG_HOME/ropewalk, or ~/.config/ropewalk; empty if neither is known.
std::filesystem::path config_folder();

class PreferencesFile : public SavedValue<Preferences> {
  public:
    explicit PreferencesFile(const std::filesystem::path& folder);

    /// Saves `current` when it changes. Call once per frame. The values of the first call may come from the command
    /// line and are not saved; later differences from them are the user's choice. Returns for how many seconds the next
    /// call may wait.
    double save(const Preferences& current);

  private:
    Preferences chosen_;
    std::optional<Preferences> current_;
};

}  // namespace ropewalk
