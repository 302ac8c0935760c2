// SPDX-License-Identifier: Apache-2.0
// Published numbers about requantization under the profile of the system they belong to: TensorFlow Lite's and gemmlowp's own tests, TVM's 270 cases, and
// the inputs that tell the families apart.
#include <cmath>
#include <map>

#include "testsuite/oracle/quantized/requantize_variant.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {
namespace {

Tensor f32_number(double value) { return exact_scalar("f32", Real::from_double(static_cast<double>(static_cast<float>(value)))); }
Tensor f64_number(double value) { return exact_scalar("f64", Real::from_double(value)); }

Tensor line_of_codes(const std::string& type, const std::vector<std::int64_t>& values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  Tensor tensor = *Tensor::zeros({*ElementType::parse(type), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(values[i]));
  return tensor;
}

AttributeMap output(const std::string& type) { return {{"output_dtype", Attribute{*ElementType::parse(type)}}}; }

/// Codes of one result, INT64_MIN where it is undefined.
std::vector<std::int64_t> codes_under(const Profile& profile, const OpCall& call) {
  auto results = evaluate({*spec_pages(), profile}, call);
  EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
  std::vector<std::int64_t> values;
  if (!results) return values;
  const ResultTensor& y = results->front();
  for (std::int64_t i = 0; i < y.tensor.size(); ++i) {
    const bool undefined = !y.undefined.empty() && y.undefined[static_cast<std::size_t>(i)] != 0;
    values.push_back(undefined ? INT64_MIN : *y.tensor.value(i).to_int64());
  }
  return values;
}
const Profile& named_profile(const std::string& name) { return **spec_pages()->find_profile(name); }

std::int64_t requantized(const std::string& profile, std::int64_t acc, double x, double w, double y, std::int64_t zero_point = 0,
                         const std::string& type = "i8") {
  return codes_under(named_profile(profile),
                     {.op = "quant.requantize",
                      .operands = {line_of_codes("i32", {acc}), f32_number(x), f32_number(w), f32_number(y), exact_scalar("i32", Real(zero_point))},
                      .attributes = output(type)})[0];
}

/// A profile that shows a mantissa as a code: acc = 2^(31 - exponent) times the factor, rounded once, uncut.
Profile mantissa_profile(const std::string& name) {
  Profile profile = named_profile(name);
  profile.choices["quant.requantize/code"].alternative = "one_stage";
  profile.choices["quant.requantize_integer/cut"].alternative = "exact";
  profile.choices["quant.requantize_integer/total"].alternative = "exact";
  return profile;
}
std::int64_t mantissa_of(const Profile& profile, double factor, std::int64_t exponent) {
  return codes_under(
      profile,
      {.op = "quant.requantize", .operands = {line_of_codes("i64", {std::int64_t{1} << (31 - exponent)}), f64_number(factor)}, .attributes = output("i64")})[0];
}

/// QuantizeMultiplier of LiteRT f6745779, tflite/kernels/internal/quantization_util_test.cc: a factor, its mantissa and its exponent.
struct StatedMultiplier {
  double factor;
  std::int64_t mantissa, exponent;
};
constexpr StatedMultiplier stated_multipliers[] = {{0x1p-2, 1073741824, -1},
                                                   {0x1.ffffffaa19c47p-2, 2147483627, -1},
                                                   {0x1.fffffffe4832p-2, 1073741824, 0},
                                                   {0x1p-1, 1073741824, 0},
                                                   {0x1.8p-1, 1610612736, 0},
                                                   {0x1.fffffff768fa1p-1, 2147483646, 0},
                                                   {0x1.000000000afecp+0, 1073741824, 1},
                                                   {0x1.4p+0, 1342177280, 1},
                                                   {0x1.8p+0, 1610612736, 1},
                                                   {0x1.cp+0, 1879048192, 1},
                                                   {0x1.fffffffbb47dp+0, 2147483647, 1},
                                                   {0x1.fffffffff5014p+0, 1073741824, 2},
                                                   {0x1p+1, 1073741824, 2},
                                                   {0x1p-31, 1073741824, -30},
                                                   {0x1p-32, 1073741824, -31},
                                                   {0x1.fae147ae147aep-33, 0, 0},
                                                   {0x1p-33, 0, 0}};

/// PreprocessSoftmaxScaling of the same file, in both builds.
struct StatedSoftmax {
  bool single;  ///< built with one rounding
  double beta, scale;
  int int_bits;
  std::int64_t mantissa, exponent;
};
constexpr StatedSoftmax stated_softmax[] = {{false, 1, 16, 4, 2147483647, 31}, {false, 1, 8, 4, 1073741824, 31}, {false, 2, 16, 5, 2147483647, 31},
                                            {false, 2, 8, 5, 1073741824, 31},  {true, 1, 8, 4, 2147483646, 30},  {true, 1, 4, 4, 1073741824, 30}};

TEST(RequantizeTable, TfliteMultipliers) {
  const Profile twice = mantissa_profile("tflite-ref-double"), once = mantissa_profile("tflite-ref-single");
  for (const auto& [factor, mantissa, exponent] : stated_multipliers) {
    EXPECT_EQ(mantissa_of(twice, factor, exponent), mantissa) << factor;
    oracle::PreparedRequantize pair;
    oracle::to_q31(factor, pair);
    oracle::flush_far(pair);
    EXPECT_EQ(pair.mantissa, mantissa) << factor;
    EXPECT_EQ(pair.exponent, exponent) << factor;
  }
  for (const StatedSoftmax& row : stated_softmax) {
    const double scaled = row.beta * row.scale * std::ldexp(1.0, 31 - row.int_bits);
    EXPECT_EQ(mantissa_of(row.single ? once : twice, std::min(scaled, row.single ? 0x1p30 - 1 : 0x1p31 - 1), row.exponent), row.mantissa) << row.beta;
  }
}

const Tensor& input_named(const Case& test, const std::string& name) {
  std::size_t position = 0;
  while (test.program.values[static_cast<std::size_t>(test.program.inputs[position])].name != name) ++position;
  return test.inputs[position];
}
std::int64_t whole_input(const Case& test, const std::string& name) { return *input_named(test, name).value(0).to_int64(); }

/// By the attributes of the call, or what they are where the case's context does not say.
std::string tvm_profile(const Case& test) {
  const AttributeMap& attributes = test.program.operations.front().attributes;
  const auto rounding = attributes.find("rounding"), type = attributes.find("compute_dtype");
  const bool tonearest = rounding != attributes.end() ? rounding->second.as_string() == "TONEAREST" : test.stated.contains("tvm-0.18-int64-tonearest");
  const std::map<std::string, std::string> types{{"i64", "int64"}, {"f32", "f32"}, {"f64", "f64"}};
  const std::string word = type == attributes.end() ? "i64" : std::string(std::get<ElementType>(type->second.value).name());
  return "tvm-0.18-" + types.at(word) + (tonearest ? "-tonearest" : "-upward");
}

/// The call of qnn.requantize as one of quant.requantize, which has no zero point of the accumulator.
OpCall tvm_requantize(const Case& test) {
  const Tensor& data = input_named(test, "data");
  const std::int64_t zero_point = whole_input(test, "input_zero_point");
  std::vector<std::int64_t> accumulators;
  for (std::int64_t i = 0; i < data.size(); ++i) accumulators.push_back(*data.value(i).to_int64() - zero_point);
  const AttributeMap& attributes = test.program.operations.front().attributes;
  return {.op = "quant.requantize",
          .operands = {line_of_codes("i32", accumulators, data.shape()), f32_number(1), input_named(test, "input_scale"), input_named(test, "output_scale"),
                       exact_scalar("i32", Real(whole_input(test, "output_zero_point")))},
          .attributes = {{"output_dtype", attributes.at("out_dtype")}, {"axis", attributes.at("axis")}},
          .where = test.id};
}

std::vector<Case> tvm_cases(const std::string& file) {
  auto cases = load_cases(*spec_pages(), std::string(TIEBREAK_SOURCE_DIR) + "/testsuite/published/tvm/" + file);
  EXPECT_TRUE(cases) << (cases ? "" : to_text(cases.error()));
  return cases ? *std::move(cases) : std::vector<Case>{};
}

std::vector<std::int64_t> stated_codes(const Case& test) {
  std::vector<std::int64_t> codes;
  for (const std::string& element : test.stated.begin()->second.front().elements) codes.push_back(std::stoll(element));
  return codes;
}

TEST(RequantizeTable, TvmRequantize) {
  std::map<std::string, int> equal;
  int total = 0;
  for (const Case& test : tvm_cases("requantize.json")) {
    const std::string profile = tvm_profile(test);
    EXPECT_EQ(codes_under(named_profile(profile), tvm_requantize(test)), stated_codes(test)) << test.id << " " << profile;
    ++equal[profile];
    ++total;
  }
  for (const auto& [name, count] : equal) std::printf("  %-28s %3d cases equal\n", name.c_str(), count);
  EXPECT_EQ(total, 270);
}

/// The source allows a difference of 1; the value is equal.
TEST(RequantizeTable, TvmFixedPointMultiply) {
  const std::vector<Case> cases = tvm_cases("fixed_point_multiply.json");
  ASSERT_EQ(cases.size(), 1u);
  const AttributeMap& attributes = cases.front().program.operations.front().attributes;
  const OpCall call{.op = "quant.requantize_integer",
                    .operands = {input_named(cases.front(), "data"), exact_scalar("i32", Real(*attributes.at("multiplier").as_integer())),
                                 exact_scalar("i32", Real(*attributes.at("shift").as_integer()))},
                    .attributes = output("i32")};
  EXPECT_EQ(codes_under(named_profile("tvm-0.18-int64-upward"), call), std::vector<std::int64_t>{1});
}

/// One input, and the profiles whose answers it tells apart.
struct Separation {
  const char* what;
  std::int64_t acc;
  double x, w, y;
  std::int64_t zero_point;
  std::map<std::int64_t, std::vector<const char*>> answers;
};

TEST(RequantizeTable, InputsThatTellTheFamiliesApart) {
  const Separation separations[] = {
      {"0.25 rounded twice",
       1,
       1,
       1,
       4,
       0,
       {{1, {"tflite-ref-double", "tflite-neon-4rows", "xnnpack-rndnu16", "qnnpack-q31", "gemmlowp", "tflm-cmsis-nn"}},
        {0,
         {"tflite-ref-single", "tflite-ruy-single", "tflite-avx2-utils", "xnnpack-fp32", "xnnpack-rndnu", "qnnpack-precise", "fbgemm", "onednn-v2", "onednn-v3",
          "reference"}}}},
      {"-0.5 after a rounding",
       -3,
       1,
       1,
       6,
       0,
       {{-1, {"tflite-ref-double", "xnnpack-rndnu", "xnnpack-rndnu16", "qnnpack-precise", "qnnpack-q31"}},
        {0, {"tflite-ref-single", "tflite-neon-4rows", "xnnpack-fp32"}}}},
      {"a negative tie",
       -1,
       1,
       1,
       2,
       0,
       {{-1, {"tflite-avx2-utils", "qnnpack-precise", "tflite-int16-double", "armnn-cpuref"}},
        {0, {"tflite-ref-double", "tflite-ref-single", "xnnpack-fp32", "xnnpack-rndnu", "onednn-v2"}}}},
      {"f32(0.01) is below 0.01",
       50,
       1,
       1,
       100,
       0,
       {{1, {"tflite-ref-double", "tflite-ref-single", "tflite-neon-4rows", "tflite-ruy-single", "xnnpack-rndnu16"}},
        {0, {"xnnpack-fp32", "xnnpack-rndnu", "fbgemm", "onednn-v2"}}}},
      {"2^31 in int32",
       1 << 30,
       2,
       1,
       1,
       0,
       {{-128, {"xnnpack-rndnu", "fbgemm-vector"}}, {127, {"xnnpack-fp32", "xnnpack-rndnu-neon", "fbgemm", "onednn-v2"}}, {0, {"tflite-ref-double"}}}},
      {"tensorflow#102943",
       585,
       0.05296124517917633,
       0.024093778803944588,
       0.11484327912330627,
       -126,
       {{-120, {"xnnpack-fp32", "xnnpack-rndnu16"}}, {-119, {"tflite-ref-double", "tflite-ref-single", "xnnpack-rndnu", "reference"}}}},
      {"zero point before the rounding",
       1,
       1,
       1,
       2,
       1,
       {{1, {"xnnpack-fp32", "fbgemm", "stablehlo-interpreter-dot"}},
        {2, {"onednn-v2", "onednn-v3", "stablehlo-interpreter", "armnn-cpuref", "tflite-ref-single"}}}},
      {"half away after the zero point",
       -1,
       1,
       1,
       2,
       1,
       {{1, {"tvm-0.18-f32-tonearest", "tvm-0.18-f64-tonearest", "tvm-0.18-int64-upward"}}, {0, {"tvm-0.18-int64-tonearest", "armnn-cpuref"}}}},
      {"half a unit beyond int32",
       2147483647,
       1,
       1,
       2,
       0,
       {{-128, {"tvm-0.18-int64-upward"}}, {127, {"tvm-0.18-int64-tonearest", "tvm-0.18-aarch64", "tvm-0.18-hexagon"}}}},
  };
  for (const Separation& s : separations)
    for (const auto& [answer, profiles] : s.answers)
      for (const char* profile : profiles) EXPECT_EQ(requantized(profile, s.acc, s.x, s.w, s.y, s.zero_point), answer) << s.what << ": " << profile;
  // tensorflow#25087: 7984 * 1583594044 * 2^-9 / 2^31.
  const OpCall call{.op = "quant.requantize_integer",
                    .operands = {line_of_codes("i32", {7984}), exact_scalar("i32", Real(1583594044)), exact_scalar("i32", Real(-9))},
                    .attributes = output("i32")};
  EXPECT_EQ(codes_under(named_profile("tflite-ref-double"), call)[0], 12);
  EXPECT_EQ(codes_under(named_profile("tflite-ref-single"), call)[0], 11);
}

/// Two roundings differ from one on 2^(30 - shift) of the accumulators, always away from zero, and at most once a stair.
TEST(RequantizeTable, RateOfDoubleRounding) {
  const std::int64_t multiplier = 1357924681;
  for (int shift : {32, 33, 34, 36}) {
    std::vector<std::int64_t> accumulators;
    for (std::int64_t v = -(1 << 17); v < 1 << 17; ++v) accumulators.push_back(v);
    const OpCall call{.op = "quant.requantize_integer",
                      .operands = {line_of_codes("i32", accumulators), exact_scalar("i32", Real(multiplier)), exact_scalar("i32", Real(31 - shift))},
                      .attributes = output("i32")};
    const auto once = codes_under(named_profile("tflite-ref-single"), call), twice = codes_under(named_profile("tflite-ref-double"), call);
    std::int64_t differ = 0;
    for (std::size_t i = 0; i < once.size(); ++i) {
      if (once[i] == twice[i]) continue;
      ++differ;
      ASSERT_EQ(twice[i] - once[i], accumulators[i] > 0 ? 1 : -1);
    }
    const double predicted = std::ldexp(1.0, 30 - shift), seen = static_cast<double>(differ) / static_cast<double>(once.size());
    EXPECT_NEAR(seen / predicted, 1, 0.02) << shift;
    std::printf("  shift %d: %.4f %% differ, %.4f %% predicted\n", shift, 100 * seen, 100 * predicted);
  }
}

}  // namespace
}  // namespace tiebreak
