// SPDX-License-Identifier: Apache-2.0
// A recorded folder: recorded.json and one response file an op, whole or not there.
#pragma once
#include <map>
#include <string>

#include "testsuite/backends/record_description.hpp"

namespace tiebreak {

struct Record {
  RecordDescription description{};
  /// By asked_digest(): a response's case, with the op, whose id is that digest.
  std::map<std::string, ExchangeCase> answers{};
};

/// Checks every byte: the description's checksum, each file's CRC table and digest, and that no other file lies there. Errors name the file.
Result<Record> read_record(const std::string& folder);

/// A folder that will hold a record, made before there is one: what cannot be written is known before a long run.
class RecordFolder {
 public:
  /// Errc::io where the folder cannot be made, Errc::usage where something else than a record lies at `path`. A record that lies there stays until write().
  static Result<RecordFolder> open(const std::string& path);

  RecordFolder(RecordFolder&& other) noexcept;
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;
  RecordFolder& operator=(RecordFolder&&) = delete;
  /// Removes what was not written.
  ~RecordFolder();

  /// Writes beside `path`, and takes its place in one step. Gives the description with its files.
  Result<RecordDescription> write(Record record);

 private:
  RecordFolder(std::string path, std::string temporary);
  std::string path_, temporary_;
};

}  // namespace tiebreak
