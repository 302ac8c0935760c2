// SPDX-License-Identifier: Apache-2.0
#include "testsuite/recover/steps.hpp"

#include <algorithm>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/notation/walk.hpp"

namespace tiebreak::recover {
namespace {

std::vector<Real> points_of(const ElementType& element) {
  std::vector<Real> points;
  const auto offer = [&](const Real& point) {
    if (element.encode(point)) points.push_back(point);
  };
  for (const int whole : {0, 1, -1, 2, 3, 5, 8, 100, -100, 1000, -1000, 1 << 20, -(1 << 20)}) offer(whole);
  for (const int quarters : {1, -1, 3, -3}) offer(Real(quarters) / Real(4));
  if (element.is_float()) {
    offer(Real::power_of_two(100));
    offer(-Real::power_of_two(100));
  }
  offer(element.max());
  offer(element.min());
  return points;
}

Tensor tensor_of(const std::vector<Real>& values, const ElementType& element, Shape shape) {
  Tensor tensor = *Tensor::zeros({element, std::move(shape), {}});
  for (std::int64_t i = 0; i < tensor.size(); ++i) tensor.set_code(i, element.encode(values[static_cast<std::size_t>(i)]).value_or(0));
  return tensor;
}

struct Answers {
  std::vector<Real> points{};
  std::vector<Real> values{};
  ElementType element{};

  std::optional<Real> at(const Real& point) const {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] == point) return values[i];
    return std::nullopt;
  }
  template <class Function>
  bool are(const Function& function) const {
    std::size_t inside = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Real expected = function(points[i]);
      if (element.is_float() && expected.is_finite()) expected = round_to(expected, element.floating()).value_or(Real::nan());
      if (!element.is_float() && (expected < element.min() || element.max() < expected || !expected.is_whole())) continue;
      if (!(values[i] == expected)) return false;
      ++inside;
    }
    return inside >= 3;
  }
};

/// Results that are undefined are left out.
std::optional<Answers> answers_of(const Semantics& semantics, const OpCall& call, const std::vector<Real>& points) {
  const auto results = evaluate(semantics, call);
  if (!results || results->size() != 1) return std::nullopt;
  const ResultTensor& result = results->front();
  if (result.tensor.type().quantized || result.tensor.element().is_boolean() || result.tensor.size() != static_cast<std::int64_t>(points.size()))
    return std::nullopt;
  Answers answers{{}, {}, result.tensor.element()};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (result.is_undefined(static_cast<std::int64_t>(i))) continue;
    answers.points.push_back(points[i]);
    answers.values.push_back(result.tensor.value(static_cast<std::int64_t>(i)));
  }
  return answers;
}

bool is(const Answers& answers, const Real& point, const Real& value) {
  const auto found = answers.at(point);
  return found && *found == value;
}

bool rounds(const Answers& answers, bool down) {
  const Real quarter = Real(1) / Real(4), three = Real(3) / Real(4);
  return is(answers, quarter, 0) && is(answers, three, down ? 0 : 1) && is(answers, -quarter, down ? -1 : 0) && is(answers, -three, -1) && is(answers, 3, 3) &&
         is(answers, 100, 100);
}

Real power_of(const Real& exponent) { return Real::power_of_two(exponent.to_int64().value_or(0)); }

/// With a constant operand: which of the four operations, or a shift.
std::optional<StepKind> kind_with(const Answers& answers, const Real& c) {
  if (answers.are([&](const Real& x) { return x * c; })) return StepKind::multiply;
  if (answers.element.is_float() && !c.is_zero() && answers.are([&](const Real& x) { return x / c; })) return StepKind::divide;
  if (answers.are([&](const Real& x) { return x + c; })) return StepKind::add;
  if (answers.are([&](const Real& x) { return x - c; })) return StepKind::subtract;
  const bool is_shift = !answers.element.is_float() && c.is_whole() && Real(0) < c && c < Real(64);
  if (is_shift && answers.are([&](const Real& x) { return round_whole(x / power_of(c), Rounding::down); })) return StepKind::shift_down;
  return std::nullopt;
}

class StepReader {
 public:
  StepReader(const Semantics& semantics, const Constants& constants, const Operation& operation)
      : semantics_(semantics), constants_(constants), operation_(operation) {}

  std::optional<Step> read(const ValueGraph& graph, const std::optional<ElementType>& element) {
    if (!find_operand()) return std::nullopt;
    const auto& type = graph.value(step_.operand).type;
    stated_ = graph.value(operation_.results[0]).type;
    if (type) shape_ = type->shape;
    if (type && type->quantized) return std::nullopt;
    std::optional<ElementType> used = type ? std::optional(type->element) : element;
    std::size_t rank = type ? std::max<std::size_t>(type->shape.size(), 1) : 2;
    for (const ValueId id : operation_.operands)
      if (const Tensor* tensor = constants_.find(id)) {
        rank = std::max(rank, tensor->shape().size());
        if (!used && tensor->element().is_float()) used = tensor->element();
      }
    if (!used || used->is_boolean()) return std::nullopt;
    return classify(*used, rank);
  }

