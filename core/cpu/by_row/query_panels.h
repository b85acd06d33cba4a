// Reads and rotates the queries of a scan.
#pragma once

#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/cpu/by_row/grouped_rows.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/machine/workspace.h"

namespace ropewalk::cpu {

/// Queries of the listed rows in T, in panels ready for a scan.
template <class T>
class QueryPanels {
  public:
    struct Task {
        const Problem& problem;
        Workspace& workspace;
        const Cancel& cancel;
        ListedRows& as_they_come;
    };
    /// Allocates `statistics` statistics for every row.
    QueryPanels(const Task& task, std::span<const int> rows, int statistics);

    std::span<QueryPanel<T>> panels() { return panels_; }
    std::span<const QueryPanel<T>> panels() const { return panels_; }
    double max_length() const { return max_length_; }
    /// Computes a panel's queries, [head_dim, panel_rows], damped from the position of `first_key` on, the origin of
    /// damping of its stretch's keys.
    void damp(const Problem& problem, std::size_t panel, int first_key, T* damped) const;

  private:
    int panel_rows_ = panel_rows<T>();
    Workspace::Array<T> near_, far_, statistics_;
    std::vector<QueryPanel<T>> panels_;
    double max_length_ = 0;
};

}  // namespace ropewalk::cpu
