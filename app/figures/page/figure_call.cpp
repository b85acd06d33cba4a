#include "app/figures/page/figure_call.h"

#include <fmt/format.h>

#include "app/figures/page/view_io.h"
#include "app/plot/open_figure.h"
#include "core/text/shell_word.h"

namespace ropewalk {
namespace {

std::string as_arguments(const char* option, const Settings& settings) {
    std::string text;
    for (const std::string& setting : settings) text += std::string(" ") + option + " " + shell_word(setting);
    return text;
}

std::string reference_arguments(const std::optional<Experiment>& of_scene, const ShownFigure& shown) {
    if (shown.reference == of_scene || !draws_reference(shown.figure)) return {};
    if (!shown.reference) return " --without reference";
    Settings settings = settings_between(shown.experiment, *shown.reference);
    if (settings.empty()) settings = {fmt::format("seq_len={}", shown.experiment.seq_len)};  // the same head
    return as_arguments("--reference", settings);
}

/// Returns --query and --key as far as the figure depends on them.
std::string cursor_arguments(Cursor of_scene, const ShownFigure& shown) {
    const CursorUse use = cursor_use(shown.figure, shown.experiment);
    of_scene = of_scene.clamped(shown.experiment);
    std::string text;
    if (use != CursorUse::none && shown.cursor.query != of_scene.query)
        text += fmt::format(" --query {}", shown.cursor.query);
    if (use == CursorUse::cell && shown.cursor.key != of_scene.key) text += fmt::format(" --key {}", shown.cursor.key);
    return text;
}

}  // namespace

std::string figure_call(const Scene& scene, const ShownFigure& shown) {
    const std::string name = scene.path.empty() ? fallback_scene
                             : scene.bundled    ? std::filesystem::path(scene.path).stem().string()
                                                : scene.path;
    Scene base = open_scene_or_figure(name);
    const auto settings = settings_between(base.experiment, shown.experiment);
    base.experiment = shown.experiment;  // `ropewalk figure` applies --set before it places the cursor
    const View view = read_view(base);
    const char* const id = id_of(shown.figure);
    Figure plain = figure_called(id, view);
    const auto options = settings_between(ChoiceRef(plain).fields(), ConstChoiceRef(shown.figure).fields());
    return fmt::format("ropewalk figure {} {}{}{}{}{} -o {}.svg", shell_word(name), id, as_arguments("--set", settings),
                       as_arguments("--option", options), reference_arguments(base.reference, shown),
                       cursor_arguments(view.cursor, shown), id);
}

}  // namespace ropewalk
