#include "core/construction.h"

#include "core/alternatives.h"

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

}  // namespace

template const ChoiceType& choice_type<Construction>();

bool ignores_encoding(const Construction& construction) {
    return std::visit(
        [](const auto& alternative) {
            return requires {
                alternative.ignores_encoding;
            };
        },
        construction);
}

bool needs_stated_pairing(const Construction& construction) {
    return std::visit(
        [](const auto& alternative) {
            return requires {
                alternative.needs_stated_pairing;
            };
        },
        construction);
}

Construction construction_of(BandLists bands) {
    Construction made;
    for_each_alternative<Construction>([&]<class C>(C construction) {
        if constexpr (is_of_bands<C>) {
            construction.amplitudes = std::move(bands.amplitudes);
            construction.phases = std::move(bands.phases);
            made = std::move(construction);
        }
    });
    return made;
}

std::optional<BandLists> bands_of(const Construction& construction) {
    return std::visit(
        []<class C>(const C& made) -> std::optional<BandLists> {
            if constexpr (is_of_bands<C>) return BandLists{made.amplitudes, made.phases};
            return std::nullopt;
        },
        construction);
}

Construction construction_of(ArrayPair arrays) {
    Construction made;
    for_each_alternative<Construction>([&]<class C>(C construction) {
        if constexpr (is_of_arrays<C>) {
            construction.q = std::move(arrays.q);
            construction.k = std::move(arrays.k);
            made = std::move(construction);
        }
    });
    return made;
}

std::optional<ArrayPair> arrays_of(const Construction& construction) {
    return std::visit(
        []<class C>(const C& made) -> std::optional<ArrayPair> {
            if constexpr (is_of_arrays<C>) return ArrayPair{made.q, made.k};
            return std::nullopt;
        },
        construction);
}

HeadInputs build(const Construction& construction, const BuildContext& context) {
    return std::visit([&](const auto& alternative) { return alternative.build(context); }, construction);
}

std::optional<std::string> check(const Construction& construction, const Shape& shape) {
    return check_alternative(construction, shape);
}

std::string note_of(const Construction& construction, const Shape& shape) {
    return note_of_alternative(construction, shape);
}

}  // namespace ropewalk
