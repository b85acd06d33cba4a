#include "app/figures/compared_curves.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/figures/caption.h"
#include "app/figures/encoding_color.h"
#include "core/analysis/decay.h"
#include "core/error.h"
#include "core/settings.h"

namespace ropewalk {
namespace {

constexpr double ghost_share = 0.6, longest_dash = 8;

std::string title_of(const std::string& settings, const Experiment& experiment) {
    return caption_of(changed(experiment, settings), set_paths(settings));
}

/// Whether no eye could tell the curves apart.
bool coincide(const ComparedCurve& one, const ComparedCurve& other) {
    constexpr std::size_t looked_at = 1000;
    constexpr double invisible = 2e-3;  // of the curves' range
    const std::vector<double>&a = *one.values, &b = *other.values;
    if (one.first_distance != other.first_distance || a.size() != b.size() || a.empty()) return false;
    ValueRange range{a[0], a[0]};
    double apart = 0;
    for (std::size_t i = 0; i < a.size(); i += std::max<std::size_t>(1, a.size() / looked_at)) {
        range = {std::min(range.least, a[i]), std::max(range.greatest, a[i])};
        apart = std::max(apart, std::abs(a[i] - b[i]));
    }
    return apart <= invisible * std::max(range.greatest - range.least, std::abs(range.greatest));
}

/// `decay` belongs to `owner`, which may be null.
std::optional<ComparedCurve> curve_in(const std::shared_ptr<const void>& owner, const Decay* decay) {
    if (!owner) return std::nullopt;
    return ComparedCurve{.values = part_of(owner, decay->mean), .first_distance = decay->first_distance};
}
std::optional<ComparedCurve> curve_in(const std::shared_ptr<const Decay>& decay) {
    return curve_in(decay, decay.get());
}

/// What `find` finds of the two.
template <class Find>
void add_ghost_and_reference(std::vector<ComparedCurve>& known, const FigureInput& input, Find&& find) {
    const auto add = [&](const Results* results, const char* title, const Stroke& stroke) {
        std::optional<ComparedCurve> curve = results ? find(*results) : std::nullopt;
        if (!curve) return;
        curve->title = title, curve->stroke = stroke;
        known.push_back(*std::move(curve));
    };
    add(input.ghost, "", {.color = input.theme.faded(input.theme.text_faint, ghost_share), .width = 1.5});
    add(input.reference, input.reference_name, reference_stroke(input.theme));
}

/// The encoding of a curve's head, if it is another than the present one's.
std::optional<std::string> other_encoding(const Experiment& from, const std::string& settings, const Experiment& head) {
    try {
        std::string id = id_of(changed(from, settings).encoding);
        return id == id_of(head.encoding) ? std::nullopt : std::optional(std::move(id));
    } catch (const Error&) {
        return std::nullopt;  // it has no curve
    }
}

/// A place in the theme's series for each variant and each pin: the encoding's own where that is another than the
/// head's, for the first that has it; the others each the next one that is free from that of their own place on.
std::vector<std::size_t> colors_of(const FigureInput& input, const std::vector<std::string>& variants,
                                   const std::vector<std::string>& pins) {
    const std::size_t count = input.theme.series.size();
    std::vector<std::optional<std::size_t>> found;
    std::vector<bool> taken(count, false);
    taken[0] = true;
    const auto add = [&](const Experiment& from, const std::string& settings) {
        const auto id = other_encoding(from, settings, input.experiment());
        const std::size_t color = id ? series_of_encoding(*id, input.experiment()) : 0;
        found.push_back(taken[color] ? std::nullopt : std::optional(color));
        taken[color] = true;
    };
    for (const std::string& settings : variants) add(input.experiment(), settings);
    for (const std::string& settings : pins) add({}, settings);
    std::vector<std::size_t> colors;
    for (std::size_t place = 1; place <= found.size(); ++place) {
        std::size_t color = place % count;
        if (const auto& own = found[place - 1]) {
            color = *own;
        } else {
            for (std::size_t tried = 0; tried < count && taken[color]; ++tried) color = (color + 1) % count;
            taken[color] = true;
        }
        colors.push_back(color);
    }
    return colors;
}

}  // namespace

std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins) {
    std::vector<ComparedCurve> known;
    const auto own = curve_in(input.results.find(DecayQuestion{}));
    const std::vector<std::size_t> colors = colors_of(input, variants, pins);
    std::size_t place = 0;  // each keeps its colour, whichever of the others are known
    const auto add = [&](ComparedCurve curve, std::string title) {
        curve.title = std::move(title);
        int twins = own && coincide(*own, curve) ? 1 : 0;
        if (curve.pin < 0)
            for (const ComparedCurve& other : known) twins += coincide(other, curve) ? 1 : 0;
        curve.stroke.color = input.theme.series[colors[place - 1]];
        curve.stroke.dash = twins > 0 ? longest_dash / twins : 0;
        known.push_back(std::move(curve));
    };
    const auto all = input.results.all_of<DecayQuestion>();
    for (const std::string& settings : variants) {
        ++place;
        const auto answered = std::find_if(all.begin(), all.end(), [&](const auto& candidate) {
            return candidate.question.settings == settings && candidate.answer->complaint.empty();
        });
        if (answered == all.end() || changed(input.experiment(), settings) == input.experiment()) continue;
        add(*curve_in(answered->answer), title_of(settings, input.experiment()));
    }
    for (int i = 0; i < static_cast<int>(pins.size()); ++i) {
        ++place;
        const auto pin = input.results.find(PinnedDecayQuestion{pins[i]});
        if (!pin || !pin->curve.complaint.empty()) continue;
        const std::string differing = caption_of(pin->experiment, differing_paths(input.experiment(), pin->experiment));
        ComparedCurve curve = *curve_in(pin, &pin->curve);
        curve.pin = i;
        add(std::move(curve), differing.empty() ? "pinned, as the present" : differing);
    }
    add_ghost_and_reference(known, input,
                            [](const Results& results) { return curve_in(results.find(DecayQuestion{})); });
    return known;
}

Numbers weights_by_distance(const std::shared_ptr<const AttentionRow>& row, const FigureInput& input) {
    return input.memo.turned(part_of(row, row->weights), static_cast<std::size_t>(row->query) + 1);
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
    for (const std::string& settings : variants) add(set_paths(settings));
    for (const std::string& settings : pins)
        if (const auto pin = input.results.find(PinnedDecayQuestion{settings}); pin && pin->curve.complaint.empty())
            add(differing_paths(input.experiment(), pin->experiment));
    return caption_of(input.experiment(), paths);
}

Curve curve_of(const ComparedCurve& curve, const FigureInput& input) {
    return input.memo.quick({*curve.values, static_cast<double>(curve.first_distance)}, curve.values);
}

}  // namespace ropewalk
