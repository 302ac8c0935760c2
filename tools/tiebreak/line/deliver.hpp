// SPDX-License-Identifier: Apache-2.0
// The end of a run: what a person reads first, then every file that was asked for.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "testsuite/text/output_file.hpp"

namespace tiebreak::command {

/// One form of a result, for the file of that name. "" and "-" are no files; then the content is not made.
struct Form {
  std::string path;
  std::function<std::string()> content;
};
/// Prints the text, or in its place the form whose path is "-", then writes each file. All are tried: a full disk hides no verdict. The first error is
/// returned.
Status deliver(OutputFiles& files, const std::string& text, const std::vector<Form>& forms);

/// What there is of a result before its end, in its file: for whoever finds it there after the machine was killed. No file is none, and what cannot be written
/// now is tried at the end.
void write_so_far(const std::string& path, const std::string& content);

}  // namespace tiebreak::command
