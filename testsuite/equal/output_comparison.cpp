// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/output_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "testsuite/equal/cut_witness.hpp"
#include "testsuite/equal/run_programs.hpp"
#include "testsuite/equal/sample_programs.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_elements = 4096;  // of an output, each with a formula

bool is_no_formula(const Error& error) { return error.code == Errc::limit || error.code == Errc::unsupported; }

/// `acc from -32512 to 32512`, of the cuts that the formulas read.
std::string cuts_read(const CutValues& cuts, const std::vector<Leaf>& leaves, std::size_t inputs) {
  std::set<std::size_t> numbers;
  for (const Leaf& leaf : leaves)
    if (leaf.input >= inputs) numbers.insert(leaf.input - inputs);
  std::vector<std::string> names;
  for (const std::size_t number : numbers) names.push_back(cuts.names[number]);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// What is true of the leaves that are cuts is said of them: their values are no inputs.
void say_of_cuts(ElementVerdict& verdict, const std::string& read) {
  if (read.empty()) return;
  if (verdict.verdict == Verdict::equal)
    verdict.way = fmt::format("one function of {}, which both compute alike; on all {} of its values: {}", read, fmt::to_string(verdict.inputs), verdict.way);
  else if (verdict.verdict == Verdict::differ)
    verdict.way = fmt::format("other functions of {}, which both compute alike: {} of {} values apart ({})", read, fmt::to_string(verdict.differing),
                              fmt::to_string(verdict.inputs), verdict.way);
  else verdict.way = fmt::format("as functions of {}, which both compute alike: {}", read, verdict.way);
  verdict.counted = false;
}

class OneOutput {
 public:
  OneOutput(const ComparedPrograms& programs, std::size_t output)
      : programs_(programs), output_(output), a_(programs.first.program.outputs[output]), b_(programs.second.program.outputs[output]) {}

  Result<std::vector<ElementClass>> all() {
    TIEBREAK_TRY(count, element_count(programs_.a.type_of(a_).shape));
    count_ = count;
    auto plain = compare_by_elements(programs_, a_, b_, nullptr, programs_.limits);
    if (!plain && !is_no_formula(plain.error())) return plain;
    if (plain) classes_ = *std::move(plain);
    else {
      why_ = plain.error().what;
      classes_ = {class_of_all({.verdict = Verdict::undecided, .way = why_, .counted = false})};
    }
    if (has_undecided()) TIEBREAK_CHECK(under_cuts());
    if (has_undecided() && !why_.empty()) TIEBREAK_CHECK(by_runs());
    if (has_undecided()) TIEBREAK_CHECK(find_witness());
    for (ElementClass& one : classes_) one.output = output_;
    return std::move(classes_);
  }

 private:
  ElementClass class_of_all(ElementVerdict verdict) const {
    ElementClass one{.output = output_, .elements = {}, .verdict = std::move(verdict)};
    for (std::int64_t e = 0; e < count_; ++e) one.elements.push_back(e);
    return one;
  }

  bool has_undecided() const {
    return std::ranges::any_of(classes_, [](const ElementClass& one) { return one.verdict.verdict == Verdict::undecided; });
  }

  /// What is undecided is asked again as a function of values that both programs share.
  Status under_cuts() {
    for (const CutValues* cuts : {&programs_.latest, &programs_.heavy}) {
      if (cuts->empty() || !has_undecided()) continue;
      ElementQuestion limits = programs_.limits;
      limits.samples = 0;
      const auto found = compare_by_elements(programs_, a_, b_, cuts, limits);
      if (!found && !is_no_formula(found.error())) return tl::unexpected<Error>(found.error());
      if (found) take_equal(*found, *cuts);
    }
    return {};
  }

  /// Elements that are equal under a cut leave the undecided classes; of those that differ there the first is kept, to be looked for among the inputs.
  void take_equal(const std::vector<ElementClass>& found, const CutValues& cuts) {
    apart_.reset();
    std::map<std::int64_t, const ElementClass*> of_element;
    for (const ElementClass& one : found)
      for (const std::int64_t e : one.elements) of_element[e] = &one;
    std::vector<ElementClass> kept;
    for (ElementClass& one : classes_) {
      if (one.verdict.verdict != Verdict::undecided) {
        kept.push_back(std::move(one));
        continue;
      }
      std::map<const ElementClass*, std::vector<std::int64_t>> by_cut;
      std::vector<std::int64_t> left;
      for (const std::int64_t e : one.elements) {
        const ElementClass* under = of_element.at(e);
        if (under->verdict.verdict == Verdict::equal) by_cut[under].push_back(e);
        else left.push_back(e);
        if (under->verdict.verdict == Verdict::differ && under->verdict.witness)
          apart_ = CutWitness{&cuts, *under->verdict.witness, under->elements.front(), under->verdict.way};
      }
      for (const ElementClass& under : found)
        if (by_cut.contains(&under)) kept.push_back({.output = output_, .elements = by_cut[&under], .verdict = under.verdict});
      if (left.empty() && !one.elements.empty()) continue;
      one.elements = std::move(left);
      kept.push_back(std::move(one));
    }
    classes_ = std::move(kept);
  }

  /// Few inputs: both programs are run on each of them.
  Status by_runs() {
    auto run = run_on_all_inputs(programs_.first, programs_.second, {programs_.inputs, output_, programs_.limits});
    if (!run) {
      TIEBREAK_CHECK(programs_.first.library.stop().check());
      why_ += "; run on every input: " + run.error().what;
      return {};
    }
    if (*run) classes_ = *std::move(*run);
    return {};
  }

  /// A difference at values of a cut counts if some input gives them; whole inputs are tried, at ties and on the way to those values.
  Status find_witness() {
    if (!why_.empty()) TIEBREAK_CHECK(try_whole_inputs());
    if (!apart_) return {};
    TIEBREAK_TRY(found, inputs_at(programs_, output_, *apart_));
    for (ElementClass& one : classes_) {
      ElementVerdict& verdict = one.verdict;
      if (verdict.verdict == Verdict::equal || verdict.counted || std::ranges::find(one.elements, apart_->element) == one.elements.end()) continue;
      if (found && (!verdict.witness || found->magnitude < verdict.witness->magnitude)) verdict.witness = *found;
      if (found && verdict.verdict == Verdict::undecided) {
        verdict.differing += 1;
        verdict.inputs += 1;
        verdict.verdict = Verdict::differ;
        verdict.way = apart_->way;
      } else if (verdict.verdict == Verdict::differ) {
        verdict.way += "; " + apart_->way;
      } else {
        verdict.way = apart_->way + "; no input was found that gives such a value";
      }
    }
    return {};
  }

  Status try_whole_inputs() {
    std::vector<LeafDomain> domains;
    for (std::size_t i = 0; i < programs_.inputs.tensors.size(); ++i) domains.push_back(domain_of(programs_.inputs, {i, 0}));
    TIEBREAK_TRY(sampled,
                 sample_programs(programs_.first, programs_.second, {programs_.inputs.tensors, programs_.inputs.roles, domains, output_, programs_.limits}));
    if (sampled.verdict != Verdict::undecided) {
      classes_ = {class_of_all(std::move(sampled))};
      return {};
    }
    for (ElementClass& one : classes_) {
      if (one.verdict.verdict != Verdict::undecided) continue;
      std::string way = std::move(one.verdict.way);
      one.verdict = sampled;
      one.verdict.way = std::move(way);
    }
    return {};
  }

  const ComparedPrograms& programs_;
  std::size_t output_;
  ValueId a_, b_;
  std::int64_t count_ = 0;
  std::string why_{};  ///< no formula of some element: why
  std::vector<ElementClass> classes_{};
  std::optional<CutWitness> apart_{};
};

}  // namespace

