// SPDX-License-Identifier: Apache-2.0
// Every operation is IEEE's, lane by lane: ends are the same by every instruction set. This file is compiled once for each.
#include "interpreter/simd/enclosure_loops.hpp"

#include <algorithm>
#include <limits>

#include "interpreter/simd/targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "interpreter/simd/enclosure_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tiebreak::simd {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;
using Vector = hn::Vec<Lanes>;
using Mask = hn::Mask<Lanes>;
constexpr std::size_t width = hn::MaxLanes(Lanes());

struct Pair {
  Vector low, high;
};

HWY_INLINE Vector number(double v) { return hn::Set(Lanes(), v); }

/// A single number where `exact`; else ends that are off by at most 2^-53 of themselves, or by less than 2^-1022, moved outward by more than that. Unknown
/// where an end or `check` is not finite.
HWY_INLINE Pair settled(Mask exact, Vector low, Vector high, Vector check) {
  const auto slack = [](Vector v) { return hn::Add(hn::Mul(hn::Abs(v), number(0x1p-51)), number(0x1p-1000)); };
  const Vector below = hn::Sub(low, slack(low)), above = hn::Add(high, slack(high));
  const auto finite = [](Vector v) { return hn::Lt(hn::Abs(v), number(std::numeric_limits<double>::infinity())); };
  const Mask known = hn::And(hn::And(finite(below), finite(above)), finite(check));
  const Vector nan = number(std::numeric_limits<double>::quiet_NaN());
  return {hn::IfThenElse(known, hn::IfThenElse(exact, low, below), nan), hn::IfThenElse(known, hn::IfThenElse(exact, high, above), nan)};
}

HWY_INLINE Mask are_numbers(Pair a, Pair b) { return hn::And(hn::Eq(a.low, a.high), hn::Eq(b.low, b.high)); }
HWY_INLINE Mask is_zero(Vector v) { return hn::Eq(v, hn::Zero(Lanes())); }

/// What the rounded product of two numbers lost. Far from the ends of double's range, elsewhere anything but zero or nan.
HWY_INLINE Vector lost_by_product(Vector a, Vector b, Vector product) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, product);
#else
  // Dekker's product of halves.
  const auto head = [](Vector v) {
    const Vector far = hn::Mul(v, number(0x1p27 + 1));
    return hn::Sub(far, hn::Sub(far, v));
  };
  const Vector a_high = head(a), b_high = head(b), a_low = hn::Sub(a, a_high), b_low = hn::Sub(b, b_high);
  const Vector most = hn::Add(hn::Add(hn::Sub(hn::Mul(a_high, b_high), product), hn::Mul(a_high, b_low)), hn::Mul(a_low, b_high));
  return hn::Add(most, hn::Mul(a_low, b_low));
#endif
}

struct Sum {
  static HWY_INLINE Pair of(Pair a, Pair b) {
    const Vector low = hn::Add(a.low, b.low), high = hn::Add(a.high, b.high);
    const Vector shadow = hn::Sub(low, a.low), lost = hn::Add(hn::Sub(a.low, hn::Sub(low, shadow)), hn::Sub(b.low, shadow));
    const Mask exact = hn::AndNot(is_zero(low), hn::And(are_numbers(a, b), is_zero(lost)));
    return settled(exact, low, high, low);
  }
};

struct Difference {
  static HWY_INLINE Pair of(Pair a, Pair b) { return Sum::of(a, {hn::Neg(b.high), hn::Neg(b.low)}); }
};

struct Product {
  static HWY_INLINE Pair of(Pair a, Pair b) {
    const Vector p = hn::Mul(a.low, b.low), q = hn::Mul(a.low, b.high), r = hn::Mul(a.high, b.low), s = hn::Mul(a.high, b.high);
    const Mask ordinary = hn::And(hn::Gt(hn::Abs(p), number(0x1p-900)), hn::Lt(hn::Abs(p), number(0x1p900)));
    const Mask held = hn::Or(hn::Or(is_zero(a.low), is_zero(b.low)), hn::And(ordinary, is_zero(lost_by_product(a.low, b.low, p))));
    return settled(hn::And(are_numbers(a, b), held), hn::Min(hn::Min(p, q), hn::Min(r, s)), hn::Max(hn::Max(p, q), hn::Max(r, s)),
                   hn::Add(hn::Add(p, q), hn::Add(r, s)));
  }
};

HWY_INLINE Pair load(Ends ends, std::size_t i) {
  if (ends.uniform) return {number(ends.low[0]), number(ends.high[0])};
  return {hn::LoadU(Lanes(), ends.low + i), hn::LoadU(Lanes(), ends.high + i)};
}

/// The last lanes, fewer than a vector has.
struct Rest {
  double low[width] = {}, high[width] = {};
  Ends of(Ends ends, std::size_t first, std::size_t count) {
    if (ends.uniform) return ends;
    std::copy_n(ends.low + first, count, low);
    std::copy_n(ends.high + first, count, high);
    return {low, high, false};
  }
};

template <class Operation>
HWY_INLINE void run(Ends a, Ends b, std::size_t count, double* low, double* high) {
  std::size_t i = 0;
  for (; i + width <= count; i += width) {
    const Pair ends = Operation::of(load(a, i), load(b, i));
    hn::StoreU(ends.low, Lanes(), low + i);
    hn::StoreU(ends.high, Lanes(), high + i);
  }
  if (i == count) return;
  Rest left, right;
  const Pair ends = Operation::of(load(left.of(a, i, count - i), 0), load(right.of(b, i, count - i), 0));
  hn::StoreU(ends.low, Lanes(), left.low);
  hn::StoreU(ends.high, Lanes(), left.high);
  std::copy_n(left.low, count - i, low + i);
  std::copy_n(left.high, count - i, high + i);
}

void add(Ends a, Ends b, std::size_t count, double* low, double* high) { run<Sum>(a, b, count, low, high); }
void subtract(Ends a, Ends b, std::size_t count, double* low, double* high) { run<Difference>(a, b, count, low, high); }
void multiply(Ends a, Ends b, std::size_t count, double* low, double* high) { run<Product>(a, b, count, low, high); }

}  // namespace HWY_NAMESPACE
}  // namespace tiebreak::simd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tiebreak::simd {
namespace {

HWY_EXPORT(add);
HWY_EXPORT(subtract);
HWY_EXPORT(multiply);

}  // namespace

void add_ends(Ends a, Ends b, std::size_t count, double* low, double* high) { HWY_DYNAMIC_DISPATCH(add)(a, b, count, low, high); }
void subtract_ends(Ends a, Ends b, std::size_t count, double* low, double* high) { HWY_DYNAMIC_DISPATCH(subtract)(a, b, count, low, high); }
void multiply_ends(Ends a, Ends b, std::size_t count, double* low, double* high) { HWY_DYNAMIC_DISPATCH(multiply)(a, b, count, low, high); }

}  // namespace tiebreak::simd
#endif
