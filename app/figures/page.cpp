#include "app/figures/page.h"

#include "app/plot/export.h"
#include "app/plot/recording_canvas.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr double page_margin = 12;

}  // namespace

std::string make_page(const Figure& figure, const Experiment& experiment, Evaluator& evaluator,
                      const std::string& format, const PageOptions& options, const Cancel& cancel) {
    const auto draw_file = format == "svg"   ? draw_svg
                           : format == "pdf" ? draw_pdf
                           : format == "png" ? draw_png
                                             : nullptr;
    if (!draw_file)
        throw UsageError(fmt::format("there is no figure format '{}'; there are 'png', 'svg' and 'pdf'", format));
    const Rect rect =
        Rect{0, 0, static_cast<double>(options.width), static_cast<double>(options.height)}.inset(page_margin);
    const double pixels =
        format == "png" ? options.scale : 2;  // in vector files a matrix is embedded at twice the page's pixels
    using Evaluated = std::shared_ptr<const Results>;
    const auto evaluated = [&](const std::optional<Experiment>& head, const Rect& plot) -> Evaluated {
        if (!head) return nullptr;
        const PlotPixels resolution{static_cast<int>(plot.width * pixels), static_cast<int>(plot.height * pixels)};
        return evaluator.evaluate({*head, options.cursor, needs_of(figure, *head, resolution)}, Detail::complete,
                                  cancel);
    };
    FigureMemo memo;
    const auto draw_on = [&](Canvas& canvas, const Results& results, const Evaluated& reference) {
        return draw_page(figure,
                         {.results = results,
                          .cursor = results.request.cursor,
                          .cursor_shown = options.cursor_shown,
                          .theme = *options.theme,
                          .memo = memo,
                          .reference = reference.get()},
                         canvas, rect);
    };
    // The plot's size follows from its labels, and they from its values: measure with few cells, then evaluate for the
    // size that is left.
    RecordingCanvas trial(rect);
    const Frame frame =
        draw_on(trial, *evaluated(experiment, {0, 0, 64, 64}), evaluated(options.reference, {0, 0, 64, 64}));
    const Evaluated results = evaluated(experiment, frame.plot), reference = evaluated(options.reference, frame.plot);
    const ExportOptions file{.width = static_cast<double>(options.width),
                             .height = static_cast<double>(options.height),
                             .scale = options.scale,
                             .background = options.theme->panel,
                             .title = title_of(figure),
                             .scene = options.scene};
    return draw_file(file, [&](Canvas& canvas) { draw_on(canvas, *results, reference); });
}

}  // namespace ropewalk
