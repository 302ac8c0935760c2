// SPDX-License-Identifier: Apache-2.0
// What is prepared before a backend is asked: candidates, a pool of inputs, and the inputs that tell the profiles apart.
#include "testsuite/identify/identify.hpp"

namespace tiebreak {

Result<Questions> make_questions(const Library& library, const IdentifyOptions& options) {
  TIEBREAK_CHECK(library.find_op(options.op));
  Questions questions;
  questions.ops = {options.op};
  ProfileCandidates found = profile_candidates(library, questions.ops);
  questions.candidates = std::move(found.candidates);
  questions.silent = std::move(found.silent);
  TIEBREAK_TRY(roles, roles_of(library, options.op, options.types));
  questions.roles = roles;
  TIEBREAK_TRY(pool, probe_pool(library, roles));
  questions.pool = std::move(pool);
  ProbeRequest request;
  request.most = options.first_probes();
  TIEBREAK_TRY(first, choose_probes(library, questions.candidates, questions.pool, request));
  questions.first = std::move(first);
  return questions;
}

}  // namespace tiebreak
