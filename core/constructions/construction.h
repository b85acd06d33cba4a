// core/constructions: one file per recipe for queries and keys, their list (construction_list.h), and the HeadInputs
// that each builds. Here: what can be asked of a construction without knowing which it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/constructions/common.h"
#include "core/fields/input_file.h"
#include "core/models/files/head_arrays.h"
#include "core/training/recipe.h"

namespace ropewalk {

class ModelRun;
struct Intervention;

/// Where queries and keys come from: one of the constructions in construction_list.h, all ones by default.
struct ConstructionVariant;
using Construction = Indirect<ConstructionVariant>;
extern template class Indirect<ConstructionVariant>;
extern template const ChoiceType& choice_type<Construction>();

/// Returns whether the queries and keys are the same under any encoding (`ignores_encoding`).
bool ignores_encoding(const Construction& construction);

/// Returns whether the scene must state how channels pair up, because the files do not (`needs_stated_pairing`).
bool needs_stated_pairing(const Construction& construction);

/// Amplitudes and phases [rad], one per pair or one for all pairs.
struct BandLists {
    std::vector<double> amplitudes, phases;
};
/// Returns the construction with these amplitudes and phases.
Construction construction_of(BandLists bands);
/// Returns the amplitudes and phases of the construction that has them; nothing for any other.
std::optional<BandLists> bands_of(const Construction& construction);

/// Files of queries and keys. Without one of keys, that of queries has both.
struct ArrayPair {
    HeadFile q, k;

    const HeadFile& keys() const { return k.path.empty() && q.content && !q.content->is_single() ? q : k; }
};
/// Returns the construction with these arrays.
Construction construction_of(ArrayPair arrays);
/// Returns the arrays of the construction that has them; nothing for any other.
std::optional<ArrayPair> arrays_of(const Construction& construction);

/// A head of a model, and the number of tokens that the model reads.
struct LearnedHead {
    std::shared_ptr<const Model> model;
    int layer = 0, head = 0, tokens = 0;

    bool operator==(const LearnedHead&) const = default;
};
/// Returns the head of the construction that has one whose model is open; nothing for any other.
std::optional<LearnedHead> learned_head_of(const Construction& construction);
/// Returns the run of its model that a valid experiment's head is part of.
std::shared_ptr<ModelRun> run_of(const Construction& construction, const BuildContext& context);

/// How a model is trained here, and the number of steps that the head is shown after; −1: all.
struct TrainedHead {
    Recipe recipe;
    int step = -1;

    int shown_step() const { return step < 0 ? recipe.steps : step; }
    bool operator==(const TrainedHead&) const = default;
};
/// Returns these of the construction that has a valid recipe; nothing for any other.
std::optional<TrainedHead> trained_head_of(const Construction& construction);
/// What the paths of its recipe's fields begin with, and the path of the encoding that it is trained with.
inline constexpr std::string_view path_of_recipe = "construction.recipe.",
                                  path_of_training_encoding = "construction.recipe.encoding";
/// Returns the construction of a head that is trained like this, in the layer and at the place of `like`'s if that is a
/// model's too.
Construction construction_of(TrainedHead trained, const Construction& like);

/// Returns the interventions in the model of a construction's head; none for any other construction.
std::vector<Intervention> interventions_of(const Construction& construction);

/// Returns the queries and keys of a construction that accepts the context's shape.
HeadInputs build(const Construction& construction, const BuildContext& context);

/// Returns why the construction does not accept `shape`, as one sentence, or nothing if it does.
std::optional<std::string> check(const Construction& construction, const Shape& shape);

/// Returns whether all queries are equal and all keys are equal (`has_constant_rows`).
bool has_constant_rows(const Construction& construction);

/// Returns whether another seed gives other queries and keys (`depends_on_seed`).
bool depends_on_seed(const Construction& construction);

/// Returns the line shown beside the construction's controls; empty if it has none.
std::string note_of(const Construction& construction, const Shape& shape);

}  // namespace ropewalk
