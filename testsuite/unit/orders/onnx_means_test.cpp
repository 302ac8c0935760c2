// SPDX-License-Identifier: Apache-2.0
// What ONNX leaves open of a linear or cubic Resize: means in plain f32, in several ways, are right, and a number far off is not.
#include <gtest/gtest.h>

#include "interpreter/orders/legal_results.hpp"
#include "testsuite/unit/helpers/both_engines.hpp"
#include "testsuite/unit/helpers/draw.hpp"

namespace tiebreak {
namespace {

OpCall drawn_call(Draw& draw, const Shape& shape, const std::vector<std::int64_t>& sizes, const std::string& mode, float least, float greatest) {
  Floats values;
  for (std::int64_t i = 0; i < *element_count(shape); ++i) values.push_back(draw.number(least, greatest));
  OpCall call{.op = "onnx.Resize", .version = 13};
  call.operands = {floats_tensor(shape, values), std::nullopt, std::nullopt, codes_tensor("i64", {static_cast<std::int64_t>(sizes.size())}, sizes)};
  call.attributes = {{"mode", Attribute{mode}}};
  return call;
}

std::vector<LegalElement> right_results(const OpCall& call) {
  auto legal = legal_results({*spec_pages(), profile_with({{"onnx.Resize/displaced", "any"}, {"onnx.Resize/mean", "any"}})}, call, false);
  EXPECT_TRUE(legal && legal->size() == 1) << (legal ? "" : to_text(legal.error()));
  return legal && legal->size() == 1 ? legal->front().elements.listed() : std::vector<LegalElement>();
}

/// By f32 places and weights, four products in order; and with an exact place.
TEST(OnnxMeans, InNumbersOfF32AreRight) {
  Draw draw(3);
  for (int round = 0; round < 12; ++round) {
    const std::string mode = round % 3 == 0 ? "cubic" : "linear";
    const OpCall call = drawn_call(draw, {1, 2, 1 + draw.below(9), 1 + draw.below(40)}, {1, 2, 1 + draw.below(12), 1 + draw.below(60)}, mode, -4, 4);
    const std::vector<LegalElement> right = right_results(call);
    const std::map<std::string, std::string> in_f32{{"onnx.Resize/along", "image"},
                                                    {"onnx.Resize/coordinate", "f32"},
                                                    {"onnx.Resize/seen", "image"},
                                                    {"onnx.Resize/share", "f32"},
                                                    {"onnx.Resize/mean", "in_order"}};
    auto exact_places = in_f32;
    exact_places.erase("onnx.Resize/coordinate");
    for (const auto& choices : {in_f32, exact_places, std::map<std::string, std::string>()}) {
      const ResultTensor result = given_result(call, choices);
      ASSERT_EQ(right.size(), static_cast<std::size_t>(result.tensor.size()));
      for (std::int64_t i = 0; i < result.tensor.size(); ++i) {
        const LegalElement& element = right[static_cast<std::size_t>(i)];
        if (element.kind == LegalElement::Kind::unique) continue;  // no element along an axis: the same whatever the order
        EXPECT_TRUE(is_legal(element, {&result.tensor}, i)) << round << " " << i;
      }
    }
  }
}

/// The bound is what places and sums lose: nothing of places where all elements are equal, and a small part of the spread elsewhere.
TEST(OnnxMeans, AreNoOthers) {
  Draw draw(4);
  const OpCall flat = drawn_call(draw, {6, 7}, {9, 10}, "linear", 3, 3), steep = drawn_call(draw, {6, 7}, {9, 10}, "linear", -1, 1);
  for (const LegalElement& element : right_results(flat)) {
    ASSERT_EQ(element.kind, LegalElement::Kind::interval);
    EXPECT_LT(element.high - element.low, Real::from_double(9 * 3 * 0x1p-22));
  }
  for (const LegalElement& element : right_results(steep)) {
    ASSERT_EQ(element.kind, LegalElement::Kind::interval);
    EXPECT_LT(element.high - element.low, Real::from_double(2 * (2 * 2 * 14 * 0x1p-22 + 9 * 0x1p-23)));
    EXPECT_LT(element.low, element.high);
  }
}

}  // namespace
}  // namespace tiebreak
