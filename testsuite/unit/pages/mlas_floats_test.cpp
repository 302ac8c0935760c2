// SPDX-License-Identifier: Apache-2.0
// The polynomials of systems.onnxruntime.polynomials against machine floats: floats of every exponent and both signs, the ends of each piece with their
// neighbours, and what is no finite number.
#include "testsuite/oracle/onnx/mlas_floats.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

/// 64 floats of every exponent that a finite float has, then the ends.
Floats floats_of_all_sizes() {
  std::mt19937 engine(81);
  Floats values;
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent)
    for (int i = 0; i < 64; ++i) values.push_back(std::bit_cast<float>((static_cast<std::uint32_t>(engine()) & 0x807fffffU) | (exponent << 23U)));
  for (float end : {0.0f, 9.0f, 18.0f, 0.921875f, 3.925f, 5.5508f, 103.9720840454f, 88.7762626647950f, 88.72284f, 87.33655f, std::numeric_limits<float>::max()})
    for (float near : {end, std::nextafter(end, 200.0f), std::nextafter(end, 0.0f)})
      for (float sign : {1.0f, -1.0f}) values.push_back(sign * near);
  for (float special : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    values.push_back(special);
  return values;
}

/// Drawn evenly between -limit and limit, where the functions are neither straight nor flat.
Floats floats_within(float limit) {
  std::mt19937 engine(82);
  Floats values;
  for (int i = 0; i < 20000; ++i) values.push_back(limit * (static_cast<float>(engine() % (1U << 24U)) * 0x1p-23f - 1.0f));
  return values;
}

bool same_bits_or_nan(float a, float b) { return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

int wrong_values(const std::string& op, bool is_tanh_form, const Floats& values, bool fused) {
  Profile profile = **spec_pages()->find_profile("reference");
  profile.choices["onnx." + op + "/form"] = ProfileValue{.alternative = "polynomials"};
  profile.choices["systems.onnxruntime.polynomials/step"] = ProfileValue{.alternative = fused ? "fused" : "apart"};
  OpCall call{.op = "onnx." + op, .operands = {vector_tensor("f32", Floats(values.size()))}, .version = 20, .where = op};
  for (std::size_t i = 0; i < values.size(); ++i) call.operands[0]->set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(values[i]));
  if (is_tanh_form) call.attributes = {{"approximate", Attribute{std::string("tanh")}}};
  auto answer = evaluate({*spec_pages(), profile}, call);
  EXPECT_TRUE(answer) << to_text(answer.error());
  if (!answer) return -1;
  int differing = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = oracle::mlas_function(is_tanh_form ? "GeluTanh" : op, values[i], fused),
                given = f32_at(answer->front().tensor, static_cast<std::int64_t>(i));
    if (!same_bits_or_nan(given, expected) && differing++ < 3) ADD_FAILURE() << op << " of " << values[i] << ": " << given << ", expected " << expected;
  }
  return differing;
}

TEST(MlasFloats, EveryFunctionWithOneRoundingAStepAndWithTwo) {
  for (bool fused : {true, false})
    for (const auto& [op, limit] : std::map<std::string, float>{{"Tanh", 10.0f}, {"Sigmoid", 20.0f}, {"Erf", 4.5f}, {"Exp", 110.0f}, {"Gelu", 8.0f}})
      for (bool is_tanh_form : {false, true}) {
        if (is_tanh_form && op != "Gelu") continue;
        EXPECT_EQ(wrong_values(op, is_tanh_form, floats_of_all_sizes(), fused), 0) << op;
        EXPECT_EQ(wrong_values(op, is_tanh_form, floats_within(limit), fused), 0) << op;
      }
}

}  // namespace
}  // namespace tiebreak
