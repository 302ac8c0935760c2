// SPDX-License-Identifier: Apache-2.0
#include "testsuite/case/program_part.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tiebreak {
namespace {

/// A program that takes over values of another one as they are needed.
class Window {
 public:
  Window(const Case& test, const std::vector<std::optional<Tensor>>& known) : test_(test), known_(known) {
    part_.id = test.id;
    part_.source = test.source;
    part_.description = test.description;
    part_.program.name = test.program.name;
    part_.program.file = test.program.file;
  }

  std::optional<Case> of(std::size_t first, std::size_t last) {
    const Program& program = test_.program;
    for (std::size_t i = first; i < last; ++i) {
      Operation operation = program.operations[i];
      for (ValueId& id : operation.operands)
        if (id >= 0 && !read(id)) return std::nullopt;
      for (Region& region : operation.regions)
        for (ValueId& id : region.captured)
          if (!read(id)) return std::nullopt;
      for (ValueId& id : operation.results)
        if (id >= 0) id = add(id, program.values[static_cast<std::size_t>(id)].type);
      if (i + 1 == last) part_.program.outputs = operation.results;
      part_.program.operations.push_back(std::move(operation));
    }
    return std::move(part_);
  }

 private:
  ValueId add(ValueId id, std::optional<TensorType> type) {
    const ProgramValue& value = test_.program.values[static_cast<std::size_t>(id)];
    part_.program.values.push_back({value.name, std::move(type), value.constant, value.quantize_info});
    return ids_[id] = static_cast<ValueId>(part_.program.values.size()) - 1;
  }

  /// Renames the value; one that is not there yet comes in as a constant or an input.
  bool read(ValueId& id) {
    if (auto found = ids_.find(id); found != ids_.end()) {
      id = found->second;
      return true;
    }
    auto place = static_cast<std::size_t>(id);
    bool is_constant = test_.program.values[place].constant.has_value();
    if (!is_constant && !known_[place]) return false;
    ValueId old = id;
    id = add(old, is_constant ? test_.program.values[place].type : std::optional(known_[place]->type()));
    if (is_constant) return true;
    part_.program.inputs.push_back(id);
    part_.inputs.push_back(*known_[place]);
    return true;
  }

  const Case& test_;
  const std::vector<std::optional<Tensor>>& known_;
  Case part_{};
  std::map<ValueId, ValueId> ids_{};
};

}  // namespace

std::optional<Case> part_of(const Case& whole, const std::vector<std::optional<Tensor>>& known, std::size_t first, std::size_t last) {
  return Window(whole, known).of(first, last);
}

Program cut_at(const Program& program, const std::vector<ValueId>& outputs) {
  Program cut = program;
  cut.outputs = outputs;
  std::set<ValueId> needed(outputs.begin(), outputs.end());
  std::vector<Operation> kept;
  for (std::size_t i = cut.operations.size(); i > 0; --i) {
    Operation& operation = cut.operations[i - 1];
    if (std::ranges::none_of(operation.results, [&](ValueId id) { return needed.contains(id); })) continue;
    needed.insert(operation.operands.begin(), operation.operands.end());
    for (const Region& region : operation.regions) needed.insert(region.captured.begin(), region.captured.end());
    kept.push_back(std::move(operation));
  }
  std::ranges::reverse(kept);
  cut.operations = std::move(kept);
  drop_unused_values(cut);
  return cut;
}

}  // namespace tiebreak
