#include "app/figures/figure_call.h"

#include <algorithm>

#include "app/figures/view_io.h"
#include "app/plot/open_figure.h"

namespace ropewalk {
namespace {

constexpr const char* any_scene = "barbero-fig2a";  // where there is no file to begin with

/// As a word of a shell's command line.
std::string quoted(const std::string& word) {
    const auto is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("._=/:,+-").find(c) != std::string_view::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

std::string figure_call(const Scene& scene, const Experiment& experiment, const Figure& figure) {
    const std::string name = scene.path.empty() ? any_scene
                             : scene.bundled    ? std::filesystem::path(scene.path).stem().string()
                                                : scene.path;
    Scene base = open_scene_or_figure(name);
    Figure plain = figure_called(id_of(figure), read_view(base));
    std::string call = "ropewalk figure " + quoted(name) + " " + id_of(figure);
    for (const std::string& setting : settings_between(base.experiment, experiment))
        call += " --set " + quoted(setting);
    for (const std::string& option : settings_between(ConstChoiceRef(plain).fields(), ConstChoiceRef(figure).fields(),
                                                      [&](const std::string& text) { set_options(plain, {text}); }))
        call += " --option " + quoted(option);
    return call + " -o " + id_of(figure) + ".svg";
}

}  // namespace ropewalk
