#include "core/cpu/peak.h"

#include <algorithm>
#include <cstdint>

#include "core/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/cpu/peak.cpp"
#include "core/machine/targets.h"
// The order matters: foreach_target includes this file once per instruction set.
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/cpu/kernels/products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace ropewalk::cpu::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

/// The number of chains that hides the unit's latency and still fits into the registers.
template <class T>
double fused_products(std::size_t rounds) {
    const hn::ScalableTag<T> d;
    constexpr int chains = 12;
    hn::Vec<decltype(d)> sums[chains];
    for (auto& sum : sums) sum = hn::Set(d, T{1});
    const auto factor = hn::Set(d, static_cast<T>(0.999)), term = hn::Set(d, static_cast<T>(0.001));
    for (std::size_t round = 0; round < rounds; ++round)
        for (auto& sum : sums) sum = hn::MulAdd(sum, factor, term);
    for (int chain = 1; chain < chains; ++chain) sums[0] = hn::Add(sums[0], sums[chain]);
    volatile T used = hn::GetLane(sums[0]);
    static_cast<void>(used);
    return 2.0 * chains * static_cast<double>(hn::Lanes(d)) * static_cast<double>(rounds);
}

double products_in_float(std::size_t rounds) {
    return fused_products<float>(rounds);
}
double products_in_double(std::size_t rounds) {
    return fused_products<double>(rounds);
}

double exponentials(std::size_t rounds) {
    const hn::ScalableTag<float> d;
    constexpr int count = 1024, chains = 4;
    const int lanes = static_cast<int>(hn::Lanes(d));
    HWY_ALIGN float logits[count];
    for (int i = 0; i < count; ++i) logits[i] = -0.01f * static_cast<float>(i);
    hn::Vec<decltype(d)> sums[chains];
    for (auto& sum : sums) sum = hn::Zero(d);
    const auto origin = exponent_origin(d, hn::Zero(d));
    for (std::size_t round = 0; round < rounds; ++round)
        for (int i = 0; i < count; i += chains * lanes)
            for (int chain = 0; chain < chains; ++chain)
                sums[chain] = hn::Add(sums[chain], exp_from(d, hn::Load(d, logits + i + chain * lanes), origin));
    for (int chain = 1; chain < chains; ++chain) sums[0] = hn::Add(sums[0], sums[chain]);
    volatile float used = hn::GetLane(hn::SumOfLanes(d, sums[0]));
    static_cast<void>(used);
    return count * static_cast<double>(rounds);
}

void fill_all(double* values, std::size_t count) {
    const hn::ScalableTag<double> d;
    std::size_t i = 0;
    for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) hn::Stream(hn::Set(d, 1), d, values + i);
    hwy::FlushStream();
    std::fill(values + i, values + count, 1.0);
}

double sum_all(const double* values, std::size_t count) {
    const hn::ScalableTag<double> d;
    constexpr std::size_t chains = 8;
    const std::size_t step = chains * hn::Lanes(d);
    hn::Vec<decltype(d)> sums[chains];
    for (auto& sum : sums) sum = hn::Zero(d);
    for (std::size_t i = 0; i + step <= count; i += step)
        for (std::size_t chain = 0; chain < chains; ++chain)
            sums[chain] = hn::Add(sums[chain], hn::LoadU(d, values + i + chain * hn::Lanes(d)));
    for (std::size_t chain = 1; chain < chains; ++chain) sums[0] = hn::Add(sums[0], sums[chain]);
    return hn::GetLane(hn::SumOfLanes(d, sums[0]));
}

}  // namespace
}  // namespace ropewalk::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ropewalk::cpu {

HWY_EXPORT(products_in_float);
HWY_EXPORT(products_in_double);
HWY_EXPORT(sum_all);
HWY_EXPORT(exponentials);
HWY_EXPORT(fill_all);

double run_fused_products_in_float(std::size_t rounds) {
    return HWY_DYNAMIC_DISPATCH(products_in_float)(rounds);
}
double run_fused_products_in_double(std::size_t rounds) {
    return HWY_DYNAMIC_DISPATCH(products_in_double)(rounds);
}
double run_exponentials(std::size_t rounds) {
    return HWY_DYNAMIC_DISPATCH(exponentials)(rounds);
}
double read_through(const double* values, std::size_t count) {
    return HWY_DYNAMIC_DISPATCH(sum_all)(values, count);
}
void write_through(double* values, std::size_t count) {
    ensure(reinterpret_cast<std::uintptr_t>(values) % widest_vector == 0, "the array must be aligned for vectors");
    HWY_DYNAMIC_DISPATCH(fill_all)(values, count);
}

}  // namespace ropewalk::cpu
#endif
