#include "core/constructions/construction.h"

#include <concepts>
#include <utility>

#include "core/constructions/construction_list.h"
#include "core/fields/indirect-inl.h"

namespace ropewalk {
namespace {

template <class C>
constexpr bool is_of_bands = requires(C construction) {
    construction.amplitudes;
    construction.phases;
};
template <class C>
constexpr bool is_of_arrays = requires(C construction) {
    construction.q.content;
    construction.k.content;
};

/// Whether its rows follow from the shape alone, whatever the encoding: then a change of the encoding keeps them.
template <class C>
constexpr bool builds_from_shape = requires(const C construction, const Shape& shape) {
    construction.build(shape);
};

/// Returns a default value of the alternative that `fill` accepts, after calling `fill` with it.
template <class Fill>
Construction made_by(const Fill& fill) {
    Construction made;
    for_each_alternative<Construction>([&]<class C>(C construction) {
        if constexpr (std::invocable<const Fill&, C&>) {
            fill(construction);
            made = std::move(construction);
        }
    });
    return made;
}

/// Returns `read(alternative)` if `read` accepts the construction's alternative, otherwise nothing.
template <class Parts, class Read>
std::optional<Parts> read_by(const Construction& construction, const Read& read) {
    return std::visit(
        [&]<class C>(const C& made) -> std::optional<Parts> {
            if constexpr (std::invocable<const Read&, const C&>) return read(made);
            return std::nullopt;
        },
        *construction);
}

}  // namespace

template class Indirect<ConstructionVariant>;
template const ChoiceType& choice_type<Construction>();

bool ignores_encoding(const Construction& construction) {
    return std::visit([]<class C>(const C&) { return builds_from_shape<C>; }, *construction);
}

bool needs_stated_pairing(const Construction& construction) {
    return std::visit([](const auto& alternative) { return alternative.needs_stated_pairing; }, *construction);
}

Construction construction_of(BandLists bands) {
    return made_by([&]<class C>(C & made) requires is_of_bands<C> {
        made.amplitudes = std::move(bands.amplitudes);
        made.phases = std::move(bands.phases);
    });
}

std::optional<BandLists> bands_of(const Construction& construction) {
    return read_by<BandLists>(
        construction, []<class C>(const C& made) requires is_of_bands<C> {
            return BandLists{made.amplitudes, made.phases};
        });
}

Construction construction_of(ArrayPair arrays) {
    return made_by([&]<class C>(C & made) requires is_of_arrays<C> {
        made.q = std::move(arrays.q);
        made.k = std::move(arrays.k);
    });
}

std::optional<ArrayPair> arrays_of(const Construction& construction) {
    return read_by<ArrayPair>(
        construction, []<class C>(const C& made) requires is_of_arrays<C> {
            return ArrayPair{made.q, made.k};
        });
}

HeadInputs build(const Construction& construction, const BuildContext& context) {
    return std::visit(
        [&]<class C>(const C& alternative) {
            if constexpr (builds_from_shape<C>)
                return alternative.build(context.shape);
            else
                return alternative.build(context);
        },
        *construction);
}

std::optional<std::string> check(const Construction& construction, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.check(shape); }, *construction);
}

bool has_constant_rows(const Construction& construction) {
    return std::visit([](const auto& alternative) { return alternative.has_constant_rows; }, *construction);
}

bool depends_on_seed(const Construction& construction) {
    return std::visit([](const auto& alternative) { return alternative.depends_on_seed; }, *construction);
}

std::string note_of(const Construction& construction, const Shape& shape) {
    return std::visit([&](const auto& alternative) { return alternative.note(shape); }, *construction);
}

}  // namespace ropewalk
