// The network's gradients against central differences of a loss derived independently, for every kind of parameter and
// every encoding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "core/encodings/encoding_list.h"
#include "core/machine/large_array.h"
#include "core/numbers/random.h"
#include "core/training/kernels/sequence-inl.h"
#include "core/training/network/padded_weights.h"
#include "core/training/network/parameter_list.h"
#include "tests/core/training/plain_network.h"

namespace ropewalk::training_test {
namespace {

struct Sequence {
    std::vector<int> tokens, targets;
};

Sequence random_sequence(int tokens, int vocabulary, std::uint32_t number) {
    UniformNumbers numbers({.seed = 5, .sample = number, .stream = RandomStream::held_out});
    Sequence sequence;
    for (int i = 0; i < tokens; ++i) {
        sequence.tokens.push_back(static_cast<int>(numbers.below(static_cast<std::uint32_t>(vocabulary))));
        const int target = static_cast<int>(numbers.below(static_cast<std::uint32_t>(vocabulary)));
        sequence.targets.push_back(numbers.below(4) == 0 ? -1 : target);
    }
    return sequence;
}

/// Loss and gradient, in the flat order, as the kernels compute them in one type.
template <class T>
struct KernelGradient {
    double loss = 0;
    std::vector<T> gradient;

    KernelGradient(const NetworkShape& shape, const LoweredEncoding& lowered, const std::vector<Real>& parameters,
                   const std::vector<Sequence>& sequences) {
        using namespace training::HWY_NAMESPACE;
        const int tokens = static_cast<int>(sequences[0].tokens.size());
        const WeightLayout layout(shape);
        const ActivationLayout activations(shape, tokens, ActivationLayout::Use::training);
        const PositionTables<T> positions(lowered, tokens);
        const auto zeros = [](std::size_t count) {
            auto array = large_array<T>(count);
            std::fill_n(array.get(), count, T{0});
            return array;
        };
        const auto plain = zeros(layout.size), transposed = zeros(layout.size), padded = zeros(layout.size),
                   memory = zeros(activations.size);
        const std::vector<T> rounded(parameters.begin(), parameters.end());
        copy_to_padded<T>(shape, layout, rounded, plain.get(), transposed.get());
        const training::NetworkView<T> network{shape, layout, activations, positions, plain.get(), transposed.get()};
        training::GradientTask<T> task{1, padded.get(), false};
        for (const Sequence& sequence : sequences) {
            loss += train_one(training::SequenceTask<T>{network, memory.get(), sequence.tokens, sequence.targets}, task)
                        .loss;
            task.adds = true;
        }
        const auto list = parameter_list(shape);
        for (std::size_t i = 0; i < list.size(); ++i)
            for (int row = 0; row < list[i].rows(); ++row)
                for (int column = 0; column < list[i].columns(); ++column)
                    gradient.push_back(padded[layout.places[i].plain(row, column)]);
    }
};

NetworkShape shape_with(HeadKind kind, NetworkShape shape = {2, 2, 8, 10, 12, 7, {}}) {
    shape.kinds.assign(static_cast<std::size_t>(shape.layers) * static_cast<std::size_t>(shape.heads), kind);
    return shape;
}

/// Parameters at which no gradient vanishes.
std::vector<Real> parameters_of(const NetworkShape& shape) {
    const auto start = initial_parameters(shape, 0.7, 3);
    std::vector<double> noise(start.size());
    fill_gaussian({.seed = 4, .stream = RandomStream::weights}, noise);
    std::vector<Real> parameters;
    for (std::size_t i = 0; i < start.size(); ++i) parameters.push_back(static_cast<float>(start[i] + 0.2 * noise[i]));
    return parameters;
}

Shape lowered_for(const NetworkShape& shape, int tokens) {
    return {.head_dim = shape.head_dim, .seq_len = tokens, .pairing = Pairing::half_split, .seed = 1};
}

/// Expects that some entries of every tensor's gradient differ from central differences by at most 1e-6, relative to
/// those entries together.
void expect_gradients(const NetworkShape& shape, const Encoding& encoding, int tokens) {
    ASSERT_EQ(check(encoding, lowered_for(shape, tokens)), std::nullopt);
    const LoweredEncoding lowered = lower(encoding, lowered_for(shape, tokens));
    const std::vector<Sequence> sequences{random_sequence(tokens, shape.vocabulary, 0),
                                          random_sequence(tokens, shape.vocabulary, 1)};
    std::vector<Real> parameters = parameters_of(shape);
    const KernelGradient<double> kernel(shape, lowered, parameters, sequences);
    constexpr double most = 1e-6, noise = 1e-11;  // noise: of the differences, for gradients that are 0
    PlainNetwork plain(shape, lowered);
    const auto loss = [&] {
        Real sum = 0;
        for (const Sequence& sequence : sequences) sum += plain.loss(parameters, sequence.tokens, sequence.targets);
        return sum;
    };
    EXPECT_NEAR(kernel.loss, static_cast<double>(loss()), most * static_cast<double>(loss()));
    UniformNumbers numbers({.seed = 6, .stream = RandomStream::held_out});
    for (const ParameterTensor& tensor : parameter_list(shape)) {
        Real difference = 0, size = 0;
        for (int sample = 0; sample < 3; ++sample) {
            const std::size_t at = tensor.offset + numbers.below(static_cast<std::uint32_t>(tensor.count()));
            const Real before = parameters[at], step = 1e-5L;
            parameters[at] = before + step;
            const Real above = loss();
            parameters[at] = before - step;
            const Real below = loss();
            parameters[at] = before;
            const Real expected = (above - below) / (2 * step);
            difference += std::pow(static_cast<Real>(kernel.gradient[at]) - expected, 2);
            size += expected * expected;
        }
        EXPECT_LE(static_cast<double>(std::sqrt(difference)), noise + most * static_cast<double>(std::sqrt(size)))
            << tensor.name;
    }
}

/// The alternative with its limits so near that a short sequence crosses them.
template <class E>
Encoding near_limits(E encoding) {
    if constexpr (requires { encoding.original_length; }) encoding.original_length = 8;
    if constexpr (requires { encoding.window; }) encoding.window = 7;
    if constexpr (requires { encoding.scale_base; }) encoding.scale_base = 9;
    if constexpr (requires { encoding.upper; }) encoding.upper = 100;
    return encoding;
}

/// Calls visit(encoding) with every encoding.
template <class Visit>
void for_each_encoding(Visit visit) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        SCOPED_TRACE(id_of(encoding));
        visit(std::visit([](const auto& alternative) { return near_limits(alternative); }, *encoding));
    }
}

