#include "app/cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <tuple>
#include <type_traits>

#include "app/plot/canvas.h"
#include "app/plot/export.h"
#include "core/error.h"
#include "core/io/descriptor.h"
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

std::pair<int, int> parse_size(const std::string& text) {
    const auto size = parse_two<int>(text, 'x', "--size");
    const auto fits = [](int length) { return length >= 32 && length <= 16384; };
    if (!fits(size.first) || !fits(size.second))
        throw InputError(fmt::format("--size is {}; width and height must be from 32 to 16384", text));
    return size;
}

/// Parses "85x60", or "85" alone.
PageSize parse_mm(const std::string& text) {
    PageSize size;
    if (const auto alone = number_of<double>(text))
        size.width = *alone;
    else
        std::tie(size.width, size.height) = parse_two<double>(text, 'x', "--mm");
    const auto fits = [](double length) { return length >= 10 && length <= 4000; };
    if (!fits(size.width) || !fits(size.height.value_or(size.width)))
        throw InputError(fmt::format("--mm is {}; width and height must be from 10 to 4000", text));
    return size;
}

Interval parse_interval(const std::string& text, const char* option) {
    const auto [begin, end] = parse_two<int>(text, ':', option);
    return {begin, end};
}

void omit(const std::string& part, Arguments& arguments) {
    PageParts& parts = arguments.parts;
    bool* const shown = part == "title"       ? &parts.title
                        : part == "caption"   ? &parts.caption
                        : part == "color_bar" ? &parts.color_bar
                        : part == "reference" ? &arguments.has_reference
                                              : nullptr;
    if (shown)
        *shown = false;
    else if (part == "background" || part == "ground")  // "ground" is the old name
        parts.transparent = true;
    else
        throw UsageError(fmt::format(
            "--without is '{}'; it must be 'title', 'caption', 'color_bar', 'background' or 'reference'", part));
}

/// Adds an option whose text is parsed into `value`.
template <class T, class Parse>
CLI::Option* add_parsed(CLI::App& command, const char* name, T& value, Parse parse, const char* description) {
    return command.add_option_function<std::string>(
        name, [&value, parse](const std::string& text) { value = parse(text); }, description);
}

/// Adds an option for a number, or for a whole one. CLI11 itself would read "0x10" as 16 and "010" as 8.
template <class T>
CLI::Option* add_number(CLI::App& command, const char* name, T& value, const char* description) {
    using Number = std::conditional_t<std::is_same_v<T, double>, double, int>;
    const auto parse = [name](const std::string& text) {
        const bool has_plus = text.starts_with('+') && !text.starts_with("+-");
        if (const auto number = number_of<Number>(std::string_view(text).substr(has_plus ? 1 : 0))) return *number;
        throw InputError(
            fmt::format("{} is '{}'; it must be a {}number", name, text, std::is_same_v<Number, int> ? "whole " : ""));
    };
    return add_parsed(command, name, value, parse, description)->type_name(std::is_same_v<T, double> ? "FLOAT" : "INT");
}

/// Adds an option that chooses one of an enum's names, for an enum or an optional one.
template <class T>
void add_choice(CLI::App& command, const char* name, T& value, const char* description) {
    const auto parse = [name](const std::string& text) {
        typename decltype(std::optional(T{}))::value_type chosen{};
        if (auto expected = parse_leaf(text, chosen))
            throw UsageError(fmt::format("{} is '{}'; it must be {}", name, text, *expected));
        return chosen;
    };
    add_parsed(command, name, value, parse, description);
}

void add_scene(CLI::App& command, Arguments& arguments) {
    command.add_option("scene", arguments.scene, "File or bundled scene")->required();
}

/// Adds an option that can be repeated, before and after the subcommand. All values are used, in order.
CLI::Option* add_repeated(CLI::App& command, const char* name, std::function<void(const std::string&)> take,
                          const char* description) {
    const auto take_all = [take = std::move(take)](const std::vector<std::string>& values) {
        for (const std::string& value : values) take(value);
    };
    return command.add_option_function<std::vector<std::string>>(name, take_all, description)->allow_extra_args(false);
}

/// Adds a repeatable option for settings.
void add_settings(CLI::App& command, const char* name, Settings& settings, const char* description) {
    add_repeated(
        command, name, [&settings](const std::string& setting) { settings.push_back(setting); }, description)
        ->type_name("NAME=VALUE");
}

void add_backend(CLI::App& command, Arguments& arguments) {
    command.add_option("--backend", arguments.backend.id, "cpu, gl or reference (default: the fastest available)");
    add_number(command, "--threads", arguments.backend.threads, "Threads to compute with; 0: one per core");
}

/// Throws IoError for a missing folder, because that is an input/output error like a missing file, not wrong usage.
std::string is_folder(const std::string& path) {
    require_readable_folder(path);
    return {};
}

/// Adds the options of commands that change a scene and compute it.
void add_set(CLI::App& command, Arguments& arguments) {
    add_settings(command, "--set", arguments.settings,
                 "Change a field, e.g. encoding.base=500000; repeatable, applied in order; see `ropewalk list fields`");
}

