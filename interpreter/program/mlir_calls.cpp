// SPDX-License-Identifier: Apache-2.0
// Calls become what they call: the operations of the function, on the values of the caller. Operations that name another one, custom calls with a dictionary
// of attributes and composites, become that one; the decomposition of a composite becomes its region.
#include <map>
#include <set>

#include "interpreter/program/mlir_parser.hpp"

namespace tiebreak::mlir {
namespace {

constexpr std::int64_t units_an_operation = 256;  // values, types and attributes of an operation, in elements
constexpr std::string_view call = "func.call", composite = "stablehlo.composite", custom_call = "stablehlo.custom_call";

const AttributeMap* dictionary_of(const Operation& operation, const char* name) {
  const auto found = operation.attributes.find(name);
  return found == operation.attributes.end() ? nullptr : std::get_if<AttributeMap>(&found->second.value);
}

std::optional<std::string> text_of(const Operation& operation, const char* name) {
  const auto found = operation.attributes.find(name);
  return found == operation.attributes.end() ? std::nullopt : found->second.as_string();
}

bool names_another(const Operation& operation) {
  if (operation.op == composite) return text_of(operation, "name").has_value();
  return operation.op == custom_call && dictionary_of(operation, "backend_config") != nullptr && text_of(operation, "call_target_name").has_value();
}

/// The op that is named, with the attributes of the dictionary.
void become_named(Operation& operation) {
  const bool is_composite = operation.op == composite;
  std::string name = *text_of(operation, is_composite ? "name" : "call_target_name");
  const AttributeMap* fields = dictionary_of(operation, is_composite ? "composite_attributes" : "backend_config");
  AttributeMap attributes = fields == nullptr ? AttributeMap{} : *fields;
  operation.op = std::move(name);
  operation.attributes = std::move(attributes);
}

std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

bool has_call(const Program& program) {
  for (const Operation& operation : program.operations) {
    if (operation.op == call || names_another(operation)) return true;
    for (const Region& region : operation.regions) {
      if (has_call(region.program)) return true;
    }
  }
  return false;
}

/// Names of the values of a caller. What it calls gets others where they meet, so that a result is found by its name.
class Names {
 public:
  explicit Names(const Program& program) {
    for (const ProgramValue& value : program.values) taken_.insert(value.name);
  }
  std::string fresh(const std::string& name, const std::string& function) {
    if (name.empty() || taken_.insert(name).second) return name;
    const std::string stem = function + "." + name;
    std::string text = stem;
    while (!taken_.insert(text).second) text = stem + "." + std::to_string(++next_[stem]);
    return text;
  }

 private:
  std::set<std::string> taken_{};
  std::map<std::string, int> next_{};
};

/// What a copy of the program takes of the budget.
std::int64_t units(const Program& program) {
  std::int64_t total = 0;
  for (const ProgramValue& value : program.values) {
    total += units_an_operation + static_cast<std::int64_t>(value.name.size()) + (value.constant ? value.constant->size() : 0);
    total += units_an_operation * static_cast<std::int64_t>(value.quantize_info.size());
    if (value.type && value.type->quantized) total += 8 * static_cast<std::int64_t>(value.type->quantized->scales.size());
  }
  for (const Operation& operation : program.operations) {
    total += units_an_operation * static_cast<std::int64_t>(1 + operation.operands.size() + operation.attributes.size());
    for (const Region& region : operation.regions) total += units(region.program);
  }
  return total;
}

class Inliner {
 public:
  Inliner(std::vector<MlirFunction>& functions, std::int64_t& budget) : functions_(functions), budget_(budget), states_(functions.size()) {
    for (std::size_t i = 0; i < functions.size(); ++i) {
      // Of two functions of one name none can be meant.
      if (!names_.emplace(functions[i].name, i).second) names_[functions[i].name] = functions.size();
    }
  }

  void run() {
    for (std::size_t i = 0; i < functions_.size(); ++i) visit(i);
  }

 private:
  enum class State : std::uint8_t { fresh, open, done };

  void visit(std::size_t index) {
    if (states_[index] != State::fresh) return;
    states_[index] = State::open;
    ++depth_;
    MlirFunction& function = functions_[index];
    if (function.program && has_call(*function.program)) {
      const Status status = expand(*function.program);
      if (!status) function.program = tl::unexpected<Error>(status.error());
    }
    --depth_;
    states_[index] = State::done;
  }

  Status expand(Program& program) {
    std::vector<Operation> operations = std::move(program.operations);
    program.operations.clear();
    std::map<ValueId, ValueId> results;  // of calls: what stands for them now
    Names names(program);
    const auto renamed = [&results](std::vector<ValueId>& ids) {
      for (ValueId& id : ids) {
        if (const auto found = results.find(id); found != results.end()) id = found->second;
      }
    };
    for (Operation& operation : operations) {
      renamed(operation.operands);
      for (Region& region : operation.regions) {
        renamed(region.captured);
        TIEBREAK_CHECK(expand(region.program));
      }
      if (operation.op == composite) TIEBREAK_CHECK(attach(program, operation));
      if (names_another(operation)) become_named(operation);
      if (operation.op != call) {
        program.operations.push_back(std::move(operation));
        continue;
      }
      TIEBREAK_TRY(callee, callee_of(operation, "callee"));
      TIEBREAK_CHECK(check_call(program, operation, *callee));
      const std::vector<ValueId> outputs = splice(program, operation, *callee, names);
      for (std::size_t i = 0; i < outputs.size(); ++i) results[operation.results[i]] = outputs[i];
    }
    renamed(program.outputs);
    drop_unused_values(program);
    return {};
  }

