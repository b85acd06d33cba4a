#include "app/window/session/exports.h"

#include <fmt/format.h>

#include "app/figures/page/figure_call.h"
#include "app/figures/page/page_caption.h"
#include "app/figures/parts/text/caption.h"
#include "app/plot/export.h"
#include "app/window/session/image_clipboard.h"
#include "app/window/session/video.h"
#include "core/error.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_copied = 200'000;  // numbers

std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name) {
    std::error_code error;
    std::filesystem::path path = folder / (name + ".png");
    for (int number = 2; std::filesystem::exists(path, error); ++number)
        path = folder / fmt::format("{}-{}.png", name, number);
    return path;
}

}  // namespace

std::string Exports::call_of(const Figure& figure) {
    std::string call;
    notices_.attempt([&] {
        call = figure_call(document_.scene(), {.experiment = shown(),
                                               .reference = document_.copied_reference(),
                                               .cursor = document_.cursor(),
                                               .figure = figure});
    });
    return call;
}

const Results* Exports::current_results(const WorkerState& computed) {
    const Results* const results = (computed.coarse ? computed.coarse : computed.results).get();
    if (!document_.fault().empty()) {
        notices_.complain(document_.fault());
    } else if (!results || !same_but_for_step(results->request.experiment, document_.experiment())) {
        const bool has_failed = !computed.busy && !computed.error.empty();
        notices_.complain(has_failed ? computed.error : "The head is still being computed. Try again in a moment.");
    } else {
        return results;
    }
    return nullptr;
}

NumpyScript Exports::as_numpy(const WorkerState& computed) {
    const Results* const results = current_results(computed);
    if (!results) return {};
    const Experiment& experiment = results->request.experiment;
    return numpy_script(*results->problem, document_.cursor(), experiment.pairing, caption(experiment),
                        numpy_of(experiment.encoding, experiment.shape()));
}

Scene Exports::shown_scene() const {
    Scene scene = document_.current_scene();
    scene.experiment = shown_(scene.experiment);
    return scene;
}

Page Exports::page_of(std::vector<PlacedFigure> figures, const PageStyle& style,
                      const std::optional<Experiment>& shown) const {
    const PageExtent& extent = style.extent(figures.size());
    const double density = PageStyle::density_of(extent.width, figures.size());
    Scene scene = document_.current_scene();
    if (shown) scene.experiment = *shown;
    std::optional<Experiment> reference = document_.copied_reference();
    if (shown && reference) reference = shown_(*reference);
    Page page{.figures = std::move(figures),
              .experiment = scene.experiment,
              .options = {.width = extent.width * PageStyle::px_per_mm,
                          .height = extent.height * PageStyle::px_per_mm,
                          .scale = style.scale,
                          .density = density,
                          .theme = &theme_called(name_of(style.theme).id, light_theme()),
                          .parts = style.parts,
                          .cursor = document_.cursor(),
                          .cursor_shown = style.cursor,
                          .scene = scene_text(scene),
                          .reference = std::move(reference)}};
    set_style(page.options, style.paper);
    return page;
}

Page Exports::page_of_all(const PageStyle& style, const std::optional<Experiment>& shown) const {
    const auto figures = static_cast<std::size_t>(document_.view.panels_in_sight());
    const PageExtent& extent = style.extent(figures);
    const double px = PageStyle::px_per_mm * PageStyle::density_of(extent.width, figures);
    return page_of(placed_figures(document_.view, extent.width * px, extent.height * px), style, shown);
}

