// SPDX-License-Identifier: Apache-2.0
// What docs/bugs-found.md says of backends: every entry has a committed case and a command that shows it again, and the list is what stored reports say.
#include <nlohmann/json.hpp>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "testsuite/unit/helpers/command_run.hpp"

namespace tiebreak {
namespace {

namespace fs = std::filesystem;

const std::string begin_mark = "<!-- bugs of backends -->", end_mark = "<!-- /bugs of backends -->";

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string generated_part() {
  const std::string document = text_of(TIEBREAK_SOURCE_DIR "/docs/bugs-found.md");
  const std::size_t from = document.find(begin_mark), to = document.find(end_mark);
  return from == std::string::npos || to == std::string::npos ? "" : document.substr(from, to - from);
}

/// The commands of the list as words; a quoted word loses its quotes.
std::vector<std::vector<std::string>> commands() {
  std::vector<std::vector<std::string>> all;
  const std::string part = generated_part();
  const std::regex code("`(tiebreak check testsuite/bugs/[^`]*)`");
  for (auto found = std::sregex_iterator(part.begin(), part.end(), code); found != std::sregex_iterator(); ++found) {
    std::istringstream words((*found)[1]);
    std::string word;
    words >> word;  // tiebreak
    all.emplace_back();
    while (words >> word) all.back().push_back(word.size() > 2 && word.front() == '\'' && word.back() == '\'' ? word.substr(1, word.size() - 2) : word);
  }
  return all;
}

std::string word_after(const std::vector<std::string>& words, const std::string& option) {
  const auto found = std::ranges::find(words, option);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

/// The headings over the entries of each backend: `NAME VERSION, ISA, ...`.
std::vector<std::string> headings() {
  std::vector<std::string> found;
  std::istringstream lines(generated_part());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("### ")) continue;
    line = std::regex_replace(line.substr(4), std::regex("&#126;"), "~");
    found.push_back(std::regex_replace(line, std::regex("&#42;"), "*"));
  }
  return found;
}

/// What chooses the backend in a command: its name, then its options.
std::vector<std::string> backend_words(const std::vector<std::string>& words) {
  std::vector<std::string> chosen{word_after(words, "--backend")};
  std::ranges::copy_if(words, std::back_inserter(chosen), [](const std::string& word) { return word.starts_with("--backend-option="); });
  return chosen;
}

class CommandBugs : public CommandTest {
 protected:
  /// Whether the backend is here, and is the one that the entries speak of: other versions and instruction sets compute otherwise.
  bool is_a_listed_one(const std::vector<std::string>& backend) {
    std::vector<std::string> words{"backend", "info", "--json"};
    words.insert(words.end(), backend.begin(), backend.end());
    const CommandOutcome outcome = run(words);
    if (outcome.code != 0) return false;
    const nlohmann::json info = nlohmann::json::parse(outcome.out);
    const std::string isa = info["details"].value("isa", std::string());
    const std::string start = std::string(info["name"]) + " " + std::string(info["version"]) + ",";
    return std::ranges::any_of(headings(), [&](const std::string& heading) {
      return heading.starts_with(start) && (isa.empty() || (heading + ",").find(", " + isa + ",") != std::string::npos);
    });
  }
};

TEST_F(CommandBugs, EveryEntryReproducesWithItsCommand) {
  fs::current_path(TIEBREAK_SOURCE_DIR);
  const auto all = commands();
  ASSERT_FALSE(all.empty()) << "the list has no commands";
  std::set<std::vector<std::string>> absent, seen;
  for (const std::vector<std::string>& words : all) {
    const std::string backend = word_after(words, "--backend");
    EXPECT_TRUE(words[1].starts_with("testsuite/bugs/" + backend + "/")) << words[1];
    const std::vector<std::string> chosen = backend_words(words);
    if (seen.insert(chosen).second && !is_a_listed_one(chosen)) absent.insert(chosen);
    if (absent.contains(chosen)) continue;
    CommandOutcome outcome = run(words);
    EXPECT_EQ(outcome.code, 1) << word_after(words, "-k") << "\n" << outcome.out << outcome.err;
  }
  if (absent.empty()) return;
  std::string names;
  for (const std::vector<std::string>& backend : absent) names += " " + backend.front();
  GTEST_SKIP() << "not installed here, or another version or instruction set:" << names;
}

TEST_F(CommandBugs, EveryCommittedCaseIsInTheList) {
  const std::string part = generated_part();
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(TIEBREAK_SOURCE_DIR "/testsuite/bugs")) {
    if (file.path().extension() != ".json") continue;
    const nlohmann::json cases = nlohmann::json::parse(text_of(file.path()), nullptr, true, true);
    for (const auto& test : cases["cases"]) {
      const std::string id = std::string(cases["op"]) + "/" + std::string(test["name"]);
      EXPECT_NE(part.find("-k " + id + " "), std::string::npos) << id << " of " << file.path();
      EXPECT_TRUE(test.contains("description")) << id;
    }
  }
}

TEST_F(CommandBugs, TheListIsMadeOfReports) {
  CommandOutcome checked = run({"check", quantize_cases(), "--backend", "faulty", "--backend-option=--fault", "--backend-option=half-away", "--profile",
                                "onnxruntime-x64", "--json=" + path("r.json")});
  ASSERT_EQ(checked.code, 1) << checked.out << checked.err;
  const std::string document = write("doc.md", "before\n" + begin_mark + "\nold\n" + end_mark + "\nbehind\n");
  ASSERT_EQ(run({"report", "bugs", path("r.json"), "-o", document}).code, 0);
  const std::string made = read("doc.md");
  EXPECT_TRUE(made.starts_with("before\n" + begin_mark)) << made;
  EXPECT_TRUE(made.ends_with(end_mark + "\nbehind\n")) << made;
  EXPECT_EQ(made.find("old"), std::string::npos);
  EXPECT_NE(made.find("onnx.QuantizeLinear"), std::string::npos) << made;
  EXPECT_NE(made.find("tie is away, not even"), std::string::npos) << made;  // the case has no description
  EXPECT_EQ(made.find("onnx.QuantizeLinear/plain"), std::string::npos) << "what conforms is no bug";
  // Again: nothing changes. One mark alone is an error.
  ASSERT_EQ(run({"report", "bugs", path("r.json"), "-o", document}).code, 0);
  EXPECT_EQ(read("doc.md"), made);
  EXPECT_EQ(run({"report", "bugs", path("r.json"), "-o", write("half.md", begin_mark + "\n")}).code, 2);
}

}  // namespace
}  // namespace tiebreak
