// SPDX-License-Identifier: Apache-2.0
#include "testsuite/statistics/growth.hpp"

#include <algorithm>
#include <set>

#include "testsuite/case/value_name.hpp"

namespace tiebreak {
namespace {

/// What depends on one value, as a program of it alone: everything else is as it was.
struct Downstream {
  Program program;
  std::vector<std::string> names{};  ///< of the outputs
};

bool reads(const Operation& operation, const std::set<ValueId>& values) {
  const auto is_one = [&](ValueId id) { return values.contains(id); };
  return std::ranges::any_of(operation.operands, is_one) ||
         std::ranges::any_of(operation.regions, [&](const Region& region) { return std::ranges::any_of(region.captured, is_one); });
}

Downstream downstream_of(const Program& program, const SideValues& values, ValueId changed) {
  Downstream made{program};
  std::set<ValueId> reached{changed};
  std::vector<Operation> kept;
  for (const Operation& operation : program.operations) {
    if (!reads(operation, reached)) continue;
    reached.insert(operation.results.begin(), operation.results.end());
    kept.push_back(operation);
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!reached.contains(static_cast<ValueId>(i)) && values[i]) made.program.values[i].constant = values[i]->tensor;
  made.program.operations = std::move(kept);
  made.program.inputs = {changed};
  made.program.outputs.clear();
  for (ValueId id : program.outputs) {
    const std::string name = bare_name(program, id);
    if (const ValueId codes = value_named(program, name + ".q"); reached.contains(codes)) id = codes;
    if (!reached.contains(id) || id == changed) continue;
    made.program.outputs.push_back(id);
    made.names.push_back(bare_name(program, id));
  }
  return made;
}

/// One code more at the element; false at the upper end of the range.
bool raise(Tensor& codes, std::int64_t element) {
  const Real next = codes.value(element) + Real(1);
  const auto& quantized = codes.type().quantized;
  const auto code = codes.element().encode(next);
  if (!code || (quantized && next > quantized->storage_max)) return false;
  codes.set_code(element, *code);
  return true;
}

struct Change {
  std::int64_t changed = 0;
  Real greatest{};
};

Change change_of(const Tensor& before, const Tensor& after) {
  Change change;
  for (std::int64_t i = 0; i < before.size() && i < after.size(); ++i) {
    const Real size = abs(after.value(i) - before.value(i));
    if (size.is_nan() || size.is_zero()) continue;
    ++change.changed;
    if (size > change.greatest) change.greatest = size;
  }
  return change;
}

class Grower {
 public:
  Grower(const Semantics& semantics, const SideValues& values, const StatisticsOptions& options) : semantics_(semantics), values_(values), options_(options) {}

  Result<std::vector<GrowthLine>> run(const Program& program, ValueId id, std::size_t form) {
    const Downstream down = downstream_of(program, values_, id);
    const Tensor& codes = values_[static_cast<std::size_t>(id)]->tensor;
    std::vector<GrowthLine> lines;
    for (std::size_t o = 0; o < down.names.size(); ++o) {
      const Tensor& output = before(down, o);
      lines.push_back({.form = form,
                       .node = bare_name(program, id),
                       .output = down.names[o],
                       .unit = has_codes(output) || down.names[o].ends_with(".q") ? "codes" : "value"});
      lines.back().elements = output.size();
    }
    if (lines.empty()) return lines;
    Tensor all = codes;
    std::int64_t moved = 0;
    for (std::int64_t i = 0; i < codes.size(); ++i) moved += raise(all, i) ? 1 : 0;
    TIEBREAK_TRY(changes, run_with(down, all));
    for (std::size_t o = 0; o < lines.size(); ++o) {
      lines[o].moved = moved;
      lines[o].all_changed = changes[o].changed;
      lines[o].all_greatest = changes[o].greatest;
    }
    TIEBREAK_CHECK(one_by_one(down, codes, lines));
    return lines;
  }

 private:
  const Tensor& before(const Downstream& down, std::size_t output) const { return values_[static_cast<std::size_t>(down.program.outputs[output])]->tensor; }

  Result<std::vector<Change>> run_with(const Downstream& down, const Tensor& codes) {
    TIEBREAK_TRY(results, evaluate(semantics_, down.program, {codes}, options_.evaluate));
    std::vector<Change> changes;
    for (std::size_t o = 0; o < results.size(); ++o) changes.push_back(change_of(before(down, o), results[o].tensor));
    return changes;
  }

  /// Elements that lie evenly over the tensor.
  Status one_by_one(const Downstream& down, const Tensor& codes, std::vector<GrowthLine>& lines) {
    const std::int64_t count = std::min<std::int64_t>(codes.size(), static_cast<std::int64_t>(options_.growth_elements));
    for (std::int64_t i = 0; i < count; ++i) {
      Tensor one = codes;
      if (!raise(one, i * codes.size() / count)) continue;
      TIEBREAK_TRY(changes, run_with(down, one));
      for (std::size_t o = 0; o < lines.size(); ++o) {
        ++lines[o].tried;
        lines[o].one_changed += changes[o].changed > 0 ? 1 : 0;
        lines[o].one_greatest = max(lines[o].one_greatest, changes[o].greatest);
      }
    }
    return {};
  }

  const Semantics& semantics_;
  const SideValues& values_;
  const StatisticsOptions& options_;
};

}  // namespace

Result<std::vector<GrowthLine>> growth_of(const Semantics& semantics, const Program& program, const SideValues& values, std::size_t form,
                                          const StatisticsOptions& options) {
  std::vector<GrowthLine> all;
  Grower grower(semantics, values, options);
  for (const Operation& operation : program.operations)
    for (const ValueId id : operation.results) {
      if (id < 0 || !values[static_cast<std::size_t>(id)]) continue;
      const bool named = bare_name(program, id).ends_with(".q");
      if (!named && !has_codes(values[static_cast<std::size_t>(id)]->tensor)) continue;
      TIEBREAK_TRY(lines, grower.run(program, id, form));
      std::ranges::move(lines, std::back_inserter(all));
    }
  return all;
}

}  // namespace tiebreak
