// SPDX-License-Identifier: Apache-2.0
// Which inputs files and folders hold, and in which order.
#include "testsuite/accuracy/input_list.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "interpreter/program/onnx_tensor_file.hpp"
#include "testsuite/arrays/npy.hpp"
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

constexpr const char* one_input = R"(func.func @net(%x: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %y = stablehlo.negate %x : tensor<1x2xi8>
  return %y : tensor<1x2xi8>
})";
constexpr const char* two_inputs = R"(func.func @net(%x: tensor<1x2xi8>, %z: tensor<1x2xi8>) -> tensor<1x2xi8> {
  %y = stablehlo.add %x, %z : tensor<1x2xi8>
  return %y : tensor<1x2xi8>
})";

class InputListTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("inputs-" + std::to_string(::getpid()) + "-" + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return path(name);
  }
  /// An array of so many inputs; codes count from `first`.
  std::string array(const std::string& name, std::int64_t inputs, std::int64_t first) {
    std::vector<std::int64_t> codes;
    for (std::int64_t i = 0; i < inputs * 2; ++i) codes.push_back(first + i);
    return write(name, npy_bytes(codes_tensor("i8", {inputs, 2}, codes)));
  }
  void data_set(const std::string& folder, std::int64_t first) {
    const auto bytes = write_onnx_tensor(codes_tensor("i8", {1, 2}, {first, first + 1}), "x");
    ASSERT_TRUE(bytes);
    write(folder + "/input_0.pb", {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  }
  Result<InputList> open(const char* text, const InputListOptions& options) const {
    return InputList::open(parse_mlir(text, "net.mlir")->functions.front(), path("net.mlir"), options);
  }
  Result<InputList> open(const char* text, const std::vector<std::string>& given) const { return open(text, InputListOptions{.given = given}); }

  /// The first code of each tensor of each input: `0 8, 2 10`.
  static std::string first_codes(const Result<InputList>& list) {
    if (!list) return to_text(list.error());
    std::string text;
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto input = list->load(i);
      if (!input) return to_text(input.error());
      text += i == 0 ? "" : ",";
      for (const Tensor& tensor : input->tensors) text += (text.empty() ? "" : " ") + std::to_string(tensor.code(0));
    }
    return text;
  }

  fs::path folder_{};
};

TEST_F(InputListTest, AnArrayOfManyInputs) {
  const auto list = open(one_input, {array("pixels.npy", 3, 0)});
  EXPECT_EQ(first_codes(list), "0, 2, 4");
  EXPECT_EQ(list->load(1)->name, path("pixels.npy") + "[1]");
  EXPECT_EQ(list->load(1)->tensors[0].shape(), (Shape{1, 2}));
}

TEST_F(InputListTest, FilesOfAFolderByName) {
  array("data/b.npy", 1, 20);
  array("data/a.npy", 2, 10);
  write("data/README.txt", "no array");
  const auto list = open(one_input, {path("data")});
  EXPECT_EQ(first_codes(list), "10, 12, 20");
  EXPECT_EQ(list->load(2)->name, path("data/b.npy")) << "a file of one input is called as it is";
  EXPECT_EQ(first_codes(open(one_input, {path("data"), array("more.npy", 1, 5)})), "10, 12, 20, 5");
}

TEST_F(InputListTest, DataSetsAndCasesAreInputsBetweenArrays) {
  data_set("sets/test_data_set_0", 30);
  data_set("sets/test_data_set_1", 40);
  ExchangeFile file;
  file.kind = "request";
  for (const std::int64_t first : {50, 60}) {
    ExchangeCase one;
    one.id = "net/" + std::to_string(first);
    one.inputs.push_back({.name = "x", .tensor = codes_tensor("i8", {1, 2}, {first, 0})});
    file.cases.push_back(std::move(one));
  }
  ASSERT_TRUE(write_exchange(file, path("cases.h5")));
  const std::string before = array("before.npy", 1, 1), behind = array("behind.npy", 1, 2);
  EXPECT_EQ(first_codes(open(one_input, {before, path("sets"), path("cases.h5"), behind})), "1, 30, 40, 50, 60, 2");
  EXPECT_EQ(first_codes(open(one_input, {path("sets/test_data_set_1")})), "40");
}

