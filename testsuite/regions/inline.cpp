// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "testsuite/regions/casts.hpp"

namespace tiebreak {
namespace {

using regions_detail::widens;

/// Writes the operations of a program behind one another, what its regions hold in their place.
class Inliner {
 public:
  Inliner(Program& made, Casts casts, std::size_t& regions) : made_(made), casts_(casts), regions_(regions) {}

  /// `ids` has the values of `from` that are there already; the others are added.
  Status write(const Program& from, std::map<ValueId, ValueId>& ids) {
    for (const Operation& operation : from.operations) {
      if (operation.op == regions_detail::region_op) {
        TIEBREAK_CHECK(write_region(from, operation, ids));
        continue;
      }
      Operation copy = operation;
      for (ValueId& id : copy.operands) id = placed(from, id, ids);
      for (ValueId& id : copy.results) id = placed(from, id, ids);
      for (Region& region : copy.regions)
        for (ValueId& id : region.captured) id = placed(from, id, ids);
      made_.operations.push_back(std::move(copy));
    }
    return {};
  }

  ValueId placed(const Program& from, ValueId id, std::map<ValueId, ValueId>& ids) {
    if (id < 0) return id;
    const auto [place, is_new] = ids.try_emplace(id, static_cast<ValueId>(made_.values.size()));
    if (is_new) made_.values.push_back(from.values[static_cast<std::size_t>(id)]);
    return place->second;
  }

 private:
  static tl::unexpected<Error> refused(const Operation& operation, const std::string& label, const std::string& what) {
    return fail(Errc::constraint, std::string(regions_detail::region_op) + " " + label + ": " + what, operation.where);
  }

  const std::optional<TensorType>& type(ValueId id) const { return made_.values[static_cast<std::size_t>(id)].type; }

  Status write_region(const Program& from, const Operation& operation, std::map<ValueId, ValueId>& ids) {
    if (operation.regions.size() != 1) return refused(operation, "A1", "it has one body");
    const Region& region = operation.regions[0];
    if (!region.captured.empty()) return refused(operation, "I1", "the region reads values from around it");
    const Program& body = region.program;
    if (operation.operands.size() != body.inputs.size())
      return refused(operation, "A1", std::to_string(operation.operands.size()) + " operands, the region takes " + std::to_string(body.inputs.size()));
    if (operation.results.size() != body.outputs.size())
      return refused(operation, "A2", std::to_string(operation.results.size()) + " results, the region returns " + std::to_string(body.outputs.size()));
    std::map<ValueId, ValueId> inside;
    for (std::size_t i = 0; i < body.inputs.size(); ++i) {
      const ValueId outer = placed(from, operation.operands[i], ids);
      const ProgramValue& argument = body.values[static_cast<std::size_t>(body.inputs[i])];
      if (outer < 0) return refused(operation, "A1", "operand " + std::to_string(i) + " is absent");
      const auto given = known_type(outer);
      if (given && argument.type && same_type(*given, *argument.type)) {
        inside[body.inputs[i]] = outer;
      } else if (widens(given, argument.type)) {
        inside[body.inputs[i]] = widened(outer, argument, operation);
      } else {
        return refused(operation, "W1", "operand " + std::to_string(i) + ": " + text_of(given) + " does not widen to " + text_of(argument.type));
      }
    }
    TIEBREAK_CHECK(write(body, inside));
    for (std::size_t i = 0; i < body.outputs.size(); ++i) TIEBREAK_CHECK(write_result(from, operation, i, placed(body, body.outputs[i], inside), ids));
    ++regions_;
    return {};
  }

  Status write_result(const Program& from, const Operation& operation, std::size_t i, ValueId returned, std::map<ValueId, ValueId>& ids) {
    const ValueId result = operation.results[i];
    const auto& wanted = from.values[static_cast<std::size_t>(result)].type;
    const auto given = known_type(returned);
    if (wanted && given && same_type(*wanted, *given)) {
      ids[result] = returned;
      const std::vector<ValueId>& inputs = operation.regions[0].program.inputs;
      const bool is_made_here = std::ranges::find(inputs, operation.regions[0].program.outputs[i]) == inputs.end();
      const ProgramValue& outer = from.values[static_cast<std::size_t>(result)];
      ProgramValue& made = made_.values[static_cast<std::size_t>(returned)];
      if (is_made_here) made.name = outer.name;
      if (made.quantize_info.empty()) made.quantize_info = outer.quantize_info;
      return {};
    }
    if (!widens(wanted, given))
      return refused(operation, "W2", "result " + std::to_string(i) + ": " + text_of(given) + " does not narrow to " + text_of(wanted));
    const ValueId narrow = placed(from, result, ids);
    made_.operations.push_back(
        {.op = regions_detail::narrowing(casts_), .operands = {returned}, .results = {narrow}, .attributes = {}, .where = operation.where});
    return {};
  }

  std::optional<TensorType> known_type(ValueId id) const {
    const ProgramValue& value = made_.values[static_cast<std::size_t>(id)];
    return value.constant ? std::optional(value.constant->type()) : value.type;
  }
  static std::string text_of(const std::optional<TensorType>& type) { return type ? to_text(*type) : "a type that is not known"; }

  ValueId widened(ValueId codes, const ProgramValue& argument, const Operation& operation) {
    const auto [place, is_new] = casts_made_.try_emplace({codes, to_text(*argument.type)}, static_cast<ValueId>(made_.values.size()));
    if (!is_new) return place->second;
    made_.values.push_back({argument.name, argument.type, {}, argument.quantize_info});
    made_.operations.push_back(
        {.op = regions_detail::widening(casts_), .operands = {codes}, .results = {place->second}, .attributes = {}, .where = operation.where});
    return place->second;
  }

  Program& made_;
  Casts casts_;
  std::size_t& regions_;
  std::map<std::pair<ValueId, std::string>, ValueId> casts_made_{};
};

}  // namespace

bool has_quant_regions(const Program& program) {
  return std::ranges::any_of(program.operations, [](const Operation& operation) { return operation.op == regions_detail::region_op; });
}

Result<InlinedProgram> inline_regions(const Program& program, Casts casts) {
  InlinedProgram made;
  made.program.name = program.name;
  made.program.file = program.file;
  made.program.values = program.values;
  made.program.inputs = program.inputs;
  std::map<ValueId, ValueId> ids;
  for (std::size_t i = 0; i < program.values.size(); ++i) ids[static_cast<ValueId>(i)] = static_cast<ValueId>(i);
  Inliner inliner(made.program, casts, made.regions);
  TIEBREAK_CHECK(inliner.write(program, ids));
  for (const ValueId id : program.outputs) made.program.outputs.push_back(inliner.placed(program, id, ids));
  drop_unused_values(made.program);
  return made;
}

}  // namespace tiebreak
