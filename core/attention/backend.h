// Where attention is computed. All backends answer the same question with the same meaning; each is tested against
// `reference`, the scalar double-precision oracle.
#pragma once

#include <string>
#include <string_view>

#include "core/attention/attention.h"
#include "core/attention/whole_matrix.h"
#include "core/cancel.h"

namespace ropewalk {

/// The precision of the values a backend's views hold; `data` writes them as such.
enum class Precision { fp32, fp64 };

/// Multiply-adds of a fast backend's inner loop that take a frame or so on two cores.
inline constexpr double frame_cost = 1e9;

/// Computes attention. May be called from one thread at a time.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0;           // as in `--backend`
    virtual std::string_view description() const = 0;  // hardware and instruction set, for the status bar
    virtual Precision precision() const = 0;
    /// What a person should know of how it fares, in a sentence; empty as long as all is well.
    virtual std::string notice() const { return {}; }

    /// About how many multiply-adds of a fast backend's inner loop a view takes, to tell what is live, slow, or too
    /// much.
    virtual double cost(const Problem& problem, const Viewport& viewport) const = 0;

    /// The view of `problem` through `viewport`. Throws Cancelled as soon as `cancel` asks for it.
    virtual AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) = 0;

    /// The whole matrix, in float: logits −∞ where masked and ±∞ where float cannot hold them, or weights, 0 where
    /// masked. Throws Cancelled. By default a band of rows at a time through `attend`.
    virtual void fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel);
};

}  // namespace ropewalk
