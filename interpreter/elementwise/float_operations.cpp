// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/float_operations.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "interpreter/elementwise/float_program.hpp"
#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/operation_traits.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t lanes_at_once = 2048;  // what they need stays in the cache
constexpr std::int64_t cells_of_a_set = 8;   // fewer, and finding the parameters takes longer than the operations

using FloatLanes = LaneArgument<float>;

/// An operation that has no record of loops: what it gives is another argument's lane.
TIEBREAK_AVX2_COPY void choose(FloatLanes condition, FloatLanes a, FloatLanes b, std::span<float> out) {
  const std::size_t c = condition.uniform ? 0 : 1, x = a.uniform ? 0 : 1, y = b.uniform ? 0 : 1, count = out.size();
  if (c == 1 && x == 0 && y == 1) {
    const float number = *a.values;
    for (std::size_t i = 0; i < count; ++i) out[i] = condition.values[i] != 0 ? number : b.values[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = condition.values[i * c] != 0 ? a.values[i * x] : b.values[i * y];
  }
}

struct Root {
  float operator()(float a, float) const { return std::sqrt(a); }
};

void run(NodeOp op, const std::array<FloatLanes, 3>& of, std::span<float> out) {
  if (op == NodeOp::conditional) choose(of[2], of[0], of[1], out);
  else if (op == NodeOp::real_function) run_lanes<Root, float, float>(out, of[0], of[0]);
  else find_traits(op)->loops.floats(out, of[0], of[1]);
}

TIEBREAK_AVX2_COPY void convert(const std::int32_t* integers, std::size_t count, float* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(integers[i]);
}

/// nan in the one form that results have.
TIEBREAK_AVX2_COPY void settle_nan(float nan, std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] != values[i] ? nan : values[i];
}

/// A program, and the sets of parameters that it is run with.
struct FloatFill {
  ParameterSets sets;
  Stop stop{};
  FloatProgram program;
  float nan = 0;

  Result<bool> fill(ResultTensor& result) const {
    const auto& operations = program.operations;
    std::vector<std::vector<float>> space(operations.size() - 1, std::vector<float>(lanes_at_once));
    auto* out = reinterpret_cast<float*>(result.tensor.bytes().data());
    const auto fill_run = [&](const ParameterSets::Run& cells) -> Status {
      const auto first = static_cast<std::size_t>(cells.first), length = static_cast<std::size_t>(cells.count), step = static_cast<std::size_t>(cells.step);
      for (std::size_t begin = 0; begin < length; begin += lanes_at_once) {
        TIEBREAK_CHECK(stop.check());
        const std::size_t count = std::min(lanes_at_once, length - begin), place = first + begin;
        const auto lanes_of = [&](const FloatProgram::Argument& argument) -> FloatLanes {
          using Kind = FloatProgram::Argument::Kind;
          if (argument.kind == Kind::lanes) return {space[argument.number].data(), false};
          if (argument.kind == Kind::elements) return {argument.elements + place, false};
          return {program.parameters[argument.number].data() + static_cast<std::size_t>(cells.set) + begin * step, step == 0};
        };
        for (std::size_t i = 0; i < operations.size(); ++i) {
          const auto& arguments = operations[i].arguments;
          float* to = i + 1 == operations.size() ? out + place : space[i].data();
          if (operations[i].op == NodeOp::round_float) convert(arguments[0].integers + place, count, to);
          else run(operations[i].op, {lanes_of(arguments[0]), lanes_of(arguments[1]), lanes_of(arguments[2])}, {to, count});
        }
        settle_nan(nan, count, out + place);
      }
      return {};
    };
    TIEBREAK_CHECK(sets.for_each_run(fill_run));
    return true;
  }
};

}  // namespace

Result<FillPlan> plan_by_float_operations(const Formula& formula, const FormulaResult& declared, const CellInputs& inputs) {
  const FillPlan none;
  const TensorType& type = declared.type;
  if (!formula.requires_.empty() || type.quantized || !type.element.is_float() || !is_binary32(type.element.floating()) || inputs.cellwise.empty()) return none;
  const ParameterSets sets(formula.geometry.cell_extents, inputs.rate);
  if (sets.count() > formula.geometry.cells() / cells_of_a_set) return none;
  std::optional<FloatProgram> program = float_program(formula, declared.node, inputs, sets);
  if (!program) return none;
  const auto nan = std::bit_cast<float>(static_cast<std::uint32_t>(*type.element.encode(Real::nan())));
  return FillPlan([fill = FloatFill{sets, formula.stop, std::move(*program), nan}](ResultTensor& result) { return fill.fill(result); });
}

}  // namespace tiebreak
