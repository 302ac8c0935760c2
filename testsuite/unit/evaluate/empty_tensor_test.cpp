// SPDX-License-Identifier: Apache-2.0
// Tensors and slices without elements: both engines give what is asked of the whole, and nothing is read where there is nothing.
#include <gtest/gtest.h>

#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {
namespace {

Tensor zeros(const char* element, const Shape& shape) { return *Tensor::zeros({*ElementType::parse(element), shape, {}}); }

std::shared_ptr<const Library> library() {
  static const auto loaded = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  return *loaded;
}

TEST(EmptyTensor, HasOneSizeInEitherEngine) {
  OpCall call{.op = "stablehlo.get_dimension_size", .operands = {zeros("f32", {0, 3})}};
  call.attributes["dimension"] = Attribute{Real(1)};
  for (Engine engine : {Engine::exact, Engine::fast, Engine::both}) {
    const auto results = evaluate({*library(), Profile{}}, call, {.engine = engine});
    ASSERT_TRUE(results) << to_text(results.error());
    EXPECT_EQ(results->front().tensor.value(0), Real(3));
  }
}

/// The dimension that `collapsed_slice_dims` takes out may have a slice of one element or of none (C9).
TEST(EmptySlice, IsReadAtItsStart) {
  OpCall call{.op = "stablehlo.gather", .operands = {zeros("i8", {4}), zeros("i64", {2, 1})}, .result_types = {TensorType{*ElementType::parse("i8"), {2}, {}}}};
  call.attributes["collapsed_slice_dims"] = call.attributes["start_index_map"] = Attribute::integers({0});
  call.attributes["index_vector_dim"] = Attribute{Real(1)};
  call.attributes["slice_sizes"] = Attribute::integers({1});
  EXPECT_TRUE(evaluate({*library(), Profile{}}, call));
  call.attributes["slice_sizes"] = Attribute::integers({0});
  EXPECT_TRUE(evaluate({*library(), Profile{}}, call)) << "what is read lies at the start";
  call.operands[1]->set_code(1, 4);
  const auto none = evaluate({*library(), Profile{}}, call);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().what.find("nothing to read"), std::string::npos) << none.error().what;
  call.operands[1] = zeros("i64", {0, 1});
  call.result_types = {TensorType{*ElementType::parse("i8"), {0}, {}}};
  EXPECT_TRUE(evaluate({*library(), Profile{}}, call)) << "no element is asked for";
}

}  // namespace
}  // namespace tiebreak
