// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/log_comparison.hpp"

#include <algorithm>

#include "testsuite/identify/drawn_inputs.hpp"
#include "testsuite/identify/log_parameter_sets.hpp"
#include "testsuite/text/text_table.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_own_settings = 16;
constexpr std::size_t most_compared_candidates = 24;  // candidates
constexpr std::size_t most_deciding = 8;

/// One input with what every candidate makes of it; "" where that is not defined or not known.
struct Question {
  std::string text;
  std::vector<std::string> answers{};
};

bool differ(const Question& question, std::size_t i, std::size_t j) {
  const std::string &a = question.answers[i], &b = question.answers[j];
  return !a.empty() && !b.empty() && a != b;
}

/// `4 (tvm-0.18-f32-upward, tosa-single and 3 more), 3 (gemmlowp)`, in the order in which the answers come.
std::string named_answers(const Question& question, const std::vector<Candidate>& candidates) {
  std::string text;
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string& answer = question.answers[i];
    if (answer.empty() || std::ranges::find(seen, answer) != seen.end()) continue;
    seen.push_back(answer);
    std::vector<std::string> names;
    for (std::size_t k = i; k < candidates.size(); ++k)
      if (question.answers[k] == answer) names.push_back(candidates[k].name);
    text += (text.empty() ? "" : ", ") + answer + " (" + names[0] + (names.size() > 1 ? ", " + names[1] : "") +
            (names.size() > 2 ? " and " + std::to_string(names.size() - 2) + " more" : "") + ")";
  }
  return text;
}

/// The fewest questions, by greedy choice, that tell apart every two candidates that one of them can.
std::vector<std::string> deciding_among(const std::vector<Question>& questions, const std::vector<Candidate>& candidates) {
  std::vector<std::pair<std::size_t, std::size_t>> together;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    for (std::size_t j = i + 1; j < candidates.size(); ++j) together.emplace_back(i, j);
  std::vector<std::string> deciding;
  while (deciding.size() < most_deciding) {
    const Question* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const Question& question : questions) {
      const auto splits = std::ranges::count_if(together, [&](const auto& pair) { return differ(question, pair.first, pair.second); });
      if (splits > most) {
        most = splits;
        best = &question;
      }
    }
    if (best == nullptr) break;
    deciding.push_back(best->text + ": " + named_answers(*best, candidates));
    std::erase_if(together, [&](const auto& pair) { return differ(*best, pair.first, pair.second); });
  }
  return deciding;
}

std::string answer_text(const Staircase& stairs, std::int64_t outcome) {
  if (outcome == outcome_undefined) return "";
  return outcome == outcome_nan ? "nan" : value_text(stairs.output.value(outcome));
}

class OwnComparison {
 public:
  OwnComparison(const Library& library, const ObservedLog& log, const std::vector<Candidate>& candidates)
      : library_(library), log_(log), candidates_(candidates), count_(std::min(candidates.size(), most_compared_candidates)) {
    found_.stands.assign(candidates.size(), OwnStand::unknown);
    found_.texts.resize(candidates.size());
    found_.stands[0] = OwnStand::equal;
  }

  OwnRelations run() {
    compare_stairs();
    const bool some_left = std::ranges::any_of(found_.stands, [](OwnStand stand) { return stand == OwnStand::unknown || stand == OwnStand::alike; });
    if (some_left) compare_drawn();
    for (std::size_t i = 1; i < candidates_.size(); ++i)
      if (found_.texts[i].empty()) found_.texts[i] = i < count_ ? "not compared at these parameters" : "one of many, not compared at these parameters";
    found_.deciding = deciding_among(questions_, candidates_);
    return std::move(found_);
  }

 private:
  void compare_stairs() {
    const OwnSettings settings = own_settings(library_, log_, most_own_settings);
    if (settings.sets.empty()) return;
    std::vector<std::uint64_t> different(count_, 0), total(count_, 0);
    std::vector<std::vector<bool>> same(count_, std::vector<bool>(count_, true));
    std::vector<bool> known(count_, true), proved(count_, settings.all), partial(count_, false);
    for (const OwnSetting& setting : settings.sets) {
      std::vector<std::optional<Staircase>> stairs;
      for (std::size_t i = 0; i < count_; ++i) stairs.push_back(stairs_at({library_, candidates_[i].profile}, setting, log_.ranges));
      for (std::size_t i = 1; i < count_; ++i) {
        known[i] = known[i] && stairs[0] && stairs[i] && stairs[0]->input.type == stairs[i]->input.type;
        if (!known[i]) continue;
        const Disagreement difference = compare(*stairs[0], *stairs[i]);
        different[i] += difference.count + (difference.nan_differs ? 1 : 0);
        total[i] += difference.total;
        proved[i] = proved[i] && difference.proved;
        partial[i] = partial[i] || difference.one_sided > 0;
      }
      note_same(stairs, same);
      ask_stairs(setting, stairs);
    }
    for (std::size_t i = 1; i < count_; ++i) {
      if (!known[i]) continue;
      conclude(i, settings, different[i], total[i], proved[i]);
      if (partial[i] && different[i] == 0) found_.texts[i] += ", where both define the result";
      std::size_t like = 1;
      while (like < i && !same[like][i]) ++like;
      if (different[i] > 0 && like < i) found_.texts[i] = "equal to " + candidates_[like].name + " there, with " + found_.texts[i];
    }
  }

