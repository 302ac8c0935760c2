// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/deliver.hpp"

#include <algorithm>

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

}  // namespace tiebreak::command
