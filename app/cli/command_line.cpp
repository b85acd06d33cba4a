#include "app/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include "app/cli/other_name.h"
#include "app/cli/output.h"
#include "app/cli/parser.h"
#include "app/plot/export.h"
#include "core/error.h"
#include "core/experiment/experiment.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/text/closest_name.h"
#include "core/training/training_run.h"
#include "core/version.h"

namespace ropewalk {
namespace {

void write_screenshot(const Arguments& arguments, const WindowProgram& window, const Cancel& cancel) {
    const std::string& output = arguments.output;
    const std::string extension = output == "-" ? "" : extension_of(output);
    if (arguments.scene.empty() && arguments.lesson.empty())
        throw UsageError("there is nothing to draw; name a scene, or a lesson with --lesson");
    if (!arguments.scene.empty() && !arguments.lesson.empty())
        throw UsageError("a lesson brings its own scene; name a scene or a lesson, not both");
    if (!extension.empty() && extension != "png")
        throw UsageError(fmt::format(
            "a screenshot is a PNG, but '{}' ends in .{}; `ropewalk figure` writes svg and pdf", output, extension));
    const auto accept = [&](const Scene& scene) {
        require_other_name(output, scene, is_figure_file(scene.path));
        report_warnings(scene);
    };
    write_output(output, window.screenshot(arguments, accept), cancel);
}

/// Returns whether an argument names a subcommand. If so, CLI11 must not take the first argument for a scene.
bool names_a_command(const CLI::App& app, int argc, char** argv) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    return std::any_of(argv + 1, argv + argc, [&](std::string_view argument) {
        return std::any_of(commands.begin(), commands.end(),
                           [&](const CLI::App* command) { return command->get_name() == argument; });
    });
}

/// Returns the subcommand with a similar name; empty if there is none.
std::string meant_command(const CLI::App& app, const std::string& name) {
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
        commands.push_back(command->get_name());
    return closest_name(name, commands);
}

/// Throws UsageError for options of the window before a subcommand that does not take them.
void require_taken(const CLI::App& app) {
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* given : app.parse_order())
            if (const std::string name = given->get_name(); !command->get_option_no_throw(name))
                throw UsageError(fmt::format("`ropewalk {}` does not take {}; see `ropewalk {} --help`",
                                             command->get_name(), name, command->get_name()));
}

/// Returns the first argument that looks like an option but is unknown, up to its "="; empty if there is none.
std::string unknown_option(const CLI::App& app) {
    for (const std::string& argument : app.remaining(true))
        if (argument.size() > 2 && argument.starts_with("--")) return argument.substr(0, argument.find('='));
    return {};
}

/// Returns the closest match to an unknown option: another option, or a field.
std::string meant_instead_of(const std::string& option, const CLI::App& app) {
    std::vector<std::string> options, fields;
    const auto add_options_of = [&](const CLI::App& command) {
        for (const CLI::Option* known : command.get_options())
            for (const std::string& name : known->get_lnames()) options.push_back("--" + name);
    };
    const auto commands = app.get_subcommands();
    add_options_of(commands.empty() ? app : *commands.front());
    if (const std::string meant = closest_name(option, options); !meant.empty()) return meant;
    walk_fields(ConstGroupRef(Experiment{}),
                [&](const std::string& path, const Field&, const auto&) { fields.push_back(path); });
    const std::string name = option.substr(2);
    const auto last =
        std::find_if(fields.begin(), fields.end(), [&](const std::string& path) { return path.ends_with("." + name); });
    const std::string field = last == fields.end() ? closest_name(name, fields) : *last;
    return field.empty() ? field : fmt::format("--set {}=…", field);
}

/// Parses the arguments. Returns the help, version or manual page if one was asked for. Throws UsageError if the
/// arguments are invalid.
std::string parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        return app.help();  // the subcommand's help, if there is one
    } catch (const CLI::CallForVersion&) {
        return fmt::format("ropewalk {}\n", version());
    } catch (const CLI::ConversionError& error) {
        // "Could not convert: --json = maybe", of an option without a value
        std::string message = error.what();
        const std::size_t option = message.find("--"), equals = message.find(" = ");
        if (option == std::string::npos || equals == std::string::npos) throw InputError(message);
        throw InputError(fmt::format("{0} is '{1}'; write {0} without a value", message.substr(option, equals - option),
                                     message.substr(equals + 3)));
    } catch (const CLI::ParseError& error) {
        const auto commands = app.get_subcommands();
        if (const std::string meant = commands.empty() && argc > 2 ? meant_command(app, argv[1]) : ""; !meant.empty())
            throw UsageError(fmt::format("unknown command '{}'; did you mean `ropewalk {}`?", argv[1], meant));
        if (const std::string option = unknown_option(app); !option.empty()) {
            const std::string command = commands.empty() ? "" : commands.front()->get_name() + " ",
                              meant = meant_instead_of(option, app);
            throw UsageError(fmt::format("unknown option {}; {}", option,
                                         meant.empty() ? fmt::format("see `ropewalk {}--help`", command)
                                                       : fmt::format("did you mean {}?", meant)));
        }
        const std::string message = error.what();
        if (message.find("not expected") != std::string::npos && message.find('=') != std::string::npos)
            throw UsageError(fmt::format("{}; each setting needs its own --set", message));
        throw UsageError(fmt::format("{}; see `ropewalk {}--help`", message,
                                     commands.empty() ? "" : commands.front()->get_name() + " "));
    }
    if (app.count("--manual") > 0) return manual_page(app);
    require_taken(app);
    return {};
}

