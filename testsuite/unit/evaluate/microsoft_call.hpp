// SPDX-License-Identifier: Apache-2.0
// Calls of com.microsoft ops on plain numbers, for tests against the oracle.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>

#include "testsuite/oracle/microsoft_elementwise.hpp"
#include "testsuite/unit/evaluate/published_tables.hpp"

namespace tiebreak {

inline Tensor codes_tensor(const std::string& type, Shape shape, const std::vector<std::int64_t>& codes) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(codes[i]));
  return tensor;
}

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
  auto results = evaluate(*library, **found, call);
  if (!results) return tl::unexpected<Error>(results.error());
  return results->front().tensor;
}

/// Numbers for parameters: the same on every machine, since only raw draws are used.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : engine_(seed) { std::printf("  seed %u\n", seed); }
  std::int64_t below(std::int64_t bound) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint32_t>(bound)); }
  float scale(float least, float greatest) { return least + (greatest - least) * static_cast<float>(below(1 << 20)) * 0x1p-20f; }
  std::int64_t code(oracle::CodeRange range) { return range.min + below(range.max - range.min + 1); }
  std::vector<std::int64_t> codes(oracle::CodeRange range, std::int64_t count) {
    std::vector<std::int64_t> drawn;
    for (std::int64_t i = 0; i < count; ++i) drawn.push_back(code(range));
    return drawn;
  }

 private:
  std::mt19937 engine_;
};

/// Elements that are not what the oracle says.
inline int mismatches(const Tensor& actual, const std::vector<std::int64_t>& expected) {
  if (actual.size() != static_cast<std::int64_t>(expected.size())) return static_cast<int>(std::max<std::size_t>(1, expected.size()));
  int wrong = 0;
  for (std::int64_t i = 0; i < actual.size(); ++i) wrong += *actual.value(i).to_int64() != expected[static_cast<std::size_t>(i)] ? 1 : 0;
  return wrong;
}

}  // namespace tiebreak
