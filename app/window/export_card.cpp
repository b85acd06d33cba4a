#include "app/window/export_card.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/figures/text_table.h"
#include "app/plot/elide.h"
#include "app/window/compat.h"
#include "app/window/controls.h"
#include "app/window/imgui_canvas.h"
#include "app/window/row.h"
#include "app/window/widgets.h"

namespace ropewalk {
namespace {

constexpr double card_width = 980, card_height = 620, controls_width = 310, button_row = 34, preview_margin = 16;
constexpr double greatest_zoom = 2;
constexpr Entry sights[] = {{"all colours", "As most people see it."},
                            {"without red cones", "Protanopia: one man in a hundred."},
                            {"without green cones", "Deuteranopia: one man in a hundred; weak green is commoner."},
                            {"without blue cones", "Tritanopia: rare."},
                            {"in grey", "Lightness alone, as printed without colour."}};

/// Squares that show through where a page has no ground.
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

/// "249 MB"
std::string file_size(double bytes) {
    if (bytes < 999e3) return fmt::format("{:.0f} kB", std::ceil(bytes / 1e3));
    return bytes < 1e8 ? fmt::format("{:.1f} MB", bytes / 1e6) : fmt::format("{:.0f} MB", bytes / 1e6);
}

/// The first rows and columns, as many as one can take in, and dots where there are more. An array has no names; there
/// places in it, which are counted from 0, stand before what they are of.
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

/// What a page has no room for, and one that has it, if there is one; mm.
struct Cramped {
    std::string word, help;
    std::optional<PageSize> enough{};
};

/// The smallest of several figures, if it cannot be read.
std::optional<Cramped> too_small_a_figure(const Page& page) {
    constexpr double least_width = PageStyle::least_figure_width, least_height = PageStyle::least_figure_height;
    const double across = page.options.width / PageStyle::px_per_mm, down = page.options.height / PageStyle::px_per_mm;
    double width = across, height = down;
    for (const PlacedFigure& placed : page.figures)
        width = std::min(width, placed.part.width * across), height = std::min(height, placed.part.height * down);
    if (page.figures.size() < 2 || (width >= least_width && height >= least_height)) return {};
    const double column = width < least_width ? std::max(across, PageStyle::columns.front()) : across;
    return Cramped{fmt::format("its smallest figure is {:.0f} × {:.0f} mm", width, height),
                   "On which the smallest figure can be read.",
                   PageSize{column, down * std::max(1.0, least_height / height)}};
}

/// What stands in the way of reading the page.
std::optional<Cramped> cramped_in(const Page& page, const LeftOut& left_out) {
    std::optional<Cramped> cramped = too_small_a_figure(page);
    if (!left_out.parts.empty() && !cramped) {
        const std::size_t others = left_out.parts.size() - 1;
        cramped = {fmt::format("no room for {}{}", left_out.parts.front(),
                               others > 0 ? fmt::format(" and {} more", others) : std::string()),
                   fmt::format("With room for {}.", fmt::join(left_out.parts, "; "))};
    }
    if (!cramped) return {};
    const double width = page.options.width / PageStyle::px_per_mm;
    PageSize& enough = cramped->enough ? *cramped->enough : cramped->enough.emplace(PageSize{width});
    const double height = std::max(enough.height.value_or(0), left_out.height.value_or(0) / PageStyle::px_per_mm);
    constexpr double step = PageStyle::height_step_mm;
    enough.height = std::min(step * std::ceil(height / step - 1e-9), PageStyle::greatest_length);
    if (!(*enough.height > page.options.height / PageStyle::px_per_mm) && enough.width == width)
        cramped->enough.reset();
    return cramped;
}

}  // namespace

void ExportCard::open(std::optional<Figure> figure, Workbench& workbench) {
    figure_ = std::move(figure);
    if (ExportFormat& format = workbench.preferences.page.format; !figure_ && is_of_numbers(format))
        format = ExportFormat::svg;  // several figures are no table
    preview_ = std::make_unique<PagePreview>([options = workbench.options()] { return options.open(); },
                                             workbench.options().wake);
}

Page ExportCard::page(const Workbench& workbench) const {
    const PageStyle& style = workbench.preferences.page;
    return figure_ ? workbench.page_of({{*figure_}}, style) : workbench.page_of_all(style);
}

bool ExportCard::draw(Ui& ui, Workbench& workbench, const Rect& area) {
    if (!is_open()) return false;
    const double width = std::min<double>(ui.px(card_width), area.width - ui.px(32)),
                 height = std::min<double>(ui.px(card_height), area.height - ui.px(32));
    const Rect rect{std::round(area.centre().x - width / 2), std::round(area.centre().y - height / 2),
                    std::max(1.0, std::round(width)), std::max(1.0, std::round(height))};
    const Card card(ui, "export", rect);
    section(ui, "Export " + title());
    const double controls = ui.px(std::min(controls_width, 0.42 * width / ui.scale));
    const Point top = compat::point(ImGui::GetCursorScreenPos());
    const double below = rect.bottom() - top.y - ui.px(button_row + 12);
    draw_controls(ui, workbench, {top.x, top.y, controls, below});
    const double left = top.x + controls + ui.px(12);
    const Rect shown{left, top.y, rect.right() - ui.px(12) - left, below};
    const Page page = draw_preview(ui, workbench, shown);

    ImGui::SetCursorScreenPos(compat::vector({top.x, rect.bottom() - ui.px(button_row + 4)}));
    const PreviewAnswer* answer = preview_->answer();
    const bool can = answer && (answer->complaint.empty() || !preview_->is_current());
    bool accepted = button(ui, {.id = "export.accept", .label = "Export …", .enabled = can}, ButtonLook::chosen);
    ImGui::SameLine();
    if (button(ui, {.id = "export.cancel", .label = "Cancel"}) || card.clicked_outside() || ui.take_key(Key::escape))
        close();
    accepted |= can && ui.take_key(Key::enter);
    if (is_open() && can) draw_extent(ui, workbench.preferences.page, page, shown);
    return accepted;
}

void ExportCard::draw_controls(Ui& ui, Workbench& workbench, const Rect& rect) {
    compat::begin_child("page", compat::vector({rect.width, rect.height}));
    PageStyle& style = workbench.preferences.page;
    const bool of_numbers = is_of_numbers(style.format);
    const ControlsState state = group_controls(ui, style, "page.", [&](std::string_view path) {
        if (path == "page.color_bar" && figure_ && !has_color_bar(*figure_)) return false;
        return path == "page.format" || !(of_numbers || (path == "page.scale" && style.format != ExportFormat::png));
    });
    if (!state.rejected.empty()) workbench.tell(state.rejected, Notice::Kind::error);
    if (!of_numbers) {
        section(ui, "Preview");
        combo(ui,
              {.id = "export.sight",
               .label = "Seen by",
               .help = {.title = "Seen by",
                        .text = "How the page looks to eyes that lack one kind of cones, or printed in grey. It is "
                                "exported in its own colours.",
                        .source = "Machado, Oliveira and Fernandes 2009"}},
              sights, sight_);
    }
    ImGui::EndChild();
}

Page ExportCard::draw_preview(Ui& ui, const Workbench& workbench, const Rect& rect) {
    const PageStyle& style = workbench.preferences.page;
    PreviewRequest request{
        page(workbench), {.format = name_of(style.format).id}, is_of_numbers(style.format), static_cast<Sight>(sight_)};
    request.page.options.scene.clear();
    const double margin = ui.px(preview_margin);
    request.picture.scale =
        std::min({std::max(1.0, rect.width - 2 * margin) / request.page.options.width,
                  std::max(1.0, rect.height - 2 * margin) / request.page.options.height, greatest_zoom * ui.scale});
    preview_->ask(request);
    draw_answer(ui, rect, style);
    return std::move(request.page);
}

void ExportCard::draw_extent(Ui& ui, PageStyle& style, const Page& page, const Rect& shown) {
    const PreviewAnswer* answer = preview_->answer();
    const auto cramped = answer && answer->picture ? cramped_in(page, answer->left_out) : std::nullopt;
    std::string size = extent(style);
    if (cramped && cramped->enough) {
        ImGui::SameLine();
        if (button(ui, {.id = "export.enlarge",
                        .label = fmt::format("Use {} × {} mm", readable(cramped->enough->width),
                                             readable(*cramped->enough->height)),
                        .help = {.title = "A larger page", .text = cramped->help}}))
            style.width = cramped->enough->width, style.height = *cramped->enough->height;
    }
    if (cramped) {
        size += "; " + cramped->word;
        ui.registry.add({.id = "export.word", .label = "", .rect = shown, .value = cramped->word});
    }
    const double left = static_cast<double>(ImGui::GetItemRectMax().x) + ui.px(12),
                 y = static_cast<double>(ImGui::GetItemRectMin().y);
    text_in(ui, {left, y, shown.right() - left, ui.px(row_height)}, size,
            cramped ? ui.theme->warning : ui.theme->text_dim, Align::end);
}

void ExportCard::draw_answer(Ui& ui, const Rect& rect, const PageStyle& style) const {
    ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), ui.fonts, *ui.textures);
    const Theme& theme = *ui.theme;
    const Rect ground{rect.x / ui.scale, rect.y / ui.scale, rect.width / ui.scale, rect.height / ui.scale};
    canvas.fill_rect(ground, theme.window, 4);
    const PreviewAnswer* answer = preview_->answer();
    if (answer && answer->picture) {
        const Image& picture = *answer->picture;
        const Rect page{std::round(rect.centre().x - picture.width / 2.0) / ui.scale,
                        std::round(rect.centre().y - picture.height / 2.0) / ui.scale, picture.width / ui.scale,
                        picture.height / ui.scale};
        canvas.push_clip(ground);
        // Of the page's own theme: what it will lie on is as light or as dark.
        if (style.parts.transparent) draw_chessboard(canvas, page, theme_called(name_of(style.theme).id, theme));
        canvas.image(page, picture);
        canvas.pop_clip();
    } else if (answer && answer->numbers) {
        draw_text_table(beginning_of(*answer->numbers, style.format), theme, canvas, ground.inset(preview_margin));
    } else {
        const Rect room = ground.inset(preview_margin);
        double y = room.centre().y;
        for (const std::string& line : wrapped(words_of(answer ? answer->complaint : "drawing …"), room.width,
                                               theme.label_size, Weight::regular)) {
            canvas.text({room.centre().x, y}, line,
                        {.size = theme.label_size, .color = theme.text_dim, .across = Align::middle});
            y += 1.5 * theme.label_size;
        }
    }
    ui.registry.add({.id = "export.preview",
                     .label = "",
                     .rect = rect,
                     .value = !preview_->is_current() ? "drawing …" : extent(style)});
}

std::string ExportCard::extent(const PageStyle& style) const {
    const PreviewAnswer* answer = preview_->answer();
    if (!answer) return {};
    if (answer->numbers)
        return fmt::format("{} numbers, about {}", fmt::join(answer->numbers->shape, " × "), file_size(answer->bytes));
    if (!answer->picture) return answer->complaint;
    const double pixels = PageStyle::px_per_mm * (style.format == ExportFormat::png ? style.scale : 1);
    return fmt::format("{} × {} mm, {} × {} {}", readable(style.width, 4), readable(style.height, 4),
                       std::ceil(style.width * pixels), std::ceil(style.height * pixels),
                       style.format == ExportFormat::png ? "pixels" : "px");
}

}  // namespace ropewalk
