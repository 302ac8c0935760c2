// SPDX-License-Identifier: Apache-2.0
// What a comparison of semantics says, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/diff/diff_semantics.hpp"
#include "testsuite/diff/function_pair.hpp"
#include "testsuite/text/grouped_digits.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

std::string place_text(const DiffQuestion& question, std::uint64_t set, const OrderedType& input, std::int64_t ordinal) {
  const std::string parameters = question.sweep.text(set);
  return question.varied + "=" + value_text(input.value(ordinal)) + (parameters.empty() ? "" : " " + parameters);
}

/// Classes of inputs with their counts, those that have any.
std::string class_counts_text(const FunctionDifference& found) {
  std::string text;
  for (std::size_t i = 0; i < input_classes; ++i)
    if (found.by_class[i] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", to_word(static_cast<InputClass>(i)), grouped_digits(found.by_class[i]));
  return text;
}

std::string law_text(const RateLaw& law) {
  return fmt::format(
      "rate law: about {:.3g} inputs off by one a stair; share of unsaturated inputs = {:.3g} * steepness^{:.2f} (steepness: result codes an input)",
      law.a_stair, law.factor, law.exponent);
}

/// An input that gives the witness again, for `tiebreak eval`.
std::string reproduce_text(const DiffReport& report, const DiffQuestion& question, const std::string& profile) {
  std::string text = "tiebreak eval " + question.call.op + " --input " + question.varied + "=" + value_text(report.input.value(*report.total.witness)) + ":" +
                     report.input.type.name();
  for (const std::string& argument : question.reproduce) text += " " + argument;
  for (std::size_t axis = 0; axis < question.sweep.axes().size(); ++axis)
    text += " --input " + question.sweep.axes()[axis].name + "=" + value_text(question.sweep.value(report.witness_set, axis)) + ":" +
            question.sweep.axes()[axis].type;
  return text + " --profile " + profile;
}

/// The sets with the most differing inputs, then in order.
std::vector<const DiffPoint*> worst_first(const DiffReport& report, std::size_t show) {
  std::vector<const DiffPoint*> worst;
  for (const DiffPoint& point : report.points)
    if (!point.disagreement.equal()) worst.push_back(&point);
  std::ranges::stable_sort(worst, [](const DiffPoint* a, const DiffPoint* b) { return a->disagreement.count > b->disagreement.count; });
  if (worst.size() > show) worst.resize(show);
  return worst;
}

/// The last line of an answer that an interrupt cut short.
std::string incomplete_text(std::uint64_t compared, const DiffQuestion& question) {
  return fmt::format("incomplete: interrupted after {} of {}\n", compared, counted(static_cast<std::size_t>(question.sweep.size()), "parameter set"));
}

}  // namespace

