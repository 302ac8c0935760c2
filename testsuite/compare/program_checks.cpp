// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/program_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "testsuite/compare/difference.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// What a check excuses between floats; integers are compared exactly by all of them.
struct Rule {
  const char* name;
  bool with_constant;  ///< the expected value is an attribute
  bool integers;       ///< may compare integers
  Policy::Kind kind;
  const char* bound;  ///< where the operation states none
};
constexpr std::array<Rule, 9> rules{{
    {"check.expect_eq", false, true, Policy::Kind::exact, "0"},
    {"check.expect_eq_const", true, true, Policy::Kind::exact, "0"},
    {"check.expect_almost_eq", false, true, Policy::Kind::absolute, "0.0001"},
    {"check.expect_almost_eq_const", true, true, Policy::Kind::absolute, "0.0001"},
    {"check.expect_close", false, false, Policy::Kind::steps, "0"},
    {"@check.eq", false, true, Policy::Kind::absolute, "0.0001"},
    {"@check.expect_eq", false, true, Policy::Kind::exact, "0"},
    {"@check.expect_almost_eq", false, true, Policy::Kind::absolute, "0.001"},
    {"@check.expect_close", false, false, Policy::Kind::steps, "3"},
}};

/// `check.expect_eq`, or `@check.eq` of a custom call; "" of an operation that is no check.
std::string check_name(const Operation& operation) {
  if (operation.op.starts_with("check.")) return operation.op;
  if (operation.op != "stablehlo.custom_call") return "";
  const auto target = operation.attributes.find("call_target_name");
  const auto name = target == operation.attributes.end() ? std::nullopt : target->second.as_string();
  return name && name->starts_with("check.") ? "@" + *name : "";
}

Result<Real> tolerance_attribute(const Operation& operation, const char* name, const Real& otherwise) {
  const auto found = operation.attributes.find(name);
  if (found == operation.attributes.end()) return otherwise;
  const Real* value = std::get_if<Real>(&found->second.value);
  if (value && value->is_finite() && !value->is_negative()) return *value;
  return fail(Errc::type, std::string(name) + " of " + operation.op + " is not a number of at least 0", operation.where);
}

class Taker {
 public:
  explicit Taker(Program& program) : program_(program) {}

  Result<std::vector<ProgramCheck>> run() {
    for (const Operation& operation : program_.operations) {
      if (!check_name(operation).empty()) results_.insert(results_.end(), operation.results.begin(), operation.results.end());
    }
    std::erase_if(program_.outputs, [this](ValueId id) { return is_result(id); });  // returning a verdict says no more than the check
    std::vector<Operation> kept;
    for (Operation& operation : program_.operations) {
      const std::string name = check_name(operation);
      if (name.empty()) {
        kept.push_back(std::move(operation));
        continue;
      }
      TIEBREAK_TRY(check, take(operation, name));
      checks_.push_back(std::move(check));
    }
    program_.operations = std::move(kept);
    TIEBREAK_CHECK(results_are_unused());
    if (!checks_.empty()) drop_unused_values(program_);
    return std::move(checks_);
  }

