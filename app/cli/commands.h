// The subcommands, after their options were read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/data.h"
#include "app/figures/page/page_style.h"
#include "app/figures/page/view.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {

/// The cursor's position; empty parts stay as in the scene.
struct CursorOptions {
    std::optional<int> query, key, distance;
};

/// The arguments of all commands, those of the window included. Each command uses those that apply.
struct Arguments : WindowOptions {
    std::string kind;                  // of figure, data or list
    std::string file;                  // to check
    std::string output = "-", format;  // format: of a figure or data; empty: by the output's name
    std::vector<std::string> options;  // of the figure
    std::optional<PageSize> mm;        // alternative to `size`, for a figure
    PageParts parts;                   // of a figure
    PaperStyle paper;                  // of a figure
    bool has_reference = true;         // compare a figure with the scene's reference
    Settings reference;                // for a figure: the fields in which the reference differs from the scene
    DataSelection selection;           // of data; its cursor is the scene's
    CursorOptions cursor;              // options that change the cursor
    bool json = false, stages = false;
    std::vector<std::string> only;  // beginnings of the names of benchmark tasks; empty: all
    double seconds = 0.5;           // minimum time of a benchmark task
    std::optional<int> steps;       // of training; empty: as many as the recipe has
};

struct OpenedScene {
    Scene scene;
    View view;
};
/// Opens the scene of the arguments with their settings. Reports on standard error what is odd about it or its view.
OpenedScene open_with_warnings(const Arguments& arguments);
/// Reports the first warnings of a scene on standard error.
void report_warnings(const Scene& scene);
/// Returns the first ten warnings of a scene, then the number of the others, if any.
Warnings first_warnings(const Scene& scene);

/// Writes a figure in one of `figure_formats` (`ropewalk figure`).
void write_figure(const Arguments& arguments, const Cancel& cancel);

/// Writes data (`ropewalk data`); to standard output as CSV, unless a format is given.
void write_data(const Arguments& arguments, const Cancel& cancel);

/// Prints names (`ropewalk list`). An empty kind lists everything but numbers, options and fields.
void print_list(const Arguments& arguments);

/// Times the slow operations and prints the results (`ropewalk bench`).
void run_bench(const Arguments& arguments, const WindowProgram& window, const Cancel& cancel);

/// Validates a scene, lesson or array and prints its contents (`ropewalk check`). Throws LimitError for a lesson whose
/// numbers would take more than a few minutes.
void check_file(const std::string& path, const Cancel& cancel);

/// Trains the model of a scene and writes it as a folder (`ropewalk train`). Refuses a model that cannot be written
/// before it trains. Prints an estimate on standard error before a training of more than a few minutes.
void train_model(const Arguments& arguments, const Cancel& cancel);

/// Describes a checkpoint's folder (`ropewalk model`).
void describe_model(const Arguments& arguments);

}  // namespace ropewalk
