// Sixteen numbers at a time, on any instruction set with the same bits. Included once per instruction set.
#if defined(ROPEWALK_CORE_TRAINING_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ROPEWALK_CORE_TRAINING_LANES_INL_H
#undef ROPEWALK_CORE_TRAINING_LANES_INL_H
#else
#define ROPEWALK_CORE_TRAINING_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace ropewalk::training::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

constexpr int lane_count = 16;

template <class T>
using Tag = hn::CappedTag<T, lane_count>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
template <class T>
constexpr int vector_lanes = static_cast<int>(hn::MaxLanes(Tag<T>{}));
template <class T>
constexpr int vectors = lane_count / vector_lanes<T>;

/// Returns a · b + c, rounded once. Without the instruction, a library function does it for each number.
template <class T>
HWY_INLINE Vector<T> fused(Vector<T> a, Vector<T> b, Vector<T> c) {
    const Tag<T> d;
    if constexpr (HWY_NATIVE_FMA) {
        return hn::MulAdd(a, b, c);
    } else {
        HWY_ALIGN T x[vector_lanes<T>], y[vector_lanes<T>], z[vector_lanes<T>];
        hn::Store(a, d, x), hn::Store(b, d, y), hn::Store(c, d, z);
        for (int i = 0; i < vector_lanes<T>; ++i) z[i] = std::fma(x[i], y[i], z[i]);
        return hn::Load(d, z);
    }
}

/// Sixteen numbers.
template <class T>
struct Lanes {
    Vector<T> part[vectors<T>];

    static HWY_INLINE Lanes load(const T* from) {
        Lanes x;
        for (int i = 0; i < vectors<T>; ++i) x.part[i] = hn::Load(Tag<T>{}, from + i * vector_lanes<T>);
        return x;
    }
    static HWY_INLINE Lanes all(T number) {
        Lanes x;
        for (int i = 0; i < vectors<T>; ++i) x.part[i] = hn::Set(Tag<T>{}, number);
        return x;
    }
    HWY_INLINE void store(T* to) const {
        for (int i = 0; i < vectors<T>; ++i) hn::Store(part[i], Tag<T>{}, to + i * vector_lanes<T>);
    }
    friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Add(a.part[i], b.part[i]);
        return a;
    }
    friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Sub(a.part[i], b.part[i]);
        return a;
    }
    friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Mul(a.part[i], b.part[i]);
        return a;
    }
    friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Div(a.part[i], b.part[i]);
        return a;
    }
    friend HWY_INLINE Lanes max(Lanes a, Lanes b) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Max(a.part[i], b.part[i]);
        return a;
    }
    friend HWY_INLINE Lanes square_root(Lanes a) {
        for (int i = 0; i < vectors<T>; ++i) a.part[i] = hn::Sqrt(a.part[i]);
        return a;
    }
    /// Returns a · b + c, rounded once.
    friend HWY_INLINE Lanes fma(Lanes a, Lanes b, Lanes c) {
        for (int i = 0; i < vectors<T>; ++i) c.part[i] = fused<T>(a.part[i], b.part[i], c.part[i]);
        return c;
    }
    /// Returns the lanes where x ≥ least, and 0 in the others.
    friend HWY_INLINE Lanes where_at_least(Lanes x, T least, Lanes value) {
        const Tag<T> d;
        for (int i = 0; i < vectors<T>; ++i)
            value.part[i] = hn::IfThenElseZero(hn::Ge(x.part[i], hn::Set(d, least)), value.part[i]);
        return value;
    }
};

struct AddLanes {
    template <class X>
    HWY_INLINE X operator()(X a, X b) const {
        return hn::Add(a, b);
    }
    HWY_INLINE float operator()(float a, float b) const { return a + b; }
    HWY_INLINE double operator()(double a, double b) const { return a + b; }
};
struct MaxLane {
    template <class X>
    HWY_INLINE X operator()(X a, X b) const {
        return hn::Max(a, b);
    }
    HWY_INLINE float operator()(float a, float b) const { return std::max(a, b); }
    HWY_INLINE double operator()(double a, double b) const { return std::max(a, b); }
};

/// Combines the lower with the upper half of a vector until one number is left.
template <class Combine, class D>
HWY_INLINE hn::TFromD<D> fold_halves(D d, hn::Vec<D> x) {
    constexpr int lanes = static_cast<int>(hn::MaxLanes(D{}));
#if HWY_TARGET != HWY_SCALAR
    if constexpr (lanes > 4) {
        const hn::Half<D> half;
        return fold_halves<Combine>(half, Combine{}(hn::LowerHalf(half, x), hn::UpperHalf(half, x)));
    }
#endif
    HWY_ALIGN hn::TFromD<D> numbers[lanes];
    hn::Store(x, d, numbers);
    for (int half = lanes / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) numbers[i] = Combine{}(numbers[i], numbers[i + half]);
    return numbers[0];
}
template <class Combine, class T>
HWY_INLINE T fold(Lanes<T> x) {
    for (int half = vectors<T> / 2; half > 0; half /= 2)
        for (int i = 0; i < half; ++i) x.part[i] = Combine{}(x.part[i], x.part[i + half]);
    return fold_halves<Combine>(Tag<T>{}, x.part[0]);
}

