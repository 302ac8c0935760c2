// SPDX-License-Identifier: Apache-2.0
// A tree to cases. Files of other programs come this way: every name is known or an error, every size is checked.
#include <algorithm>
#include <optional>

#include "testsuite/exchange/attribute_text.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/stored_tensor.hpp"

namespace tiebreak {
namespace {

using Names = std::vector<std::string>;
const Names case_attributes{"id", "op", "version", "profile", "clauses", "status", "reason", "checksum"};
const Names case_datasets{"program", "attribute_text"};
const Names case_groups{"attributes", "constants", "inputs", "outputs", "before", "distance", "undefined"};
const Names statuses{"ok", "unsupported", "error"};

template <class Map>
Status only_known(const Map& map, const Names& known, const char* what, const std::string& where) {
  for (const auto& [name, value] : map) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    return fail(Errc::corrupt, std::string("unknown ") + what + " '" + name + "'", where, near.empty() ? "" : "did you mean '" + near + "'?");
  }
  return {};
}

/// The text of an attribute, "" where it is absent.
Result<std::string> text_of(const StoredAttributes& attributes, const std::string& name, const std::string& where) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return std::string();
  auto text = found->second.as_text();
  if (!text) return fail(Errc::corrupt, "not a text", where + "@" + name);
  return std::move(*text);
}

Names split_clauses(const std::string& text) {
  Names clauses;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(", ", begin), text.size());
    clauses.push_back(text.substr(begin, end - begin));
    begin = end + 2;
  }
  return clauses;
}

