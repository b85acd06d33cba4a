#include "app/cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <tuple>

#include "app/plot/export.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

/// Two numbers around a separator, as in "900x600" or "0:256".
template <class T>
std::pair<T, T> parse_two(const std::string& text, char separator, const char* option) {
    std::pair<T, T> value;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, value.first);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == separator) {
        const auto second = std::from_chars(first.ptr + 1, end, value.second);
        if (second.ec == std::errc{} && second.ptr == end) return value;
    }
    throw UsageError(fmt::format("{} is '{}'; write two {}numbers as in {}", option, text,
                                 std::is_integral_v<T> ? "whole " : "",
                                 separator == ':'        ? "0:256"
                                 : std::is_integral_v<T> ? "900x600"
                                                         : "85x60"));
}

/// "85x60", or "85" alone.
PageSize parse_mm(const std::string& text) {
    PageSize size;
    const char* end = text.data() + text.size();
    if (const auto alone = std::from_chars(text.data(), end, size.width); alone.ec == std::errc{} && alone.ptr == end)
        return size;
    std::tie(size.width, size.height) = parse_two<double>(text, 'x', "--mm");
    return size;
}

void add_scene(CLI::App& command, Parsed& parsed) {
    command.add_option("scene", parsed.common.scene, "File or bundled scene")->required();
}

/// An option that may be said several times, before the sub-command and behind it: all are kept, in order.
CLI::Option* add_repeated(CLI::App& command, const char* name, std::vector<std::string>& values,
                          const char* description) {
    const auto append = [&values](const std::vector<std::string>& more) {
        values.insert(values.end(), more.begin(), more.end());
    };
    return command.add_option_function<std::vector<std::string>>(name, append, description)
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
}

void add_backend(CLI::App& command, Parsed& parsed) {
    command.add_option("--backend", parsed.common.backend, "cpu, gl or reference; without it the fastest there is");
    command.add_option("--threads", parsed.common.threads, "Threads to compute with; 0 is one for every core");
}

/// A missing folder is what a missing file is, and no wrong usage.
std::string is_folder(const std::string& path) {
    if (!std::filesystem::is_directory(path)) throw IoError(path + ": there is no such folder");
    return {};
}

/// Of commands that change a scene and compute it.
void add_computing(CLI::App& command, Parsed& parsed) {
    add_repeated(command, "--set", parsed.common.settings,
                 "Change a field, as in encoding.base=500000; may be repeated, in order. `ropewalk list fields`");
    add_backend(command, parsed);
    command.add_option("--shaders", parsed.common.shaders, "Folder of GLSL files that replace the program's")
        ->check(is_folder);
}

/// Of commands that draw.
void add_drawing(CLI::App& command, Parsed& parsed, const char* theme) {
    command.add_option("--theme", parsed.common.theme, theme);
    command.add_option("--size", parsed.size, "Width and height in px at 96 dpi, as in 900x600")->type_name("WxH");
    command.add_option("--scale", parsed.common.scale, "Device pixels per px");
}

/// Of commands that show the window.
void add_lessons(CLI::App& command, Parsed& parsed) {
    command
        .add_option("--lessons", parsed.common.lessons, "Folder of .lesson files that replace and join the program's")
        ->check(is_folder);
    command.add_option("--lesson", parsed.common.lesson,
                       "A lesson to open beside its scene; `ropewalk list lessons` names them");
    command.add_option("--step", parsed.common.step, "Its step, counted from 1");
}

void add_figure_options(CLI::App& command, Parsed& parsed) {
    add_repeated(command, "--option", parsed.common.options,
                 "Change an option of the figure, as in axis=linear; may be repeated. `ropewalk list options`");
}

CLI::Option* add_output(CLI::App& command, Parsed& parsed) {
    return command.add_option("-o,--output", parsed.common.output, "File to write; - is standard output");
}

void add_window(CLI::App& app, Parsed& parsed) {
    add_computing(app, parsed);
    add_drawing(app, parsed, "light or dark; without it as it was chosen last");
    add_lessons(app, parsed);
    app.add_option("--trace-frames", parsed.common.frame_trace,
                   "File for one line a frame of the window: how long it took, and which results it showed");
}

