// SPDX-License-Identifier: Apache-2.0
// One operation in many lanes. The broadcast cases are loops of their own, so that compilers vectorize them.
#pragma once
#include <cstdint>
#include <span>

#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {

/// The lanes of an argument; `uniform`: its first value stands in every lane.
template <class T>
struct LaneArgument {
  const T* values = nullptr;
  bool uniform = false;
};

template <class Out, class In>
using LaneLoop = void (*)(std::span<Out> out, LaneArgument<In> a, LaneArgument<In> b);

/// out[i] = Function{}(a[i], b[i])
template <class Function, class Out, class In>
TIEBREAK_AVX2_COPY void run_lanes(std::span<Out> out, LaneArgument<In> a, LaneArgument<In> b) {
  constexpr Function function{};
  const std::size_t n = out.size();
  if (a.uniform) {
    const In x = a.values[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(function(x, b.values[b.uniform ? 0 : i]));
  } else if (b.uniform) {
    const In y = b.values[0];
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(function(a.values[i], y));
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<Out>(function(a.values[i], b.values[i]));
  }
}

/// An operation on machine numbers, where bounds prove it exact or a rounding follows at once. Operations of one argument take it twice.
struct LaneLoops {
  LaneLoop<std::int64_t, std::int64_t> integers = nullptr;
  LaneLoop<double, double> reals = nullptr;         ///< IEEE 754's own operation on doubles
  LaneLoop<double, double> singles = nullptr;       ///< the same, then rounded to binary32
  LaneLoop<std::uint8_t, double> truths = nullptr;  ///< of comparisons
  LaneLoop<float, float> floats = nullptr;          ///< IEEE 754's own operation on binary32; of comparisons 1 and 0
  double (*to_odd)(double, double) = nullptr;       ///< rounded to odd: every narrower rounding may follow (double_rounding.hpp)
};

template <class Function>
constexpr LaneLoops arithmetic_loops() {
  struct Single {
    float operator()(double a, double b) const { return static_cast<float>(Function{}(a, b)); }
  };
  return {.integers = run_lanes<Function, std::int64_t, std::int64_t>,
          .reals = run_lanes<Function, double, double>,
          .singles = run_lanes<Single, double, double>,
          .floats = run_lanes<Function, float, float>};
}

}  // namespace tiebreak
