// SPDX-License-Identifier: Apache-2.0
// Calls of scalar pages with machine numbers, for tests that compare profiles with the oracle's variants of the same names.
#pragma once
#include <cstring>
#include <optional>

#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {

inline Tensor scalar_tensor(const std::string& type, double value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {}, {}});
  const Real exact = Real::from_double(value);
  tensor.set_code(0, *tensor.element().encode(tensor.element().is_float() ? *round_to(exact, tensor.element().floating()) : exact));
  return tensor;
}

/// Codes, or values rounded to the type.
template <typename Number>
Tensor vector_tensor(const std::string& type, const std::vector<Number>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {static_cast<std::int64_t>(values.size())}, {}});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (tensor.element().is_float())
      tensor.set_code(index, *tensor.element().encode(*round_to(Real::from_double(static_cast<double>(values[i])), tensor.element().floating())));
    else tensor.set_code(index, static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])));
  }
  return tensor;
}

inline Result<std::vector<ResultTensor>> run_profile(const OpCall& call, const std::string& profile) {
  auto library = spec_pages();
  auto found = library->find_profile(profile);
  if (!found) return tl::unexpected<Error>(found.error());
  return evaluate({*library, **found}, call);
}

inline bool undefined_at(const ResultTensor& result, std::int64_t index) {
  return !result.undefined.empty() && result.undefined[static_cast<std::size_t>(index)] != 0;
}
/// The integer result, or nothing where it is undefined.
inline std::optional<std::int64_t> integer_at(const ResultTensor& result, std::int64_t index) {
  if (undefined_at(result, index)) return std::nullopt;
  return *result.tensor.value(index).to_int64();
}
inline double f64_at(const Tensor& tensor, std::int64_t index) {
  double value = 0;
  std::memcpy(&value, tensor.bytes().data() + index * 8, 8);
  return value;
}
inline std::string text_of(const std::optional<std::int64_t>& code) { return code ? std::to_string(*code) : "undefined"; }

}  // namespace tiebreak
