// SPDX-License-Identifier: Apache-2.0
// What backends take as text, JSON and Markdown.
#include <algorithm>
#include <optional>
#include <set>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/survey/capabilities.hpp"
#include "testsuite/text/markup.hpp"
#include "testsuite/text/text_parts.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

using Forms = std::vector<const FormCapability*>;
constexpr std::size_t longest_reason = 120;  // on a terminal

/// `0-3 5`.
std::string ranks_text(const std::set<std::size_t>& ranks) {
  std::string text;
  for (auto first = ranks.begin(); first != ranks.end();) {
    auto last = first;
    while (std::next(last) != ranks.end() && *std::next(last) == *last + 1) ++last;
    text += (text.empty() ? "" : " ") + std::to_string(*first) + (first == last ? "" : "-" + std::to_string(*last));
    first = std::next(last);
  }
  return text;
}

/// `1-3, partly 4, not 5`: what is taken of one granularity, by rank. `no` where nothing is.
std::string granularity_cell(const Forms& forms, Granularity granularity) {
  struct Count {
    std::size_t taken = 0, refused = 0, silent = 0;
  };
  std::map<std::size_t, Count> counts;
  for (const FormCapability* one : forms) {
    if (one->form.granularity != granularity) continue;
    Count& count = counts[one->form.rank];
    count.taken += one->taken;
    count.refused += one->refused;
    count.silent += one->silent;
  }
  std::set<std::size_t> whole, partly, refused, silent;
  for (const auto& [rank, count] : counts)
    (count.taken == 0 ? (count.refused > 0 ? refused : silent) : count.refused + count.silent > 0 ? partly : whole).insert(rank);
  if (counts.empty()) return "";
  if (refused.size() == counts.size()) return "no";
  if (silent.size() == counts.size()) return "no answer";
  std::string text = ranks_text(whole);
  const auto add = [&](const char* word, const std::set<std::size_t>& ranks) {
    if (!ranks.empty()) text += (text.empty() ? "" : ", ") + std::string(word) + ranks_text(ranks);
  };
  add("partly ", partly);
  add("not ", refused);
  add("no answer ", silent);
  return text;
}

struct Reason {
  std::string of, text;
};

/// Of a form why it was refused, or gave no answer; "" where it was taken.
std::string refusal_of(const FormCapability& one) {
  if (one.refused > 0) return one.refusal;
  return one.silent > 0 ? "no answer: " + one.silence : "";
}

/// `per axis`; `per axis (y_scale)` where other parameters that go as finely met with something else, `per axis rank 5` where another rank met with another
/// reason.
std::string form_name(const FormCapability& one, const Forms& forms) {
  bool names_tell = false, rank_tells = false;
  for (const FormCapability* other : forms) {
    if (other->form.granularity != one.form.granularity || refusal_of(*other) == refusal_of(one)) continue;
    if (other->form.parameters != one.form.parameters) names_tell = true;
    else if (!refusal_of(*other).empty()) rank_tells = true;
  }
  std::string names;
  for (const std::string& name : one.form.parameters) names += (names.empty() ? "" : " ") + name;
  return to_word(one.form.granularity) + (names_tell && !names.empty() ? " (" + names + ")" : "") +
         (rank_tells ? " rank " + std::to_string(one.form.rank) : "");
}

/// Each reason once, with the granularities that it was given for where the row has others.
std::vector<Reason> reasons_of(const Forms& forms) {
  std::vector<Reason> reasons;
  const bool is_alone = std::ranges::all_of(forms, [&](const FormCapability* one) {
    return one->form.granularity == forms[0]->form.granularity && one->form.parameters == forms[0]->form.parameters;
  });
  for (const FormCapability* one : forms) {
    const std::string text = refusal_of(*one), name = form_name(*one, forms);
    if (text.empty()) continue;
    auto known = std::ranges::find(reasons, text, &Reason::text);
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {"", text});
    if (!is_alone && known->of.find(name) == std::string::npos) known->of += (known->of.empty() ? "" : ", ") + name;
  }
  return reasons;
}

/// What a table shows of the forms with the same types.
struct CapabilityRow {
  std::string types;
  std::vector<std::string> cells{};
  std::vector<Reason> reasons{};
  bool is_like(const CapabilityRow& other) const {
    const auto same = [](const Reason& a, const Reason& b) { return a.of == b.of && a.text == b.text; };
    return cells == other.cells && std::ranges::equal(reasons, other.reasons, same);
  }
};