void add_cursor(CLI::App& command, CursorOptions& cursor) {
    command.add_option("--query", cursor.query, "Query of the cursor");
    command.add_option("--key", cursor.key, "Key of the cursor");
    command.add_option("--distance", cursor.distance, "Distance of the cursor: the key is query − distance");
}

CLI::App& add_figure(CLI::App& app, Parsed& parsed) {
    CLI::App& figure = *app.add_subcommand("figure", "Write a figure as PNG, SVG or PDF");
    add_scene(figure, parsed);
    figure.add_option("figure", parsed.kind, "Its name; see `ropewalk list figures`")->required();
    add_output(figure, parsed)->required();
    figure.add_option("--format", parsed.format, any_figure_format() + "; without it by the file's name");
    add_figure_options(figure, parsed);
    add_repeated(figure, "--without", parsed.without,
                 "Leave out a part of the page: title, caption, color_bar or ground, or the reference; may be repeated")
        ->type_name("PART");
    add_repeated(figure, "--reference", parsed.common.reference,
                 "Compare with the same head but for this, as in encoding.base=500000; may be repeated, in order");
    add_cursor(figure, parsed.cursor);
    figure
        .add_option("--mm", parsed.mm,
                    "Width and height in mm, in place of --size; of a width alone as high as it needs")
        ->type_name("W[xH]");
    add_computing(figure, parsed);
    add_drawing(figure, parsed, "light or dark; without it light");
    return figure;
}

CLI::App& add_data(CLI::App& app, Parsed& parsed) {
    CLI::App& data = *app.add_subcommand("data", "Write the numbers behind a picture");
    add_scene(data, parsed);
    data.add_option("what", parsed.kind, "Which numbers; see `ropewalk list data`")->required();
    add_output(data, parsed);
    data.add_option("--format", parsed.format,
                    "npy, csv or json; without it by the file's name. Matrices in npy are float32, with --backend "
                    "reference float64");
    data.add_option("--rows", parsed.rows, "Queries a:b, b excluded");
    data.add_option("--columns", parsed.columns, "Keys (or distances) a:b, b excluded");
    data.add_option("--cells", parsed.cells, "Pool to HxW cells");
    data.add_option("--pooling", parsed.pooling,
                    "mean (which is usual), least, greatest or farthest (from 0) of a cell");
    add_cursor(data, parsed.cursor);
    add_figure_options(data, parsed);
    add_computing(data, parsed);
    return data;
}

CLI::App& add_screenshot(CLI::App& app, Parsed& parsed) {
    CLI::App& screenshot = *app.add_subcommand("screenshot", "Write the whole window as PNG, also without a display");
    screenshot.add_option("scene", parsed.common.scene, "File or bundled scene; a lesson brings its own");
    add_output(screenshot, parsed)->required();
    add_computing(screenshot, parsed);
    add_drawing(screenshot, parsed, "light or dark; without it dark");
    add_lessons(screenshot, parsed);
    return screenshot;
}

CLI::App& add_list(CLI::App& app, Parsed& parsed) {
    CLI::App& list = *app.add_subcommand("list", "Name what there is");
    list.add_option("kind", parsed.kind,
                    "encodings, constructions, figures, data, scenes, lessons, backends, numbers (of lessons), options "
                    "(of figures) or fields; without it all but the last three");
    list.add_flag("--json", parsed.json, "As JSON");
    return list;
}

CLI::App& add_check(CLI::App& app, Parsed& parsed) {
    CLI::App& check =
        *app.add_subcommand("check", "Say whether a scene, lesson or array can be read, and what is in it");
    check.add_option("file", parsed.file, "The file, or a bundled scene's name")->required();
    return check;
}

CLI::App& add_bench(CLI::App& app, Parsed& parsed) {
    CLI::App& bench =
        *app.add_subcommand("bench", "Time the works that people wait for, beside what the machine can do");
    bench.add_flag("--json", parsed.json, "As JSON");
    CLI::Option* const only = bench.add_option("--only", parsed.kind, "Works whose name begins so");
    bench.add_flag("--stages", parsed.stages, "What a move of each kind of slider recomputes, stage by stage")
        ->excludes(only);
    bench.add_option("--seconds", parsed.seconds, "How long each work is repeated, at least");
    add_backend(bench, parsed);
    return bench;
}

