// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/regions/casts.hpp"

namespace tiebreak {
namespace {

using regions_detail::widens;

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// One of the binary operations that a region can name, told by its values at a few points; else GENERIC.
std::string logical_kernel(const Semantics& semantics, const Operation& operation, const Program& program) {
  const std::vector<Real> a{6, 1, -2, 12}, b{3, 4, 2, -1};
  const bool is_binary = operation.operands.size() == 2 && operation.results.size() == 1 && std::ranges::all_of(operation.operands, [&](ValueId id) {
                           return id >= 0 && program.values[static_cast<std::size_t>(id)].type->element.is_float();
                         });
  if (!is_binary) return "GENERIC";
  const ElementType element = program.values[static_cast<std::size_t>(operation.operands[0])].type->element;
  OpCall call{.op = operation.op, .attributes = operation.attributes, .version = operation.version, .where = operation.where};
  for (const std::vector<Real>& values : {a, b}) {
    Tensor tensor = *Tensor::zeros({element, {4}, {}});
    for (std::int64_t i = 0; i < 4; ++i) tensor.set_code(i, element.encode(values[static_cast<std::size_t>(i)]).value_or(0));
    call.operands.push_back(tensor);
  }
  call.result_types = {TensorType{element, {4}, {}}};
  const auto results = evaluate(semantics, call);
  if (!results || results->size() != 1 || results->front().tensor.size() != 4) return "GENERIC";
  const auto gives = [&](const auto& function) {
    for (std::int64_t i = 0; i < 4; ++i)
      if (!(results->front().tensor.value(i) == function(a[static_cast<std::size_t>(i)], b[static_cast<std::size_t>(i)]))) return false;
    return true;
  };
  if (gives([](const Real& x, const Real& y) { return x + y; })) return "BINARY_ADD";
  if (gives([](const Real& x, const Real& y) { return x - y; })) return "BINARY_SUB";
  if (gives([](const Real& x, const Real& y) { return x * y; })) return "BINARY_MUL";
  if (gives([](const Real& x, const Real& y) { return (Real(4) * x / y).is_whole() ? x / y : Real::nan(); })) return "BINARY_DIV";
  return "GENERIC";
}

class Outliner {
 public:
  Outliner(const Semantics& semantics, const Program& program, const OutlineQuestion& question)
      : semantics_(semantics),
        question_(question),
        program_(program),
        producer_(program.values.size(), nowhere),
        users_(program.values.size()),
        group_(program.operations.size(), nowhere) {
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      for (const ValueId id : program.operations[i].results) producer_[static_cast<std::size_t>(id)] = i;
      for (const ValueId id : program.operations[i].operands)
        if (id >= 0) users_[static_cast<std::size_t>(id)].insert(i);
      for (const Region& region : program.operations[i].regions)
        for (const ValueId id : region.captured) users_[static_cast<std::size_t>(id)].insert(i);
    }
    for (const ValueId id : program.outputs) users_[static_cast<std::size_t>(id)].insert(nowhere);
  }

  Result<OutlinedProgram> run() {
    for (std::size_t i = program_.operations.size(); i > 0; --i) {
      TIEBREAK_CHECK(semantics_.library.stop().check());
      gather(i - 1);
    }
    write();
    return std::move(made_);
  }

 private:
  struct Group {
    std::size_t root = 0;
    std::size_t quantize = nowhere;  ///< the operation that narrows its result
    std::set<std::size_t> members{};
  };

  const std::optional<TensorType>& type(ValueId id) const { return program_.values[static_cast<std::size_t>(id)].type; }
  const Operation& operation(std::size_t index) const { return program_.operations[index]; }
  const std::set<std::size_t>& users(ValueId id) const { return users_[static_cast<std::size_t>(id)]; }

  bool is_cast(const Operation& candidate, const char* op) const {
    return candidate.op == op && candidate.operands.size() == 1 && candidate.results.size() == 1 && candidate.operands[0] >= 0;
  }
  bool is_widening(std::size_t index) const {
    return index != nowhere && is_cast(operation(index), regions_detail::widening(question_.casts)) &&
           widens(type(operation(index).operands[0]), type(operation(index).results[0]));
  }
  bool is_narrowing(std::size_t index) const {
    return index != nowhere && is_cast(operation(index), regions_detail::narrowing(question_.casts)) &&
           widens(type(operation(index).results[0]), type(operation(index).operands[0]));
  }

  /// All types known, none quantized, no regions, a float among the results.
  bool is_plain(std::size_t index) const {
    const Operation& candidate = operation(index);
    if (!candidate.regions.empty() || candidate.results.empty() || is_widening(index) || is_narrowing(index)) return false;
    const auto is_known = [&](ValueId id) { return id < 0 || (type(id) && !type(id)->quantized); };
    return std::ranges::all_of(candidate.operands, is_known) && std::ranges::all_of(candidate.results, is_known) &&
           std::ranges::any_of(candidate.results, [&](ValueId id) { return type(id)->element.is_float(); });
  }

  /// An operation that stands in no region yet, with all that serves it alone.
  void gather(std::size_t root) {
    if (group_[root] != nowhere || !is_plain(root)) return;
    Group group{.root = root, .members = {root}};
    const std::vector<ValueId>& results = operation(root).results;
    if (results.size() == 1 && users(results[0]).size() == 1 && is_narrowing(*users(results[0]).begin())) group.quantize = *users(results[0]).begin();
    for (bool grows = !question_.each; grows;) {
      grows = false;
      for (const std::size_t member : std::set<std::size_t>(group.members))
        for (const ValueId id : operation(member).operands) grows |= id >= 0 && take(producer_[static_cast<std::size_t>(id)], group);
    }
    const bool touches =
        question_.each || group.quantize != nowhere || std::ranges::any_of(group.members, [&](std::size_t member) {
          return std::ranges::any_of(operation(member).operands, [&](ValueId id) { return id >= 0 && is_widening(producer_[static_cast<std::size_t>(id)]); });
        });
    if (!touches) return;
    for (const std::size_t member : group.members) group_[member] = groups_.size();
    groups_.push_back(std::move(group));
  }

