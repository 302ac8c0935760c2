// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/deliver.hpp"

#include <algorithm>
#include <filesystem>

#include "tools/tiebreak/line/console.hpp"

namespace tiebreak::command {

Status deliver(OutputFiles& files, const std::string& text, const std::vector<Form>& forms) {
  const auto in_place = std::ranges::find(forms, "-", &Form::path);
  Status status = print(in_place == forms.end() ? text : in_place->content());
  for (const Form& form : forms) {
    if (form.path.empty() || form.path == "-") continue;
    Status written = files.write(form.path, form.content());
    if (status) status = std::move(written);
  }
  return status;
}

void write_so_far(const std::string& path, const std::string& content) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (path.empty() || path == "-" || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) return;
  const std::string beside = path + ".so-far";
  if (!write_file(beside, content)) return;
  std::filesystem::rename(beside, path, error);
  if (error) std::filesystem::remove(beside, error);
}

}  // namespace tiebreak::command
