// SPDX-License-Identifier: Apache-2.0
// Blocks with a shared exponent, means of rows, fake quantization, biases and activation bounds against the oracle.
#include "testsuite/oracle/quantized/block_variants.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

struct RandomValues {
  std::uint64_t state = 20260103;
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
  }
  /// Of either sign, over many binades, often short numbers, so that ties and powers of two occur.
  float value() {
    const int exponent = static_cast<int>(next() * 40) - 20;
    const double digits = next() < 0.6 ? std::floor(next() * 64) / 32 : next() * 2;
    return static_cast<float>(std::ldexp(next() < 0.5 ? -digits : digits, exponent));
  }
};

Tensor table_of_columns(const std::string& type, std::int64_t columns, const std::vector<double>& values) {
  const Tensor flat = vector_tensor(type, values);
  Tensor tensor = *Tensor::zeros({flat.element(), {flat.size() / columns, columns}, {}});
  for (std::int64_t i = 0; i < flat.size(); ++i) tensor.set_code(i, flat.code(i));
  return tensor;
}

Result<std::vector<ResultTensor>> run_choices(const OpCall& call, const std::map<std::string, std::string>& choices) {
  auto library = spec_pages();
  TIEBREAK_TRY(reference, library->find_profile("reference"));
  Profile profile = *reference;
  for (const auto& [choice, alternative] : choices) profile.choices[choice].alternative = alternative;
  return evaluate({*library, profile}, call);
}

TEST(BlockVariants, SharedExponents) {
  constexpr std::int64_t columns = 8, rows = 400;
  RandomValues random;
  std::vector<float> x;
  for (std::int64_t i = 0; i < rows * columns; ++i) x.push_back(i % columns < 2 ? random.value() : random.value() * 0x1p-10f);
  for (std::int64_t r = 0; r < rows; r += 8) {  // just below a power of two, where f32 may round the logarithm up to it
    std::fill_n(x.begin() + r * columns, columns, 0x1p-40f);
    x[static_cast<std::size_t>(r * columns)] = std::nextafter(std::ldexp(1.0F, static_cast<int>(r / 8) - 25), 0.0F);
  }
  std::int64_t points = 0;
  for (const char* element : {"f4e2m1", "f6e2m3", "f6e3m2", "f8e4m3fn", "f8e5m2"})
    for (const char* rule : {"floor", "of_log2f", "even", "ceil", "ratio_up", "fitting"})
      for (const char* tie : {"even", "away", "zero"}) {
        OpCall call{.op = "quant.mx", .operands = {table_of_columns("f32", columns, {x.begin(), x.end()})}};
        call.attributes["value"] = Attribute{*ElementType::parse(element)};
        auto results = run_choices(call, {{"quant.mx/rule", rule}, {"quant.mx/tie", tie}});
        ASSERT_TRUE(results) << to_text(results.error());
        int wrong = 0;
        for (std::int64_t r = 0; r < rows; ++r) {
          const auto block = oracle::mx_block(std::span(x).subspan(static_cast<std::size_t>(r * columns), columns), element, rule, tie);
          wrong += (*results)[1].tensor.value(r).to_double() != std::ldexp(1.0, block.scale_exponent) ? 1 : 0;
          for (std::int64_t c = 0; c < columns; ++c) {
            const double actual = (*results)[0].tensor.value(r * columns + c).to_double(), expected = block.values[static_cast<std::size_t>(c)];
            wrong += actual != expected || std::signbit(actual) != std::signbit(expected) ? 1 : 0;
          }
          points += columns;
        }
        EXPECT_EQ(wrong, 0) << element << " " << rule << " " << tie;
      }
  std::printf("  %lld elements\n", static_cast<long long>(points));
}

