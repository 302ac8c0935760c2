// SPDX-License-Identifier: Apache-2.0
// One network in the forms of every operator set: written, read and evaluated it gives the same numbers in all of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/evaluate/evaluate.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/models/small_models.hpp"

namespace tiebreak {
namespace {

Tensor image() {
  Tensor tensor = *Tensor::zeros(TensorType{*ElementType::parse("f32"), {1, 3, 8, 8}, {}});
  PseudoRandom random(7);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set_code(i, *tensor.element().encode(Real(static_cast<std::int64_t>(random.below(1025)) - 512) / Real(256)));
  return tensor;
}

class OlderForms : public testing::Test {
 protected:
  OlderForms() : library_(*Library::load(TIEBREAK_SOURCE_DIR "/spec")) {}

  std::vector<ResultTensor> results(int opset) {
    const auto bytes = write_onnx_model(models::older_forms(opset));
    EXPECT_TRUE(bytes) << opset << ": " << to_text(bytes.error());
    const auto program = read_onnx(*bytes, "forms.onnx");
    EXPECT_TRUE(program) << opset << ": " << to_text(program.error());
    auto found = evaluate({*library_, **library_->find_profile("onnx")}, *program, {image()});
    EXPECT_TRUE(found) << opset << ": " << to_text(found.error());
    return found ? *std::move(found) : std::vector<ResultTensor>{};
  }

  std::shared_ptr<const Library> library_;
};

TEST_F(OlderForms, GiveTheSameNumbers) {
  for (const auto& [first, last] : {std::pair{models::oldest_forms, 9}, std::pair{10, models::newest_forms}}) {  // codes on the way make other numbers
    const std::vector<ResultTensor> expected = results(first);
    ASSERT_EQ(expected.size(), 3U);
    for (int opset = first + 1; opset <= last; ++opset) {
      const std::vector<ResultTensor> found = results(opset);
      ASSERT_EQ(found.size(), expected.size()) << opset;
      for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_TRUE(same_type(found[i].tensor.type(), expected[i].tensor.type())) << opset;
        EXPECT_TRUE(std::ranges::equal(found[i].tensor.bytes(), expected[i].tensor.bytes())) << opset << " " << found[i].name;
      }
    }
  }
}

}  // namespace
}  // namespace tiebreak
