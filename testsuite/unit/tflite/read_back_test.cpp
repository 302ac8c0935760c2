// SPDX-License-Identifier: Apache-2.0
// Every case of the family as a model that is read again: the operator, its attributes, the types and what it computes are the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "interpreter/evaluate/regions.hpp"
#include "interpreter/exact/float_format.hpp"
#include "interpreter/lite/lite.hpp"
#include "testsuite/sources/load_cases.hpp"
#include "testsuite/tflite/lower.hpp"
#include "testsuite/tflite/operator_forms.hpp"

namespace tiebreak::tflite {
namespace {

std::size_t nth(ValueId id) { return static_cast<std::size_t>(id); }

std::optional<Tensor> tensor_of(const Case& test, ValueId id) {
  if (id < 0) return std::nullopt;
  const auto input = std::ranges::find(test.program.inputs, id);
  return input == test.program.inputs.end() ? test.program.values[nth(id)].constant
                                            : test.inputs[static_cast<std::size_t>(input - test.program.inputs.begin())];
}

OpCall call_of(const Case& test) {
  const Operation& operation = test.program.operations.at(0);
  OpCall call{operation.op, operation.attributes, {}, *test.program.values[nth(operation.results.at(0))].type};
  for (ValueId id : operation.operands) call.operands.push_back(tensor_of(test, id));
  for (std::size_t i = 1; i < operation.results.size(); ++i) call.further.push_back(*test.program.values[nth(operation.results[i])].type);
  return call;
}

Result<std::vector<ResultTensor>> evaluated(const Library& library, const Program& program, const std::vector<Tensor>& inputs) {
  std::vector<ResultTensor> values;
  for (const Tensor& input : inputs) values.push_back({.name = "", .tensor = input});
  auto profile = library.find_profile("reference");
  if (!profile) return tl::unexpected<Error>(profile.error());
  return evaluate_values({library, **profile}, program, values, {});
}

/// The format keeps scales as f32.
std::string text_as_stored(TensorType type) {
  if (type.quantized)
    for (Scale& scale : type.quantized->scales) scale.value = *round_to(scale.value, *find_float_format("f32"));
  return to_text(type);
}

Attribute as_stored(Attribute attribute) {
  if (Real* number = std::get_if<Real>(&attribute.value)) *number = *round_to(*number, *find_float_format("f32"));
  if (AttributeList* list = std::get_if<AttributeList>(&attribute.value)) std::ranges::transform(*list, list->begin(), as_stored);
  return attribute;
}

std::string text_as_stored(const Attribute& attribute) { return to_text(as_stored(attribute)); }

/// What the host gives are plain codes.
std::vector<Tensor> with_parameters(std::vector<Tensor> inputs, const Program& program) {
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i].set_type(*program.values[nth(program.inputs[i])].type);
  return inputs;
}

/// The operator of the family among what stands around it.
const Operation* of_family(const Program& program, const std::string& op) {
  const auto found = std::ranges::find(program.operations, op, &Operation::op);
  return found == program.operations.end() ? nullptr : &*found;
}

/// A case may ask for more than operators of files give: the state that SVDF leaves.
bool has_results_of_a_file(const Program& program) {
  if (program.operations.size() != 1) return false;
  const Operation& operation = program.operations[0];
  if (operation.op == "tflite.SVDF" && operation.results.size() > 1) return false;
  return std::ranges::all_of(operation.results, [&](ValueId id) { return id >= 0 && program.values[nth(id)].type.has_value(); });
}

class ReadBack : public testing::Test {
 protected:
  void SetUp() override {
    if (!can_write()) GTEST_SKIP() << "built without FlatBuffers";
    auto loaded = Library::load(std::string(TIEBREAK_SOURCE_DIR) + "/spec");
    ASSERT_TRUE(loaded) << to_text(loaded.error());
    library = *loaded;
  }
  std::shared_ptr<const Library> library{};
};

void same_operator(const Library& library, const Case& test, std::set<std::string>& seen) {
  const OpCall call = call_of(test);
  const auto lowered = lower(call, {.builtin_kernels = false});
  if (!lowered) return;  // what the writer refuses has a test of its own
  seen.insert(call.op);
  const auto bytes = write_model(lowered->model);
  ASSERT_TRUE(bytes) << to_text(bytes.error());
  auto program = read_tflite(*bytes, test.id);
  ASSERT_TRUE(program) << to_text(program.error());
  const Operation* operation = of_family(*program, call.op);
  ASSERT_NE(operation, nullptr);
  EXPECT_EQ(operation->op, call.op);
  for (const auto& [name, attribute] : call.attributes) {
    ASSERT_TRUE(operation->attributes.contains(name)) << name;
    EXPECT_EQ(to_text(operation->attributes.at(name)), text_as_stored(attribute)) << name;
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) continue;
    const ProgramValue& value = program->values[nth(operation->operands.at(i))];
    EXPECT_EQ(to_text(*value.type), text_as_stored(call.operands[i]->type())) << i;
  }
  program->outputs = operation->results;
  program->operations = {Operation(*operation)};
  EXPECT_EQ(to_text(*program->values[nth(program->outputs.at(0))].type), text_as_stored(call.result));
  const auto expected = evaluated(library, test.program, test.inputs), found = evaluated(library, *program, with_parameters(lowered->inputs, *program));
  ASSERT_EQ(expected.has_value(), found.has_value()) << (found ? "" : to_text(found.error()));
  if (!expected) return;
  ASSERT_EQ(expected->size(), found->size());
  for (std::size_t i = 0; i < expected->size(); ++i) EXPECT_TRUE(std::ranges::equal(expected->at(i).tensor.bytes(), found->at(i).tensor.bytes())) << i;
}

TEST_F(ReadBack, EveryCaseOfTheFamily) {
  const auto cases = load_cases(*library, std::string(TIEBREAK_SOURCE_DIR) + "/testsuite/cases/tflite");
  ASSERT_TRUE(cases) << to_text(cases.error());
  std::set<std::string> seen;
  for (const Case& test : *cases) {
    if (test.unusable || !has_results_of_a_file(test.program)) continue;
    SCOPED_TRACE(test.id);
    same_operator(*library, test, seen);
  }
  for (const OperatorForm& form : operator_forms()) EXPECT_TRUE(seen.contains("tflite." + std::string(form.word))) << form.word;
}

}  // namespace
}  // namespace tiebreak::tflite
