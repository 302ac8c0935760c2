// SPDX-License-Identifier: Apache-2.0
// MatMulNBits against the oracle's plain loops, on pseudo-random shapes, codes and parameters: every bit of every float.
#include <bit>

#include "testsuite/oracle/onnx/microsoft_packed.hpp"
#include "testsuite/unit/helpers/microsoft_call.hpp"

namespace tiebreak {
namespace {

std::vector<float> numbers(Draw& draw, std::int64_t count, float low, float high) {
  std::vector<float> drawn;
  for (std::int64_t i = 0; i < count; ++i) drawn.push_back(draw.number(low, high));
  return drawn;
}

std::vector<std::uint8_t> bytes(Draw& draw, std::int64_t count) {
  std::vector<std::uint8_t> drawn;
  for (std::int64_t i = 0; i < count; ++i) drawn.push_back(static_cast<std::uint8_t>(draw.below(256)));
  return drawn;
}

Tensor float_tensor(Shape shape, const std::vector<float>& values) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("f32"), std::move(shape), {}});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), std::bit_cast<std::uint32_t>(values[i]));
  return tensor;
}

Tensor byte_tensor(Shape shape, const std::vector<std::uint8_t>& values) {
  return codes_tensor("u8", std::move(shape), std::vector<std::int64_t>(values.begin(), values.end()));
}

TEST(MicrosoftOracle, ProductsWithPackedWeights) {
  Draw draw(71);
  for (int i = 0; i < 60; ++i) {
    const int bits = 2 << (i % 3);
    const std::int64_t block = 16 << draw.below(2);
    const oracle::PackedShape shape{i % 2 == 0 ? 1 : 1 + draw.below(4), 1 + draw.below(11), i % 10 == 9 ? 300 : 1 + draw.below(70)};
    const std::int64_t blocks = (shape.depth + block - 1) / block;
    const bool zeros = draw.below(2) == 1, biased = draw.below(2) == 1;
    const std::int64_t zero_bytes = (blocks * bits + 7) / 8;
    const oracle::PackedBlocks packed{bits, block, bytes(draw, shape.columns * blocks * block * bits / 8), numbers(draw, shape.columns * blocks, 0.01F, 0.5F),
                                      zeros ? bytes(draw, shape.columns * zero_bytes) : std::vector<std::uint8_t>()};
    const std::vector<float> a = numbers(draw, shape.rows * shape.depth, -2, 2);
    const std::vector<float> bias = biased ? numbers(draw, shape.columns, -3, 3) : std::vector<float>();
    OpCall call{.op = "microsoft.MatMulNBits",
                .operands = {float_tensor({shape.rows, shape.depth}, a), byte_tensor({shape.columns, blocks, block * bits / 8}, packed.codes),
                             float_tensor({shape.columns, blocks}, packed.scales)}};
    call.operands.push_back(zeros ? std::optional<Tensor>(byte_tensor({shape.columns, zero_bytes}, packed.zero_points)) : std::nullopt);
    call.operands.push_back(std::nullopt);
    call.operands.push_back(biased ? std::optional<Tensor>(float_tensor({shape.columns}, bias)) : std::nullopt);
    call.attributes = {
        {"K", Attribute{Real(shape.depth)}}, {"N", Attribute{Real(shape.columns)}}, {"bits", Attribute{Real(bits)}}, {"block_size", Attribute{Real(block)}}};
    const std::vector<float> weights = oracle::unpacked_blocks(packed, shape);
    for (const auto& [profile, sum] :
         {std::pair{"onnxruntime-x64", oracle::PackedSum::fused_or_lanes}, std::pair{"onnxruntime-wasm", oracle::PackedSum::in_order}}) {
      const auto result = result_of(call, profile);
      ASSERT_TRUE(result) << to_text(result.error());
      const std::vector<float> expected = oracle::packed_product(a, weights, bias, shape, sum);
      ASSERT_EQ(result->size(), static_cast<std::int64_t>(expected.size()));
      for (std::size_t y = 0; y < expected.size(); ++y)
        EXPECT_EQ(result->code(static_cast<std::int64_t>(y)), std::bit_cast<std::uint32_t>(expected[y])) << profile << " " << i << " [" << y << "]";
    }
  }
}

}  // namespace
}  // namespace tiebreak
