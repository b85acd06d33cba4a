#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/fonts.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double value_width = 118, value_gap = 6, value_padding = 4, handle_radius = 6, grab_distance = 8,
                 snap_distance = 4, large_value = 22;  // logical pixels

/// The relation between values and pixels on a track.
class TrackScale {
  public:
    TrackScale(const SliderSpec& spec, const Rect& track)
        : spec_(spec),
          left_(track.x),
          width_(std::max(1.0, track.width)),
          added_(spec.logarithmic && spec.min == 0 ? 1 : 0),
          span_(spec.logarithmic ? std::log((spec.max + added_) / (spec.min + added_)) : spec.max - spec.min) {}

    double pixel(double value) const { return left_ + width_ * fraction(value); }
    /// Returns the nearest pixel of the track.
    double on_track(double pixel) const { return std::clamp(pixel, left_, left_ + width_); }

    /// Returns the value at a pixel, rounded to a pixel's precision.
    double value(double pixel) const {
        const double at = std::clamp((pixel - left_) / width_, 0.0, 1.0);
        if (at == 0 || span_ == 0) return spec_.min;
        if (at == 1) return valid(spec_.max);
        const double exact =
            spec_.logarithmic ? (spec_.min + added_) * std::exp(at * span_) - added_ : spec_.min + at * span_;
        return valid(std::round(exact / quantum(exact)) * quantum(exact));
    }

    /// Returns the nearest valid value.
    double valid(double value) const {
        if (spec_.integer) value = spec_.min + std::round((value - spec_.min) / spec_.step) * spec_.step;
        if (spec_.snapped) value = spec_.snapped(value);
        return std::clamp(value, spec_.min, spec_.max);
    }

    /// Returns the value after an arrow key in a direction: the next pair, tick (1, 2, 5, 10 …) or whole number. With
    /// Shift it goes ten of them, to the next power of ten or, where whole numbers have a logarithmic track, of two.
    double stepped(double value, int direction, bool has_shift) const {
        const int steps = direction * (has_shift ? 10 : 1);
        if (spec_.integer && spec_.logarithmic && has_shift && value > 0) {
            const double power = std::log2(value);
            return valid(std::floor(std::exp2(direction > 0 ? std::floor(power) + 1 : std::ceil(power) - 1)));
        }
        if (spec_.integer) return valid(value + steps * spec_.step);
        if (spec_.snapped) {
            for (int done = 0; done < std::abs(steps); ++done) value = next_snapped(value, direction);
            return value;
        }
        if (spec_.logarithmic && value > 0) return valid(next_tick(value, direction, has_shift));
        const double step = round_part(span_);
        return valid((std::round(value / step) + steps) * step);
    }

  private:
    double fraction(double value) const {
        const double from_left =
            spec_.logarithmic ? std::log((value + added_) / (spec_.min + added_)) : value - spec_.min;
        const double at = from_left / span_;
        return std::isfinite(at) ? std::clamp(at, 0.0, 1.0) : 0;
    }

    /// Returns the next value that `snapped` allows in a direction.
    double next_snapped(double value, int direction) const {
        double next = value;
        for (double by = quantum(value); (next - value) * direction <= 0 && by < spec_.max - spec_.min; by *= 2)
            next = valid(std::round((value + direction * by) / quantum(value)) * quantum(value));
        return next;
    }
    /// Returns the next of 1, 2, 5, 10 … or, of powers of ten only, the next one.
    static double next_tick(double value, int direction, bool is_of_ten) {
        constexpr double nearly = 1e-9;
        const double decade = std::floor(std::log10(value) + nearly);
        std::vector<double> ticks;
        for (int away = -1; away <= 1; ++away)
            for (const double digit : {1.0, 2.0, 5.0})
                if (digit == 1 || !is_of_ten) ticks.push_back(digit * std::pow(10, decade + away));
        if (direction < 0) std::reverse(ticks.begin(), ticks.end());
        for (const double tick : ticks)
            if ((tick - value) * direction > nearly * value) return tick;
        return ticks.back();
    }
    /// Returns about a hundredth of a range: 1, 2 or 5 times a power of ten.
    static double round_part(double range) {
        const double part = range / 100, ten = std::pow(10, std::floor(std::log10(part)));
        return (part < 1.5 * ten ? 1 : part < 3.5 * ten ? 2 : part < 7.5 * ten ? 5 : 10) * ten;
    }

    /// Returns the largest power of ten below the change of one pixel.
    double quantum(double value) const {
        const double change = spec_.logarithmic ? (std::abs(value) + added_) * span_ : span_;
        const double rounded = std::pow(10, std::floor(std::log10(change / width_)));
        return rounded > 0 && std::isfinite(rounded) ? rounded : 1;
    }

    const SliderSpec& spec_;
    double left_, width_;
    double added_;  // to values before their logarithm is taken
    double span_;   // of the track's values or their logarithms
};

double snapped(const SliderSpec& spec, const TrackScale& scale, double pixel, double reach) {
    for (const double mark : spec.marks)
        if (std::abs(scale.pixel(mark) - pixel) <= reach) return scale.valid(mark);
    return scale.value(pixel);
}