  bool take(std::size_t index, Group& group) const {
    if (index == nowhere || group.members.contains(index) || group_[index] != nowhere || !is_plain(index)) return false;
    const bool serves_it_alone = std::ranges::all_of(
        operation(index).results, [&](ValueId id) { return std::ranges::all_of(users(id), [&](std::size_t user) { return group.members.contains(user); }); });
    if (serves_it_alone) group.members.insert(index);
    return serves_it_alone;
  }

  Operation region_of(const Group& group) {
    Operation made{
        .op = regions_detail::region_op, .operands = {}, .results = operation(group.root).results, .attributes = {}, .where = operation(group.root).where};
    if (group.quantize != nowhere) made.results = operation(group.quantize).results;
    Region region;
    region.program.file = program_.file;
    std::map<ValueId, ValueId> inside;
    const auto define = [&](ValueId id) {
      const ProgramValue& value = program_.values[static_cast<std::size_t>(id)];
      inside[id] = static_cast<ValueId>(region.program.values.size());
      region.program.values.push_back({value.name, value.type, {}, value.quantize_info});
      return inside[id];
    };
    for (const std::size_t member : group.members) {
      Operation copy = operation(member);
      for (ValueId& id : copy.operands) {
        if (id < 0) continue;
        if (!inside.contains(id)) {
          const std::size_t maker = producer_[static_cast<std::size_t>(id)];
          made.operands.push_back(is_widening(maker) ? operation(maker).operands[0] : id);
          region.program.inputs.push_back(define(id));
        }
        id = inside[id];
      }
      for (ValueId& id : copy.results) id = define(id);
      region.program.operations.push_back(std::move(copy));
    }
    for (const ValueId id : operation(group.root).results) region.program.outputs.push_back(inside[id]);
    made.attributes["config"].value = config_of(group);
    made.regions.push_back(std::move(region));
    return made;
  }

  AttributeMap config_of(const Group& group) const {
    AttributeMap config;
    const Operation& root = operation(group.root);
    config["logical_kernel"].value = group.members.size() == 1 ? logical_kernel(semantics_, root, program_) : std::string("GENERIC");
    if (group.members.size() > 1) return config;
    const AttributeList groups = operand_groups(root);
    if (!groups.empty()) config["operand_groups"].value = groups;
    return config;
  }

  /// What only moves or chooses elements may as well do so with codes; truths that choose are predicates.
  AttributeList operand_groups(const Operation& root) const {
    const auto place = semantics_.library.find_op(root.op);
    const notation::Structure* structure = place ? notation::structure_of(*place->op) : nullptr;
    std::vector<std::int64_t> predicates, data, results;
    for (std::size_t i = 0; i < root.operands.size(); ++i)
      if (root.operands[i] >= 0) (type(root.operands[i])->element.is_boolean() ? predicates : data).push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < root.results.size(); ++i) results.push_back(static_cast<std::int64_t>(i));
    const bool moves = structure != nullptr && structure->path.starts_with("move.") && data.size() == 1;
    AttributeList groups;
    const auto add = [&](const char* constraint, const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
      AttributeMap one;
      one["transform_constraint"].value = std::string(constraint);
      one["operands"] = Attribute::integers(from);
      one["results"] = Attribute::integers(to);
      groups.push_back(Attribute{one});
    };
    if (!predicates.empty()) add("PREDICATE", predicates, {});
    if (moves || !predicates.empty()) add("EXPRESSED_OR_STORAGE", data, results);
    return groups;
  }

  void write() {
    made_.program = program_;
    made_.program.operations.clear();
    std::set<std::size_t> absorbed;
    for (const Group& group : groups_)
      if (group.quantize != nowhere) absorbed.insert(group.quantize);
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
      if (only_serves_regions(i)) keep_annotation(operation(i));
      if (absorbed.contains(i) || only_serves_regions(i)) continue;
      if (group_[i] == nowhere) {
        made_.program.operations.push_back(operation(i));
        continue;
      }
      const Group& group = groups_[group_[i]];
      if (group.root != i) continue;
      made_.program.operations.push_back(region_of(group));
      ++made_.regions;
      made_.operations += group.members.size();
    }
    drop_unused_values(made_.program);
  }

  /// What is stated of the numbers holds for their codes, which stay when the widening goes.
  void keep_annotation(const Operation& widening) {
    AttributeMap& codes = made_.program.values[static_cast<std::size_t>(widening.operands[0])].quantize_info;
    if (codes.empty()) codes = program_.values[static_cast<std::size_t>(widening.results[0])].quantize_info;
  }

  bool only_serves_regions(std::size_t index) const {
    return is_widening(index) && !users(operation(index).results[0]).empty() &&
           std::ranges::all_of(users(operation(index).results[0]), [&](std::size_t user) { return user != nowhere && group_[user] != nowhere; });
  }

  const Semantics& semantics_;
  const OutlineQuestion& question_;
  const Program& program_;
  std::vector<std::size_t> producer_;
  std::vector<std::set<std::size_t>> users_;
  std::vector<std::size_t> group_;
  std::vector<Group> groups_{};
  OutlinedProgram made_{};
};

}  // namespace

Result<OutlinedProgram> outline_regions(const Semantics& semantics, const Program& program, const OutlineQuestion& question) {
  return Outliner(semantics, program, question).run();
}

}  // namespace tiebreak
