// SPDX-License-Identifier: Apache-2.0
// Simpler values. Every step lowers the sum of all complexities, so the search ends. Scales, zero points and data are changed together
// first: a tie at scale 0.1 is none at scale 1.
#include <algorithm>
#include <bit>
#include <cmath>

#include "testsuite/reduce/reduce_steps.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_simplified_elements = 64;  // beyond that only whole tensors change
constexpr std::size_t most_together = 256;             // combinations asked, the simplest first
constexpr std::size_t most_combined = 20000;           // looked at

bool has_word(const std::string& name, const char* word) { return name.find(word) != std::string::npos; }

/// What an input costs to read. A scale that is not 1, and a zero point that is not 0, costs more than some digits of data.
class Cost {
 public:
  explicit Cost(const std::string& name) : is_scale_(has_word(name, "scale")), is_zero_point_(has_word(name, "zero_point")) {}
  std::int64_t of(const Real& value) const {
    constexpr std::int64_t a_parameter = 4096;
    if (is_scale_) return value == Real(1) ? 0 : a_parameter + complexity(value);
    if (is_zero_point_) return value.is_zero() ? 0 : a_parameter + complexity(value);
    return complexity(value);
  }
  std::int64_t of(const Tensor& tensor) const {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < tensor.size(); ++i) sum += of(tensor.value(i));
    return sum;
  }

 private:
  bool is_scale_, is_zero_point_;
};

const std::string& written_name(const Case& test, std::size_t input) { return test.program.values[static_cast<std::size_t>(test.program.inputs[input])].name; }

/// Values to try in the place of one, the simplest first; all are of the type and simpler.
std::vector<Real> simpler(const Cost& cost, const ElementType& type, const Real& value) {
  std::vector<Real> found;
  auto add = [&](const Real& candidate) {
    bool fits = type.encode(candidate).has_value() && cost.of(candidate) < cost.of(value);
    if (fits && std::ranges::none_of(found, [&](const Real& other) { return other.identical(candidate); })) found.push_back(candidate);
  };
  for (int i : {0, 1, -1, 2, 3, 4}) add(Real(i));
  if (!value.is_finite()) return found;
  double v = value.to_double();
  if (type.is_float()) {
    for (double simple : {0.5, -0.5, 1.5, 2.5, -1.5, 3.5, 0.25, 127.5, 128.0, 255.5, 256.0}) add(Real::from_double(simple));
    add(Real::from_double(std::abs(v)));
    add(Real::from_double(std::trunc(v)));
    for (int bits : {1, 2, 3, 5, 8, 12, 16}) {
      int exponent = 0;
      double mantissa = std::ldexp(std::frexp(v, &exponent), bits);
      for (double kept : {std::trunc(mantissa), std::trunc(mantissa) + std::copysign(1.0, v)}) add(Real::from_double(std::ldexp(kept, exponent - bits)));
    }
    return found;
  }
  add(Real::from_double(std::abs(v)));
  for (double away = std::trunc(v / 2); away != 0; away = std::trunc(away / 2)) add(Real::from_double(v - away));
  add(Real::from_double(v - std::copysign(1.0, v)));
  return found;
}

Tensor filled(const Tensor& tensor, std::int64_t element, const Real& value) {
  Tensor out = tensor;
  std::uint64_t code = *tensor.element().encode(value);
  for (std::int64_t i = 0; i < out.size(); ++i)
    if (element < 0 || i == element) out.set_code(i, code);
  return out;
}

struct Change {
  std::size_t input;
  std::int64_t element;  ///< -1: all
  Real value;
};

/// One element after the other, and whole tensors.
std::size_t simplify_elements(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::size_t steps = 0;
  for (bool changed = true; changed && !questions.is_over();) {
    std::vector<Change> changes;
    for (std::size_t input = 0; input < test.inputs.size(); ++input) {
      const Tensor& tensor = test.inputs[input];
      const Cost cost(written_name(test, input));
      if (tensor.size() > 1)
        for (int value : {0, 1})
          if (tensor.element().encode(Real(value)) && cost.of(filled(tensor, -1, Real(value))) < cost.of(tensor)) changes.push_back({input, -1, Real(value)});
      for (std::int64_t i = 0; i < tensor.size() && tensor.size() <= most_simplified_elements; ++i)
        for (const Real& value : simpler(cost, tensor.element(), tensor.value(i))) changes.push_back({input, i, value});
    }
    const Case before = test;
    auto make = [&](std::size_t place) {
      std::optional<Case> candidate = before;
      const Change& change = changes[place];
      candidate->inputs[change.input] = filled(before.inputs[change.input], change.element, change.value);
      return candidate;
    };
    changed = questions.first_alike(changes.size(), make, wanted, test).has_value();
    steps += changed ? 1 : 0;
  }
  return steps;
}

/// What a whole input may become when all change together.
std::vector<Tensor> alternatives(const Case& test, std::size_t input) {
  const Tensor& tensor = test.inputs[input];
  const std::string& name = written_name(test, input);
  std::vector<double> values{0, 1, 2, 3, -1, -128, 127, 255};
  if (tensor.element().is_float()) values = {0.5, 1, 1.5, 2.5, -0.5, -1, 128, 256, 300};
  if (has_word(name, "scale")) values = {1, 2, 0.5, 0.25};
  if (has_word(name, "zero_point")) values = {0, 1};
  std::vector<Tensor> found{tensor};
  for (double value : values)
    if (Real real = Real::from_double(value); tensor.element().encode(real)) found.push_back(filled(tensor, -1, real));
  return found;
}