Result<std::vector<ExchangeTensor>> decode_tensors(StoredGroup& group, const std::string& where) {
  TIEBREAK_CHECK(only_known(group.groups, {}, "group", where));
  TIEBREAK_CHECK(only_known(group.attributes, {}, "attribute", where));
  std::vector<std::pair<std::int64_t, ExchangeTensor>> ordered;
  for (auto& [link, dataset] : group.datasets) {
    const std::string place = where + "/" + link;
    TIEBREAK_TRY(name, name_of_link(link, place));
    TIEBREAK_TRY(loaded, load_tensor(dataset, place));
    ExchangeTensor tensor;
    tensor.name = std::move(name);
    tensor.tensor = std::move(loaded.tensor);
    tensor.operand = std::move(loaded.operand);
    tensor.parameters = std::move(loaded.parameters);
    if (tensor.parameters && tensor.parameters->tensor.empty()) tensor.parameters->tensor = tensor.name;
    tensor.inferred = loaded.inferred;
    ordered.emplace_back(loaded.order, std::move(tensor));
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ExchangeTensor> tensors;
  for (auto& [order, tensor] : ordered) tensors.push_back(std::move(tensor));
  return tensors;
}

/// The companion dataset of an output, or nullptr; its shape is checked.
Result<const StoredArray*> companion(const StoredGroup& group, const char* what, const std::string& link, const Shape& shape, const std::string& where,
                                     const Shape* longer = nullptr) {
  const auto folder = group.groups.find(what);
  if (folder == group.groups.end()) return nullptr;
  const auto found = folder->second.datasets.find(link);
  if (found == folder->second.datasets.end()) return nullptr;
  if (found->second.array.shape == shape || (longer != nullptr && found->second.array.shape == *longer)) return &found->second.array;
  return fail(Errc::corrupt, std::string(what) + " has shape " + to_text(found->second.array.shape) + ", not " + to_text(shape), where);
}

Status decode_companions(const StoredGroup& group, ExchangeTensor& output, const std::string& where) {
  const std::string link = link_name(output.name);
  const Shape& shape = output.tensor.shape();
  TIEBREAK_TRY(undefined, companion(group, "undefined", link, shape, where));
  if (undefined) {
    if (undefined->bytes != 1 || undefined->kind != StoredArray::Kind::unsigned_integer) return fail(Errc::corrupt, "undefined is not u8", where);
    for (std::byte flag : undefined->data) output.undefined.push_back(static_cast<std::uint8_t>(flag));
  }
  TIEBREAK_TRY(distance, companion(group, "distance", link, shape, where));
  if (distance) {
    auto values = distance->as_reals();
    if (!values) return fail(Errc::corrupt, "distance is not f32", where);
    output.distance = std::move(*values);
  }
  Shape pairs = shape;
  pairs.push_back(2);
  TIEBREAK_TRY(before, companion(group, "before", link, shape, where, &pairs));
  if (before) {
    const auto values = before->as_reals();
    if (!values) return fail(Errc::corrupt, "before is not f64", where);
    const std::size_t halves = before->shape == shape ? 1 : 2;  // low halves that are all zero are left out
    for (std::size_t i = 0; i + halves <= values->size(); i += halves) output.before.emplace_back((*values)[i], halves == 2 ? (*values)[i + 1] : 0);
  }
  return {};
}

Status check_companion_names(const StoredGroup& group, const std::vector<ExchangeTensor>& outputs, const std::string& where) {
  Names links;
  for (const ExchangeTensor& output : outputs) links.push_back(link_name(output.name));
  for (const char* what : {"undefined", "distance", "before"}) {
    const auto folder = group.groups.find(what);
    if (folder == group.groups.end()) continue;
    TIEBREAK_CHECK(only_known(folder->second.datasets, links, "output", where + "/" + what));
  }
  return {};
}

Result<AttributeMap> decode_attributes(StoredGroup& group, const std::string& where) {
  const auto text = group.datasets.find("attribute_text");
  if (text == group.datasets.end()) {
    const auto natural = group.groups.find("attributes");
    if (natural == group.groups.end() || natural->second.attributes.empty()) return AttributeMap{};
    return fail(Errc::corrupt, "attributes without the dataset 'attribute_text'", where);
  }
  StoredTensors stored;
  if (const auto folder = group.groups.find("attributes"); folder != group.groups.end()) {
    for (auto& [link, dataset] : folder->second.datasets) {
      const std::string place = where + "/attributes/" + link;
      TIEBREAK_TRY(name, name_of_link(link, place));
      TIEBREAK_TRY(loaded, load_tensor(dataset, place));
      stored.emplace(std::move(name), std::move(loaded.tensor));
    }
  }
  const auto exact = text->second.array.as_text();
  if (!exact) return fail(Errc::corrupt, "not a text", where + "/attribute_text");
  return parse_attribute_map(*exact, stored, where + "/attribute_text");
}

Status decode_call(StoredGroup& group, ExchangeCase& one, const std::string& where) {
  TIEBREAK_TRY(op, text_of(group.attributes, "op", where));
  TIEBREAK_TRY(profile, text_of(group.attributes, "profile", where));
  TIEBREAK_TRY(clauses, text_of(group.attributes, "clauses", where));
  one.op = std::move(op);
  one.profile = std::move(profile);
  one.clauses = split_clauses(clauses);
  if (const auto version = group.attributes.find("version"); version != group.attributes.end()) {
    const auto number = version->second.as_integer();
    if (!number || !std::in_range<int>(*number)) return fail(Errc::corrupt, "not a version", where + "@version");
    one.version = static_cast<int>(*number);
  }
  if (const auto program = group.datasets.find("program"); program != group.datasets.end()) {
    auto text = program->second.array.as_text();
    if (!text) return fail(Errc::corrupt, "not a text", where + "/program");
    one.program = std::move(*text);
  }
  TIEBREAK_TRY(attributes, decode_attributes(group, where));
  one.attributes = std::move(attributes);
  return {};
}

Status decode_status(const StoredGroup& group, ExchangeCase& one, const std::string& kind, const std::string& where) {
  TIEBREAK_TRY(status, text_of(group.attributes, "status", where));
  TIEBREAK_TRY(reason, text_of(group.attributes, "reason", where));
  if (kind == "response" && std::find(statuses.begin(), statuses.end(), status) == statuses.end()) {
    return fail(Errc::corrupt, "status '" + status + "'", where, "one of ok unsupported error");
  }
  one.status = std::move(status);
  one.reason = std::move(reason);
  return {};
}

Result<ExchangeCase> decode_case(StoredGroup& group, const std::string& id, const std::string& kind, const std::string& where) {
  TIEBREAK_CHECK(only_known(group.attributes, case_attributes, "attribute", where));
  TIEBREAK_CHECK(only_known(group.datasets, case_datasets, "dataset", where));
  TIEBREAK_CHECK(only_known(group.groups, case_groups, "group", where));
  if (auto parts = id_parts(id); !parts) return fail(Errc::corrupt, parts.error().what, where);
  TIEBREAK_TRY(stated_id, text_of(group.attributes, "id", where));
  if (!stated_id.empty() && stated_id != id) return fail(Errc::corrupt, "attribute 'id' says '" + stated_id + "'", where);
  ExchangeCase one;
  one.id = id;
  TIEBREAK_CHECK(decode_status(group, one, kind, where));
  TIEBREAK_CHECK(decode_call(group, one, where));
  if (const auto constants = group.groups.find("constants"); constants != group.groups.end()) {
    TIEBREAK_TRY(tensors, decode_tensors(constants->second, where + "/constants"));
    for (ExchangeTensor& constant : tensors) one.constants.emplace(std::move(constant.name), std::move(constant.tensor));
  }
  if (const auto inputs = group.groups.find("inputs"); inputs != group.groups.end()) {
    TIEBREAK_TRY(tensors, decode_tensors(inputs->second, where + "/inputs"));
    one.inputs = std::move(tensors);
  }
  if (const auto outputs = group.groups.find("outputs"); outputs != group.groups.end()) {
    TIEBREAK_TRY(tensors, decode_tensors(outputs->second, where + "/outputs"));
    one.outputs = std::move(tensors);
  }
  TIEBREAK_CHECK(check_companion_names(group, one.outputs, where));
  for (ExchangeTensor& output : one.outputs) TIEBREAK_CHECK(decode_companions(group, output, where + "/outputs/" + output.name));
  return one;
}

/// A stored checksum must fit; in golden files every case and the root must have one.
class Checksums {
 public:
  Checksums(bool required, const std::string& where) : required_(required), where_(where) {}

  Status add(const FoundCase& one, const std::string& place) {
    cases_.emplace_back(one.id, case_checksum(*one.group));
    return compare(one.group->attributes, cases_.back().second, place);
  }
  Status compare_root(const StoredAttributes& root) const { return compare(root, file_checksum(root, cases_), where_); }

 private:
  Status compare(const StoredAttributes& attributes, const std::string& computed, const std::string& place) const {
    TIEBREAK_TRY(stored, text_of(attributes, "checksum", place));
    if (stored == computed || (stored.empty() && !required_)) return {};
    return fail(Errc::corrupt, stored.empty() ? "the checksum is missing" : "the contents are not what was written: checksum " + computed + ", not " + stored,
                place);
  }

  bool required_;
  const std::string& where_;
  std::vector<std::pair<std::string, std::string>> cases_{};
};

/// Whether there is anything to compare. Every byte of an earlier golden file is under the CRC-32 of its user block, so that nothing is lost where its
/// checksums are not compared.
bool has_checksums(const StoredGroup& tree, const std::vector<FoundCase>& cases, std::string_view format, std::string_view kind) {
  if (format == earlier_exchange_format) return false;
  const auto has = [](const StoredGroup& group) { return group.attributes.contains("checksum"); };
  return kind == "golden" || has(tree) || std::any_of(cases.begin(), cases.end(), [&](const FoundCase& one) { return has(*one.group); });
}

}  // namespace

