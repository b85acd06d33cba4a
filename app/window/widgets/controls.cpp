#include "app/window/widgets/controls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "app/figures/page/sweep.h"
#include "app/figures/parts/text/caption.h"
#include "app/window/widgets/list_text.h"
#include "app/window/widgets/settings_editor.h"
#include "core/attention/attention.h"
#include "core/experiment/settings.h"
#include "core/fields/item_list.h"

namespace ropewalk {
namespace {

std::string range_text(const Field& field) {
    const double max = field.ends_at_slider ? field.slider_max : field.max;
    if (!std::isfinite(field.min) || !std::isfinite(max)) return {};
    const std::string min_means = *field.min_means ? fmt::format(" ({})", field.min_means) : "";
    return fmt::format("{}{} … {}{}{}", readable(field.min), min_means, readable(max), *field.unit ? " " : "",
                       field.unit);
}

/// Draws the widgets for the fields of a struct and collects what happened to them.
class FieldControls {
  public:
    /// Returns the note below a choice's fields; may be empty.
    using Note = std::function<std::string(std::string_view path)>;

    /// Returns whether a field currently applies.
    using Shown = std::function<bool(std::string_view path)>;

    enum class Headings { shown, omitted };

    FieldControls(Ui& ui, Shape shape, Note note = {}, Shown shown = {}, Headings headings = Headings::shown)
        : ui_(ui), shape_(shape), note_(std::move(note)), shown_(std::move(shown)), headings_(headings) {}

    /// `usual` holds the values that the fields are reset to.
    void draw(const GroupRef& group, const std::string& prefix, const ConstGroupRef& usual) {
        const auto defaults = usual.list();
        std::size_t at = 0;
        group.for_each([&](const Field& field, auto& value) {
            draw_field(prefix + field.name, field, value, defaults[at++].value);
        });
    }

    /// Sets the head on which settings are checked. It must outlive the controls.
    void try_settings_on(const Experiment& head) { head_ = &head; }

    const ControlsState& state() const { return state_; }

  private:
    template <class T>
    void draw_field(const std::string& path, const Field& field, T& value, const FieldValue& default_value) {
        if (!field.in_controls) return;
        if constexpr (std::is_same_v<T, GroupRef>) {
            draw(value, path + ".", std::get<GroupRef>(default_value));
        } else {
            const bool is_shown = !shown_ || shown_(path);
            if (is_shown && *field.section && headings_ == Headings::shown) section(ui_, field.section);
            if (is_shown) draw_widget(path, field, value, default_value);
            if constexpr (std::is_same_v<T, ChoiceRef>) draw_alternative(path, value, is_shown);
        }
    }

    template <class T>
    void draw_widget(const std::string& path, const Field& field, T& value, const FieldValue& default_value) {
        const bool is_under_model = path == path_of_training_encoding;  // whose heading does not name it
        const Control control{
            .id = path,
            .label = field.label,
            .help = {.title = field.label, .text = field.help, .range = range_text(field), .source = field.source},
            .hides_label = std::is_same_v<T, ChoiceRef> && headings_ == Headings::omitted && !is_under_model};
        if constexpr (std::is_same_v<T, ChoiceRef>)
            draw_choice(control, value);
        else if constexpr (std::is_same_v<T, bool>)
            note_state(control, checkbox(ui_, control, value, *std::get<bool*>(default_value)));
        else if constexpr (std::is_arithmetic_v<T>)
            draw_number(control, field, value, *std::get<T*>(default_value));
        else if constexpr (std::is_same_v<T, EnumRef>)
            draw_enum(control, value, std::get<EnumRef>(default_value).value());
        else if (field.items)
            draw_items(control, field, value);
        else
            draw_text(control, field, value);
    }

    /// Draws the fields of every item of a list, which can be removed, and a button that adds one.
    template <class T>
    void draw_items(const Control& control, const Field& field, T& text) {
        if constexpr (std::is_same_v<T, std::string>) {
            const GroupType& type = field.items();
            std::vector<ListItem> items = items_in(text, type);
            std::optional<std::size_t> removed;
            FieldControls of_items(ui_, shape_);
            for (std::size_t i = 0; i < items.size(); ++i) {
                const std::string id = fmt::format("{}.{}", control.id, i), remove_id = id + ".remove";
                note(ui_, fmt::format("{} · {}", field.label, i + 1));
                of_items.draw(items[i].fields, id + ".", defaults_of(type));
                if (button(ui_, {.id = remove_id, .label = "Remove"}, ButtonLook::quiet)) removed = i;
            }
            const std::string add_id = fmt::format("{}.add", control.id), label = fmt::format("Add to {}", field.label);
            if (button(ui_, {.id = add_id, .label = label, .help = control.help})) items.push_back(new_item(type));
            if (removed) items.erase(items.begin() + static_cast<std::ptrdiff_t>(*removed));
            state_.include(of_items.state());
            std::string changed = text_of_items(items);
            if (changed != text) text = std::move(changed), state_.touched = control.id;
        }
    }

