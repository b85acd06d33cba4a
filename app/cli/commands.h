// What each sub-command does once its options are read.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command_line.h"
#include "app/cli/data.h"

namespace ropewalk {

/// Where the cursor is put; what is not said stays as the scene has it.
struct CursorOptions {
    std::optional<int> query, key, distance;
};

struct FigureRequest {
    CommonOptions common;
    std::string figure, format;
    CursorOptions cursor;
};
/// `ropewalk figure`: one of `figure_formats`; an empty format is found from the output's name.
void write_figure(const FigureRequest& request, const Cancel& cancel);

struct DataRequest {
    CommonOptions common;
    std::string what, format;
    DataSelection selection;  // its cursor is the scene's
    CursorOptions cursor;     // and these change it
};
/// `ropewalk data`: an empty format is found from the output's name, and is csv on standard output.
void write_data(const DataRequest& request, const Cancel& cancel);

enum class ListFormat { text, json };
/// `ropewalk list`: an empty kind lists all but numbers, options and fields.
void print_list(const std::string& kind, ListFormat format);

struct BenchRequest {
    CommonOptions common;
    ListFormat format = ListFormat::text;
    bool stages = false;  // what a change recomputes, instead of the table
    double seconds = 0.5;
    std::string only;
};
/// `ropewalk bench`: prints the speed of the works that people wait for.
void run_bench(const BenchRequest& request, const WindowProgram& window, const Cancel& cancel);

/// `ropewalk check`: prints what is in a scene, a lesson or an array.
void check_file(const std::string& path);

}  // namespace ropewalk