void add_computing(CLI::App& command, Arguments& arguments) {
    add_set(command, arguments);
    add_backend(command, arguments);
    command.add_option("--shaders", arguments.backend.shaders, "Folder of GLSL files that replace the built-in ones")
        ->check(is_folder);
}

/// Adds the options of commands that draw.
void add_drawing(CLI::App& command, Arguments& arguments, const char* theme) {
    command.add_option("--theme", arguments.theme, theme);
    add_parsed(command, "--size", arguments.size, parse_size, "Width and height in px at 96 dpi, e.g. 900x600")
        ->type_name("WxH");
    add_number(command, "--scale", arguments.scale, "Device pixels per px");
}

/// Adds the options of commands that show the window.
void add_lessons(CLI::App& command, Arguments& arguments) {
    command
        .add_option("--lessons", arguments.lessons,
                    "Folder of .lesson files, in addition to the built-in ones or replacing them")
        ->check(is_folder);
    command.add_option("--lesson", arguments.lesson, "Lesson to open with its scene; see `ropewalk list lessons`");
    add_number(command, "--step", arguments.step, "Step of the lesson, counted from 1");
}

void add_figure_options(CLI::App& command, Arguments& arguments) {
    add_settings(command, "--option", arguments.options,
                 "Change an option of the figure, e.g. axis=linear; repeatable; see `ropewalk list options`");
}

CLI::Option* add_output(CLI::App& command, Arguments& arguments) {
    return command.add_option("-o,--output", arguments.output, "File to write; - for standard output");
}

void add_window(CLI::App& app, Arguments& arguments) {
    add_computing(app, arguments);
    add_drawing(app, arguments, "light or dark (default: last used)");
    add_lessons(app, arguments);
    app.add_option("--trace-frames", arguments.frame_trace,
                   "File for one line per frame of the window: its times, and the results it showed");
}

void add_cursor(CLI::App& command, CursorOptions& cursor) {
    add_number(command, "--query", cursor.query, "Query of the cursor");
    add_number(command, "--key", cursor.key, "Key of the cursor");
    add_number(command, "--distance", cursor.distance, "Distance of the cursor: key = query − distance");
}

void add_figure(CLI::App& app, Arguments& arguments) {
    CLI::App& figure = *app.add_subcommand("figure", "Write a figure as PNG, SVG or PDF");
    add_scene(figure, arguments);
    figure.add_option("figure", arguments.kind, "Name of the figure; see `ropewalk list figures`")->required();
    add_output(figure, arguments)->required();
    figure.add_option("--format", arguments.format, any_figure_format() + " (default: by the file's name)");
    add_figure_options(figure, arguments);
    add_repeated(
        figure, "--without", [&arguments](const std::string& part) { omit(part, arguments); },
        "Omit a part: title, caption, color_bar, background or reference; repeatable")
        ->type_name("PART");
    add_settings(
        figure, "--reference", arguments.reference,
        "Compare with a copy of the head in which this field is changed, e.g. encoding.base=500000; repeatable");
    add_cursor(figure, arguments.cursor);
    add_parsed(figure, "--mm", arguments.mm, parse_mm,
               "Width and height in mm, instead of --size; without a height, as high as needed")
        ->type_name("W[xH]");
    add_choice(figure, "--style", arguments.paper.look,
               "screen (default), or paper: black text and axes, thin lines, no title or caption");
    add_choice(figure, "--font", arguments.paper.font, "Typeface on paper: serif (default) or sans");
    add_number(figure, "--font-size", arguments.paper.font_size, "Size of text on paper in points (default: 8)");
    add_choice(figure, "--caption-file", arguments.paper.caption_file,
               "Also write the caption beside the figure: text (NAME.caption.txt) or latex (NAME.caption.tex)");
    figure.callback([&figure, &arguments] {
        for (const char* option : {"--font", "--font-size"})
            if (figure.count(option) > 0 && !arguments.paper.is_paper())
                throw UsageError(fmt::format("{} applies only to paper; add --style paper", option));
    });
    add_computing(figure, arguments);
    add_drawing(figure, arguments, "light or dark (default: light)");
}

void add_data(CLI::App& app, Arguments& arguments) {
    CLI::App& data = *app.add_subcommand("data", "Write the data behind a figure");
    add_scene(data, arguments);
    data.add_option("what", arguments.kind, "Kind of data; see `ropewalk list data`")->required();
    add_output(data, arguments);
    data.add_option(
        "--format", arguments.format,
        "npy, csv, json, or py: a script that plots the data (default: by the file's name). Matrices in npy are "
        "float32, or float64 with "
        "--backend reference");
    DataSelection& selection = arguments.selection;
    const auto interval = [](const char* option) {
        return [option](const std::string& text) { return parse_interval(text, option); };
    };
    const auto cells = [](const std::string& text) { return parse_two<int>(text, 'x', "--cells"); };
    add_parsed(data, "--rows", selection.rows, interval("--rows"), "Queries a:b, b excluded");
    add_parsed(data, "--columns", selection.columns, interval("--columns"),
               "Keys a:b, b excluded; distances for rotation_heatmap");
    add_parsed(data, "--cells", selection.cells, cells, "Pool to HxW cells");
    add_choice(data, "--pooling", selection.pooling,
               "Value of a cell: mean (default), min, max or abs_max (largest magnitude)");
    add_cursor(data, arguments.cursor);
    add_figure_options(data, arguments);
    add_computing(data, arguments);
}

