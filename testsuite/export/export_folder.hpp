// SPDX-License-Identifier: Apache-2.0
// The folder of an export: written beside its final name, renamed when it is whole.
#pragma once
#include <map>
#include <set>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/export/exported.hpp"
#include "testsuite/export/identifiers.hpp"

namespace tiebreak {

enum class ExportFormat : std::uint8_t { npy, memh, mif, c, csv, c_test, sv_test };
/// npy, memh ...: the formats' words, in their order.
std::vector<std::string> export_format_words();
/// `npy,c-test`; "" is all. Benches bring what they read: c-test the headers, sv-test the memh files. Errc::usage with the nearest word.
Result<std::set<ExportFormat>> parse_export_formats(const std::string& text);

/// Gives the folder `made` the name `folder`; what has that name is removed, and keeps it where `made` cannot have it: Errc::io. Both stand side by side.
Status replace_folder(const std::string& made, const std::string& folder);

class ExportFolder {
 public:
  /// Errc::usage where the folder is there and not empty: with `replace` only where it is no export. Errc::io where nothing can be written there. Nothing
  /// stands under the final name before finish().
  static Result<ExportFolder> open(const std::string& folder, std::set<ExportFormat> formats, bool replace);
  ExportFolder(ExportFolder&& other) noexcept;
  ExportFolder(const ExportFolder&) = delete;
  ExportFolder& operator=(const ExportFolder&) = delete;
  ExportFolder& operator=(ExportFolder&&) = delete;
  /// Removes what was not finished.
  ~ExportFolder();

  /// Writes the case's files into a folder of its own, whose name it gets. How many they are.
  Result<std::size_t> add(ExportedCase& exported);
  /// Says in the manifest why a selected case is not there.
  void leave_out(const std::string& id, const std::string& why) { left_out_[id] = why; }
  /// Writes export.json and gives the folder its name; an export that stood there is removed.
  Status finish();

 private:
  ExportFolder() = default;
  Result<std::size_t> add_tensor(const ExportedCase& exported, const ExportedTensor& tensor);
  bool has(ExportFormat format) const { return formats_.contains(format); }

  std::string folder_{}, temporary_{};  ///< "" when there is nothing to remove
  std::set<ExportFormat> formats_{};
  Identifiers names_{};
  std::map<std::string, std::string> left_out_{};
  JsonWriter manifest_{};
};

}  // namespace tiebreak
