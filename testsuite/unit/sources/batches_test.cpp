// SPDX-License-Identifier: Apache-2.0
// Open shapes of a program's inputs, and the batches that are drawn for them.
#include "testsuite/sources/batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "interpreter/program/onnx_tensor_file.hpp"
#include "testsuite/backends/temporary_folder.hpp"

namespace tiebreak {
namespace {

/// Input x: of a stated type, or without one, as a reader of ONNX leaves it where a dimension is open.
Program program_of(std::optional<TensorType> type) {
  Program program;
  program.file = "net.onnx";
  program.values.push_back({"x", std::move(type)});
  program.inputs = {0};
  return program;
}
TensorType floats(Shape shape) { return {*ElementType::parse("f32"), std::move(shape), {}}; }

TEST(CloseShapes, ClosesWhatIsOpenAlone) {
  Program without_type = program_of(std::nullopt), open = program_of(floats({open_dimension, 3})), fixed = program_of(floats({2, 3}));
  for (Program* program : {&without_type, &open, &fixed}) {
    ASSERT_TRUE(close_shapes(*program, {{"x", {2, 3}}}));
    EXPECT_TRUE(same_type(*program->values[0].type, floats({2, 3})));
  }
  for (Program program : {program_of(floats({open_dimension, 3})), program_of(floats({2, 4}))}) {
    const Status closed = close_shapes(program, {{"x", {2, 5}}});
    ASSERT_FALSE(closed);
    EXPECT_NE(closed.error().what.find("[2, 5] does not fit"), std::string::npos) << closed.error().what;
    EXPECT_EQ(closed.error().where, "net.onnx: input 'x'");
  }
  EXPECT_FALSE(close_shapes(open, {{"y", {2, 3}}}));
}

TEST(CloseShapes, WithoutItNothingIsDrawn) {
  Program program = program_of(std::nullopt);
  const auto refused = load_batches(program, "net.onnx", {.shapes_can_be_given = true});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().hint, "--input-shape x=1x3x32x32, or --data");
  const auto of_rank_two = load_batches(program_of(floats({open_dimension, 3})), "net.tflite", {.joined = true, .shapes_can_be_given = true});
  ASSERT_FALSE(of_rank_two);
  EXPECT_EQ(of_rank_two.error().hint, "--input-shape x=1x3") << "what can be given as it is";
  ASSERT_TRUE(close_shapes(program, {{"x", {2, 3}}}));
  const auto drawn = load_batches(program, "net.onnx", {.seed = 7, .drawn = 3});
  ASSERT_TRUE(drawn) << to_text(drawn.error());
  ASSERT_EQ(drawn->size(), 3u);
  for (const Batch& batch : *drawn) EXPECT_EQ(batch.inputs[0].shape(), (Shape{2, 3}));
  EXPECT_FALSE(std::ranges::equal((*drawn)[0].inputs[0].bytes(), (*drawn)[1].inputs[0].bytes()));
}

/// What a model states of the shape is in the example that a message gives, whatever a program keeps of it.
TEST(CloseShapes, TheExampleHasTheInputsOwnRank) {
  const auto folder = TemporaryFolder::create();
  ASSERT_TRUE(folder);
  const std::string path = folder->path() + "/open.onnx";
  for (const auto& [shape, example] :
       {std::pair(Shape{open_dimension, 5, open_dimension}, "1x5x1"), {{open_dimension}, "1"}, {{2, 7, open_dimension, 9}, "2x7x32x9"}}) {
    Program written = program_of(floats(shape));
    written.outputs = {0};
    const auto bytes = write_onnx_model(written);
    ASSERT_TRUE(bytes) << to_text(bytes.error());
    std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    const auto program = read_onnx_file(path);
    ASSERT_TRUE(program) << to_text(program.error());
    ASSERT_FALSE(program->values[0].type);
    const auto refused = load_batches(*program, path, {.joined = true, .shapes_can_be_given = true});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().hint, std::string("--input-shape x=") + example);
    Program same = *program;
    const Status unknown = close_shapes(same, {{"y", {2, 3}}});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().hint, std::string("--input-shape x=") + example) << "what there is";
  }
  Program open = program_of(floats({open_dimension, 3}));
  EXPECT_EQ(close_shapes(open, {{"x", {2, 5}}}).error().hint, "--input-shape x=1x3");
}

/// A .pb file of two zeros, called `name`.
std::string tensor_file(const TemporaryFolder& folder, const std::string& file, const std::string& name) {
  const auto bytes = write_onnx_tensor(*Tensor::zeros(floats({2})), name);
  std::ofstream(folder.path() + "/" + file, std::ios::binary).write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
  return folder.path() + "/" + file;
}

TEST(LoadBatches, TwoSingleFilesForOneInputAreAnError) {
  const auto folder = TemporaryFolder::create();
  ASSERT_TRUE(folder);
  Program program = program_of(floats({2}));
  program.values.push_back({"z", floats({2})});
  program.inputs = {0, 1};
  const std::string x = tensor_file(*folder, "x.pb", "x"), again = tensor_file(*folder, "again.pb", "x"), z = tensor_file(*folder, "z.pb", "");
  const auto both = load_batches(program, "net.onnx", {.given = {x, z}});
  ASSERT_TRUE(both) << to_text(both.error());
  EXPECT_EQ(both->size(), 1u);
  const auto twice = load_batches(program, "net.onnx", {.given = {x, again}});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, Errc::usage);
  EXPECT_EQ(twice.error().what, "two tensors for input 'x', the other from " + x);
  EXPECT_EQ(twice.error().where, again);
  const auto beyond = load_batches(program, "net.onnx", {.given = {x, z, tensor_file(*folder, "y.pb", "y")}});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().what, "the program has no input for this tensor");
  EXPECT_TRUE(load_batches(program, "net.onnx", {.given = {x, again}, .joined = true})) << "where all is one batch, later files win";
}

}  // namespace
}  // namespace tiebreak