/// Returns the sum of all lanes: lane i and lane i + 8, then i and i + 4, i and i + 2, the last two.
template <class T>
HWY_INLINE T sum_of_lanes(Lanes<T> x) {
    return fold<AddLanes>(x);
}
template <class T>
HWY_INLINE T max_of_lanes(Lanes<T> x) {
    return fold<MaxLane>(x);
}

/// 1 in the first lanes and 0 in the others, for any number of first lanes.
template <class T>
HWY_INLINE Lanes<T> first_lanes(int count) {
    alignas(64) static constexpr T ones_and_zeros[2 * lane_count] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    Lanes<T> x;
    for (int i = 0; i < vectors<T>; ++i)
        x.part[i] = hn::LoadU(Tag<T>{}, ones_and_zeros + lane_count - count + i * vector_lanes<T>);
    return x;
}

/// Constants of `exp`.
template <class T>
constexpr T inverse_factorial(int n) {
    T factorial = 1;
    for (int i = 2; i <= n; ++i) factorial *= static_cast<T>(i);
    return 1 / factorial;
}
template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
    static constexpr float log2e = 0x1.715476p+0f, ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
    static constexpr float round = 0x1.8p23f;
    static constexpr int degree = 7, mantissa_bits = 23;
};
template <>
struct ExpConstants<double> {
    static constexpr double log2e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    static constexpr double round = 0x1.8p52;
    static constexpr int degree = 13, mantissa_bits = 52;
};

/// Returns exp(x) for −87 ≤ x ≤ 88: 2^n · exp(x − n ln 2) with the polynomial of Taylor, within 1e-7 in float.
template <class T>
HWY_INLINE Lanes<T> exp(Lanes<T> x) {
    using C = ExpConstants<T>;
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const Tag<T> d;
    const hn::Rebind<Bits, Tag<T>> di;
    for (int i = 0; i < vectors<T>; ++i) {
        const auto shifted = fused<T>(x.part[i], hn::Set(d, C::log2e), hn::Set(d, C::round));
        const auto power = hn::Sub(shifted, hn::Set(d, C::round));
        auto rest = fused<T>(power, hn::Set(d, -C::ln2_high), x.part[i]);
        rest = fused<T>(power, hn::Set(d, -C::ln2_low), rest);
        // The highest powers first.
        static constexpr T coefficients[] = {
            inverse_factorial<T>(0),  inverse_factorial<T>(1), inverse_factorial<T>(2),  inverse_factorial<T>(3),
            inverse_factorial<T>(4),  inverse_factorial<T>(5), inverse_factorial<T>(6),  inverse_factorial<T>(7),
            inverse_factorial<T>(8),  inverse_factorial<T>(9), inverse_factorial<T>(10), inverse_factorial<T>(11),
            inverse_factorial<T>(12), inverse_factorial<T>(13)};
        auto sum = hn::Set(d, coefficients[C::degree]);
        HWY_UNROLL(16)
        for (int n = C::degree - 1; n >= 0; --n) sum = fused<T>(sum, rest, hn::Set(d, coefficients[n]));
        x.part[i] =
            hn::BitCast(d, hn::Add(hn::BitCast(di, sum), hn::ShiftLeft<C::mantissa_bits>(hn::BitCast(di, shifted))));
    }
    return x;
}

/// Constants of `reciprocal`: the bits whose difference from those of x are a guess within 13 %, and how often it is
/// improved.
template <class T>
struct ReciprocalConstants;
template <>
struct ReciprocalConstants<float> {
    static constexpr std::int32_t bits = 0x7ef311c3;
    static constexpr int improvements = 3;
};
template <>
struct ReciprocalConstants<double> {
    static constexpr std::int64_t bits = 0x7fde6238502484ba;
    static constexpr int improvements = 5;
};

/// Returns 1/x for x ≥ 1, within 1 ulp and faster than a division: Newton's iteration.
template <class T>
HWY_INLINE Lanes<T> reciprocal(Lanes<T> x) {
    using C = ReciprocalConstants<T>;
    using Bits = std::remove_cv_t<decltype(C::bits)>;
    const Tag<T> d;
    const hn::Rebind<Bits, Tag<T>> di;
    for (int i = 0; i < vectors<T>; ++i) {
        auto guess = hn::BitCast(d, hn::Sub(hn::Set(di, C::bits), hn::BitCast(di, x.part[i])));
        const auto minus = hn::Neg(x.part[i]);
        HWY_UNROLL(8)
        for (int n = 0; n < C::improvements; ++n)
            guess = fused<T>(fused<T>(minus, guess, hn::Set(d, T{1})), guess, guess);
        x.part[i] = guess;
    }
    return x;
}

}  // namespace
}  // namespace ropewalk::training::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
