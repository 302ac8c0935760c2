// SPDX-License-Identifier: Apache-2.0
#include "testsuite/examples/example_verify.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/check/expectation.hpp"
#include "testsuite/examples/comment_conventions.hpp"
#include "testsuite/examples/documented_value.hpp"
#include "testsuite/examples/spec_verify.hpp"
#include "testsuite/sources/case_readers.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::int64_t most_differences = 16;  ///< kept for each output

std::string joined_ops(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (text.empty() || ("+" + text + "+").find("+" + word + "+") == std::string::npos) text += (text.empty() ? "" : "+") + word;
  }
  return text;
}

class ExampleRun {
 public:
  ExampleRun(const Library& library, const std::string& profile, const std::string& file, const MarkdownExample& example, bool strict)
      : library_(library), profile_(profile), file_(file), example_(example), strict_(strict), readable_(readable_example(example.text)) {
    answer_.file = file;
    answer_.line = example.line;
    answer_.headings = example.headings;
    answer_.op = joined_ops(readable_.ops);
    answer_.notes = readable_.notes;
  }

  Result<ExampleAnswer> run() {
    TIEBREAK_CHECK(answer());
    return std::move(answer_);
  }

 private:
  Status cannot(std::string cause, std::string reason) {
    answer_.answer = Answer::not_checkable;
    answer_.cause = std::move(cause);
    answer_.reason = std::move(reason);
    return {};
  }

  /// ` (line 12:7)`: which file it is stands beside the answer.
  std::string place_in_file(const std::string& where) const {
    if (where.empty()) return "";
    return where.starts_with(file_ + ":") ? " (line " + where.substr(file_.size() + 1) + ")" : " (" + where + ")";
  }

  /// An error of the reader or of the evaluator, as an answer.
  Status refused(const Error& error) {
    if (error.code == Errc::internal) return tl::unexpected<Error>(error);
    const std::string reason = error.what + place_in_file(error.where);
    const bool at_fault = error.code == Errc::syntax || error.code == Errc::type || error.code == Errc::constraint || error.code == Errc::unknown_name;
    if (!at_fault) return cannot(error.code == Errc::unsupported ? error.what.substr(0, error.what.find(": ")) : to_word(error.code), reason);
    answer_.answer = Answer::ill_formed;
    answer_.cause = to_word(error.code);
    answer_.reason = reason;
    return {};
  }

  Status answer() {
    if (!readable_.has_operation) return cannot("a fragment", "a fragment: no operation and no function");
    auto parsed = parse_mlir(readable_.text, file_, example_.first_line);
    if (!parsed && parsed.error().code != Errc::unsupported) return refused(parsed.error());
    if (readable_.process_grid) return cannot("process grid", "values for the processes of a grid: one process is evaluated here");
    if (!parsed) return refused(parsed.error());
    if (parsed->functions.size() != 1) return cannot("several functions", "several functions: which one is meant is not said");
    const Program& program = parsed->functions[0];
    if (!program.operations.empty()) answer_.op = op_names(program);
    if (std::string missing = op_without_page(program); !missing.empty()) return without_page(missing);
    if (std::string missing = input_without_value(program, parsed->example); !missing.empty()) {
      return cannot("no inputs", "no value is given for %" + missing);
    }
    take_shapes(parsed->example);
    auto test = case_from_example(readable_.text, file_, example_.first_line);
    if (!test) return refused(test.error());
    return test->expected_error.empty() ? verify(*test) : verify_error(*test);
  }

  /// An op of a dialect that has pages is a misspelled one, if the caller says that all of its ops are there.
  Status without_page(const std::string& op) {
    const std::string dialect = op.substr(0, op.find('.') + 1);
    const bool is_known = !dialect.empty() && std::ranges::any_of(library_.op_paths(), [&](const std::string& path) { return path.starts_with(dialect); });
    if (!strict_ || !is_known) return cannot("no page", "no page for " + op);
    Error error = library_.find_op(op).error();
    if (!error.hint.empty()) error.what += ", " + error.hint;
    return refused(error);
  }

