// The command-line options: one table from which help, the manual and errors are made.
#pragma once

#include <string>
#include <vector>

#include "app/cli/commands.h"

namespace CLI {
class App;
}

namespace ropewalk {

/// The parsed options, filled before a command runs.
struct Parsed {
    CommonOptions common;
    std::string kind, file, format, size, mm, rows, columns, cells;
    std::vector<std::string> without;
    std::string pooling;
    CursorOptions cursor;
    bool json = false, stages = false;
    double seconds = 0.5;
};

struct SubCommands {
    const CLI::App &figure, &data, &screenshot, &list, &check, &bench;
};
/// Adds the window's options and the subcommands with theirs. Parsing fills `parsed`, which must outlive `app`.
SubCommands add_options(CLI::App& app, Parsed& parsed);

/// Parses and checks the options that were read as text. Throws UsageError and InputError.
void finish(Parsed& parsed);
FigureRequest figure_request(const Parsed& parsed);
DataRequest data_request(const Parsed& parsed);

}  // namespace ropewalk