/// Returns the value with its unit.
std::string shown(const SliderSpec& spec, double value) {
    return value == spec.named_value ? std::string(spec.name) : readable(value, spec.unit);
}

/// Returns a size of sliders as it is in a presentation or else in the sidebar.
double large(const Ui& ui, double size) {
    return ui.is_large ? 1.5 * size : size;
}

/// Returns the device pixels for values beside their tracks, the same in all rows and for all values.
double number_width(const Ui& ui, const Rect& row) {
    constexpr double max_share = 0.56;
    return std::floor(std::min(static_cast<double>(ui.px(value_width)), max_share * row.width));
}

/// The places of a slider's track and of its value.
struct SliderParts {
    Rect track, number;
};

SliderParts parts_of(const Ui& ui, const Row& row) {
    const Rect& rect = row.rect();
    const double end = ui.px(large(ui, handle_radius) + 1);  // room for the handle at either end
    if (ui.is_large) {
        const double width = std::round(0.55 * rect.width), height = row.label_above();
        return {{rect.x + end, rect.y, rect.width - 2 * end, rect.height},
                {rect.right() - width, rect.y - height, width, height}};
    }
    const double beside = number_width(ui, rect);
    const Rect track{rect.x + end, rect.y, rect.width - beside - 2 * end, rect.height};
    return {track, {track.right() + end + ui.px(value_gap), track.y, beside - ui.px(value_gap), track.height}};
}

/// Draws the value in a box, without its unit if that does not fit.
void draw_number(const Ui& ui, const SliderSpec& spec, double value, const Rect& box) {
    const std::string whole = shown(spec, value);
    if (ui.is_large)
        return ui.fonts.draw(*ImGui::GetWindowDrawList(), {box.right(), box.centre().y}, whole,
                             {.size = large_value,
                              .color = ui.theme->text,
                              .weight = Weight::semibold,
                              .across = Align::end,
                              .down = Align::middle});
    const double room = box.width / ui.scale - 2 * value_padding;
    const bool fits = measure_text(whole, text_size, Weight::regular).width <= room + 0.5;
    const Rect text{box.x, box.y, box.width - ui.px(value_padding), box.height};
    text_in(ui, text, fits ? whole : fitted(ui, value == spec.named_value ? whole : readable(value), room + 0.5),
            spec.control.enabled ? ui.theme->text : ui.theme->text_faint, Align::end);
}

void draw_track(const Ui& ui, const SliderSpec& spec, const TrackScale& scale, const Rect& track, double value,
                bool hovered, bool held) {
    const Theme& theme = *ui.theme;
    const double line = std::max(1.0, std::round(ui.scale)),
                 thickness = std::max(2.0f, std::round(ui.px(large(ui, 4)))), middle = std::round(track.centre().y);
    const auto bar = [&](double from, double to, Color color) {
        fill(ui, {from, middle - std::floor(thickness / 2), to - from, thickness}, color, 2);
    };
    bar(track.x, track.right(), theme.control_active);
    // Signed ranges are filled from zero.
    const double zero = !spec.logarithmic && spec.min < 0 && spec.max > 0 ? scale.pixel(0) : track.x;
    const double at = std::round(scale.pixel(value));
    const Color color = spec.control.enabled ? theme.accent : theme.text_faint;
    bar(std::min(zero, at), std::max(zero, at), color);
    for (const double mark : spec.marks)
        if (mark >= spec.min && mark <= spec.max)
            fill(ui,
                 {std::round(scale.pixel(mark) - line / 2), middle + std::round(ui.px(6)), line, std::round(ui.px(3))},
                 theme.text_faint, 0);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 centre = compat::vector({at, middle});
    const double radius = large(ui, handle_radius) + (held || hovered ? 1 : 0);
    list.AddCircleFilled(centre, ui.px(radius), compat::color(color));
    list.AddCircleFilled(centre, ui.px(radius - large(ui, 3)), compat::color(theme.panel));
}

/// Labels a large track below: its ends, its marks and round values, in this order, as far as they fit.
void draw_track_labels(const Ui& ui, const SliderSpec& spec, const TrackScale& scale, const Rect& track) {
    constexpr double size = 11, below = 14, gap = 14, spacing = 90;  // logical pixels
    std::vector<double> values{spec.min, spec.max};
    values.insert(values.end(), spec.marks.begin(), spec.marks.end());
    const Axis axis{.low = spec.logarithmic && spec.min == 0 ? 1 : spec.min,
                    .high = spec.max,
                    .scale = spec.logarithmic ? AxisScale::logarithmic : AxisScale::linear};
    for (const Tick& tick : ticks(axis, track.width / ui.scale, spacing))
        if (!tick.label.empty()) values.push_back(tick.value);
    std::vector<std::pair<double, double>> taken;
    for (const double value : values) {
        if (!(value >= spec.min && value <= spec.max)) continue;
        const std::string label = value == spec.named_value ? std::string(spec.name) : readable(value);
        const double width = ui.px(measure_text(label, size, Weight::regular).width), room = ui.px(gap),
                     left =
                         std::clamp(scale.pixel(value) - width / 2, track.x, std::max(track.x, track.right() - width));
        if (std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
                return left < other.second + room && other.first < left + width + room;
            }))
            continue;
        taken.emplace_back(left, left + width);
        ui.fonts.draw(*ImGui::GetWindowDrawList(), {left, track.centre().y + ui.px(below)}, label,
                      {.size = size, .color = ui.theme->text_faint, .down = Align::start});
    }
}

