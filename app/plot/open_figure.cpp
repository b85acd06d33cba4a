#include "app/plot/open_figure.h"

#include <filesystem>

#include "app/plot/embedded_scene.h"
#include "app/plot/export.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::uint64_t max_figure_bytes = 256 << 20;

}  // namespace

Scene open_scene_or_figure(const std::string& file_or_name, const Settings& settings) {
    if (!is_figure_file(file_or_name)) return open_scene(file_or_name, settings);
    const std::string text = embedded_scene(read_file(file_or_name, max_figure_bytes), file_or_name);
    Scene scene =
        parse_scene(text, file_or_name, {.folder = std::filesystem::path(file_or_name).parent_path()}, settings);
    scene.path = file_or_name;
    return scene;
}

}  // namespace ropewalk