constexpr int two_blocks = 17;  // tokens that reach into a second block of 16

TEST(Gradient, AgreesWithDifferencesForEveryEncoding) {
    for_each_encoding(
        [](const Encoding& encoding) { expect_gradients(shape_with(HeadKind::encoded), encoding, two_blocks); });
}

TEST(Gradient, AgreesWithDifferencesForEveryGatedEncoding) {
    for_each_encoding([](const Encoding& encoding) {
        expect_gradients(shape_with(HeadKind::gated, {1, 2, 8, 10, 12, 7, {}}), encoding, two_blocks);
    });
}

TEST(Gradient, AgreesWithDifferencesForEveryShape) {
    NetworkShape mixed = shape_with(HeadKind::encoded);
    mixed.kinds[1] = mixed.kinds[2] = HeadKind::plain;
    expect_gradients(mixed, Encoding{}, two_blocks);
    // Whole panels, attention only, and more channels and tokens than are multiplied at once.
    expect_gradients(shape_with(HeadKind::encoded, {1, 1, 32, 32, 48, 32, {}}), Encoding{}, 32);
    expect_gradients(shape_with(HeadKind::encoded, {2, 3, 4, 17, 0, 3, {}}), Encoding{}, 5);
    expect_gradients(shape_with(HeadKind::encoded, {1, 1, 2, 150, 3, 20, {}}), Encoding{}, 50);
}

TEST(Gradient, InFloatAgreesWithDouble) {
    for_each_encoding([](const Encoding& encoding) {
        const NetworkShape shape = shape_with(HeadKind::encoded);
        const LoweredEncoding lowered = lower(encoding, lowered_for(shape, 50));
        const std::vector<Sequence> sequences{random_sequence(50, shape.vocabulary, 0)};
        const std::vector<Real> parameters = parameters_of(shape);
        const KernelGradient<double> exact(shape, lowered, parameters, sequences);
        const KernelGradient<float> rounded(shape, lowered, parameters, sequences);
        for (const ParameterTensor& tensor : parameter_list(shape)) {
            double difference = 0, size = 0;
            for (std::size_t i = tensor.offset; i < tensor.offset + tensor.count(); ++i) {
                difference += std::pow(static_cast<double>(rounded.gradient[i]) - exact.gradient[i], 2);
                size += std::pow(exact.gradient[i], 2);
            }
            EXPECT_LE(std::sqrt(difference), 1e-5 * std::sqrt(size)) << tensor.name;
        }
    });
}

}  // namespace
}  // namespace ropewalk::training_test