TEST_F(InputListTest, WithoutDataThoseBesideTheModel) {
  data_set("test_data_set_0", 30);
  data_set("test_data_set_1", 40);
  const auto list = open(one_input, InputListOptions{});
  EXPECT_EQ(first_codes(list), "30, 40");
  EXPECT_EQ(open(one_input, InputListOptions{.limit = 1})->size(), 1u);
  EXPECT_EQ(open(one_input, InputListOptions{.samples = 3})->size(), 3u) << "samples are drawn whatever lies there";
  const fs::path back = fs::current_path();
  fs::current_path(folder_);
  const Program program = parse_mlir(one_input, "net.mlir")->functions.front();
  EXPECT_EQ(first_codes(InputList::open(program, "net.mlir", {})), "30, 40") << "a model named without its folder";
  const auto drawn = InputList::open(program, "net.mlir", {.samples = 2});
  EXPECT_EQ(drawn->load(0)->name, "drawn, seed 0");
  fs::current_path(back);
}

TEST_F(InputListTest, ALimitEndsTheReading) {
  write("data/c.npy", "no array at all");
  array("data/a.npy", 2, 10);
  array("data/b.npy", 2, 20);
  EXPECT_EQ(first_codes(open(one_input, {.given = {path("data")}, .limit = 3})), "10, 12, 20");
  EXPECT_FALSE(open(one_input, {path("data")}));
  const std::vector<std::string> unequal{array("x.npy", 3, 0), array("z.npy", 2, 40)};
  EXPECT_EQ(first_codes(open(two_inputs, {.given = unequal, .limit = 2})), "0 40, 2 42") << "not all of them are asked for";
  EXPECT_NE(first_codes(open(two_inputs, {.given = unequal, .limit = 5})).find("tensors for this input"), std::string::npos) << "all of them are";
}

TEST_F(InputListTest, SeveralInputsByNameOrPlace) {
  EXPECT_EQ(first_codes(open(two_inputs, {array("z.npy", 2, 40), array("x.npy", 2, 0)})), "0 40, 2 42");
  EXPECT_EQ(first_codes(open(two_inputs, {array("first.npy", 2, 0), array("second.npy", 2, 40)})), "0 40, 2 42");
  EXPECT_EQ(first_codes(open(two_inputs, {path("x.npy"), array("z.npy", 1, 7)})), "0 7, 2 7") << "one alone serves for all";
}

TEST_F(InputListTest, WhatDoesNotFitIsAnErrorWithItsPlace) {
  const auto few = open(two_inputs, {array("x.npy", 3, 0), array("z.npy", 2, 40)});
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().where.find("input 'z'"), std::string::npos) << to_text(few.error());
  const auto none = open(two_inputs, {path("x.npy")});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().hint.find("x, z"), std::string::npos) << to_text(none.error());
  array("data/0001.npy", 1, 0);
  EXPECT_FALSE(open(two_inputs, {path("data")})) << "which input a file of a folder is, its name says";
  EXPECT_FALSE(open(one_input, {write("odd.npy", npy_bytes(codes_tensor("i8", {2, 3}, {1, 2, 3, 4, 5, 6})))}));
  EXPECT_FALSE(open(one_input, {path("nowhere")}));
  fs::create_directories(path("empty"));
  EXPECT_FALSE(open(one_input, {path("empty")}));
  EXPECT_FALSE(open(one_input, {write("no.npy", npy_bytes(codes_tensor("i8", {0, 2}, {})))}));
}

TEST_F(InputListTest, DrawnInputsAreThoseOfBatches) {
  const Program program = parse_mlir(one_input, "net.mlir")->functions.front();
  const auto list = open(one_input, {.samples = 4, .seed = 9});
  const auto batches = load_batches(program, path("net.mlir"), {.given = {}, .seed = 9, .drawn = 4});
  ASSERT_TRUE(list && batches);
  ASSERT_EQ(list->size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::int64_t element = 0; element < 2; ++element) EXPECT_EQ(list->load(i)->tensors[0].code(element), (*batches)[i].inputs[0].code(element));
  EXPECT_EQ(open(one_input, InputListOptions{})->size(), InputListOptions{}.drawn_otherwise);
  EXPECT_EQ(open(one_input, {.samples = 5, .limit = 2})->size(), 2u);
}

TEST_F(InputListTest, AFileThatChangesIsFound) {
  const auto list = open(one_input, {array("a.npy", 1, 0), array("b.npy", 1, 0), array("c.npy", 1, 0), array("d.npy", 1, 0), array("e.npy", 1, 0)});
  ASSERT_TRUE(list);
  array("a.npy", 2, 0);
  const auto input = list->load(0);
  ASSERT_FALSE(input) << "only the last files are kept";
  EXPECT_EQ(input.error().code, Errc::corrupt);
}

}  // namespace
}  // namespace tiebreak
