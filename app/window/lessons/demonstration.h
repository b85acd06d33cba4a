// A change of a head, or of the cursor, that is shown as a movement: numbers glide from their old values to the new
// ones.
#pragma once

#include <vector>

#include "app/figures/page/sweep.h"

namespace ropewalk {

/// A head and its cursor.
struct PointedHead {
    Experiment experiment;
    Cursor cursor;
};

class Demonstration {
  public:
    static constexpr double seconds = 1;

    /// Leads from one head to another. Only the cursor and numbers that both have glide; everything else changes at
    /// the end.
    Demonstration(const PointedHead& from, const PointedHead& to);

    /// Returns whether anything glides.
    bool moves() const { return !sweeps_.empty() || moves_cursor(); }
    bool moves_cursor() const { return from_.cursor != to_.cursor; }
    /// Advances by this time.
    void advance(double elapsed) { elapsed_ += elapsed; }
    bool is_over() const { return elapsed_ >= seconds; }
    /// Returns the head as it is now. A number keeps its old value where the new one would be invalid.
    PointedHead now() const;
    const PointedHead& end() const { return to_; }

  private:
    PointedHead from_, to_;
    std::vector<Sweep> sweeps_;  // of the numbers that glide
    double elapsed_ = 0;
};

}  // namespace ropewalk
