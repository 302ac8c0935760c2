// SPDX-License-Identifier: Apache-2.0
// manifest.json: which golden files there are, their checksums, and the hash of the formulas and choices that they depend on.
#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "testsuite/golden/golden_files.hpp"

namespace tiebreak {
namespace {

constexpr const char* golden_schema = "tiebreak.golden/2";
/// One hash of all pages at the top, and one of the whole profile in each entry.
constexpr const char* earlier_schema = "tiebreak.golden/1";

Result<ManifestEntry> read_manifest_entry(const JsonValue& item, bool earlier) {
  const char* hash_key = earlier ? "profile_hash" : "spec_hash";
  TIEBREAK_CHECK(check_object(item, {"file", "sha256", "op", "profile", hash_key, "cases"}));
  ManifestEntry entry;
  const std::pair<const char*, std::string ManifestEntry::*> texts[] = {{"file", &ManifestEntry::file},
                                                                        {"sha256", &ManifestEntry::sha256},
                                                                        {"op", &ManifestEntry::op},
                                                                        {"profile", &ManifestEntry::profile},
                                                                        {hash_key, &ManifestEntry::spec_hash}};
  for (const auto& [key, field] : texts) {
    TIEBREAK_TRY(text, text_at(item, key));
    entry.*field = text;
  }
  if (entry.file.empty() || entry.file.find('/') != std::string::npos) return fail(Errc::corrupt, "'" + entry.file + "' is no file name", item.where);
  TIEBREAK_TRY(cases, member(item, "cases"));
  TIEBREAK_TRY(count, integer_of(*cases));
  entry.cases = count;
  return entry;
}

}  // namespace

std::string manifest_text(const Manifest& manifest) {
  JsonWriter json;
  json.begin_object().member("schema", golden_schema).key("files").begin_array();
  for (const ManifestEntry& entry : manifest.files) {
    json.begin_object().member("file", entry.file).member("sha256", entry.sha256).member("op", entry.op).member("profile", entry.profile);
    json.member("spec_hash", entry.spec_hash).member("cases", entry.cases).end_object();
  }
  json.end_array().end_object();
  return json.text();
}

Result<Manifest> read_manifest(const std::string& path) {
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_TRY(written_schema, text_at(root, "schema"));
  const bool earlier = written_schema == earlier_schema;
  if (!earlier && written_schema != golden_schema)
    return fail(Errc::corrupt, "schema '" + written_schema + "' is not known", root.where, std::string("this version reads ") + golden_schema);
  TIEBREAK_CHECK(earlier ? check_object(root, {"schema", "spec_hash", "files"}) : check_object(root, {"schema", "files"}));
  Manifest manifest;
  TIEBREAK_TRY(files, array_at(root, "files"));
  for (const JsonValue& item : files->items) {
    TIEBREAK_TRY(entry, read_manifest_entry(item, earlier));
    manifest.files.push_back(std::move(entry));
  }
  return manifest;
}

}  // namespace tiebreak
