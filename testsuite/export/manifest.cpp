// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/manifest.hpp"

#include "testsuite/export/words.hpp"

namespace tiebreak {
namespace {

void write_extents(const std::vector<std::int64_t>& extents, JsonWriter& json) {
  json.begin_array();
  for (const std::int64_t extent : extents) json.value(extent);
  json.end_array();
}

void write_quantization(const QuantizedType& type, JsonWriter& json) {
  json.key("scales").begin_array();
  for (const Scale& scale : type.scales) json.value(scale_text(scale.value));
  json.end_array().key("zero_points").begin_array();
  for (const ZeroPoint& zero_point : type.zero_points) json.value(zero_point.value.to_string());
  json.end_array();
  if (type.is_per_tensor()) return;
  json.key("axes").begin_array();
  for (const QuantizedDimension& dimension : type.dimensions) json.value(dimension.axis);
  json.end_array().key("blocks").begin_array();
  for (const QuantizedDimension& dimension : type.dimensions) json.value(dimension.block);
  json.end_array();
}

}  // namespace

void begin_manifest_case(const ExportedCase& exported, JsonWriter& json) {
  json.begin_object().member("id", exported.id).member("profile", exported.profile);
  json.member("folder", exported.folder).member("op_hashes", exported.op_hashes).member("clauses", exported.clauses);
  if (!exported.notes.empty()) json.member("notes", exported.notes);
  json.key("tensors").begin_array();
}

void write_manifest_tensor(const ExportedTensor& tensor, const std::map<std::string, std::string>& files, JsonWriter& json) {
  const ElementType& element = tensor.tensor.element();
  json.begin_object().member("name", tensor.name).member("role", to_word(tensor.role)).member("of", tensor.of);
  json.member("type", element.name()).member("bits", element.bits()).member("c_type", c_type(element)).key("shape");
  write_extents(tensor.tensor.shape(), json);
  json.member("elements", tensor.tensor.size());
  if (tensor.tensor.type().quantized) write_quantization(*tensor.tensor.type().quantized, json);
  if (!tensor.undefined.empty()) {
    std::int64_t undefined = 0;
    for (const std::uint8_t one : tensor.undefined) undefined += one != 0 ? 1 : 0;
    json.member("undefined", undefined);
  }
  if (!tensor.notes.empty()) json.member("notes", tensor.notes);
  json.member("files", files).end_object();
}

void end_manifest_case(const std::map<std::string, std::vector<std::string>>& benches, JsonWriter& json) {
  json.end_array();
  if (!benches.empty()) {
    json.key("benches").begin_object();
    for (const auto& [language, files] : benches) json.member(language, files);
    json.end_object();
  }
  json.end_object();
}

}  // namespace tiebreak
