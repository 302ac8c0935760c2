// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/open_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/formula/operand_sources.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/orders/legal_sums.hpp"
#include "testsuite/candidates/taken_choices.hpp"

namespace tiebreak {
namespace {

using Kind = LegalElement::Kind;

/// Reads of operands that are looked at to learn which elements a result sees; beyond that, each sees all.
constexpr std::int64_t most_reads = std::int64_t{1} << 24;

/// What is known of a value of the program that is not unique everywhere.
struct OpenValue {
  std::vector<LegalElement> bounds{};            ///< each element by itself: unique, a set or interval that holds it, unknown
  std::vector<std::set<std::size_t>> choices{};  ///< that lead to the element
  std::vector<std::uint8_t> by_choices{};        ///< 1: they alone decide it
};

std::size_t place(ValueId id) { return static_cast<std::size_t>(id); }

/// One of the results that are judged together, for itself.
std::vector<LegalElement> of_result(const LegalResults& legal, std::size_t result) {
  std::vector<LegalElement> elements = legal.elements.listed();
  for (LegalElement& element : elements)
    for (auto& member : element.members) member = {member[result]};
  return elements;
}

class Follower {
 public:
  explicit Follower(const OpenProgram& open) : open_(open), values_(open.program.values.size()) {}

  Status run() {
    TIEBREAK_CHECK(reach());
    for (std::size_t i = 0; i < open_.program.operations.size(); ++i) TIEBREAK_CHECK(operation(i));
    return {};
  }

  Result<std::vector<OpenOutput>> outputs(std::uint64_t most_taken) {
    std::vector<OpenOutput> all;
    std::vector<WantedOutput> wanted;
    for (const ValueId id : open_.program.outputs) {
      OpenOutput output = direct(id);
      if (!output.legal && values_[place(id)]) wanted.push_back({id, values_[place(id)]->choices, values_[place(id)]->by_choices});
      all.push_back(std::move(output));
    }
    if (wanted.empty()) return all;
    TIEBREAK_TRY(taken, take_choices(open_, choices_, wanted, most_taken));
    for (std::size_t o = 0; o < all.size(); ++o) {
      const ValueId id = open_.program.outputs[o];
      if (all[o].legal || !values_[place(id)]) continue;
      const auto found = std::ranges::find(wanted, id, &WantedOutput::value);
      all[o].legal = std::make_shared<const LegalResults>(follows(id, taken[static_cast<std::size_t>(found - wanted.begin())]));
    }
    return all;
  }

 private:
  /// What a single operation gives nobody reads.
  Status reach() {
    if (open_.program.operations.size() == 1) {
      TIEBREAK_TRY(call, reach_call(open_.semantics, open_.program, 0, open_.inputs));
      reached_.push_back({std::move(call)});
      return {};
    }
    TIEBREAK_TRY(reached, reach_calls(open_.semantics, open_.program, open_.inputs));
    reached_ = std::move(reached);
    return {};
  }

  /// What an open operation itself gives: its results are judged together.
  OpenOutput direct(ValueId id) const {
    for (const auto& [operation, legal] : sources_) {
      const auto& results = open_.program.operations[operation].results;
      const auto found = std::ranges::find(results, id);
      if (found == results.end()) continue;
      const auto result = static_cast<std::size_t>(found - results.begin());
      const bool together = legal.front()->computed.size() == results.size();
      return {legal[together ? 0 : result], together ? result : 0};
    }
    return {};
  }

  LegalResults follows(ValueId id, const std::vector<std::optional<LegalElement>>& taken) const {
    const OpenValue& value = *values_[place(id)];
    std::vector<LegalElement> elements = value.bounds;
    for (std::size_t e = 0; e < elements.size(); ++e)
      if (taken[e]) elements[e] = *taken[e];
    LegalResults legal{.elements = std::move(elements)};
    legal.computed.resize(1);
    legal.why = legal.elements.any_unknown() ? why_ : fmt::format("what follows from results of {} that are not unique", fmt::join(open_ops_, ", "));
    return legal;
  }