std::string diff_text(const DiffReport& report, const DiffQuestion& question, std::size_t show) {
  const Disagreement& total = report.total;
  if (report.incomplete) {
    DiffReport known = report;
    known.incomplete = false;
    return (report.points.empty() ? "" : diff_text(known, question, show)) + incomplete_text(report.points.size(), question);
  }
  std::string text = fmt::format("A {}   B {}\n{}: every {} ({}, {} values) for {}\n", report.first, report.second, question.call.op, question.varied,
                                 report.input.type.name(), grouped_digits(report.input.count()), counted(report.points.size(), "parameter set"));
  for (const std::string& choice : report.parting) text += "  " + choice + "\n";
  if (report.parting.empty()) text += "  the same choices\n";
  for (const std::string& proof : report.proofs) text += "  stairs: " + proof + "\n";
  if (total.equal()) {
    text += fmt::format("equal on all {} inputs{}{}\n", grouped_digits(total.total),
                        total.undefined > 0 ? fmt::format(", {} of them undefined on a side", grouped_digits(total.undefined)) : "",
                        total.proved ? "" : ", as far as stairs without proof tell");
    return text;
  }
  text += fmt::format("differ on {} of {} inputs, in {} of {} parameter sets{}\n", grouped_digits(report.classes ? report.differing : Wide{total.count}),
                      grouped_digits(report.classes ? report.inputs : Wide{total.total}), report.differing_sets, report.points.size(),
                      total.proved ? "" : "; without proof: between samples more may hide");
  if (report.classes) text += "  by class: " + class_counts_text(*report.classes) + "\n";
  else
    text += fmt::format("  B - A: -1 on {}, +1 on {}, more on {} (at most {})\n", grouped_digits(total.by_minus_one), grouped_digits(total.by_plus_one),
                        grouped_digits(total.by_more), total.largest);
  if (total.saturated > 0 && !report.classes) text += fmt::format("  of these a side is at the end of its range: {}\n", grouped_digits(total.saturated));
  if (total.undefined > 0) text += fmt::format("  undefined on a side: {}\n", grouped_digits(total.undefined));
  if (total.nan_differs)
    text += fmt::format("  nan gives different results; with its codes {} of {} inputs\n", grouped_digits(report.differing), grouped_digits(report.inputs));
  if (report.law.known) text += "  " + law_text(report.law) + "\n";
  if (report.classes && report.classes->witness) {
    const FunctionDifference::Witness& at = *report.classes->witness;
    text += fmt::format("smallest witness: {}={}: A gives {}, B gives {}\n", question.varied, value_text(at.input), outcome_text(at.first),
                        outcome_text(at.second));
  } else if (total.witness) {
    text += fmt::format("smallest witness: {}: A gives {}, B gives {}\n", place_text(question, report.witness_set, report.input, *total.witness),
                        outcome_text(report.output, total.witness_first), outcome_text(report.output, total.witness_second));
    text += "  " + reproduce_text(report, question, report.first) + "\n";
  }
  if (report.points.size() > 1) {
    TextTable table({"differing", "by one, of unsaturated", "parameters", "first at", "A", "B"}, {true, true, false, true, true, true});
    for (const DiffPoint* point : worst_first(report, show)) {
      const Disagreement& d = point->disagreement;
      table.add({grouped_digits(d.count),
                 d.unsaturated == 0 ? "" : fmt::format("{:.3g}", static_cast<double>(d.unsaturated_by_one) / static_cast<double>(d.unsaturated)),
                 question.sweep.text(point->set), d.witness ? value_text(report.input.value(*d.witness)) : "nan",
                 d.witness ? outcome_text(report.output, d.witness_first) : "", d.witness ? outcome_text(report.output, d.witness_second) : ""});
    }
    text += table.text("  ");
    if (report.differing_sets > show) text += fmt::format("  and {} more sets (--show)\n", report.differing_sets - show);
  }
  return text;
}

std::string diff_json(const DiffReport& report, const DiffQuestion& question, std::size_t show) {
  const Disagreement& total = report.total;
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.diff/1").member("first", report.first).member("second", report.second).member("op", question.call.op);
  if (report.incomplete) json.member("incomplete", true).member("parameter_sets_asked", question.sweep.size());
  json.member("varied", question.varied)
      .member("type", report.input.type.name())
      .member("parameter_sets", report.points.size())
      .member("parting", report.parting)
      .member("stairs", report.proofs);
  json.member("proved", total.proved)
      .member("equal", total.equal())
      .member("inputs", total.total)
      .member("differing", total.count)
      .member("undefined", total.undefined);
  json.member("differing_sets", report.differing_sets)
      .member("minus_one", total.by_minus_one)
      .member("plus_one", total.by_plus_one)
      .member("more", total.by_more)
      .member("largest", total.largest)
      .member("saturated", total.saturated);
  json.member("nan_differs", total.nan_differs).member("codes", fmt::to_string(report.inputs)).member("differing_codes", fmt::to_string(report.differing));
  if (report.classes) {
    json.key("classes").begin_object();
    for (std::size_t i = 0; i < input_classes; ++i) json.member(to_word(static_cast<InputClass>(i)), fmt::to_string(report.classes->by_class[i]));
    json.end_object();
  }
  if (report.law.known) {
    json.key("rate_law").begin_object().member("a_stair", fmt::format("{:.6g}", report.law.a_stair)).member("factor", fmt::format("{:.6g}", report.law.factor));
    json.member("exponent", fmt::format("{:.4f}", report.law.exponent)).end_object();
  }
  auto write_witness = [&](const Disagreement& d, std::uint64_t set) {
    if (!d.witness) return;
    json.key("witness").begin_object().member("input", value_text(report.input.value(*d.witness))).member("parameters", question.sweep.text(set));
    json.member("first", outcome_text(report.output, d.witness_first)).member("second", outcome_text(report.output, d.witness_second)).end_object();
  };
  write_witness(total, report.witness_set);
  json.key("sets").begin_array();
  for (const DiffPoint* point : worst_first(report, show)) {
    const Disagreement& d = point->disagreement;
    json.begin_object()
        .member("parameters", question.sweep.text(point->set))
        .member("differing", d.count)
        .member("unsaturated", d.unsaturated)
        .member("unsaturated_by_one", d.unsaturated_by_one)
        .member("stairs", point->steps);
    write_witness(d, point->set);
    json.end_object();
  }
  json.end_array().end_object();
  return json.text();
}