/// Follows the mouse from a press on the track or the handle. Returns whether it is held.
bool drag(Ui& ui, const SliderSpec& spec, const TrackScale& scale, bool pressed, WidgetState& state, double& value) {
    Interaction& interaction = ui.interaction;
    const std::string id(spec.control.id);
    const double mouse = static_cast<double>(ImGui::GetIO().MousePos.x);
    if (pressed) {
        interaction.dragged_from = value;
        const double offset = mouse - scale.pixel(value);
        interaction.grab_offset = std::abs(offset) <= ui.px(grab_distance) ? offset : 0;
        interaction.dragged = id;
    }
    if (interaction.dragged != id) return false;
    if (!(ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left)) || interaction.editing == id) {
        interaction.dragged.clear();
        state.committed = value != interaction.dragged_from;
        return false;
    }
    // A press on the handle without movement changes nothing.
    const bool moved = !pressed && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1);
    if (moved || (pressed && interaction.grab_offset == 0))
        value = snapped(spec, scale, scale.on_track(mouse - interaction.grab_offset), ui.px(snap_distance));
    return true;
}

/// Edits the value as text. `example` is a number that may be typed.
void type_number(Ui& ui, const SliderSpec& spec, const Rect& rect, bool starts, double example, WidgetState& state,
                 double& value) {
    // Shows all digits, not the rounded value.
    const TextEdit edit = edit_text(ui, spec.control.id, rect, fmt::format("{}", value), {}, starts);
    state.held = edit.active || starts;
    if (!edit.done) return;
    if (const std::optional<double> typed = parse_number(edit.text)) {
        value = *typed;
        return;
    }
    const NumberKind kind = spec.integer ? NumberKind::whole : NumberKind::real;
    state.rejected =
        fmt::format("{} is '{}'; {}", spec.control.label, edit.text, wanted_number(edit.text, kind, example));
    refuse(ui, std::string(spec.control.id), state.rejected);
}

}  // namespace

WidgetState slider(Ui& ui, const SliderSpec& spec, double& value) {
    WidgetState state;
    Row row(ui, spec.control);
    const auto [track, number] = parts_of(ui, row);
    const TrackScale scale(spec, track);
    const double before = value;
    const auto place_of = [&](double of) {
        return of == spec.named_value && std::isfinite(spec.named_place) ? spec.named_place : of;
    };
    double place = place_of(value);

    row.item(ui.is_large ? Rect{row.rect().x, number.y, row.rect().width, row.rect().bottom() - number.y} : row.rect());
    const ImGuiIO& io = ImGui::GetIO();
    const bool hovered = ImGui::IsItemHovered(), over_number = hovered && number.contains(compat::point(io.MousePos));
    state.context = row.asks_for_menu();
    const bool pressed = ImGui::IsItemClicked(ImGuiMouseButton_Left);
    const bool is_wanted = ui.interaction.wants_editing == spec.control.id;
    if (is_wanted) ui.interaction.wants_editing.clear();
    bool starts_typing = is_wanted || (pressed && (over_number || io.KeyCtrl));
    const bool dragged = drag(ui, spec, scale, pressed && !starts_typing, state, place);

    if (row.label_double_clicked()) {
        value = spec.default_value, place = place_of(value);
        state.reset = true;
    }
    if (row.takes_keys() && !ImGui::IsAnyItemActive()) {
        for (const auto& [key, direction] : {std::pair{Key::left, -1}, {Key::right, 1}, {Key::down, -1}, {Key::up, 1}})
            if (const auto press = ui.take_key(key)) place = scale.stepped(place, direction, press->modifiers.shift);
        starts_typing = starts_typing || ui.take_shortcut(Key::enter, {});
    }

    if (place != place_of(value)) value = place == spec.named_place ? spec.named_value : place;

    // A single possible value, such as the layer of a model of one layer, is shown as text only.
    if (spec.max > spec.min || place != spec.min) {
        draw_track(ui, spec, scale, track, place, hovered && !over_number, dragged);
        if (ui.is_large) draw_track_labels(ui, spec, scale, track);
    }
    if (starts_typing || ui.interaction.editing == spec.control.id) {
        type_number(ui, spec, number, starts_typing, place, state, value);
    } else {
        if (over_number) {
            outline(ui, number, ui.theme->panel_border);
            ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
        }
        draw_number(ui, spec, value, number);
    }

    state.changed = value != before;
    state.held = state.held || dragged;
    state.committed = state.committed || (state.changed && !dragged);
    row.finish(shown(spec, value));
    return state;
}

}  // namespace ropewalk
