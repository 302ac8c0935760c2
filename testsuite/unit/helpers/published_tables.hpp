// SPDX-License-Identifier: Apache-2.0
// Published numeric tables (JSON beside the checkout, never copied into it) as op calls.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace tiebreak {

using nlohmann::json;

inline std::string table_path(const std::string& name) { return std::string(TIEBREAK_SOURCE_DIR) + "/../shared/data/" + name; }

inline json read_table(const std::string& name) {
  std::ifstream file(table_path(name));
  return json::parse(file);
}

/// A tensor of the table: integers, codes of 8-bit floats, or decimals that round to the value.
inline Tensor table_tensor(const std::string& dtype, Shape shape, const json& data) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(dtype), std::move(shape), {}});
  const ElementType& type = tensor.element();
  for (std::size_t i = 0; i < data.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    if (type.is_float() && type.bits() == 8) {
      tensor.set_code(index, data[i].get<std::uint64_t>());
    } else if (type.is_float()) {
      tensor.set_code(index, *type.encode(*round_to(Real::from_double(data[i].get<double>()), type.floating())));
    } else {
      tensor.set_code(index, static_cast<std::uint64_t>(data[i].is_boolean() ? data[i].get<bool>() : data[i].get<std::int64_t>()));
    }
  }
  return tensor;
}

inline Attribute table_attribute(const json& value) {
  if (value.is_string()) return Attribute{value.get<std::string>()};
  if (value.is_array()) return Attribute::integers(value.get<std::vector<std::int64_t>>());
  if (value.is_number_float()) return Attribute{Real::from_double(value.get<double>())};
  return Attribute{Real(value.get<std::int64_t>())};
}

inline std::shared_ptr<const Library> spec_pages() {
  static const auto loaded = Library::load(std::string(TIEBREAK_SOURCE_DIR) + "/spec");
  EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.error()));
  return loaded ? *loaded : nullptr;
}

/// A profile with some choices taken otherwise.
inline Profile profile_with(const std::map<std::string, std::string>& choices, const std::string& base = "reference") {
  Profile profile = **spec_pages()->find_profile(base);
  for (const auto& [key, alternative] : choices) profile.choices[key] = ProfileValue{.alternative = alternative};
  return profile;
}

/// Elements of `actual` that are undefined or differ from `expected`. The tables write -0 as 0 and NaN as any of its
/// codes: zeros are equal here, and so are NaNs.
inline std::int64_t differing(const ResultTensor& actual, const Tensor& expected) {
  if (actual.tensor.shape() != expected.shape() || !(actual.tensor.element() == expected.element())) return std::max<std::int64_t>(1, expected.size());
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < expected.size(); ++i) {
    const bool undefined = !actual.undefined.empty() && actual.undefined[static_cast<std::size_t>(i)] != 0;
    const Real a = actual.tensor.value(i), e = expected.value(i);
    if (undefined || !(a == e || (a.is_nan() && e.is_nan()))) ++count;
  }
  return count;
}

}  // namespace tiebreak
