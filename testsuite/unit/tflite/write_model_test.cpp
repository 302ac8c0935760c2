// SPDX-License-Identifier: Apache-2.0
// What is written is read back by the numbers of the schema: fields of tables, the data's alignment, the shared empty buffer.
#include <gtest/gtest.h>

#include <bit>

#include "interpreter/lite/model.hpp"

#if __has_include(<flatbuffers/flatbuffers.h>)
#include <flatbuffers/flatbuffers.h>

namespace tiebreak::tflite {
namespace {

using flatbuffers::Table;
using Tables = flatbuffers::Vector<flatbuffers::Offset<Table>>;

flatbuffers::voffset_t field(int number) { return static_cast<flatbuffers::voffset_t>(4 + 2 * number); }

Model one_quantize() {
  Model model;
  const ElementType f32 = *ElementType::parse("f32"), i8 = *ElementType::parse("i8");
  Tensor weights = *Tensor::zeros({i8, {3}, {}});
  weights.set_code(1, 0x7F);
  model.inputs = {model.add({"x", {f32, {2, 3}, {}}, std::nullopt, std::nullopt})};
  model.outputs = {model.add({"y", {i8, {2, 3}, {}}, Quantization{{0.5f}, {-3}, 0}, std::nullopt})};
  model.add({"w", weights.type(), Quantization{{0.5f, 0.25f, 0.125f}, {0, 0, 0}, 0}, weights});
  model.operators.push_back({Builtin::quantize, 2, model.inputs, model.outputs, {}});
  model.operators.push_back({Builtin::conv_2d, 3, {0, 2}, {1}, {1, {{0, std::int8_t{1}}, {1, 2}, {4, 1}}}});
  return model;
}

class WrittenModel : public testing::Test {
 protected:
  void SetUp() override {
    auto written = write_model(one_quantize());
    ASSERT_TRUE(written) << to_text(written.error());
    bytes = *written;
    root = flatbuffers::GetRoot<Table>(bytes.data());
    const Tables* subgraphs = root->GetPointer<const Tables*>(field(2));
    ASSERT_EQ(subgraphs->size(), 1U);
    subgraph = subgraphs->Get(0);
  }
  const Table* tensor(std::uint32_t index) const { return subgraph->GetPointer<const Tables*>(field(0))->Get(index); }

  std::vector<std::byte> bytes{};
  const Table* root = nullptr;
  const Table* subgraph = nullptr;
};

TEST_F(WrittenModel, SaysWhatItIs) {
  EXPECT_TRUE(flatbuffers::BufferHasIdentifier(bytes.data(), "TFL3"));
  EXPECT_EQ(root->GetField<std::uint32_t>(field(0), 0), 3U);
  EXPECT_EQ(bytes, *write_model(one_quantize())) << "same in, same out";
}

TEST_F(WrittenModel, OperatorsHaveCodesAndOptions) {
  const Tables* codes = root->GetPointer<const Tables*>(field(1));
  ASSERT_EQ(codes->size(), 2U);
  EXPECT_EQ(codes->Get(0)->GetField<std::int32_t>(field(3), 0), 114);
  EXPECT_EQ(codes->Get(0)->GetField<std::int32_t>(field(2), 1), 2);
  EXPECT_EQ(codes->Get(0)->GetField<std::int8_t>(field(0), 0), 114);
  const Table* convolution = subgraph->GetPointer<const Tables*>(field(3))->Get(1);
  EXPECT_EQ(convolution->GetField<std::uint32_t>(field(0), 0), 1U);
  EXPECT_EQ(convolution->GetField<std::uint8_t>(field(3), 0), 1U);
  const Table* options = convolution->GetPointer<const Table*>(field(4));
  EXPECT_EQ(options->GetField<std::int8_t>(field(0), 0), 1);
  EXPECT_EQ(options->GetField<std::int32_t>(field(1), 0), 2);
  EXPECT_EQ(options->GetField<std::int32_t>(field(2), 0), 0);
}

TEST_F(WrittenModel, TensorsHaveTypesParametersAndData) {
  EXPECT_EQ(tensor(0)->GetField<std::int8_t>(field(1), 0), 0);
  EXPECT_EQ(tensor(0)->GetField<std::uint32_t>(field(2), 0), 0U) << "no data: the empty buffer";
  EXPECT_EQ(tensor(1)->GetField<std::int8_t>(field(1), 0), 9);
  const Table* parameters = tensor(1)->GetPointer<const Table*>(field(4));
  EXPECT_EQ(parameters->GetPointer<const flatbuffers::Vector<float>*>(field(2))->Get(0), 0.5f);
  EXPECT_EQ(parameters->GetPointer<const flatbuffers::Vector<std::int64_t>*>(field(3))->Get(0), -3);
  const Tables* buffers = root->GetPointer<const Tables*>(field(4));
  ASSERT_EQ(buffers->size(), 2U);
  EXPECT_FALSE(buffers->Get(0)->CheckField(field(0)));
  const auto* data = buffers->Get(tensor(2)->GetField<std::uint32_t>(field(2), 0))->GetPointer<const flatbuffers::Vector<std::uint8_t>*>(field(0));
  ASSERT_EQ(data->size(), 3U);
  EXPECT_EQ(data->Get(1), 0x7F);
  EXPECT_EQ(static_cast<std::size_t>(reinterpret_cast<const std::byte*>(data->data()) - bytes.data()) % 16, 0U);
}

TEST(WriteModel, CodesOfFourBitsLieTwoInAByteAndAStateIsMarked) {
  Model model;
  Tensor weights = *Tensor::zeros({*ElementType::parse("i4"), {3}, {}});
  weights.set_code(0, 0x1);
  weights.set_code(1, 0xF);
  weights.set_code(2, 0x7);
  model.add({"w", weights.type(), std::nullopt, weights});
  model.tensors[static_cast<std::size_t>(model.add({"s", {*ElementType::parse("i16"), {2}, {}}, std::nullopt, std::nullopt}))].variable = true;
  const auto bytes = write_model(model);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  const Table* root = flatbuffers::GetRoot<Table>(bytes->data());
  const Tables* tensors = root->GetPointer<const Tables*>(field(2))->Get(0)->GetPointer<const Tables*>(field(0));
  EXPECT_EQ(tensors->Get(0)->GetField<std::int8_t>(field(1), 0), 17);
  const auto* data = root->GetPointer<const Tables*>(field(4))->Get(1)->GetPointer<const flatbuffers::Vector<std::uint8_t>*>(field(0));
  ASSERT_EQ(data->size(), 2U);
  EXPECT_EQ(data->Get(0), 0xF1) << "the first code is the low one";
  EXPECT_EQ(data->Get(1), 0x07);
  EXPECT_EQ(tensors->Get(0)->GetField<std::uint8_t>(field(5), 0), 0);
  EXPECT_EQ(tensors->Get(1)->GetField<std::uint8_t>(field(5), 0), 1);
}

TEST(WriteModel, RefusesTypesWithoutANumber) {
  Model model;
  model.outputs = {model.add({"y", {*ElementType::parse("f8e4m3fn"), {1}, {}}, std::nullopt, std::nullopt})};
  const auto written = write_model(model);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::unsupported);
}

}  // namespace
}  // namespace tiebreak::tflite

#else

TEST(WriteModel, NeedsFlatBuffers) {
  EXPECT_FALSE(tiebreak::tflite::can_write());
  GTEST_SKIP() << "libflatbuffers-dev is not installed";
}

#endif
