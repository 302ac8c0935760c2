// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/compare_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "interpreter/stairs/input_segments.hpp"
#include "testsuite/diff/function_pair.hpp"
#include "testsuite/equal/tally.hpp"
#include "testsuite/generate/pseudo_random.hpp"
#include "testsuite/prove/formula_comparison.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t at_once = 1 << 14;           // inputs of one evaluation
constexpr std::uint64_t most_staircases = 1 << 12;  // one for each combination of the other leaves

std::vector<Leaf> all_leaves(const ElementFormula& first, const ElementFormula& second) {
  std::set<Leaf> leaves(first.leaves.begin(), first.leaves.end());
  leaves.insert(second.leaves.begin(), second.leaves.end());
  return {leaves.begin(), leaves.end()};
}

bool equal_formulas(const ElementFormula& first, const ElementFormula& second) {
  if (same_graph(first, second)) return true;
  FormulaComparison comparison(first.formula, second.formula, true);
  return comparison.equal_results({});
}

/// How many inputs the leaves have together, capped.
Wide combinations(const std::vector<Leaf>& leaves, const ElementQuestion& question) {
  Wide count = 1;
  for (const Leaf& leaf : leaves) count = std::min(count * question.domains.at(leaf).count(), Wide{1} << 100);
  return count;
}

Result<Tensor> column_of(const LeafDomain& domain, std::int64_t count) {
  TensorType type = domain.type;
  type.shape = {count};
  return Tensor::zeros(std::move(type));
}

/// Every combination of the leaves' values, the last leaf fastest.
Result<ElementVerdict> look_at_all(const ElementFormula& first, const ElementFormula& second, const std::vector<Leaf>& leaves,
                                   const ElementQuestion& question) {
  std::vector<std::vector<std::uint64_t>> codes;
  std::uint64_t total = 1;
  for (const Leaf& leaf : leaves) {
    codes.push_back(question.domains.at(leaf).all_codes());
    total *= codes.back().size();
  }
  ElementVerdict verdict;
  Tally tally(verdict);
  for (std::uint64_t start = 0; start < total; start += at_once) {
    const auto count = static_cast<std::int64_t>(std::min<std::uint64_t>(at_once, total - start));
    Columns columns;
    std::uint64_t period = 1;
    for (std::size_t l = leaves.size(); l-- > 0;) {
      TIEBREAK_TRY(column, column_of(question.domains.at(leaves[l]), count));
      for (std::int64_t i = 0; i < count; ++i) column.set_code(i, codes[l][(start + static_cast<std::uint64_t>(i)) / period % codes[l].size()]);
      period *= codes[l].size();
      columns.emplace(leaves[l], std::move(column));
    }
    TIEBREAK_CHECK(tally.add(first, second, columns, count));
  }
  verdict.verdict = verdict.differing > 0 ? Verdict::differ : Verdict::equal;
  verdict.way = leaves.empty() ? "no input leads here" : leaves.size() == 1 ? "every input" : "every combination of inputs";
  return unless_empty(std::move(verdict));
}

/// A formula with some leaves fixed, as a function of the one that is left.
Result<ScalarFunction> function_of(const ElementFormula& whole, const Leaf& varied, const LeafDomain& domain, const std::map<Leaf, std::uint64_t>& fixed,
                                   std::vector<std::shared_ptr<Tensor>>& keep) {
  Formula formula = whole.formula;
  std::string name;
  for (std::size_t i = 0; i < whole.leaves.size(); ++i) {
    auto element = std::make_shared<Tensor>(*whole.elements[i]);
    if (whole.leaves[i] == varied) name = formula.sources[i].name;
    else element->set_code(0, fixed.at(whole.leaves[i]));
    formula.sources[i].tensor = element.get();
    keep.push_back(std::move(element));
  }
  if (name.empty()) {  // the other program reads it, this one does not
    TIEBREAK_TRY(element, Tensor::zeros(domain.type));
    keep.push_back(std::make_shared<Tensor>(std::move(element)));
    name = "unread";
    Source unread{.name = name};
    unread.tensor = keep.back().get();
    formula.sources.push_back(std::move(unread));
  }
  TIEBREAK_TRY(function, ScalarFunction::of_formula(std::move(formula), name));
  if (domain.range) TIEBREAK_CHECK(function.limit_input(domain.range->first, domain.range->second));
  return std::move(function);
}

/// The functions compared, and where they stand among the combinations.
struct Along {
  ScalarFunction &first, &second;
  Leaf varied;
  const std::map<Leaf, std::uint64_t>& fixed;
};

