#include "app/window/controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/attention.h"
#include "core/fields_io.h"

namespace ropewalk {
namespace {

std::string range_text(const Field& field) {
    if (!std::isfinite(field.least) || !std::isfinite(field.greatest)) return {};
    return fmt::format("{} … {}{}{}", readable(field.least), readable(field.greatest), *field.unit ? " " : "",
                       field.unit);
}

/// The nearest fraction of whole pairs, nudged so that floor(p·d/2) gives just that many.
double whole_pairs(double fraction, int pairs) {
    const double count = std::round(fraction * pairs);
    double snapped = count / pairs;
    while (std::floor(snapped * 2 * pairs / 2) < count) snapped = std::nextafter(snapped, 2);
    return snapped;
}

/// Whether another seed gives other queries, keys or positions: by trying, on a few tokens, as this is asked in every
/// frame.
bool depends_on_seed(const Experiment& experiment) {
    Experiment few = experiment;
    few.seq_len = std::min(experiment.seq_len, 8);
    if (validate(few)) return true;
    const auto numbers_with = [&](std::int64_t seed) {
        few.seed = seed;
        const Problem problem = make_problem(few);
        const auto width = static_cast<std::size_t>(few.head_dim);
        std::vector<double> numbers;
        for (int token = 0; token < few.seq_len; ++token) {
            numbers.push_back(static_cast<double>(problem.position(token)));
            for (const RowSource* source : {&problem.inputs.q, &problem.inputs.k}) {
                numbers.resize(numbers.size() + width);
                source->read(token, std::span(numbers).last(width));
            }
        }
        return numbers;
    };
    return numbers_with(experiment.seed) != numbers_with(experiment.seed + 1);
}

/// Draws the widgets for the fields of one struct and gathers what happened to them.
class FieldControls {
  public:
    FieldControls(Ui& ui, Shape shape, std::string_view left_out = {}) : ui_(ui), shape_(shape), left_out_(left_out) {}

    template <class S>
    void draw(S& s, const std::string& prefix) {
        const S defaults{};
        std::vector<const void*> default_values;
        S::fields(defaults, [&](const Field&, const auto& value) { default_values.push_back(&value); });
        std::size_t at = 0;
        S::fields(s, [&](const Field& field, auto& value) {
            using T = std::remove_reference_t<decltype(value)>;
            draw_field(prefix + field.name, field, value, *static_cast<const T*>(default_values[at++]));
        });
    }

    const ControlsState& state() const { return state_; }

  private:
    template <class T>
    void draw_field(const std::string& path, const Field& field, T& value, const T& default_value) {
        if (!field.in_controls || path == left_out_) return;
        if (*field.section) section(ui_, field.section);
        const Control control{
            .id = path,
            .label = field.label,
            .help = {.title = field.label, .text = field.help, .range = range_text(field), .source = field.source}};
        if constexpr (Choice<T>)
            draw_choice(control, path, value);
        else if constexpr (Group<T>)
            draw(value, path + ".");
        else if constexpr (std::is_same_v<T, bool>)
            note_state(checkbox(ui_, control, value, default_value));
        else if constexpr (std::is_arithmetic_v<T>)
            draw_number(control, field, value, default_value);
        else if constexpr (NamedEnum<T>)
            draw_enum(control, value, default_value);
        else
            draw_text(control, field, value);
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
        spec.least = std::isnan(field.slider_least) ? field.least : field.slider_least;
        spec.greatest = std::isnan(field.slider_greatest) ? field.greatest : field.slider_greatest;
        const WidgetState widget = slider(ui_, spec, number);
        note_state(widget);
        if (!widget.changed) return;
        if (field.of_pairs && number >= 0 && number <= 1) number = whole_pairs(number, shape_.pairs());
        if constexpr (std::is_integral_v<T>) {
            if (std::abs(number) > 0x1p53 || number != static_cast<double>(static_cast<T>(number)))
                return reject(fmt::format("{} must be a whole number", field.label));
        }
        if (auto sentence = check_leaf(field.label, field, static_cast<T>(number))) return reject(*sentence);
        value = static_cast<T>(number);
    }

    template <class T>
    void draw_enum(const Control& control, T& value, T default_value) {
        std::vector<Entry> entries;
        std::size_t letters = 0;
        for (const EnumName& name : EnumText<T>::names)
            entries.push_back({name.title}), letters += std::string_view(name.title).size();
        int chosen = static_cast<int>(value);
        const bool fits = entries.size() <= 4 && letters <= 26;
        note_state(fits ? segmented(ui_, control, entries, chosen, static_cast<int>(default_value))
                        : combo(ui_, control, entries, chosen, static_cast<int>(default_value)));
        value = static_cast<T>(chosen);
    }

    template <class T>
    void draw_choice(const Control& control, const std::string& path, T& value) {
        std::vector<Entry> entries;
        std::vector<const char*> ids;
        for_each_alternative<T>([&](const auto& alternative) {
            entries.push_back({alternative.title, alternative.summary}), ids.push_back(alternative.id);
        });
        int chosen = static_cast<int>(value.index());
        note_state(combo(ui_, control, entries, chosen));
        if (chosen != static_cast<int>(value.index())) choose(value, ids[static_cast<std::size_t>(chosen)]);
        std::visit(
            [&](auto& alternative) {
                note(ui_, alternative.summary);
                draw(alternative, path + ".");
                if constexpr (requires { alternative.note(shape_); }) note(ui_, alternative.note(shape_));
            },
            value);
    }

    /// Lists of numbers, texts and names of files.
    template <class T>
    void draw_text(const Control& control, const Field& field, T& value) {
        std::string text = shown_text(value);
        const WidgetState widget = text_input(ui_, control, text);
        note_state(widget);
        if (!widget.committed || text == shown_text(value)) return;
        T parsed = value;
        try {
            if (auto expected = parse_leaf(text, parsed))
                return reject(fmt::format("{} must be {}", field.label, *expected));
            if constexpr (std::is_same_v<T, ArrayFile>) load(parsed, {.reach = FileAccess::Reach::anywhere});
        } catch (const Error& error) {
            return reject(error.what());
        }
        if (auto sentence = check_leaf(field.label, field, parsed)) return reject(*sentence);
        value = parsed;
        state_.changed = true;
    }
    static std::string shown_text(const std::vector<double>& values) { return text_of(values); }
    static std::string shown_text(const ArrayFile& file) { return file.path; }
    static std::string shown_text(const std::string& text) { return text; }

    void note_state(const WidgetState& widget) {
        state_.changed |= widget.changed;
        state_.held |= widget.held;
        if (!widget.rejected.empty()) reject(widget.rejected);
    }
    void reject(std::string sentence) { state_.rejected = std::move(sentence); }

    Ui& ui_;
    Shape shape_;
    std::string_view left_out_;  // path of a field that has no say at the moment
    ControlsState state_;
};

}  // namespace

ControlsState experiment_controls(Ui& ui, Experiment& experiment) {
    FieldControls controls(ui, experiment.shape(), depends_on_seed(experiment) ? "" : "seed");
    controls.draw(experiment, "");
    return controls.state();
}

bool has_controls(const Figure& figure) {
    bool any = false;
    std::visit(
        [&](const auto& f) {
            walk_fields(f, [&](const auto&, const Field& field, const auto&) { any |= field.in_controls; });
        },
        figure);
    return any;
}

ControlsState figure_controls(Ui& ui, Figure& figure) {
    FieldControls controls(ui, {});
    std::visit([&](auto& f) { controls.draw(f, std::string(f.id) + "."); }, figure);
    return controls.state();
}

}  // namespace ropewalk
