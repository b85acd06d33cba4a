// Small linear systems in long double, by elimination: what least squares are compared with.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

namespace ropewalk {

/// x of m·x = b by Gauss–Jordan elimination with row pivoting.
inline std::vector<long double> solved(std::vector<std::vector<long double>> m, std::vector<long double> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
        std::swap(m[k], m[pivot]), std::swap(b[k], b[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const long double factor = m[i][k] / m[k][k];
            for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] /= m[k][k];
    return b;
}

/// The x of least ‖a·x − b‖² + ridge·‖x‖², by its normal equations.
inline std::vector<long double> normal_equations(const std::vector<std::vector<long double>>& a,
                                                 const std::vector<long double>& b, long double ridge) {
    const std::size_t n = a[0].size();
    std::vector<std::vector<long double>> gram(n, std::vector<long double>(n));
    std::vector<long double> moments(n);
    for (std::size_t row = 0; row < a.size(); ++row)
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) gram[i][j] += a[row][i] * a[row][j];
            moments[i] += a[row][i] * b[row];
        }
    for (std::size_t i = 0; i < n; ++i) gram[i][i] += ridge;
    return solved(std::move(gram), std::move(moments));
}

}  // namespace ropewalk