Result<ExchangeFile> decode_file(StoredGroup tree, const std::string& where) {
  TIEBREAK_TRY(format, text_of(tree.attributes, "format", where));
  if (format != exchange_format && format != earlier_exchange_format) {
    return fail(Errc::corrupt,
                format.empty() ? "no attribute 'format': not an exchange file" : "format '" + format + "' is not '" + std::string(exchange_format) + "'",
                where);
  }
  ExchangeFile file;
  TIEBREAK_TRY(kind, text_of(tree.attributes, "kind", where));
  if (kind != "golden" && kind != "request" && kind != "response") {
    return fail(Errc::corrupt, "kind '" + kind + "'", where, "one of golden request response");
  }
  file.kind = kind;
  TIEBREAK_CHECK(only_known(tree.groups, {"cases"}, "group", where));
  TIEBREAK_CHECK(only_known(tree.datasets, {"ids"}, "dataset", where));
  for (const auto& [name, value] : tree.attributes) {
    if (name == "format" || name == "kind" || name == "checksum") continue;
    TIEBREAK_TRY(text, text_of(tree.attributes, name, where));
    file.context.emplace(name, std::move(text));
  }
  TIEBREAK_TRY(found, find_cases(tree, where));
  std::optional<Checksums> checksums;
  if (has_checksums(tree, found, format, kind)) checksums.emplace(kind == "golden", where);
  for (const FoundCase& one : found) {
    const std::string place = where + ":/cases/" + one.id;
    if (checksums) TIEBREAK_CHECK(checksums->add(one, place));
    TIEBREAK_TRY(decoded, decode_case(*one.group, one.id, kind, place));
    *one.group = {};  // its data is in `decoded` now
    file.cases.push_back(std::move(decoded));
  }
  if (checksums) TIEBREAK_CHECK(checksums->compare_root(tree.attributes));
  return file;
}

}  // namespace tiebreak
