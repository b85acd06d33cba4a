// The interface of the backends that compute attention. All give the same results within their precision, and each is
// tested against `reference`, the scalar double-precision oracle.
#pragma once

#include <string>
#include <string_view>

#include "core/attention/attention.h"
#include "core/attention/whole_matrix.h"
#include "core/cancel.h"

namespace ropewalk {

/// The precision of the values in a backend's views, in which `data` writes them.
enum class Precision { fp32, fp64 };

/// Multiply-adds of a fast backend's inner loop that take about one frame on two cores.
inline constexpr double frame_cost = 1e9;

/// Computes attention. Not thread-safe.
class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string_view id() const = 0;           // as in `--backend`
    virtual std::string_view description() const = 0;  // hardware and instruction set, for the status bar
    virtual Precision precision() const = 0;
    /// Returns a sentence for the user about a problem of the backend; empty if there is none.
    virtual std::string notice() const { return {}; }

    /// Returns the approximate work of a view in multiply-adds of a fast backend's inner loop, to decide what is
    /// interactive, slow, or too much.
    virtual double cost(const Problem& problem, const Viewport& viewport) const = 0;

    /// Returns the view of `problem` through `viewport`. Throws Cancelled if `cancel` requests it.
    virtual AttentionView attend(const Problem& problem, const Viewport& viewport, const Cancel& cancel) = 0;

    /// Fills in the whole matrix, in float: logits (−∞ if masked, ±∞ beyond the range of float) or weights (0 if
    /// masked). Throws Cancelled. By default it calls `attend` for one band of rows at a time.
    virtual void fill(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, const Cancel& cancel);
};

}  // namespace ropewalk
