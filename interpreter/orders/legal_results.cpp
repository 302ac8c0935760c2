// SPDX-License-Identifier: Apache-2.0
#include "interpreter/orders/legal_results.hpp"

#include <algorithm>
#include <map>

#include "interpreter/notation/notation.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/orders/legal_fold.hpp"
#include "interpreter/orders/legal_sums.hpp"

namespace tiebreak {
namespace {

using namespace regions;
using Kind = LegalElement::Kind;

constexpr const char* no_limit = "more results than are listed, and no bound is known for this body";

/// The profile with each order of the op open, as far as its page has an alternative that says so.
Profile with_open_orders(const Profile& profile, const notation::Op& op) {
  Profile open = profile;
  for (const notation::Statement& statement : op.statements) {
    const auto* choice = std::get_if<notation::Choice>(&statement);
    if (choice == nullptr) continue;
    for (const notation::Alternative& alternative : choice->alternatives) {
      const auto is_set = [](const notation::Modifier& modifier) { return modifier.name == "any" || modifier.name == "permuted"; };
      if (std::ranges::any_of(alternative.body.value->modifiers, is_set))
        open.choices[op.path + "/" + choice->name] = ProfileValue{.alternative = alternative.name};
    }
  }
  return open;
}

/// Problems of all cells, each once, and which one each cell has.
struct Problems {
  std::vector<FoldProblem> problems{};
  std::vector<std::size_t> of_cell{};
};

Problems problems_of(const FoldCells& cells, ValueTable& table) {
  Problems all;
  std::map<FoldProblem, std::size_t> numbers;
  std::optional<BodyValue> hole;
  if (!cells.holes.empty()) hole = table.number(cells.holes, 0);
  for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
    FoldProblem problem{.start = table.number(cells.starts, static_cast<std::int64_t>(cell))};
    for (std::int64_t item : cells.items_of(cell)) problem.items.push_back(item < 0 ? *hole : table.number(cells.sources, item));
    const auto [found, fresh] = numbers.try_emplace(problem, all.problems.size());
    if (fresh) all.problems.push_back(std::move(problem));
    all.of_cell.push_back(found->second);
  }
  return all;
}

LegalElement element_of(const ValueTable& table, const ValueSet& set, const std::vector<ResultTensor>& types) {
  LegalElement element;
  for (BodyValue id : set) {
    if (table.is_undefined(id)) element.may_be_undefined = true;
    else element.members.push_back(table.codes(id));
  }
  std::ranges::sort(element.members, [&](const auto& a, const auto& b) {
    for (std::size_t r = 0; r < a.size(); ++r) {
      const Real x = types[r].tensor.element().decode(a[r]), y = types[r].tensor.element().decode(b[r]);
      if (!(x == y) && !x.is_nan() && !y.is_nan()) return x < y;
      if (a[r] != b[r]) return x.is_nan() != y.is_nan() ? y.is_nan() : a[r] < b[r];
    }
    return false;
  });
  element.kind = set.size() > 1 ? Kind::set : Kind::unique;
  return element;
}

Result<LegalResults> legal_cells(const FoldCells& cells) {
  LegalResults legal;
  TIEBREAK_TRY(computed, run_fold(cells, cells.order));
  legal.computed = std::move(computed);
  std::vector<std::optional<LegalElement>> elements(cells.cells());
  if (cells.selection_open) {
    legal.why = "which element a window selects depends on the order, too";
  } else {
    ValueTable table(*cells.body);
    const Problems all = problems_of(cells, table);
    TIEBREAK_TRY(sets, cells.order.set == FoldSet::trees ? tree_sets(table, all.problems, {}) : permutation_sets(table, all.problems, {}));
    for (std::size_t cell = 0; cell < cells.cells(); ++cell)
      if (const auto& set = sets[all.of_cell[cell]]) elements[cell] = element_of(table, *set, legal.computed);
    const auto missing = [&] { return !std::ranges::all_of(elements, [](const auto& element) { return element.has_value(); }); };
    const auto whole = [](const ResultTensor& value) { return value.undefined.empty(); };
    const bool defined = std::ranges::all_of(cells.starts, whole) && std::ranges::all_of(cells.sources, whole) && std::ranges::all_of(cells.holes, whole);
    if (missing() && defined) TIEBREAK_CHECK(judge_by_body(cells, elements, legal.why));
    if (missing() && defined && cells.order.set == FoldSet::trees) TIEBREAK_CHECK(judge_narrow(cells, elements, legal.why));
  }
  std::vector<LegalElement> listed;
  for (auto& element : elements) {
    if (!element && legal.why.empty()) legal.why = no_limit;
    listed.push_back(element.value_or(LegalElement{.kind = Kind::unknown}));
  }
  legal.elements = std::move(listed);
  return legal;
}

}  // namespace

Result<std::vector<LegalResults>> legal_results(const Semantics& semantics, const OpCall& call, bool any_order) {
  TIEBREAK_TRY(place, semantics.library.find_op(call.op));
  if (!notation::is_run(*place.op)) return legal_sums(semantics, call, any_order);
  const Profile taken = any_order ? with_open_orders(semantics.profile, *place.op) : semantics.profile;
  TIEBREAK_TRY(header, bind_header({semantics.library, taken}, call));
  Context context{.library = semantics.library, .profile = taken, .call = call, .header = std::move(header)};
  context.structure = notation::structure_of(*context.header.op);
  TIEBREAK_TRY(cells, fold_cells(context));
  if (!cells || cells->order.set == FoldSet::one) return std::vector<LegalResults>();
  TIEBREAK_TRY(legal, legal_cells(*cells));
  std::vector<LegalResults> all;
  all.push_back(std::move(legal));
  return all;
}

bool is_legal(const LegalElement& element, const std::vector<const Tensor*>& results, std::int64_t index) {
  if (element.may_be_undefined) return true;
  if (element.kind == Kind::interval) {
    if (results.front() == nullptr) return false;
    const Real value = results.front()->value(index);
    return element.low <= value && value <= element.high;
  }
  return std::ranges::any_of(element.members, [&](const std::vector<std::uint64_t>& member) {
    for (std::size_t r = 0; r < member.size(); ++r) {
      if (results[r] == nullptr) continue;
      const ElementType& type = results[r]->element();
      const bool both_nan = type.is_float() && results[r]->value(index).is_nan() && type.decode(member[r]).is_nan();
      if (results[r]->code(index) != member[r] && !both_nan) return false;
    }
    return true;
  });
}

}  // namespace tiebreak
