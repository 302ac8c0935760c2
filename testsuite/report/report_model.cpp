// SPDX-License-Identifier: Apache-2.0
// A model's layers as a table for the terminal, and as a section of the page.
#include <algorithm>

#include "testsuite/report/report_model.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

const char* how_it_ran(const std::string& run) {
  if (run.empty()) return ", of which the backend gave none";
  if (run == "dumps") return ", as the device dumped them";
  if (run == "parts") return ", in parts, each with every value as an output, on what the backend gave before";
  return run == "graph" ? ", one run with every value as an output" : ", each layer alone";
}

/// `12 of 4096`, `-` where nothing is known.
std::string wrong_text(const Drift& drift) {
  if (!drift.known) return "-";
  const std::int64_t wrong = drift.different - drift.right;
  return wrong == 0 ? "0" : std::to_string(wrong) + " of " + std::to_string(drift.compared);
}

/// `0, 7 right`: so many are other results than the one computed.
std::string count_text(const Drift& drift) { return wrong_text(drift) + (drift.right == 0 ? "" : ", " + std::to_string(drift.right) + " right"); }

std::string worst_drift_text(const Drift& drift, const std::string& unit) { return drift.worst.empty() ? "" : drift.worst + " " + unit; }

bool has_cuts(const ModelReport& model) {
  for (const ModelLayer& layer : model.layers)
    for (const ModelValue& value : layer.values)
      if (value.cut.known) return true;
  return false;
}

std::vector<std::string> headings(bool cuts) {
  std::vector<std::string> names{"layer", "op", "result", "differ by itself", "worst", "differ so far", "worst"};
  if (cuts) names.insert(names.end(), {"differ, model cut here", "worst"});
  names.push_back("");
  return names;
}

std::vector<std::string> row_of(const ModelLayer& layer, const ModelValue& value, bool cuts) {
  std::vector<std::string> cells{layer.id.substr(layer.id.find('/') + 1), layer.op, value.element + " " + value.shape};
  cells.insert(cells.end(), {count_text(value.local), worst_drift_text(value.local, value.unit), count_text(value.accumulated),
                             worst_drift_text(value.accumulated, value.unit)});
  if (cuts) cells.insert(cells.end(), {count_text(value.cut), worst_drift_text(value.cut, value.unit)});
  cells.push_back(layer.state);
  return cells;
}

std::vector<std::vector<std::string>> layer_rows(const ModelReport& model, bool cuts) {
  std::vector<std::vector<std::string>> rows;
  for (const ModelLayer& layer : model.layers) {
    for (const ModelValue& value : layer.values) rows.push_back(row_of(layer, value, cuts));
    if (layer.values.empty()) rows.push_back(row_of(layer, {}, cuts));
  }
  return rows;
}

/// `stopped before cnn/07.q: 7 of 12 layers were judged`
std::string stopped_text(const ModelReport& model) {
  const auto judged = std::ranges::count_if(
      model.layers, [](const ModelLayer& layer) { return std::ranges::any_of(layer.values, [](const ModelValue& value) { return value.local.known; }); });
  return "stopped before " + model.stopped + ": " + std::to_string(judged) + " of " + counted(model.layers.size(), "layer") +
         (judged == 1 ? " was judged" : " were judged");
}

/// What a reader looks for first, a sentence a line.
std::vector<std::string> sentences(const ModelReport& model) {
  std::vector<std::string> lines;
  for (const ModelInput& input : model.inputs) lines.push_back("input " + input.name + ": " + input.type + ", " + input.origin);
  if (!model.stopped.empty()) lines.push_back(stopped_text(model));
  const std::string none = model.stopped.empty() ? "no layer leaves the reference by itself" : "none of these leaves the reference by itself";
  lines.push_back(model.first_local.empty() ? none : "the first layer that leaves the reference: " + model.first_local);
  for (const ModelValue& output : model.outputs)
    lines.push_back("the model as it is: " + wrong_text(output.accumulated) + " elements of " + output.name + " differ" +
                    (output.accumulated.worst.empty() ? "" : ", by up to " + worst_drift_text(output.accumulated, output.unit)) +
                    (output.accumulated.right == 0 ? "" : "; " + std::to_string(output.accumulated.right) + " more are other results, and right"));
  if (!model.changed.empty()) {
    lines.push_back("making every value an output changed the result: " + model.changed);
    lines.push_back(model.first_cut.empty() ? "cut after its layers, the model does not leave the reference"
                                            : "cut after its layers, the model has left the reference at " + model.first_cut);
  }
  lines.insert(lines.end(), model.notes.begin(), model.notes.end());
  return lines;
}

}  // namespace

std::string model_text(const ModelReport& model, bool colour) {
  const bool cuts = has_cuts(model);
  std::vector<std::string> names = headings(cuts);
  std::vector<bool> right(names.size(), true);
  right[0] = right[1] = right[2] = right.back() = false;
  TextTable table(names, right);
  for (const auto& row : layer_rows(model, cuts)) table.add(row);
  std::string text =
      "model " + coloured(model.name, Colour::bold, colour) + "  " + counted(model.layers.size(), "layer") + how_it_ran(model.run) + "\n" + table.text("  ");
  for (const std::string& line : sentences(model)) text += "  " + line + "\n";
  return text;
}

std::string model_html(const ModelReport& model) {
  constexpr std::size_t longest = 300, most = 200'000;
  auto safe = [](const std::string& text) { return markup_escaped(shortened(text, longest)); };
  const bool cuts = has_cuts(model);
  std::string text = "<h2>Model " + safe(model.name) + "</h2>\n<ul>\n";
  for (const std::string& line : sentences(model)) text += "<li>" + safe(line) + "</li>\n";
  text += "</ul>\n<div class=\"scroll\"><table><thead><tr>";
  for (const std::string& name : headings(cuts)) text += "<th>" + name + "</th>";
  text += "</tr></thead><tbody>\n";
  LimitedText rows(most);
  for (const auto& row : layer_rows(model, cuts)) {
    std::string line = "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      line += std::string("<td") + (i >= 2 && i + 1 < row.size() ? (i == 2 ? " class=\"value\">" : " class=\"value number\">") : ">") + safe(row[i]) + "</td>";
    rows.add(line + "</tr>\n");
  }
  text += rows.text() + "</tbody></table></div>\n";
  if (rows.left_out() > 0) text += "<p class=\"quiet\">" + counted(rows.left_out(), "more layer") + " not shown here; the JSON report has all.</p>\n";
  return text;
}

}  // namespace tiebreak