TEST(BlockVariants, MeansOfRows) {
  RandomValues random;
  for (std::int64_t columns : {1, 2, 3, 4, 7, 9, 16, 49})
    for (const oracle::RowParameters& p : {oracle::RowParameters{1, 1, 0, 0, {-128, 127}}, oracle::RowParameters{0.1f, 0.1f, 0, 1, {-128, 127}},
                                           oracle::RowParameters{0.02f, 0.03f, 5, -3, {-128, 127}}}) {
      std::vector<double> codes;
      for (int i = 0; i < 600 * columns; ++i) codes.push_back(std::floor(random.next() * 256) - 128);
      OpCall call{
          .op = "quant.average_rows",
          .operands = {table_of_columns("i8", columns, codes), scalar_tensor("f32", static_cast<double>(p.x_scale)), scalar_tensor("i32", p.x_zero_point),
                       scalar_tensor("f32", static_cast<double>(p.y_scale)), scalar_tensor("i32", p.y_zero_point)}};
      call.attributes["axes"] = Attribute{Real(-1)};
      const std::vector<std::int32_t> integers(codes.begin(), codes.end());
      for (const auto& [order, mean] : {std::pair{"each_element", &oracle::mean_of_each_element}, std::pair{"f32_sum", &oracle::mean_of_floats}}) {
        auto results = run_choices(call, {{"quant.average_rows/order", order}});
        ASSERT_TRUE(results) << to_text(results.error());
        for (std::int64_t r = 0; r < 600; ++r)
          EXPECT_EQ(integer_at(results->front(), r),
                    mean(std::span(integers).subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns)), p))
              << order << " row " << r;
      }
    }
}

TEST(BlockVariants, FakeQuantizationBiasesAndBounds) {
  RandomValues random;
  std::vector<float> x;
  for (int i = 0; i < 20000; ++i) x.push_back(random.value());
  for (int k = -600; k < 600; ++k) x.push_back(0.1f * (static_cast<float>(k) + 0.5f));
  auto run = [&](OpCall call, const std::string& profile) {
    auto results = run_profile(call, profile);
    EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
    return results ? *std::move(results) : std::vector<ResultTensor>{};
  };
  const Tensor values = vector_tensor("f32", x), infinities = vector_tensor("f32", std::vector<float>(x.size(), INFINITY));
  OpCall fake{.op = "quant.fake_quantize", .operands = {values, scalar_tensor("f32", 0.1), scalar_tensor("i32", 0)}};
  fake.attributes["least"] = Attribute{Real(-127)};
  const auto simulated = run(fake, "tvm-relay-simulated"), counted = run(fake, "tflite-fake-quant");
  const auto bias = run({.op = "quant.bias", .operands = {values, scalar_tensor("f64", 0.1), scalar_tensor("f64", 0.3)}}, "litert-converter");
  OpCall narrow{.op = "quant.bias", .operands = {values, scalar_tensor("f64", 1e-3), scalar_tensor("f64", 3e-4)}};
  narrow.attributes["narrow"] = Attribute{true};
  const auto legacy = run(narrow, "litert-converter-legacy");
  const auto bounds =
      run({.op = "quant.activation_range", .operands = {values, infinities, scalar_tensor("f32", 0.1), scalar_tensor("i32", 7)}}, "tflite-quantize-ref");
  ASSERT_TRUE(!simulated.empty() && !counted.empty() && !bias.empty() && !legacy.empty() && !bounds.empty());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto index = static_cast<std::int64_t>(i);
    ASSERT_EQ(f32_at(simulated[0].tensor, index), oracle::simulated(x[i], 0.1f)) << x[i];
    ASSERT_EQ(f32_at(counted[0].tensor, index), oracle::fake_quant_from_least(x[i], 0.1f, 0, {-127, 127})) << x[i];
    ASSERT_EQ(integer_at(bias[0], index), oracle::bias_code(x[i], 0.1, 0.3)) << x[i];
    ASSERT_EQ(integer_at(legacy[0], index), oracle::bias_code_legacy(x[i], 1e-3, 3e-4)) << x[i];
    ASSERT_EQ(integer_at(bounds[0], index), oracle::activation_bound(x[i], 0.1f, 7, {-128, 127})) << x[i];
  }
}

}  // namespace
}  // namespace tiebreak