/// Leaves a part of the page out.
void report_omitted(const std::string& part, CommonOptions& common) {
    PageParts& parts = common.parts;
    bool* const shown = part == "title"       ? &parts.title
                        : part == "caption"   ? &parts.caption
                        : part == "color_bar" ? &parts.color_bar
                        : part == "reference" ? &common.has_reference
                                              : nullptr;
    if (shown)
        *shown = false;
    else if (part == "ground")
        parts.transparent = true;
    else
        throw UsageError(fmt::format(
            "--without is '{}'; a page has 'title', 'caption', 'color_bar', 'ground' and 'reference'", part));
}

}  // namespace

SubCommands add_options(CLI::App& app, Parsed& parsed) {
    add_window(app, parsed);
    return {add_figure(app, parsed), add_data(app, parsed),  add_screenshot(app, parsed),
            add_list(app, parsed),   add_check(app, parsed), add_bench(app, parsed)};
}

void finish(Parsed& parsed) {
    CommonOptions& common = parsed.common;
    if (!parsed.size.empty()) {
        common.size = parse_two<int>(parsed.size, 'x', "--size");
        const auto fits = [](int length) { return length >= 32 && length <= 16384; };
        if (!fits(common.size->first) || !fits(common.size->second))
            throw InputError(fmt::format("--size is {}; width and height must be from 32 to 16384", parsed.size));
    }
    if (!parsed.mm.empty()) {
        if (common.size) throw UsageError("--size and --mm were both given; one of them says how large a page is");
        common.mm = parse_mm(parsed.mm);
        const auto fits = [](double length) { return length >= 10 && length <= 4000; };
        if (!fits(common.mm->width) || !fits(common.mm->height.value_or(common.mm->width)))
            throw InputError(fmt::format("--mm is {}; width and height must be from 10 to 4000", parsed.mm));
    }
    for (const std::string& part : parsed.without) report_omitted(part, common);
    if (!common.has_reference && !common.reference.empty())
        throw UsageError("--reference and --without reference were both given; one of them says what is compared with");
    if (!common.theme.empty() && common.theme != "light" && common.theme != "dark")
        throw UsageError(fmt::format("--theme is '{}'; it must be 'light' or 'dark'", common.theme));
    if (!(common.scale == 0 || (common.scale >= 0.25 && common.scale <= 8)))
        throw InputError(fmt::format("--scale is {}; it must be from 0.25 to 8", text_of(common.scale)));
    if (common.step && common.lesson.empty() && extension_of(common.scene) != "lesson")
        throw UsageError("--step is one of a lesson's; say which lesson with --lesson");
    if (common.step && *common.step < 1)
        throw InputError(fmt::format("--step is {}; steps are counted from 1", *common.step));
    if (!(parsed.seconds >= 0 && parsed.seconds <= 60))
        throw InputError(fmt::format("--seconds is {}; it must be from 0 to 60", text_of(parsed.seconds)));
    if (common.threads < 0 || common.threads > 1024)
        throw InputError(fmt::format("--threads is {}; it must be from 0 to 1024", common.threads));
}

FigureRequest figure_request(const Parsed& parsed) {
    return {.common = parsed.common, .figure = parsed.kind, .format = parsed.format, .cursor = parsed.cursor};
}

DataRequest data_request(const Parsed& parsed) {
    DataRequest request{.common = parsed.common, .what = parsed.kind, .format = parsed.format, .cursor = parsed.cursor};
    const auto interval = [](const std::string& text, const char* option) -> std::optional<Interval> {
        if (text.empty()) return std::nullopt;
        const auto [begin, end] = parse_two<int>(text, ':', option);
        return Interval{begin, end};
    };
    request.selection.rows = interval(parsed.rows, "--rows");
    request.selection.columns = interval(parsed.columns, "--columns");
    if (!parsed.cells.empty()) request.selection.cells = parse_two<int>(parsed.cells, 'x', "--cells");
    if (!parsed.pooling.empty())
        if (auto expected = parse_leaf(parsed.pooling, request.selection.pooling.emplace()))
            throw UsageError(fmt::format("--pooling is '{}'; it must be {}", parsed.pooling, *expected));
    return request;
}

}  // namespace ropewalk