void add_screenshot(CLI::App& app, Arguments& arguments) {
    CLI::App& screenshot = *app.add_subcommand("screenshot", "Save the window as PNG; works without a display");
    screenshot.add_option("scene", arguments.scene, "File or bundled scene; not needed with --lesson");
    add_output(screenshot, arguments)->required();
    add_computing(screenshot, arguments);
    add_drawing(screenshot, arguments, "light or dark (default: dark)");
    add_lessons(screenshot, arguments);
}

void add_list(CLI::App& app, Arguments& arguments) {
    CLI::App& list = *app.add_subcommand("list", "List encodings, constructions, figures, scenes and other names");
    list.add_option("kind", arguments.kind,
                    "encodings, constructions, figures, data, scenes, lessons, backends, numbers (of lessons), options "
                    "(of figures) or fields (default: all kinds up to backends)");
    list.add_flag("--json", arguments.json, "Print JSON");
}

void add_check(CLI::App& app, Arguments& arguments) {
    CLI::App& check = *app.add_subcommand("check", "Validate a scene, lesson or array and describe it");
    check.add_option("file", arguments.file, "Scene, lesson or arrays: a file, or a bundled scene")->required();
}

void add_model(CLI::App& app, Arguments& arguments) {
    CLI::App& model = *app.add_subcommand("model", "Describe the folder of a trained model");
    model.add_option("folder", arguments.file, "Folder with config.json and .safetensors files, or bundled:induction")
        ->required();
    model.add_flag("--json", arguments.json, "Print JSON");
}

void add_train(CLI::App& app, Arguments& arguments) {
    CLI::App& train = *app.add_subcommand("train", "Train the model of a scene to the end and write it to a folder");
    train.add_option("scene", arguments.scene, "File or bundled scene")->required();
    train.add_option("-o,--output", arguments.output, "Folder for config.json and model.safetensors (default: none)");
    add_number(train, "--steps", arguments.steps, "Stop after this many steps; 0 writes the untrained model");
    add_set(train, arguments);
}

void add_bench(CLI::App& app, Arguments& arguments) {
    CLI::App& bench = *app.add_subcommand("bench", "Benchmark the slow operations against the hardware limits");
    bench.add_flag("--json", arguments.json, "Print JSON");
    CLI::Option* const only =
        bench.add_option("--only", arguments.only, "Run only tasks whose names begin with this; may be repeated")
            ->allow_extra_args(false);
    bench.add_flag("--stages", arguments.stages, "For each kind of slider, time every stage that moving it recomputes")
        ->excludes(only);
    add_number(bench, "--seconds", arguments.seconds, "Minimum time for repeating each task");
    add_backend(bench, arguments);
}

}  // namespace

void add_options(CLI::App& app, Arguments& arguments) {
    for (const auto add :
         {add_window, add_figure, add_data, add_screenshot, add_list, add_check, add_model, add_train, add_bench})
        add(app, arguments);
}

void check(const Arguments& arguments) {
    if (arguments.size && arguments.mm) throw UsageError("--size and --mm cannot be combined");
    if (!arguments.has_reference && !arguments.reference.empty())
        throw UsageError("--reference and --without reference cannot be combined");
    if (!arguments.theme.empty() && arguments.theme != "light" && arguments.theme != "dark")
        throw UsageError(fmt::format("--theme is '{}'; it must be 'light' or 'dark'", arguments.theme));
    if (!(arguments.scale == 0 || (arguments.scale >= smallest_scale && arguments.scale <= largest_scale)))
        throw InputError(fmt::format("--scale is {}; it must be from {} to {}", text_of(arguments.scale),
                                     text_of(smallest_scale), text_of(largest_scale)));
    if (const double size = arguments.paper.font_size;
        !(size >= PaperStyle::smallest_font && size <= PaperStyle::largest_font))
        throw InputError(fmt::format("--font-size is {}; it must be from {} to {}", text_of(size),
                                     text_of(PaperStyle::smallest_font), text_of(PaperStyle::largest_font)));
    if (arguments.step && arguments.lesson.empty() && extension_of(arguments.scene) != "lesson")
        throw UsageError("--step needs a lesson; choose one with --lesson");
    if (arguments.step && *arguments.step < 1)
        throw InputError(fmt::format("--step is {}; steps are counted from 1", *arguments.step));
    if (!(arguments.seconds >= 0 && arguments.seconds <= 60))
        throw InputError(fmt::format("--seconds is {}; it must be from 0 to 60", text_of(arguments.seconds)));
    if (const int threads = arguments.backend.threads; threads < 0 || threads > 1024)
        throw InputError(fmt::format("--threads is {}; it must be from 0 to 1024", threads));
}

}  // namespace ropewalk
