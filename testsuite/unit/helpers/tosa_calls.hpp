// SPDX-License-Identifier: Apache-2.0
// Calls of TOSA's pages with drawn operands, and the comparison of their results with the oracle's.
#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"

namespace tiebreak::tosa_test {

inline constexpr std::uint64_t seed = 20230821;

class Draws {
 public:
  explicit Draws(std::uint64_t start) : engine_(start) {}
  std::int64_t between(std::int64_t least, std::int64_t greatest) {
    return least + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(greatest - least + 1));
  }
  bool once_in(std::int64_t count) { return between(1, count) == 1; }
  /// The end of the range now and then.
  std::int64_t code(int bits) {
    const std::int64_t end = std::int64_t{1} << (bits - 1);
    return once_in(8) ? (once_in(2) ? -end : end - 1) : between(-end, end - 1);
  }

 private:
  std::mt19937_64 engine_;
};

/// Whole numbers as codes of an integer type, or floats of f32.
inline Tensor tensor_of(const std::string& type, const Shape& shape, const std::vector<double>& values) {
  if (type == "f32") return floats_tensor(shape, Floats(values.begin(), values.end()));
  std::vector<std::int64_t> codes;
  for (double value : values) codes.push_back(static_cast<std::int64_t>(value));
  return codes_tensor(type, shape, codes);
}

inline Tensor one(const std::string& type, double value) { return tensor_of(type, {1}, {value}); }

/// A list of sizes or places.
inline Tensor numbers(const Shape& values) { return codes_tensor("i64", {static_cast<std::int64_t>(values.size())}, values); }

inline std::vector<std::optional<TensorType>> type_of(const std::string& type, const Shape& shape) {
  return {TensorType{*ElementType::parse(type), shape, {}}};
}

/// Elements where result and oracle part; the first is printed.
inline int wrong(const ResultTensor& result, const Shape& shape, const std::vector<std::optional<double>>& expected, const std::string& what) {
  EXPECT_EQ(result.tensor.shape(), shape) << what;
  if (result.tensor.shape() != shape || result.tensor.size() != static_cast<std::int64_t>(expected.size())) return 1;
  int count = 0;
  for (std::int64_t i = 0; i < result.tensor.size(); ++i) {
    const std::optional<double>& wanted = expected[static_cast<std::size_t>(i)];
    const bool undefined = !result.undefined.empty() && result.undefined[static_cast<std::size_t>(i)] != 0;
    const Real value = result.tensor.value(i);
    const bool same = undefined || !wanted ? undefined == !wanted
                      : std::isnan(*wanted)
                          ? value.is_nan()
                          : value.identical(Real::from_double(*wanted)) || (!result.tensor.element().is_float() && value.to_int64() == std::int64_t(*wanted));
    if (same) continue;
    if (++count == 1)
      ADD_FAILURE() << what << " element " << i << ": page " << (undefined ? "undefined" : value.to_decimal(17)) << ", oracle "
                    << (wanted ? std::to_string(*wanted) : "undefined");
  }
  return count;
}

inline int wrong(const ResultTensor& result, const Shape& shape, const std::vector<double>& expected, const std::string& what) {
  return wrong(result, shape, std::vector<std::optional<double>>(expected.begin(), expected.end()), what);
}

}  // namespace tiebreak::tosa_test
