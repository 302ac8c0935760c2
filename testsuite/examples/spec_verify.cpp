// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/spec_verify.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/candidates/legal_outputs.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

class PageRun {
 public:
  PageRun(const Library& library, const Page& page, const std::string& profile) : library_(library), page_(page), profile_(profile) {
    verdict_.page = page.name;
    verdict_.file = page.file;
    verdict_.examples = page.examples.size();
  }

  PageVerdict run() {
    std::vector<Case> readable;
    for (const Example& example : page_.examples) {
      std::size_t before = verdict_.findings.size(), statements = verdict_.statements;
      ExampleAnswer answer = answer_for(example);
      Result<Case> test = case_from_example(example.text, page_.file, example.line);
      if (!test) {
        const Error& error = test.error();
        add({error.where.empty() ? place(example) : error.where, "", error.what, true});
      } else {
        answer.op = op_names(test->program);
        verify(*test, example);
        if (test->expected_error.empty()) readable.push_back(*std::move(test));
      }
      if (verdict_.findings.size() == before) ++verdict_.held;
      answer.statements = verdict_.statements - statements;
      conclude(answer, before);
    }
    add_examples_of_systems(readable);
    tell_apart(readable);
    return std::move(verdict_);
  }

 private:
  /// Pages with alternatives for choices of this page have examples that tell them apart. That these hold is found out where they stand.
  void add_examples_of_systems(std::vector<Case>& readable) const {
    const auto is_own = [&](const notation::Addition& addition) {
      const Result<ChoicePlace> place = find_choice(library_, addition.key);
      return place && place->module->name == page_.name;
    };
    for (const auto& [name, page] : library_.pages()) {
      if (std::ranges::none_of(page.module.additions, is_own)) continue;
      for (const Example& example : page.examples)
        if (Result<Case> test = case_from_example(example.text, page.file, example.line); test && test->expected_error.empty())
          readable.push_back(*std::move(test));
    }
  }

  std::string place(const Example& example) const { return page_.file + ":" + std::to_string(example.line); }

  ExampleAnswer answer_for(const Example& example) const {
    ExampleAnswer answer;
    answer.id = page_.name + "/example-" + std::to_string(verdict_.answers.size() + 1);
    answer.file = page_.file;
    answer.line = example.line;
    answer.headings = {page_.title};
    answer.own_page = true;
    return answer;
  }

  /// The findings since `before`, as the answer of one example.
  void conclude(ExampleAnswer& answer, std::size_t before) {
    answer.answer = Answer::holds;
    for (std::size_t i = before; i < verdict_.findings.size(); ++i) {
      const ExampleFinding& found = verdict_.findings[i];
      answer.answer = found.unreadable || answer.answer == Answer::ill_formed ? Answer::ill_formed : Answer::differs;
      answer.reason += (answer.reason.empty() ? "" : "; ") + (found.condition.empty() ? "" : "@ " + found.condition + ": ") + found.what;
    }
    answer.executed = answer.answer != Answer::ill_formed;
    verdict_.answers.push_back(std::move(answer));
  }

  void add(ExampleFinding finding) { verdict_.findings.push_back(std::move(finding)); }

  void verify(const Case& test, const Example& example) {
    if (!test.expected_error.empty()) {
      ++verdict_.statements;
      Result<const Profile*> reference = library_.find_profile(profile_);
      if (!reference) return add({place(example), "", reference.error().what, true});
      Result<Expectation> outcome = expect({library_, **reference}, test, {Engine::exact, false});
      if (!outcome) return add({place(example), "", to_text(outcome.error()), false});
      if (!outcome->contradiction.empty()) add({place(example), "", outcome->contradiction, false});
      return;
    }
    for (const auto& [condition, stated] : test.stated) verify_condition(test, condition, stated);
    if (test.stated.empty()) verify_condition(test, "", {});
  }

  void verify_condition(const Case& test, const std::string& condition, const std::vector<StatedOutput>& stated) {
    std::string where = stated.empty() ? page_.file : stated.front().where;
    Result<Profile> profile = profile_for_condition(library_, test.program, condition.empty() ? profile_ : condition, where);
    if (!profile) return add({where, condition, to_text(profile.error()), true});
    Result<std::vector<ResultTensor>> outputs = evaluate({library_, *profile}, test.program, test.inputs, {Engine::exact, false});
    if (!outputs) return add({where, condition, outputs.error().what, false});
    for (const StatedOutput& output : stated) {
      ++verdict_.statements;
      for (std::size_t i = 0; i < outputs->size(); ++i) {
        if (output_name(test, i) != output.name) continue;
        Result<std::optional<StatedDifference>> difference = compare_stated(output, (*outputs)[i]);
        if (!difference) {
          add({output.where, condition, difference.error().what, true});
        } else if (*difference) {
          const StatedDifference& found = **difference;
          add({output.where, condition,
               output.name + index_text((*outputs)[i].tensor.shape(), found.index) + ": stated " + found.stated + ", computed " + found.computed +
                   (found.gap.empty() ? "" : ", " + found.gap) + (found.count > 1 ? " (" + std::to_string(found.count) + " elements differ)" : ""),
               false});
        } else {
          verify_sets(test, *profile, condition, output, i, (*outputs)[i]);
        }
      }
    }
  }

