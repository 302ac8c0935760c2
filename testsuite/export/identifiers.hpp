// SPDX-License-Identifier: Apache-2.0
// Names of values as names of files, of C and of SystemVerilog.
#pragma once
#include <set>
#include <string>

#include "testsuite/export/exported.hpp"

namespace tiebreak {

/// Names that were given out. Each is another one without regard to case, since macros are in capitals and some file systems do not tell them apart.
class Identifiers {
 public:
  /// `in_x` of an input `x`: the role's word, which no keyword and no function of a library begins with, then the name with `_` for everything but letters and
  /// digits. At most 100 characters; the second of one name ends in `_2`.
  std::string unique(ExportRole role, const std::string& of);
  /// A case's id as the name of a folder: letters, digits, `.`, `_` and `-`.
  std::string unique_folder(const std::string& id);

 private:
  std::string numbered(std::string name);
  std::set<std::string> taken_{};  ///< in small letters
};

/// `IN_X` of `in_x`.
std::string macro_name(const std::string& identifier);

}  // namespace tiebreak