  Status operation(std::size_t number) {
    const Operation& operation = open_.program.operations[number];
    bool follows = false;
    OpenOperands operands;
    for (const ValueId id : operation.operands) {
      operands.push_back(id >= 0 && values_[place(id)] ? &values_[place(id)]->bounds : nullptr);
      follows |= operands.back() != nullptr;
    }
    for (const Region& region : operation.regions) follows |= std::ranges::any_of(region.captured, [&](ValueId id) { return values_[place(id)].has_value(); });
    if (follows) return consequence(number, operands);
    return open_.may_be_open(operation.op) ? source(number) : Status();
  }

  /// An operation that leaves something open itself, on operands that are unique.
  Status source(std::size_t number) {
    TIEBREAK_TRY(legal, legal_results(open_.semantics, reached_[number].call, open_.any_order));
    if (legal.empty()) return {};
    std::vector<std::shared_ptr<const LegalResults>> kept;
    for (LegalResults& one : legal) kept.push_back(std::make_shared<const LegalResults>(std::move(one)));
    const Operation& operation = open_.program.operations[number];
    const bool together = kept.front()->computed.size() == operation.results.size();
    const bool is_read = open_.program.operations.size() > 1;
    for (std::size_t group = 0; is_read && group < kept.size(); ++group) {
      const LegalResults& one = *kept[group];
      if (one.elements.all_unique()) continue;
      open_ops_.insert(operation.op);
      if (!one.why.empty()) why_ = one.why;
      std::vector<std::set<std::size_t>> choices(one.elements.size());
      std::vector<std::uint8_t> by_choices(one.elements.size(), 1);
      for (std::size_t e = 0; e < one.elements.size(); ++e) {
        LegalElement element = one.elements[e];
        if (element.kind == Kind::set) {
          choices[e] = {choices_.size()};
          choices_.push_back({number, group, e, kept[group], std::move(element)});
        } else if (element.kind != Kind::unique) {
          by_choices[e] = 0;
        }
      }
      for (std::size_t r = together ? 0 : group; r < (together ? operation.results.size() : group + 1); ++r)
        if (operation.results[r] >= 0) values_[place(operation.results[r])] = OpenValue{of_result(one, together ? r : 0), choices, by_choices};
    }
    sources_.emplace(number, std::move(kept));
    return {};
  }

  /// An operation on what is open.
  Status consequence(std::size_t number, const OpenOperands& operands) {
    const Operation& operation = open_.program.operations[number];
    const OpCall& call = reached_[number].call;
    TIEBREAK_TRY(legal, legal_consequences(open_.semantics, call, operands, open_.any_order));
    TIEBREAK_TRY(own_sums, opens_itself(call));
    for (std::size_t r = 0; r < operation.results.size() && r < legal.size(); ++r) {
      if (operation.results[r] < 0) continue;
      OpenValue value{legal[r].elements.listed(), {}, {}};
      for (const LegalElement& element : value.bounds)
        if (element.kind == Kind::unknown && !legal[r].why.empty()) why_ = fmt::format("{}: {}", operation.op, legal[r].why);
      sees(number, r, value);
      if (own_sums) value.by_choices.assign(value.bounds.size(), 0);
      values_[place(operation.results[r])] = std::move(value);
    }
    return {};
  }

  Result<bool> opens_itself(const OpCall& call) const {
    if (!open_.may_be_open(call.op)) return false;
    TIEBREAK_TRY(legal, legal_results(open_.semantics, call, open_.any_order));
    return !legal.empty();
  }

