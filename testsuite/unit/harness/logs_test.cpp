// SPDX-License-Identifier: Apache-2.0
// Logs of values that were published: each is read, and `identify` finds by itself what the numbers are due to.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "testsuite/harness/identify_log.hpp"

namespace tiebreak {
namespace {

const std::string folder = TIEBREAK_SOURCE_DIR "/testsuite/logs";

const Library& pages() {
  static const auto library = Library::load(TIEBREAK_SOURCE_DIR "/spec");
  return **library;
}

std::vector<std::string> logs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

/// A profile must explain the answers, as the first that is named where the log says whose code it was; an alternative must be decided.
bool is_found(const Identification& found, const std::string& cause, bool as_first) {
  const std::size_t equals = cause.find('=');
  if (equals != std::string::npos)
    return std::ranges::any_of(found.choices, [&](const ChoiceFinding& choice) {
      return choice.name.ends_with(cause.substr(0, equals)) && choice.state == ChoiceFinding::State::decided && choice.alternative.starts_with(cause.substr(equals + 1));
    });
  const auto names = [&](const Explanation& one) { return std::ranges::find(one.members, cause) != one.members.end(); };
  return as_first ? !found.explaining.empty() && names(found.explaining.front()) : std::ranges::any_of(found.explaining, names);
}

class PublishedLog : public testing::TestWithParam<std::string> {};

/// A log states its cause, of each part: a profile that explains it, or a `choice=alternative` that the answers decide.
TEST_P(PublishedLog, TheCauseIsFound) {
  Result<ObservedLog> log = read_observations(pages(), {}, folder + "/" + GetParam() + ".json");
  ASSERT_TRUE(log) << to_text(log.error());
  ASSERT_EQ(log->causes.size(), log->parts.size()) << "a cause for each part";
  Result<LogIdentification> found = identify_log(pages(), *log, {});
  ASSERT_TRUE(found) << to_text(found.error());
  for (const Identification& part : found->parts) {
    ASSERT_TRUE(log->causes.contains(part.part)) << part.part;
    EXPECT_TRUE(is_found(part, log->causes.at(part.part), !log->system.empty())) << log->causes.at(part.part) << "\n" << identification_text(part, false);
  }
}

INSTANTIATE_TEST_SUITE_P(Public, PublishedLog, testing::ValuesIn(logs()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace tiebreak