void count_pair(const FunctionPair& pair, const Along& along, const ElementQuestion& question, ElementVerdict& verdict) {
  const auto& [function, other, varied, fixed] = along;
  const Disagreement& d = pair.disagreement;
  const Wide nans{nan_codes(function.input().type)};
  verdict.inputs += pair.classes ? pair.classes->total : Wide{d.total} + nans;
  verdict.differing += pair.classes ? pair.classes->differing : Wide{d.count} + (d.nan_differs ? nans : Wide{0});
  verdict.undefined += d.undefined;
  verdict.saturated += d.saturated;
  verdict.minus_one += d.by_minus_one;
  verdict.plus_one += d.by_plus_one;
  verdict.largest = std::max(verdict.largest, Wide{d.largest});
  if (d.nan_differs) {
    const std::int64_t a = function.at_nan().value_or(outcome_undefined), b = other.at_nan().value_or(outcome_undefined);
    if (!is_special(a) && !is_special(b)) verdict.largest = std::max(verdict.largest, a < b ? Wide{b} - Wide{a} : Wide{a} - Wide{b});
  }
  verdict.counted = verdict.counted && d.proved;
  if (!d.witness && !d.nan_differs && !(pair.classes && pair.classes->witness)) return;
  ElementWitness witness;
  for (const auto& [leaf, code] : fixed) witness.inputs.emplace_back(leaf, question.domains.at(leaf).type.element.decode(code));
  if (pair.classes && pair.classes->witness) {
    witness.inputs.emplace_back(varied, pair.classes->witness->input);
    witness.first = outcome_text(pair.classes->witness->first);
    witness.second = outcome_text(pair.classes->witness->second);
  } else {
    witness.inputs.emplace_back(varied, d.witness ? function.input().value(*d.witness) : Real::nan());
    witness.first = outcome_text(function.output(), d.witness ? d.witness_first : function.at_nan().value_or(outcome_undefined));
    witness.second = outcome_text(other.output(), d.witness ? d.witness_second : other.at_nan().value_or(outcome_undefined));
  }
  std::ranges::sort(witness.inputs, {}, [](const auto& one) { return one.first; });
  for (const auto& [leaf, value] : witness.inputs) witness.magnitude += magnitude_of(value);
  if (!verdict.witness || witness.magnitude < verdict.witness->magnitude) verdict.witness = std::move(witness);
}

/// Staircases along one leaf, for each combination of the others.
Result<ElementVerdict> look_along(const ElementFormula& first, const ElementFormula& second, const Leaf& varied, const std::vector<Leaf>& others,
                                  const ElementQuestion& question) {
  const LeafDomain& domain = question.domains.at(varied);
  const auto sets = static_cast<std::uint64_t>(combinations(others, question));
  std::vector<std::vector<std::uint64_t>> codes;
  for (const Leaf& leaf : others) codes.push_back(question.domains.at(leaf).all_codes());
  ElementVerdict verdict;
  std::set<std::string> proofs;
  for (std::uint64_t set = 0; set < sets; ++set) {
    std::map<Leaf, std::uint64_t> fixed;
    std::uint64_t rest = set;
    for (std::size_t l = 0; l < others.size(); ++l) {
      fixed[others[l]] = codes[l][rest % codes[l].size()];
      rest /= codes[l].size();
    }
    std::vector<std::shared_ptr<Tensor>> keep;
    TIEBREAK_TRY(a, function_of(first, varied, domain, fixed, keep));
    TIEBREAK_TRY(b, function_of(second, varied, domain, fixed, keep));
    TIEBREAK_TRY(pair, compare_pair(a, b));
    proofs.insert(pair.proofs.begin(), pair.proofs.end());
    count_pair(pair, {a, b, varied, fixed}, question, verdict);
  }
  verdict.verdict = verdict.differing > 0 ? Verdict::differ : verdict.counted ? Verdict::equal : Verdict::undecided;
  verdict.way = fmt::format("every input, by stairs: {}", fmt::join(proofs, "; "));
  return unless_empty(std::move(verdict));
}

/// Numbers of the formulas that may be the width of a step: where they are, roundings are decided half-way between their multiples.
std::vector<Real> widths(const ElementFormula& first, const ElementFormula& second) {
  std::vector<Real> found{Real(1)};
  for (const Formula* formula : {&first.formula, &second.formula})
    for (const Node& node : formula->nodes) {
      if (node.op != NodeOp::constant || !node.constant.is_number() || node.integer || found.size() > 12) continue;
      const Real& number = node.constant.number();
      if (!number.is_finite() || number.is_zero() || number.is_whole()) continue;
      for (const Real& width : {abs(number), Real(1) / abs(number)})
        if (std::ranges::none_of(found, [&](const Real& one) { return one.identical(width); })) found.push_back(width);
    }
  return found;
}

