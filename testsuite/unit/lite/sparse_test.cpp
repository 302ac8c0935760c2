// SPDX-License-Identifier: Apache-2.0
// Sparse weights: rows with the places that are there, blocks, and levels that do not fit.
#include <gtest/gtest.h>

#include <algorithm>

#include "interpreter/lite/lite.hpp"
#include "interpreter/lite/model.hpp"
#include "interpreter/lite/sparse.hpp"

namespace tiebreak::tflite {
namespace {

const TensorType square{*ElementType::parse("i8"), {4, 4}, {}};

std::vector<std::byte> kept(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::int64_t> elements(const Result<Tensor>& tensor) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; tensor && i < tensor->size(); ++i) values.push_back(*tensor->value(i).to_int64());
  return values;
}

TEST(Densified, RowsWithTheirPlaces) {
  const Sparsity rows{{0, 1}, {}, {{true, 4, {}, {}}, {false, 0, {0, 1, 1, 3, 4}, {2, 0, 3, 1}}}};
  const auto tensor = densified(rows, square, kept({5, 6, 7, 8}), "w");
  ASSERT_TRUE(tensor) << to_text(tensor.error());
  EXPECT_EQ(elements(tensor), (std::vector<std::int64_t>{0, 0, 5, 0, 0, 0, 0, 0, 6, 0, 0, 7, 0, 8, 0, 0}));
}

TEST(Densified, ColumnsFirst) {
  const Sparsity columns{{1, 0}, {}, {{true, 4, {}, {}}, {false, 0, {0, 1, 1, 1, 2}, {3, 0}}}};
  const auto tensor = densified(columns, square, kept({5, 6}), "w");
  ASSERT_TRUE(tensor) << to_text(tensor.error());
  EXPECT_EQ(elements(tensor), (std::vector<std::int64_t>{0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0}));
}

TEST(Densified, BlocksOfTwoByTwo) {
  const Sparsity blocks{{0, 1, 2, 3}, {0, 1}, {{true, 2, {}, {}}, {false, 0, {0, 1, 2}, {1, 0}}, {true, 2, {}, {}}, {true, 2, {}, {}}}};
  const auto tensor = densified(blocks, square, kept({1, 2, 3, 4, 5, 6, 7, 8}), "w");
  ASSERT_TRUE(tensor) << to_text(tensor.error());
  EXPECT_EQ(elements(tensor), (std::vector<std::int64_t>{0, 0, 1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8, 0, 0}));
}

void is_wrong(const Sparsity& sparsity, const std::vector<std::byte>& data, const std::string& what) {
  const auto tensor = densified(sparsity, square, data, "w");
  ASSERT_FALSE(tensor) << what;
  EXPECT_EQ(tensor.error().code, Errc::corrupt);
  EXPECT_NE(tensor.error().what.find(what), std::string::npos) << to_text(tensor.error());
  EXPECT_EQ(tensor.error().where, "w");
}

TEST(Densified, LevelsThatDoNotFit) {
  const SparseLevel dense{true, 4, {}, {}}, sparse{false, 0, {0, 1, 1, 3, 4}, {2, 0, 3, 1}};
  is_wrong({{0}, {}, {dense}}, kept({1, 2, 3, 4}), "levels for 2 dimensions");
  is_wrong({{0, 0}, {}, {dense, sparse}}, kept({5, 6, 7, 8}), "names the dimension 0 twice");
  is_wrong({{0, 1}, {}, {dense, sparse}}, kept({5, 6, 7}), "speaks of 4 elements, the data have 3");
  is_wrong({{0, 1}, {}, {dense, {false, 0, {0, 1, 1, 3}, {2, 0, 3}}}}, kept({5, 6, 7}), "segments that are not those of its indices");
  is_wrong({{0, 1}, {}, {dense, {false, 0, {0, 3, 1, 3, 4}, {2, 0, 3, 1}}}}, kept({5, 6, 7, 8}), "segments");
  is_wrong({{0, 1}, {}, {dense, {false, 0, {0, 1, 1, 3, 4}, {2, 0, 4, 1}}}}, kept({5, 6, 7, 8}), "puts an element outside");
  is_wrong({{0, 1}, {}, {dense, {false, 0, {0, 1, 1, 3, 4}, {2, 0, -1, 1}}}}, kept({5, 6, 7, 8}), "puts an element outside");
  is_wrong({{0, 1}, {}, {{true, -4, {}, {}}, sparse}}, kept({5, 6, 7, 8}), "a level of -4");
  is_wrong({{0, 1, 2}, {0}, {dense, dense, sparse}}, kept({5, 6, 7, 8}), "blocks that are not dense");
  is_wrong({{0, 1, 2}, {5}, {dense, dense, dense}}, kept({5, 6, 7, 8}), "cuts the dimension 5");
}

/// The constant of a seed of the fuzzer, whose models are written by other means.
std::vector<std::int64_t> constant_of_seed(const std::string& name) {
  const auto program = read_tflite_file(std::string(TIEBREAK_SOURCE_DIR) + "/testsuite/fuzz/corpus/tflite/" + name);
  EXPECT_TRUE(program) << to_text(program.error());
  if (!program) return {};
  const auto value = std::ranges::find_if(program->values, [](const ProgramValue& one) { return one.constant.has_value(); });
  EXPECT_NE(value, program->values.end()) << name;
  return value == program->values.end() ? std::vector<std::int64_t>{} : elements(*value->constant);
}

TEST(Seeds, KeepTheirConstantsInEveryForm) {
  if (!can_write()) GTEST_SKIP() << "built without FlatBuffers";
  for (const std::string name : {"sparse-i32", "sparse-u16", "sparse-u8"})
    EXPECT_EQ(constant_of_seed(name), (std::vector<std::int64_t>{0, 0, 1, 0, 0, 0, 2, 3, 0})) << name;
  EXPECT_EQ(constant_of_seed("sparse-blocks"), (std::vector<std::int64_t>{0, 0, 1, 2, 0, 0, 0, 0}));
  EXPECT_EQ(constant_of_seed("narrow-i4"), (std::vector<std::int64_t>{-1, 7, 1}));
  EXPECT_EQ(constant_of_seed("narrow-i2"), (std::vector<std::int64_t>{-1, -2, 1}));
  EXPECT_EQ(constant_of_seed("narrow-u4"), (std::vector<std::int64_t>{0, 15, 15}));
  EXPECT_EQ(constant_of_seed("data-behind-the-tables").size(), 2U);
}

}  // namespace
}  // namespace tiebreak::tflite