  /// The decomposition of a composite becomes its region, where the text has it.
  Status attach(const Program& program, Operation& operation) {
    const auto name = text_of(operation, "decomposition");
    if (!name || names_.count(*name) == 0 || !operation.regions.empty()) return {};
    TIEBREAK_TRY(callee, callee_of(operation, "decomposition"));
    TIEBREAK_CHECK(check_call(program, operation, *callee));
    operation.regions.push_back(Region{*callee});
    return {};
  }

  Result<const Program*> callee_of(const Operation& operation, const char* attribute) {
    const auto name = text_of(operation, attribute);
    if (!name) return fail(Errc::syntax, "a call names its function: func.call @name(...)", operation.where);
    const auto found = names_.find(*name);
    if (found == names_.end()) return fail(Errc::unknown_name, "no function @" + *name + " in this text", operation.where);
    if (found->second == functions_.size()) return fail(Errc::syntax, "the function @" + *name + " is defined twice", operation.where);
    if (states_[found->second] == State::open) return fail(Errc::unsupported, "the function @" + *name + " calls itself", operation.where);
    if (depth_ > nesting_limit) return fail(Errc::limit, "calls nested deeper than 200", operation.where);
    visit(found->second);
    functions_[found->second].is_called = true;
    const Result<Program>& program = functions_[found->second].program;
    if (!program) return tl::unexpected<Error>(program.error());
    return &*program;
  }

  Status check_call(const Program& program, const Operation& operation, const Program& callee) {
    const std::string name = "@" + callee.name;
    if (operation.operands.size() != callee.inputs.size() || operation.results.size() != callee.outputs.size()) {
      return fail(Errc::type,
                  name + " has " + std::to_string(callee.inputs.size()) + " arguments and " + std::to_string(callee.outputs.size()) + " results, the call " +
                      std::to_string(operation.operands.size()) + " and " + std::to_string(operation.results.size()),
                  operation.where);
    }
    const auto same = [&](ValueId here, ValueId there) {
      if (here < 0) return false;
      const auto& left = program.values[at(here)].type;
      const auto& right = callee.values[at(there)].type;
      return !left || !right || same_type(*left, *right);
    };
    for (std::size_t i = 0; i < operation.operands.size(); ++i) {
      if (!same(operation.operands[i], callee.inputs[i]))
        return fail(Errc::type, "argument " + std::to_string(i) + " of " + name + " has another type", operation.where);
    }
    for (std::size_t i = 0; i < operation.results.size(); ++i) {
      if (!same(operation.results[i], callee.outputs[i]))
        return fail(Errc::type, "result " + std::to_string(i) + " of " + name + " has another type", operation.where);
    }
    budget_ -= units(callee) + static_cast<std::int64_t>(callee.name.size() * callee.values.size());
    if (budget_ >= 0) return {};
    return fail(Errc::limit, "calls make this text larger than " + std::to_string(literal_limit) + " elements", operation.where);
  }

  /// The values of the caller that are the function's outputs.
  static std::vector<ValueId> splice(Program& program, const Operation& operation, const Program& callee, Names& names) {
    std::vector<ValueId> ids(callee.values.size(), -1);
    for (std::size_t i = 0; i < callee.inputs.size(); ++i) ids[at(callee.inputs[i])] = operation.operands[i];
    for (std::size_t i = 0; i < callee.values.size(); ++i) {
      if (ids[i] >= 0) continue;
      ids[i] = static_cast<ValueId>(program.values.size());
      program.values.push_back(callee.values[i]);
      program.values.back().name = names.fresh(callee.values[i].name, callee.name);
    }
    const auto moved = [&ids](std::vector<ValueId>& list) {
      for (ValueId& id : list) id = id < 0 ? id : ids[at(id)];
    };
    for (Operation copy : callee.operations) {
      moved(copy.operands);
      moved(copy.results);
      for (Region& region : copy.regions) moved(region.captured);
      program.operations.push_back(std::move(copy));
    }
    std::vector<ValueId> outputs = callee.outputs;
    moved(outputs);
    const auto own = static_cast<ValueId>(program.values.size() - (callee.values.size() - callee.inputs.size()));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      ProgramValue& given = program.values[at(outputs[i])];
      const ProgramValue& called = program.values[at(operation.results[i])];
      if (outputs[i] >= own) given.name = called.name;
      if (given.quantize_info.empty()) given.quantize_info = called.quantize_info;
    }
    return outputs;
  }

  std::vector<MlirFunction>& functions_;
  std::int64_t& budget_;
  std::vector<State> states_;
  std::map<std::string, std::size_t> names_{};
  int depth_ = 0;
};

}  // namespace

void inline_calls(std::vector<MlirFunction>& functions, std::int64_t& budget) { Inliner(functions, budget).run(); }

}  // namespace tiebreak::mlir
