#include "core/analysis/fit/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ropewalk {
namespace {

/// Returns x·y. Several sums at once hide the latency of one.
double dot_product(std::span<const double> x, std::span<const double> y) {
    constexpr std::size_t lanes = 8;
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= x.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += x[i + lane] * y[i + lane];
    for (; i < x.size(); ++i) sums[0] += x[i] * y[i];
    return std::accumulate(sums, sums + lanes, 0.0);
}

/// Adds factor · x to y.
void add_multiple(double factor, std::span<const double> x, std::span<double> y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] += factor * x[i];
}

/// Replaces `x` by the axis v of the Householder mirror, scaled so that the mirror is 1 − v·vᵀ. Returns the first entry
/// of the mirrored x; all its other entries are 0.
double make_mirror(std::span<double> x) {
    double max = 0;
    for (const double entry : x) max = std::max(max, std::abs(entry));
    if (max == 0) return 0;
    for (double& entry : x) entry /= max;
    const double length = std::sqrt(dot_product(x, x)), image = x[0] > 0 ? -length : length;
    x[0] -= image;
    const double scale = 1 / std::sqrt(-x[0] * image);  // ‖v‖² = −2·image·v₀
    for (double& entry : x) entry *= scale;
    return image * max;
}

void reflect(std::span<const double> mirror, std::span<double> x) {
    add_multiple(-dot_product(mirror, x), mirror, x);
}

/// A matrix factored into Householder mirrors and a triangle.
struct Triangle {
    ColumnMatrix mirrors;  // column k from row k on; the triangle is above
    std::vector<double> diagonal;
    std::vector<int> order;  // original column numbers
    int rank = 0;

    std::span<const double> mirror(int k) const { return mirrors.column(k).subspan(static_cast<std::size_t>(k)); }
};

/// Returns the factorisation with column pivoting: the longest remaining column is next, until it is negligible
/// relative to the first.
Triangle triangle_of(ColumnMatrix a, double negligible, const Cancel& cancel) {
    const int most = std::min(a.rows(), a.columns());
    std::vector<int> order(static_cast<std::size_t>(a.columns()));
    std::iota(order.begin(), order.end(), 0);
    Triangle made{.mirrors = std::move(a), .diagonal = {}, .order = std::move(order)};
    ColumnMatrix& m = made.mirrors;
    negligible = std::max(negligible, std::max(m.rows(), m.columns()) * std::numeric_limits<double>::epsilon());
    std::vector<double> left(static_cast<std::size_t>(m.columns()));
    for (int column = 0; column < m.columns(); ++column) left[column] = dot_product(m.column(column), m.column(column));
    for (int k = 0; k < most; ++k) {
        if (k % 16 == 0) cancel.check();
        const auto from = static_cast<std::size_t>(k);
        const auto next = static_cast<int>(std::max_element(left.begin() + k, left.end()) - left.begin());
        if (next != k) {
            std::swap_ranges(m.column(k).begin(), m.column(k).end(), m.column(next).begin());
            std::swap(made.order[from], made.order[static_cast<std::size_t>(next)]);
            std::swap(left[from], left[static_cast<std::size_t>(next)]);
        }
        const double image = make_mirror(m.column(k).subspan(from));
        if (image == 0 || (k > 0 && std::abs(image) <= negligible * std::abs(made.diagonal.front()))) break;
        made.diagonal.push_back(image);
        for (int column = k + 1; column < m.columns(); ++column) {
            reflect(made.mirror(k), m.column(column).subspan(from));
            left[column] = dot_product(m.column(column).subspan(from + 1), m.column(column).subspan(from + 1));
        }
    }
    made.rank = static_cast<int>(made.diagonal.size());
    return made;
}

