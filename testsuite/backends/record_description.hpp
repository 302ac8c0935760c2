// SPDX-License-Identifier: Apache-2.0
// recorded.json: whose answers a recorded folder has, from which machine, and which files hold them (docs/recorded.md).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"

namespace tiebreak {

inline constexpr const char* record_description_name = "recorded.json";

struct RecordedMachine {
  std::string instruction_set;   ///< what the backend says of it, else the architecture
  std::string architecture;      ///< x86_64
  std::string operating_system;  ///< Debian GNU/Linux 12 (bookworm)
};
/// The machine that this process runs on.
RecordedMachine this_machine(const BackendDescription& system);

struct RecordedFile {
  std::string file;  ///< beside recorded.json
  std::string op;    ///< "" for programs of several ops
  std::int64_t requests = 0;
  std::string sha256{};
};

struct RecordDescription {
  BackendDescription system{};  ///< as the adapter described it, paths reduced to names of files
  RecordedMachine machine{};
  std::string tool_version{};
  bool complete = true;           ///< false: the run was interrupted
  std::int64_t unanswered = 0;    ///< requests that got no answer: a crash, no answer in time
  std::int64_t contradicted = 0;  ///< requests that got several answers that differ
  std::vector<RecordedFile> files{};
};

/// A detail that is a path of the machine becomes the name of the file: records of two machines can be compared, and say nothing of a user's folders.
BackendDescription without_paths(BackendDescription system);

/// The JSON, which has a checksum of itself: a changed byte does not go unseen.
std::string record_description_text(const RecordDescription& record);
/// Errors name the file, or the place in it.
Result<RecordDescription> read_record_description(const std::string& path);

}  // namespace tiebreak
