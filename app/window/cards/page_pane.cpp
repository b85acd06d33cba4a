#include "app/window/cards/page_pane.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/text/text_table.h"
#include "app/plot/elide.h"
#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/surface/imgui_canvas.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double preview_margin = 16, max_zoom = 2, around_card = 16, inside_card = 12, button_row = 34;

Rect rect_of_card(const Ui& ui, const PageCard::Look& look, const Rect& area) {
    return in_the_middle(area.inset(ui.px(around_card)), ui.px(look.width), ui.px(look.height));
}

/// Draws a chessboard, which shows through where a page has no background.
void draw_chessboard(Canvas& canvas, const Rect& rect, const Theme& theme) {
    constexpr double square = 8;
    canvas.fill_rect(rect, theme.panel);
    for (int row = 0; row * square < rect.height; ++row)
        for (int column = row % 2; column * square < rect.width; column += 2) {
            const double x = rect.x + column * square, y = rect.y + row * square;
            canvas.fill_rect({x, y, std::min(square, rect.right() - x), std::min(square, rect.bottom() - y)},
                             theme.control);
        }
}

/// Returns, for example, "249 MB".
std::string file_size(double bytes) {
    if (bytes < 999e3) return fmt::format("{:.0f} kB", std::ceil(bytes / 1e3));
    return bytes < 1e8 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.0f} MB", bytes / 1e6);
}

/// Returns the first rows and columns of the data, with dots if there are more. Arrays (NPY) have no names, so their
/// indices, counted from 0, precede the labels.
TextTable beginning_of(const DataTable& numbers, ExportFormat format) {
    constexpr std::size_t most_rows = 24, most_columns = 6;
    const auto width = static_cast<std::size_t>(numbers.shape.size() > 1 ? numbers.shape.back() : 1);
    const std::size_t columns = std::min(width, most_columns), rows = std::min(numbers.size() / width, most_rows);
    const bool is_named = format != ExportFormat::npy, is_labelled = !numbers.row_labels.empty();
    TextTable table;
    if (is_labelled) table.columns.push_back(numbers.rows_are);
    for (std::size_t column = 0; column < columns; ++column) {
        const std::string place = numbers.shape.size() > 1 ? fmt::format("[:, {}]", column) : "[:]";
        table.columns.push_back(is_named ? numbers.columns[column] : place + " " + numbers.columns[column]);
    }
    if (columns < width) table.columns.emplace_back("…");
    for (std::size_t row = 0; row < rows; ++row) {
        std::vector<std::string>& shown = table.rows.emplace_back();
        if (is_labelled)
            shown.push_back((is_named ? "" : fmt::format("[{}, :] ", row)) + readable(numbers.row_labels[row]));
        for (std::size_t column = 0; column < columns; ++column)
            shown.push_back(readable(numbers.value(row * width + column)));
        if (columns < width) shown.emplace_back("…");
    }
    if (rows * width < numbers.size()) table.rows.emplace_back(table.columns.size(), "…");
    return table;
}

/// Makes previews with an evaluator of its own.
auto preview_maker(const BackendOptions& backend) {
    return [backend, evaluator = std::shared_ptr<Evaluator>()](const PreviewRequest& request,
                                                               const Cancel& cancel) mutable {
        if (!evaluator) evaluator = std::make_shared<Evaluator>(backend.open());
        PreviewAnswer answer;
        if (request.of_numbers) {
            answer.numbers = numbers_of(request.page, *evaluator, cancel);
            answer.bytes = estimated_bytes(*answer.numbers, request.picture.format);
        } else {
            answer.picture = as_seen(picture_of(request.page, request.picture, *evaluator, cancel), request.sight);
            answer.omitted = omitted_of(request.page, *evaluator, cancel);
        }
        return answer;
    };
}

/// Why a page cannot be read, and a size that is enough.
struct PageTooSmall {
    std::string word, help;              // what does not fit; what a larger page would show
    std::optional<PageExtent> enough{};  // a size on which it fits, if there is one
};

