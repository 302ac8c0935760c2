// SPDX-License-Identifier: Apache-2.0
#include "testsuite/rewrite/rule_application.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "interpreter/program/is_read.hpp"
#include "testsuite/rewrite/operation_types.hpp"

namespace tiebreak {
namespace {

/// The number of a parameter at the first of its places that has one in the matched program.
std::optional<Real> read_number(const std::vector<ParameterPlace>& places, const RuleMatch& match, const Program& before, const Program& program) {
  using Kind = ParameterPlace::Kind;
  const auto own = producers_of(before), theirs = producers_of(program);
  for (const ParameterPlace& place : places) {
    if (!place.is_read) continue;
    ParameterPlace there = place;
    if (place.kind == Kind::attribute) {
      const ValueId result = match.values[static_cast<std::size_t>(before.operations[place.at].results.front())];
      if (result < 0) continue;
      there.at = theirs[static_cast<std::size_t>(result)];
      if (there.at == no_operation) continue;
    } else {
      const ValueId value = match.values[place.at];
      if (value < 0) continue;
      there.at = static_cast<std::size_t>(value);
      if (place.every) there.entry = 0;
    }
    if (auto number = number_at(program, there)) return number;
  }
  return std::nullopt;
}

/// Values of all parameters, in the order of the page.
std::optional<RuleValues> read_values(const RulePage& page, const RulePattern& pattern, const RuleMatch& match, const Program& program) {
  RuleValues values;
  for (const RuleParameter& parameter : page.parameters) {
    const auto chosen = std::ranges::find(pattern.chosen, parameter.name, &std::pair<std::string, std::string>::first);
    if (chosen != pattern.chosen.end()) {
      values.push_back(*chosen);
      continue;
    }
    const auto number = read_number(pattern.places.at(parameter.name), match, pattern.programs.before, program);
    if (!number) return std::nullopt;
    values.emplace_back(parameter.name, number_text(*number));
  }
  return values;
}

/// Gives the program after the rewrite the shapes of the place where it is to stand.
class Fitting {
 public:
  Fitting(const Semantics& semantics, const RulePage& page, RuleApplication& application, const Program& program, const TensorType& result)
      : semantics_(semantics), page_(page), application_(application), program_(program), result_(result), made_(application.programs.after) {}

  void run() {
    if (made_.outputs.size() != 1 || made_.inputs.size() != application_.programs.before.inputs.size()) {
      application_.refused = "the two programs of the rule have not the same inputs and outputs";
      return;
    }
    application_.constants.assign(made_.values.size(), -1);
    for (std::size_t id = 0; id < made_.values.size(); ++id)
      if (made_.values[id].constant) application_.constants[id] = fit_constant(made_.values[id]);
    fit_inputs();
    for (Operation& operation : made_.operations)
      for (const std::string& name : page_.any_attributes)
        if (operation.attributes.contains(name)) fit_attribute(operation, name);
    for (const Operation& operation : made_.operations)
      if (application_.refused.empty()) fit_results(operation);
    const auto type = type_of_value(made_, made_.outputs.front());
    if (application_.refused.empty() && (!type || !same_type(*type, result_)))
      application_.refused = fmt::format("what stands after it is {}, in the program {}", type ? to_text(*type) : "of no known type", to_text(result_));
    application_.after = std::move(made_);
  }

 private:
  void fit_inputs() {
    for (std::size_t i = 0; i < made_.inputs.size(); ++i) {
      const ValueId bound = application_.match.values[static_cast<std::size_t>(application_.programs.before.inputs[i])];
      ProgramValue& value = made_.values[static_cast<std::size_t>(made_.inputs[i])];
      if (bound >= 0) value.type = type_of_value(program_, bound);
      else if (is_read(made_, made_.inputs[i])) application_.refused = "what stands after it reads " + value.name + ", which stands nowhere before it";
    }
  }

  /// A constant that both programs of the rule have is the matched one, which is returned; another of one number all over takes the shape of its kin.
  ValueId fit_constant(ProgramValue& value) {
    const Program& before = application_.programs.before;
    for (std::size_t id = 0; id < before.values.size(); ++id) {
      const ValueId bound = application_.match.values[id];
      if (bound < 0 || before.values[id].name != value.name || !before.values[id].constant) continue;
      if (!is_any_value(page_, before.values[id]) && !same_tensor(*before.values[id].constant, *value.constant)) continue;
      value.constant = program_.values[static_cast<std::size_t>(bound)].constant;
      return bound;
    }
    const std::vector<Shape> shapes = shapes_for(value.constant->shape());
    if (shapes.front() != value.constant->shape() && is_one_number(*value.constant)) value.constant = repeated(*value.constant, shapes.front());
    return -1;
  }