bool Exports::export_page(const Page& page, const std::string& path, CaptionFile caption) {
    return notices_.attempt([&] {
        if (!document_.fault().empty()) throw InputError(document_.fault());
        const std::string format = extension_of(path);
        const bool is_figure = is_figure_file(path);
        if (!is_figure && !is_data_format(format))
            throw InputError(
                fmt::format("cannot tell the format of {}; the name must end in .csv, .npy, .json or .py for data, or "
                            "{} for a figure",
                            path, any_figure_format()));
        const bool has_caption = is_figure && caption != CaptionFile::none;
        if (is_figure) require_readable(page.options.scene);
        require_writable(path);  // checked before the page is computed
        if (has_caption) require_writable(caption_path(path, caption));
        write_in_background(
            [page, path, format, is_figure, caption, has_caption, backend = options_.backend](const Cancel& cancel) {
                Evaluator evaluator(backend.open());
                const std::string bytes = is_figure ? make_page(page, evaluator, format, cancel)
                                                    : encode(numbers_of(page, evaluator, cancel), format, cancel);
                std::string text;
                std::vector<FileContent> files{{path, bytes}};
                if (has_caption) {
                    text = caption_text(page, caption, evaluator, cancel);
                    files.push_back({caption_path(path, caption), text});
                }
                write_together(files, cancel);
                return "Exported " + path;
            });
    });
}

void Exports::copy_image(const Figure& figure, const PageStyle& style) {
    notices_.attempt([&] {
        if (!document_.fault().empty()) throw InputError(document_.fault());
        write_in_background([page = page_of({{figure}}, style, shown()), backend = options_.backend,
                             title = title_of(figure)](const Cancel& cancel) {
            Evaluator evaluator(backend.open());
            copy_png(make_page(page, evaluator, "png", cancel), cancel);
            return fmt::format("Copied '{}' to the clipboard as an image", title);
        });
    });
}

void Exports::copy_data(const Figure& figure, const PageStyle& style, CopiedData format) {
    notices_.attempt([&] {
        if (!document_.fault().empty()) throw InputError(document_.fault());
        write_in_background([page = page_of({{figure}}, style, shown()), backend = options_.backend,
                             title = title_of(figure), copied = copied_,
                             is_script = format == CopiedData::script](const Cancel& cancel) {
            Evaluator evaluator(backend.open());
            const DataTable table = numbers_of(page, evaluator, cancel);
            if (table.size() > most_copied)
                throw LimitError(with_readable_numbers(
                    fmt::format("'{}' has {} numbers, too many for the clipboard, which takes {}. Export the data to a "
                                "file (Ctrl+E).",
                                title, table.size(), most_copied)));
            *copied = encode(table, is_script ? "py" : "csv", cancel);
            return fmt::format("Copied {} of '{}' to the clipboard{}", is_script ? "a Matplotlib script" : "the data",
                               title, is_script ? "" : " as CSV");
        });
    });
}

bool Exports::export_video(const Page& page, const Sweep& sweep, const std::string& path) {
    return notices_.attempt([&] {
        if (!document_.fault().empty()) throw InputError(document_.fault());
        require_writable(path);
        require_video(sweep, path);
        require_image_size(page.options.width, page.options.height, page.options.scale);
        write_in_background([page, sweep, path, options = options_, written = written_](const Cancel& cancel) {
            Evaluator evaluator(options.backend.open());
            const auto progress = [&](double done) {
                *written = done;
                if (options.wake) options.wake();
            };
            return write_video(page, sweep, path, evaluator, progress, cancel);
        });
    });
}

void Exports::write_picture(Image image, const std::filesystem::path& folder, const std::string& name) {
    notices_.attempt([&] {
        write_in_background(
            [image = std::move(image), folder, name, scene = scene_text(shown_scene())](const Cancel& cancel) {
                const std::string path = free_name(folder, name).string();
                atomic_write(path, png_bytes(image, scene), cancel);
                return "Wrote " + path;
            });
    });
}

void Exports::write_in_background(std::function<std::string(const Cancel&)> work) {
    if (writing_.valid()) throw IoError("The previous export is still running. Try again in a moment.");
    const Cancel cancel(generation_, generation_.load());
    *written_ = 0;
    writing_ = std::async(std::launch::async, [work = std::move(work), cancel, wake = options_.wake] {
        const auto then_wake = std::shared_ptr<void>(nullptr, [&](void*) {
            if (wake) wake();
        });
        return work(cancel);
    });
}

void Exports::refresh() {
    if (!writing_.valid() || writing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    notices_.attempt([&] {
        try {
            notices_.notify(writing_.get());
        } catch (const Cancelled&) {
            notices_.notify("Export cancelled. No file was written.");
        }
    });
}

}  // namespace ropewalk
