// SPDX-License-Identifier: Apache-2.0
// JUnit XML as Jenkins and others read it. Unsupported, inconclusive and unreached cases are <skipped>, never silently absent;
// a stale baseline and an invalid case are <error>.
#include <algorithm>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/report/report.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// Text for XML 1.0: markup escaped, UTF-8 as it is; control characters, which no escape makes legal, and what is not UTF-8 become U+FFFD.
std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    text.remove_prefix(character.size());
    const char c = character.front();
    const bool is_noncharacter = character == "\xEF\xBF\xBE" || character == "\xEF\xBF\xBF";  // U+FFFE, U+FFFF
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c == '\n') out += "&#10;";
    else if (length == 0 || is_noncharacter || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) out += "\xEF\xBF\xBD";
    else out += character;
  }
  return out;
}

std::string attribute(const char* name, const std::string& value) { return std::string(" ") + name + "=\"" + xml_escaped(value) + "\""; }

std::string failure_details(const CaseReport& test) {
  std::string text;
  for (const auto& [name, comparison] : test.outputs) {
    for (const Mismatch& mismatch : comparison.first) {
      text += name + index_text(comparison.shape, mismatch.index) + " expected " + mismatch.expected + " actual " + mismatch.actual;
      if (!mismatch.before.empty()) text += " exact " + mismatch.before;
      text += "\n";
    }
  }
  if (test.diagnosis)
    for (const std::string& line : to_lines(*test.diagnosis)) text += "cause: " + line + "\n";
  return text + "again: " + test.reproduce + "\n";
}

std::string outcome_element(const CaseReport& test) {
  switch (test.status) {
    using enum CaseStatus;
    case conform: return "";
    case fail: return "      <failure" + attribute("message", test.reason) + ">" + xml_escaped(failure_details(test)) + "</failure>\n";
    case unexpected_pass:
    case invalid: return "      <error" + attribute("type", to_word(test.status)) + attribute("message", test.reason) + "/>\n";
    case expected_fail:
    case unsupported:
    case not_recorded:
    case not_declared:
    case nothing_compared:
    case inconclusive:
    case not_run: return "      <skipped" + attribute("message", std::string(to_word(test.status)) + ": " + test.reason) + "/>\n";
  }
  return "";
}

std::string test_case(const CaseReport& test) {
  std::string text = "    <testcase" + attribute("classname", test.op) + attribute("name", test.id) + attribute("file", test.source);
  std::string content = outcome_element(test);
  if (!test.notes.empty()) {
    content += "      <system-out>";
    for (const std::string& note : test.notes) content += xml_escaped(note) + "&#10;";
    content += "</system-out>\n";
  }
  return content.empty() ? text + "/>\n" : text + ">\n" + content + "    </testcase>\n";
}

}  // namespace

std::string report_junit(const CheckReport& report) {
  std::map<CaseStatus, std::size_t> counts = report.counts();
  using enum CaseStatus;
  std::string suite;
  auto number = [&](const char* name, std::size_t count) { suite += attribute(name, std::to_string(count)); };
  suite = attribute("name", "tiebreak");
  number("tests", report.cases.size());
  number("failures", counts[fail]);
  number("errors", counts[unexpected_pass] + counts[invalid]);
  number("skipped", counts[expected_fail] + counts[unsupported] + counts[not_recorded] + counts[not_declared] + counts[nothing_compared] +
                        counts[inconclusive] + counts[not_run]);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite" + suite + ">\n    <properties>\n";
  for (const auto& [name, value] : report.context) text += "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
  text += "      <property" + attribute("name", "incomplete") + attribute("value", report.incomplete ? "true" : "false") + "/>\n    </properties>\n";
  for (const CaseReport& test : report.cases) text += test_case(test);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace tiebreak