 private:
  /// Elementwise, one result, one operand that varies.
  bool find_operand() {
    if (operation_.results.size() != 1 || !operation_.regions.empty()) return false;
    const auto place = semantics_.library.op_place(operation_.op);
    if (!place) return false;
    const notation::Structure* structure = notation::structure_of(*place->op);
    if (structure == nullptr || structure->path != "elementwise") return false;
    for (const ValueId id : operation_.operands) {
      if (id < 0 || constants_.find(id) != nullptr) continue;
      if (step_.operand >= 0) return false;
      step_.operand = id;
    }
    return step_.operand >= 0;
  }

  OpCall call_with(const std::vector<Real>& points, const ElementType& element, std::size_t rank) const {
    Shape shape(rank, 1);
    shape[0] = static_cast<std::int64_t>(points.size());
    OpCall call{.op = operation_.op, .attributes = operation_.attributes, .version = operation_.version, .where = operation_.where};
    if (stated_ && !stated_->quantized) call.result_types = {TensorType{stated_->element, shape, {}}};
    for (const ValueId id : operation_.operands) {
      const Tensor* tensor = constants_.find(id);
      if (id == step_.operand) call.operands.push_back(tensor_of(points, element, shape));
      else if (tensor == nullptr) call.operands.push_back(std::nullopt);
      else if (tensor->size() == 0) call.operands.push_back(*tensor);
      else if (shape_ && tensor->shape() == *shape_ && !shape_->empty())  // dialects that broadcast nothing
        call.operands.push_back(tensor_of(std::vector<Real>(points.size(), tensor->value(0)), tensor->element(), shape));
      else call.operands.push_back(tensor_of({tensor->value(0)}, tensor->element(), Shape(tensor->shape().size(), 1)));
    }
    return call;
  }

  std::optional<Step> classify(const ElementType& element, std::size_t rank) {
    const std::vector<Real> points = points_of(element);
    auto answers = answers_of(semantics_, call_with(points, element, rank), points);
    if (!answers) return std::nullopt;
    step_.element = answers->element;
    if (!(step_.element == element)) {
      if (answers->are([](const Real& x) { return x; })) return with(StepKind::convert);
      return std::nullopt;
    }
    if (answers->are([](const Real& x) { return x; })) return with(StepKind::same);
    if (element.is_float() && rounds(*answers, false)) return with(StepKind::round);
    if (element.is_float() && rounds(*answers, true)) return with(StepKind::round_down);
    for (const ValueId id : operation_.operands) {
      const Tensor* tensor = constants_.find(id);
      const auto numbers = tensor == nullptr || tensor->element().is_boolean() ? std::nullopt : along(*tensor);
      const auto kind = numbers ? kind_with(*answers, numbers->values[0]) : std::nullopt;
      if (!kind) continue;
      step_.constant = id;
      step_.by = *numbers;
      if (*kind == StepKind::shift_down)
        for (Real& number : step_.by.values) number = power_of(number);
      return with(*kind);
    }
    return held(*answers);
  }

  std::optional<Step> held(const Answers& answers) {
    const auto [least, greatest] = std::ranges::minmax_element(answers.values, [](const Real& a, const Real& b) { return a < b; });
    if (answers.values.size() < 4) return std::nullopt;
    const Real low = *least, high = *greatest;
    if (!(low < high) || !answers.are([&](const Real& x) { return x < low ? low : high < x ? high : x; })) return std::nullopt;
    step_.low = low == answers.element.min() ? Real::infinity(true) : low;
    step_.high = high == answers.element.max() ? Real::infinity() : high;
    return with(StepKind::hold);
  }

  Step with(StepKind kind) {
    step_.kind = kind;
    return step_;
  }

  const Semantics& semantics_;
  const Constants& constants_;
  const Operation& operation_;
  std::optional<TensorType> stated_{};
  std::optional<Shape> shape_{};
  Step step_{};
};

}  // namespace

std::optional<Step> step_of(const Semantics& semantics, const ValueGraph& graph, const Constants& constants, const Operation& operation,
                            const std::optional<ElementType>& element) {
  return StepReader(semantics, constants, operation).read(graph, element);
}

bool is_sum(const Semantics& semantics, const Operation& operation, const ElementType& element) {
  if (operation.operands.size() != 2 || operation.results.size() != 1) return false;
  const std::vector<Real> points{0, 1, 5, 100, 7}, others{3, 1, 20, 27, 9};
  const Shape shape{1, static_cast<std::int64_t>(points.size())};
  for (const Shape& second : {shape, Shape{shape[1]}}) {  // a bias has one axis
    const OpCall call{.op = operation.op,
                      .operands = {tensor_of(points, element, shape), tensor_of(others, element, second)},
                      .attributes = operation.attributes,
                      .version = operation.version,
                      .where = operation.where};
    const auto answers = answers_of(semantics, call, points);
    if (answers && answers->points.size() == points.size() && std::ranges::equal(answers->values, std::vector<Real>{3, 2, 25, 127, 16})) return true;
  }
  return false;
}

}  // namespace tiebreak::recover
