#include "app/figures/compared_curves.h"

#include <algorithm>
#include <cmath>

#include "app/figures/caption.h"
#include "core/error.h"
#include "core/settings.h"

namespace ropewalk {
namespace {

constexpr double ghost_share = 0.6, longest_dash = 8;

std::string title_of(const std::string& settings, const Experiment& experiment) {
    return caption_of(changed(experiment, settings), set_paths(settings));
}

/// Whether no eye could tell the curves apart.
bool coincide(const Decay& a, const Decay& b) {
    constexpr std::size_t looked_at = 1000;
    constexpr double invisible = 2e-3;  // of the curves' range
    if (a.first_distance != b.first_distance || a.mean.size() != b.mean.size() || a.mean.empty()) return false;
    ValueRange range{a.mean[0], a.mean[0]};
    double apart = 0;
    for (std::size_t i = 0; i < a.mean.size(); i += std::max<std::size_t>(1, a.mean.size() / looked_at)) {
        range = {std::min(range.least, a.mean[i]), std::max(range.greatest, a.mean[i])};
        apart = std::max(apart, std::abs(a.mean[i] - b.mean[i]));
    }
    return apart <= invisible * std::max(range.greatest - range.least, std::abs(range.greatest));
}

}  // namespace

std::vector<ComparedCurve> compared_curves(const FigureInput& input, const std::vector<std::string>& variants,
                                           const std::vector<std::string>& pins) {
    std::vector<ComparedCurve> known;
    const auto own = input.results.find(DecayQuestion{});
    std::size_t place = 0;  // each keeps its colour, whichever of the others are known
    const auto add = [&](ComparedCurve curve) {
        int twins = own && coincide(*own, *curve.answer) ? 1 : 0;
        if (curve.pin < 0)
            for (const ComparedCurve& other : known) twins += coincide(*other.answer, *curve.answer) ? 1 : 0;
        curve.stroke.color = input.theme.series[place % input.theme.series.size()];
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
        add({.title = title_of(settings, input.experiment()), .answer = answered->answer});
    }
    for (int i = 0; i < static_cast<int>(pins.size()); ++i) {
        ++place;
        const auto pin = input.results.find(PinnedDecayQuestion{pins[i]});
        if (!pin || !pin->curve.complaint.empty()) continue;
        const std::string differing = caption_of(pin->experiment, differing_paths(input.experiment(), pin->experiment));
        add({.title = differing.empty() ? "pinned, as the present" : differing,
             .answer = {pin, &pin->curve},
             .pin = i});
    }
    if (const auto ghost = input.ghost ? input.ghost->find(DecayQuestion{}) : nullptr)
        known.push_back({.answer = ghost,
                         .stroke = {.color = input.theme.faded(input.theme.text_faint, ghost_share), .width = 1.5}});
    if (const auto reference = input.reference ? input.reference->find(DecayQuestion{}) : nullptr)
        known.push_back({.title = input.reference_name, .answer = reference, .stroke = reference_stroke(input.theme)});
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

void draw_compared(const ComparedCurve& curve, const FigureInput& input, const Frame& frame, Canvas& canvas) {
    const Numbers mean = part_of(curve.answer, curve.answer->mean);
    draw_curve(input.memo.quick({*mean, static_cast<double>(curve.answer->first_distance)}, mean), curve.stroke, frame,
               canvas);
}

}  // namespace ropewalk
