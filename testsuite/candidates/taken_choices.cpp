// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/taken_choices.hpp"

#include <algorithm>
#include <map>

#include "interpreter/evaluate/regions.hpp"

namespace tiebreak {
namespace {

using Elements = std::vector<std::optional<LegalElement>>;

bool decided(const WantedOutput& output, std::size_t element) { return output.by_choices[element] != 0 && !output.choices[element].empty(); }

/// A number for each choice, such that two that meet in an element have different ones.
std::vector<std::size_t> numbers_of(std::size_t choices, const std::vector<WantedOutput>& wanted) {
  std::vector<std::set<std::size_t>> meets(choices);
  std::set<std::set<std::size_t>> seen;
  for (const WantedOutput& output : wanted)
    for (std::size_t e = 0; e < output.choices.size(); ++e) {
      if (!decided(output, e) || !seen.insert(output.choices[e]).second) continue;
      for (const std::size_t choice : output.choices[e]) meets[choice].insert(output.choices[e].begin(), output.choices[e].end());
    }
  std::vector<std::size_t> numbers(choices);
  for (std::size_t choice = 0; choice < choices; ++choice) {
    std::set<std::size_t> taken;
    for (const std::size_t other : meets[choice])
      if (other < choice) taken.insert(numbers[other]);
    while (taken.contains(numbers[choice])) ++numbers[choice];
  }
  return numbers;
}

/// How many ways each number has; empty where all of them together have more than `most`.
std::vector<std::uint64_t> ways_of(const std::vector<OpenChoice>& choices, const std::vector<std::size_t>& numbers, std::uint64_t most) {
  std::vector<std::uint64_t> ways;
  for (std::size_t choice = 0; choice < choices.size(); ++choice) {
    if (ways.size() <= numbers[choice]) ways.resize(numbers[choice] + 1, 1);
    ways[numbers[choice]] = std::max<std::uint64_t>(ways[numbers[choice]], choices[choice].ways());
  }
  std::uint64_t all = 1;
  for (const std::uint64_t one : ways)
    if ((all *= one) > most) return {};
  return ways;
}

/// The program from the chosen results on, which are inputs of it.
class RestOfProgram {
 public:
  RestOfProgram(const OpenProgram& open, const std::vector<OpenChoice>& choices) : program_(open.program) {
    for (const Tensor& input : open.inputs) inputs_.push_back({.name = "", .tensor = input});
    for (const OpenChoice& choice : choices) {
      const Operation& operation = open.program.operations[choice.operation];
      const bool together = choice.legal->computed.size() == operation.results.size();
      std::vector<std::size_t>& places = places_.emplace_back();
      for (std::size_t r = together ? 0 : choice.group; r < (together ? operation.results.size() : choice.group + 1); ++r)
        places.push_back(operation.results[r] < 0 ? inputs_.size() : input_of(operation.results[r], choice.legal->computed[together ? r : 0]));
    }
    for (Operation& operation : program_.operations)
      for (ValueId& id : operation.results)
        if (known_.contains(id)) id = -1;
    std::erase_if(program_.operations, [](const Operation& operation) {
      return !operation.results.empty() && std::ranges::all_of(operation.results, [](ValueId id) { return id < 0; });
    });
  }

  void take(std::size_t number, const OpenChoice& choice, std::uint64_t way) {
    const LegalElement& element = choice.right;
    for (std::size_t r = 0; r < places_[number].size(); ++r) {
      if (places_[number][r] >= inputs_.size()) continue;
      ResultTensor& input = inputs_[places_[number][r]];
      const bool undefined = way >= element.members.size();
      if (undefined && input.undefined.empty()) input.undefined.resize(static_cast<std::size_t>(input.tensor.size()));
      if (!input.undefined.empty()) input.undefined[choice.element] = undefined ? 1 : 0;
      if (!undefined) input.tensor.set_code(static_cast<std::int64_t>(choice.element), element.members[way][r]);
    }
  }

  Result<std::vector<ResultTensor>> run(const Semantics& semantics, const std::vector<WantedOutput>& wanted) {
    program_.outputs.clear();
    for (const WantedOutput& output : wanted) program_.outputs.push_back(output.value);
    return evaluate_values(semantics, program_, inputs_, {});
  }

 private:
  std::size_t input_of(ValueId id, const ResultTensor& computed) {
    const auto [found, fresh] = known_.try_emplace(id, inputs_.size());
    if (fresh) {
      program_.inputs.push_back(id);
      inputs_.push_back(computed);
    }
    return found->second;
  }

  Program program_;
  std::vector<ResultTensor> inputs_{};
  std::map<ValueId, std::size_t> known_{};          ///< chosen results: which input
  std::vector<std::vector<std::size_t>> places_{};  ///< of each choice: the inputs that it sets
};

/// What an element has been.
struct Members {
  ElementType type{};
  std::set<std::uint64_t> codes{};
  bool undefined = false;
};

LegalElement element_of(const Members& members) {
  LegalElement element;
  element.may_be_undefined = members.undefined;
  for (const std::uint64_t code : members.codes) element.members.push_back({code});
  std::ranges::stable_sort(element.members, [&](const auto& a, const auto& b) {
    const Real x = members.type.decode(a[0]), y = members.type.decode(b[0]);
    return x.is_nan() || y.is_nan() ? !x.is_nan() && y.is_nan() : x < y;
  });
  const bool one = element.members.size() + (members.undefined ? 1 : 0) == 1;
  element.kind = one ? LegalElement::Kind::unique : LegalElement::Kind::set;
  return element;
}

}  // namespace

Result<std::vector<Elements>> take_choices(const OpenProgram& open, const std::vector<OpenChoice>& choices, const std::vector<WantedOutput>& wanted,
                                           std::uint64_t most_taken) {
  std::vector<Elements> all;
  for (const WantedOutput& output : wanted) all.emplace_back(output.choices.size());
  const std::vector<std::size_t> numbers = numbers_of(choices.size(), wanted);
  const std::vector<std::uint64_t> ways = ways_of(choices, numbers, most_taken);
  if (ways.empty()) return all;
  std::vector<std::vector<Members>> members;
  for (const WantedOutput& output : wanted) members.emplace_back(output.choices.size());
  RestOfProgram rest(open, choices);
  std::vector<std::uint64_t> digits(ways.size());
  for (bool more = true; more;) {
    for (std::size_t c = 0; c < choices.size(); ++c) rest.take(c, choices[c], digits[numbers[c]] % choices[c].ways());
    auto outputs = rest.run(open.semantics, wanted);
    TIEBREAK_CHECK(open.semantics.library.stop().check());
    if (!outputs) return all;  // some member is no operand that the rest takes
    for (std::size_t o = 0; o < wanted.size(); ++o)
      for (std::size_t e = 0; e < members[o].size(); ++e) {
        const auto index = static_cast<std::int64_t>(e);
        members[o][e].type = (*outputs)[o].tensor.element();
        if ((*outputs)[o].is_undefined(index)) members[o][e].undefined = true;
        else members[o][e].codes.insert((*outputs)[o].tensor.code(index));
      }
    more = false;
    for (std::size_t d = 0; d < digits.size() && !more; ++d) {
      more = ++digits[d] < ways[d];
      if (!more) digits[d] = 0;
    }
  }
  for (std::size_t o = 0; o < wanted.size(); ++o)
    for (std::size_t e = 0; e < members[o].size(); ++e)
      if (decided(wanted[o], e)) all[o][e] = element_of(members[o][e]);
  return all;
}

}  // namespace tiebreak
