// SPDX-License-Identifier: Apache-2.0
// Backends around a record: one that answers from it, and one that keeps what another answers.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "testsuite/backends/record_folder.hpp"

namespace tiebreak {

/// How a recorded folder is named where a backend is: `recorded:FOLDER`.
inline constexpr std::string_view recorded_prefix = "recorded:";

/// Answers what was answered to the same request, and not_recorded to every other. Its description is the recorded backend's, with a detail `recorded`.
Result<std::unique_ptr<Backend>> open_recorded(const std::string& folder);

/// Passes every request on, and keeps the answers. `backend` outlives it.
class RecordingBackend final : public Backend {
 public:
  /// Errors as RecordFolder::open(), and where the backend does not describe itself.
  static Result<std::unique_ptr<RecordingBackend>> open(Backend& backend, const std::string& folder);

  Result<BackendDescription> describe() override { return backend_.describe(); }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override;
  std::string path() const override { return backend_.path(); }
  bool is_parallel() const override { return backend_.is_parallel(); }

  /// Writes the folder, and gives its description. `complete`: the run was not interrupted.
  Result<RecordDescription> finish(bool complete);

 private:
  RecordingBackend(Backend& backend, RecordFolder folder, BackendDescription description);
  void keep(const ExchangeCase& asked, const BackendAnswer& answer);

  Backend& backend_;
  RecordFolder folder_;
  BackendDescription description_;
  std::mutex mutex_{};
  std::map<std::string, ExchangeCase> answers_{};
  std::map<std::string, std::string> digests_{};  ///< of these
  std::set<std::string> unanswered_{}, contradicted_{};
};

}  // namespace tiebreak
