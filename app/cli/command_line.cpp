#include "app/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <new>

#include "app/cli/commands.h"
#include "app/cli/manual.h"
#include "app/cli/output.h"
#include "app/plot/export.h"
#include "core/closest_name.h"
#include "core/error.h"
#include "core/io/files.h"
#include "core/version.h"

namespace ropewalk {
namespace {

/// A screenshot's output, refused if its name says another format.
const std::string& png_name(const std::string& output) {
    const std::string extension = output == "-" ? "" : extension_of(output);
    if (!extension.empty() && extension != "png")
        throw UsageError(fmt::format(
            "a screenshot is a PNG, and '{}' ends in .{}; `ropewalk figure` writes svg and pdf", output, extension));
    return output;
}

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

/// What the parser fills in before a command runs.
struct Parsed {
    CommonOptions common;
    std::string kind, file, format, size, mm, rows, columns, cells;
    std::vector<std::string> without;
    std::string pooling;
    std::optional<int> query, key, distance;
    bool json = false, stages = false;
    double seconds = 0.5;
};

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

/// Of commands that change a scene and compute it.
void add_computing(CLI::App& command, Parsed& parsed) {
    add_repeated(command, "--set", parsed.common.settings,
                 "Change a field, as in encoding.base=500000; may be repeated, in order. `ropewalk list fields`");
    add_backend(command, parsed);
    command.add_option("--shaders", parsed.common.shaders, "Folder of GLSL files that replace the program's")
        ->check(CLI::ExistingDirectory);
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
        ->check(CLI::ExistingDirectory);
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

CLI::App& add_figure(CLI::App& app, Parsed& parsed) {
    CLI::App& figure = *app.add_subcommand("figure", "Write a figure as PNG, SVG or PDF");
    add_scene(figure, parsed);
    figure.add_option("figure", parsed.kind, "Its name; see `ropewalk list figures`")->required();
    add_output(figure, parsed)->required();
    figure.add_option("--format", parsed.format, any_figure_format() + "; without it by the file's name");
    add_figure_options(figure, parsed);
    add_repeated(figure, "--without", parsed.without,
                 "Leave out a part of the page: title, caption, color_bar or ground; may be repeated")
        ->type_name("PART");
    figure.add_option("--mm", parsed.mm, "Width and height in mm, in place of --size")->type_name("WxH");
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
    data.add_option("--pooling", parsed.pooling, "mean (which is usual), least, greatest or farthest (from 0) of a cell");
    data.add_option("--query", parsed.query, "Query of the cursor");
    data.add_option("--key", parsed.key, "Key of the cursor");
    data.add_option("--distance", parsed.distance, "Distance of the cursor: the key is query − distance");
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
    bench.add_flag("--stages", parsed.stages, "What a move of each kind of slider recomputes, stage by stage");
    bench.add_option("--only", parsed.kind, "Works whose name begins so");
    bench.add_option("--seconds", parsed.seconds, "How long each work is repeated, at least");
    add_backend(bench, parsed);
    return bench;
}

/// Only without a sub-command is the first argument a scene: CLI11 would otherwise take the command's arguments for it.
bool names_a_command(const CLI::App& app, int argc, char** argv) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(argv + 1, argv + argc, [&](std::string_view argument) {
        return std::any_of(commands.begin(), commands.end(),
                           [&](const CLI::App* command) { return command->get_name() == argument; });
    });
}

/// The sub-command whose name is nearly this; empty if there is none.
std::string meant_command(const CLI::App& app, const std::string& name) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(command->get_name());
    return closest_name(name, commands);
}

/// The window's options may stand before a sub-command, if that takes them too.
void require_taken(const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* given : app.parse_order())
            if (const std::string name = given->get_name(); !command->get_option_no_throw(name))
                throw UsageError(fmt::format("`ropewalk {}` takes no {}; `ropewalk {} --help` shows what can be said",
                                             command->get_name(), name, command->get_name()));
}

/// What was asked for in place of a run: help, the version or the manual page. Throws UsageError if the arguments
/// cannot be understood.
std::string parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return app.help();  // the sub-command's, if there is one
    } catch (const CLI::CallForVersion&) {
        return fmt::format("ropewalk {}\n", version());
    } catch (const CLI::ConversionError& error) {
        // "Could not convert: --query = 1.5"
        std::string said = error.what();
        const std::size_t option = said.find("--"), equals = said.find(" = ");
        if (option == std::string::npos || equals == std::string::npos) throw InputError(said);
        throw InputError(fmt::format("{} is '{}'; it must be a number, whole where it counts something",
                                     said.substr(option, equals - option), said.substr(equals + 3)));
    } catch (const CLI::ParseError& error) {
        const auto commands = app.get_subcommands();
        if (const std::string meant = commands.empty() && argc > 2 ? meant_command(app, argv[1]) : ""; !meant.empty())
            throw UsageError(fmt::format("there is no sub-command '{}'; did you mean `ropewalk {}`?", argv[1], meant));
        const std::string said = error.what();
        if (said.find("not expected") != std::string::npos && said.find('=') != std::string::npos)
            throw UsageError(fmt::format("{}; each setting takes a --set of its own", said));
        throw UsageError(fmt::format("{}; `ropewalk {}--help` shows what can be said", said,
                                     commands.empty() ? "" : commands.front()->get_name() + " "));
    }
    if (app.count("--manual") > 0) return manual_page(app);
    require_taken(app);
    return {};
}

