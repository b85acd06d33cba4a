#include "app/figures/parts/curves/compared_curves.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "app/figures/parts/curves/place_of_encoding.h"
#include "app/figures/parts/curves/twins.h"
#include "app/figures/parts/text/caption.h"
#include "core/analysis/heads/decay.h"
#include "core/error.h"
#include "core/experiment/settings.h"

namespace ropewalk {
namespace {

std::string title_of(const std::string& settings, const FigureInput& input) {
    return caption_of(changed(input.experiment(), settings), set_paths(settings), setting_style(input.theme));
}

bool coincide(const ComparedCurve& one, const ComparedCurve& other) {
    return one.first_distance == other.first_distance && are_alike(*one.values, *other.values);
}

/// Returns the curve of a decay that `owner` keeps alive.
ComparedCurve curve_in(const std::shared_ptr<const void>& owner, const Decay& decay) {
    return {.values = SharedNumbers(owner, decay.mean), .first_distance = decay.first_distance};
}

/// Adds the curves that `find` returns for the state before the drag and for the reference.
template <class Find>
void add_ghost_and_reference(std::vector<ComparedCurve>& known, const FigureInput& input, Find&& find) {
    const auto add = [&](const Results* results, const std::string& title, const Stroke& stroke) {
        std::optional<ComparedCurve> curve = results ? find(*results) : std::nullopt;
        if (!curve) return;
        curve->title = title, curve->stroke = stroke;
        known.push_back(*std::move(curve));
    };
    add(input.ghost, "", ghost_stroke(input.theme));
    add(input.reference, input.reference_name, reference_stroke(input.theme));
}

/// Returns the encoding of a curve's head if it differs from the current one's.
std::optional<std::string> other_encoding(const std::string& settings, const Experiment& head) {
    try {
        std::string id = id_of(changed(head, settings).encoding);
        return id == id_of(head.encoding) ? std::nullopt : std::optional(std::move(id));
    } catch (const Error&) {
        return std::nullopt;  // invalid settings have no curve
    }
}

/// The theme's curve styles, each assigned once.
class Looks {
  public:
    bool is_free(std::size_t look) const { return !taken_[look]; }
    void take(std::size_t look) { taken_[look] = true; }
    void take_color_of(std::size_t look) {
        for (std::size_t other = 0; other < Theme::curves; ++other)
            if (is_of_same_color(look, other)) take(other);
    }

    /// Returns the next style from `first` whose colour is unused, or else the next unused style.
    std::size_t next(std::size_t first) const {
        for (const bool needs_color : {true, false})
            for (std::size_t tried = 0; tried < Theme::curves; ++tried)
                if (const std::size_t look = (first + tried) % Theme::curves;
                    needs_color ? is_color_free(look) : is_free(look))
                    return look;
        return first;
    }

    static bool is_of_same_color(std::size_t one, std::size_t other) {
        return Theme::series_of_curve(one) == Theme::series_of_curve(other);
    }

