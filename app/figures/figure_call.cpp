#include "app/figures/figure_call.h"

#include <algorithm>
#include <functional>
#include <utility>
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

/// Paths and values of all fields, as they are set.
std::vector<std::pair<std::string, std::string>> settings_of(const ConstGroupRef& group) {
    std::vector<std::pair<std::string, std::string>> settings;
    walk_fields(group, [&](const std::string& path, const Field&, const auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ArrayFile>)
            settings.emplace_back(path, value.path);
        else
            settings.emplace_back(path, text_of(value));
    });
    return settings;
}

/// What has to be set, in order, so that `from` becomes `to`: "path=value". `set(setting)` sets it in `from`.
std::vector<std::string> settings_between(const ConstGroupRef& from, const ConstGroupRef& to,
                                          const std::function<void(const std::string&)>& set) {
    std::vector<std::string> settings;
    for (const auto& wanted : settings_of(to)) {
        const auto present = settings_of(from);  // another encoding has other fields
        if (std::find(present.begin(), present.end(), wanted) != present.end()) continue;
        settings.push_back(wanted.first + "=" + wanted.second);
        set(settings.back());
    }
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