/// Leaves a part of the page out.
void leave_out(const std::string& part, PageParts& parts) {
    bool* const shown = part == "title"       ? &parts.title
                        : part == "caption"   ? &parts.caption
                        : part == "color_bar" ? &parts.color_bar
                                              : nullptr;
    if (shown)
        *shown = false;
    else if (part == "ground")
        parts.transparent = true;
    else
        throw UsageError(
            fmt::format("--without is '{}'; a page has 'title', 'caption', 'color_bar' and 'ground'", part));
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
        common.mm = parse_two<double>(parsed.mm, 'x', "--mm");
        const auto fits = [](double length) { return length >= 10 && length <= 4000; };
        if (!fits(common.mm->first) || !fits(common.mm->second))
            throw InputError(fmt::format("--mm is {}; width and height must be from 10 to 4000", parsed.mm));
    }
    for (const std::string& part : parsed.without) leave_out(part, common.parts);
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

DataRequest data_request(const Parsed& parsed) {
    DataRequest request{.common = parsed.common,
                        .what = parsed.kind,
                        .format = parsed.format,
                        .query = parsed.query,
                        .key = parsed.key,
                        .distance = parsed.distance};
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

/// A scene that there is not may be a sub-command misspelt.
void open_window(const CLI::App& app, const CommonOptions& common, const WindowProgram& window) {
    const std::vector<std::string> scenes = bundled_scenes();
    std::error_code error;
    if (std::find(scenes.begin(), scenes.end(), common.scene) == scenes.end() &&
        !std::filesystem::exists(common.scene, error)) {
        if (const std::string meant = meant_command(app, common.scene); !meant.empty())
            throw IoError(fmt::format("'{}' is neither a file nor a bundled scene; did you mean `ropewalk {}`?",
                                      common.scene, meant));
    }
    window.open(common);
}

int run(int argc, char** argv, const WindowProgram& window, const Cancel& cancel) {
    Parsed parsed;
    CLI::App app{
        "Ropewalk computes rotary-position attention while you play with it.\nWithout a sub-command it opens its "
        "window.",
        "ropewalk"};
    app.add_flag("--manual")->group("");  // for whoever packages it
    app.set_version_flag("--version", std::string("ropewalk ") + version());
    app.require_subcommand(0, 1);
    add_window(app, parsed);
    const CLI::App &figure = add_figure(app, parsed), &data = add_data(app, parsed),
                   &screenshot = add_screenshot(app, parsed), &list = add_list(app, parsed),
                   &check = add_check(app, parsed), &bench = add_bench(app, parsed);
    app.footer(
        "`ropewalk SUBCOMMAND --help` lists what a sub-command takes.");  // sub-commands made later would inherit it
    if (!names_a_command(app, argc, argv))
        app.add_option("scene", parsed.common.scene, "File or bundled scene to open");
    if (const std::string answer = parse(app, argc, argv); !answer.empty()) return write_output("-", answer), 0;
    finish(parsed);
    if (figure.parsed())
        write_figure(parsed.common, parsed.kind, parsed.format, cancel);
    else if (data.parsed())
        write_data(data_request(parsed), cancel);
    else if (screenshot.parsed() && parsed.common.scene.empty() && parsed.common.lesson.empty())
        throw UsageError("there is nothing to draw; name a scene, or a lesson with --lesson");
    else if (screenshot.parsed() && !parsed.common.scene.empty() && !parsed.common.lesson.empty())
        throw UsageError("a lesson brings its own scene; name a scene or a lesson, not both");
    else if (screenshot.parsed())
        write_output(png_name(parsed.common.output), window.screenshot(parsed.common));
    else if (list.parsed())
        print_list(parsed.kind, parsed.json ? ListFormat::json : ListFormat::text);
    else if (bench.parsed())
        run_bench({.common = parsed.common,
                   .format = parsed.json ? ListFormat::json : ListFormat::text,
                   .stages = parsed.stages,
                   .seconds = parsed.seconds,
                   .only = parsed.kind},
                  cancel);
    else if (check.parsed())
        check_file(parsed.file);
    else
        open_window(app, parsed.common, window);
    return 0;
}

int complain(ExitCode code, std::string sentence) {
    say(std::move(sentence));
    return static_cast<int>(code);
}

}  // namespace

int run_command_line(int argc, char** argv, const WindowProgram& window, const Cancel& cancel) {
    try {
        return run(argc, argv, window, cancel);
    } catch (const Error& error) {
        return complain(error.code(), error.what());
    } catch (const Cancelled&) {
        return 128 + SIGINT;
    } catch (const std::bad_alloc&) {
        return complain(ExitCode::limit, "not enough memory for this; a shorter sequence or a smaller part would do");
    } catch (const std::exception& error) {
        return complain(ExitCode::internal, fmt::format("internal error: {}", error.what()));
    }
}

}  // namespace ropewalk
