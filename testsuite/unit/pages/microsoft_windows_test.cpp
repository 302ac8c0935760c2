// SPDX-License-Identifier: Apache-2.0
// Pools, softmax, QGemm and QLinearConcat of com.microsoft against the oracle's plain loops, on pseudo-random shapes, codes and parameters.
#include "testsuite/oracle/onnx/microsoft_windows.hpp"

#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

TEST(MicrosoftOracle, AveragePools) {
  Draw draw(30);
  int whole = 0;
  for (int i = 0; i < 120; ++i) {
    const std::string type = i % 2 == 0 ? "u8" : "i8";
    const oracle::CodeRange range = oracle::integer_range(type == "i8", 8);
    oracle::PoolShape shape{1 + draw.below(2), 1 + draw.below(3), 3 + draw.below(6), 3 + draw.below(6)};
    shape.kernel_height = i % 5 == 0 ? shape.height : 1 + draw.below(shape.height);
    shape.kernel_width = i % 5 == 0 ? shape.width : 1 + draw.below(shape.width);
    shape.stride_height = 1 + draw.below(2);
    shape.stride_width = 1 + draw.below(2);
    if (i % 3 == 0) {
      shape.top = draw.below(shape.kernel_height);
      shape.left = draw.below(shape.kernel_width);
      shape.bottom = draw.below(shape.kernel_height);
      shape.right = draw.below(shape.kernel_width);
    }
    shape.count_padding = draw.below(2) == 1;
    const float x_scale = draw.number(0.01f, 0.2f);
    const oracle::UnaryParameters p{x_scale, draw.code(range), i % 4 < 3 ? x_scale : draw.number(0.01f, 0.2f), draw.code(range)};
    const std::vector<std::int64_t> codes = draw.codes(range, shape.batch * shape.channels * shape.height * shape.width);
    OpCall call{.op = "microsoft.QLinearAveragePool",
                .operands = {codes_tensor(type, {shape.batch, shape.channels, shape.height, shape.width}, codes), scale_tensor(p.x_scale),
                             code_tensor(type, p.x_zero_point), scale_tensor(p.y_scale), code_tensor(type, p.y_zero_point)}};
    call.attributes = {{"kernel_shape", Attribute::integers({shape.kernel_height, shape.kernel_width})},
                       {"strides", Attribute::integers({shape.stride_height, shape.stride_width})},
                       {"pads", Attribute::integers({shape.top, shape.left, shape.bottom, shape.right})},
                       {"count_include_pad", Attribute{Real(shape.count_padding ? 1 : 0)}}};
    whole += shape.kernel_height == shape.height && shape.kernel_width == shape.width ? 1 : 0;
    for (bool fused : {true, false}) {
      auto result = result_of(call, fused ? "onnxruntime-x64" : "migraphx-ref");
      ASSERT_TRUE(result) << to_text(result.error());
      EXPECT_EQ(result->shape(), (Shape{shape.batch, shape.channels, shape.rows(), shape.columns()}));
      EXPECT_EQ(mismatches(*result, oracle::average_pool(codes, shape, p, range, fused ? oracle::PoolForm::fused : oracle::PoolForm::unfused)), 0)
          << "pool " << i << (fused ? " fused" : " unfused");
    }
  }
  EXPECT_GT(whole, 10);
}

/// Even windows of codes whose scales' ratio is a power of two: every second mean is a half.
TEST(MicrosoftOracle, AveragePoolsOfIntegers) {
  Draw draw(34);
  for (int i = 0; i < 120; ++i) {
    const bool of_tosa = i % 2 == 0;
    const std::string type = of_tosa ? "i8" : "u8";
    const oracle::CodeRange range = oracle::integer_range(of_tosa, 8);
    oracle::PoolShape shape{1, 2, 5 + draw.below(4), 5 + draw.below(4), 1 + draw.below(4), 1 + draw.below(5)};
    if (i % 6 == 1) {
      shape.kernel_height = shape.height;
      shape.kernel_width = shape.width;
    }
    if (i % 6 >= 4) {
      shape.top = draw.below(shape.kernel_height);
      shape.right = draw.below(shape.kernel_width);
    }
    shape.count_padding = !of_tosa;
    const float x_scale = i % 3 == 0 ? 0.5f : draw.number(0.01f, 0.2f);
    const float y_scale = of_tosa ? x_scale : i % 3 == 0 ? 0.25f : draw.number(0.01f, 0.2f);
    const oracle::UnaryParameters p{x_scale, draw.code(range), y_scale, draw.code(range)};
    const std::vector<std::int64_t> codes = draw.codes(range, shape.batch * shape.channels * shape.height * shape.width);
    OpCall call{.op = "microsoft.QLinearAveragePool",
                .operands = {codes_tensor(type, {shape.batch, shape.channels, shape.height, shape.width}, codes), scale_tensor(p.x_scale),
                             code_tensor(type, p.x_zero_point), scale_tensor(p.y_scale), code_tensor(type, p.y_zero_point)}};
    call.attributes = {{"kernel_shape", Attribute::integers({shape.kernel_height, shape.kernel_width})},
                       {"pads", Attribute::integers({shape.top, shape.left, shape.bottom, shape.right})},
                       {"count_include_pad", Attribute{Real(shape.count_padding ? 1 : 0)}}};
    auto result = result_of(call, of_tosa ? "mlir-22" : "xnnpack-x64");
    ASSERT_TRUE(result) << to_text(result.error());
    const auto form = of_tosa ? oracle::PoolForm::reciprocal : oracle::PoolForm::mantissa;
    EXPECT_EQ(mismatches(*result, oracle::average_pool(codes, shape, p, range, form)), 0) << "pool " << i << (of_tosa ? " by TOSA" : " by XNNPACK");
  }
}

