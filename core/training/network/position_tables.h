// An encoding prepared for the kernels: how each head's queries and keys are encoded at every token.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "core/encodings/lowered_encoding.h"
#include "core/machine/large_array.h"
#include "core/training/network/network_shape.h"

namespace ropewalk {

/// How one side is encoded: out[c] = x[c] · cosines[c] + x[partner of c] · sines[c], with waves added. Tables are in
/// panels over the padded tokens of a sequence and the padded channels of a head; null: not rotated, no waves.
template <class T>
struct SideTables {
    const T *cosines = nullptr, *sines = nullptr, *waves = nullptr;
};

/// One summand of a head's logits, at the distances first ≤ r < end.
template <class T>
struct LogitPart {
    enum class Weight { one, gate, rest };  // rest: 1 − σ(gate)

    SideTables<T> query, key;
    const T* damping = nullptr;  // [distances, padded channels], the factor of each channel; null: none
    T bias_slope = 0;
    int first = 0, end = std::numeric_limits<int>::max();
    Weight weight = Weight::one;

    bool is_everywhere() const { return first <= 0 && end == std::numeric_limits<int>::max(); }
};

/// The tables of an encoding for sequences of up to `tokens` tokens.
template <class T>
class PositionTables {
  public:
    PositionTables(const LoweredEncoding& lowered, int tokens);

    const std::vector<LogitPart<T>>& parts(HeadKind kind) const {
        return kind == HeadKind::encoded ? encoded_ : kind == HeadKind::plain ? plain_ : gated_;
    }
    /// Returns the channel that rotates with each, [padded channels].
    const std::vector<int>& partners() const { return partners_; }
    /// Returns whether the partners of a panel of channels are a panel too.
    bool panels_rotate() const { return panels_rotate_; }

  private:
    T* table(std::size_t count);
    SideTables<T> rotation(const LoweredEncoding& lowered, const PositionMap& map);
    SideTables<T> waves(const LoweredEncoding& lowered);
    const T* damping(const LoweredEncoding& lowered);

    int tokens_, channels_;               // padded
    std::vector<LargeVector<T>> tables_;  // aligned for vectors
    std::vector<int> partners_;
    bool panels_rotate_ = true;
    std::vector<LogitPart<T>> encoded_, plain_, gated_;
};

extern template class PositionTables<float>;
extern template class PositionTables<double>;

}  // namespace ropewalk
