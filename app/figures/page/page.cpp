#include "app/figures/page/page.h"

#include <algorithm>
#include <cmath>

#include "app/figures/page/figure_titles.h"
#include "app/figures/page/page_caption.h"
#include "app/plot/elide.h"
#include "app/plot/export.h"
#include "app/plot/omitted_canvas.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr Color no_color{0, 0, 0, 0};
constexpr double page_margin = 12, below_caption = 6;
constexpr double max_caption_share = 0.34;                 // of the page's height
constexpr double pixels_per_inch = 300, px_per_inch = 96;  // of images on paper; of a page's px
constexpr double paper_lines = 0.6;                        // width of lines on paper, relative to a screen
constexpr std::size_t most_caption_lines = 2;
constexpr auto too_long_caption = "the third line of the caption";
constexpr PlotPixels few_cells{64, 64}, affordable_cells{4096, 4096};

/// Returns the page's rectangle in logical pixels.
Rect whole(const PageOptions& options) {
    return {0, 0, options.width * options.density, options.height * options.density};
}

/// The results of the page's head and of its reference; the latter are null if there is none.
struct Evaluated {
    std::shared_ptr<const Results> head, reference;
};

/// Title and caption over the width of a part of the page.
struct Heading {
    std::string title, brief_title, caption;
    const char* of = "figure's lines";  // name of its range
};

/// Draws the heading at the top of `rect` and returns the rest. With `ranges`, the rest is the same in all frames that
/// share them.
Rect draw_heading(const Heading& heading, const Theme& theme, PlotRanges* ranges, Canvas& canvas, const Rect& rect) {
    const double title_height = theme.title_size * 1.5, caption_height = theme.tick_size * 1.5;
    double used = 0;
    if (!heading.title.empty()) {
        const TextStyle style{.size = theme.title_size, .color = theme.text, .weight = Weight::semibold};
        std::string title = elided(heading.title, rect.width, style, canvas);
        if (title != heading.title) title = elided(heading.brief_title, rect.width, style, canvas);
        if (title != heading.title && title != heading.brief_title) canvas.report_omitted("the end of the title");
        canvas.text({rect.x, rect.y + title_height / 2}, title, style);
        used += title_height;
    }
    if (!heading.caption.empty()) {
        const TextStyle style{.size = theme.tick_size, .color = theme.text_dim};
        const auto fitted = [&](const std::string& line) { return elided(line, rect.width, style, canvas); };
        const auto is_too_long = [&](const std::string& line) { return fitted(line) != line; };
        const auto room = static_cast<std::size_t>(std::max(1.0, rect.height * max_caption_share / caption_height));
        const auto most = std::min(most_caption_lines, room);
        auto lines = wrapped(clauses_of(heading.caption), rect.width, style.size, style.weight);
        if (lines.size() > most || std::any_of(lines.begin(), lines.end(), is_too_long))
            lines = wrapped(words_of(heading.caption), rect.width, style.size, style.weight);
        while (lines.size() > most) {
            const std::string last = std::exchange(lines.back(), "");
            lines.pop_back();
            lines.back() += " " + last;
        }
        const auto count = static_cast<double>(lines.size());
        const double reserved = ranges ? ranges->grown(heading.of, {0, count}).max : count;
        constexpr std::string_view dot = "· ";
        for (std::string& part : lines) {
            if (part.starts_with(dot)) part.erase(0, dot.size());  // a line break separates them already
            if (is_too_long(part))
                canvas.report_omitted(room < most_caption_lines ? "the end of the caption" : too_long_caption);
            canvas.text({rect.x, rect.y + used + caption_height / 2}, fitted(part), style);
            used += caption_height;
        }
        used += caption_height * (reserved - count);
    }
    if (used > 0) used += below_caption;
    return {rect.x, rect.y + used, rect.width, std::max(0.0, rect.height - used)};
}

/// State that is reused from one drawing to the next.
struct DrawingState {
    FigureMemo memo;
    std::vector<PlotRanges> ranges;
    std::vector<PlotPixels> pixels{};  // resolution requested for each figure
};