/// Returns the problem of a page with these omitted parts, or nullopt if all of it can be read.
std::optional<PageTooSmall> page_too_small(const Page& page, const OmittedParts& omitted) {
    constexpr double readable_width = PageStyle::min_figure_width, readable_height = PageStyle::min_figure_height,
                     step = PageStyle::height_step_mm;
    const PageExtent extent{page.options.width / PageStyle::px_per_mm, page.options.height / PageStyle::px_per_mm};
    PageExtent smallest = extent, enough{extent.width, omitted.height.value_or(0) / PageStyle::px_per_mm};
    for (const PlacedFigure& placed : page.figures) {
        smallest.width = std::min(smallest.width, placed.part.width * extent.width);
        smallest.height = std::min(smallest.height, placed.part.height * extent.height);
    }
    PageTooSmall problem;
    if (page.figures.size() > 1 && (smallest.width < readable_width || smallest.height < readable_height)) {
        problem = {fmt::format("its smallest figure is {:.0f} × {:.0f} mm", smallest.width, smallest.height),
                   "A page large enough to read the smallest figure."};
        if (smallest.width < readable_width) enough.width = std::max(extent.width, PageExtent::columns.front());
        enough.height = std::max(enough.height, extent.height * std::max(1.0, readable_height / smallest.height));
    } else if (!omitted.parts.empty()) {
        const std::size_t others = omitted.parts.size() - 1;
        problem = {fmt::format("not enough space for {}{}", omitted.parts.front(),
                               others > 0 ? fmt::format(" and {} more", others) : std::string()),
                   fmt::format("A page with enough space for {}.", fmt::join(omitted.parts, "; "))};
    } else if (omitted.cuts_caption) {
        problem.word = "the caption is cut to two lines";
    } else {
        return {};
    }
    enough.height = std::min(step * std::ceil(enough.height / step - 1e-9), PageExtent::max_length);
    if (enough.height > extent.height || enough.width != extent.width) problem.enough = enough;
    return problem;
}

}  // namespace

ControlsState page_controls(Ui& ui, PageStyle& style, const PageControls& controls,
                            const std::function<bool(std::string_view field)>& shown) {
    const std::string_view of_others = controls.figures > 1 ? "figure." : "sheet.";
    const PageExtent before = style.figure;
    const PageLook look_before = style.paper.look;
    ControlsState state = group_controls(ui, style, controls.usual, controls.prefix, [&](std::string_view path) {
        const std::string_view field = path.substr(controls.prefix.size());
        return !field.starts_with(of_others) && shown(field);
    });
    if (style.figure.width != before.width && before.height == PageStyle::usual_height(before.width))
        style.figure.height = PageStyle::usual_height(style.figure.width);
    style.follow_look(look_before);
    return state;
}

PageCard::PageCard(Ui& ui, const Look& look, const Rect& area)
    : rect_(rect_of_card(ui, look, area)), card_(ui, look.id, rect_) {
    constexpr double max_share = 0.48;
    section(ui, look.title);
    const Point top = compat::point(ImGui::GetCursorScreenPos());
    const double gap = ui.px(inside_card), below = rect_.bottom() - ui.px(button_row + 4),
                 width = std::min<double>(ui.px(look.controls_width), max_share * rect_.width);
    controls_ = {top.x, top.y, width, below - ui.px(8) - top.y};
    page_ = {controls_.right() + gap, top.y, rect_.right() - 2 * gap - controls_.right(), controls_.height};
    buttons_ = {top.x, below, page_.right() - top.x, ui.px(row_height)};
}

void PageCard::begin_buttons() const {
    ImGui::SetCursorScreenPos(compat::vector({buttons_.x, buttons_.y}));
}

PagePane::PagePane(std::string name, const ComputationOptions& options)
    : name_(std::move(name)), preview_(preview_maker(options.backend), options.wake) {}

bool PagePane::has_failed() const {
    const PreviewAnswer* answer = preview_.answer();
    return answer && preview_.is_current() && !answer->complaint.empty();
}

