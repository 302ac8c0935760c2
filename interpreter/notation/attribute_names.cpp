// SPDX-License-Identifier: Apache-2.0
#include "interpreter/notation/attribute_names.hpp"

#include "interpreter/notation/words.hpp"

namespace tiebreak::notation {

std::string program_name(const std::string& declared) {
  if (!declared.ends_with('_')) return declared;
  const std::string word = declared.substr(0, declared.size() - 1);
  return is_reserved(word) ? word : declared;
}

}  // namespace tiebreak::notation
