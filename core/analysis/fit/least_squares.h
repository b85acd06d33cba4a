// Linear least squares where columns may depend on each other: Householder's QR with column pivoting, completed to the
// shortest solution (Golub and Van Loan, Matrix Computations, 5.4 and 5.5).
#pragma once

#include <span>
#include <vector>

#include "core/cancel.h"

namespace ropewalk {

/// [rows, columns], one column after the other.
class ColumnMatrix {
  public:
    ColumnMatrix(int rows, int columns)
        : rows_(rows), columns_(columns), entries_(static_cast<std::size_t>(rows) * columns) {}

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    std::span<double> column(int at) { return {entries_.data() + begin_of(at), static_cast<std::size_t>(rows_)}; }
    std::span<const double> column(int at) const {
        return {entries_.data() + begin_of(at), static_cast<std::size_t>(rows_)};
    }

  private:
    std::size_t begin_of(int column) const { return static_cast<std::size_t>(column) * rows_; }

    int rows_, columns_;
    std::vector<double> entries_;
};

struct LeastSquares {
    std::vector<double> x;  // [columns]
    int rank = 0;           // of the columns, as far as double can tell them apart
};

/// The x of least ‖a·x − b‖² + ridge·‖x‖², ridge ≥ 0. Where several are, the shortest: what of a column is less than
/// `negligible` of the longest beside the others counts as nothing; max(rows, columns)·2⁻⁵² does in any case.
LeastSquares least_squares(ColumnMatrix a, std::vector<double> b, double ridge, const Cancel& cancel,
                           double negligible = 0);

/// x of m·x = b for a symmetric m [n, n] whose lower triangle is given; empty unless m is positive definite.
std::vector<double> solve_definite(ColumnMatrix m, std::vector<double> b);

}  // namespace ropewalk
