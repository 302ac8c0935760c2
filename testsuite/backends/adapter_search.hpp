// SPDX-License-Identifier: Apache-2.0
// Where adapters are found: $TIEBREAK_ADAPTERS, then around the running program.
#pragma once
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

/// How an adapter is started: a program and what comes before its own arguments.
struct AdapterCommand {
  std::string path;                  ///< as found, for messages
  std::vector<std::string> command;  ///< {path}, or {/usr/bin/env, python3, path}
};

/// A name (tiebreak-adapter-NAME in a folder of adapters) or a path of an executable or a .py file.
Result<AdapterCommand> find_adapter(const std::string& name_or_path);
/// The folder of the module that adapters in Python may import (tools/adapters/python/exchange_case.py), below a folder of adapters; "" if it is not
/// installed.
std::string python_module_folder();
/// Names in all folders of adapters, sorted, each once.
std::vector<std::string> adapter_names();

}  // namespace tiebreak
