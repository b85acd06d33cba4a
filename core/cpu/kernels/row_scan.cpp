#include "core/cpu/kernels/row_scan.h"

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
