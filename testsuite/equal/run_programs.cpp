// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/run_programs.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "interpreter/program/is_read.hpp"
#include "testsuite/equal/tally.hpp"

namespace tiebreak {
namespace {

bool is_refusal(const Error& error) { return error.code == Errc::constraint || error.code == Errc::type; }

class AllRuns {
 public:
  AllRuns(const ProgramSide& first, const ProgramSide& second, const RunQuestion& question) : first_(first), second_(second), question_(question) {}

  Result<std::optional<std::vector<ElementClass>>> all() {
    Wide total = 1;
    for (std::size_t i = 0; i < question_.inputs.tensors.size(); ++i) {
      const InputRole role = question_.inputs.roles[i];
      if (role == InputRole::fixed || (!is_read(first_.program, first_.program.inputs[i]) && !is_read(second_.program, second_.program.inputs[i]))) continue;
      const LeafDomain domain = domain_of(question_.inputs, {i, 0});
      const std::int64_t elements = role == InputRole::shared ? 1 : question_.inputs.tensors[i].size();
      for (std::int64_t e = 0; e < elements; ++e) {
        total *= domain.count();
        if (total > Wide{question_.limits.runs}) return std::optional<std::vector<ElementClass>>{};
        leaves_.push_back({i, e});
      }
      if (elements > 0) codes_[i] = domain.all_codes();
    }
    for (std::uint64_t run = 0; run < static_cast<std::uint64_t>(total); ++run) TIEBREAK_CHECK(add(run));
    return classes(total);
  }

 private:
  std::vector<Tensor> inputs_of_run(std::uint64_t run) const {
    std::vector<Tensor> tensors = question_.inputs.tensors;
    for (const Leaf& leaf : leaves_) {
      const std::vector<std::uint64_t>& codes = codes_.at(leaf.input);
      const std::uint64_t code = codes[run % codes.size()];
      run /= codes.size();
      Tensor& tensor = tensors[leaf.input];
      if (question_.inputs.roles[leaf.input] != InputRole::shared) tensor.set_code(leaf.element, code);
      else
        for (std::int64_t e = 0; e < tensor.size(); ++e) tensor.set_code(e, code);
    }
    return tensors;
  }

  Status add(std::uint64_t run) {
    TIEBREAK_CHECK(first_.library.stop().check());
    const std::vector<Tensor> tensors = inputs_of_run(run);
    const auto a = evaluate(first_.semantics(), first_.program, tensors), b = evaluate(second_.semantics(), second_.program, tensors);
    for (const auto* side : {&a, &b})
      if (!*side && !is_refusal(side->error())) return tl::unexpected<Error>(side->error());
    if (!a || !b) {
      ++refused_;
      return {};
    }
    const ResultTensor &x = (*a)[question_.output], &y = (*b)[question_.output];
    if (is_first_) verdicts_.resize(static_cast<std::size_t>(x.tensor.size()));
    is_first_ = false;
    if (!same_type(x.tensor.type(), y.tensor.type()) || static_cast<std::size_t>(x.tensor.size()) != verdicts_.size())
      return fail(Errc::unsupported, "the output's shape depends on values");
    for (std::int64_t e = 0; e < x.tensor.size(); ++e) count(x, y, tensors, e);
    return {};
  }

  void count(const ResultTensor& x, const ResultTensor& y, const std::vector<Tensor>& tensors, std::int64_t e) {
    ElementVerdict& verdict = verdicts_[static_cast<std::size_t>(e)];
    ++verdict.inputs;
    if (x.is_undefined(e) || y.is_undefined(e)) ++verdict.undefined;
    else if (!same_result(x.tensor.element(), x.tensor.code(e), y.tensor.code(e))) {
      count_difference(x.tensor, y.tensor, e, verdict);
      ElementWitness witness = witness_of(tensors, question_.inputs.roles, x, y, e);
      if (!verdict.witness || witness.magnitude < verdict.witness->magnitude) verdict.witness = std::move(witness);
    }
  }

  /// Elements about which the same is said are one class.
  std::vector<ElementClass> classes(Wide total) {
    std::map<std::tuple<Wide, Wide, Wide, Wide, Wide>, std::size_t> known;
    std::vector<ElementClass> made;
    for (std::size_t e = 0; e < verdicts_.size(); ++e) {
      ElementVerdict& verdict = verdicts_[e];
      verdict.inputs = total;
      verdict.refused = refused_;
      verdict.way = "both programs run on every input";
      verdict.verdict = verdict.differing > 0 ? Verdict::differ : Verdict::equal;
      verdict = unless_empty(std::move(verdict));
      const auto [found, fresh] = known.try_emplace({verdict.differing, verdict.undefined, verdict.minus_one, verdict.plus_one, verdict.largest}, made.size());
      if (fresh) made.push_back({.output = question_.output, .elements = {}, .verdict = std::move(verdict)});
      made[found->second].elements.push_back(static_cast<std::int64_t>(e));
    }
    if (made.empty())  // refused throughout
      made.push_back({.output = question_.output,
                      .elements = {0},
                      .verdict = {.verdict = Verdict::undecided, .way = "no input that both programs take", .inputs = total, .refused = refused_}});
    return made;
  }

  const ProgramSide &first_, &second_;
  const RunQuestion& question_;
  std::vector<Leaf> leaves_{};
  std::map<std::size_t, std::vector<std::uint64_t>> codes_{};
  std::vector<ElementVerdict> verdicts_{};
  Wide refused_ = 0;
  bool is_first_ = true;
};

}  // namespace

Result<std::optional<std::vector<ElementClass>>> run_on_all_inputs(const ProgramSide& first, const ProgramSide& second, const RunQuestion& question) {
  return AllRuns(first, second, question).all();
}

}  // namespace tiebreak
