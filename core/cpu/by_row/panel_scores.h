// Scores of whole rows, so that a change of scale or temperature touches the softmax alone.
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

/// Scores of listed rows with every key they see. They are kept from the second time on that they are asked for, so
/// that where all scores change each time nothing is written that is not read; those of two lists of rows at a time,
/// as far as there is room.
template <class T>
class PanelScores {
  public:
    static constexpr std::size_t most_bytes = std::size_t{64} << 20;

    /// Gives these rows' panels their scores, or room to put them, or neither.
    void lend(const Problem& problem, std::span<const int> rows, std::span<QueryPanel<T>> panels);
    /// After a scan that has filled what was lent last, with keys up to this length.
    void keep(double max_key_length);
    /// Of the keys behind what was lent last.
    double max_key_length() const { return lists_[0].max_key_length; }

  private:
    struct List {
        ScoreOrigin origin;
        std::vector<int> rows;
        CachedNumbers<T> scores;  // [panels][keys, panel_rows]
        bool is_filled = false;
        double max_key_length = 0;
    };

    std::array<List, 2> lists_;  // the one asked for last comes first
};

}  // namespace ropewalk::cpu