std::vector<CapabilityRow> rows_by_types(const OpCapability& op) {
  std::map<std::string, Forms> by_types;
  for (const FormCapability& form : op.forms) by_types[form.form.types].push_back(&form);
  std::vector<CapabilityRow> rows;
  for (const auto& [types, forms] : by_types) {
    CapabilityRow row{types, {}, reasons_of(forms)};
    for (Granularity granularity : every_granularity) row.cells.push_back(granularity_cell(forms, granularity));
    rows.push_back(std::move(row));
  }
  return rows;
}

void join_rows(CapabilityRow& row, const CapabilityRow& other) {
  row.types += "; " + other.types;
  for (std::size_t i = 0; i < row.cells.size(); ++i) row.cells[i] = std::max(row.cells[i], other.cells[i]);  // alike, or one of them empty
  for (const Reason& reason : other.reasons)
    if (std::ranges::find(row.reasons, reason.text, &Reason::text) == row.reasons.end()) row.reasons.push_back({"", reason.text});
}

/// Types of which the same holds stand together; so do, last, those of which nothing is taken.
std::vector<CapabilityRow> joined_rows_of(const OpCapability& op) {
  std::vector<CapabilityRow> joined;
  std::optional<CapabilityRow> refused;
  for (CapabilityRow& row : rows_by_types(op)) {
    const bool is_refused = std::ranges::all_of(row.cells, [](const std::string& cell) { return cell.empty() || cell == "no"; });
    if (is_refused && refused) {
      join_rows(*refused, row);
    } else if (is_refused) {
      refused = CapabilityRow{row.types, row.cells, {}};
      for (const Reason& reason : row.reasons) refused->reasons.push_back({"", reason.text});
    } else if (const auto known = std::ranges::find_if(joined, [&](const CapabilityRow& other) { return other.is_like(row); }); known != joined.end()) {
      join_rows(*known, row);
    } else {
      joined.push_back(std::move(row));
    }
  }
  if (refused) joined.push_back(*std::move(refused));
  return joined;
}

std::string reasons_cell(const std::vector<Reason>& reasons, bool is_markdown) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(reasons.size(), most); ++i) {
    const std::string reason = is_markdown ? code_cell(reasons[i].text) : shortened(reasons[i].text, longest_reason);
    text += (text.empty() ? "" : "; ") + reasons[i].of + (reasons[i].of.empty() ? "" : ": ") + reason;
  }
  if (reasons.size() > most) text += "; and " + counted(reasons.size() - most, "further reason");
  return text;
}

/// An op of which nothing is taken says so in a line, if it is one of a glob: `onnx.*` promises none of them.
bool is_line(const OpCapability& op) { return !op.listed && !op.is_taken(); }

std::string first_reason_of(const OpCapability& op) {
  for (const FormCapability& form : op.forms)
    if (form.refused > 0) return form.refusal;
  return "no answer: " + op.forms[0].silence;
}

std::string capability_text(const OpCapability& op) {
  if (is_line(op)) return "  " + op.op + "  nothing: " + shortened(first_reason_of(op), longest_reason) + "\n";
  TextTable table({"types", "plain", "per tensor", "per axis", "per block", "refused"});
  for (CapabilityRow& row : rows_by_types(op)) table.add({row.types, row.cells[0], row.cells[1], row.cells[2], row.cells[3], reasons_cell(row.reasons, false)});
  return "  " + op.op + "\n" + table.text("    ");
}

std::string markdown_of_capabilities(const OpCapability& op) {
  std::string text;
  for (const CapabilityRow& row : joined_rows_of(op)) {
    text += "| " + (text.empty() ? op.op : std::string()) + " | " + row.types + " |";
    for (const std::string& cell : row.cells) text += " " + cell + " |";
    text += " " + reasons_cell(row.reasons, true) + " |\n";
  }
  return text;
}

