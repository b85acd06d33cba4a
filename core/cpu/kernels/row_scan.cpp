#include "core/cpu/kernels/row_scan.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/kernels/row_scan.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/kernels/row_scan-inl.h"

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(reference_of_float);
HWY_EXPORT(panel_rows_of_floats);
HWY_EXPORT(panel_rows_of_doubles);
HWY_EXPORT(scan_floats);
HWY_EXPORT(scan_doubles);
HWY_EXPORT(finish_floats);
HWY_EXPORT(finish_doubles);

template <>
double reference(float max_logit) {
    return HWY_DYNAMIC_DISPATCH(reference_of_float)(max_logit);
}
template <>
double reference(double max_logit) {
    return max_logit;
}

template <>
int panel_rows<float>() {
    return HWY_DYNAMIC_DISPATCH(panel_rows_of_floats)();
}
template <>
int panel_rows<double>() {
    return HWY_DYNAMIC_DISPATCH(panel_rows_of_doubles)();
}

template <class T>
void set_rows(QueryPanel<T>& panel, std::span<const int> rows) {
    panel.min_row = *std::min_element(rows.begin(), rows.end());
    panel.max_row = *std::max_element(rows.begin(), rows.end());
    for (int lane = 0; lane < most_panel_rows; ++lane)
        panel.rows[lane] = static_cast<T>(rows[std::min<std::size_t>(lane, rows.size() - 1)]);
}
template void set_rows(QueryPanel<float>&, std::span<const int>);
template void set_rows(QueryPanel<double>&, std::span<const int>);

template <>
void scan(const ScanSettings<float>& settings, const KeyRange<float>& keys, const QueryPanel<float>& panel,
          float* entries, OpenPiece<float>& open, ScanTime& time) {
    HWY_DYNAMIC_DISPATCH(scan_floats)(settings, keys, panel, entries, open, time);
}
template <>
void scan(const ScanSettings<double>& settings, const KeyRange<double>& keys, const QueryPanel<double>& panel,
          double* entries, OpenPiece<double>& open, ScanTime& time) {
    HWY_DYNAMIC_DISPATCH(scan_doubles)(settings, keys, panel, entries, open, time);
}

template <class T>
void close_piece(const ScanSettings<T>& settings, const QueryPanel<T>& panel, OpenPiece<T>& open) {
    const int width = panel_rows<T>();
    const auto keep = [&](Statistic which, const auto& values) {
        if (settings.keeps(which))
            std::copy_n(values, width, panel.statistics + settings.place(open.piece, which, width));
    };
    keep(exp_sum, open.exponentials);
    keep(shift, open.reference);
    keep(max, open.max_logit);
    keep(min, open.min_logit);
    keep(logit_sum, open.logits);
    open.clear();
    ++open.piece;
}
template void close_piece(const ScanSettings<float>&, const QueryPanel<float>&, OpenPiece<float>&);
template void close_piece(const ScanSettings<double>&, const QueryPanel<double>&, OpenPiece<double>&);

template <class T>
void close_pieces(const ScanSettings<T>& settings, std::span<const int> boundaries, const QueryPanel<T>& panel, int end,
                  OpenPiece<T>& open) {
    while (open.piece < end && (settings.mask == Mask::none || boundaries[open.piece] <= panel.max_row))
        close_piece(settings, panel, open);
}
template void close_pieces(const ScanSettings<float>&, std::span<const int>, const QueryPanel<float>&, int,
                           OpenPiece<float>&);
template void close_pieces(const ScanSettings<double>&, std::span<const int>, const QueryPanel<double>&, int,
                           OpenPiece<double>&);

template <>
void finish(const ScanSettings<float>& settings, const CellPieces& pieces, QueryPanel<float>& panel) {
    HWY_DYNAMIC_DISPATCH(finish_floats)(settings, pieces, panel);
}
template <>
void finish(const ScanSettings<double>& settings, const CellPieces& pieces, QueryPanel<double>& panel) {
    HWY_DYNAMIC_DISPATCH(finish_doubles)(settings, pieces, panel);
}

}  // namespace ropewalk::cpu
#endif