/// Returns x [rank] of R·x = b, with R the triangle's first `rank` columns.
std::vector<double> solve_upwards(const Triangle& triangle, std::vector<double> b) {
    for (int k = triangle.rank - 1; k >= 0; --k) {
        b[k] /= triangle.diagonal[k];
        const auto above = static_cast<std::size_t>(k);
        add_multiple(-b[k], triangle.mirrors.column(k).first(above), std::span(b).first(above));
    }
    return b;
}

/// Returns the shortest x [columns] with [R S]·x = b, where S are the triangle's columns beyond its rank, from the
/// mirrors of [R S]ᵀ.
std::vector<double> shortest(const Triangle& triangle, const std::vector<double>& b, const Cancel& cancel) {
    const int columns = triangle.mirrors.columns();
    ColumnMatrix transposed(columns, triangle.rank);
    for (int row = 0; row < triangle.rank; ++row)
        for (int column = row; column < columns; ++column)
            transposed.column(row)[column] =
                column == row ? triangle.diagonal[row] : triangle.mirrors.column(column)[row];
    const Triangle turned = triangle_of(std::move(transposed), 0, cancel);
    std::vector<double> x(static_cast<std::size_t>(columns));
    for (int k = 0; k < turned.rank; ++k) {  // Rᵀ·x = b, forwards
        const std::span<const double> above = turned.mirrors.column(k).first(static_cast<std::size_t>(k));
        x[k] = (b[turned.order[k]] - dot_product(above, std::span(x).first(above.size()))) / turned.diagonal[k];
    }
    for (int k = turned.rank - 1; k >= 0; --k)
        reflect(turned.mirror(k), std::span(x).subspan(static_cast<std::size_t>(k)));
    return x;
}

}  // namespace

LeastSquares least_squares(ColumnMatrix a, std::vector<double> b, double ridge, const Cancel& cancel,
                           double negligible) {
    const int columns = a.columns(), rows = a.rows();
    if (ridge > 0) {
        ColumnMatrix extended(rows + columns, columns);
        for (int column = 0; column < columns; ++column) {
            std::copy(a.column(column).begin(), a.column(column).end(), extended.column(column).begin());
            extended.column(column)[rows + column] = std::sqrt(ridge);
        }
        a = std::move(extended);
        b.resize(b.size() + static_cast<std::size_t>(columns));
    }
    const Triangle triangle = triangle_of(std::move(a), negligible, cancel);
    for (int k = 0; k < triangle.rank; ++k)
        reflect(triangle.mirror(k), std::span(b).subspan(static_cast<std::size_t>(k)));
    b.resize(static_cast<std::size_t>(triangle.rank));
    const std::vector<double> ordered =
        triangle.rank == columns ? solve_upwards(triangle, std::move(b)) : shortest(triangle, b, cancel);
    LeastSquares found{.x = std::vector<double>(static_cast<std::size_t>(columns)), .rank = triangle.rank};
    for (int column = 0; column < columns; ++column) found.x[triangle.order[column]] = ordered[column];
    return found;
}

std::vector<double> solve_definite(ColumnMatrix m, std::vector<double> b) {
    const int n = m.columns();
    for (int k = 0; k < n; ++k) {
        const auto below = static_cast<std::size_t>(k) + 1;
        if (!(m.column(k)[k] > 0)) return {};
        const double root = std::sqrt(m.column(k)[k]);
        for (double& entry : m.column(k).subspan(below - 1)) entry /= root;
        for (int column = k + 1; column < n; ++column)
            add_multiple(-m.column(k)[column], m.column(k).subspan(static_cast<std::size_t>(column)),
                         m.column(column).subspan(static_cast<std::size_t>(column)));
        b[k] /= m.column(k)[k];
        add_multiple(-b[k], m.column(k).subspan(below), std::span(b).subspan(below));
    }
    for (int k = n - 1; k >= 0; --k) {
        const auto below = static_cast<std::size_t>(k) + 1;
        b[k] = (b[k] - dot_product(m.column(k).subspan(below), std::span(b).subspan(below))) / m.column(k)[k];
    }
    return b;
}

}  // namespace ropewalk
