// SPDX-License-Identifier: Apache-2.0
#include "testsuite/candidates/semantics_word.hpp"

#include <algorithm>
#include <set>

#include "interpreter/evaluate/explain_difference.hpp"
#include "testsuite/candidates/candidates.hpp"
#include "testsuite/case/case.hpp"

namespace tiebreak {
namespace {

/// One `choice=alternative` of the word, and the keys under which the ops have it.
struct ChangedChoice {
  std::string name, alternative;
  std::vector<OpChoice> places{};
};

std::string joined_alternatives(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

Result<ChangedChoice> changed_choice(const std::vector<std::string>& ops, const std::vector<OpChoice>& choices, const std::string& part,
                                     const std::string& word) {
  const std::size_t equals = part.find('=');
  if (equals == std::string::npos) return fail(Errc::usage, "'" + part + "' is no choice=alternative", word);
  ChangedChoice changed{part.substr(0, equals), part.substr(equals + 1), {}};
  bool is_named = false;
  for (const auto member : {&OpChoice::key, &OpChoice::name, &OpChoice::own_name}) {
    for (const OpChoice& choice : choices) {
      if (choice.*member != changed.name) continue;
      is_named = true;
      if (std::ranges::find(choice.alternatives, changed.alternative) != choice.alternatives.end()) changed.places.push_back(choice);
    }
    if (!changed.places.empty()) break;
  }
  // Of one op the first: an own name may be that of choices of several modules.
  std::set<std::string> seen;
  std::erase_if(changed.places, [&](const OpChoice& choice) { return !seen.insert(op_of(choice)).second; });
  if (!changed.places.empty()) return changed;
  if (!is_named) {
    std::vector<std::string> names;
    for (const OpChoice& choice : choices) names.push_back(choice.name);
    const std::string near = nearest(changed.name, names);
    const std::string owner = ops.size() == 1 ? ops[0] + " has no choice '" : "none of the ops has a choice '";
    return fail(Errc::unknown_name, owner + changed.name + "'", word,
                near.empty() ? "tiebreak spec show " + (ops.empty() ? "OP" : ops[0]) : "did you mean '" + near + "'?");
  }
  std::vector<std::string> alternatives;
  for (const OpChoice& choice : choices)
    if (choice.name == changed.name || choice.own_name == changed.name || choice.key == changed.name)
      alternatives.insert(alternatives.end(), choice.alternatives.begin(), choice.alternatives.end());
  const std::string near = nearest(changed.alternative, alternatives);
  return fail(Errc::unknown_name, "choice " + changed.name + " has no alternative '" + changed.alternative + "'", word,
              near.empty() ? "one of " + joined_alternatives(alternatives) : "did you mean '" + near + "'?");
}

struct ParsedWord {
  Profile profile{};
  std::vector<ChangedChoice> changes{};
};

Result<ParsedWord> parse_word(const Library& library, const std::vector<std::string>& ops, const std::string& word) {
  const std::size_t colon = word.find(':');
  TIEBREAK_TRY(base, library.find_profile(word.substr(0, colon)));
  ParsedWord parsed{*base, {}};
  if (colon == std::string::npos) return parsed;
  const std::vector<OpChoice> choices = choices_of_ops(library, ops);
  for (std::size_t begin = colon + 1; begin <= word.size();) {
    const std::size_t comma = std::min(word.find(',', begin), word.size());
    TIEBREAK_TRY(changed, changed_choice(ops, choices, word.substr(begin, comma - begin), word));
    begin = comma + 1;
    for (const OpChoice& choice : changed.places) parsed.profile.choices[choice.key] = ProfileValue{.alternative = changed.alternative};
    parsed.changes.push_back(std::move(changed));
  }
  parsed.profile.name = word;
  return parsed;
}

/// What the formulas of cases read, found as far as it is asked for.
class Readings {
 public:
  Readings(const Semantics& semantics, const std::vector<const Case*>& cases) : library_(semantics.library), profile_(semantics.profile), cases_(cases) {}

  /// Whether some case's formula reads the choice. What cannot be bound, or belongs to a stage before the formula, is not counted against it.
  bool has(const ChangedChoice& changed) {
    const auto is_called = [&](const std::string& op) {
      return std::ranges::any_of(
          cases_, [&](const Case* test) { return std::ranges::find(test->program.operations, op, &Operation::op) != test->program.operations.end(); });
    };
    if (std::ranges::any_of(changed.places, [&](const OpChoice& choice) { return !is_called(op_of(choice)); })) return true;
    for (const Case* test : cases_) {
      const std::vector<Operation>& operations = test->program.operations;
      for (std::size_t i = 0; i < operations.size(); ++i)
        for (const OpChoice& choice : changed.places)
          if (op_of(choice) == operations[i].op && reads(*test, i, choice.key)) return true;
    }
    return false;
  }

  /// `onnx takes requantize.code=f32, and only code=one_stage or code=integer read it`, of the last case that has the op.
  std::string why_not(const ChangedChoice& changed) const {
    if (!last_) return "no case calls the op";
    const auto own = readings_of({library_, profile_}, *last_);
    if (!own) return own.error().what;
    std::vector<std::string> takes, others;
    for (const OpChoice& choice : choices_of(library_, last_->op)) {
      const auto bound = own->find(choice.key);
      if (bound == own->end()) continue;
      std::vector<std::string> opening;
      for (const std::string& alternative : choice.alternatives)
        if (alternative != bound->second && is_read_with(changed, choice, alternative)) opening.push_back(choice.name + "=" + alternative);
      if (opening.empty()) continue;
      takes.push_back(choice.name + "=" + bound->second);
      others.insert(others.end(), opening.begin(), opening.end());
    }
    if (takes.empty()) return "no formula of the op reads it here";
    return profile_.name.substr(0, profile_.name.find(':')) + " takes " + joined_alternatives(takes) + ", and only " + joined_alternatives(others) +
           (others.size() == 1 ? " reads it" : " read it");
  }

 private:
  bool reads(const Case& test, std::size_t operation, const std::string& key) {
    Result<OpCall> call = reach_call({library_, profile_}, test.program, operation, test.inputs);
    if (!call) return call.error().code == Errc::unsupported || call.error().code == Errc::unknown_name;  // of an op before it: not this choice's fault
    const auto readings = readings_of({library_, profile_}, *call);
    if (!readings) return true;  // a region, or a call that is refused: not this choice's fault
    last_ = *std::move(call);
    return readings->contains(key);
  }

  bool is_read_with(const ChangedChoice& changed, const OpChoice& choice, const std::string& alternative) const {
    Profile other = profile_;
    other.choices[choice.key] = ProfileValue{.alternative = alternative};
    const auto readings = readings_of({library_, other}, *last_);
    return readings && std::ranges::any_of(changed.places, [&](const OpChoice& place) { return readings->contains(place.key); });
  }

  const Library& library_;
  const Profile& profile_;
  const std::vector<const Case*>& cases_;
  std::optional<OpCall> last_{};
};

}  // namespace

Profile with_choice(const Profile& profile, const std::string& key, const std::string& alternative) {
  Profile changed = profile;
  changed.choices[key] = ProfileValue{.alternative = alternative};
  return changed;
}

bool changes_choices(const std::string& word) { return word.find(':') != std::string::npos; }

Result<Profile> parse_semantics(const Library& library, const std::string& op, const std::string& word) {
  TIEBREAK_TRY(parsed, parse_word(library, {op}, word));
  return std::move(parsed.profile);
}

Result<Profile> semantics_of_cases(const Library& library, const std::vector<const Case*>& cases, const std::string& word) {
  std::vector<std::string> ops;
  for (const Case* test : cases)
    for (const Operation& operation : test->program.operations)
      if (std::ranges::find(ops, operation.op) == ops.end()) ops.push_back(operation.op);
  TIEBREAK_TRY(parsed, parse_word(library, ops, word));
  Readings readings({library, parsed.profile}, cases);
  for (const ChangedChoice& changed : parsed.changes) {
    if (readings.has(changed)) continue;
    return fail(Errc::usage, "choice " + changed.name + " has no effect on " + op_of(changed.places.front()) + ": " + readings.why_not(changed), word);
  }
  return std::move(parsed.profile);
}

Result<Profile> semantics_of_cases(const Library& library, const std::vector<Case>& cases, const std::string& word) {
  std::vector<const Case*> all;
  for (const Case& test : cases) all.push_back(&test);
  return semantics_of_cases(library, all, word);
}

}  // namespace tiebreak
