// SPDX-License-Identifier: Apache-2.0
// Calls of Relay's movements, pools and resizes that do not fit: each has one error that says what is wrong.
#include "testsuite/unit/helpers/qnn_calls.hpp"

namespace tiebreak::qnn_test {
namespace {

struct WrongCall {
  const char* op;
  Shape shape;
  AttributeMap attributes;
  const char* says;
};

Attribute list(const std::vector<std::int64_t>& numbers) { return Attribute::integers(numbers); }
Attribute whole(std::int64_t value) { return Attribute{Real(value)}; }
Attribute word(const char* text) { return Attribute{std::string(text)}; }

const std::vector<WrongCall>& wrong_calls() {
  static const std::vector<WrongCall> calls{
      {"relay.expand_dims", {2, 3}, {{"axis", whole(3)}}, "axis 3 is outside -3 .. 2"},
      {"relay.expand_dims", {2}, {{"axis", whole(0)}, {"num_newaxis", whole(-1)}}, "num_newaxis is -1"},
      {"relay.squeeze", {1, 3}, {{"axis", list({1})}}, "dimension 1 of [1, 3] is not 1"},
      {"relay.squeeze", {1, 3}, {{"axis", list({2})}}, "axis 2 is outside the rank 2"},
      {"relay.strided_slice", {4}, {{"begin", list({0})}, {"end", list({4})}, {"strides", list({0})}}, "a stride is 0"},
      {"relay.strided_slice", {4}, {{"begin", list({3})}, {"end", list({1})}, {"strides", list({1})}}, "has no slice from 3 to 1"},
      {"relay.strided_slice", {4}, {{"begin", list({0, 0})}, {"end", list({1, 1})}}, "more entries than [4] has dimensions"},
      {"relay.strided_slice",
       {4, 4},
       {{"begin", list({0})}, {"end", list({1})}, {"axes", list({0})}},
       "begin, end, strides and axes must have as many entries"},
      {"relay.split", {5}, {{"indices_or_sections", whole(2)}}, "5 cannot be divided into 2 equal parts"},
      {"relay.split", {5}, {{"indices_or_sections", list({3, 3})}}, "expected ascending places between 0 and 5"},
      {"relay.split", {4}, {{"indices_or_sections", whole(2)}}, "the result is a tuple of 2"},
      {"relay.topk", {4}, {{"k", whole(5)}, {"ret_type", word("values")}}, "k is 5 for a line of 4"},
      {"relay.nn.depth_to_space", {1, 3, 1, 1}, {{"block_size", whole(2)}}, "3 channels are not divisible by 4"},
      {"relay.nn.depth_to_space", {1, 4}, {{"block_size", whole(2)}}, "must have four dimensions"},
      {"relay.nn.space_to_depth", {1, 1, 3, 2}, {{"block_size", whole(2)}}, "is not divisible into blocks of 2"},
      {"relay.nn.max_pool1d", {1, 1, 3}, {{"pool_size", list({2, 2})}}, "pool_size has 2 entries, expected 1"},
      {"relay.nn.avg_pool3d", {1, 1, 2, 2, 2}, {{"pool_size", list({1})}, {"padding", list({1, 1})}}, "padding has 2 entries, expected 1, 3 or 6"},
      {"relay.nn.max_pool2d", {1, 1, 2, 2}, {{"pool_size", list({1})}, {"layout", word("NCHV")}}, "layout is 'NCHV'"},
      {"relay.image.resize2d", {1, 1, 2}, {{"size", list({1, 1})}}, "must have rank 4"},
      {"relay.image.resize2d", {1, 1, 2, 2}, {{"size", list({3})}}, "expected rows and columns"},
      {"relay.image.resize2d", {1, 1, 0, 2}, {{"size", list({3, 3})}}, "3 places of an image without any"},
  };
  return calls;
}

TEST(RelayCalls, ThatDoNotFitSayWhy) {
  for (const WrongCall& wrong : wrong_calls()) {
    const std::vector<std::int64_t> codes(static_cast<std::size_t>(*element_count(wrong.shape)), 1);
    const auto result = run({.op = wrong.op, .operands = {codes_tensor("i8", wrong.shape, codes)}, .attributes = wrong.attributes}, "reference");
    ASSERT_FALSE(result) << wrong.op << ", expected: " << wrong.says;
    EXPECT_NE(to_text(result.error()).find(wrong.says), std::string::npos) << to_text(result.error());
  }
}

TEST(RelayCalls, IndicesThatDoNotFitSayWhy) {
  const Tensor x = codes_tensor("i8", {2, 3}, {1, 2, 3, 4, 5, 6}), three = codes_tensor("i32", {3}, {0, 1, 0});
  const std::vector<std::pair<AttributeMap, const char*>> wrong{{{{"axis", whole(2)}}, "axis 2 is outside the rank 2"},
                                                                {{{"batch_dims", whole(1)}}, "batch_dims without an axis"},
                                                                {{{"axis", whole(0)}, {"batch_dims", whole(1)}}, "batch_dims is 1 for axis 0"},
                                                                {{{"axis", whole(1)}, {"batch_dims", whole(1)}}, "dimension 0 is 2 and 3"}};
  for (const auto& [attributes, says] : wrong) {
    const auto result = run({.op = "relay.take", .operands = {x, three}, .attributes = attributes}, "reference");
    ASSERT_FALSE(result) << says;
    EXPECT_NE(to_text(result.error()).find(says), std::string::npos) << to_text(result.error());
  }
}

}  // namespace
}  // namespace tiebreak::qnn_test
