// SPDX-License-Identifier: Apache-2.0
// export.json, tiebreak.export/1: what every file of an export is.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "interpreter/json/json_writer.hpp"
#include "testsuite/export/exported.hpp"

namespace tiebreak {

/// An object of the case, open at its list of tensors.
void begin_manifest_case(const ExportedCase& exported, JsonWriter& json);
/// `files`: by format, from the folder of the export on.
void write_manifest_tensor(const ExportedTensor& tensor, const std::map<std::string, std::string>& files, JsonWriter& json);
/// `benches`: by language.
void end_manifest_case(const std::map<std::string, std::vector<std::string>>& benches, JsonWriter& json);

}  // namespace tiebreak