 private:
  Result<ProgramCheck> take(const Operation& operation, const std::string& name) {
    const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& known) { return name == known.name; });
    if (rule == rules.end()) return fail(Errc::unsupported, "the check " + name + " is not supported", operation.where);
    const std::size_t count = rule->with_constant ? 1 : 2;
    if (operation.operands.size() != count || std::count_if(operation.operands.begin(), operation.operands.end(), [](ValueId id) { return id < 0; }) > 0) {
      return fail(Errc::type, name + " has " + std::to_string(count) + " operands, not " + std::to_string(operation.operands.size()), operation.where);
    }
    ProgramCheck check{.name = name, .where = operation.where};
    check.actual = side(operation.operands[0]);
    if (rule->with_constant) {
      const auto value = operation.attributes.find("value");
      const Tensor* tensor = value == operation.attributes.end() ? nullptr : std::get_if<Tensor>(&value->second.value);
      if (!tensor) return fail(Errc::type, name + " needs a value = dense<...> : tensor<...>", operation.where);
      check.expected.constant = *tensor;
    } else {
      check.expected = side(operation.operands[1]);
    }
    if (check.expected.output && !check.actual.output) std::swap(check.expected, check.actual);  // @check.eq(%expected, %computed)
    TIEBREAK_CHECK(set_policy(check, operation, *rule));
    return check;
  }

  static Status set_policy(ProgramCheck& check, const Operation& operation, const Rule& rule) {
    const Real bound = Real::from_double(Real::parse(rule.bound)->to_double());  // as an attribute would be read
    TIEBREAK_TRY(stated, tolerance_attribute(operation, rule.kind == Policy::Kind::steps ? "max_ulp_difference" : "tolerance", bound));
    TIEBREAK_TRY(least, tolerance_attribute(operation, "min_ulp_difference", Real(0)));
    check.least_steps = least;
    if (rule.kind == Policy::Kind::exact) return {};
    check.policy.kind = rule.kind;
    check.policy.bound = stated;
    check.policy.text = (rule.kind == Policy::Kind::steps ? "steps:" : "absolute:") + stated.to_decimal(6);
    return {};
  }

  ProgramCheck::Side side(ValueId id) {
    const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
    ProgramCheck::Side side;
    if (value.constant) {
      side.constant = *value.constant;
      return side;
    }
    const auto found = std::find(program_.outputs.begin(), program_.outputs.end(), id);
    side.output = static_cast<std::size_t>(found - program_.outputs.begin());
    if (found == program_.outputs.end()) program_.outputs.push_back(id);
    return side;
  }

  bool is_result(ValueId id) const { return std::find(results_.begin(), results_.end(), id) != results_.end(); }

  Status results_are_unused() const {
    const auto used = [this](const std::vector<ValueId>& ids) { return std::any_of(ids.begin(), ids.end(), [this](ValueId id) { return is_result(id); }); };
    for (const Operation& operation : program_.operations) {
      bool found = used(operation.operands);
      for (const Region& region : operation.regions) found |= used(region.captured);
      if (found) return fail(Errc::unsupported, "the result of a check is used by the program", operation.where);
    }
    return {};
  }

  Program& program_;
  std::vector<ProgramCheck> checks_{};
  std::vector<ValueId> results_{};
};

}  // namespace

Result<std::vector<ProgramCheck>> take_checks(Program& program) { return Taker(program).run(); }

std::string failed_check(const ProgramCheck& check, const std::vector<ResultTensor>& outputs) {
  const auto result = [&outputs](const ProgramCheck::Side& side) { return side.output ? outputs[*side.output] : ResultTensor{"", side.constant, {}, {}, {}}; };
  const ResultTensor actual = result(check.actual);
  ResultTensor expected = result(check.expected);
  expected.before.clear();  // a check knows values only
  expected.undefined = actual.undefined;
  const std::string start = check.name + " (" + check.where + ") does not hold: ";
  const Comparison comparison = compare(expected, actual.tensor, check.policy, 1);
  if (!comparison.reason.empty()) return start + comparison.reason;
  for (std::int64_t i = 0; !check.least_steps.is_zero() && i < actual.tensor.size(); ++i) {
    const double steps = std::abs(difference(expected.tensor.code(i), actual.tensor.code(i), actual.tensor.element()));
    if (Real::from_double(steps) < check.least_steps) return start + "element " + std::to_string(i) + " is nearer than asked for";
  }
  if (comparison.conforms) return "";
  const Mismatch& first = comparison.first.front();
  return start + std::to_string(comparison.different - comparison.excused) + " of " + std::to_string(comparison.compared) + " differ under " +
         check.policy.text + ", first at " + index_text(comparison.shape, first.index) + ": expected " + first.expected + ", computed " + first.actual;
}

}  // namespace tiebreak