  /// Which choices lead to each element of a result: those of the elements that its cell reads, or all of them.
  void sees(std::size_t number, std::size_t result, OpenValue& value) const {
    const Operation& operation = open_.program.operations[number];
    std::vector<const OpenValue*> operands;
    for (const ValueId id : operation.operands) operands.push_back(id >= 0 && values_[place(id)] ? &*values_[place(id)] : nullptr);
    std::vector<const OpenValue*> all = operands;
    for (const Region& region : operation.regions)
      for (const ValueId id : region.captured)
        if (values_[place(id)]) all.push_back(&*values_[place(id)]);
    value.choices.resize(value.bounds.size());
    value.by_choices.assign(value.bounds.size(), 1);
    if (sees_by_cell(number, result, operands, value)) return;
    for (std::size_t e = 0; e < value.bounds.size(); ++e)
      for (const OpenValue* from : all)
        for (std::size_t i = 0; from != nullptr && i < from->bounds.size(); ++i) add(*from, i, value, e);
  }

  static void add(const OpenValue& from, std::size_t element, OpenValue& value, std::size_t into) {
    value.choices[into].insert(from.choices[element].begin(), from.choices[element].end());
    value.by_choices[into] &= from.by_choices[element];
  }

  /// False where the op is no formula that reads the open operands element by element.
  bool sees_by_cell(std::size_t number, std::size_t result, const std::vector<const OpenValue*>& operands, OpenValue& value) const {
    const OpCall& call = reached_[number].call;
    const auto page = open_.semantics.library.op_place(call.op);
    if (!page || notation::is_run(*page->op) || gives_parts(*page->op)) return false;
    const auto formula = bind(open_.semantics, call);
    if (!formula || !formula->stages.empty() || result >= formula->results.size()) return false;
    std::vector<bool> read(operands.size(), false);
    const std::vector<int> operand_of = operands_of_sources(*formula, call);
    for (const int operand : operand_of)
      if (operand >= 0) read[static_cast<std::size_t>(operand)] = true;
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i] != nullptr && !read[i]) return false;
    const Geometry& geometry = formula->geometry;
    const std::int64_t items = geometry.has_bag ? geometry.items() : 1;
    if (formula->results[result].single || geometry.cells() * items > most_reads / std::max<std::int64_t>(1, std::ssize(operand_of))) return false;
    std::vector<std::int64_t> cell_place(geometry.cell_extents.size()), item_place(geometry.item_extents.size());
    for (std::int64_t cell = 0; cell < geometry.cells(); ++cell) {
      unravel(cell, geometry.cell_extents, cell_place);
      OpenValue seen{.bounds = {}, .choices = {{}}, .by_choices = {1}};
      std::vector<std::size_t> elements;
      for (std::int64_t item = 0; item < items; ++item) {
        unravel(item, geometry.item_extents, item_place);
        for (std::size_t s = 0; s < operand_of.size(); ++s) {
          if (operand_of[s] < 0 || operands[static_cast<std::size_t>(operand_of[s])] == nullptr) continue;
          const std::int64_t offset = formula->sources[s].access.offset(cell_place, item_place);
          if (offset >= 0) add(*operands[static_cast<std::size_t>(operand_of[s])], static_cast<std::size_t>(offset), seen, 0);
        }
        const std::int64_t element = formula->results[result].per_item ? geometry.item_result.offset(cell_place, item_place) : item == 0 ? cell : -1;
        if (element >= 0) elements.push_back(static_cast<std::size_t>(element));
      }
      for (const std::size_t element : elements) add(seen, 0, value, element);
    }
    return true;
  }

  const OpenProgram& open_;
  std::vector<ReachedCall> reached_{};
  std::vector<std::optional<OpenValue>> values_;
  std::map<std::size_t, std::vector<std::shared_ptr<const LegalResults>>> sources_{};
  std::vector<OpenChoice> choices_{};
  std::set<std::string> open_ops_{};
  std::string why_{};
};

}  // namespace

Result<std::vector<OpenOutput>> open_outputs(const OpenProgram& open, std::uint64_t most_taken) {
  Follower follower(open);
  TIEBREAK_CHECK(follower.run());
  return follower.outputs(most_taken);
}

}  // namespace tiebreak