  static void note_same(const std::vector<std::optional<Staircase>>& stairs, std::vector<std::vector<bool>>& same) {
    for (std::size_t i = 0; i < stairs.size(); ++i)
      for (std::size_t j = i + 1; j < stairs.size(); ++j) {
        if (!same[i][j]) continue;
        const bool comparable = stairs[i] && stairs[j] && stairs[i]->input.type == stairs[j]->input.type;
        const Disagreement difference = comparable ? compare(*stairs[i], *stairs[j]) : Disagreement{};
        same[i][j] = comparable && difference.equal() && difference.one_sided == 0;
      }
  }

  void conclude(std::size_t i, const OwnSettings& settings, std::uint64_t different, std::uint64_t total, bool proved) {
    const std::string& varied = settings.sets.front().varied;
    const std::string of = " values of " + std::string(varied == "accumulator" ? "the accumulator" : varied) + " at ";
    const std::string sets = settings.sets.size() == 1 ? "these parameters" : "these " + counted(settings.sets.size(), "parameter set");
    const std::string over = "all " + std::to_string(total / settings.sets.size()) + of + (settings.sets.size() == 1 ? "" : "each of ") + sets;
    // The step after a sum does not show how the sum was made.
    const bool is_whole = varied != "accumulator" || same_accumulator(i);
    if (different > 0) {
      found_.stands[i] = OwnStand::apart;
      found_.texts[i] = "another result on " + std::to_string(different) + " of " + std::to_string(total) + of + sets;
    } else {
      found_.stands[i] = proved && is_whole ? OwnStand::equal : OwnStand::alike;
      found_.texts[i] = "equal on " + over + (proved ? "" : settings.all ? ", without proof" : ", the first of more");
    }
  }

  /// Whether nothing but what follows the accumulator may differ.
  bool same_accumulator(std::size_t i) const {
    for (const OpChoice& choice : choices_of_ops(library_, log_.ops)) {
      const std::string op = op_of(choice);
      if (choice.alias.empty() && bound_text({library_, candidates_[0].profile}, op, choice) != bound_text({library_, candidates_[i].profile}, op, choice))
        return false;
    }
    return true;
  }

  /// The input of least magnitude at which two candidates part, for every two that do.
  void ask_stairs(const OwnSetting& setting, const std::vector<std::optional<Staircase>>& stairs) {
    std::vector<std::int64_t> asked;
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t j = i + 1; j < count_; ++j) {
        if (!stairs[i] || !stairs[j] || !(stairs[i]->input.type == stairs[j]->input.type)) continue;
        const std::optional<std::int64_t> witness = compare(*stairs[i], *stairs[j]).witness;
        if (!witness || std::ranges::find(asked, *witness) != asked.end()) continue;
        asked.push_back(*witness);
        Question question{setting.at(value_text(stairs[i]->input.value(*witness))), std::vector<std::string>(candidates_.size())};
        for (std::size_t k = 0; k < count_; ++k)
          if (stairs[k]) question.answers[k] = answer_text(*stairs[k], stairs[k]->at(*witness));
        questions_.push_back(std::move(question));
      }
  }

  void compare_drawn() {
    std::vector<Profile> profiles;
    for (std::size_t i = 0; i < count_; ++i) profiles.push_back(candidates_[i].profile);
    DrawnComparison drawn = compare_on_drawn_inputs(library_, log_, profiles);
    if (drawn.inputs == 0) return;
    for (DrawnQuestion& question : drawn.questions) {
      question.answers.resize(candidates_.size());
      questions_.push_back({std::move(question.text), std::move(question.answers)});
    }
    for (std::size_t i = 1; i < count_; ++i) {
      if (found_.stands[i] == OwnStand::equal || found_.stands[i] == OwnStand::apart) continue;
      const std::string over = drawn.over();
      const bool was_alike = found_.stands[i] == OwnStand::alike;
      if (drawn.different[i] > 0) {
        found_.stands[i] = OwnStand::apart;
        found_.texts[i] = "another result on " + std::to_string(drawn.different[i]) + " of " + over;
      } else {
        found_.stands[i] = drawn.is_every_input ? OwnStand::equal : OwnStand::alike;
        found_.texts[i] = (was_alike ? found_.texts[i] + "; " : "") + "equal on " + over;
      }
    }
  }

  const Library& library_;
  const ObservedLog& log_;
  const std::vector<Candidate>& candidates_;
  std::size_t count_;
  std::vector<Question> questions_{};
  OwnRelations found_{};
};

}  // namespace

OwnRelations compare_at_own_parameters(const Library& library, const ObservedLog& log, const std::vector<Candidate>& candidates) {
  if (candidates.empty()) return {};
  return OwnComparison(library, log, candidates).run();
}

}  // namespace tiebreak
