#include "app/window/session/video.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/io/files.h"
#include "core/io/run_program.h"

namespace ropewalk {
namespace {

std::string numbered(const std::string& stem, int step) {
    return fmt::format("{}-{:03}.png", stem, step + 1);
}

/// Of numbered pictures.
std::string stem_of(const std::string& path) {
    return path.substr(0, path.size() - std::strlen(".png"));
}

}  // namespace

bool has_film_maker() {
    return has_program("ffmpeg");
}

void require_film(const Sweep& sweep, const std::string& path) {
    if (extension_of(path) != "png") {
        if (!has_film_maker())
            throw IoError(
                "Films are made by ffmpeg, which is not installed; a name that ends in .png gives numbered pictures");
        return;
    }
    for (int step = 0; step < sweep.steps; ++step)  // nobody was asked whether it may be replaced
        if (const std::string picture = numbered(stem_of(path), step); std::filesystem::exists(picture))
            throw IoError(fmt::format("{}: exists already; choose another name", picture));
}

Page page_at(const Page& page, const Sweep& sweep, int step) {
    Page at = page;
    if (!sweep.panel) at.experiment = experiment_at(page.experiment, sweep, step);
    for (PlacedFigure& placed : at.figures)
        if (sweep.panel && placed.panel == sweep.panel)
            placed.figure = figure_at(placed.figure, page.experiment, sweep, step);
    return at;
}

std::string write_film(const Page& page, const Sweep& sweep, const std::string& path, Evaluator& evaluator,
                       const std::function<void(double)>& progress, const Cancel& cancel) {
    const bool is_film = extension_of(path) != "png";
    require_film(sweep, path);
    const ScratchFolder scratch;
    std::vector<PlotRanges> ranges = page.ranges;
    const int parts = 2 * sweep.steps + (is_film ? 1 : 0);
    const auto at_every_step = [&](int done, const auto& work) {
        for (int step = 0; step < sweep.steps; ++step) {
            Page shown = page_at(page, sweep, step);
            shown.ranges = ranges;
            work(shown, step);
            if (progress) progress(static_cast<double>(done + step + 1) / parts);
        }
    };
    at_every_step(0, [&](const Page& shown, int) { ranges = ranges_of(shown, evaluator, cancel); });
    at_every_step(sweep.steps, [&](const Page& shown, int step) {
        atomic_write(scratch.file(numbered("step", step)), make_page(shown, evaluator, "png", cancel), cancel);
    });
    if (!is_film) {
        const std::string stem = stem_of(path);
        constexpr std::uint64_t max_picture = std::uint64_t{1} << 30;
        require_film(sweep, path);  // some may be there since
        int written = 0;
        try {
            for (; written < sweep.steps; ++written)
                atomic_write(numbered(stem, written), read_file(scratch.file(numbered("step", written)), max_picture),
                             cancel);
        } catch (...) {
            std::error_code error;
            while (written > 0) std::filesystem::remove(numbered(stem, --written), error);
            throw;
        }
        return fmt::format("Exported {} pictures, {} …", sweep.steps, numbered(stem, 0));
    }
    const std::string film = scratch.file("film." + extension_of(path));
    std::vector<std::string> arguments{
        "ffmpeg", "-y", "-framerate", fmt::format("{}", sweep.per_second), "-i", scratch.file("step-%03d.png")};
    // A film's width and height are even: the page's ground fills them up. A GIF has a palette of its own colours.
    const Color ground = page.options.theme->panel;
    const std::string filter =
        extension_of(path) == "gif"
            ? "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none"
            : fmt::format("pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{:02x}{:02x}{:02x},format=yuv420p", ground.r, ground.g,
                          ground.b);
    arguments.insert(arguments.end(), {"-vf", filter, "-fflags", "+bitexact", film});
    if (const int code = run_program(std::move(arguments), cancel); code != 0)
        throw IoError(fmt::format("{}: ffmpeg could not make it (its exit code is {})", path, code));
    constexpr std::uint64_t max_film = std::uint64_t{4} << 30;
    atomic_write(path, read_file(film, max_film), cancel);
    if (progress) progress(1);
    return "Exported " + path;
}

}  // namespace ropewalk
