#include "app/window/session/video.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"
#include "core/io/run_program.h"
#include "core/text/split.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

std::string numbered(const std::string& stem, int step) {
    return fmt::format("{}-{:03}.png", stem, step + 1);
}

std::string stem_of(const std::string& path) {
    return path.substr(0, path.size() - std::strlen(".png"));
}

/// Returns the last line that ffmpeg wrote before it failed, after a colon; empty if there is none.
std::string reason_in(std::string_view errors) {
    constexpr std::size_t longest = 200;
    std::string_view last;
    for (const std::string_view line : split(errors, "\n"))
        if (const std::string_view text = trimmed(line); !text.empty() && text != "Conversion failed!") last = text;
    return last.empty() ? "" : ": " + brief(last, longest);
}

}  // namespace

bool has_video_maker() {
    return has_program("ffmpeg");
}

void require_video(const Sweep& sweep, const std::string& path) {
    if (extension_of(path) != "png") {
        if (!has_video_maker())
            throw IoError(
                "GIF and MP4 need ffmpeg, which is not installed. Choose a name ending in .png to write numbered "
                "images.");
        return;
    }
    for (int step = 0; step < sweep.steps; ++step)  // the file dialogue has not asked whether to replace these
        if (const std::string image = numbered(stem_of(path), step); is_there(image))
            throw IoError(fmt::format("{} already exists; choose another name", image));
}

Page page_at(const Page& page, const Sweep& sweep, int step) {
    Page at = page;
    if (!sweep.panel) at.experiment = experiment_at(page.experiment, sweep, step);
    for (PlacedFigure& placed : at.figures)
        if (sweep.panel && placed.panel == sweep.panel)
            placed.figure = figure_at(placed.figure, page.experiment, sweep, step);
    return at;
}

std::string write_video(const Page& page, const Sweep& sweep, const std::string& path, Evaluator& evaluator,
                        const std::function<void(double)>& progress, const Cancel& cancel) {
    const bool is_video = extension_of(path) != "png";
    require_video(sweep, path);
    const ScratchFolder scratch;
    std::vector<PlotRanges> ranges = page.ranges;
    const int parts = 2 * sweep.steps + (is_video ? 1 : 0);
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
    if (!is_video) {
        const std::string stem = stem_of(path);
        constexpr std::uint64_t max_image = std::uint64_t{1} << 30;
        require_video(sweep, path);  // a file may have been created meanwhile
        int written = 0;
        try {
            for (; written < sweep.steps; ++written)
                atomic_write(numbered(stem, written), read_file(scratch.file(numbered("step", written)), max_image),
                             cancel);
        } catch (...) {
            std::error_code error;
            while (written > 0) std::filesystem::remove(numbered(stem, --written), error);
            throw;
        }
        return fmt::format("Exported {} images, {} …", sweep.steps, numbered(stem, 0));
    }
    const std::string video = scratch.file("video." + extension_of(path));
    std::vector<std::string> arguments{
        "ffmpeg", "-y", "-framerate", fmt::format("{}", sweep.per_second), "-i", scratch.file("step-%03d.png")};
    // The width and height of an MP4 must be even, so the page is padded with its background. A GIF gets a palette of
    // its colours.
    const Color background = page.options.theme->panel;
    const std::string filter =
        extension_of(path) == "gif"
            ? "split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=none"
            : fmt::format("pad=ceil(iw/2)*2:ceil(ih/2)*2:color=0x{:02x}{:02x}{:02x},format=yuv420p", background.r,
                          background.g, background.b);
    arguments.insert(arguments.end(), {"-vf", filter, "-fflags", "+bitexact", "-loglevel", "error", video});
    std::string errors;
    if (const int code = run_program(std::move(arguments), cancel, {}, &errors); code != 0)
        throw IoError(fmt::format("{}: ffmpeg failed with exit code {}{}", path, code, reason_in(errors)));
    constexpr std::uint64_t max_video = std::uint64_t{4} << 30;
    atomic_write(path, read_file(video, max_video), cancel);
    if (progress) progress(1);
    return "Exported " + path;
}

}  // namespace ropewalk