/// Opens the window. If the scene does not exist, suggests a subcommand with a similar name.
void open_window(const CLI::App& app, const Arguments& arguments, const WindowProgram& window) {
    const std::vector<std::string> scenes = bundled_scenes();
    std::error_code error;
    if (std::find(scenes.begin(), scenes.end(), arguments.scene) == scenes.end() &&
        !std::filesystem::exists(arguments.scene, error)) {
        if (const std::string meant = meant_command(app, arguments.scene); !meant.empty())
            throw IoError(fmt::format("'{}' is neither a file nor a bundled scene; did you mean `ropewalk {}`?",
                                      arguments.scene, meant));
    }
    window.open(arguments);
}

/// Returns the folder for finished training runs, as the XDG Base Directory Specification says; empty if none is known.
std::string training_folder() {
    const std::filesystem::path cache = own_folder("XDG_CACHE_HOME", ".cache");
    return cache.empty() ? "" : (cache / "training").string();
}

int run(int argc, char** argv, const WindowProgram& window, const Cancel& cancel) {
    Arguments arguments;
    CLI::App app{
        "Explore attention with rotary position embeddings (RoPE).\nWithout a subcommand, Ropewalk opens its window.",
        "ropewalk"};
    app.add_flag("--manual")->group("");  // for packagers
    app.set_version_flag("--version", std::string("ropewalk ") + version());
    app.require_subcommand(0, 1);
    add_options(app, arguments);
    app.footer("`ropewalk SUBCOMMAND --help` lists the options of a subcommand.");  // set last, as later subcommands
                                                                                    // would inherit it
    if (!names_a_command(app, argc, argv)) app.add_option("scene", arguments.scene, "File or bundled scene to open");
    if (const std::string answer = parse(app, argc, argv); !answer.empty()) return write_output("-", answer), 0;
    check(arguments);
    keep_training_in(training_folder());
    const auto is_command = [&](const char* name) { return app.got_subcommand(name); };
    if (is_command("figure"))
        write_figure(arguments, cancel);
    else if (is_command("data"))
        write_data(arguments, cancel);
    else if (is_command("screenshot"))
        write_screenshot(arguments, window, cancel);
    else if (is_command("list"))
        print_list(arguments);
    else if (is_command("bench"))
        run_bench(arguments, window, cancel);
    else if (is_command("check"))
        check_file(arguments.file, cancel);
    else if (is_command("model"))
        describe_model(arguments);
    else if (is_command("train"))
        train_model(arguments, cancel);
    else
        open_window(app, arguments, window);
    return 0;
}

int complain(ExitCode code, const std::string& sentence) {
    say(sentence);
    return static_cast<int>(code);
}

/// Returns whether the system refused to start a thread. TBB says so only in its sentence.
bool lacks_threads(const std::exception& error) {
    const auto* from_library = dynamic_cast<const std::system_error*>(&error);
    return from_library ? from_library->code() == std::errc::resource_unavailable_try_again
                        : std::string_view(error.what()).starts_with("pthread_create");
}

}  // namespace

int run_command_line(int argc, char** argv, const WindowProgram& window, const Cancel& cancel) {
    try {
        return run(argc, argv, window, cancel);
    } catch (const Error& error) {
        return complain(error.code(), error.what());
    } catch (const NobodyReads&) {
        return 0;
    } catch (const Cancelled&) {
        return cancelled_code;
    } catch (const std::bad_alloc&) {
        return complain(ExitCode::limit, "not enough memory; try a shorter sequence or a smaller part");
    } catch (const std::filesystem::filesystem_error& error) {
        return complain(ExitCode::io, sentence_of(error));
    } catch (const std::exception& error) {
        if (lacks_threads(error))
            return complain(ExitCode::limit,
                            "no more threads can be started; raise the limit on processes (ulimit -u) or memory");
        return complain(ExitCode::internal, fmt::format("internal error: {}", error.what()));
    }
}

}  // namespace ropewalk
