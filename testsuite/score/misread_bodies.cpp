// SPDX-License-Identifier: Apache-2.0
// Regions taken wrongly: another one is chosen, or a comparator says something else.
#include <algorithm>

#include "interpreter/notation/walk.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak {
namespace {

/// The comparator with the two elements of each pair in the opposite order.
Program with_sides_exchanged(const Program& comparator, std::size_t parameters) {
  Program changed = comparator;
  for (std::size_t i = 0; i + 1 < parameters; i += 2) std::swap(changed.inputs[i], changed.inputs[i + 1]);
  return changed;
}

/// It says the opposite.
Program negated(const Program& comparator) {
  Program changed = comparator;
  ProgramValue opposite{.name = "opposite", .type = comparator.values[static_cast<std::size_t>(comparator.outputs.front())].type};
  changed.values.push_back(std::move(opposite));
  const ValueId made = static_cast<ValueId>(changed.values.size() - 1);
  Operation negation{.op = "stablehlo.not", .operands = {changed.outputs.front()}, .results = {made}, .attributes = {}, .where = changed.file};
  changed.operations.push_back(std::move(negation));
  changed.outputs.front() = made;
  return changed;
}

/// Of a sort. What the text asks is whether the later element is less; `larger_first` asks whether the earlier one is, `unstable` whether it is not.
Reading misread_comparator(const std::string& word, OpCall& call, std::vector<std::shared_ptr<const Program>>& bodies) {
  BoundRegion& region = call.regions.front();
  Program changed = with_sides_exchanged(*region.program, region.program->inputs.size() - region.captured.size());
  if (word == "unstable") changed = negated(changed);
  bodies.push_back(std::make_shared<const Program>(std::move(changed)));
  region.program = bodies.back().get();
  return Reading::changed;
}

/// The index names no region: the last one runs. `to_first`: the first one; `to_end`: the one at the end where it lies.
Reading misread_index(const std::string& word, Tensor& index, std::int64_t bodies) {
  const auto given = index.value(0).to_int64();
  const bool below = index.value(0).sign() < 0;
  if ((given && *given >= 0 && *given < bodies) || bodies < 2 || (word == "to_end" && !below)) return Reading::unchanged;
  index.set_code(0, 0);
  return Reading::changed;
}

}  // namespace

Reading misread_bodies(const notation::Op& op, const std::string& word, OpCall& call, std::vector<std::shared_ptr<const Program>>& bodies) {
  if (word == "bodies_reversed") {
    std::ranges::reverse(call.regions);
    return call.regions.size() < 2 ? Reading::unchanged : Reading::changed;
  }
  const notation::Structure* structure = notation::structure_of(op);
  if (structure->path != "control.branch") return misread_comparator(word, call, bodies);
  const std::vector<std::size_t> index = operand_positions(op, call.operands.size(), structure->arguments.front().name);
  return misread_index(word, *call.operands[index.front()], static_cast<std::int64_t>(call.regions.size()));
}

}  // namespace tiebreak
