// The subcommands, after their options were read.
#pragma once

#include <optional>
#include <string>

#include "app/cli/bench.h"
#include "app/cli/command_line.h"
#include "app/cli/data.h"

namespace ropewalk {

/// The cursor's position; empty parts stay as in the scene.
struct CursorOptions {
    std::optional<int> query, key, distance;
};

struct FigureRequest {
    CommonOptions common;
    std::string figure, format;
    CursorOptions cursor;
};
/// Writes a figure in one of `figure_formats` (`ropewalk figure`). If the format is empty, the output's name decides.
void write_figure(const FigureRequest& request, const Cancel& cancel);

struct DataRequest {
    CommonOptions common;
    std::string what, format;
    DataSelection selection;  // the scene's cursor,
    CursorOptions cursor;     // changed by these options
};
/// Writes data (`ropewalk data`). If the format is empty, the output's name decides; standard output gets CSV.
void write_data(const DataRequest& request, const Cancel& cancel);

enum class ListFormat { text, json };
/// Prints names (`ropewalk list`). An empty kind lists everything but numbers, options and fields.
void print_list(const std::string& kind, ListFormat format);

struct BenchRequest {
    BenchOptions options;
    ListFormat format = ListFormat::text;
    bool stages = false;  // time what a change recomputes, instead of the table
};
/// Times the slow operations and prints the results (`ropewalk bench`).
void run_bench(const BenchRequest& request, const Cancel& cancel);

/// Validates a scene, lesson or array and prints its contents (`ropewalk check`).
void check_file(const std::string& path);

}  // namespace ropewalk
