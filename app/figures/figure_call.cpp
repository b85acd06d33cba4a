#include "app/figures/figure_call.h"

#include <algorithm>
#include <vector>

#include "app/figures/view_io.h"
#include "app/plot/embedded_scene.h"

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

/// A field's value as it is set.
template <class T>
std::string setting_of(const T& value) {
    if constexpr (std::is_same_v<T, ArrayFile>)
        return value.path;
    else
        return text_of(value);
}

/// What has to be set, in order, so that `from` becomes `to`: "path=value". `set(setting)` sets it in `from`.
template <class Set>
std::vector<std::string> settings_between(const ConstGroupRef& from, const ConstGroupRef& to, Set&& set) {
    std::vector<std::string> settings;
    walk_fields(to, [&](const std::string& path, const Field&, const auto& wanted) {
        bool is_there = false;
        walk_fields(from, [&](const std::string& other, const Field&, const auto& value) {
            is_there |= other == path && setting_of(value) == setting_of(wanted);
        });
        if (is_there) return;
        settings.push_back(path + "=" + setting_of(wanted));
        set(settings.back());
    });
    return settings;
}

}  // namespace

std::string figure_call(const Scene& scene, const Experiment& experiment, const Figure& figure) {
    const std::string name = scene.path.empty() ? any_scene
                             : scene.bundled    ? std::filesystem::path(scene.path).stem().string()
                                                : scene.path;
    Scene base = open_scene_or_figure(name);
    Figure plain = figure_called(id_of(figure), read_view(base));
    std::string call = "ropewalk figure " + quoted(name) + " " + id_of(figure);
    const FileAccess anywhere{.folder = "", .reach = FileAccess::Reach::anywhere};
    for (const std::string& setting : settings_between(base.experiment, experiment, [&](const std::string& text) {
             apply_setting(base.experiment, text, anywhere);
         }))
        call += " --set " + quoted(setting);
    for (const std::string& option : settings_between(ConstChoiceRef(plain).fields(), ConstChoiceRef(figure).fields(),
                                                      [&](const std::string& text) { set_options(plain, {text}); }))
        call += " --option " + quoted(option);
    return call + " -o " + id_of(figure) + ".svg";
}

}  // namespace ropewalk