  /// The first op that no page describes, regions included.
  std::string op_without_page(const Program& program) const {
    for (const Operation& operation : program.operations) {
      const bool may_be_decomposed = operation.regions.size() == 1;  // its body is looked at below
      if (!may_be_decomposed && !library_.find_op(operation.op)) return operation.op;
      for (const Region& region : operation.regions) {
        if (std::string missing = op_without_page(region.program); !missing.empty()) return missing;
      }
    }
    return "";
  }

  static std::string input_without_value(const Program& program, const ProgramExample& comments) {
    for (ValueId id : program.inputs) {
      const std::string name = bare_name(program, id);
      const bool given = std::any_of(comments.before.begin(), comments.before.end(), [&](const auto& each) { return bare_name(each.name) == name; });
      if (!given) return name;
    }
    return "";
  }

  /// Nested lists say a shape; flat ones do not.
  void take_shapes(const ProgramExample& comments) {
    for (const auto& literal : comments.after) {
      const std::string where = file_ + ":" + std::to_string(literal.line);
      auto shape = shape_of_literal(literal_part(literal.text), where);
      if (shape && shape->size() > 1) shapes_[where] = *shape;
    }
  }

  Status verify_error(const Case& test) {
    ++answer_.statements;
    TIEBREAK_TRY(profile, profile_for_condition(library_, test.program, profile_, file_));
    auto outcome = expect({library_, profile}, test, {Engine::exact, false});
    if (!outcome) return refused(outcome.error());
    answer_.executed = true;
    answer_.answer = outcome->contradiction.empty() ? Answer::holds : Answer::differs;
    answer_.reason = outcome->contradiction;
    return {};
  }

  Status verify(const Case& test) {
    std::map<std::string, std::vector<StatedOutput>> stated = test.stated;
    if (stated.empty()) stated[""] = {};
    for (const auto& [condition, outputs] : stated) {
      auto profile = profile_for_condition(library_, test.program, condition.empty() ? profile_ : condition, file_);
      if (!profile) return refused(profile.error());
      auto results = evaluate({library_, *profile}, test.program, test.inputs, {Engine::exact, true});
      // A call that breaks a constraint or does not fit its op was tried, too.
      answer_.executed = answer_.executed || results || results.error().code == Errc::constraint || results.error().code == Errc::type;
      if (!results) return refused(results.error());
      for (const StatedOutput& output : outputs) TIEBREAK_CHECK(compare(test.program, condition, output, *results));
      if (answer_.answer == Answer::ill_formed) return {};
    }
    if (test.stated.empty()) return cannot("states nothing", "it runs, and states no result");
    answer_.answer = answer_.differences.empty() ? Answer::holds : Answer::differs;
    answer_.reason = differences_text();
    return {};
  }

  Status compare(const Program& program, const std::string& condition, const StatedOutput& stated, const std::vector<ResultTensor>& results) {
    for (std::size_t i = 0; i < results.size() && i < program.outputs.size(); ++i) {
      if (bare_name(program, program.outputs[i]) != stated.name) continue;
      ++answer_.statements;
      if (Status compared = compare_output(condition, stated, results[i]); !compared) TIEBREAK_CHECK(refused(compared.error()));
    }
    return {};
  }

  Status compare_output(const std::string& condition, const StatedOutput& stated, const ResultTensor& result) {
    const Tensor& tensor = result.tensor;
    const auto count = static_cast<std::int64_t>(stated.elements.size());
    const auto shape = shapes_.find(stated.where);
    const bool reshaped = shape != shapes_.end() && shape->second != tensor.shape();
    if (reshaped || (count != tensor.size() && !(stated.splat && count == 1))) {
      const std::string documented = reshaped ? "shape " + to_text(shape->second) : counted(stated.elements.size(), "element");
      answer_.differences.push_back({stated.name, "", documented, "shape " + to_text(tensor.shape()), "", "", "", 1, condition, stated.where});
      return {};
    }
    const std::size_t before = answer_.differences.size();
    std::int64_t different = 0, open = 0;
    for (std::int64_t i = 0; i < tensor.size(); ++i) {
      const std::string& text = stated.elements[stated.splat ? 0 : static_cast<std::size_t>(i)];
      const auto flat = static_cast<std::size_t>(i);
      const bool undefined = flat < result.undefined.size() && result.undefined[flat] != 0;
      TIEBREAK_TRY(judged, judge_element(text, tensor.element(), tensor.value(i), undefined, stated.where));
      if (judged.agreement == Agreement::as_printed) ++answer_.as_printed;
      if (judged.agreement == Agreement::open) ++open;
      if (judged.agreement != Agreement::differs || ++different > most_differences) continue;
      answer_.differences.push_back({stated.name, tensor.shape().empty() ? "" : index_text(tensor.shape(), i), text, shown(tensor, i), exact_text(result, i),
                                     judged.distance, judged.unit, 0, condition, stated.where});
    }
    if (open > 0) answer_.notes.push_back(counted(static_cast<std::size_t>(open), "element") + " of " + stated.name + " left undefined by the op");
    for (std::size_t i = before; i < answer_.differences.size(); ++i) answer_.differences[i].count = different;
    return {};
  }