/// Draws the page and returns the frame of each figure.
std::vector<Frame> draw_figures(const Page& page, const Evaluated& results, DrawingState& state, Canvas& canvas) {
    const PageOptions& options = page.options;
    Theme theme = *options.theme;
    if (options.parts.transparent) theme.plot_background = theme.panel = no_color;
    FigureInput input{.results = *results.head,
                      .cursor = results.head->request.cursor,
                      .cursor_shown = options.cursor_shown,
                      .theme = theme,
                      .memo = state.memo,
                      .reference = results.reference.get(),
                      .has_color_bars = options.parts.color_bar};
    if (results.reference) {
        const ComparedNames names =
            compared_names(page.experiment, results.reference->request.experiment, setting_style(theme));
        input.own_name = names.own, input.reference_name = names.reference;
    }
    const bool is_alone = page.figures.size() == 1;
    Rect room = whole(options).inset(page_margin);
    const std::string parameters = options.parts.caption ? caption_of(page, input) : "";
    const auto ranges_of_figure = [&](std::size_t i) { return state.ranges.empty() ? nullptr : &state.ranges[i]; };
    if (!is_alone)
        room = draw_heading({.title = "", .brief_title = "", .caption = parameters, .of = "page's lines"}, theme,
                            ranges_of_figure(0), canvas, room);
    std::vector<Figure> figures;
    for (const PlacedFigure& placed : page.figures) figures.push_back(placed.figure);
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < page.figures.size(); ++i) {
        const Figure& figure = page.figures[i].figure;
        const Rect& part = page.figures[i].part;
        Rect rect{room.x + part.x * room.width, room.y + part.y * room.height, part.width * room.width,
                  part.height * room.height};
        if (!state.pixels.empty()) input.pixels = state.pixels[i];
        const std::string own = particulars(figure, input);
        Heading heading;
        if (options.parts.title) {
            const std::string letter = is_alone ? "" : std::string(1, static_cast<char>('a' + i % 26)) + "  ";
            heading.title = letter + title_among(figures, i);
            heading.brief_title = letter + brief_title_among(figures, i);
        }
        if (options.parts.caption)
            heading.caption =
                (is_alone ? parameters + (own.empty() || parameters.empty() ? "" : " · ") : std::string()) + own;
        input.ranges = ranges_of_figure(i);
        rect = draw_heading(heading, theme, input.ranges, canvas, rect);
        frames.push_back(draw(figure, input, canvas, rect));
    }
    return frames;
}

/// Cells of heat maps per px. A vector file contains a matrix entry by entry if the entries can be distinguished in
/// print (300 per inch). Otherwise its cells are large enough that a line of them stays visible on a screen.
struct Sampling {
    double of_entries, pooled;
};
Sampling sampling_of(const FigureFormat& format, const PageOptions& options) {
    const double fine = pixels_per_inch / px_per_inch;
    if (options.theme->is_paper) return {std::max(fine, options.scale), std::max(fine, options.scale)};
    return format.is_vector ? Sampling{fine, 2} : Sampling{options.scale, options.scale};
}

/// Evaluates what the page's figures need, each for a plot of the size that pixels_for(experiment) lists.
template <class PixelsFor>
Evaluated evaluated(const Page& page, PixelsFor pixels_for, Evaluator& evaluator, const Cancel& cancel) {
    const auto of = [&](const Experiment& experiment, const Experiment* reference) {
        const std::vector<PlotPixels> pixels = pixels_for(experiment);
        Needs needs;
        for (std::size_t i = 0; i < page.figures.size(); ++i)
            add_needs(needs, needs_of(page.figures[i].figure, experiment, pixels[i], reference));
        return evaluator.evaluate({experiment, page.options.cursor, needs}, Detail::complete, cancel);
    };
    const auto& reference = page.options.reference;
    return {of(page.experiment, reference ? &*reference : nullptr), reference ? of(*reference, nullptr) : nullptr};
}

/// Evaluates the page at a resolution that is enough to determine the plots' labels.
Evaluated roughly_evaluated(const Page& page, Evaluator& evaluator, const Cancel& cancel) {
    const auto few = [&](const Experiment&) { return std::vector<PlotPixels>(page.figures.size(), few_cells); };
    return evaluated(page, few, evaluator, cancel);
}

/// Evaluates the page, then calls draw_file(options, draw). draw(canvas) returns the ranges of the plots.
template <class DrawFile>
auto compose(const Page& page, Evaluator& evaluator, const Sampling& sampling, const Cancel& cancel,
             DrawFile draw_file) {
    const PageOptions& options = page.options;
    // A plot's size depends on its labels, and these on its values. So measure with few cells, then evaluate for the
    // remaining size.
    DrawingState state{.memo = {}, .ranges = page.ranges};
    OmittedCanvas trial;
    trial.set_serif(options.is_serif);
    const std::vector<Frame> frames = draw_figures(page, roughly_evaluated(page, evaluator, cancel), state, trial);
    const auto pixels_for = [&](const Experiment& experiment) {
        std::vector<PlotPixels> pixels;
        for (const Frame& frame : frames) {
            const auto cells = [&](double length) {
                const double px = length / options.density;
                const bool has_entries = experiment.seq_len <= px * sampling.of_entries;
                return px * (has_entries ? sampling.of_entries : sampling.pooled);
            };
            pixels.push_back(limited_cells(cells(frame.plot.width), cells(frame.plot.height)));
        }
        return pixels;
    };
    state.pixels = pixels_for(page.experiment);
    const Evaluated results = evaluated(page, pixels_for, evaluator, cancel);
    const ExportOptions file{.width = options.width,
                             .height = options.height,
                             .scale = options.scale,
                             .density = options.density,
                             .serif = options.is_serif,
                             .line_scale = options.theme->is_paper ? paper_lines : 1,
                             .background = options.parts.transparent ? no_color : options.theme->panel,
                             .title = page.figures.size() == 1 ? title_of(page.figures.front().figure) : "Ropewalk",
                             .scene = options.scene};
    return draw_file(file, [&](Canvas& canvas) {
        draw_figures(page, results, state, canvas);
        return state.ranges;
    });
}

}  // namespace