    template <class T>
    void draw_number(const Control& control, const Field& field, T& value, T default_value) {
        double number = static_cast<double>(value);
        SliderSpec spec{.control = control,
                        .unit = field.unit,
                        .logarithmic = field.logarithmic,
                        .integer = std::is_integral_v<T>,
                        .step = field.step,
                        .marks = field.marks,
                        .default_value = static_cast<double>(default_value)};
        if (*field.min_means)
            spec.named_value = field.min, spec.name = field.min_means, spec.named_place = field.min_stands_for;
        const ValueRange range =
            slider_range(field, std::is_integral_v<T> ? NumberKind::whole : NumberKind::real, shape_);
        spec.min = range.min, spec.max = range.max;
        if (!std::is_integral_v<T> && field.of_pairs)
            spec.snapped = [this](double fraction) { return shape_.snapped(fraction); };
        const WidgetState widget = slider(ui_, spec, number);
        note_state(control, widget);
        if (!widget.changed) return;
        if (field.of_pairs && !std::is_integral_v<T>) number = rounded_to_pairs(field, number);
        std::optional<std::string> sentence;
        if constexpr (std::is_integral_v<T>)
            sentence = check_whole(field.label, field, number);
        else
            sentence = check_leaf(field.label, field, number);
        if (sentence) return reject(control, *sentence);
        value = static_cast<T>(number);
    }

    /// Returns the fraction of whole pairs, and notes if it differs visibly from the typed one.
    double rounded_to_pairs(const Field& field, double typed) {
        const double fraction = shape_.snapped(typed);
        if (readable(fraction) != readable(typed))
            state_.rounded =
                fmt::format("{} was rounded to {}, a whole number of pairs.", field.label, readable(fraction));
        return fraction;
    }

    void draw_enum(const Control& control, EnumRef& value, int default_value) {
        std::vector<Entry> entries;
        std::size_t letters = 0;
        for (const EnumName& name : value.names())
            entries.push_back({name.title}), letters += std::string_view(name.title).size();
        int chosen = value.value();
        constexpr std::size_t around = 3, room = 34;  // letters
        const bool fits = letters + around * entries.size() <= room;
        note_state(control, fits ? segmented(ui_, control, entries, chosen, default_value)
                                 : combo(ui_, control, entries, chosen, default_value));
        value.set(chosen);
    }

    void draw_choice(const Control& control, const ChoiceRef& choice) {
        int chosen = static_cast<int>(choice.index());
        note_state(control, combo(ui_, control, entries_of(choice), chosen));
        if (chosen != static_cast<int>(choice.index())) choice.choose(static_cast<std::size_t>(chosen));
        note(ui_, choice.in_force().summary);
    }

    void draw_alternative(const std::string& path, const ChoiceRef& choice, bool has_note) {
        draw(choice.fields(), path + ".", defaults_of(choice.fields().type()));
        if (const std::string line = note_ && has_note ? note_(path) : ""; !line.empty())
            note(ui_, with_readable_numbers(line));
    }

