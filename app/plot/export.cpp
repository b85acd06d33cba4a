#include "app/plot/export.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

const FigureFormat* find_format(std::string_view id) {
    const auto found = std::find_if(figure_formats.begin(), figure_formats.end(),
                                    [&](const FigureFormat& format) { return format.id == id; });
    return found == figure_formats.end() ? nullptr : &*found;
}

}  // namespace

const FigureFormat& figure_format(std::string_view id) {
    if (const FigureFormat* format = find_format(id)) return *format;
    throw UsageError(fmt::format("unknown figure format '{}'; use {}", id, any_figure_format()));
}

std::string any_figure_format() {
    std::string all;
    for (std::size_t i = 0; i < figure_formats.size(); ++i)
        all += std::string(i == 0 ? "" : i + 1 == figure_formats.size() ? " or " : ", ") + figure_formats[i].id;
    return all;
}

bool is_figure_file(const std::string& path) {
    return find_format(extension_of(path)) != nullptr;
}

}  // namespace ropewalk
