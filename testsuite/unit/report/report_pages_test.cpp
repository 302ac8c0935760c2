// SPDX-License-Identifier: Apache-2.0
// The page and the comment: well formed whatever is in a report, within their limits, and saying what they must.
#include <gtest/gtest.h>

#include "testsuite/text/markup.hpp"
#include "testsuite/unit/helpers/hand_made_reports.hpp"

namespace tiebreak {
namespace {

using namespace hand_made;

/// The page is written so that a reader of XML can take it, too: every element closed in order, every attribute quoted. "" if it is.
std::string malformed(const std::string& page) {
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at)) {
    std::size_t end = at + 1;
    bool quoted = false;
    for (; end < page.size() && (quoted || page[end] != '>'); ++end) {
      if (page[end] == '"') quoted = !quoted;
      if (page[end] == '<') return "< within a tag: " + page.substr(at, 80);
    }
    if (end >= page.size()) return "a tag that does not end: " + page.substr(at, 80);
    const std::string tag = page.substr(at + 1, end - at - 1),
                      name = tag.substr(tag.starts_with("/") ? 1 : 0, tag.find_first_of(" /", 1) - (tag.starts_with("/") ? 1 : 0));
    at = end;
    if (tag.starts_with("!") || tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.push_back(name);
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return "</" + tag.substr(1) + "> closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " is not closed";
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

TEST(Markup, EveryCharacterWithAMeaningIsANumber) {
  EXPECT_EQ(markup_escaped("<a href='x' b=\"y\">&|`*"), "&#60;a href=&#39;x&#39; b=&#34;y&#34;&#62;&#38;&#124;&#96;&#42;");
  EXPECT_EQ(markup_escaped("\xc3\xa4\x01\xff"), "\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(markup_escaped("a\xe2\x80\xae"
                           "b\xe2\x81\xa6"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd")
      << "text that runs backward";
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("ab\xc3\xa4"
                      "def",
                      3),
            "ab... (5 more bytes)")
      << "a character is not cut";
}

TEST(Places, EveryElementHasItsCell) {
  for (const Shape& shape : std::vector<Shape>{{}, {1}, {63}, {64}, {65}, {1000}, {3, 5}, {9, 130}, {2, 3, 4, 7}}) {
    Places places = places_of(shape);
    std::int64_t size = *element_count(shape), sum = 0, last = 0;
    for (std::int64_t i = 0; i < size; ++i) note_place(places, i);
    note_place(places, size);
    for (std::int64_t count : places.counts) {
      sum += count;
      EXPECT_GT(count, 0) << to_text(shape);
      last = count;
    }
    EXPECT_EQ(sum, size) << to_text(shape);
    EXPECT_GT(last, 0);
  }
  EXPECT_TRUE(places_of({4, 0}).counts.empty());
  EXPECT_EQ(places_of({1, 6, 1}).columns, 6);
  Places tail = places_of({4, 8});
  note_place(tail, 15);
  EXPECT_EQ(tail.counts[15], 1) << "row 1, column 7";
}

TEST(ReportHtml, SaysWhatDiffersWhereWhyAndHowToSeeItAgain) {
  CheckReport report =
      report_of({failing_case("onnx.QuantizeLinear/ties", {3, 50, 99}), test_case("good", CaseStatus::conform), test_case("no", CaseStatus::unsupported)});
  const std::string page = report_html(report);
  EXPECT_EQ(malformed(page), "");
  for (const char* wanted :
       {"Differs", "demo 1.2 differs from profile onnx under policy exact: 1 of 2 judged cases fail", "<b>3 of 100 differ</b>", "class=\"bar\"", "class=\"at",
        "all 3 that differ", "x=0.5 y&#95;scale=1", "0x01", "0x02", "0, a tie", "parts at tie: expected even, found away  (spec/onnx/QuantizeLinear.md:37)",
        "<pre>tiebreak check cases/a.json -k onnx.QuantizeLinear/ties</pre>", "<pre>tiebreak explain onnx.QuantizeLinear/ties:y:0</pre>",
        "<h2>Unsupported</h2>", "prefers-color-scheme: dark", "id=\"case-1\"", "href=\"#case-1\"", "\u2717\u00a01 \u2713\u00a01 \u2013\u00a01"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted;
  EXPECT_EQ(page, report_html(report)) << "same report, same bytes";
  report.context["duration_seconds"] = "99";
  EXPECT_EQ(page.size() - std::string("1.5").size() + 2, report_html(report).size()) << "time stands in the context only";
}

TEST(ReportHtml, LoadsNothingAndRunsNothing) {
  const std::string page = report_html(hostile_report());
  EXPECT_EQ(malformed(page), "");
  for (const char* never : {"<script", "src=", "http:", "https:", "@import", "url(", "onload", "javascript:", "\x01", "\xff", "\xe2\x80\xae"})
    EXPECT_EQ(page.find(never), std::string::npos) << never;
  EXPECT_NE(page.find("&#60;script&#62;alert("), std::string::npos) << "it is shown as text";
}

TEST(ReportHtml, SaysWhenOnlyKeptMismatchesAreShown) {
  CaseReport test = failing_case("c", {1, 2, 3, 4, 5}, 2);
  test.outputs[0].second.places = {};
  EXPECT_NE(report_html(report_of({test})).find("only the 2 kept mismatches of 5 are shown"), std::string::npos);
}

TEST(ReportHtml, TenThousandFailingCasesStayBelowTheLimitAndAreCounted) {
  std::vector<CaseReport> cases;
  std::vector<std::int64_t> wrong;
  for (std::int64_t i = 0; i < 100; ++i) wrong.push_back(i);
  for (int i = 0; i < 10'000; ++i) cases.push_back(failing_case("onnx.QuantizeLinear/case-" + std::to_string(i), wrong));
  const std::string page = report_html(report_of(std::move(cases)));
  EXPECT_LT(page.size(), html_limit);
  EXPECT_GT(page.size(), html_limit / 4) << "the room is used";
  EXPECT_EQ(malformed(page), "");
  EXPECT_NE(page.find("10000 of 10000 judged cases fail"), std::string::npos);
  const std::size_t shown = count_of(page, "<details id=\"case-");
  EXPECT_NE(page.find(std::to_string(10'000 - shown) + " more failing cases by name only"), std::string::npos) << shown;
}

/// Many ops, types, reasons and context entries, all of them long and hostile.
CheckReport huge_report() {
  std::string filler;
  while (filler.size() < 5'000) filler += hostile;
  std::vector<CaseReport> cases;
  for (int i = 0; i < 3'000; ++i) {
    const std::string own = std::to_string(i) + filler;
    CaseReport test = i % 3 == 0 ? failing_case(own, {1, 2, 3}) : test_case(own, every_status[static_cast<std::size_t>(i) % std::size(every_status)], own);
    test.op = test.types = test.reason = test.reproduce = own;
    cases.push_back(std::move(test));
  }
  CheckReport report = report_of(std::move(cases));
  for (int i = 0; i < 2'000; ++i) report.context["key" + std::to_string(i)] = filler;
  for (const char* key : {"backend", "profile", "policy", "command", "backend_isa"}) report.context[key] = filler;
  return report;
}

TEST(ReportPages, NoInputMakesThemTooLargeOrMalformed) {
  const CheckReport report = huge_report();
  const std::string page = report_html(report), comment = report_markdown(report);
  EXPECT_LT(page.size(), html_limit);
  EXPECT_EQ(malformed(page), "");
  EXPECT_LT(comment.size(), markdown_limit);
}

TEST(ReportMarkdown, IsAVerdictATableAndTheFirstFailures) {
  std::vector<CaseReport> cases{test_case("good", CaseStatus::conform), test_case("no", CaseStatus::unsupported, "onnx.Add")};
  for (int i = 0; i < 9; ++i) cases.push_back(failing_case("bad" + std::to_string(i), {4, 8}));
  const std::string text = report_markdown(report_of(std::move(cases)));
  for (const char* wanted : {"### :x: Differs", "| <code>onnx.QuantizeLinear</code> | **9** | 1 | 0 | 0 | 0 |", "| <code>onnx.Add</code> | 0 | 0 | 0 | 1 | 0 |",
                             "5 of 9 failing cases", "```sh\ntiebreak check cases/a.json -k bad0\n```", "2 of 100 differ: +1 &times; 2",
                             "<code>y&#91;4&#93;</code>", "- 1 unsupported: <code>because</code>"})
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  EXPECT_EQ(count_of(text, "<details>"), 5u);
  EXPECT_EQ(count_of(text, "</details>"), 5u);
  EXPECT_NE(report_markdown(report_of({test_case("a", CaseStatus::conform)})).find("### :white_check_mark: Conforms"), std::string::npos);
}

TEST(ReportMarkdown, TextsOfOthersStayWithinTheirPlace) {
  CheckReport report = hostile_report();
  report.cases[0].reproduce = "echo '```'\n<script>";
  const std::string text = report_markdown(report);
  EXPECT_NE(text.find("````sh\necho '```'\n<script>\n````"), std::string::npos) << "in a fence longer than its own";
  EXPECT_EQ(text.substr(0, text.find("````sh")).find("<script"), std::string::npos);
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n|"); at != std::string::npos; at = text.find("\n|", at + 1), ++rows) {
    const std::size_t bars = count_of(text.substr(at + 1, text.find('\n', at + 1) - at - 1), "|");
    EXPECT_TRUE(bars == 7 || bars == 8) << text.substr(at, 200);
  }
  EXPECT_GE(rows, 6u);
}

TEST(Markup, PlacesOfAPageAreFilledOnce) {
  EXPECT_EQ(filled("<b>{title}</b>{body}", {{"title", "a{body}"}, {"body", "b"}}), "<b>a{body}</b>b");
  EXPECT_EQ(filled("a { b } {x", {{"x", "1"}}), "a { b } {x") << "what is no place stays";
  EXPECT_EQ(filled("{}{x}", {{"x", ""}}), "{}");
}

}  // namespace
}  // namespace tiebreak
