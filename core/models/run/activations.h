// The numbers that flow through a model, in the layout of the kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/machine/large_array.h"
#include "core/models/run/kernels.h"

namespace ropewalk {

/// Number of rows of weights, keys or channels that a kernel multiplies together.
inline constexpr int group_rows = 4;

/// Numbers [tokens, channels] as panels of `panel_tokens` tokens, [panels, rows, panel_tokens]: channels are rows, so
/// that every operation over channels works on whole vectors. There are whole groups of rows; the tokens that fill
/// the last panel are finite and unused.
class Activations {
  public:
    Activations(int tokens, std::int64_t channels)
        : tokens_(tokens),
          channels_(channels),
          width_(cpu::panel_tokens()),
          rows_((channels + group_rows - 1) / group_rows * group_rows),
          values_(large_array<float>(static_cast<std::size_t>(panels()) * rows_ * width_)) {
        clear();
    }

    int tokens() const { return tokens_; }
    std::int64_t channels() const { return channels_; }
    int width() const { return width_; }
    int panels() const { return (tokens_ + width_ - 1) / width_; }
    /// Returns the distance between two panels, in numbers.
    std::ptrdiff_t panel_stride() const { return rows_ * width_; }
    float* panel(int panel) const { return values_.get() + panel * panel_stride(); }
    float* row(int panel, std::int64_t channel) const { return this->panel(panel) + channel * width_; }
    float& at(int token, std::int64_t channel) const { return row(token / width_, channel)[token % width_]; }
    void clear() { std::fill_n(values_.get(), static_cast<std::size_t>(panels()) * rows_ * width_, 0.0f); }

  private:
    int tokens_;
    std::int64_t channels_;
    int width_;
    std::ptrdiff_t rows_;
    LargeArray<float> values_;
};

}  // namespace ropewalk
