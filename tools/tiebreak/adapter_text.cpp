// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/adapter_text.hpp"

#include "tools/tiebreak/command.hpp"
#include "tools/tiebreak/interrupt.hpp"

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

}  // namespace tiebreak::command
