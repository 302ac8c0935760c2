// SPDX-License-Identifier: Apache-2.0
// What stands after a rewrite, put in the place of what stood before it.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "interpreter/program/is_read.hpp"
#include "testsuite/rewrite/rule_application.hpp"

namespace tiebreak {
namespace {

/// Writes the program after the rewrite into another.
class Splice {
 public:
  Splice(const RuleApplication& application, std::size_t operation, Program& program)
      : application_(application), after_(application.after), before_(application.programs.before), root_(operation), program_(program) {}

  void run() {
    result_ = application_.match.values[static_cast<std::size_t>(before_.outputs.front())];
    place_values();
    const Operation old = program_.operations[root_];
    std::vector<Operation> made;
    for (const Operation& operation : after_.operations) made.push_back(copied(operation, old));
    const auto at = program_.operations.begin() + static_cast<std::ptrdiff_t>(root_);
    program_.operations.insert(program_.operations.erase(at), made.begin(), made.end());
    const ValueId given = ids_[static_cast<std::size_t>(after_.outputs.front())];
    if (given != result_) read_instead(given);
    drop_unread();
    drop_unused_values(program_);
  }

 private:
  void place_values() {
    ids_.assign(after_.values.size(), -1);
    for (std::size_t i = 0; i < after_.inputs.size(); ++i)
      ids_[static_cast<std::size_t>(after_.inputs[i])] = application_.match.values[static_cast<std::size_t>(before_.inputs[i])];
    for (const Operation& operation : after_.operations)
      for (const ValueId id : operation.results)
        if (id == after_.outputs.front()) ids_[static_cast<std::size_t>(id)] = result_;
    for (std::size_t id = 0; id < after_.values.size(); ++id) {
      if (ids_[id] >= 0) continue;
      if (is_input(static_cast<ValueId>(id))) continue;  // read by nobody
      ids_[id] = application_.constants[id];
      if (ids_[id] >= 0) continue;
      ids_[id] = static_cast<ValueId>(program_.values.size());
      ProgramValue value = after_.values[id];
      value.name = fresh_name(value.name);
      program_.values.push_back(std::move(value));
    }
  }

  bool is_input(ValueId id) const { return std::ranges::count(after_.inputs, id) > 0; }

  std::string fresh_name(const std::string& wanted) const {
    const auto is_taken = [&](const std::string& name) { return std::ranges::find(program_.values, name, &ProgramValue::name) != program_.values.end(); };
    std::string name = wanted;
    for (int n = 1; is_taken(name); ++n) name = fmt::format("{}_{}", wanted, n);
    return name;
  }

  /// Of one dialect with the operations that it replaces, it has their version.
  Operation copied(const Operation& operation, const Operation& old) const {
    Operation made = operation;
    for (std::vector<ValueId>* list : {&made.operands, &made.results})
      for (ValueId& id : *list) id = id < 0 ? id : ids_[static_cast<std::size_t>(id)];
    const auto dialect = [](const std::string& op) { return op.substr(0, op.find('.')); };
    for (const std::size_t one : application_.match.operations)
      if (one != no_operation && one < root_ && dialect(program_.operations[one].op) == dialect(made.op)) made.version = program_.operations[one].version;
    if (dialect(old.op) == dialect(made.op)) made.version = old.version;
    made.where = old.where;
    return made;
  }

  void read_instead(ValueId given) {
    const auto exchange = [&](std::vector<ValueId>& list) { std::ranges::replace(list, result_, given); };
    exchange(program_.outputs);
    for (Operation& operation : program_.operations) {
      exchange(operation.operands);
      for (Region& region : operation.regions) exchange(region.captured);
    }
  }

  /// Of the matched operations, which stand before the result's.
  void drop_unread() {
    std::vector<std::size_t> matched = application_.match.operations;
    std::ranges::sort(matched, std::greater{});
    matched.erase(std::unique(matched.begin(), matched.end()), matched.end());
    for (const std::size_t one : matched) {
      if (one >= root_) continue;  // the result's own, or none
      const std::vector<ValueId>& results = program_.operations[one].results;
      if (std::ranges::none_of(results, [&](ValueId id) { return id >= 0 && is_read(program_, id); }))
        program_.operations.erase(program_.operations.begin() + static_cast<std::ptrdiff_t>(one));
    }
  }

  const RuleApplication& application_;
  const Program &after_, &before_;
  std::size_t root_;
  Program& program_;
  ValueId result_ = -1;
  std::vector<ValueId> ids_{};
};

}  // namespace

void apply_rule(const RuleApplication& application, std::size_t operation, Program& program) { Splice(application, operation, program).run(); }

namespace {

constexpr std::int64_t most_elements = 4096;  // of an output that `equal` looks at element by element

/// Puts single numbers of the program into the rule's own programs; false where something else goes in.
bool take_numbers(const RulePage& page, const RuleApplication& application, const Program& program, RulePrograms& made) {
  if (!page.any_attributes.empty()) return false;
  for (std::size_t id = 0; id < made.before.values.size(); ++id) {
    ProgramValue& value = made.before.values[id];
    const ValueId bound = application.match.values[id];
    if (!is_any_value(page, value) || bound < 0) continue;
    const Tensor& there = *program.values[static_cast<std::size_t>(bound)].constant;
    if (!is_one_number(there)) return false;
    value.constant = repeated(there, value.constant->shape());
    for (ProgramValue& same : made.after.values)
      if (same.constant && same.name == value.name) same.constant = value.constant;
  }
  return true;
}

}  // namespace

JudgedPrograms programs_at(const RulePage& page, const RuleApplication& application, const Program& program) {
  const auto result = type_of_value(program, application.match.values[static_cast<std::size_t>(application.programs.before.outputs.front())]);
  RulePrograms own = application.programs;
  if (result && element_count(result->shape).value_or(0) > most_elements && take_numbers(page, application, program, own)) return {std::move(own), true};
  RulePrograms made{application.programs.before, application.after};
  for (std::size_t id = 0; id < made.before.values.size(); ++id) {
    const ValueId bound = application.match.values[id];
    if (bound < 0) continue;
    ProgramValue& value = made.before.values[id];
    if (value.constant) value.constant = program.values[static_cast<std::size_t>(bound)].constant;
    else value.type = type_of_value(program, bound);
  }
  for (std::size_t o = 0; o < made.before.operations.size(); ++o)
    if (const std::size_t there = application.match.operations[o]; there != no_operation)
      made.before.operations[o].attributes = program.operations[there].attributes;
  for (std::size_t i = 0; i < made.after.inputs.size(); ++i)
    made.after.values[static_cast<std::size_t>(made.after.inputs[i])].type = made.before.values[static_cast<std::size_t>(made.before.inputs[i])].type;
  return {std::move(made), false};
}

}  // namespace tiebreak