TEST(MicrosoftOracle, GlobalAveragePoolAndSoftmax) {
  Draw draw(31);
  int parted = 0;
  for (int i = 0; i < 60; ++i) {
    const std::string type = i % 2 == 0 ? "u8" : "i8";
    const oracle::CodeRange range = oracle::integer_range(type == "i8", 8);
    const std::int64_t height = 1 + draw.below(8), width = 1 + draw.below(8);
    const oracle::UnaryParameters p{draw.number(0.01f, 0.2f), draw.code(range), draw.number(0.01f, 0.2f), draw.code(range)};
    const std::vector<std::int64_t> codes = draw.codes(range, 2 * height * width);
    const std::vector<std::optional<Tensor>> parameters{scale_tensor(p.x_scale), code_tensor(type, p.x_zero_point), scale_tensor(p.y_scale),
                                                        code_tensor(type, p.y_zero_point)};
    OpCall pool{.op = "microsoft.QLinearGlobalAveragePool", .operands = parameters};
    pool.operands.insert(pool.operands.begin(), codes_tensor(type, {1, 2, height, width}, codes));
    auto pooled = result_of(pool, "onnxruntime-x64");
    ASSERT_TRUE(pooled) << to_text(pooled.error());
    std::vector<std::int64_t> means, rows, older_rows;
    for (int row = 0; row < 2; ++row) {
      const auto run = std::span(codes).subspan(static_cast<std::size_t>(row * height * width), static_cast<std::size_t>(height * width));
      means.push_back(oracle::global_average(run, p, range));
      oracle::UnaryParameters unit = p;
      unit.y_scale = i % 3 == 0 ? 0.0059f : 0x1p-8f;
      for (std::int64_t code : oracle::softmax_row(run, unit, range, false)) rows.push_back(code);
      for (std::int64_t code : oracle::softmax_row(run, unit, range, true)) older_rows.push_back(code);
    }
    EXPECT_EQ(mismatches(*pooled, means), 0) << "global pool " << i;
    OpCall softmax{.op = "microsoft.QLinearSoftmax", .operands = parameters};
    softmax.operands[2] = scale_tensor(i % 3 == 0 ? 0.0059f : 0x1p-8f);
    softmax.operands.insert(softmax.operands.begin(), codes_tensor(type, {2, height, width}, codes));
    softmax.attributes = {{"axis", Attribute{Real(1)}}, {"opset", Attribute{Real(12)}}};
    auto soft = result_of(softmax, "onnxruntime-x64");
    ASSERT_TRUE(soft) << to_text(soft.error());
    EXPECT_EQ(mismatches(*soft, rows), 0) << "softmax " << i;
    auto older = result_of(softmax, "onnxruntime-x64-1.22");
    ASSERT_TRUE(older) << to_text(older.error());
    EXPECT_EQ(mismatches(*older, older_rows), 0) << "softmax up to 1.22 " << i;
    parted += rows != older_rows ? 1 : 0;
  }
  EXPECT_GT(parted, 3);  // large codes of i8
}

