// SPDX-License-Identifier: Apache-2.0
#include "testsuite/check/expectation.hpp"

#include <cctype>

#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/stated_gap.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The sentence about the literals of one key, "" if they agree.
std::string check_literals(const Case& test, const std::vector<Tensor>& literals, const std::vector<ResultTensor>& outputs) {
  for (std::size_t i = 0; i < literals.size() && i < outputs.size(); ++i) {
    std::string difference = first_difference(outputs[i], ResultTensor{outputs[i].name, literals[i], {}, {}, {}});
    if (!difference.empty()) return output_name(test, i) + ": " + difference;
  }
  return "";
}

Result<std::string> check_stated(const Case& test, const std::vector<StatedOutput>& stated, const std::vector<ResultTensor>& outputs) {
  for (const StatedOutput& output : stated) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (output_name(test, i) != output.name && outputs[i].name != output.name) continue;
      TIEBREAK_TRY(difference, compare_stated(output, outputs[i]));
      if (!difference) continue;
      return output.name + ": " + std::to_string(difference->count) + " of " + std::to_string(outputs[i].tensor.size()) + " differ, first at " +
             index_text(outputs[i].tensor.shape(), difference->index) + ": stated " + difference->stated + ", computed " + difference->computed +
             (difference->gap.empty() ? "" : " (" + difference->gap + ")") + difference->farthest;
    }
  }
  return std::string();
}

Status compare_with_source(const Profile& profile, const Case& test, Expectation& expectation) {
  for (const std::string& key : {std::string(), profile.name}) {
    std::string difference;
    if (auto found = test.literals.find(key); found != test.literals.end()) difference = check_literals(test, found->second, expectation.outputs);
    if (auto found = test.stated.find(key); difference.empty() && found != test.stated.end()) {
      TIEBREAK_TRY(stated, check_stated(test, found->second, expectation.outputs));
      difference = stated;
    }
    if (difference.empty()) continue;
    std::string sentence = "the source's expectation differs from profile " + profile.name + " (" + difference + ")";
    if (key.empty()) expectation.notes.push_back(sentence);
    else expectation.contradiction = sentence;
  }
  for (const ProgramCheck& check : test.checks) {
    if (!expectation.contradiction.empty()) break;
    expectation.contradiction = failed_check(check, expectation.outputs);
    if (!expectation.contradiction.empty()) expectation.contradiction += ", by profile " + profile.name;
  }
  if (test.golden && test.golden_profile == profile.name) {
    for (std::size_t i = 0; i < test.golden->size() && i < expectation.outputs.size(); ++i) {
      std::string difference = first_difference(expectation.outputs[i], (*test.golden)[i]);
      if (!difference.empty())
        expectation.contradiction = "the golden file differs from what is computed now (" + output_name(test, i) + ": " + difference + ")";
    }
  }
  return {};
}

}  // namespace

bool names_label(const std::string& what, const std::string& label) {
  auto is_word = [&](std::size_t i) { return i < what.size() && (std::isalnum(static_cast<unsigned char>(what[i])) != 0 || what[i] == '_'); };
  for (std::size_t at = what.find(label); at != std::string::npos; at = what.find(label, at + 1)) {
    if ((at == 0 || !is_word(at - 1)) && !is_word(at + label.size())) return true;
  }
  return false;
}

std::string first_difference(const ResultTensor& computed, const ResultTensor& stated) {
  const Tensor& a = computed.tensor;
  const Tensor& b = stated.tensor;
  if (!(a.element() == b.element())) return "stated type is " + b.element().name() + ", computed " + a.element().name();
  if (a.shape() != b.shape()) return "stated shape is " + to_text(b.shape()) + ", computed " + to_text(a.shape());
  std::int64_t count = 0, first = -1;
  LargestGap largest;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    // Where the semantics leaves the value open, a source that states one does not contradict it.
    if (computed.is_undefined(i)) continue;
    bool same = !stated.is_undefined(i) && (a.code(i) == b.code(i) || (a.value(i).is_nan() && b.value(i).is_nan()));
    if (same) continue;
    if (first < 0) first = i;
    ++count;
    if (!stated.is_undefined(i)) largest.add(i, b.value(i), a.value(i), a.element());
  }
  if (first < 0) return "";
  std::string text = std::to_string(count) + " of " + std::to_string(a.size()) + " differ, first at " + index_text(a.shape(), first) + ": ";
  if (stated.is_undefined(first)) text += "stated undefined, computed " + value_text(a.value(first));
  else
    text += "stated " + value_text(b.value(first)) + ", computed " + value_text(a.value(first)) + " (" + gap_text(b.value(first), a.value(first), a.element()) +
            ")";
  return text + largest.text(first, a.shape());
}

Result<Expectation> expect(const Semantics& semantics, const Case& test, const EvaluateOptions& options) {
  Expectation expectation;
  Result<std::vector<ResultTensor>> outputs = evaluate(semantics, test.program, test.inputs, options);
  if (!test.expected_error.empty()) {
    if (!outputs && outputs.error().code == Errc::internal) return tl::unexpected<Error>(outputs.error());
    bool reported = !outputs && outputs.error().code == Errc::constraint && names_label(outputs.error().what, test.expected_error);
    expectation.ill_formed = reported;
    if (!reported) {
      expectation.contradiction =
          "constraint " + test.expected_error + " should be reported, but " + (outputs ? "the op is accepted" : "the error is: " + outputs.error().what);
    }
    return expectation;
  }
  if (!outputs) return tl::unexpected<Error>(outputs.error());
  expectation.outputs = *std::move(outputs);
  TIEBREAK_CHECK(compare_with_source(semantics.profile, test, expectation));
  return expectation;
}

}  // namespace tiebreak
