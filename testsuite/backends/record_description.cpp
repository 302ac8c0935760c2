// SPDX-License-Identifier: Apache-2.0
// The checksum is over the text in which it is itself 64 zeros.
#include "testsuite/backends/record_description.hpp"

#include <sys/utsname.h>

#include <algorithm>

#include "interpreter/json/json_value.hpp"
#include "interpreter/json/json_writer.hpp"
#include "interpreter/sha256.hpp"
#include "testsuite/backends/description.hpp"

namespace tiebreak {
namespace {

using Kind = JsonValue::Kind;
constexpr const char* record_schema = "tiebreak.recorded/1";
constexpr std::size_t digest_digits = 64;

std::string text_with_checksum(const RecordDescription& record, const std::string& checksum) {
  JsonWriter json;
  json.begin_object().member("schema", record_schema).key("system");
  write_description(record.system, json);
  json.key("machine").begin_object().member("instruction_set", record.machine.instruction_set).member("architecture", record.machine.architecture);
  json.member("operating_system", record.machine.operating_system).end_object();
  json.member("tool_version", record.tool_version).member("complete", record.complete).member("unanswered", record.unanswered);
  json.member("contradicted", record.contradicted).key("files").begin_array();
  for (const RecordedFile& file : record.files) {
    json.begin_object().member("file", file.file).member("op", file.op).member("requests", file.requests).member("sha256", file.sha256);
    json.end_object();
  }
  json.end_array().member("checksum", checksum).end_object();
  return json.text();
}

bool is_own_checksum(std::string text, const std::string& checksum) {
  const std::size_t place = text.rfind('"' + checksum + '"');
  if (checksum.size() != digest_digits || place == std::string::npos) return false;
  text.replace(place + 1, digest_digits, digest_digits, '0');
  return sha256_hex(text) == checksum;
}

Result<std::int64_t> count_at(const JsonValue& object, const char* key) {
  TIEBREAK_TRY(value, member(object, key));
  TIEBREAK_TRY(number, integer_of(*value));
  if (number < 0) return fail(Errc::corrupt, "not a count", value->where);
  return number;
}

Result<RecordedFile> read_recorded_file(const JsonValue& item) {
  TIEBREAK_CHECK(check_object(item, {"file", "op", "requests", "sha256"}));
  RecordedFile file;
  for (const auto& [key, text] : {std::pair{"file", &file.file}, {"op", &file.op}, {"sha256", &file.sha256}}) {
    TIEBREAK_TRY(value, text_at(item, key));
    *text = value;
  }
  if (file.file.find('/') != std::string::npos || !file.file.ends_with(".h5"))
    return fail(Errc::corrupt, "'" + file.file + "' is no file of a record", item.where);
  TIEBREAK_TRY(requests, count_at(item, "requests"));
  file.requests = requests;
  return file;
}

Result<RecordedMachine> read_machine(const JsonValue& root) {
  TIEBREAK_TRY(object, member(root, "machine"));
  TIEBREAK_CHECK(check_object(*object, {"instruction_set", "architecture", "operating_system"}));
  TIEBREAK_TRY(instruction_set, text_at(*object, "instruction_set"));
  TIEBREAK_TRY(architecture, text_at(*object, "architecture"));
  TIEBREAK_TRY(operating_system, text_at(*object, "operating_system"));
  return RecordedMachine{instruction_set, architecture, operating_system};
}

/// `PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"` of /etc/os-release: libraries that round come with the distribution, not with the kernel.
std::string distribution_name() {
  const Result<std::string> text = read_text_file("/etc/os-release");
  const std::string key = "PRETTY_NAME=\"";
  const std::size_t begin = text ? text->find(key) : std::string::npos;
  if (begin == std::string::npos) return "";
  const std::size_t start = begin + key.size();
  return text->substr(start, std::min(text->find('"', start), text->find('\n', start)) - start);
}

}  // namespace

RecordedMachine this_machine(const BackendDescription& system) {
  RecordedMachine machine;
  struct utsname names {};
  if (::uname(&names) == 0) {
    machine.architecture = names.machine;
    machine.operating_system = names.sysname;
  }
  if (const std::string name = distribution_name(); !name.empty()) machine.operating_system = name;
  const auto isa = system.details.find("isa");
  machine.instruction_set = isa == system.details.end() || isa->second.empty() ? machine.architecture : isa->second;
  return machine;
}

BackendDescription without_paths(BackendDescription system) {
  for (auto& [name, text] : system.details)
    if (text.starts_with('/') && text.find_first_of(" \n") == std::string::npos) text.erase(0, text.rfind('/') + 1);
  return system;
}

std::string record_description_text(const RecordDescription& record) {
  return text_with_checksum(record, sha256_hex(text_with_checksum(record, std::string(digest_digits, '0'))));
}

Result<RecordDescription> read_record_description(const std::string& path) {
  TIEBREAK_TRY(text, read_text_file(path));
  TIEBREAK_TRY(root, parse_json(text, path));
  TIEBREAK_TRY(schema, text_at(root, "schema"));
  if (schema != record_schema)
    return fail(Errc::corrupt, "schema '" + schema + "' is not known", root.where, std::string("this version reads ") + record_schema);
  TIEBREAK_CHECK(check_object(root, {"schema", "system", "machine", "tool_version", "complete", "unanswered", "contradicted", "files", "checksum"}));
  TIEBREAK_TRY(checksum, text_at(root, "checksum"));
  if (!is_own_checksum(text, checksum)) return fail(Errc::corrupt, "the description is not what was written: its checksum does not fit", path);
  RecordDescription record;
  TIEBREAK_TRY(system, member(root, "system"));
  auto described = read_description(*system, system->where);
  if (!described) return fail(Errc::corrupt, described.error().what, described.error().where, described.error().hint);  // it is no backend that failed
  record.system = *std::move(described);
  TIEBREAK_TRY(machine, read_machine(root));
  record.machine = machine;
  TIEBREAK_TRY(tool_version, text_at(root, "tool_version"));
  record.tool_version = tool_version;
  TIEBREAK_TRY(complete, member(root, "complete"));
  if (!complete->is(Kind::boolean)) return fail(Errc::corrupt, "neither true nor false", complete->where);
  record.complete = complete->truth;
  TIEBREAK_TRY(unanswered, count_at(root, "unanswered"));
  TIEBREAK_TRY(contradicted, count_at(root, "contradicted"));
  record.unanswered = unanswered;
  record.contradicted = contradicted;
  TIEBREAK_TRY(files, array_at(root, "files"));
  for (const JsonValue& item : files->items) {
    TIEBREAK_TRY(file, read_recorded_file(item));
    record.files.push_back(std::move(file));
  }
  return record;
}

}  // namespace tiebreak
