// Cached scores of whole rows, so that a change of scale or temperature recomputes only the softmax.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/by_row/grouped_rows.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/cpu/logit_origin.h"

namespace ropewalk::cpu {

/// Scores of listed rows with every key they see, for two lists of rows within the memory limit. They are stored only
/// from the second request on, so that nothing is written in vain while all scores change.
template <class T>
class PanelScores {
  public:
    static constexpr std::size_t most_bytes = std::size_t{64} << 20;

    /// Gives these rows' panels their scores, or memory for them, or neither.
    void lend(const Problem& problem, std::span<const int> rows, std::span<QueryPanel<T>> panels);
    /// Records that a scan has filled the memory lent last, with keys up to this length.
    void keep(double max_key_length);
    /// Returns the maximum length of the keys of the scores lent last.
    double max_key_length() const { return lists_[0].max_key_length; }

  private:
    struct List {
        ScoreOrigin origin;
        std::vector<int> rows;
        CachedNumbers<T> scores;  // [panels][keys, panel_rows]
        bool is_filled = false;
        double max_key_length = 0;
    };

    std::array<List, 2> lists_;  // most recently requested first
};

}  // namespace ropewalk::cpu
