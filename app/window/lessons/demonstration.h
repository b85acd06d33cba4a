// A change of a head that is shown as a movement: its numbers glide from their old values to the new ones.
#pragma once

#include <vector>

#include "app/figures/page/sweep.h"

namespace ropewalk {

class Demonstration {
  public:
    static constexpr double seconds = 1;

    /// Leads from one head to another. Only numbers that both have glide; everything else changes at the end.
    Demonstration(const Experiment& from, const Experiment& to);

    /// Returns whether any number glides.
    bool moves() const { return !sweeps_.empty(); }
    /// Advances by this time.
    void advance(double elapsed) { elapsed_ += elapsed; }
    bool is_over() const { return elapsed_ >= seconds; }
    /// Returns the head as it is now. A number keeps its old value where the new one would be invalid.
    Experiment now() const;
    const Experiment& end() const { return to_; }

  private:
    Experiment from_, to_;
    std::vector<Sweep> sweeps_;  // of the numbers that glide
    double elapsed_ = 0;
};

}  // namespace ropewalk
