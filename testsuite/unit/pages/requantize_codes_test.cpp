// SPDX-License-Identifier: Apache-2.0
// Codes of 8 bits to codes of 8 bits, where a system may have one rule between equal types and another between different ones: every code, at and beside
// the factors at which the rules change.
#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/unit/helpers/requantize_points.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

constexpr int code_count = 256;

Tensor f32_scalar(float value) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), {}, {}});
  tensor.set_code(0, *tensor.element().encode(Real::from_double(static_cast<double>(value))));
  return tensor;
}
Tensor every_code(const std::string& type) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), {code_count}, {}});
  for (int i = 0; i < code_count; ++i) tensor.set_code(i, static_cast<std::uint64_t>(i));
  return tensor;
}

/// The limits of XNNPACK's conversion and their neighbours, what shifts can do and cannot, and factors between.
std::vector<float> factors() {
  std::vector<float> list{1.0f, 0.5f, 255.0f / 256.0f, 3.0f, 100.499f, 127.499f, 128.499f, 200.499f, 0x1p-9f, 0x1p8f, 0x1p23f, 0x1p24f};
  for (float v : {0x1.4p-31f, 0x1p-31f, 0x1p-32f, 0x1.fffffep-33f, 0x1p-33f, 0x1.8p29f, 0x1p30f, 0x1p31f, 0x1.4p32f, 0x1p100f}) list.push_back(v);
  for (float limit : {0x1p-8f, 0x1p7f})
    for (float v : {std::nextafter(limit, 0.0f), limit, std::nextafter(limit, 1000.0f)}) list.push_back(v);
  RequantizeRandom random(requantize_seed);
  while (list.size() < 250) list.push_back(random.positive(-11, 9));
  return list;
}

std::int64_t differing_codes(const Library& library, const oracle::RequantizeTwin& twin, const std::string& from, RequantizePoint point) {
  point.parameters.same_type = from == point.type;
  const oracle::RequantizeParameters& p = point.parameters;
  Tensor zero_point = *Tensor::zeros({*ElementType::parse("i32"), {}, {}});
  zero_point.set_code(0, static_cast<std::uint64_t>(p.zero_point) & 0xFFFFFFFFU);
  const Tensor accumulators = every_code(from);
  const OpCall call{.op = "quant.requantize",
                    .operands = {accumulators, f32_scalar(p.x_scale), f32_scalar(p.w_scale), f32_scalar(p.y_scale), zero_point},
                    .attributes = {{"output_dtype", Attribute{*ElementType::parse(point.type)}}}};
  const auto results = evaluate({library, **library.find_profile(std::string(twin.profile))}, call);
  if (!results) return code_count;
  const oracle::PreparedRequantize prepared = twin.prepare(p);
  std::int64_t wrong = 0;
  for (int i = 0; i < code_count; ++i) {
    const std::int64_t expected = twin.apply(prepared, *accumulators.value(i).to_int64());
    if (*results->front().tensor.value(i).to_int64() != expected && wrong++ == 0)
      ADD_FAILURE() << twin.profile << ", " << from << " to " << point.type << ": acc " << accumulators.value(i).to_string() << " scales " << p.x_scale << " / "
                    << p.y_scale << " zero point " << p.zero_point << ": twin " << expected;
  }
  return wrong;
}

TEST(RequantizeCodes, EveryCodeAtAndBesideTheLimitsOfTheFactor) {
  const auto library = spec_pages();
  ASSERT_TRUE(library);
  RequantizeRandom random(requantize_seed);
  std::int64_t wrong = 0, total = 0;
  for (const char* name : {"litert-xnnpack", "tflite-2023-xnnpack", "xnnpack-vcvt8", "tflite-2023-builtin", "tflite-ref-double"})
    for (float factor : factors())
      for (const char* from : {"i8", "u8"})
        for (const char* to : {"i8", "u8"}) {
          const float y = random.between(0, 1) == 0 ? 1.0f : random.positive(-3, 3);
          wrong += differing_codes(*library, *oracle::requantize_twin(name), from, requantize_point(to, factor * y, 1, y, random.between(0, 127)));
          total += code_count;
        }
  std::printf("  %lld codes, seed %llu\n", static_cast<long long>(total), static_cast<unsigned long long>(requantize_seed));
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(total, 1'000'000);
}

}  // namespace
}  // namespace tiebreak