/// All inputs at once: the simplest combinations that are simpler than what is there.
std::size_t simplify_together(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::vector<std::vector<Tensor>> choices;
  std::size_t combinations = 1;
  std::int64_t now = 0;
  for (std::size_t input = 0; input < test.inputs.size(); ++input) {
    if (test.inputs[input].size() > most_simplified_elements) return 0;
    choices.push_back(alternatives(test, input));
    combinations *= choices.back().size();
    now += Cost(written_name(test, input)).of(test.inputs[input]);
    while (combinations > most_combined) {  // the last alternatives are the least simple
      combinations = combinations / choices.back().size() * (choices.back().size() - 1);
      choices.back().pop_back();
      if (choices.back().size() == 1) break;
    }
  }
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  auto chosen = [&](std::size_t number, auto&& use) {
    for (std::size_t input = 0; input < choices.size(); ++input) {
      use(input, choices[input][number % choices[input].size()]);
      number /= choices[input].size();
    }
  };
  std::vector<std::vector<std::int64_t>> costs;
  for (std::size_t input = 0; input < choices.size(); ++input) {
    costs.emplace_back();
    for (const Tensor& tensor : choices[input]) costs.back().push_back(Cost(written_name(test, input)).of(tensor));
  }
  for (std::size_t number = 0; number < std::min(combinations, most_combined); ++number) {
    std::int64_t sum = 0;
    for (std::size_t input = 0, rest = number; input < choices.size(); rest /= choices[input].size(), ++input)
      sum += costs[input][rest % choices[input].size()];
    if (sum < now) order.emplace_back(sum, number);
  }
  std::ranges::sort(order);
  const Case before = test;
  auto make = [&](std::size_t place) {
    std::optional<Case> candidate = before;
    chosen(order[place].second, [&](std::size_t input, const Tensor& tensor) { candidate->inputs[input] = tensor; });
    return candidate;
  };
  return questions.first_alike(std::min(order.size(), most_together), make, wanted, test) ? 1 : 0;
}

std::int64_t complexity_of(const QuantizedType& type) {
  std::int64_t sum = 0;
  for (const Scale& scale : type.scales) sum += complexity(scale.value);
  for (const ZeroPoint& zero_point : type.zero_points) sum += complexity(zero_point.value);
  return sum;
}

/// Scales and zero points of quantized types, the same everywhere in the program.
std::size_t simplify_types(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::vector<std::string> texts;
  for (const ProgramValue& value : test.program.values)
    if (value.type && value.type->quantized)
      if (std::string text = element_text(*value.type); std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  std::size_t steps = 0;
  for (const std::string& text : texts) {
    const Case before = test;
    constexpr std::size_t ways = 4;
    auto make = [&](std::size_t way) -> std::optional<Case> {
      std::optional<Case> candidate = before;
      bool is_simpler = false;
      auto change = [&](TensorType type) {
        if (!type.quantized || element_text(type) != text) return type;
        std::int64_t now = complexity_of(*type.quantized);
        const Real scale = way == 1 ? Real::from_double(0.5) : way == 2 ? Real(2) : Real(1);
        for (Scale& one : type.quantized->scales)
          if (way != 3) one.value = scale;
        for (ZeroPoint& one : type.quantized->zero_points)
          if (way == 0 || way == 3) one.value = Real(0);
        is_simpler = complexity_of(*type.quantized) < now;
        return type;
      };
      for (ProgramValue& value : candidate->program.values) {
        if (value.type) value.type = change(*value.type);
        if (value.constant) value.constant->set_type(change(value.constant->type()));
      }
      for (Tensor& input : candidate->inputs) input.set_type(change(input.type()));
      if (!is_simpler) return std::nullopt;
      return candidate;
    };
    if (questions.first_alike(ways, make, wanted, test)) ++steps;
  }
  return steps;
}

}  // namespace

std::int64_t complexity(const Real& value) {
  constexpr std::int64_t a_digit = 1024, most = 1'000'000;  // a binary digit outweighs any exponent
  if (!value.is_finite()) return most;
  if (value.is_zero()) return value.is_negative() ? 1 : 0;
  std::int64_t sign = value.is_negative() ? 1 : 0;
  if (std::optional<std::int64_t> whole = value.to_int64(); whole && std::abs(*whole) < a_digit / 2) {
    auto size = static_cast<std::uint64_t>(std::abs(*whole));
    return a_digit * static_cast<std::int64_t>(std::bit_width(size)) + 2 * static_cast<std::int64_t>(size) + sign;
  }
  int exponent = 0;
  auto mantissa = static_cast<std::uint64_t>(std::abs(std::ldexp(std::frexp(value.to_double(), &exponent), 53)));
  auto digits = static_cast<std::int64_t>(std::bit_width(mantissa)) - std::countr_zero(mantissa);
  return a_digit * digits + 4 * std::min<std::int64_t>(std::abs(value.exponent()), 200) + sign;
}

std::size_t simplify_values(ReductionQuestions& questions, const FailureKind& wanted, Case& test) {
  std::size_t steps = simplify_types(questions, wanted, test);
  steps += simplify_together(questions, wanted, test);
  return steps + simplify_elements(questions, wanted, test);
}

}  // namespace tiebreak