Result<std::vector<ElementClass>> compare_by_elements(const ComparedPrograms& programs, ValueId of_first, ValueId of_second, const CutValues* cuts,
                                                      const ElementQuestion& limits) {
  TIEBREAK_TRY(count, element_count(programs.a.type_of(of_first).shape));
  if (count > most_elements) return fail(Errc::limit, fmt::format("more than {} elements of one output", most_elements));
  const std::size_t inputs = programs.inputs.tensors.size();
  std::vector<InputRole> roles = programs.inputs.roles;
  if (cuts != nullptr) roles.resize(inputs + cuts->names.size(), InputRole::cut);
  std::vector<ElementClass> classes;
  std::map<std::string, std::size_t> known;
  for (std::int64_t e = 0; e < count; ++e) {
    TIEBREAK_TRY(one, programs.a.element_of(of_first, e, cuts != nullptr ? cuts->first : Cuts{}));
    TIEBREAK_TRY(other, programs.b.element_of(of_second, e, cuts != nullptr ? cuts->second : Cuts{}));
    const auto [found, fresh] = known.try_emplace(key_of(one, other, roles), classes.size());
    if (fresh) {
      ElementQuestion question = limits;
      std::vector<Leaf> leaves = one.leaves;
      leaves.insert(leaves.end(), other.leaves.begin(), other.leaves.end());
      for (const Leaf& leaf : leaves)
        question.domains.try_emplace(leaf, leaf.input < inputs ? domain_of(programs.inputs, leaf) : cuts->domains[leaf.input - inputs]);
      TIEBREAK_TRY(verdict, compare_elements(one, other, question));
      if (cuts != nullptr) say_of_cuts(verdict, cuts_read(*cuts, leaves, inputs));
      classes.push_back({.output = 0, .elements = {}, .verdict = std::move(verdict)});
    }
    classes[found->second].elements.push_back(e);
  }
  if (count == 0) classes.push_back({.output = 0, .elements = {}, .verdict = {.verdict = Verdict::equal, .way = "no elements"}});
  return classes;
}

Result<std::vector<ElementClass>> compare_output(const ComparedPrograms& programs, std::size_t output) { return OneOutput(programs, output).all(); }

}  // namespace tiebreak
