// SPDX-License-Identifier: Apache-2.0
// What the run of a program holds: a tensor until its last reader, whatever the program's length; values are those of one operation after the other.
#include "interpreter/evaluate/program_run.hpp"
#include "testsuite/unit/helpers/plain_tensors.hpp"
#include "testsuite/unit/helpers/toy_library.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t tensor_elements = 1000;
constexpr std::size_t tensor_bytes = 4 * tensor_elements;  // bytes of a tensor

class LiveTensorsOf : public testing::Test {
 protected:
  ToyLibrary toy_{{{"t/a",
                    "op t.next(x: T) -> y: T\ntypes T: i32\nstructure elementwise(x)\ny = sat.y(x + 1)\n\n"
                    "op t.sum(a: T, b: T) -> y: T\ntypes T: i32\nstructure elementwise(a, b)\ny = sat.y(a + b)\n"}}};
  const TensorType type_{*ElementType::parse("i32"), {tensor_elements}, {}};
  Program program_{};

  ValueId value(const std::string& name) {
    program_.values.push_back({name, type_, {}});
    return static_cast<ValueId>(program_.values.size()) - 1;
  }
  ValueId then(const std::string& op, std::vector<ValueId> operands) {
    const ValueId result = value("v" + std::to_string(program_.values.size()));
    program_.operations.push_back({op, std::move(operands), {result}, {}, 0, ""});
    return result;
  }
  /// The first element of each output.
  std::vector<std::uint64_t> run(ProgramWatch& watch) {
    const Tensor input = codes_tensor("i32", {tensor_elements}, std::vector<std::int64_t>(tensor_elements, 3));
    const std::vector<LentTensor> inputs(program_.inputs.size(), lent(input));
    const auto results = evaluate_program({*toy_.library, **toy_.library->find_profile("reference")}, program_, inputs, {}, &watch);
    EXPECT_TRUE(results) << (results ? "" : to_text(results.error()));
    std::vector<std::uint64_t> firsts;
    if (results)
      for (const ResultTensor& result : *results) firsts.push_back(result.tensor.code(0));
    return firsts;
  }
};

TEST_F(LiveTensorsOf, AChainAreTheOperandAndTheResult) {
  ValueId last = value("x");
  program_.inputs = {last};
  for (int i = 0; i < 40; ++i) last = then("t.next", {last});
  program_.outputs = {last};
  ProgramWatch watch;
  std::vector<std::size_t> order;
  watch.before = [&order](std::size_t operation) { order.push_back(operation); };
  EXPECT_EQ(run(watch), std::vector<std::uint64_t>{43});
  EXPECT_EQ(watch.live.most_tensors, 2U);
  EXPECT_EQ(watch.live.most_bytes, 2 * tensor_bytes);
  EXPECT_EQ(watch.live.tensors, 1U) << "the output";
  EXPECT_EQ(order.size(), 40U);
}

TEST_F(LiveTensorsOf, AResidualLivesUntilItIsAdded) {
  const ValueId x = value("x"), kept = then("t.next", {x});
  program_.inputs = {x};
  ValueId last = kept;
  for (int i = 0; i < 10; ++i) last = then("t.next", {last});
  program_.outputs = {then("t.sum", {last, kept})};
  ProgramWatch watch;
  EXPECT_EQ(run(watch), std::vector<std::uint64_t>{18});
  EXPECT_EQ(watch.live.most_bytes, 3 * tensor_bytes);
}

TEST_F(LiveTensorsOf, AConstantIsCopiedForItsOperationAlone) {
  ValueId last = value("x");
  program_.inputs = {last};
  const ValueId weights = value("w");
  program_.values[static_cast<std::size_t>(weights)].constant = codes_tensor("i32", {tensor_elements}, std::vector<std::int64_t>(tensor_elements, 2));
  for (int i = 0; i < 10; ++i) last = then("t.sum", {last, weights});
  program_.outputs = {last, last};
  ProgramWatch watch;
  EXPECT_EQ(run(watch), (std::vector<std::uint64_t>{23, 23}));
  EXPECT_EQ(watch.live.most_bytes, 3 * tensor_bytes);
}

TEST_F(LiveTensorsOf, AValueMayBeReadTwiceAtOnceAndAResultNever) {
  const ValueId x = value("x"), doubled = then("t.sum", {x, x});
  program_.inputs = {x};
  then("t.next", {doubled});  // read by nobody
  program_.outputs = {then("t.sum", {doubled, doubled})};
  ProgramWatch watch;
  EXPECT_EQ(run(watch), std::vector<std::uint64_t>{12});
  EXPECT_EQ(watch.live.tensors, 1U);
}

TEST_F(LiveTensorsOf, AnUnknownValueIsAnErrorWithItsName) {
  const ValueId x = value("x"), missing = value("gone");
  program_.inputs = {x};
  program_.outputs = {then("t.sum", {x, missing})};
  const Tensor input = *Tensor::zeros(type_);
  const std::vector<LentTensor> inputs{lent(input)};
  const auto results = evaluate_program({*toy_.library, **toy_.library->find_profile("reference")}, program_, inputs, {});
  ASSERT_FALSE(results);
  EXPECT_EQ(results.error().code, Errc::type);
  EXPECT_EQ(results.error().what, "value gone is used before it is computed");
}

}  // namespace
}  // namespace tiebreak