    /// Draws lists of numbers, texts and file names.
    template <class T>
    void draw_text(const Control& control, const Field& field, T& value) {
        std::string text = shown_text(value);
        if (field.of_settings && head_) section(ui_, field.label);
        const WidgetState widget = field.of_settings && head_ ? settings_editor(ui_, control, *head_, text)
                                                              : text_input(ui_, control, text, {}, text_at_rest(value),
                                                                           field.meaning == Meaning::prose);
        note_state(control, widget);
        if constexpr (std::is_same_v<T, std::string>)
            if (field.of_settings && head_) complain_of_settings(value);
        bool is_unread = false;  // because the session was recovered without the file
        if constexpr (FileLeaf<T>) is_unread = !value.path.empty() && !value.content;
        if (!widget.changed || (text == shown_text(value) && !is_unread)) return;
        const auto refuse = [&](const std::string& sentence) {
            if (widget.committed) reject(control, sentence);  // else it is still being typed
        };
        T parsed = value;
        try {
            if (auto expected = parse_leaf(text, parsed))
                return refuse(fmt::format("{} must be {}", field.label, *expected));
            if constexpr (FileLeaf<T>) load(parsed, {.reach = FileAccess::Reach::anywhere});
        } catch (const Error& error) {
            return refuse(error.what());
        }
        if constexpr (std::is_same_v<T, std::vector<double>>) parsed = with_digits_of(value, std::move(parsed));
        if (auto sentence = check_leaf(field.label, field, parsed)) return refuse(*sentence);
        value = parsed;
        state_.touched = control.id;
    }
    void complain_of_settings(const std::string& settings) {
        const auto complaints = ui_.complaints.get({*head_, settings}, [&] {
            std::vector<std::string> sentences;
            for (const std::string& part : parts_outside_quotes(settings, '|')) try {
                    changed(*head_, part);
                } catch (const Error& error) {
                    sentences.push_back(with_readable_numbers(error.what()));
                }
            return sentences;
        });
        for (const std::string& sentence : *complaints) complaint(ui_, sentence);
    }
    static std::string text_at_rest(const std::vector<double>& values) { return list_at_rest(values); }
    template <class T>
    static std::string text_at_rest(const T& value) {
        return shown_text(value);
    }
    static std::string shown_text(const std::vector<double>& values) { return shown_list(values); }
    static std::string shown_text(const FileLeaf auto& file) { return file.path; }
    static std::string shown_text(const std::string& text) { return text; }

    void note_state(const Control& control, const WidgetState& widget) {
        if (widget.changed) state_.touched = control.id;
        if (widget.context) state_.context = control.id;
        state_.held |= widget.held;
        if (!widget.rejected.empty()) reject(control, widget.rejected);
    }
    void reject(const Control& control, std::string sentence) {
        sentence = with_readable_numbers(sentence);
        refuse(ui_, control.id, sentence);
        state_.touched = control.id;
        state_.rejected = std::move(sentence);
    }

    Ui& ui_;
    Shape shape_;
    Note note_;
    Shown shown_;
    Headings headings_;
    const Experiment* head_ = nullptr;
    ControlsState state_;
};

/// A group of controls with one heading.
struct ControlGroup {
    std::string title;
    std::vector<std::string> paths, labels;
};

/// Returns the groups of an experiment's controls: its sections, and "More". Those of a recipe come first, then the
/// head that is shown. Its encoding comes late: training does not depend on it.
std::vector<ControlGroup> groups_of(const Experiment& experiment) {
    std::vector<ControlGroup> groups;
    ControlGroup more{.title = "More", .paths = {}, .labels = {}};
    walk_controls(experiment, [&](const std::string& path, const Field& field, const auto&) {
        if (path == "seed" && !depends_on_seed(experiment)) return;
        if (*field.section) groups.push_back({.title = field.section, .paths = {}, .labels = {}});
        ControlGroup& group = field.advanced ? more : groups.back();
        group.paths.push_back(path);
        group.labels.emplace_back(field.label);
    });
    if (trained_head_of(experiment.construction)) {
        const auto is_of = [](std::string_view prefix) {
            return [prefix](const ControlGroup& group) {
                return !group.paths.empty() && group.paths.front().starts_with(prefix);
            };
        };
        for (const std::string_view first : {std::string_view("construction"), path_of_recipe})
            std::stable_partition(groups.begin(), groups.end(), is_of(first));
        const auto encoding = std::find_if(groups.begin(), groups.end(), is_of("encoding"));
        encoding->title = "Encoding after training";
        std::rotate(encoding, encoding + 1, groups.end());
    }
    groups.push_back(std::move(more));
    return groups;
}

/// Returns what a folded group's heading says: the values of those of its fields that are among the `unusual` paths, or
/// else of its first ones.
std::string hint_of(const ControlGroup& group, const Experiment& experiment, std::span<const std::string> unusual) {
    std::vector<std::string> paths;
    for (const std::string& path : unusual)
        if (std::find(group.paths.begin(), group.paths.end(), path) != group.paths.end()) paths.push_back(path);
    return caption_of(experiment, paths.empty() ? group.paths : paths);
}

std::optional<std::string> usual_text_in(const ConstGroupRef& group, const ConstGroupRef& usual, std::string_view path,
                                         const std::string& prefix) {
    std::optional<std::string> text;
    const std::vector<FieldRef> defaults = usual.list();
    std::size_t at = 0;
    group.for_each([&](const Field& field, const auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        FieldValue usual_value = defaults[at++].value;
        const std::string own = prefix + field.name;
        if (own == path) {
            visit_value(usual_value, [&](const auto& leaf) {
                if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(leaf)>, GroupRef>) text = text_of(leaf);
            });
        } else if (path.starts_with(own + ".")) {
            if constexpr (std::is_same_v<T, ConstGroupRef>)
                text = usual_text_in(value, std::get<GroupRef>(usual_value), path, own + ".");
            else if constexpr (std::is_same_v<T, ConstChoiceRef>)
                text = usual_text_in(value.fields(), defaults_of(value.fields().type()), path, own + ".");
        }
    });
    return text;
}

ControlsState drawn_controls(Ui& ui, Experiment& experiment, const std::function<bool(std::string_view path)>& shown) {
    const auto note = [&](std::string_view path) -> std::string {
        const auto note_in_range = [&](const auto& value) {  // a note may divide by what is out of range
            return check_fields(ConstChoiceRef(value).fields()) ? std::string() : note_of(value, experiment.shape());
        };
        if (path == "encoding") return note_in_range(experiment.encoding);
        if (path == "construction") return note_in_range(experiment.construction);
        const auto trained = trained_head_of(experiment.construction);
        if (path != path_of_training_encoding || !trained) return {};
        return note_of(trained->recipe.encoding, trained->recipe.shape(trained->recipe.context));
    };
    FieldControls controls(ui, experiment.shape(), note, shown, FieldControls::Headings::omitted);
    controls.draw(experiment, "", Experiment{});
    return controls.state();
}

}  // namespace