TEST(MicrosoftOracle, QGemm) {
  Draw draw(32);
  for (int i = 0; i < 150; ++i) {
    const std::string a_type = i % 3 == 2 ? "i8" : "u8", b_type = i % 3 == 0 ? "u8" : "i8";
    const oracle::CodeRange a_range = oracle::integer_range(a_type == "i8", 8), b_range = oracle::integer_range(b_type == "i8", 8);
    oracle::GemmShape shape{1 + draw.below(8), 1 + draw.below(69), 1 + draw.below(8), draw.below(2) == 1, draw.below(2) == 1};
    const auto a = draw.codes(a_range, shape.rows * shape.depth), b = draw.codes(b_range, shape.depth * shape.columns);
    const std::int64_t a_zero = draw.code(a_range), y_zero = draw.code(a_range);
    const auto b_zeros = draw.codes(b_range, i % 2 == 0 ? 1 : shape.columns);
    std::vector<std::int64_t> c;
    for (std::int64_t n = 0; i % 4 != 0 && n < shape.rows * shape.columns; ++n) c.push_back(draw.below(200000) - 100000);
    const float a_scale = draw.number(0.01f, 0.1f), b_scale = draw.number(0.01f, 0.1f), alpha = draw.number(0.5f, 2.0f),
                y_scale = a_scale * b_scale * draw.number(50.0f, 5000.0f);
    OpCall call{.op = "microsoft.QGemm",
                .operands = {codes_tensor(a_type, shape.turned_a ? Shape{shape.depth, shape.rows} : Shape{shape.rows, shape.depth}, a), scale_tensor(a_scale),
                             code_tensor(a_type, a_zero),
                             codes_tensor(b_type, shape.turned_b ? Shape{shape.columns, shape.depth} : Shape{shape.depth, shape.columns}, b),
                             scale_tensor(b_scale), b_zeros.size() == 1 ? code_tensor(b_type, b_zeros[0]) : codes_tensor(b_type, {shape.columns}, b_zeros),
                             std::nullopt, scale_tensor(y_scale), code_tensor(a_type, y_zero)}};
    if (!c.empty()) call.operands[6] = codes_tensor("i32", {shape.rows, shape.columns}, c);
    call.attributes = {{"alpha", Attribute{Real::from_double(static_cast<double>(alpha))}},
                       {"transA", Attribute{Real(shape.turned_a ? 1 : 0)}},
                       {"transB", Attribute{Real(shape.turned_b ? 1 : 0)}}};
    for (bool vnni : {true, false}) {
      shape.saturating_pairs = !vnni && a_type == "u8" && b_type == "i8";
      auto result = result_of(call, vnni ? "onnxruntime-x64" : "onnxruntime-x64-avx2");
      ASSERT_TRUE(result) << to_text(result.error());
      const float product = alpha * a_scale;
      const float multiplier = oracle::requantize_multiplier(product, b_scale, y_scale);
      std::vector<std::int64_t> expected;
      for (std::int32_t sum : oracle::gemm_accumulators(a, a_zero, b, b_zeros, c, shape))
        expected.push_back(oracle::requantize(sum, multiplier, y_zero, a_range));
      EXPECT_EQ(mismatches(*result, expected), 0) << "product " << i << " " << a_type << " " << b_type << (vnni ? "" : " in pairs");
    }
  }
}

TEST(MicrosoftOracle, QLinearConcatOfSeveralTensors) {
  Draw draw(33);
  for (int i = 0; i < 30; ++i) {
    const oracle::CodeRange range = oracle::integer_range(false, 8);
    const float y_scale = draw.number(0.01f, 0.2f);
    const std::int64_t y_zero = draw.code(range), members = 1 + draw.below(4), rows = 1 + draw.below(3), depth = 1 + draw.below(3);
    OpCall call{.op = "microsoft.QLinearConcat", .operands = {scale_tensor(y_scale), code_tensor("u8", y_zero)}};
    call.attributes["axis"] = Attribute{Real(-2)};
    std::vector<std::vector<std::int64_t>> of_row(static_cast<std::size_t>(rows));
    for (std::int64_t m = 0; m < members; ++m) {
      const std::int64_t columns = 1 + draw.below(4);
      const oracle::UnaryParameters p{draw.number(0.01f, 0.2f), draw.code(range), y_scale, y_zero};
      const auto codes = draw.codes(range, rows * columns * depth);
      for (std::size_t n = 0; n < codes.size(); ++n) of_row[n / static_cast<std::size_t>(columns * depth)].push_back(oracle::rescaled_code(codes[n], p, range));
      call.operands.insert(call.operands.end(),
                           {codes_tensor("u8", {rows, columns, depth}, codes), scale_tensor(p.x_scale), code_tensor("u8", p.x_zero_point)});
    }
    std::vector<std::int64_t> expected;
    for (const auto& row : of_row) expected.insert(expected.end(), row.begin(), row.end());
    auto result = result_of(call, "onnxruntime-x64");
    ASSERT_TRUE(result) << to_text(result.error());
    EXPECT_EQ(mismatches(*result, expected), 0) << "concat " << i;
  }
}

}  // namespace
}  // namespace tiebreak
