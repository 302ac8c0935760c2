// SPDX-License-Identifier: Apache-2.0
// Whose arithmetic is it? Questions that split the candidates, the answers, and what is left of the candidates.
#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"
#include "testsuite/candidates/observed_cases.hpp"
#include "testsuite/candidates/probes.hpp"
#include "testsuite/candidates/search.hpp"

namespace tiebreak {

struct IdentifyOptions {
  std::string op;
  std::map<std::string, std::string> types{};  ///< operand, result or attribute -> element type
  std::size_t probes = 64;                     ///< questions (elements) at most
  std::uint64_t confirm = 0;                   ///< further elements, tie-directed, that must be explained too
  std::uint64_t seed = 1;                      ///< of those
  bool decide_choices = true;                  ///< questions left over go to what differs from the answer in one choice
  std::size_t combinations = 20000;            ///< the whole product of alternatives is tried up to this size
  std::string preferred{};                     ///< the profile that stands first among equal explanations: what the backend declares
  std::function<bool()> interrupted{};
  /// Questions for the profiles; the rest of them is for what lies beside the answer.
  std::size_t first_probes() const { return std::max<std::size_t>(1, probes * 3 / 4); }
};

struct Explanation {
  std::string name;
  std::vector<std::string> members{};  ///< profiles with the same choice values
  std::size_t undefined = 0;           ///< answers it leaves undefined
  std::string relation{};              ///< of the others to the first: "equal on all 12,000 inputs of 40 parameter sets", "not separated by ..."
};

struct Rejection {
  std::string name;
  std::vector<std::string> members{};
  std::size_t explained = 0;
  Witness witness;
};

struct ChoiceFinding {
  enum class State : std::uint8_t { decided, open, idle } state = State::decided;
  std::string name;
  std::string alternative;              ///< of the explanation
  std::vector<std::string> possible{};  ///< alternatives that explain the answers as well
};

struct Confirmation {
  std::uint64_t asked = 0, answered = 0, different = 0, undefined = 0;
  std::uint64_t seed = 0;
  std::optional<Witness> first{};
  std::string refusal{};  ///< of what was not answered
};

struct Identification {
  enum class Verdict : std::uint8_t {
    identified,    ///< one class of candidates explains every answer
    several,       ///< more than one does, and inputs are known that would tell
    combination,   ///< no profile does, a combination of alternatives does
    none,          ///< nothing does
    inconclusive,  ///< no answers
  } verdict = Verdict::inconclusive;
  std::map<std::string, std::string> context{};
  std::string op, types;
  std::string part{};  ///< of a log that tells parts apart: body, tail
  std::size_t candidates = 0;
  std::vector<std::string> silent{};  ///< profiles that say nothing about the op
  std::size_t answers = 0;
  std::vector<Witness> asked{};           ///< every question with its answer; `predicted` is the explanation's
  std::vector<Explanation> explaining{};  ///< best first
  std::vector<Rejection> rejected{};      ///< the nearest first
  std::vector<ChoiceFinding> choices{};
  std::string searched{};               ///< free combinations: what was tried
  std::vector<std::string> deciding{};  ///< inputs that would decide among several
  std::optional<Confirmation> confirmation{};
  std::vector<std::string> refusals{};  ///< what the backend did not answer, with its reasons
  std::vector<std::string> notes{};
  bool incomplete = false;  ///< interrupted: what was known until then; questions, choices or further elements may be missing
  int exit_code() const;    ///< 0 identified, 1 nothing or only a combination explains everything, 5 no verdict
};
const char* to_word(Identification::Verdict verdict);

/// What is asked does not depend on the backend: for many backends it is made once.
struct Questions {
  std::vector<std::string> ops{};  ///< whose choices are in question: the op, or those of a program
  /// How explanations relate to the first, where the pool does not say it: at the parameters of a log.
  std::function<Result<Relations>(const std::vector<Candidate>&)> relate{};
  std::optional<OpRoles> roles{};  ///< none for ops that are not asked about one element at a time
  std::vector<ProbeSet> pool{};
  std::vector<Candidate> candidates{};
  std::vector<std::string> silent{};
  ProbePlan first{};  ///< splits the profiles
};
Result<Questions> make_questions(const Library& library, const IdentifyOptions& options);

Result<Identification> identify(const Library& library, Backend& backend, const IdentifyOptions& options);
Result<Identification> identify(const Library& library, Backend& backend, const IdentifyOptions& options, const Questions& questions);
/// The same from what was observed. No further questions are asked: those that would decide are listed.
Result<Identification> identify_observed(const Library& library, Evidence evidence, const IdentifyOptions& options);
Result<Identification> identify_observed(const Library& library, Evidence evidence, const IdentifyOptions& options, const Questions& questions);

/// Who answered, and with which pages it was judged.
void name_backend(Identification& identification, const Library& library, const BackendDescription& description);

/// The first explanation; of profiles with the same choices the one that the backend declares. "" where nothing explains everything.
std::string answer_name(const Identification& identification);
std::string witness_text(const Witness& witness);
std::string identification_text(const Identification& identification, bool colour);
std::string identification_json(const Identification& identification);  ///< tiebreak.identify/1

}  // namespace tiebreak