  private:
    bool is_color_free(std::size_t look) const {
        for (std::size_t other = 0; other < Theme::curves; ++other)
            if (taken_[other] && is_of_same_color(look, other)) return false;
        return true;
    }
    std::array<bool, Theme::curves> taken_{};
};

/// Indices of the theme's curve styles.
struct Given {
    std::vector<std::size_t> variants, pins;
};

/// Assigns a style to each variant and pin. A pin's style depends only on its place, so it never changes. A variant
/// with another encoding than the head's gets that encoding's style if it is the first to use it and no pin has its
/// colour. Every other variant gets the next free style, starting from its place.
Given looks_of(const Experiment& head, const std::vector<std::string>& variants, const std::vector<std::string>& pins) {
    Given given;
    Looks looks;
    looks.take(0);
    for (std::size_t place = 0; place < pins.size(); ++place) {
        given.pins.push_back(1 + place % (Theme::curves - 1));
        if (pins[place] != free_place) looks.take_color_of(given.pins.back());
    }
    std::vector<std::optional<std::size_t>> own;
    for (const std::string& settings : variants) {
        const auto id = other_encoding(settings, head);
        const std::size_t look = id ? place_of_encoding(*id, head) : 0;
        own.push_back(looks.is_free(look) ? std::optional(look) : std::nullopt);
        looks.take(look);
    }
    for (std::size_t place = 0; place < own.size(); ++place) {
        given.variants.push_back(own[place] ? *own[place] : looks.next((1 + place) % Theme::curves));
        looks.take(given.variants.back());
    }
    return given;
}

/// Returns the name of a pinned curve that equals the current one.
std::string name_of_alike(const FigureInput& input, const std::vector<std::string>& variants,
                          const std::vector<std::string>& pins) {
    const std::string own = name_beside(input, variants, pins);
    if (!own.empty()) return own + " (pinned)";
    if (input.is_before) return "pinned, same as before";
    return input.is_reference ? "pinned, same as the reference" : "pinned, same as current";
}

}  // namespace

std::size_t place_for_pin(const Experiment& head, const std::vector<std::string>& variants,
                          std::vector<std::string> pins) {
    const auto first_free = static_cast<std::size_t>(std::find(pins.begin(), pins.end(), free_place) - pins.begin());
    pins.resize(std::max(pins.size(), Theme::curves - 1), std::string(free_place));
    const auto [of_variants, of_pins] = looks_of(head, variants, pins);
    for (std::size_t place = first_free; place < pins.size(); ++place)
        if (pins[place] == free_place &&
            std::none_of(of_variants.begin(), of_variants.end(), [&, look = of_pins[place]](std::size_t other) {
                return Looks::is_of_same_color(look, other);
            }))
            return place;
    return first_free;
}

std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins) {
    std::vector<ComparedCurve> known;
    const Given looks = looks_of(input.experiment(), variants, pins);
    const auto add = [&](ComparedCurve curve, std::string title, std::size_t look) {
        curve.title = std::move(title);
        for (ComparedCurve& other : known)
            if (coincide(other, curve)) other.stroke.width += wider_per_twin;
        curve.stroke = input.theme.curve(look);
        known.push_back(std::move(curve));
    };
    for (std::size_t place = 0; place < variants.size(); ++place) {
        const std::string& settings = variants[place];
        const auto answer = input.results.find(DecayQuestion{.settings = settings});
        if (!answer || !answer->complaint.empty()) continue;
        if (changed(input.experiment(), settings) == input.experiment()) continue;
        add(curve_in(answer, *answer), title_of(settings, input), looks.variants[place]);
    }
    for (std::size_t place = 0; place < pins.size(); ++place) {
        const auto pin = input.results.find(PinnedDecayQuestion{.settings = pins[place]});
        if (!pin || !pin->curve.complaint.empty()) continue;
        const std::string differing = caption_of(pin->experiment, differing_paths(input.experiment(), pin->experiment),
                                                 setting_style(input.theme));
        ComparedCurve curve = curve_in(pin, pin->curve);
        curve.pin = static_cast<int>(place);
        add(std::move(curve), differing.empty() ? name_of_alike(input, variants, pins) : differing, looks.pins[place]);
    }
    if (const auto own = input.results.find(DecayQuestion{}))
        for (ComparedCurve& other : known)  // drawn below it
            if (coincide(other, curve_in(own, *own))) other.stroke.width += wider_per_twin;
    add_ghost_and_reference(known, input, [](const Results& results) {
        const auto answer = results.find(DecayQuestion{});
        return answer ? std::optional(curve_in(answer, *answer)) : std::nullopt;
    });
    return known;
}

SharedNumbers weights_by_distance(const std::shared_ptr<const AttentionRow>& row, const FigureInput& input) {
    return input.memo.reversed(SharedNumbers(row, row->weights), static_cast<std::size_t>(row->query) + 1);
}

std::vector<ComparedCurve> compared_rows(const FigureInput& input) {
    std::vector<ComparedCurve> known;
    const auto own = input.results.find(RowQuestion{});
    add_ghost_and_reference(known, input, [&](const Results& results) -> std::optional<ComparedCurve> {
        const auto row = results.find(RowQuestion{});
        if (!row || !own || row->query != own->query) return std::nullopt;
        return ComparedCurve{.values = weights_by_distance(row, input)};
    });
    return known;
}

std::string name_beside(const FigureInput& input, const std::vector<std::string>& variants,
                        const std::vector<std::string>& pins) {
    std::vector<std::string> paths;
    const auto add = [&](const std::vector<std::string>& more) { paths.insert(paths.end(), more.begin(), more.end()); };
    for (const std::string& settings : variants)
        if (const auto answer = input.results.find(DecayQuestion{.settings = settings});
            !answer || answer->complaint.empty())
            add(set_paths(settings));
    for (const std::string& settings : pins)
        if (const auto pin = input.results.find(PinnedDecayQuestion{.settings = settings});
            pin && pin->curve.complaint.empty())
            add(differing_paths(input.experiment(), pin->experiment));
    return caption_of(input.experiment(), paths, setting_style(input.theme));
}

Curve curve_of(const ComparedCurve& curve, const FigureInput& input) {
    return input.memo.quick({*curve.values, static_cast<double>(curve.first_distance)}, curve.values);
}

}  // namespace ropewalk