void PagePane::draw(Ui& ui, Page page, const PageStyle& style, Sight sight, const Rect& rect) {
    PreviewRequest request{std::move(page), {.format = name_of(style.format).id}, is_of_numbers(style.format), sight};
    request.page.options.scene.clear();
    const double margin = ui.px(preview_margin);
    request.picture.scale =
        std::min({std::max(1.0, rect.width - 2 * margin) / request.page.options.width,
                  std::max(1.0, rect.height - 2 * margin) / request.page.options.height, max_zoom * ui.scale});
    preview_.ask(request);
    draw_answer(ui, rect, style);
}

void PagePane::draw_extent(Ui& ui, PageStyle& style, double right) {
    const PreviewAnswer* answer = preview_.answer();
    const auto too_small =
        answer && answer->picture ? page_too_small(preview_.asked()->page, answer->omitted) : std::nullopt;
    std::string size = extent(style);
    if (too_small && too_small->enough) {
        ImGui::SameLine();
        if (button(ui, {.id = name_ + ".enlarge",
                        .label = fmt::format("Use {} × {} mm", readable(too_small->enough->width),
                                             readable(too_small->enough->height)),
                        .help = {.title = "A larger page", .text = too_small->help}}))
            style.extent(figures()) = *too_small->enough;
    }
    const Rect before = rect_of(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    const double left = before.right() + ui.px(12);
    const Rect room{left, before.y, right - left, ui.px(row_height)};
    if (too_small) {
        const std::string both = size + "; " + too_small->word;
        size = ui.px(measure_text(both, text_size, Weight::regular).width) <= room.width ? both : too_small->word;
        ui.registry.add({.id = name_ + ".word", .label = "", .rect = room, .value = too_small->word});
    }
    text_in(ui, room, fitted(ui, size, room.width / ui.scale), too_small ? ui.theme->warning : ui.theme->text_dim,
            Align::end);
}

void PagePane::draw_answer(Ui& ui, const Rect& rect, const PageStyle& style) const {
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const Theme& theme = *ui.theme;
    const Rect area{rect.x / ui.scale, rect.y / ui.scale, rect.width / ui.scale, rect.height / ui.scale};
    canvas.fill_rect(area, theme.window, 4);
    const PreviewAnswer* answer = preview_.answer();
    if (answer && answer->picture) {
        const Image& picture = *answer->picture;
        const Rect page{std::round(rect.centre().x - picture.width / 2.0) / ui.scale,
                        std::round(rect.centre().y - picture.height / 2.0) / ui.scale, picture.width / ui.scale,
                        picture.height / ui.scale};
        canvas.push_clip(area);
        // In the page's own theme, which suits its future background.
        if (style.parts.transparent) draw_chessboard(canvas, page, theme_called(name_of(style.theme).id, theme));
        canvas.image(page, picture);
        canvas.pop_clip();
    } else if (answer && answer->numbers) {
        draw_text_table(beginning_of(*answer->numbers, style.format), theme, canvas, area.inset(preview_margin));
    } else {
        const Rect room = area.inset(preview_margin);
        double y = room.centre().y;
        for (const std::string& line : wrapped(words_of(answer ? answer->complaint : "drawing …"), room.width,
                                               theme.label_size, Weight::regular)) {
            canvas.text({room.centre().x, y}, line,
                        {.size = theme.label_size, .color = theme.text_dim, .across = Align::middle});
            y += 1.5 * theme.label_size;
        }
    }
    ui.registry.add({.id = name_ + ".preview",
                     .label = "",
                     .rect = rect,
                     .value = !preview_.is_current() ? "drawing …" : extent(style)});
}

std::string PagePane::extent(const PageStyle& style) const {
    const PreviewAnswer* answer = preview_.answer();
    if (!answer) return {};
    if (answer->numbers)
        return fmt::format("{} numbers, about {}", fmt::join(answer->numbers->shape, " × "), file_size(answer->bytes));
    if (!answer->picture) return answer->complaint;
    const double pixels = PageStyle::px_per_mm * (style.format == ExportFormat::png ? style.scale : 1);
    const PageExtent& size = style.extent(figures());
    return fmt::format("{} × {} mm, {} × {} {}", readable(size.width, 4), readable(size.height, 4),
                       std::ceil(size.width * pixels), std::ceil(size.height * pixels),
                       style.format == ExportFormat::png ? "pixels" : "px");
}

}  // namespace ropewalk
