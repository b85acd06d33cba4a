#include "app/cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <tuple>

#include "app/plot/export.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/text/number.h"

namespace ropewalk {
namespace {

/// Parses two numbers around a separator, as in "900x600" or "0:256".
template <class T>
std::pair<T, T> parse_two(const std::string& text, char separator, const char* option) {
    if (const std::size_t at = text.find(separator); at != text.npos) {
        const std::string_view all = text;
        const auto first = number_of<T>(all.substr(0, at)), second = number_of<T>(all.substr(at + 1));
        if (first && second) return {*first, *second};
    }
    throw UsageError(fmt::format("{} is '{}'; write two {}numbers as in {}", option, text,
                                 std::is_integral_v<T> ? "whole " : "",
                                 separator == ':'        ? "0:256"
                                 : std::is_integral_v<T> ? "900x600"
                                                         : "85x60"));
}

/// Parses "85x60", or "85" alone.
PageSize parse_mm(const std::string& text) {
    PageSize size;
    if (const auto alone = number_of<double>(text))
        size.width = *alone;
    else
        std::tie(size.width, size.height) = parse_two<double>(text, 'x', "--mm");
    return size;
}

void add_scene(CLI::App& command, Parsed& parsed) {
    command.add_option("scene", parsed.common.scene, "File or bundled scene")->required();
}

/// Adds an option that can be repeated, before and after the subcommand. All values are used, in order.
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
    command.add_option("--backend", parsed.common.backend.id, "cpu, gl or reference (default: the fastest available)");
    command.add_option("--threads", parsed.common.backend.threads, "Threads to compute with; 0: one per core");
}

/// Throws IoError for a missing folder, because that is an input/output error like a missing file, not wrong usage.
std::string is_folder(const std::string& path) {
    if (!std::filesystem::is_directory(path)) throw IoError(path + ": no such folder");
    return {};
}

/// Adds the options of commands that change a scene and compute it.
void add_computing(CLI::App& command, Parsed& parsed) {
    add_repeated(command, "--set", parsed.common.settings,
                 "Change a field, e.g. encoding.base=500000; repeatable, applied in order; see `ropewalk list fields`");
    add_backend(command, parsed);
    command
        .add_option("--shaders", parsed.common.backend.shaders, "Folder of GLSL files that replace the built-in ones")
        ->check(is_folder);
}

/// Adds the options of commands that draw.
void add_drawing(CLI::App& command, Parsed& parsed, const char* theme) {
    command.add_option("--theme", parsed.common.theme, theme);
    command.add_option("--size", parsed.size, "Width and height in px at 96 dpi, e.g. 900x600")->type_name("WxH");
    command.add_option("--scale", parsed.common.scale, "Device pixels per px");
}

/// Adds the options of commands that show the window.
void add_lessons(CLI::App& command, Parsed& parsed) {
    command
        .add_option("--lessons", parsed.common.lessons,
                    "Folder of .lesson files, in addition to the built-in ones or replacing them")
        ->check(is_folder);
    command.add_option("--lesson", parsed.common.lesson, "Lesson to open with its scene; see `ropewalk list lessons`");
    command.add_option("--step", parsed.common.step, "Step of the lesson, counted from 1");
}

void add_figure_options(CLI::App& command, Parsed& parsed) {
    add_repeated(command, "--option", parsed.common.options,
                 "Change an option of the figure, e.g. axis=linear; repeatable; see `ropewalk list options`");
}

CLI::Option* add_output(CLI::App& command, Parsed& parsed) {
    return command.add_option("-o,--output", parsed.common.output, "File to write; - for standard output");
}

void add_window(CLI::App& app, Parsed& parsed) {
    add_computing(app, parsed);
    add_drawing(app, parsed, "light or dark (default: last used)");
    add_lessons(app, parsed);
    app.add_option("--trace-frames", parsed.common.frame_trace,
                   "File for one line per frame of the window: its times, and the results it showed");
}

void add_cursor(CLI::App& command, CursorOptions& cursor) {
    command.add_option("--query", cursor.query, "Query of the cursor");
    command.add_option("--key", cursor.key, "Key of the cursor");
    command.add_option("--distance", cursor.distance, "Distance of the cursor: key = query − distance");
}

CLI::App& add_figure(CLI::App& app, Parsed& parsed) {
    CLI::App& figure = *app.add_subcommand("figure", "Write a figure as PNG, SVG or PDF");
    add_scene(figure, parsed);
    figure.add_option("figure", parsed.kind, "Name of the figure; see `ropewalk list figures`")->required();
    add_output(figure, parsed)->required();
    figure.add_option("--format", parsed.format, any_figure_format() + " (default: by the file's name)");
    add_figure_options(figure, parsed);
    add_repeated(figure, "--without", parsed.without,
                 "Omit a part: title, caption, color_bar, background or reference; repeatable")
        ->type_name("PART");
    add_repeated(figure, "--reference", parsed.common.reference,
                 "Compare with the same head with this field changed, e.g. encoding.base=500000; repeatable");
    add_cursor(figure, parsed.cursor);
    figure
        .add_option("--mm", parsed.mm, "Width and height in mm, instead of --size; without a height, as high as needed")
        ->type_name("W[xH]");
    add_computing(figure, parsed);
    add_drawing(figure, parsed, "light or dark (default: light)");
    return figure;
}

CLI::App& add_data(CLI::App& app, Parsed& parsed) {
    CLI::App& data = *app.add_subcommand("data", "Write the data behind a figure");
    add_scene(data, parsed);
    data.add_option("what", parsed.kind, "Kind of data; see `ropewalk list data`")->required();
    add_output(data, parsed);
    data.add_option("--format", parsed.format,
                    "npy, csv or json (default: by the file's name). Matrices in npy are float32, or float64 with "
                    "--backend reference");
    data.add_option("--rows", parsed.rows, "Queries a:b, b excluded");
    data.add_option("--columns", parsed.columns, "Keys (or distances) a:b, b excluded");
    data.add_option("--cells", parsed.cells, "Pool to HxW cells");
    data.add_option("--pooling", parsed.pooling,
                    "Value of a cell: mean (default), min, max or abs_max (largest magnitude)");
    add_cursor(data, parsed.cursor);
    add_figure_options(data, parsed);
    add_computing(data, parsed);
    return data;
}

CLI::App& add_screenshot(CLI::App& app, Parsed& parsed) {
    CLI::App& screenshot = *app.add_subcommand("screenshot", "Save the window as PNG; works without a display");
    screenshot.add_option("scene", parsed.common.scene, "File or bundled scene; not needed with --lesson");
    add_output(screenshot, parsed)->required();
    add_computing(screenshot, parsed);
    add_drawing(screenshot, parsed, "light or dark (default: dark)");
    add_lessons(screenshot, parsed);
    return screenshot;
}

CLI::App& add_list(CLI::App& app, Parsed& parsed) {
    CLI::App& list = *app.add_subcommand("list", "List encodings, constructions, figures, scenes and other names");
    list.add_option("kind", parsed.kind,
                    "encodings, constructions, figures, data, scenes, lessons, backends, numbers (of lessons), options "
                    "(of figures) or fields (default: all but the last three)");
    list.add_flag("--json", parsed.json, "Print JSON");
    return list;
}

CLI::App& add_check(CLI::App& app, Parsed& parsed) {
    CLI::App& check = *app.add_subcommand("check", "Validate a scene, lesson or array and describe it");
    check.add_option("file", parsed.file, "File or bundled scene")->required();
    return check;
}

CLI::App& add_bench(CLI::App& app, Parsed& parsed) {
    CLI::App& bench = *app.add_subcommand("bench", "Benchmark the slow operations against the hardware limits");
    bench.add_flag("--json", parsed.json, "Print JSON");
    CLI::Option* const only = bench.add_option("--only", parsed.kind, "Only tasks whose name begins with this");
    bench.add_flag("--stages", parsed.stages, "Time what a move of each kind of slider recomputes, by stage")
        ->excludes(only);
    bench.add_option("--seconds", parsed.seconds, "Minimum time for repeating each task");
    add_backend(bench, parsed);
    return bench;
}

/// Omits a part of the page.
void report_omitted(const std::string& part, CommonOptions& common) {
    PageParts& parts = common.parts;
    bool* const shown = part == "title"       ? &parts.title
                        : part == "caption"   ? &parts.caption
                        : part == "color_bar" ? &parts.color_bar
                        : part == "reference" ? &common.has_reference
                                              : nullptr;
    if (shown)
        *shown = false;
    else if (part == "background" || part == "ground")  // "ground" is the old name
        parts.transparent = true;
    else
        throw UsageError(fmt::format(
            "--without is '{}'; it must be 'title', 'caption', 'color_bar', 'background' or 'reference'", part));
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
        if (common.size) throw UsageError("--size and --mm cannot be combined");
        common.mm = parse_mm(parsed.mm);
        const auto fits = [](double length) { return length >= 10 && length <= 4000; };
        if (!fits(common.mm->width) || !fits(common.mm->height.value_or(common.mm->width)))
            throw InputError(fmt::format("--mm is {}; width and height must be from 10 to 4000", parsed.mm));
    }
    for (const std::string& part : parsed.without) report_omitted(part, common);
    if (!common.has_reference && !common.reference.empty())
        throw UsageError("--reference and --without reference cannot be combined");
    if (!common.theme.empty() && common.theme != "light" && common.theme != "dark")
        throw UsageError(fmt::format("--theme is '{}'; it must be 'light' or 'dark'", common.theme));
    if (!(common.scale == 0 || (common.scale >= 0.25 && common.scale <= 8)))
        throw InputError(fmt::format("--scale is {}; it must be from 0.25 to 8", text_of(common.scale)));
    if (common.step && common.lesson.empty() && extension_of(common.scene) != "lesson")
        throw UsageError("--step needs a lesson; choose one with --lesson");
    if (common.step && *common.step < 1)
        throw InputError(fmt::format("--step is {}; steps are counted from 1", *common.step));
    if (!(parsed.seconds >= 0 && parsed.seconds <= 60))
        throw InputError(fmt::format("--seconds is {}; it must be from 0 to 60", text_of(parsed.seconds)));
    if (const int threads = common.backend.threads; threads < 0 || threads > 1024)
        throw InputError(fmt::format("--threads is {}; it must be from 0 to 1024", threads));
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
