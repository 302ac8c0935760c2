// SPDX-License-Identifier: Apache-2.0
// The checksum that a golden file has of a case, over what is left of it when all is cleared that is not the question.
#include "testsuite/backends/asked_digest.hpp"

#include <utility>

#include "testsuite/exchange/file_layout.hpp"

namespace tiebreak {
namespace {

/// What is known of the tensors' parameters is said of them and asks nothing else: a record stays where more of it becomes known.
void forget_parameters(ExchangeCase& one) {
  for (ExchangeTensor& input : one.inputs) input.parameters.reset();
  for (ExchangeTensor& output : one.outputs) output.parameters.reset();
}

Result<std::string> digest_of(ExchangeCase one, const char* kind) {
  one.id = "case";  // every case has an id: the same for all
  one.reason.clear();
  ExchangeFile file;
  file.kind = kind;
  file.cases.push_back(std::move(one));
  TIEBREAK_TRY(tree, encode_file(file));
  TIEBREAK_TRY(cases, find_cases(tree, file.cases.front().id));
  return case_checksum(*cases.front().group);
}

}  // namespace

Result<std::string> asked_digest(const ExchangeCase& request) {
  ExchangeCase asked = request;
  asked.profile.clear();
  asked.clauses.clear();
  asked.status.clear();
  for (ExchangeTensor& input : asked.inputs) input.operand.clear();  // a page that renames one asks the same
  forget_parameters(asked);
  return digest_of(std::move(asked), "request");
}

Result<std::string> answer_digest(const ExchangeCase& answer) {
  ExchangeCase answered = answer;
  forget_parameters(answered);
  return digest_of(std::move(answered), "response");
}

}  // namespace tiebreak
