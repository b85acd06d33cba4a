#include "core/models/run/linear_layers.h"

#include <algorithm>

#include "core/machine/parallel.h"
#include "core/models/run/kernels.h"

namespace ropewalk {
namespace {

// A task's packed weights stay in the second-level cache while all tokens pass: at most 512 KB. The more rows, the less
// often the activations come from memory; but every thread needs a few tasks.
constexpr std::int64_t fewest_rows = 32, most_rows = 128, columns_at_once = 1024;

std::int64_t rows_at_once(std::int64_t rows) {
    const std::int64_t share = rows / (4 * core_count()) / (2 * group_rows) * (2 * group_rows);
    return std::clamp(share, fewest_rows, most_rows);
}

/// One task's rows of a linear layer.
struct RowBlock {
    const LinearWeights& linear;
    std::int64_t first = 0;  // row of the layer
    int rows = 0;

    int groups() const { return (rows + group_rows - 1) / group_rows; }

    void pack(std::int64_t first_column, std::int64_t columns, float* packed) const {
        const std::size_t row_bytes = static_cast<std::size_t>(linear.columns) * linear.weight.number_bytes();
        for (int group = 0; group < groups(); ++group) {
            cpu::WeightRows weights{.type = linear.weight.type};
            for (int i = 0; i < group_rows && group * group_rows + i < rows; ++i)
                weights.rows[i] =
                    linear.weight.data +
                    static_cast<std::size_t>(linear.in_tensor.at(first + group * group_rows + i)) * row_bytes;
            cpu::pack_rows(weights, first_column, columns, packed + group * columns * group_rows);
        }
    }

    /// Writes the block's rows of `y`, whose row 0 is the layer's row `y_first`.
    void multiply(const Activations& x, std::int64_t y_first, Activations& y) const {
        const std::int64_t most = std::min(columns_at_once, linear.columns);
        const auto packed = large_array<float>(static_cast<std::size_t>(groups()) * most * group_rows);
        const std::ptrdiff_t block = std::ptrdiff_t{groups()} * group_rows * x.width();
        const auto part = linear.columns > most ? large_array<float>(static_cast<std::size_t>(block)) : nullptr;
        for (std::int64_t column = 0; column < linear.columns; column += most) {
            const std::int64_t columns = std::min(most, linear.columns - column);
            pack(column, columns, packed.get());
            cpu::Multiplication product{.groups = groups(), .columns = columns, .rows = packed.get()};
            if (column == 0) {
                product.panels = x.panels();
                product.in = x.panel(0), product.in_stride = x.panel_stride();
                product.out = y.row(0, first - y_first), product.out_stride = y.panel_stride();
                cpu::multiply(product);
                continue;
            }
            product.panels = 1;
            for (int panel = 0; panel < x.panels(); ++panel) {
                product.in = x.row(panel, column), product.out = part.get();
                cpu::multiply(product);
                float* const sum = y.row(panel, first - y_first);
                for (std::ptrdiff_t i = 0; i < block; ++i) sum[i] += part[i];
            }
        }
        if (linear.bias.empty()) return;
        for (int panel = 0; panel < x.panels(); ++panel)
            for (int row = 0; row < rows; ++row) {
                float* const sums = y.row(panel, first - y_first + row);
                for (int i = 0; i < y.width(); ++i) sums[i] += linear.bias[static_cast<std::size_t>(first + row)];
            }
    }
};

}  // namespace

Activations apply_rows(const LinearWeights& linear, std::int64_t first, std::int64_t rows, const Activations& x,
                       const Cancel& cancel) {
    Activations y(x.tokens(), rows);
    const std::int64_t block_rows = rows_at_once(rows);
    for_each_in_order(static_cast<int>((rows + block_rows - 1) / block_rows), [&](int block) {
        cancel.check();
        const std::int64_t begin = block * block_rows;
        const RowBlock at{linear, first + begin, static_cast<int>(std::min(block_rows, rows - begin))};
        at.multiply(x, first, y);
    });
    return y;
}

Activations apply(const LinearWeights& linear, const Activations& x, const Cancel& cancel) {
    return apply_rows(linear, 0, linear.rows, x, cancel);
}

void normalize(Activations& x, std::int64_t channels, const NormWeights& weights, Norm kind, double epsilon) {
    const std::int64_t parts = x.channels() / channels;
    for_each_in_parallel(x.panels(), [&](int panel) {
        for (std::int64_t part = 0; part < parts; ++part) {
            const std::size_t from = weights.weight.size() > static_cast<std::size_t>(channels)
                                         ? static_cast<std::size_t>(part * channels)
                                         : 0;
            float* const rows = x.row(panel, part * channels);
            cpu::normalize({.channels = channels,
                            .in = rows,
                            .weight = weights.weight.data() + from,
                            .bias = weights.bias.empty() ? nullptr : weights.bias.data() + from,
                            .out = rows,
                            .epsilon = epsilon,
                            .subtracts_mean = kind == Norm::layer});
        }
    });
}

void add(Activations& x, const Activations& y) {
    for_each_in_parallel(x.panels(), [&](int panel) {
        float* const sum = x.panel(panel);
        const float* const term = y.panel(panel);
        for (std::ptrdiff_t i = 0; i < x.panel_stride(); ++i) sum[i] += term[i];
    });
}

}  // namespace ropewalk