  /// The shortest decimal that the type reads back.
  static std::string shown(const Tensor& tensor, std::int64_t i) {
    const Real v = tensor.value(i);
    if (tensor.element().is_boolean()) return v.is_zero() ? "false" : "true";
    if (!tensor.element().is_float() || !v.is_finite()) return v.to_string();
    std::string text;
    for (int digits = 1; digits <= 17; ++digits) {
      text = v.to_decimal(digits);
      const Result<Real> read = Real::parse(text);
      const auto rounded = read ? round_to(*read, tensor.element().floating()) : std::nullopt;
      if (rounded && rounded->identical(v)) break;
    }
    return text;
  }

  static std::string exact_text(const ResultTensor& result, std::int64_t i) {
    const auto flat = static_cast<std::size_t>(i);
    if (flat >= result.before.size()) return "";
    const auto [high, low] = result.before[flat];
    const Real exact = Real::from_double(high) + Real::from_double(low);
    return exact.identical(result.tensor.value(i)) ? "" : exact.to_decimal(20);
  }

  std::string differences_text() const {
    std::string text;
    const DocumentedDifference* last = nullptr;
    for (const DocumentedDifference& each : answer_.differences) {
      const bool same_output = last != nullptr && last->output == each.output && last->condition == each.condition;
      last = &each;
      if (same_output) continue;  // the first of each output
      text += (text.empty() ? "" : "; ") + each.output + each.index + (each.condition.empty() ? "" : " @ " + each.condition) + ": documented " +
              each.documented + ", computed " + each.computed;
      if (!each.exact.empty()) text += " (exactly " + each.exact + ")";
      if (!each.distance.empty()) text += ", " + each.distance + " " + each.unit + " away";
      if (each.count > 1) text += ", " + std::to_string(each.count) + " elements differ";
    }
    return text;
  }

  const Library& library_;
  const std::string& profile_;
  const std::string& file_;
  const MarkdownExample& example_;
  bool strict_;
  ReadableExample readable_;
  std::map<std::string, Shape> shapes_{};  ///< of documented results, by their place
  ExampleAnswer answer_{};
};

}  // namespace

Result<ExampleAnswer> verify_example(const Library& library, const std::string& profile, const std::string& file, const MarkdownExample& example, bool strict) {
  return ExampleRun(library, profile, file, example, strict).run();
}

Result<std::vector<ExampleAnswer>> verify_markdown(const Library& library, const std::string& profile, const std::string& file, const std::string& text,
                                                   const std::function<bool()>& interrupted, bool strict) {
  const std::string stem = id_part(std::filesystem::path(file).stem().string());
  std::map<std::string, int> numbers;
  std::vector<ExampleAnswer> answers;
  for (const MarkdownExample& example : markdown_examples(text)) {
    Result<ExampleAnswer> answer = verify_example(library, profile, file, example, strict);
    if (interrupted && interrupted()) break;  // what is half verified is no answer
    if (!answer) return tl::unexpected<Error>(answer.error());
    const std::string group = stem + "/" + id_part(heading_of(example.headings));
    answer->id = group + "/example-" + std::to_string(++numbers[group]);
    answers.push_back(*std::move(answer));
  }
  return answers;
}

}  // namespace tiebreak
