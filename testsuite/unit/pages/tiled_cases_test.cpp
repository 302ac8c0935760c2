// SPDX-License-Identifier: Apache-2.0
// Committed cases of elementwise ops, repeated until they are large: what is filled at once must repeat what the exact engine gives for the case.
#include <map>

#include "testsuite/sources/selection.hpp"
#include "testsuite/unit/elementwise/filled_results.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t large_size = std::int64_t{1} << 18;

/// Without stages, which ggml's searches have: they take minutes.
bool is_elementwise(const notation::Op& op) {
  bool elementwise = false, staged = false;
  for (const notation::Statement& statement : op.statements) {
    const auto* structure = std::get_if<notation::Structure>(&statement);
    elementwise |= structure != nullptr && structure->path == "elementwise";
    staged |= std::holds_alternative<notation::Stage>(statement);
  }
  return elementwise && !staged;
}

/// The tensor `times` times, one after another along its first dimension.
Tensor repeated(const Tensor& tensor, std::int64_t times) {
  TensorType type = tensor.type();
  type.shape[0] *= times;
  Tensor all = *Tensor::zeros(type);
  const auto from = tensor.bytes();
  for (std::size_t i = 0; i < all.bytes().size(); ++i) all.bytes()[i] = from[i % from.size()];
  return all;
}

bool has_axes(const TensorType& type) { return type.quantized && !type.quantized->is_per_tensor(); }

/// Nothing where an operand lies along the first dimension without being as large as the result.
std::optional<OpCall> repeated(const OpCall& call, const TensorType& result, std::int64_t times) {
  OpCall large = call;
  if (result.shape.empty() || has_axes(result)) return std::nullopt;
  for (auto& operand : large.operands) {
    if (!operand) continue;
    const Shape& shape = operand->shape();
    if (has_axes(operand->type())) return std::nullopt;
    if (shape == result.shape) operand = repeated(*operand, times);
    else if (shape.size() == result.shape.size() && shape[0] != 1) return std::nullopt;
    else if (shape.size() == 1 && shape[0] != 1) return std::nullopt;  // along an axis that an attribute names
  }
  for (auto& type : large.result_types)
    if (type && type->shape == result.shape) type->shape[0] *= times;
  return large;
}

/// Whether the first result of the repeated call was filled; then it repeats that of the call.
bool is_filled(const OpCall& call, const Profile& profile, const std::string& id) {
  const Semantics semantics{*spec_pages(), profile};
  const auto wanted = evaluate(semantics, call, {.engine = Engine::exact});
  if (!wanted || wanted->front().tensor.size() == 0) return false;
  const ResultTensor& small = wanted->front();
  const auto large = repeated(call, small.tensor.type(), large_size / small.tensor.size() + 1);
  if (!large) return false;
  Result<Formula> formula = bind(semantics, *large);
  if (!formula) return false;
  const FormulaResult declared = formula->results.front();
  ResultTensor filled{.name = declared.name, .tensor = *Tensor::zeros(declared.type)};
  const Result<bool> done = fill_at_once(*formula, declared, filled);
  if (!done || !*done) return false;
  std::int64_t differing = 0;
  for (std::int64_t i = 0; i < filled.tensor.size() && differing < 3; ++i) {
    const std::int64_t place = i % small.tensor.size();
    if (is_same(filled, i, small, place)) continue;
    ++differing;
    ADD_FAILURE() << id << " under " << profile.name << " [" << i << "]: " << text_of(filled, i) << ", exactly " << text_of(small, place);
  }
  return true;
}

TEST(TiledCases, RepeatTheirResults) {
  const auto pages = spec_pages();
  constexpr int cases_of_an_op = 2;
  Selection selection;
  selection.ops = [&](const std::string& op) {
    const auto place = pages->op_place(op);
    return place && is_elementwise(*place->op);
  };
  const auto cases = select_cases(*pages, selection);
  ASSERT_TRUE(cases) << to_text(cases.error());
  std::map<std::string, int> tried, filled;
  for (const Case& test : *cases) {
    if (test.unusable || test.program.operations.size() != 1 || test.inputs.empty()) continue;
    const std::string& op = test.program.operations.front().op;
    if (tried[op] >= cases_of_an_op) continue;
    const Result<OpCall> call = reach_call({*pages, **pages->find_profile("reference")}, test.program, 0, test.inputs);
    if (!call) continue;
    std::int64_t largest = 0;
    for (const auto& operand : call->operands) largest = std::max(largest, operand ? operand->size() : 0);
    if (largest > 300) continue;
    ++tried[op];
    int profiles = 0;
    for (const auto& [name, profile] : pages->profiles()) {
      const bool says_something = std::ranges::any_of(profile.choices, [&](const auto& choice) { return choice.first.starts_with(op + "/"); });
      if (name != "reference" && (!says_something || ++profiles > 1)) continue;
      filled[op] += is_filled(*call, profile, test.id) ? 1 : 0;
    }
  }
  int ops = 0, calls = 0;
  for (const auto& [op, count] : filled) {
    ops += count > 0 ? 1 : 0;
    calls += count;
    std::printf("  %s %d of %d cases\n", op.c_str(), count, tried[op]);
  }
  std::printf("  %d of %zu elementwise ops are filled at once somewhere, %d calls\n", ops, filled.size(), calls);
  EXPECT_GT(ops, 100);
}

}  // namespace
}  // namespace tiebreak
