// SPDX-License-Identifier: Apache-2.0
#include "interpreter/elementwise/float_operations.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "interpreter/elementwise/float_program.hpp"
#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t lanes_at_once = 2048;  // what they need stays in the cache
constexpr std::int64_t cells_of_a_set = 8;   // fewer, and finding the parameters takes longer than the operations

/// nan if either is, and -0 below +0, as the notation has them. Equal numbers differ in the sign of zero alone.
struct Least {
  float operator()(float a, float b) const {
    const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) | std::bit_cast<std::uint32_t>(b));
    return a != a ? a : a == b ? equal : a < b ? a : b;
  }
};
struct Greatest {
  float operator()(float a, float b) const {
    const float equal = std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & std::bit_cast<std::uint32_t>(b));
    return a != a ? a : a == b ? equal : a > b ? a : b;
  }
};
struct Magnitude {
  float operator()(float a, float) const { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(a) & 0x7FFFFFFFu); }
};
struct Opposite {
  float operator()(float a, float) const { return -a; }
};
struct Root {
  float operator()(float a, float) const { return std::sqrt(a); }
};
struct IsNan {
  bool operator()(float a, float) const { return a != a; }
};

/// Lanes of an argument, or one number for all.
struct LanesOf {
  const float* first;
  bool is_one;
};

template <class F>
TIEBREAK_AVX2_COPY void run_lanes_of(LanesOf a, LanesOf b, std::size_t count, float* out) {
  constexpr F f{};
  if (a.is_one) {
    const float x = *a.first;
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(f(x, b.first[b.is_one ? 0 : i]));
  } else if (b.is_one) {
    const float y = *b.first;
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(f(a.first[i], y));
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(f(a.first[i], b.first[i]));
  }
}

TIEBREAK_AVX2_COPY void choose(LanesOf condition, LanesOf a, LanesOf b, std::size_t count, float* out) {
  const std::size_t c = condition.is_one ? 0 : 1, x = a.is_one ? 0 : 1, y = b.is_one ? 0 : 1;
  if (c == 1 && x == 0 && y == 1) {
    const float number = *a.first;
    for (std::size_t i = 0; i < count; ++i) out[i] = condition.first[i] != 0 ? number : b.first[i];
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = condition.first[i * c] != 0 ? a.first[i * x] : b.first[i * y];
  }
}

void run(NodeOp op, const std::array<LanesOf, 3>& of, std::size_t count, float* out) {
  switch (op) {
    case NodeOp::add: return run_lanes_of<std::plus<float>>(of[0], of[1], count, out);
    case NodeOp::subtract: return run_lanes_of<std::minus<float>>(of[0], of[1], count, out);
    case NodeOp::multiply: return run_lanes_of<std::multiplies<float>>(of[0], of[1], count, out);
    case NodeOp::divide: return run_lanes_of<std::divides<float>>(of[0], of[1], count, out);
    case NodeOp::minimum: return run_lanes_of<Least>(of[0], of[1], count, out);
    case NodeOp::maximum: return run_lanes_of<Greatest>(of[0], of[1], count, out);
    case NodeOp::absolute: return run_lanes_of<Magnitude>(of[0], of[0], count, out);
    case NodeOp::real_function: return run_lanes_of<Root>(of[0], of[0], count, out);
    case NodeOp::negate: return run_lanes_of<Opposite>(of[0], of[0], count, out);
    case NodeOp::equal: return run_lanes_of<std::equal_to<float>>(of[0], of[1], count, out);
    case NodeOp::not_equal: return run_lanes_of<std::not_equal_to<float>>(of[0], of[1], count, out);
    case NodeOp::less: return run_lanes_of<std::less<float>>(of[0], of[1], count, out);
    case NodeOp::less_equal: return run_lanes_of<std::less_equal<float>>(of[0], of[1], count, out);
    case NodeOp::is_nan: return run_lanes_of<IsNan>(of[0], of[0], count, out);
    default: return choose(of[2], of[0], of[1], count, out);
  }
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
        const auto lanes_of = [&](const FloatProgram::Argument& argument) -> LanesOf {
          using Kind = FloatProgram::Argument::Kind;
          if (argument.kind == Kind::lanes) return {space[argument.number].data(), false};
          if (argument.kind == Kind::elements) return {argument.elements + place, false};
          return {program.parameters[argument.number].data() + static_cast<std::size_t>(cells.set) + begin * step, step == 0};
        };
        for (std::size_t i = 0; i < operations.size(); ++i) {
          const auto& arguments = operations[i].arguments;
          float* to = i + 1 == operations.size() ? out + place : space[i].data();
          if (operations[i].op == NodeOp::round_float) convert(arguments[0].integers + place, count, to);
          else run(operations[i].op, {lanes_of(arguments[0]), lanes_of(arguments[1]), lanes_of(arguments[2])}, count, to);
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
