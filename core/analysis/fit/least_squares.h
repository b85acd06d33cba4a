// Linear least squares with possibly dependent columns: Householder QR with column pivoting, completed to the shortest
// solution (Golub and Van Loan, Matrix Computations, 5.4 and 5.5).
#pragma once

#include <span>
#include <vector>

#include "core/cancel.h"

namespace ropewalk {

/// A matrix [rows, columns] in column-major order.
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
    int rank = 0;           // numerical rank of the columns
};

/// Returns the x that minimises ‖a·x − b‖² + ridge·‖x‖², ridge ≥ 0; the shortest, if there are several. A column's part
/// below `negligible` of the longest column counts as 0, and so does a part below max(rows, columns)·2⁻⁵².
LeastSquares least_squares(ColumnMatrix a, std::vector<double> b, double ridge, const Cancel& cancel,
                           double negligible = 0);

/// Returns x of m·x = b for a symmetric m [n, n] given by its lower triangle; empty unless m is positive definite.
std::vector<double> solve_definite(ColumnMatrix m, std::vector<double> b);

}  // namespace ropewalk
