#include "app/window/widgets/settings_editor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/figures/parts/text/caption.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/field_words.h"
#include "app/window/widgets/row.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

/// A field that a curve may set, and what may be chosen for it.
struct SettableField {
    std::string path, label, value;
    std::vector<std::string> ids, titles;  // empty for a number
};

/// Returns the fields of a head with a single value.
std::vector<SettableField> settable_fields(const Experiment& head) {
    std::vector<SettableField> all;
    walk_controls(head, [&](const std::string& path, const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        SettableField settable{path, field.label, {}, {}, {}};
        if constexpr (std::derived_from<T, ConstChoiceRef>)
            for (const auto& each : value.alternatives())
                settable.ids.emplace_back(each.id), settable.titles.emplace_back(each.title);
        else if constexpr (std::is_same_v<T, EnumRef>)
            for (const EnumName& each : value.names())
                settable.ids.emplace_back(each.id), settable.titles.emplace_back(each.title);
        else if constexpr (!std::is_arithmetic_v<T> || std::is_same_v<T, bool>)
            return;
        settable.value = text_of(value);
        all.push_back(std::move(settable));
    });
    return all;
}

std::vector<Entry> entries_with(const std::vector<std::string>& titles) {
    std::vector<Entry> entries;
    for (const std::string& title : titles) entries.push_back({title});
    return entries;
}

/// Returns the head with these settings, or without them if they cannot be applied.
Experiment with_settings(const Experiment& head, const Settings& settings) {
    try {
        return changed(head, in_one_line(settings));
    } catch (const Error&) {
        return head;
    }
}

/// One setting of a curve while it is drawn.
class SettingRows {
  public:
    SettingRows(Ui& ui, std::string id, const Experiment& head)
        : ui_(ui), id_(std::move(id)), head_(head), fields_(settable_fields(head)) {}

    /// Draws the lists for the field and for its value.
    void draw(std::string_view label, std::string& setting, WidgetState& state) {
        const auto equals = std::min(setting.find('='), setting.size());
        const std::string path = setting.substr(0, equals),
                          value = equals < setting.size() ? setting.substr(equals + 1) : "";
        int chosen = index_of(path);
        std::vector<std::string> labels;
        for (const SettableField& field : fields_) labels.push_back(field.label);
        if (chosen < 0) labels.push_back(path), chosen = static_cast<int>(labels.size()) - 1;
        const std::string field_id = id_ + ".field";
        const WidgetState list = combo(ui_, {.id = field_id, .label = label}, entries_with(labels), chosen);
        state.held |= list.held;
        if (list.changed && chosen < static_cast<int>(fields_.size())) {
            const SettableField& field = fields_[static_cast<std::size_t>(chosen)];
            setting = fmt::format("{}={}", field.path, field.value);
            state.changed = state.committed = true;
        } else if (const int at = index_of(path); at >= 0) {
            draw_value(fields_[static_cast<std::size_t>(at)], value, setting, state);
        }
    }

  private:
    int index_of(const std::string& path) const {
        const auto found =
            std::find_if(fields_.begin(), fields_.end(), [&](const SettableField& each) { return each.path == path; });
        return found == fields_.end() ? -1 : static_cast<int>(found - fields_.begin());
    }

    void draw_value(const SettableField& field, const std::string& value, std::string& setting, WidgetState& state) {
        const std::string id = id_ + ".value";
        const Control control{.id = id, .label = "is"};
        if (field.ids.empty()) {
            std::string text = value;
            const WidgetState typed = text_input(ui_, control, text);
            state.held |= typed.held;
            if (typed.committed && text != value) take(field, text, setting, state);
            return;
        }
        int chosen = static_cast<int>(std::find(field.ids.begin(), field.ids.end(), value) - field.ids.begin());
        const WidgetState list = combo(ui_, control, entries_with(field.titles), chosen);
        state.held |= list.held;
        if (list.changed && chosen < static_cast<int>(field.ids.size()))
            setting = fmt::format("{}={}", field.path, field.ids[static_cast<std::size_t>(chosen)]),
            state.changed = state.committed = true;
    }

    /// Takes a typed value, or shows why it is not acceptable.
    void take(const SettableField& field, const std::string& text, std::string& setting, WidgetState& state) {
        const auto named = fields_named_by(fmt::format("{}={}", field.path, text), head_);
        if (text.empty() || named.empty())
            return refuse(ui_, id_ + ".value", text.empty() ? "Type a value." : "This is too long for a value.");
        if (named.front().setting.empty()) return refuse(ui_, id_ + ".value", named.front().complaint);
        setting = named.front().setting;
        state.changed = state.committed = true;
    }

    Ui& ui_;
    std::string id_;
    const Experiment& head_;
    std::vector<SettableField> fields_;
};

/// Returns the settings of a further curve: another base if there is one, else another encoding.
std::string next_curve(const Experiment& head) {
    const auto base = number_at(head, "encoding.base");
    return base ? fmt::format("encoding.base={}", text_of(*base == 500 ? 10000 : 500)) : "encoding=nope";
}

std::string joined_curves(const std::vector<std::string>& curves) {
    return fmt::format("{}", fmt::join(curves, " | "));
}

/// Draws one curve. Returns whether it was removed.
bool draw_curve(Ui& ui, const std::string& id, std::size_t number, const Experiment& head, std::string& curve,
                WidgetState& state) {
    Settings settings = settings_in(curve);
    for (std::size_t i = 0; i < settings.size(); ++i) {
        const Settings earlier(settings.begin(), settings.begin() + static_cast<std::ptrdiff_t>(i));
        const Experiment before = with_settings(head, earlier);
        SettingRows rows(ui, fmt::format("{}.{}", id, i), before);
        rows.draw(i == 0 ? fmt::format("Curve {}", number) : "and", settings[i], state);
    }
    const std::string remove_id = id + ".remove", add_id = id + ".and";
    const bool is_removed = button(ui, {.id = remove_id, .label = "Remove"}, ButtonLook::quiet);
    ImGui::SameLine();
    if (button(
            ui,
            {.id = add_id, .label = "And …", .help = {.title = "And …", .text = "Set a second field of this curve."}},
            ButtonLook::quiet))
        settings.push_back("seq_len=" + text_of(head.seq_len)), state.changed = state.committed = true;
    curve = in_one_line(settings);
    return is_removed;
}

}  // namespace

WidgetState settings_editor(Ui& ui, const Control& control, const Experiment& head, std::string& settings) {
    WidgetState state;
    std::vector<std::string> curves = parts_outside_quotes(settings, '|');
    std::optional<std::size_t> removed;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const std::string id = fmt::format("{}.{}", control.id, i);
        if (draw_curve(ui, id, i + 1, head, curves[i], state)) removed = i;
    }
    const std::string add_id = fmt::format("{}.add", control.id);
    const bool is_added = button(ui, {.id = add_id, .label = "Add a curve", .help = control.help});
    if (removed) curves.erase(curves.begin() + static_cast<std::ptrdiff_t>(*removed));
    if (is_added) curves.push_back(next_curve(head));
    if (removed || is_added) state.changed = state.committed = true;
    if (state.changed) settings = joined_curves(curves);
    return state;
}

}  // namespace ropewalk