void set_style(PageOptions& options, const PaperStyle& style) {
    if (!style.is_paper()) return;
    constexpr double points_per_inch = 72;
    options.theme = &paper_theme();
    options.is_serif = style.font == PageFont::serif;
    options.density = options.theme->label_size / (style.font_size * px_per_inch / points_per_inch);
    options.parts.title = options.parts.caption = options.cursor_shown = false;
    options.scale = std::max(options.scale, pixels_per_inch / px_per_inch);
}

PlotPixels limited_cells(double across, double down) {
    const double factor = std::min(1.0, std::sqrt(most_pixels / (across * down)));
    const auto whole = [](double count) { return std::max(1, static_cast<int>(count)); };
    return {whole(factor * across), whole(factor * down)};
}

std::string make_page(const Page& page, Evaluator& evaluator, const std::string& format, const Cancel& cancel) {
    const FigureFormat& file = figure_format(format);
    if (!file.is_vector) require_image_size(page.options.width, page.options.height, page.options.scale);
    return compose(page, evaluator, sampling_of(file, page.options), cancel, file.draw);
}

Image picture_of(const Page& page, const PictureOptions& picture, Evaluator& evaluator, const Cancel& cancel) {
    require_image_size(page.options.width, page.options.height, picture.scale);
    return compose(page, evaluator, sampling_of(figure_format(picture.format), page.options), cancel,
                   [&](ExportOptions file, const auto& draw) {
                       file.scale = picture.scale;
                       return draw_image(file, draw);
                   });
}

std::vector<PlotRanges> ranges_of(const Page& page, Evaluator& evaluator, const Cancel& cancel) {
    Page shown = page;
    shown.ranges.resize(page.figures.size());
    return compose(shown, evaluator, sampling_of(figure_format("png"), page.options), cancel,
                   [&](const ExportOptions&, const auto& draw) {
                       OmittedCanvas canvas;
                       return draw(canvas);
                   });
}

std::string caption_text(const Page& page, CaptionFile kind, Evaluator& evaluator, const Cancel& cancel) {
    const Evaluated results = roughly_evaluated(page, evaluator, cancel);
    FigureMemo memo;
    const FigureInput input{.results = *results.head,
                            .cursor = results.head->request.cursor,
                            .theme = *page.options.theme,
                            .memo = memo,
                            .reference = results.reference.get()};
    DrawingState state{.memo = {}, .ranges = page.ranges};
    OmittedCanvas trial;
    trial.set_serif(page.options.is_serif);
    const std::vector<Frame> frames = draw_figures(page, results, state, trial);
    const auto has_areas = [](const Frame& frame) {
        return frame.has_areas ||
               std::any_of(frame.above.begin(), frame.above.end(), [](const Frame& above) { return above.has_areas; });
    };
    const bool are_explained = page.options.theme->is_paper && std::any_of(frames.begin(), frames.end(), has_areas);
    return caption_file_text(page, input, kind, are_explained);
}

OmittedParts omitted_of(const Page& page, Evaluator& evaluator, const Cancel& cancel) {
    constexpr double step = PageStyle::height_step_mm * PageStyle::px_per_mm,
                     max = PageExtent::max_length * PageStyle::px_per_mm;
    const Evaluated results = roughly_evaluated(page, evaluator, cancel);
    DrawingState state{.memo = {}, .ranges = page.ranges};
    Page shown = page;
    OmittedParts omitted;
    const auto missing = [&] {
        OmittedCanvas canvas;
        canvas.set_serif(shown.options.is_serif);
        draw_figures(shown, results, state, canvas);
        std::vector<std::string> parts = canvas.omitted();
        omitted.cuts_caption = std::erase(parts, too_long_caption) > 0;
        return parts;
    };
    omitted.parts = missing();
    if (omitted.parts.empty()) return omitted;
    shown.options.height = max;
    const std::vector<std::string> unavoidable = missing();
    const auto is_enough = [&](const std::vector<std::string>& parts) {
        return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
            return std::find(unavoidable.begin(), unavoidable.end(), part) != unavoidable.end();
        });
    };
    if (is_enough(omitted.parts)) return omitted;
    for (double steps = std::floor(page.options.height / step) + 1; steps * step <= max + step / 2; ++steps) {
        cancel.check();
        shown.options.height = steps * step;
        if (!is_enough(missing())) continue;
        omitted.height = shown.options.height;
        break;
    }
    return omitted;
}

DataTable numbers_of(const Page& page, Evaluator& evaluator, const Cancel& cancel) {
    if (page.figures.size() != 1)
        throw InputError("A data file can hold only one figure; export the data from that figure's panel");
    const Figure& figure = page.figures.front().figure;
    const auto results =
        evaluator.evaluate({page.experiment, page.options.cursor, needs_of(figure, page.experiment, affordable_cells)},
                           Detail::complete, cancel);
    if (auto table = table_of(figure, *results)) {
        table->what = id_of(figure);
        return *std::move(table);
    }
    throw InputError(
        fmt::format("'{}' has no data to export; `ropewalk list data` lists the figures that do", title_of(figure)));
}

}  // namespace ropewalk
