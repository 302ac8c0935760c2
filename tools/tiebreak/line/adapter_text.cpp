// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/adapter_text.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "tools/tiebreak/line/command.hpp"
#include "tools/tiebreak/line/interrupt.hpp"

namespace tiebreak::command {

Result<BackendOptions> to_backend_options(const AdapterText& text) {
  BackendOptions settings;
  settings.arguments = text.options;
  settings.interrupted = [] { return interrupted(); };
  if (!text.timeout.empty()) {
    TIEBREAK_TRY(seconds, parse_seconds(text.timeout, "--timeout"));
    settings.timeout_seconds = seconds;
  }
  if (!text.memory.empty()) {
    TIEBREAK_TRY(mebibytes, parse_count(text.memory, "--memory"));
    settings.memory_limit_mib = mebibytes;
  }
  return settings;
}

Result<std::unique_ptr<Backend>> open_backend(const std::string& word, BackendOptions options) {
  std::error_code ignored;
  const std::size_t end = std::filesystem::exists(word, ignored) ? word.size() : std::min(word.find(" --"), word.size());
  std::string name = word.substr(0, end);
  name.erase(name.find_last_not_of(' ') + 1);
  std::istringstream own(word.substr(end));
  for (std::string option; own >> option;) options.arguments.push_back(option);
  return Backend::open(name, options);
}

}  // namespace tiebreak::command
