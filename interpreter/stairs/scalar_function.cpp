// SPDX-License-Identifier: Apache-2.0
// Compiling a call into a function of one number, and evaluating it.
#include "interpreter/stairs/scalar_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/formula/exact_evaluator.hpp"
#include "interpreter/hint.hpp"
#include "interpreter/ranges/accumulator.hpp"
#include "interpreter/stairs/scalar_parts.hpp"

namespace tiebreak {
namespace {

std::vector<std::string> names_of(const std::vector<ScalarParameter>& parameters) {
  std::vector<std::string> names;
  for (const ScalarParameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

/// A place of a double in the order of a float type.
std::int64_t ordinal_of_double(double v, const FloatFormat& format) {
  if (is_binary32(format)) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(v));
    return bits >> 31 == 0 ? std::int64_t{bits} : -std::int64_t{bits & 0x7FFFFFFFu} - 1;
  }
  if (is_binary64(format)) {
    const auto bits = std::bit_cast<std::uint64_t>(v);
    return bits >> 63 == 0 ? static_cast<std::int64_t>(bits) : -static_cast<std::int64_t>(bits & 0x7FFFFFFFFFFFFFFFu) - 1;
  }
  const std::uint64_t code = *encode(Real::from_double(v), format);
  const std::uint64_t sign = std::uint64_t{1} << (format.bits() - 1);
  if (!format.is_signed() || (code & sign) == 0) return static_cast<std::int64_t>(code);
  return -static_cast<std::int64_t>(code & (sign - 1)) - (format.has_negative_zero() ? 1 : 0);
}

std::int64_t ordinal_of(const Value& value, const OrderedType& type) {
  if (value.is_undefined() || !value.is_number()) return outcome_undefined;
  const Real& number = value.number();
  if (number.is_nan()) return outcome_nan;
  if (type.is_integer()) return number.to_int64().value_or(outcome_undefined);
  return ordinal_of_double(number.to_double(), type.type.floating());
}

}  // namespace

ScalarFunction::ScalarFunction(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ScalarFunction::ScalarFunction(ScalarFunction&&) noexcept = default;
ScalarFunction& ScalarFunction::operator=(ScalarFunction&&) noexcept = default;
ScalarFunction::~ScalarFunction() = default;

const OrderedType& ScalarFunction::input() const { return parts_->input; }
const OrderedType& ScalarFunction::output() const { return parts_->output; }
const std::vector<ScalarParameter>& ScalarFunction::parameters() const { return parts_->parameters; }
const std::vector<std::string>& ScalarFunction::clauses() const { return parts_->formula.clauses; }

Status ScalarFunction::Parts::bind_formula() {
  TIEBREAK_TRY(bound, tiebreak::bind({*library, profile}, call));
  formula = std::move(bound);
  return take_formula();
}

Status ScalarFunction::Parts::take_formula() {
  if (formula.geometry.has_bag && varied_operand >= 0)
    return fail(Errc::unsupported, fmt::format("{}: a result sees many elements of its operands; it has no stairs", call.op), call.where);
  if (result_number >= formula.results.size()) return fail(Errc::type, fmt::format("{} has no result {}", call.op, result_number), call.where);
  root = formula.results[result_number].node;
  if (varied_operand < 0) TIEBREAK_CHECK(cut_at_accumulator());
  varied_source = -1;
  for (std::size_t i = 0; i < formula.sources.size(); ++i)
    if (formula.sources[i].name == varied) varied_source = static_cast<int>(i);
  TIEBREAK_TRY(output_type, ordered(formula.results[result_number].type));
  output = output_type;
  known = std::make_unique<KnownValues>(formula, varied_source);
  planned = false;
  return {};
}

Status ScalarFunction::Parts::cut_at_accumulator() {
  const std::optional<Accumulator> found = accumulator_of(formula, root);
  if (!found) return fail(Errc::unsupported, fmt::format("{}: no single accumulator leads to the result", call.op), call.where);
  TIEBREAK_TRY(tensor, Tensor::zeros({found->type, {}}));
  accumulator = std::make_unique<Tensor>(std::move(tensor));
  replace_accumulator(formula, found->node, *accumulator, varied);
  TIEBREAK_TRY(input_type, ordered(accumulator->type()));
  input = input_type;
  return {};
}

Status ScalarFunction::Parts::make_plan() {
  if (planned) return {};
  known->forget();
  TIEBREAK_TRY(lowered, lower(formula, *known, root, input));
  plan = std::move(lowered);
  frame.lanes.clear();
  plan.reserve(frame);
  planned = true;
  return {};
}

void ScalarFunction::Parts::list_parameters(const notation::Op& op) {
  auto facts = [&](const std::string& name, const TensorType& type) {
    if (!type.quantized || type.quantized->scales.size() != 1) return;
    parameters.push_back({name + ".scale", type.quantized->expressed, type.quantized->scales[0].value});
    parameters.push_back({name + ".zero_point", type.quantized->storage, type.quantized->zero_points[0].value});
  };
  for (std::size_t i = 0; i < call.operands.size() && i < op.operands.size(); ++i) {
    if (!call.operands[i]) continue;
    const Tensor& tensor = *call.operands[i];
    const bool is_parameter = varied_operand >= 0 ? op.operands[i].name != varied : op.operands[i].indexed;
    if (is_parameter && tensor.size() == 1) parameters.push_back({op.operands[i].name, tensor.element(), tensor.value(0)});
    facts(op.operands[i].name, tensor.type());
  }
  for (std::size_t i = 0; i < call.result_types.size() && i < op.results.size(); ++i)
    if (call.result_types[i]) facts(op.results[i].name, *call.result_types[i]);
}

Result<ScalarFunction> ScalarFunction::compile(const Semantics& semantics, const OpCall& call, const std::string& varied, std::size_t result) {
  auto parts = std::make_unique<Parts>();
  parts->library = &semantics.library;
  parts->profile = semantics.profile;
  parts->call = call;
  parts->varied = varied;
  parts->result_number = result;
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  const notation::Op& op = *place.op;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    parts->operand_names.push_back(op.operands[i].name);
    if (op.operands[i].name == varied) parts->varied_operand = static_cast<int>(i);
  }
  for (const notation::Operand& declared : op.results) parts->result_names.push_back(declared.name);
  if (parts->varied_operand < 0 || static_cast<std::size_t>(parts->varied_operand) >= call.operands.size() ||
      !call.operands[static_cast<std::size_t>(parts->varied_operand)])
    return fail(Errc::unknown_name, fmt::format("{} has no operand '{}' to vary", call.op, varied), call.where, did_you_mean(varied, parts->operand_names));
  TIEBREAK_TRY(input, ordered(call.operands[static_cast<std::size_t>(parts->varied_operand)]->type()));
  parts->input = input;
  parts->list_parameters(op);
  TIEBREAK_CHECK(parts->bind_formula());
  return ScalarFunction(std::move(parts));
}

Result<ScalarFunction> ScalarFunction::compile_tail(const Semantics& semantics, const OpCall& call, std::size_t result) {
  auto parts = std::make_unique<Parts>();
  parts->library = &semantics.library;
  parts->profile = semantics.profile;
  parts->call = call;
  parts->varied = "accumulator";
  parts->result_number = result;
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  for (const notation::Operand& declared : place.op->operands) parts->operand_names.push_back(declared.name);
  for (const notation::Operand& declared : place.op->results) parts->result_names.push_back(declared.name);
  parts->list_parameters(*place.op);
  TIEBREAK_CHECK(parts->bind_formula());
  // What only the accumulator depends on is no parameter of what follows it. Facts of types are constants of the formula, and stay.
  const std::set<std::string> read = sources_below(parts->formula, parts->root);
  std::erase_if(parts->parameters, [&](const ScalarParameter& one) { return one.name.find('.') == std::string::npos && !read.contains(one.name); });
  return ScalarFunction(std::move(parts));
}

Result<ScalarFunction> ScalarFunction::of_formula(Formula formula, const std::string& varied) {
  auto parts = std::make_unique<Parts>();
  const auto source = std::ranges::find(formula.sources, varied, &Source::name);
  if (source == formula.sources.end() || source->tensor == nullptr || source->tensor->size() != 1)
    return fail(Errc::unknown_name, fmt::format("the formula reads no single element '{}'", varied));
  parts->call.op = formula.op;
  parts->call.operands = {*source->tensor};
  parts->varied = varied;
  parts->varied_operand = 0;
  source->tensor = &*parts->call.operands.front();
  TIEBREAK_TRY(input, ordered(source->tensor->type()));
  parts->input = input;
  parts->formula = std::move(formula);
  TIEBREAK_CHECK(parts->take_formula());
  return ScalarFunction(std::move(parts));
}

Status ScalarFunction::limit_input(std::int64_t first, std::int64_t last) {
  Parts& parts = *parts_;
  if (first > last || first < parts.input.first || last > parts.input.last)
    return fail(Errc::type, fmt::format("{} has no ordinals {} to {}", parts.input.type.name(), first, last), parts.call.where);
  parts.input.first = first;
  parts.input.last = last;
  parts.input.limited = true;
  parts.planned = false;
  return {};
}

Status ScalarFunction::set(const std::string& parameter, const Real& value) {
  Parts& parts = *parts_;
  auto found = std::ranges::find(parts.parameters, parameter, &ScalarParameter::name);
  if (found == parts.parameters.end())
    return fail(Errc::unknown_name, fmt::format("{} has no parameter '{}'", parts.call.op, parameter), parts.call.where,
                did_you_mean(parameter, names_of(parts.parameters)));
  const auto code = found->type.encode(value);
  if (!code) return fail(Errc::type, fmt::format("{} is no value of {} ({})", value.to_decimal(), parameter, found->type.name()), parts.call.where);
  if (found->value.identical(value)) return {};
  found->value = value;
  for (std::size_t i = 0; i < parts.operand_names.size(); ++i)
    if (parts.operand_names[i] == parameter) {
      parts.call.operands[i]->set_code(0, *code);  // the formula's source reads it
      parts.planned = false;
      return {};
    }
  return parts.set_fact(parameter, value);
}

/// A fact of a quantized type is a constant of the formula, which is therefore bound anew.
Status ScalarFunction::Parts::set_fact(const std::string& parameter, const Real& value) {
  const std::size_t dot = parameter.find('.');
  const std::string name = parameter.substr(0, dot), fact = parameter.substr(dot + 1);
  auto change = [&](TensorType type) {
    if (fact == "scale") type.quantized->scales[0].value = value;
    else type.quantized->zero_points[0].value = value;
    return type;
  };
  for (std::size_t i = 0; i < operand_names.size() && i < call.operands.size(); ++i)
    if (operand_names[i] == name && call.operands[i]) {
      TIEBREAK_TRY(changed, Tensor::zeros(change(call.operands[i]->type())));
      changed.set_code(0, call.operands[i]->code(0));
      call.operands[i] = std::move(changed);
    }
  for (std::size_t i = 0; i < result_names.size() && i < call.result_types.size(); ++i)
    if (result_names[i] == name && call.result_types[i]) call.result_types[i] = change(*call.result_types[i]);
  return bind_formula();
}

Status ScalarFunction::evaluate(std::span<const std::int64_t> inputs, std::span<std::int64_t> results) {
  Parts& parts = *parts_;
  TIEBREAK_CHECK(parts.make_plan());
  for (std::size_t first = 0; first < inputs.size(); first += frame_lanes) {
    const std::size_t count = std::min(frame_lanes, inputs.size() - first);
    TIEBREAK_CHECK(parts.run(inputs.subspan(first, count), results.subspan(first, count)));
  }
  return {};
}

Status ScalarFunction::Parts::run(std::span<const std::int64_t> inputs, std::span<std::int64_t> results) {
  frame.count = inputs.size();
  frame.inputs = inputs.data();
  for (const LaneStep& step : plan.steps) TIEBREAK_CHECK(step(frame));
  const Slot& slot = plan.slots[plan.root];
  const Lanes& lanes = frame.lanes[slot.place];
  const bool whole = slot.is_unit_one() && output.is_integer();
  const bool real = slot.kind == SlotKind::real && !output.is_integer();
  for (std::size_t lane = 0; lane < inputs.size(); ++lane) {
    if (whole) results[lane] = static_cast<std::int64_t>(lanes.whole(lane));
    else if (real) results[lane] = ordinal_of_double(lanes.reals[lane], output.type.floating());
    else results[lane] = ordinal_of(lane_value(slot, lanes, lane), output);
  }
  if (slot.may_be_undefined)
    for (std::size_t lane = 0; lane < inputs.size(); ++lane)
      if (lanes.undefined[lane] != 0) results[lane] = outcome_undefined;
  for (std::size_t required : plan.required) {
    const Slot& held = plan.slots[required];
    for (std::size_t lane = 0; lane < inputs.size(); ++lane) {
      const Value value = lane_value(held, frame.lanes[held.place], lane);
      if (!value.is_truth() || !value.truth()) results[lane] = outcome_undefined;
    }
  }
  return ask_where_errors(inputs, results);
}

/// Lanes in which an error reached the result or a requirement: the exact engine says whether it is one.
Status ScalarFunction::Parts::ask_where_errors(std::span<const std::int64_t> inputs, std::span<std::int64_t> results) {
  std::vector<std::size_t> asked = plan.required;
  asked.push_back(plan.root);
  for (const std::size_t number : asked) {
    const Slot& slot = plan.slots[number];
    for (std::size_t lane = 0; lane < inputs.size() && slot.may_be_undefined; ++lane) {
      if ((frame.lanes[slot.place].undefined[lane] & lane_error) == 0) continue;
      TIEBREAK_TRY(exact, exactly(input.value(inputs[lane])));
      results[lane] = exact;
    }
  }
  return {};
}

Result<std::int64_t> ScalarFunction::at(std::int64_t input) {
  std::int64_t result = 0;
  TIEBREAK_CHECK(evaluate({&input, 1}, {&result, 1}));
  return result;
}

Result<std::int64_t> ScalarFunction::Parts::exactly(const Real& input_value) {
  auto code = input.type.encode(input_value);
  if (!code) return fail(Errc::type, fmt::format("{} is no value of {}", input_value.to_decimal(), input.type.name()), call.where);
  varied_tensor().set_code(0, *code);
  ExactEvaluator evaluator(formula);
  evaluator.set_cell(0);
  for (const FormulaRequire& requirement : formula.requires_) {
    TIEBREAK_TRY(held, evaluator.at(requirement.node));
    if (!held.is_truth() || !held.truth()) return outcome_undefined;
  }
  TIEBREAK_TRY(value, evaluator.at(root));
  return ordinal_of(value, output);
}

Result<std::int64_t> ScalarFunction::exactly_at(std::int64_t input) { return parts_->exactly(parts_->input.value(input)); }

Result<std::int64_t> ScalarFunction::at_nan() {
  if (parts_->input.is_integer() || !parts_->input.type.floating().has_nan()) return fail(Errc::type, "the input has no nan", parts_->input.type.name());
  return parts_->exactly(Real::nan());
}

}  // namespace tiebreak