  /// Elements stated as sets: `{77, 127}` is all that the profile leaves right, no more and no less.
  void verify_sets(const Case& test, const Profile& profile, const std::string& condition, const StatedOutput& output, std::size_t number,
                   const ResultTensor& computed) {
    const bool has_sets = std::ranges::any_of(output.elements, [](const std::string& element) { return element.starts_with('{'); });
    if (!has_sets) return;
    Result<std::vector<std::optional<LegalOutput>>> legal = legal_outputs({library_, profile}, test);
    if (!legal) return add({output.where, condition, legal.error().what, false});
    for (std::size_t i = 0; i < output.elements.size(); ++i) {
      const auto index = static_cast<std::int64_t>(i);
      const std::string found = (*legal)[number] ? (*legal)[number]->text(index, computed) : value_text(computed.tensor.value(index));
      if (output.elements[i].starts_with('{') && output.elements[i] != found)
        add({output.where, condition, output.name + index_text(computed.tensor.shape(), index) + ": stated " + output.elements[i] + ", right are " + found,
             false});
    }
  }

  /// The outputs as one text: two alternatives are told apart where these differ.
  std::string signature(const Case& test, const std::string& condition) {
    Result<Profile> profile = profile_for_condition(library_, test.program, condition, "");
    if (!profile) return "error: " + profile.error().what;
    Result<std::vector<ResultTensor>> outputs = evaluate({library_, *profile}, test.program, test.inputs, {});
    if (!outputs) return "error: " + outputs.error().what;
    Result<std::vector<std::optional<LegalOutput>>> legal = legal_outputs({library_, *profile}, test);
    std::string text;
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      const ResultTensor& output = (*outputs)[i];
      text += tensor_text(output.tensor, output.undefined) + ";";
      if (legal && (*legal)[i]) text += legal_text(*(*legal)[i], output) + ";";
    }
    return text;
  }

  /// Pairs of alternatives of one choice that no example under this base has told apart are kept in `open`.
  void separate(const Case& test, const std::string& base, const OpChoice& choice, std::set<std::pair<std::string, std::string>>& open) {
    std::map<std::string, std::string> signatures;
    auto of = [&](const std::string& alternative) -> const std::string& {
      auto [found, added] = signatures.try_emplace(alternative);
      // A later binding of the same choice replaces the one that the base makes.
      if (added) found->second = signature(test, (base.empty() ? "" : base + ", ") + choice.name + "=" + alternative);
      return found->second;
    };
    std::erase_if(open, [&](const auto& pair) { return of(pair.first) != of(pair.second); });
  }

  void tell_apart(const std::vector<Case>& examples) {
    for (const notation::Op& op : page_.module.ops) {
      for (const OpChoice& choice : choices_of(library_, op.path)) {
        if (choice.name.find('.') != std::string::npos) continue;  // of another page
        ++verdict_.choices;
        verdict_.alternatives += choice.alternatives.size();
        std::set<std::pair<std::string, std::string>> open;
        for (std::size_t a = 0; a < choice.alternatives.size(); ++a) {
          for (std::size_t b = a + 1; b < choice.alternatives.size(); ++b) open.emplace(choice.alternatives[a], choice.alternatives[b]);
        }
        for (const Case& test : examples) {
          if (open.empty()) break;
          if (test.program.operations.empty() || test.program.operations[0].op != op.path) continue;
          separate(test, "", choice, open);
          for (const auto& [condition, stated] : test.stated) {
            if (!open.empty() && condition.find('=') != std::string::npos) separate(test, condition, choice, open);
          }
        }
        for (const auto& [a, b] : open) {
          verdict_.not_told_apart.push_back((page_.module.ops.size() > 1 ? op.path + " " : "") + choice.name + ": " + a + " | " + b);
        }
      }
    }
  }

  const Library& library_;
  const Page& page_;
  const std::string& profile_;
  PageVerdict verdict_{};
};

}  // namespace

PageVerdict verify_page(const Library& library, const Page& page, const std::string& profile) { return PageRun(library, page, profile).run(); }

}  // namespace tiebreak
