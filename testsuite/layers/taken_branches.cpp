// SPDX-License-Identifier: Apache-2.0
// The graphs inside a model's If have layers, too. On the model's inputs it is known which graph runs: its operations take the place of the If.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/evaluate/program_run.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/program/is_read.hpp"
#include "testsuite/layers/model_values.hpp"

namespace tiebreak {
namespace {

class TakenBranches {
 public:
  TakenBranches(const Semantics& semantics, Model& model) : semantics_(semantics), model_(model), program_(model.test.program), known_(program_.values.size()) {
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) known_[value_place(program_.inputs[i])] = ResultTensor{.name = "", .tensor = model.test.inputs[i]};
  }

  Status run() {
    bool any = false;
    for (std::size_t at = 0; at < program_.operations.size();) {
      const notation::Op* page = branching_page(program_.operations[at]);
      std::optional<std::size_t> chosen;
      if (page != nullptr) {
        TIEBREAK_TRY(found, chosen_at(at));
        if (found && fits(program_.operations[at], *found)) chosen = found;
      }
      if (!chosen) {
        ++at;
        continue;
      }
      const std::string& region = page->regions[std::min(*chosen, page->regions.size() - 1)];
      model_.notes.push_back(fmt::format("{}: on these inputs {} runs, and its operations are layers", program_.operations[at].where, region));
      put_in_place(at, *chosen);  // and look at what was put there
      any = true;
    }
    if (any) drop_unused_values(program_);
    return {};
  }

 private:
  /// The page of an operation that runs one of its regions, nullptr of any other.
  const notation::Op* branching_page(const Operation& operation) const {
    if (operation.regions.empty()) return nullptr;
    const auto place = semantics_.library.op_place(operation.op);
    if (!place) return nullptr;
    const notation::Structure* structure = notation::structure_of(*place->op);
    return structure != nullptr && structure->path == "control.branch" ? place->op : nullptr;
  }

  /// The graph takes nothing, and gives as much as the operation; of another one the page says what is wrong.
  static bool fits(const Operation& operation, std::size_t chosen) {
    const Region& region = operation.regions[chosen];
    return region.program.inputs.size() == region.captured.size() && region.program.outputs.size() >= operation.results.size();
  }

  LentTensor value(ValueId id) const {
    if (const auto& constant = program_.values[value_place(id)].constant) return lent(*constant);
    const auto& found = known_[value_place(id)];
    return found ? lent(*found) : LentTensor{};
  }

  /// The region that the operation runs; nothing where what decides cannot be computed.
  Result<std::optional<std::size_t>> chosen_at(std::size_t at) {
    const Operation& operation = program_.operations[at];
    const ValueId wanted = operation.operands.empty() ? -1 : operation.operands.front();
    if (wanted < 0) return std::optional<std::size_t>();
    for (std::size_t step : steps_to(at, wanted)) {
      const Operation& before = program_.operations[step];
      auto results = evaluate_operation(semantics_, program_, before, [this](ValueId id) { return value(id); }, {});
      TIEBREAK_CHECK(semantics_.library.stop().check());
      if (!results) return std::optional<std::size_t>();
      for (std::size_t r = 0; r < results->size() && r < before.results.size(); ++r)
        if (before.results[r] >= 0) known_[value_place(before.results[r])] = std::move((*results)[r]);
    }
    const LentTensor index = value(wanted);
    if (index.tensor == nullptr || index.tensor->size() != 1 || index.undefined != nullptr) return std::optional<std::size_t>();
    return std::optional(chosen_region(*index.tensor, operation.regions.size()));
  }

  /// The operations before `at` that have to run for a value, those that ran left out.
  std::vector<std::size_t> steps_to(std::size_t at, ValueId wanted) const {
    std::vector<bool> is_needed(program_.values.size());
    const auto need = [&](ValueId id) { is_needed[value_place(id)] = value(id).tensor == nullptr; };
    need(wanted);
    std::vector<std::size_t> steps;
    for (std::size_t step = at; step-- > 0;) {
      const Operation& operation = program_.operations[step];
      if (std::ranges::none_of(operation.results, [&](ValueId id) { return id >= 0 && is_needed[value_place(id)]; })) continue;
      std::ranges::for_each(read_values(operation), need);
      steps.push_back(step);
    }
    std::ranges::reverse(steps);
    return steps;
  }

  void put_in_place(std::size_t at, std::size_t chosen) {
    Operation branch = std::move(program_.operations[at]);
    Region region = std::move(branch.regions[chosen]);
    const std::vector<ValueId> outside = values_outside(region);
    const auto rename = [&outside](ValueId& id) { id = id < 0 ? id : outside[value_place(id)]; };
    for (Operation& operation : region.program.operations) each_value(operation, rename);
    std::ranges::for_each(region.program.outputs, rename);
    const auto place = program_.operations.erase(program_.operations.begin() + static_cast<std::ptrdiff_t>(at));
    program_.operations.insert(place, std::make_move_iterator(region.program.operations.begin()), std::make_move_iterator(region.program.operations.end()));
    for (std::size_t r = 0; r < branch.results.size() && r < region.program.outputs.size(); ++r) stand_for(region.program.outputs[r], branch.results[r]);
  }

  /// The region's values as values of the program: what it captures is there, the others are new.
  std::vector<ValueId> values_outside(Region& region) {
    std::vector<ValueId> outside(region.program.values.size(), -1);
    for (std::size_t i = 0; i < region.captured.size(); ++i) outside[value_place(region.program.inputs[i])] = region.captured[i];
    for (std::size_t id = 0; id < outside.size(); ++id) {
      if (outside[id] >= 0) continue;
      outside[id] = static_cast<ValueId>(program_.values.size());
      program_.values.push_back(std::move(region.program.values[id]));
    }
    known_.resize(program_.values.size());
    return outside;
  }

  /// `value` in the place of the result; an output of the model keeps its name where the branch computes it.
  void stand_for(ValueId value, ValueId result) {
    if (result < 0) return;
    const auto replace = [value, result](ValueId& id) { id = id == result ? value : id; };
    for (Operation& operation : program_.operations) each_value(operation, replace);
    const bool is_output = std::ranges::find(program_.outputs, result) != program_.outputs.end();
    std::ranges::for_each(program_.outputs, replace);
    const bool is_computed =
        std::ranges::any_of(program_.operations, [value](const Operation& own) { return std::ranges::find(own.results, value) != own.results.end(); });
    if (is_output && is_computed && std::ranges::count(program_.outputs, value) == 1)
      std::swap(program_.values[value_place(value)].name, program_.values[value_place(result)].name);
  }

  const Semantics& semantics_;
  Model& model_;
  Program& program_;
  std::vector<std::optional<ResultTensor>> known_;
};

}  // namespace

Status take_branches(const Semantics& semantics, Model& model) { return TakenBranches(semantics, model).run(); }

}  // namespace tiebreak