std::string matrix_text(const DiffMatrix& matrix, const DiffQuestion& question) {
  if (matrix.sets == 0 && matrix.incomplete) return incomplete_text(0, question);
  std::string text = fmt::format("{}: every {} for {}, {} inputs in all; a cell counts the inputs on which two classes differ{}\n", question.call.op,
                                 question.varied, counted(static_cast<std::size_t>(matrix.sets), "parameter set"), grouped_digits(matrix.inputs),
                                 matrix.proved() ? "" : " (stairs without proof: see below)");
  TextTable classes({"", "semantics"}, {true, false});
  for (std::size_t i = 0; i < matrix.classes.size(); ++i) {
    std::string names;
    for (const std::string& name : matrix.classes[i]) names += (names.empty() ? "" : ", ") + name;
    classes.add({std::to_string(i + 1), names});
  }
  text += classes.text("  ", false);
  std::vector<std::string> headings{""};
  std::vector<bool> right{true};
  for (std::size_t i = 0; i < matrix.classes.size(); ++i) {
    headings.push_back(std::to_string(i + 1));
    right.push_back(true);
  }
  TextTable table(headings, right);
  for (std::size_t i = 0; i < matrix.counts.size(); ++i) {
    std::vector<std::string> row{std::to_string(i + 1)};
    for (std::size_t j = 0; j < matrix.counts.size(); ++j) row.push_back(i == j ? "." : grouped_digits(matrix.counts[i][j]));
    table.add(row);
  }
  text += table.text("  ");
  for (const auto& [name, reason] : matrix.without_proof) text += "  without proof: " + name + ": '" + reason + "'\n";
  for (const auto& [name, reason] : matrix.left_out) text += "  left out: " + name + ": " + reason + "\n";
  return text + (matrix.incomplete ? incomplete_text(matrix.sets, question) : "");
}

std::string matrix_json(const DiffMatrix& matrix, const DiffQuestion& question) {
  JsonWriter json;
  json.begin_object()
      .member("schema", "tiebreak.diff-matrix/1")
      .member("op", question.call.op)
      .member("varied", question.varied)
      .member("parameter_sets", matrix.sets);
  if (matrix.incomplete) json.member("incomplete", true).member("parameter_sets_asked", question.sweep.size());
  json.member("inputs", matrix.inputs).member("proved", matrix.proved()).member("without_proof", matrix.without_proof).key("classes").begin_array();
  for (const auto& names : matrix.classes) json.value(names);
  json.end_array().key("differing").begin_array();
  for (const auto& row : matrix.counts) {
    json.begin_array();
    for (std::uint64_t count : row) json.value(count);
    json.end_array();
  }
  json.end_array().key("left_out").begin_object();
  for (const auto& [name, reason] : matrix.left_out) json.member(name, reason);
  json.end_object().end_object();
  return json.text();
}

}  // namespace tiebreak
