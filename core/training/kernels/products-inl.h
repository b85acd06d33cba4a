// Products of matrices in panels of 16 columns. Included once per instruction set.
#if defined(ROPEWALK_CORE_TRAINING_PRODUCTS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_TRAINING_PRODUCTS_INL_H
#undef ROPEWALK_CORE_TRAINING_PRODUCTS_INL_H
#else
#define ROPEWALK_CORE_TRAINING_PRODUCTS_INL_H
#endif

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstddef>

#include "core/training/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {

constexpr std::ptrdiff_t block_size = lane_count * lane_count;

/// Which index of the left matrix is contiguous in its blocks of 16 × 16: the inner one, or that of its rows.
enum class Left { by_rows, transposed };

/// C = A · B, or C += A · B. Rows and the inner index come in blocks of 16. The rows of B follow each other within a
/// panel, and so do the rows of C.
template <class T>
struct MatrixProduct {
    const T* left = nullptr;
    std::ptrdiff_t left_row_block = 0,
                   left_inner_block = 0;  // from one block of rows or of the inner index to the next
    const T* right = nullptr;
    std::ptrdiff_t right_panel = 0;
    T* out = nullptr;
    std::ptrdiff_t out_panel = 0;
    int row_blocks = 0, panels = 0, inner_blocks = 0;
    bool adds = false;
};

/// Multiplies `rows` rows of the left matrix with `panels` panels. The sums stay in registers.
template <int rows, int panels, Left left, class T>
HWY_INLINE void multiply_tile(const T* HWY_RESTRICT a, std::ptrdiff_t a_block, const T* HWY_RESTRICT b,
                              std::ptrdiff_t b_panel, T* HWY_RESTRICT c, std::ptrdiff_t c_panel, int blocks,
                              bool adds) {
    const Tag<T> d;
    constexpr int across = panels * vectors<T>;
    Vector<T> sums[rows][across];
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r) {
        HWY_UNROLL(16)
        for (int v = 0; v < across; ++v)
            sums[r][v] =
                adds ? hn::Load(d, c + v / vectors<T> * c_panel + r * lane_count + v % vectors<T> * vector_lanes<T>)
                     : hn::Zero(d);
    }
    for (int block = 0; block < blocks; ++block) {
        HWY_UNROLL(4)
        for (int k = 0; k < lane_count; ++k) {
            Vector<T> row[across];
            HWY_UNROLL(16)
            for (int v = 0; v < across; ++v)
                row[v] = hn::Load(d, b + v / vectors<T> * b_panel + k * lane_count + v % vectors<T> * vector_lanes<T>);
            HWY_UNROLL(16)
            for (int r = 0; r < rows; ++r) {
                const auto factor = hn::Set(d, a[left == Left::by_rows ? r * lane_count + k : k * lane_count + r]);
                HWY_UNROLL(16)
                for (int v = 0; v < across; ++v) sums[r][v] = fused<T>(factor, row[v], sums[r][v]);
            }
        }
        a += a_block, b += block_size;
    }
    HWY_UNROLL(16)
    for (int r = 0; r < rows; ++r) {
        HWY_UNROLL(16)
        for (int v = 0; v < across; ++v)
            hn::Store(sums[r][v], d, c + v / vectors<T> * c_panel + r * lane_count + v % vectors<T> * vector_lanes<T>);
    }
}

/// Multiplies rows first … 15 of a block of rows, as many together as the registers allow.
template <int first, int panels, Left left, class T>
HWY_INLINE void multiply_rows(const T* a, std::ptrdiff_t a_block, const T* b, std::ptrdiff_t b_panel, T* c,
                              std::ptrdiff_t c_panel, int blocks, bool adds) {
    constexpr bool has_32_registers = (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64;
    constexpr int sums = has_32_registers ? 16 : 12, most = sums / (panels * vectors<T>);
    constexpr int rows = std::min({std::max(most, 1), lane_count - first, 16});
    multiply_tile<rows, panels, left>(a + first * (left == Left::by_rows ? lane_count : 1), a_block, b, b_panel,
                                      c + first * lane_count, c_panel, blocks, adds);
    if constexpr (first + rows < lane_count)
        multiply_rows<first + rows, panels, left>(a, a_block, b, b_panel, c, c_panel, blocks, adds);
}

/// Multiplies all rows with `panels` panels over some blocks of the inner index. Fetches the next sums meanwhile.
template <int panels, Left left, class T>
HWY_INLINE void multiply_panels(const MatrixProduct<T>& p, int panel, int inner, int blocks) {
    const bool adds = p.adds || inner > 0;
    const T* const a = p.left + inner * p.left_inner_block;
    const T* const b = p.right + panel * p.right_panel + inner * block_size;
    T* const c = p.out + panel * p.out_panel;
    for (int block = 0; block < p.row_blocks; ++block) {
        if (adds)
            for (int i = 0; i < panels; ++i)
                for (std::ptrdiff_t at = 0; at < block_size; at += 64 / sizeof(T))
                    hwy::Prefetch(c + i * p.out_panel + (block + 1) * block_size + at);
        multiply_rows<0, panels, left>(a + block * p.left_row_block, p.left_inner_block, b, p.right_panel,
                                       c + block * block_size, p.out_panel, blocks, adds);
    }
}

template <Left left, class T>
HWY_INLINE void multiply(const MatrixProduct<T>& p) {
    // Part of the inner index for which the panels stay in the first-level cache.
    constexpr int most_blocks = 8;
    constexpr int together = vectors<T> == 1 ? 2 : 1;
    for (int inner = 0; inner < p.inner_blocks; inner += most_blocks) {
        const int blocks = std::min(most_blocks, p.inner_blocks - inner);
        int panel = 0;
        for (; panel + together <= p.panels; panel += together)
            multiply_panels<together, left>(p, panel, inner, blocks);
        for (; panel < p.panels; ++panel) multiply_panels<1, left>(p, panel, inner, blocks);
    }
}

/// Transposes a block of 16 × 16: four rows at a time become columns of four.
template <class T>
HWY_INLINE void transpose_block(const T* HWY_RESTRICT from, T* HWY_RESTRICT to) {
    constexpr int rows = 4;
    const hn::CappedTag<T, rows> four;
    constexpr int step = static_cast<int>(hn::MaxLanes(hn::CappedTag<T, rows>{}));
    alignas(64) T columns[lane_count * rows];
    for (int first = 0; first < lane_count; first += rows) {
        for (int v = 0; v < lane_count; v += vector_lanes<T>) {
            const T* const row = from + first * lane_count + v;
            const Tag<T> d;
            hn::StoreInterleaved4(hn::Load(d, row), hn::Load(d, row + lane_count), hn::Load(d, row + 2 * lane_count),
                                  hn::Load(d, row + 3 * lane_count), d, columns + v * rows);
        }
        for (int c = 0; c < lane_count; ++c)
            for (int i = 0; i < rows; i += step)
                hn::Store(hn::Load(four, columns + c * rows + i), four, to + c * lane_count + first + i);
    }
}

/// Transposes a matrix [rows, columns], both multiples of 16.
template <class T>
void transpose(const T* from, int rows, int columns, T* to) {
    const int row_blocks = rows / lane_count, column_blocks = columns / lane_count;
    for (int r = 0; r < row_blocks; ++r)
        for (int c = 0; c < column_blocks; ++c)
            transpose_block(from + (c * row_blocks + r) * block_size, to + (r * column_blocks + c) * block_size);
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
