// SPDX-License-Identifier: Apache-2.0
// Calls of com.microsoft ops on plain numbers, for tests against the oracle.
#pragma once
#include <algorithm>
#include <cmath>

#include "testsuite/oracle/onnx/microsoft_elementwise.hpp"
#include "testsuite/unit/helpers/draw.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {

inline Tensor code_tensor(const std::string& type, std::int64_t code) { return codes_tensor(type, {}, {code}); }

inline Tensor scale_tensor(float scale) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {}, {}});
  tensor.set_code(0, *tensor.element().encode(Real::from_double(static_cast<double>(scale))));
  return tensor;
}

/// The first result of a call under a profile.
inline Result<Tensor> result_of(const OpCall& call, const std::string& profile) {
  auto library = spec_pages();
  auto found = library->find_profile(profile);
  if (!found) return tl::unexpected<Error>(found.error());
  auto results = evaluate({*library, **found}, call);
  if (!results) return tl::unexpected<Error>(results.error());
  return results->front().tensor;
}

/// Elements that are not what the oracle says.
inline int mismatches(const Tensor& actual, const std::vector<std::int64_t>& expected) {
  if (actual.size() != static_cast<std::int64_t>(expected.size())) return static_cast<int>(std::max<std::size_t>(1, expected.size()));
  int wrong = 0;
  for (std::int64_t i = 0; i < actual.size(); ++i) wrong += *actual.value(i).to_int64() != expected[static_cast<std::size_t>(i)] ? 1 : 0;
  return wrong;
}

}  // namespace tiebreak
