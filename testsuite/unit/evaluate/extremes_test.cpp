// SPDX-License-Identifier: Apache-2.0
// The least and the greatest of a row, by both engines: zeros of both signs, infinities, nan, every length.
#include <limits>
#include <random>

#include "testsuite/unit/helpers/both_engines.hpp"

namespace tiebreak {
namespace {

TEST(Extremes, ZerosHaveSignsAndNanStays) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Floats kinds{0.0f, -0.0f, 1.5f, -1.5f, infinity, -infinity, std::numeric_limits<float>::quiet_NaN(), 0x1p-149f};
  std::mt19937 random(1);
  for (int used = 1; used <= 8; ++used)
    for (int length = 1; length <= 90; ++length) {
      Floats numbers;
      for (int i = 0; i < length; ++i) numbers.push_back(kinds[random() % static_cast<std::size_t>(used)]);
      for (const char* op : {"onnx.ReduceMin", "onnx.ReduceMax"}) {
        OpCall call{.op = op, .operands = {floats_line(numbers)}, .version = 13};
        const ResultTensor result = given_result(call, {}, "onnx");
        const bool least = std::string(op) == "onnx.ReduceMin";
        float expected = numbers[0];
        for (const float v : numbers) {
          if (expected != expected) break;
          const bool below = v < expected || (v == expected && std::signbit(v)), above = v > expected || (v == expected && !std::signbit(v));
          if (v != v || (least ? below : above)) expected = v;
        }
        const float found = f32_at(result.tensor, 0);
        const bool same = std::isnan(expected) ? std::isnan(found) : std::bit_cast<std::uint32_t>(found) == std::bit_cast<std::uint32_t>(expected);
        ASSERT_TRUE(same) << op << " of " << length << ": " << found << ", not " << expected;
      }
    }
}

}  // namespace
}  // namespace tiebreak
