#include "core/constructions/construction.h"

#include <algorithm>
#include <utility>

#include "core/constructions/construction_list.h"
#include "core/fields/indirect-inl.h"
#include "core/visit.h"

namespace ropewalk {
namespace {

/// Whether its rows follow from the shape alone, whatever the encoding: then a change of the encoding keeps them.
template <class C>
constexpr bool builds_from_shape = requires(const C construction, const Shape& shape) {
    construction.build(shape);
};

}  // namespace

template class Indirect<ConstructionVariant>;
template const ChoiceType& choice_type<Construction>();

bool ignores_encoding(const Construction& construction) {
    return visit_alternative(
        []<class C>(const C& alternative) {
            if constexpr (requires { alternative.ignores_encoding(); })
                return alternative.ignores_encoding();
            else
                return builds_from_shape<C>;
        },
        *construction);
}

bool needs_stated_pairing(const Construction& construction) {
    return visit_alternative([](const auto& alternative) { return alternative.needs_stated_pairing; }, *construction);
}

Construction construction_of(BandLists bands) {
    Bands made;
    made.amplitudes = std::move(bands.amplitudes);
    made.phases = std::move(bands.phases);
    return made;
}

std::optional<BandLists> bands_of(const Construction& construction) {
    const auto* const bands = std::get_if<Bands>(&*construction);
    return bands ? std::optional(BandLists{bands->amplitudes, bands->phases}) : std::nullopt;
}

Construction construction_of(ArrayPair arrays) {
    Arrays made;
    if (arrays.q.content) made.layer = arrays.q.content->first_layer();
    made.q = std::move(arrays.q);
    made.k = std::move(arrays.k);
    return made;
}

std::optional<ArrayPair> arrays_of(const Construction& construction) {
    const auto* const arrays = std::get_if<Arrays>(&*construction);
    return arrays ? std::optional(ArrayPair{arrays->q, arrays->k}) : std::nullopt;
}

std::optional<LearnedHead> learned_head_of(const Construction& construction) {
    const auto* const learned = std::get_if<ModelHead>(&*construction);
    auto model = learned ? learned->known_model() : nullptr;
    if (!model) return std::nullopt;
    return LearnedHead{std::move(model), learned->layer, learned->head, learned->token_count()};
}

std::optional<TrainedHead> trained_head_of(const Construction& construction) {
    const auto* const learned = std::get_if<ModelHead>(&*construction);
    if (!learned || !learned->is_trained() || validate(learned->recipe)) return std::nullopt;
    return TrainedHead{learned->recipe, learned->step};
}

Construction construction_of(TrainedHead trained, const Construction& like) {
    const auto* const learned = std::get_if<ModelHead>(&*like);
    ModelHead head = learned ? *learned : ModelHead{};
    head.source_of_model = ModelSource::trained;
    head.recipe = std::move(trained.recipe), head.step = trained.step;
    head.layer = std::min(head.layer, head.recipe.layers - 1), head.head = std::min(head.head, head.recipe.heads - 1);
    return head;
}

std::vector<Intervention> interventions_of(const Construction& construction) {
    const auto* const learned = std::get_if<ModelHead>(&*construction);
    return learned ? items_of<Intervention>(learned->interventions) : std::vector<Intervention>();
}

std::shared_ptr<ModelRun> run_of(const Construction& construction, const BuildContext& context) {
    return get<ModelHead>(construction).run(context);
}

HeadInputs build(const Construction& construction, const BuildContext& context) {
    return visit_alternative(
        [&]<class C>(const C& alternative) {
            if constexpr (builds_from_shape<C>)
                return alternative.build(context.shape);
            else
                return alternative.build(context);
        },
        *construction);
}

std::optional<std::string> check(const Construction& construction, const Shape& shape) {
    return visit_alternative([&](const auto& alternative) { return alternative.check(shape); }, *construction);
}

bool has_constant_rows(const Construction& construction) {
    return visit_alternative([](const auto& alternative) { return alternative.has_constant_rows; }, *construction);
}

bool depends_on_seed(const Construction& construction) {
    return visit_alternative([](const auto& alternative) { return alternative.depends_on_seed; }, *construction);
}

std::string note_of(const Construction& construction, const Shape& shape) {
    return visit_alternative([&](const auto& alternative) { return alternative.note(shape); }, *construction);
}

}  // namespace ropewalk