void ControlsState::include(const ControlsState& other) {
    held |= other.held;
    for (std::string ControlsState::*text :
         {&ControlsState::touched, &ControlsState::rejected, &ControlsState::rounded, &ControlsState::context})
        if (!(other.*text).empty()) this->*text = other.*text;
}

std::vector<Entry> entries_of(const ConstChoiceRef& choice) {
    std::vector<Entry> entries;
    for (const ChoiceType::Alternative& alternative : choice.alternatives())
        entries.push_back({alternative.title, alternative.summary});
    return entries;
}

bool Folds::heading(Ui& ui, std::string_view title, std::string_view hint, bool is_revealed) {
    std::vector<std::string> titles = parts_outside_quotes(titles_, ',');
    const auto found = std::find(titles.begin(), titles.end(), title);
    const bool was_open = found == titles.end();
    const bool is_open = folding_section(ui, title, hint, was_open || is_revealed);
    if (is_revealed && !was_open) return true;  // it stays open while a lesson needs it, whatever is clicked
    if (is_open == was_open) return is_open;
    if (was_open)
        titles.emplace_back(title);
    else
        titles.erase(found);
    titles_ = fmt::format("{}", fmt::join(titles, ", "));
    return is_open;
}

ControlsState experiment_controls(Ui& ui, Experiment& experiment, Folds folds, std::span<const std::string> revealed) {
    ControlsState all;
    const std::vector<std::string> unusual = differing_paths({}, experiment);
    for (const ControlGroup& group : groups_of(experiment)) {
        const auto has = [&](std::string_view path) {
            return std::find(group.paths.begin(), group.paths.end(), path) != group.paths.end();
        };
        if (!folds.heading(ui, group.title, hint_of(group, experiment, unusual),
                           std::any_of(revealed.begin(), revealed.end(), has)))
            continue;
        const ControlsState state = drawn_controls(ui, experiment, has);
        all.include(state);
    }
    return all;
}

std::optional<std::string> usual_text(const Experiment& experiment, std::string_view path) {
    return usual_text_in(experiment, Experiment{}, path, "");
}

ControlsState experiment_control(Ui& ui, Experiment& experiment, std::string_view path) {
    return drawn_controls(ui, experiment, [&](std::string_view each) { return each == path; });
}

bool has_controls(const Figure& figure) {
    bool any = false;
    walk_fields(ConstChoiceRef(figure).fields(),
                [&](const auto&, const Field& field, const auto&) { any |= field.in_controls; });
    return any;
}

ControlsState group_controls(Ui& ui, const GroupRef& group, const ConstGroupRef& usual, const std::string& prefix,
                             const std::function<bool(std::string_view path)>& shown) {
    FieldControls controls(ui, {}, {}, shown);
    controls.draw(group, prefix, usual);
    return controls.state();
}

ControlsState figure_controls(Ui& ui, Figure& figure, const Experiment& experiment, const std::string& prefix) {
    FieldControls controls(ui, experiment.shape());
    controls.try_settings_on(experiment);
    const GroupRef fields = ChoiceRef(figure).fields();
    controls.draw(fields, prefix, defaults_of(fields.type()));
    return controls.state();
}

}  // namespace ropewalk