Result<ElementVerdict> sample(const ElementFormula& first, const ElementFormula& second, const std::vector<Leaf>& leaves, const ElementQuestion& question) {
  const std::vector<Real> steps = widths(first, second);
  std::vector<std::vector<std::uint64_t>> candidates;
  for (const Leaf& leaf : leaves) candidates.push_back(question.domains.at(leaf).codes_at_ties(steps));
  ElementVerdict verdict;
  verdict.counted = false;
  Tally tally(verdict);
  PseudoRandom random(question.seed);
  for (std::uint64_t start = 0; start < question.samples; start += at_once) {
    const auto count = static_cast<std::int64_t>(std::min<std::uint64_t>(at_once, question.samples - start));
    Columns columns;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      const LeafDomain& domain = question.domains.at(leaves[l]);
      TIEBREAK_TRY(column, column_of(domain, count));
      const int bits = domain.type.element.bits();
      for (std::int64_t i = 0; i < count; ++i) {
        const bool anywhere = domain.codes.empty() && !domain.range && !domain.type.quantized && random.below(4) == 0;
        column.set_code(i, anywhere ? random.below(bits == 64 ? 0 : std::uint64_t{1} << bits) : candidates[l][random.below(candidates[l].size())]);
      }
      columns.emplace(leaves[l], std::move(column));
    }
    TIEBREAK_CHECK(tally.add(first, second, columns, count));
  }
  verdict.verdict = verdict.differing > 0 ? Verdict::differ : Verdict::undecided;
  return verdict;
}

/// Why no way leads over all inputs, and what would.
std::string why_sampled(const std::vector<Leaf>& leaves) {
  return fmt::format("{} inputs with too many combinations; --combinations, or values for all but one of them (--input NAME=VALUES), would decide",
                     leaves.size());
}

}  // namespace

const char* to_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal: return "equal";
    case Verdict::differ: return "differ";
    case Verdict::undecided: break;
  }
  return "not decided";
}

ElementVerdict unless_empty(ElementVerdict verdict) {
  if (verdict.verdict != Verdict::equal || verdict.inputs == 0 || verdict.undefined + verdict.refused < verdict.inputs) return verdict;
  verdict.verdict = Verdict::undecided;
  verdict.way = "no input on which both sides are defined; " + verdict.way;
  return verdict;
}

Wide LeafDomain::count() const {
  if (!codes.empty()) return static_cast<Wide>(codes.size());
  if (range) return Wide{range->second} - range->first + 1;
  if (type.element.is_boolean()) return 2;
  if (type.quantized) return Wide{*(type.quantized->storage_max - type.quantized->storage_min).to_int64()} + 1;
  return Wide{1} << type.element.bits();
}

std::vector<std::uint64_t> LeafDomain::all_codes() const {
  if (!codes.empty()) return codes;
  std::vector<std::uint64_t> all;
  for (std::int64_t value = range ? range->first : 1; value <= (range ? range->second : 0); ++value) all.push_back(*type.element.encode(Real(value)));
  if (range) return all;
  const std::uint64_t end = type.element.is_boolean() ? 2 : std::uint64_t{1} << type.element.bits();
  for (std::uint64_t code = 0; code < end; ++code) {
    if (type.quantized) {
      const Real value = type.element.decode(code);
      if (value < type.quantized->storage_min || value > type.quantized->storage_max) continue;
    }
    all.push_back(code);
  }
  return all;
}

namespace {

Result<ElementVerdict> by_first_way(const ElementFormula& first, const ElementFormula& second, const ElementQuestion& question) {
  const std::vector<Leaf> leaves = all_leaves(first, second);
  const Wide all = combinations(leaves, question);
  if (equal_formulas(first, second)) return ElementVerdict{.verdict = Verdict::equal, .way = "the same formula", .inputs = all};
  if (leaves.empty() || all <= Wide{question.combinations}) return look_at_all(first, second, leaves, question);
  // The leaf that may be most is the one along which stairs lead.
  const Leaf varied = *std::ranges::max_element(leaves, {}, [&](const Leaf& leaf) { return question.domains.at(leaf).count(); });
  std::vector<Leaf> others = leaves;
  std::erase(others, varied);
  std::string why = why_sampled(leaves);
  if (question.domains.at(varied).codes.empty() && combinations(others, question) <= Wide{most_staircases}) {
    auto along = look_along(first, second, varied, others, question);
    if (along && along->verdict != Verdict::undecided) return along;
    TIEBREAK_CHECK(first.formula.stop.check());
    why = along ? along->way : "no stairs: " + along.error().what;
  }
  TIEBREAK_TRY(sampled, sample(first, second, leaves, question));
  sampled.way = sampled.verdict == Verdict::differ ? "inputs at ties and beside them" : why;
  return std::move(sampled);
}

}  // namespace

Result<ElementVerdict> compare_elements(const ElementFormula& first, const ElementFormula& second, const ElementQuestion& question) {
  TIEBREAK_TRY(verdict, by_first_way(first, second, question));
  if (verdict.verdict != Verdict::differ || !verdict.counted) return std::move(verdict);
  if (verdict.some.empty()) {  // along stairs: differing inputs are looked for beside ties
    ElementQuestion few = question;
    few.samples = std::min(few.samples, std::uint64_t{1} << 12);
    TIEBREAK_TRY(found, sample(first, second, all_leaves(first, second), few));
    verdict.some = std::move(found.some);
  }
  verdict.ties = ties_among(first, second, verdict.some);
  return std::move(verdict);
}

}  // namespace tiebreak
