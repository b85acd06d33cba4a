// Least squares against normal equations in long double and against what is known of dependent columns.
#include "core/analysis/fit/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/numbers/random.h"
#include "tests/core/analysis/long_double_solve.h"

namespace ropewalk {
namespace {

using Rows = std::vector<std::vector<long double>>;

/// [rows][columns] of normally distributed numbers.
Rows random_rows(int rows, int columns, std::int64_t seed) {
    std::vector<double> numbers(static_cast<std::size_t>(rows) * columns);
    fill_gaussian({.seed = seed, .stream = RandomStream::content}, numbers);
    Rows all(static_cast<std::size_t>(rows), std::vector<long double>(static_cast<std::size_t>(columns)));
    for (std::size_t i = 0; i < numbers.size(); ++i) all[i / columns][i % columns] = numbers[i];
    return all;
}

ColumnMatrix as_columns(const Rows& rows) {
    ColumnMatrix matrix(static_cast<int>(rows.size()), static_cast<int>(rows[0].size()));
    for (int column = 0; column < matrix.columns(); ++column)
        for (int row = 0; row < matrix.rows(); ++row)
            matrix.column(column)[row] = static_cast<double>(rows[row][column]);
    return matrix;
}

std::vector<double> right_side(int rows) {
    std::vector<double> b;
    for (int row = 0; row < rows; ++row) b.push_back(std::sin(row * 1.7) + 0.3);
    return b;
}

void expect_near(const std::vector<double>& found, const std::vector<long double>& exact, double within) {
    ASSERT_EQ(found.size(), exact.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], static_cast<double>(exact[i]), within) << i;
}

TEST(LeastSquares, AreThoseOfTheNormalEquations) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 3}, {40, 12}, {200, 64}})
        for (const double ridge : {0.0, 1e-3, 5.0}) {
            const Rows a = random_rows(rows, columns, rows);
            const std::vector<double> b = right_side(rows);
            const LeastSquares found = least_squares(as_columns(a), b, ridge, {});
            EXPECT_EQ(found.rank, columns);
            expect_near(found.x, normal_equations(a, {b.begin(), b.end()}, ridge), 1e-12);
        }
}

TEST(LeastSquares, OfDependentColumnsAreTheShortest) {
    const Rows left = random_rows(40, 5, 1), right = random_rows(5, 12, 2);  // a = left · right has rank 5
    Rows a(40, std::vector<long double>(12));
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 12; ++j)
            for (int k = 0; k < 5; ++k) a[i][j] += left[i][k] * right[k][j];
    const std::vector<double> b = right_side(40);
    const LeastSquares found = least_squares(as_columns(a), b, 0, {});
    EXPECT_EQ(found.rank, 5);
    // The least squares of `left`, and of all x with right · x equal to them the shortest: rightᵀ·z.
    const auto middle = normal_equations(left, {b.begin(), b.end()}, 0);
    Rows gram(5, std::vector<long double>(5));
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 12; ++k) gram[i][j] += right[i][k] * right[j][k];
    const auto z = solved(gram, middle);
    std::vector<long double> shortest(12);
    for (int j = 0; j < 12; ++j)
        for (int i = 0; i < 5; ++i) shortest[j] += right[i][j] * z[i];
    expect_near(found.x, shortest, 1e-12);
}

TEST(LeastSquares, EqualColumnsShareAlikeAndEmptyOnesGetNothing) {
    Rows a = random_rows(20, 4, 3);
    for (auto& row : a) row[2] = row[0], row[3] = 0;
    const LeastSquares found = least_squares(as_columns(a), right_side(20), 0, {});
    EXPECT_EQ(found.rank, 2);
    EXPECT_NEAR(found.x[0], found.x[2], 1e-14);
    EXPECT_NE(found.x[0], 0);
    EXPECT_EQ(found.x[3], 0);
    EXPECT_EQ(least_squares(ColumnMatrix(5, 3), right_side(5), 0, {}).x, std::vector<double>(3)) << "of zeros";
}

TEST(LeastSquares, FewerRowsThanColumnsAreMetExactlyByTheShortest) {
    const Rows a = random_rows(4, 9, 4);
    const std::vector<double> b = right_side(4);
    const LeastSquares found = least_squares(as_columns(a), b, 0, {});
    EXPECT_EQ(found.rank, 4);
    Rows gram(4, std::vector<long double>(4));
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 9; ++k) gram[i][j] += a[i][k] * a[j][k];
    const auto z = solved(gram, {b.begin(), b.end()});
    std::vector<long double> shortest(9);
    for (int j = 0; j < 9; ++j)
        for (int i = 0; i < 4; ++i) shortest[j] += a[i][j] * z[i];
    expect_near(found.x, shortest, 1e-13);
}

TEST(LeastSquares, DefiniteSystemsAreSolvedAndOthersRefused) {
    const Rows a = random_rows(30, 8, 5);
    Rows gram(8, std::vector<long double>(8));
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
            for (int k = 0; k < 30; ++k) gram[i][j] += a[k][i] * a[k][j];
    const std::vector<double> b = right_side(8);
    expect_near(solve_definite(as_columns(gram), b), solved(gram, {b.begin(), b.end()}), 1e-13);
    gram[3][3] = -1;
    EXPECT_TRUE(solve_definite(as_columns(gram), b).empty());
}

TEST(LeastSquares, StopWhenNoLongerWanted) {
    const std::atomic<std::uint64_t> generation = 2;
    EXPECT_THROW(least_squares(as_columns(random_rows(8, 3, 6)), right_side(8), 0, Cancel(generation, 1)), Cancelled);
}

}  // namespace
}  // namespace ropewalk
