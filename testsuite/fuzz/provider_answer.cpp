// SPDX-License-Identifier: Apache-2.0
// Any text as the answer of a user's provider: one error that names it, or a range that is one, or a scale above zero and a whole zero point.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "testsuite/calibrate/provider.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tiebreak;
  const auto answer = read_answer(std::string(reinterpret_cast<const char*>(data), size), "provider p: tensor x");
  if (!answer) {
    if (answer.error().code != Errc::backend || answer.error().what.empty() || answer.error().where != "provider p: tensor x") std::abort();
    return 0;
  }
  if (answer->range.has_value() == answer->parameters.has_value()) std::abort();
  if (answer->range && !(answer->range->first <= answer->range->second)) std::abort();
  if (answer->parameters && (answer->parameters->first.sign() <= 0 || !answer->parameters->second.is_whole())) std::abort();
  return 0;
}
