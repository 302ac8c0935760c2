// SPDX-License-Identifier: Apache-2.0
// What varies over the bag by the shape of a parameter: where the structure has no element for each item, it stands inside an aggregate or is N06.
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

Tensor counted(const Shape& shape) {
  Tensor tensor = *Tensor::zeros({*ElementType::parse("i8"), shape, {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, static_cast<std::uint64_t>(i + 1));
  return tensor;
}

std::string first_of(const ToyLibrary& toy, const std::string& op, const std::vector<std::optional<Tensor>>& operands, Engine engine) {
  auto profile = toy.library->find_profile("reference");
  const auto results = evaluate({*toy.library, **profile}, {.op = op, .operands = operands}, {.engine = engine});
  return results ? texts_of(results->front()).front() : to_text(results.error());
}

TEST(ItemsOutside, AParameterOfManyItemsIsRefusedOutsideASum) {
  const ToyLibrary toy(std::map<std::string, std::string>{{"t/a",
                                                           "op t.outside(a: i8, b: i8, s: i8[feature]) -> y: i32\nstructure dot.onnx(a, b)\n"
                                                           "y = trap.y(sum(a * b) * s)\n"
                                                           "op t.inside(a: i8, b: i8, s: i8[feature]) -> y: i32\nstructure dot.onnx(a, b)\n"
                                                           "y = trap.y(sum(a * b * s))\n"
                                                           "op t.share(x: i8) -> y: f32\nstructure rows(x)\ny = f32(x / sum(x))\n"}});
  for (Engine engine : {Engine::fast, Engine::exact}) {
    const std::string refused = first_of(toy, "t.outside", {counted({3}), counted({3}), counted({3})}, engine);
    EXPECT_NE(refused.find("N06 result y varies over the bag"), std::string::npos) << refused;
    EXPECT_NE(refused.find("t/a.md:6:"), std::string::npos) << refused;
    EXPECT_EQ(first_of(toy, "t.outside", {counted({3}), counted({3}), counted({1})}, engine), "14");
    EXPECT_EQ(first_of(toy, "t.inside", {counted({3}), counted({3}), counted({3})}, engine), "36");
    EXPECT_EQ(first_of(toy, "t.share", {counted({})}, engine), "1");
  }
}

}  // namespace
}  // namespace tiebreak
