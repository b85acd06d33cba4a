#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/parser.h"
#include "core/version.h"

namespace ropewalk {
namespace {

/// Returns a text with roff's special characters escaped; hyphens stay ASCII hyphens.
std::string roff(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool begins_line = escaped.empty() || escaped.back() == '\n';
        if (c == '\\')
            escaped += "\\e";
        else if (c == '-')
            escaped += "\\-";
        else if (begins_line && (c == '.' || c == '\''))
            escaped += std::string("\\&") + c;
        else
            escaped += c;
    }
    return escaped;
}

bool is_positional(const CLI::Option* option) {
    return option->nonpositional() == false;
}

std::string capitals(std::string name) {
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

/// Returns, for example, "SCENE [FIGURE]", with brackets around optional arguments.
std::string arguments_of(const CLI::App& command) {
    std::string text;
    for (const CLI::Option* option : command.get_options(is_positional)) {
        const std::string name = capitals(option->get_name(true));
        text += option->get_required() ? " " + name : " [" + name + "]";
    }
    return text;
}

void append_options(std::string& page, const CLI::App& command) {
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_group().empty()) continue;  // hidden options
        const bool positional = is_positional(option);
        std::string name = positional ? capitals(option->get_name(true)) : option->get_name(false, true);
        if (const std::size_t comma = name.find(','); comma != std::string::npos) name.insert(comma + 1, " ");
        const bool takes_value = !positional && option->get_items_expected_max() > 0;
        const std::string value = takes_value ? fmt::format(" \\fI{}\\fR{}", roff(option->get_type_name()),
                                                            option->get_allow_extra_args() ? " ..." : "")
                                              : "";
        page += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(name), value, roff(option->get_description()));
    }
}

}  // namespace

std::string manual_page(const CLI::App& app) {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    std::string page = fmt::format(
        "'\\\" -*- coding: UTF-8 -*-\n.TH ROPEWALK 1 \"\" \"ropewalk {}\" \"User Commands\"\n.SH NAME\nropewalk \\- "
        "explore attention with rotary position embeddings\n.SH SYNOPSIS\n\\fBropewalk\\fR [\\fIOPTIONS\\fR] "
        "[\\fISCENE\\fR]\n",
        version());
    for (const CLI::App* command : commands)
        page += fmt::format(".br\n\\fBropewalk {}\\fR{} [\\fIOPTIONS\\fR]\n", roff(command->get_name()),
                            roff(arguments_of(*command)));
    page += fmt::format(".SH DESCRIPTION\n{}\n", roff(app.get_description()));
    page += ".PP\nA SCENE is a file or the name of a bundled scene; \\fBropewalk list scenes\\fR lists them.\n";
    page += ".SH OPTIONS\n";
    append_options(page, app);
    page += ".SH COMMANDS\n";
    for (const CLI::App* command : commands) {
        page += fmt::format(".SS ropewalk {}{}\n{}.\n", roff(command->get_name()), roff(arguments_of(*command)),
                            roff(command->get_description()));
        append_options(page, *command);
    }
    page +=
        ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nInternal error.\n.TP\n2\nInvalid usage.\n.TP\n3\nInput "
        "rejected.\n.TP\n4\nInput or output failed.\n.TP\n5\nNo display.\n.TP\n6\nLimit exceeded.\n.TP\n129, 130, "
        "143\nEnded by SIGHUP, SIGINT or SIGTERM.\n.SH FILES\n.TP\n$XDG_CONFIG_HOME/ropewalk, else "
        "~/.config/ropewalk\nPreferences and layouts of the "
        "window.\n.TP\n$XDG_STATE_HOME/ropewalk, else ~/.local/state/ropewalk\nRecent scenes, progress of lessons, and "
        "the session to recover after a crash.\n.PP\nSweeps become videos with "
        "\\fBffmpeg\\fR(1), "
        "if it is installed.\n.SH EXAMPLES\n.TP\nropewalk million\nOpens a bundled scene.\n.TP\nropewalk figure "
        "barbero\\-fig2a "
        "decay "
        "\\-\\-set encoding.base=500000 \\-o decay.svg\nDraws a decay curve with another base.\n.TP\nropewalk data "
        "million "
        "row "
        "\\-\\-query 1000 \\-o row.npy\nWrites a row of its attention matrix as a NumPy array.\n";
    return page;
}

}  // namespace ropewalk