std::string markdown_of_capabilities(const BackendCapabilities& one) {
  std::string text = "\n## " + one.backend.name + "\n\n";
  if (one.backend.backend == nullptr) return text + "Not asked: " + code_cell(one.backend.trouble) + "\n";
  text += markdown_heading_of(one.backend);
  if (const std::string layout = detail_of(one.backend.description, "layout"); !layout.empty()) text += " Layout: " + layout + ".";
  text += "\n\n| Op | Types | Plain | Per tensor | Per axis | Per block | Refused |\n|---|---|---|---|---|---|---|\n";
  for (const OpCapability& op : one.ops)
    if (!is_line(op)) text += markdown_of_capabilities(op);
  std::string nothing;
  for (const OpCapability& op : one.ops)
    if (is_line(op)) nothing += "| " + op.op + " | " + code_cell(first_reason_of(op)) + " |\n";
  if (!nothing.empty()) text += "\nOf these ops nothing is taken:\n\n| Op | First reason |\n|---|---|\n" + nothing;
  if (!one.without_cases.empty()) text += "\nListed, but without a case that could be asked: " + joined_words(one.without_cases, ", ") + ".\n";
  return text;
}

void write_form(JsonWriter& json, const FormCapability& one) {
  json.begin_object().member("types", one.form.types).member("granularity", to_word(one.form.granularity)).member("parameters", one.form.parameters);
  json.member("rank", std::uint64_t{one.form.rank}).member("taken", std::uint64_t{one.taken}).member("refused", std::uint64_t{one.refused});
  json.member("silent", std::uint64_t{one.silent}).member("refusal", one.refusal).member("silence", one.silence).end_object();
}

}  // namespace

std::string capabilities_text(const Capabilities& found) {
  std::string text;
  std::size_t forms = 0, taken = 0;
  for (const BackendCapabilities& one : found.backends) {
    if (one.backend.backend == nullptr) {
      text += one.backend.name + "  not asked: " + one.backend.trouble + "\n";
      continue;
    }
    text += heading_of(one.backend);
    if (const std::string layout = detail_of(one.backend.description, "layout"); !layout.empty()) text += ", layout " + layout;
    text += "\n";
    for (const OpCapability& op : one.ops) {
      text += capability_text(op);
      forms += op.forms.size();
      taken += static_cast<std::size_t>(std::ranges::count_if(op.forms, [](const FormCapability& form) { return form.taken > 0; }));
    }
    if (!one.without_cases.empty()) text += "  no case to ask: " + joined_words(one.without_cases, ", ") + "\n";
  }
  return text + counted(forms, "form") + ": " + std::to_string(taken) + " taken" + (found.incomplete ? ", interrupted" : "") + "\n";
}

std::string capabilities_json(const Capabilities& found) {
  JsonWriter json;
  json.begin_object().member("schema", "tiebreak.capabilities/1").member("context", found.context).member("incomplete", found.incomplete);
  json.key("backends").begin_array();
  for (const BackendCapabilities& one : found.backends) {
    const BackendDescription& description = one.backend.description;
    json.begin_object().member("name", one.backend.name).member("version", description.version).member("declared", description.profile);
    json.member("details", description.details).member("trouble", one.backend.trouble).member("without_cases", one.without_cases);
    json.key("ops").begin_array();
    for (const OpCapability& op : one.ops) {
      json.begin_object().member("op", op.op).member("listed", op.listed).key("forms").begin_array();
      for (const FormCapability& form : op.forms) write_form(json, form);
      json.end_array().end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return json.text();
}

std::string capabilities_markdown(const Capabilities& found) {
  const auto command = found.context.find("command");
  std::string text = "# What backends take\n\nEvery op that a backend lists, asked with cases of every form that there are. Made by\n\n    " +
                     (command == found.context.end() ? std::string("tiebreak backend capabilities") : command->second) +
                     "\n\nA *form* is the element types, how finely quantization parameters go, and the rank of the first operand. Of each up to " +
                     found.context.at("most") +
                     " cases were asked, smallest first, and further ones where\nall of them were refused. A cell has the ranks of which every case was taken; "
                     "*partly*: some were refused, for a reason beside it; *no*: all were; empty: there is no such\n"
                     "case. *Plain* has no quantization parameters. The last row of an op has the types of which nothing is taken. Reasons are the backend's "
                     "own words, the first of each form. An answer need not be right to be one: that is what `check` says.\n";
  for (const BackendCapabilities& one : found.backends) text += markdown_of_capabilities(one);
  return text;
}

}  // namespace tiebreak