  /// An attribute that may have any value has the one of the matched operation, or is absent as it is there.
  void fit_attribute(Operation& operation, const std::string& name) {
    std::optional<Attribute> found;
    std::size_t places = 0;
    const Program& before = application_.programs.before;
    for (std::size_t o = 0; o < before.operations.size(); ++o) {
      const std::size_t there = application_.match.operations[o];
      if (there == no_operation || !before.operations[o].attributes.contains(name)) continue;
      const AttributeMap& attributes = program_.operations[there].attributes;
      const auto one = attributes.find(name);
      const std::optional<Attribute> value = one == attributes.end() ? std::nullopt : std::optional(one->second);
      if (places++ > 0 && (value ? to_text(*value) : "") != (found ? to_text(*found) : "")) application_.refused = "attribute " + name + " has several values";
      found = value;
    }
    if (places == 0) return;
    if (found) operation.attributes[name] = *found;
    else operation.attributes.erase(name);
  }

  /// The shapes that values of the rule's shape have there, that of the result first; the rule's own where no value has it.
  std::vector<Shape> shapes_for(const Shape& shape) const {
    const auto found = application_.match.shapes.find(shape);
    if (found == application_.match.shapes.end()) return {shape};
    std::vector<Shape> shapes(found->second.begin(), found->second.end());
    std::stable_partition(shapes.begin(), shapes.end(), [&](const Shape& one) { return one == result_.shape; });
    return shapes;
  }

  /// The first of the shapes that fit that its page accepts; as the page infers them, where it does.
  void fit_results(const Operation& operation) {
    std::vector<std::optional<TensorType>> stated;
    for (const ValueId id : operation.results) stated.push_back(made_.values[static_cast<std::size_t>(id)].type);
    Result<std::vector<TensorType>> types = tl::unexpected<Error>(Error{});
    const bool is_last = std::ranges::count(operation.results, made_.outputs.front()) > 0;
    const std::vector<Shape> shapes = stated.front() && !is_last ? shapes_for(stated.front()->shape) : std::vector<Shape>{result_.shape};
    for (const Shape& shape : shapes) {
      auto asked = stated;
      if (asked.front()) asked.front()->shape = shape;
      types = result_types_of(semantics_, made_, operation, asked);
      if (types) break;
    }
    if (!types) types = result_types_of(semantics_, made_, operation);
    if (!types) {
      application_.refused = types.error().what;
      return;
    }
    for (std::size_t i = 0; i < types->size(); ++i) made_.values[static_cast<std::size_t>(operation.results[i])].type = (*types)[i];
  }

  const Semantics& semantics_;
  const RulePage& page_;
  RuleApplication& application_;
  const Program& program_;
  const TensorType& result_;
  Program made_;
};

bool reads_another_result(const Program& program, std::size_t operation, ValueId result) {
  return std::ranges::any_of(program.operations[operation].results, [&](ValueId id) { return id != result && id >= 0 && is_read(program, id); });
}

}  // namespace

std::optional<RuleApplication> find_application(const Semantics& semantics, const RulePatterns& patterns, const Program& program, std::size_t operation) {
  const RulePage& page = patterns.page;
  for (const RulePattern& pattern : patterns.patterns) {
    const auto alike = match_rule({page, pattern.programs.before, pattern.places}, program, operation);
    if (!alike) continue;
    const auto parameters = read_values(page, pattern, *alike, program);
    if (!parameters) continue;
    RuleApplication found;
    auto values = page.with_lets(*parameters);
    auto admitted = values ? page.admits(*values) : Result<bool>(true);
    if (admitted && !*admitted) continue;
    auto programs =
        values && admitted ? parse_rule_programs(page, page.program_with(*values)) : tl::unexpected<Error>(values ? admitted.error() : values.error());
    if (!programs) {
      found.values = *parameters;
      found.refused = programs.error().what;
      return found;
    }
    auto match = match_rule({page, programs->before, {}}, program, operation);
    if (!match) continue;
    found.values = *std::move(values);
    found.programs = *std::move(programs);
    found.match = *std::move(match);
    const ValueId root = found.match.values[static_cast<std::size_t>(found.programs.before.outputs.front())];
    const auto result = type_of_value(program, root);
    Fitting(semantics, page, found, program, *result).run();
    if (found.refused.empty() && reads_another_result(program, operation, root)) found.refused = "another result of the operation is read";
    return found;
  }
  return std::nullopt;
}

}  // namespace tiebreak
