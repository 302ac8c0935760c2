// SPDX-License-Identifier: Apache-2.0
#include "testsuite/layers/dumps.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "interpreter/json/json_value.hpp"
#include "testsuite/case/literal_text.hpp"
#include "testsuite/case/value_name.hpp"

namespace fs = std::filesystem;

namespace tiebreak {
namespace {

/// The name as a file can have it.
std::string file_word(const std::string& name) {
  std::string word;
  for (char c : name) {
    const bool stays = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '-';
    word += stays ? c : '_';
  }
  return word.substr(std::min(word.find_first_not_of('_'), word.size()));
}

Result<std::vector<std::string>> array_files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error); !error && entry != fs::recursive_directory_iterator(); entry.increment(error))
    if (entry->is_regular_file(error) && is_array_file(entry->path().string())) files.push_back(entry->path().string());
  if (error) return fail(Errc::io, "the folder cannot be read: " + error.message(), folder);
  if (files.empty()) return fail(Errc::usage, "no dump of a tensor in this folder", folder, ".npy .npz .pb .h5 .raw .bin are read");
  std::ranges::sort(files);
  return files;
}

Result<std::vector<std::int64_t>> integers_at(const JsonValue& object, const char* key) {
  std::vector<std::int64_t> numbers;
  TIEBREAK_TRY(list, array_at(object, key));
  for (const JsonValue& item : list->items) {
    TIEBREAK_TRY(number, integer_of(item));
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

Result<Dumps> Dumps::load(const std::string& path, const std::string& map) {
  Dumps dumps;
  dumps.path_ = path;
  std::error_code error;
  if (!fs::exists(path, error)) return fail(Errc::io, "no such file or folder", path);
  std::set<std::string> in_map;
  if (!map.empty()) {
    TIEBREAK_TRY(entries, read_map(map));
    dumps.map_ = std::move(entries);
    for (const auto& [name, entry] : dumps.map_) {
      TIEBREAK_CHECK(dumps.read_entry(name, entry));
      in_map.insert(fs::weakly_canonical(entry.file, error).string());
    }
  }
  std::vector<std::string> files{path};
  if (fs::is_directory(path, error)) {
    Result<std::vector<std::string>> inside = array_files_in(path);
    if (!inside && dumps.map_.empty()) return tl::unexpected<Error>(inside.error());
    files = inside.value_or(std::vector<std::string>{});
  }
  for (const std::string& file : files) {
    if (in_map.contains(fs::weakly_canonical(file, error).string())) continue;
    TIEBREAK_TRY(arrays, read_array_file(file));
    std::ranges::move(arrays, std::back_inserter(dumps.arrays_));
  }
  return dumps;
}

Result<std::map<std::string, Dumps::MapEntry>> Dumps::read_map(const std::string& path) {
  std::map<std::string, MapEntry> entries;
  TIEBREAK_TRY(root, read_json_file(path));
  TIEBREAK_CHECK(check_object(root, {"schema", "tensors"}));
  TIEBREAK_TRY(schema, text_at(root, "schema"));
  if (schema != "tiebreak.dumps/1") return fail(Errc::syntax, "schema '" + schema + "' is not known", root.find("schema")->where, "tiebreak.dumps/1");
  TIEBREAK_TRY(tensors, member(root, "tensors"));
  if (!tensors->is(JsonValue::Kind::object))
    return fail(Errc::syntax, "an object {...} is expected here", tensors->where, "\"tensors\": {\"conv1\": \"07.npy\"}");
  for (std::size_t i = 0; i < tensors->keys.size(); ++i) {
    const JsonValue& item = tensors->items[i];
    MapEntry entry{.where = item.where};
    if (item.is(JsonValue::Kind::object)) {
      TIEBREAK_CHECK(check_object(item, {"file", "array", "type", "shape", "transpose"}));
      TIEBREAK_TRY(file, text_at(item, "file"));
      entry.file = file;
      entry.array = text_or_empty(item, "array");
      if (item.find("transpose") != nullptr) {
        TIEBREAK_TRY(order, integers_at(item, "transpose"));
        entry.transpose = order;
      }
      if ((item.find("type") == nullptr) != (item.find("shape") == nullptr))
        return fail(Errc::syntax, "'type' and 'shape' go together: they say what the bytes of a file without a type are", item.where);
      if (item.find("type") != nullptr) {
        TIEBREAK_TRY(word, text_at(item, "type"));
        TIEBREAK_TRY(shape, integers_at(item, "shape"));
        TIEBREAK_TRY(type, parse_element_text(word, shape, item.find("type")->where));
        const Result<std::int64_t> count = element_count(shape);
        if (!count) return fail(count.error().code, count.error().what, item.find("shape")->where);
        entry.type = type;
      }
    } else {
      TIEBREAK_TRY(file, string_of(item));
      entry.file = file;
    }
    if (fs::path(entry.file).is_relative()) entry.file = (fs::path(path).parent_path() / entry.file).string();
    entries.emplace(tensors->keys[i], std::move(entry));
  }
  return entries;
}

Status Dumps::read_entry(const std::string& name, const MapEntry& entry) {
  Result<std::vector<ArrayOfFile>> read = read_array_file(entry.file);
  if (!read) return fail(read.error().code, read.error().what + ": " + read.error().where, entry.where, read.error().hint);
  const auto chosen = entry.array.empty() ? (read->size() == 1 ? read->begin() : read->end()) : std::ranges::find(*read, entry.array, &ArrayOfFile::name);
  if (chosen == read->end()) {
    std::string names;
    for (const ArrayOfFile& array : *read) names += " " + array.name;
    return fail(Errc::usage, entry.array.empty() ? "the file has several arrays" : "the file has no array '" + entry.array + "'", entry.where,
                "\"array\": one of" + names);
  }
  ArrayOfFile array = std::move(*chosen);
  if (entry.type) {
    if (array.tensor) return fail(Errc::usage, "the file states its type itself", entry.where);
    TIEBREAK_TRY(tensor, tensor_of(array, *entry.type));
    array.tensor = std::move(tensor);
  }
  if (!entry.transpose.empty()) {
    TIEBREAK_TRY(turned, transposed(array, entry.transpose));
    array = std::move(turned);
  }
  mapped_[name] = arrays_.size();
  arrays_.push_back(std::move(array));
  return {};
}

Status Dumps::take_mapped(const Program& program) {
  std::vector<std::string> names;
  for (const ProgramValue& value : program.values) names.push_back(bare_name(value.name));
  for (const auto& [name, array] : mapped_) {
    const auto value = std::ranges::find(names, name);
    if (value == names.end()) {
      const std::string near = nearest(name, names);
      return fail(Errc::unknown_name, "the model has no tensor '" + name + "'", map_.at(name).where, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    found_[static_cast<ValueId>(value - names.begin())] = array;
  }
  return {};
}

Status Dumps::match(const Program& program) {
  found_.clear();
  TIEBREAK_CHECK(take_mapped(program));
  std::set<std::size_t> taken;
  for (const auto& [name, array] : mapped_) taken.insert(array);
  for (const bool exact : {true, false}) {
    std::map<std::string, std::vector<ValueId>> values;
    for (std::size_t i = 0; i < program.values.size(); ++i) {
      const std::string name = bare_name(program.values[i].name);
      if (!name.empty() && !program.values[i].constant) values[exact ? name : file_word(name)].push_back(static_cast<ValueId>(i));
    }
    std::map<ValueId, std::size_t> own;
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const auto named = taken.contains(a) ? values.end() : values.find(exact ? arrays_[a].name : file_word(arrays_[a].name));
      if (named == values.end()) continue;
      if (named->second.size() > 1)
        return fail(Errc::usage,
                    "the name fits two tensors of the model, '" + bare_name(program, named->second[0]) + "' and '" + bare_name(program, named->second[1]) + "'",
                    arrays_[a].origin, "--dump-map FILE says which it is");
      const ValueId id = named->second.front();
      const auto other = own.find(id);
      if (other != own.end())
        return fail(Errc::usage, "two dumps of tensor '" + bare_name(program, id) + "', the other in " + arrays_[other->second].origin, arrays_[a].origin,
                    "--dump-map FILE says which it is");
      if (found_.contains(id)) continue;
      own[id] = a;
    }
    for (const auto& [id, array] : own) {
      found_[id] = array;
      taken.insert(array);
    }
  }
  if (!found_.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < program.values.size() && names.size() < 60; ++i)
    if (!program.values[i].constant && !program.values[i].name.empty()) names += " " + bare_name(program.values[i].name);
  return fail(Errc::usage, "no dump has the name of a tensor of the model", path_,
              "its tensors are called" + names + " ...; --dump-map FILE gives dumps their names");
}

Result<Tensor> Dumps::tensor(ValueId id, const std::optional<TensorType>& type) const {
  const ArrayOfFile& array = arrays_[found_.at(id)];
  return type && !is_open(type->shape) ? tensor_of(array, *type) : tensor_of(array);
}

std::vector<std::string> Dumps::unused() const {
  std::set<std::size_t> used;
  for (const auto& [id, array] : found_) used.insert(array);
  std::vector<std::string> names;
  for (std::size_t a = 0; a < arrays_.size(); ++a)
    if (!used.contains(a)) names.push_back(arrays_[a].name);
  std::ranges::sort(names);
  return names;
}

}  // namespace tiebreak
