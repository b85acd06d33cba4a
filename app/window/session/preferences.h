// What a person prefers of the window, whatever the scene, and how it is kept from run to run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/figures/page/page_style.h"
#include "app/window/session/saved_file.h"

namespace ropewalk {

struct Preferences {
    static constexpr double min_text = 0.8, max_text = 2;

    ThemeChoice theme = ThemeChoice::dark;
    double text_size = 1;  // of text and controls, in their usual size
    bool formula = true;   // stands above the figures
    PageStyle page;        // of what is exported
    PageStyle film{
        .format = ExportFormat::png, .figure = {.height = 106}, .sheet = {250, 190}, .scale = 1.5};  // of sweeps

    bool operator==(const Preferences&) const = default;
    /// The same with the theme of that name; as they are if it is empty.
    Preferences with_theme(std::string_view name) const;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "theme", .label = "Theme", .help = "Dark or light."}, s.theme);
        f(Field{.name = "text_size",
                .label = "Text size",
                .min = min_text,
                .max = max_text,
                .help = "Of text and controls, in their usual size."},
          s.text_size);
        f(Field{.name = "formula", .label = "Formula", .help = "The formula of the head stands above the figures."},
          s.formula);
        f(Field{.name = "page", .label = "Page", .help = "What was chosen for figures that were exported."}, s.page);
        f(Field{.name = "video", .label = "Film", .help = "What was chosen for sweeps that were kept."}, s.film);
    }
};

const Theme& theme_of(const Preferences& preferences);

/// Where preferences are kept: $XDG_CONFIG_HOME/ropewalk, or ~/.config/ropewalk; empty if neither is known.
std::filesystem::path config_folder();

/// Keeps preferences in a file whenever one of them is changed.
class PreferenceKeeper {
  public:
    /// Reads what was kept in `folder`, which is made when it is first needed; nothing is kept if that is empty.
    explicit PreferenceKeeper(const std::filesystem::path& folder);

    /// What was kept last; the usual ones if nothing was, or nothing that can be read.
    const Preferences& kept() const { return kept_; }
    /// Whether there was a file, readable or not.
    bool was_there() const { return was_there_; }
    /// Why what was kept cannot be read; empty if it can.
    const std::string& complaint() const { return complaint_; }

    /// Call once a frame with those in force. Those of the first call may be the command line's and are not kept; what
    /// differs from them later is the person's choice. For how many seconds the next call may wait.
    double keep(const Preferences& in_force);

  private:
    std::filesystem::path file_;
    Preferences kept_, written_;
    std::optional<Preferences> in_force_;
    bool was_there_ = false;
    std::string complaint_;
    QuietWriter writer_;
};

}  // namespace ropewalk
