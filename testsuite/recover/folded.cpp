// SPDX-License-Identifier: Apache-2.0
// Arithmetic into which parameters were folded: x * 8429.23, rounded, held within -127 and 127, converted to i8, has the scale 1 / 8429.23.
#include <algorithm>

#include "testsuite/recover/recovery.hpp"

namespace tiebreak::recover {
namespace {

const FloatFormat& f32() { return *find_float_format("f32"); }

/// Digits of the shortest decimal that is this number as f32.
int digits_of(const Real& number) {
  for (int digits = 1; digits < 9; ++digits) {
    const auto again = Real::parse(number.to_decimal(digits));
    const auto rounded = again ? round_to(*again, f32()) : std::nullopt;
    if (rounded && *rounded == number) return digits;
  }
  return 9;
}

std::string short_text(const Real& number) { return number.to_decimal(digits_of(number)); }

bool is_whole(const Along& numbers) {
  return std::ranges::all_of(numbers.values, [](const Real& number) { return number.is_whole(); });
}

}  // namespace

/// Relative: half a unit of the last digit that was printed, or of the last bit.
Real Recovery::error_of(const Real& constant) const {
  const Real half_bit = Real::power_of_two(-24);
  if (question_.printed_digits <= 0 || constant.is_zero() || digits_of(constant) > question_.printed_digits) return half_bit;
  Real unit = 1;  // of the last digit, relative to the number
  const Real magnitude = abs(constant);
  while (magnitude < unit) unit = unit / Real(10);
  while (!(magnitude < unit * Real(10))) unit = unit * Real(10);
  for (int i = 1; i < question_.printed_digits; ++i) unit = unit / Real(10);
  const Real relative = unit / magnitude / Real(2);
  return relative < half_bit ? half_bit : relative;
}

std::optional<Chain> Recovery::chain_of(ValueId id) const {
  if (const auto found = chains_.find(id); found != chains_.end()) return found->second;
  const auto element = element_of(id);
  Chain chain;
  if (const auto known = facts_.find(id); known != facts_.end()) {
    const CodeFacts& codes = known->second;
    if (codes.stated) return std::nullopt;
    if (!codes.scales.empty() && !codes.zero_points.empty()) {
      chain.codes = id;
      chain.real = codes.real;
      if (codes.dimensions.size() > 1 || (codes.scales.size() > 1 && codes.dimensions.empty())) return std::nullopt;
      const auto rank = rank_of(id);
      if (codes.scales.size() > 1 && (!rank || codes.dimensions[0].block != 1)) return std::nullopt;
      const int from_right = codes.scales.size() > 1 ? static_cast<int>(*rank) - codes.dimensions[0].axis : 0;
      chain.scale = {codes.scales, from_right};
      chain.zero = {codes.zero_points, codes.zero_points.size() > 1 ? from_right : 0};
      return chain;
    }
    if (!codes.why_no_scale.empty()) return std::nullopt;
  }
  if (element && element->is_integer() && element->bits() <= 16) {
    chain.codes = id;
    chain.is_unit = true;
    return chain;
  }
  if (element && !element->is_float()) return std::nullopt;
  chain.real = id;
  return chain;
}

bool Recovery::apply(Chain& chain, const Step& step, const Operation& operation) const {
  const auto change = [&](Along& numbers, const Along& by, const auto& function) {
    auto made = combined(numbers, by, function);
    if (made) numbers = std::move(*made);
    return made.has_value();
  };
  const auto times = [](const Real& a, const Real& b) { return a * b; };
  const auto over = [](const Real& a, const Real& b) { return a / b; };
  const auto plus = [](const Real& a, const Real& b) { return a + b; };
  const auto minus = [](const Real& a, const Real& b) { return a - b; };
  const Real& first = step.by.values.empty() ? Real() : step.by.values[0];
  switch (step.kind) {
    case StepKind::same:
    case StepKind::convert: return true;
    case StepKind::round: chain.is_rounded = true; return true;
    case StepKind::round_down:
      chain.is_rounded = true;
      if (!is_whole(chain.zero)) return change(chain.zero, one_number(Real(1) / Real(2)), minus);
      return true;
    case StepKind::add:
      chain.low = chain.low + first;
      chain.high = chain.high + first;
      return change(chain.zero, step.by, plus);
    case StepKind::subtract:
      chain.low = chain.low - first;
      chain.high = chain.high - first;
      return change(chain.zero, step.by, minus);
    case StepKind::hold:
      if (chain.low < step.low) chain.low = step.low;
      if (step.high < chain.high) chain.high = step.high;
      return true;
    case StepKind::multiply:
    case StepKind::divide:
    case StepKind::shift_down: break;
  }
  if (std::ranges::any_of(step.by.values, [](const Real& number) { return !number.is_finite() || number.sign() <= 0; })) return false;
  const bool grows = step.kind == StepKind::multiply;
  chain.low = grows ? chain.low * first : chain.low / first;
  chain.high = grows ? chain.high * first : chain.high / first;
  chain.error = chain.error + error_of(first);
  chain.is_scaled = true;
  chain.op = operation.op;
  chain.place = operation.where;
  if (step.by.values.size() == 1)
    chain.how = chain.how.empty() && !grows ? short_text(first) : (chain.how.empty() ? "1" : chain.how) + (grows ? " / " : " * ") + short_text(first);
  else chain.how = (grows ? "1 / " : "") + std::to_string(step.by.values.size()) + " values";
  const bool done = grows ? change(chain.zero, step.by, times) && change(chain.scale, step.by, over)
                          : change(chain.zero, step.by, over) && change(chain.scale, step.by, times);
  if (step.kind != StepKind::shift_down) return done;
  chain.is_rounded = true;
  return done && (is_whole(chain.zero) || change(chain.zero, one_number(Real(1) / Real(2)), minus));
}

/// Whether the value is rounded and held in a range, or converted to integers, before anything multiplies it again: two factors in a row would have been folded
/// into one.
bool Recovery::leads_to_codes(ValueId id, bool is_rounded, int depth) const {
  if (depth > 12) return false;
  for (const std::size_t user : graph_.users(id)) {
    const Operation& operation = program_.operations[user];
    const auto step = operation.results.empty() ? steps_.end() : steps_.find(operation.results[0]);
    if (step == steps_.end() || step->second.operand != id) continue;
    if (step->second.kind == StepKind::multiply || step->second.kind == StepKind::divide) continue;
    if (step->second.kind == StepKind::convert) {
      if (step->second.element.is_integer()) return true;
      continue;
    }
    if (step->second.kind == StepKind::hold && is_rounded && step->second.low.is_finite() && step->second.high.is_finite()) return true;
    const bool rounds = step->second.kind == StepKind::round || step->second.kind == StepKind::round_down;
    if (leads_to_codes(operation.results[0], is_rounded || rounds, depth + 1)) return true;
  }
  return false;
}

bool Recovery::is_followed_by(ValueId id, StepKind kind) const {
  return std::ranges::any_of(graph_.users(id), [&](std::size_t user) {
    const Operation& operation = program_.operations[user];
    const auto step = operation.results.empty() ? steps_.end() : steps_.find(operation.results[0]);
    return step != steps_.end() && step->second.kind == kind;
  });
}

void Recovery::take_step(const Operation& operation, const Step& step) {
  const ValueId result = operation.results[0];
  if (const auto stated = facts_.find(result); stated != facts_.end() && (stated->second.stated || !stated->second.scales.empty())) return;
  if (const auto stated = facts_.find(step.operand); stated != facts_.end() && stated->second.real == result) return;  // a dequantize operation
  auto chain = chain_of(step.operand);
  if (!chain) return;
  const bool is_from_real = chain->codes < 0;
  const bool is_sum_of_products = chain->contraction >= 0 && !chain->is_rounded && !chain->is_scaled;
  const bool adds = step.kind == StepKind::add || step.kind == StepKind::subtract;
  if (is_sum_of_products && adds && step.element.is_integer()) {
    if (!is_followed_by(result, StepKind::shift_down)) {  // else half of what is shifted away
      contractions_[static_cast<std::size_t>(chain->contraction)].biases.push_back(step.constant);
      chains_[result] = *chain;
      return;
    }
  }
  const bool is_plain = step.kind != StepKind::multiply && step.kind != StepKind::divide;
  if (is_from_real && !chain->is_scaled && is_plain && step.kind != StepKind::round) return;  // an operation on real numbers
  if (is_from_real && chain->is_scaled && !is_plain && !chain->is_rounded) chain = Chain{.real = step.operand};
  if (!apply(*chain, step, operation)) return;
  if (step.element.is_integer()) {
    const bool makes = step.kind == StepKind::convert || step.kind == StepKind::hold;
    if (makes && (chain->is_scaled || chain->is_rounded || !is_from_real) && step.element.bits() <= 32) return make_codes(result, *chain, step, operation);
    if (!is_from_real) chains_[result] = *chain;
    return;
  }
  const bool stays = leads_to_codes(result, chain->is_rounded);
  if (step.kind == StepKind::hold && chain->is_rounded && !stays && chain->low.is_finite() && chain->high.is_finite())
    return carry_codes(result, *chain, step, operation);
  if (is_from_real || stays) {
    if (stays) chains_[result] = *chain;
    return;
  }
  if (chain->is_scaled) return reach_real_space(result, *chain, operation);
  chains_[result] = *chain;
}

/// Floats that go to no codes: they are the numbers that the codes stand for.
void Recovery::reach_real_space(ValueId result, const Chain& chain, const Operation& operation) {
  if (chain.contraction >= 0) {
    Contraction& sum = contractions_[static_cast<std::size_t>(chain.contraction)];
    if (sum.real < 0) sum.real = result;
    if (!chain.is_unit || sum.scale.is_known()) return;
    sum.scale = *combined(one_number(1), chain.scale, [](const Real& one, const Real& scale) { return one / scale; });
    sum.error = chain.error;
    sum.how = sum.scale.values.size() == 1 ? short_text(sum.scale.values[0]) : std::to_string(sum.scale.values.size()) + " values";
    sum.op = operation.op;
    sum.place = operation.where;
    return;
  }
  CodeFacts& known = facts(chain.codes);
  if (!chain.is_unit) {
    dequantized_from_[result].insert(chain.codes);
    if (known.real < 0) known.real = result;
    return;
  }
  const auto scale = combined(one_number(1), chain.scale, [](const Real& one, const Real& unit) { return one / unit; });
  const auto zero = combined(chain.zero, chain.scale, [](const Real& shift, const Real& unit) { return -(shift * unit); });
  if (!scale || !zero) return;
  known.real = result;
  dequantized_from_[result].insert(chain.codes);
  known.scales = scale->values;
  if (is_whole(*zero)) known.zero_points = zero->values;
  else known.why_no_zero_point = "what is added is no multiple of the scale";
  known.from = scale->values.size() == 1 ? short_text(scale->values[0]) : std::to_string(scale->values.size()) + " values";
  known.op = operation.op;
  known.place = operation.where;
  if (scale->values.size() == 1) return;
  known.parameter_shape = {static_cast<std::int64_t>(scale->values.size())};
  if (const auto rank = rank_of(chain.codes)) known.dimensions = {{static_cast<int>(*rank) - scale->from_right, 1}};
  else known.why_no_axis = "the rank of the tensor is not stated";
}

/// Rounded and held within a range, and still floats: codes of the narrowest type that has the range.
void Recovery::carry_codes(ValueId result, const Chain& chain, Step step, const Operation& operation) {
  const char* const signed_types[] = {"i4", "i8", "i16", "i32"};
  const char* const unsigned_types[] = {"u4", "u8", "u16", "u32"};
  const ElementType carrier = step.element;
  for (const char* word : chain.low < Real(0) ? signed_types : unsigned_types) {
    step.element = *ElementType::parse(word);
    if (step.element.min() <= chain.low && chain.high <= step.element.max()) break;
  }
  make_codes(result, chain, step, operation);
  facts(result).storage = step.element;
  elements_.emplace(result, carrier);
}

void Recovery::make_codes(ValueId result, const Chain& chain, const Step& step, const Operation& operation) {
  CodeFacts& known = facts(result);
  known.real = chain.codes < 0 ? chain.real : -1;
  if (known.real >= 0) quantized_as_[known.real].insert(result);
  known.op = chain.op.empty() ? operation.op : chain.op;
  known.place = chain.place.empty() ? operation.where : chain.place;
  const Real low = round_whole(chain.low, Rounding::up), high = round_whole(chain.high, Rounding::down);
  const Real least = step.element.min(), greatest = step.element.max();
  if (least < low || high < greatest) known.clip = Range{low < least ? least : low, greatest < high ? greatest : high};
  if (chain.is_unit) {
    known.why_no_scale = chain.contraction < 0 ? "only its quotient by the scale of " + graph_.name(chain.codes) + " is in the program"
                                               : "the factor " + chain.how + " holds the scales of the operands and of the result together";
    if (chain.contraction >= 0) contractions_[static_cast<std::size_t>(chain.contraction)].is_requantized = true;
    if (is_whole(chain.zero)) known.zero_points = chain.zero.values;
    return;
  }
  std::string how;
  for (const Real& scale : chain.scale.values) known.scales.push_back(chain.codes < 0 ? nearest_scale(scale, 0, how) : scale);
  if (is_whole(chain.zero)) known.zero_points = chain.zero.values;
  else known.why_no_zero_point = "what is added before the rounding is no whole number";
  known.from = chain.how.empty() ? "same as: " + graph_.name(chain.codes) : chain.how;
  if (chain.codes < 0 && known.clip && known.scales.size() == 1 && known.clip->low == -known.clip->high) {
    // Symmetric codes without the least one: the range that the scale was made from has one code more.
    const Real reach = known.scales[0] * (known.clip->high + Real(1));
    known.calibrated = Range{-reach, reach};
  }
  if (chain.scale.values.size() == 1) return;
  known.parameter_shape = {static_cast<std::int64_t>(chain.scale.values.size())};
  const auto rank = rank_of(result) ? rank_of(result) : chain.real >= 0 ? rank_of(chain.real) : std::nullopt;
  if (rank) known.dimensions = {{static_cast<int>(*rank) - chain.scale.from_right, 1}};
  else known.why_no_axis = "the rank of the tensor is not stated";
}

}  // namespace tiebreak::recover
