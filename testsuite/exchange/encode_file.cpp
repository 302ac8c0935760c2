// SPDX-License-Identifier: Apache-2.0
// Cases to a tree. What a reader with h5py wants is stored in its natural type; exact texts stand beside it where that type may round.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "testsuite/exchange/attribute_text.hpp"
#include "testsuite/exchange/file_layout.hpp"
#include "testsuite/exchange/stored_parameters.hpp"
#include "testsuite/exchange/stored_tensor.hpp"

namespace tiebreak {
namespace {

const std::set<std::string> kinds{"golden", "request", "response"};
const std::set<std::string> reserved{"format", "kind", "checksum"};

Status check_text(const std::string& text, const std::string& what, const std::string& where) {
  if (text.size() > exchange_limit::text_bytes) return fail(Errc::limit, what + " is longer than 16 MiB", where);
  if (!text.empty() && text.back() == '\0') return fail(Errc::usage, what + " ends with a zero byte, which HDF5 drops", where);
  return {};
}

Status check_name(const std::string& name, const std::string& where) {
  if (name.empty() || name.size() > 4096 || name.find('\0') != std::string::npos) return fail(Errc::usage, "'" + name + "' is no name for HDF5", where);
  return {};
}

/// The value in the type that h5py shows best: whole numbers as i64, others as the nearest f64, lists of one kind as arrays, else text.
StoredArray natural(const Attribute& attribute, const std::string& text);

StoredArray natural_list(const AttributeList& list, const std::string& text) {
  if (const auto integers = Attribute{list}.as_integers()) return StoredArray::integers(*integers);
  std::vector<double> reals;
  std::vector<std::string> texts;
  for (const Attribute& item : list) {
    if (const Real* number = std::get_if<Real>(&item.value)) reals.push_back(number->to_double());
    if (const auto word = item.as_string()) texts.push_back(*word);
  }
  if (reals.size() == list.size()) return StoredArray::reals(reals, {static_cast<std::int64_t>(reals.size())});
  return texts.size() == list.size() ? StoredArray::texts(texts) : StoredArray::text(text);
}

StoredArray natural(const Attribute& attribute, const std::string& text) {
  if (const bool* truth = std::get_if<bool>(&attribute.value)) return StoredArray::integer(*truth ? 1 : 0);
  if (const Real* number = std::get_if<Real>(&attribute.value)) {
    const bool is_negative_zero = number->is_zero() && number->is_negative();
    if (const auto integer = number->to_int64(); integer && !is_negative_zero) return StoredArray::integer(*integer);
    return StoredArray::real(number->to_double());
  }
  if (const auto word = attribute.as_string()) return StoredArray::text(*word);
  if (const ElementType* element = std::get_if<ElementType>(&attribute.value)) return StoredArray::text(element->name());
  if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) return natural_list(*list, text);
  return StoredArray::text(text);
}

Status encode_attributes(const AttributeMap& attributes, StoredGroup& group, const std::string& where) {
  StoredTensors stored;
  auto text = attribute_map_text(attributes, stored);
  if (!text) return fail(text.error().code, text.error().what, where);
  group.datasets["attribute_text"].array = StoredArray::text(*text);
  StoredGroup& target = group.groups["attributes"];
  for (const auto& [name, attribute] : attributes) {
    TIEBREAK_CHECK(check_name(name, where));
    if (stored.contains(name)) continue;
    StoredTensors none;
    TIEBREAK_TRY(alone, attribute_map_text({{name, attribute}}, none));
    target.attributes[name] = natural(attribute, alone);
  }
  for (const auto& [name, tensor] : stored) {
    TIEBREAK_TRY(dataset, store_tensor(tensor, where + "/attributes/" + name));
    target.datasets.emplace(link_name(name), std::move(dataset));
  }
  return {};
}

template <class T>
Status check_companion(const std::vector<T>& values, const ExchangeTensor& tensor, const char* what, const std::string& where) {
  if (std::cmp_equal(values.size(), tensor.tensor.size())) return {};
  return fail(Errc::usage, std::string(what) + " has " + std::to_string(values.size()) + " values for " + std::to_string(tensor.tensor.size()) + " elements",
              where);
}

/// What is known of each element of an output beside its code, under the same name in a group of its own.
Status encode_companions(const ExchangeTensor& output, StoredGroup& group, const std::string& where) {
  const std::string link = link_name(output.name);
  const Shape& shape = output.tensor.shape();
  if (!output.undefined.empty()) {
    TIEBREAK_CHECK(check_companion(output.undefined, output, "undefined", where));
    StoredArray& array = group.groups["undefined"].datasets[link].array;
    array.shape = shape;
    array.is_scalar = shape.empty();
    for (std::uint8_t flag : output.undefined) array.data.push_back(static_cast<std::byte>(flag));
  }
  if (!output.distance.empty()) {
    TIEBREAK_CHECK(check_companion(output.distance, output, "distance", where));
    StoredArray& array = group.groups["distance"].datasets[link].array;
    array = StoredArray::singles(output.distance, shape);
    array.is_scalar = shape.empty();
  }
  if (!output.before.empty()) {
    TIEBREAK_CHECK(check_companion(output.before, output, "before", where));
    // Most exact values are doubles: then the low halves are left out, and the dataset has the output's own shape.
    const bool has_low = std::ranges::any_of(output.before, [](const auto& pair) { return pair.second != 0; });
    std::vector<double> halves;
    for (const auto& [high, low] : output.before) {
      halves.push_back(high);
      if (has_low) halves.push_back(low);
    }
    Shape pairs = shape;
    if (has_low) pairs.push_back(2);
    StoredArray& array = group.groups["before"].datasets[link].array;
    array = StoredArray::reals(halves, std::move(pairs));
    array.is_scalar = !has_low && shape.empty();
  }
  return {};
}

bool is_zero(const StoredArray& array) {
  const auto& data = array.data;  // all bytes are as the one before them, and the first is zero
  return data.empty() || (data.front() == std::byte{0} && std::memcmp(data.data(), data.data() + 1, data.size() - 1) == 0);
}

Status encode_tensors(const std::vector<ExchangeTensor>& tensors, StoredGroup& group, const std::string& where) {
  for (std::size_t order = 0; order < tensors.size(); ++order) {
    const ExchangeTensor& tensor = tensors[order];
    TIEBREAK_CHECK(check_text(tensor.name, "a tensor's name", where));
    TIEBREAK_CHECK(check_name(link_name(tensor.name), where));
    auto dataset = store_tensor(tensor.tensor, where + "/" + tensor.name);
    if (!dataset) return tl::unexpected(dataset.error());
    dataset->attributes["order"] = StoredArray::integer(static_cast<std::int64_t>(order));
    if (!tensor.operand.empty()) {
      TIEBREAK_CHECK(check_text(tensor.operand, "an operand's name", where));
      dataset->attributes["operand"] = StoredArray::text(tensor.operand);
    }
    if (tensor.parameters) {
      TIEBREAK_CHECK(check_text(tensor.parameters->tensor, "a tensor's name", where));
      TIEBREAK_CHECK(check_text(tensor.parameters->from, "an origin", where));
      TIEBREAK_CHECK(store_parameters(*tensor.parameters, tensor.tensor.type(), dataset->attributes, where + "/" + tensor.name));
      if (tensor.parameters->tensor == tensor.name) dataset->attributes.erase("tensor");
    }
    if (!group.datasets.emplace(link_name(tensor.name), std::move(*dataset)).second) {
      return fail(Errc::usage, "two tensors have the name '" + tensor.name + "'", where);
    }
  }
  return {};
}

Status check_texts(const ExchangeCase& one) {
  for (const std::string* text : {&one.op, &one.program, &one.profile, &one.status, &one.reason}) TIEBREAK_CHECK(check_text(*text, "a text", one.id));
  for (const std::string& clause : one.clauses) {
    if (clause.empty() || clause.find(',') != std::string::npos || clause.find('\0') != std::string::npos) {
      return fail(Errc::usage, "clause '" + clause + "' is empty or has a comma", one.id);
    }
  }
  return {};
}

Result<StoredGroup> encode_case(const ExchangeCase& one, const std::string& kind) {
  TIEBREAK_CHECK(check_texts(one));
  StoredGroup group;
  group.attributes["id"] = StoredArray::text(one.id);
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) group.attributes[name] = StoredArray::text(value);
  };
  text("op", one.op);
  text("profile", one.profile);
  text("clauses", fmt::format("{}", fmt::join(one.clauses, ", ")));
  text("status", one.status);
  text("reason", one.reason);
  const bool is_call = kind != "response" || !one.attributes.empty() || !one.program.empty() || one.version != 0;
  if (is_call) {
    group.attributes["version"] = StoredArray::integer(one.version);
    group.datasets["program"].array = StoredArray::text(one.program);
    TIEBREAK_CHECK(encode_attributes(one.attributes, group, one.id));
  }
  std::vector<ExchangeTensor> constants;
  for (const auto& [name, tensor] : one.constants) constants.push_back({.name = name, .tensor = tensor});
  if (!constants.empty()) TIEBREAK_CHECK(encode_tensors(constants, group.groups["constants"], one.id + "/constants"));
  if (is_call || !one.inputs.empty()) TIEBREAK_CHECK(encode_tensors(one.inputs, group.groups["inputs"], one.id + "/inputs"));
  TIEBREAK_CHECK(encode_tensors(one.outputs, group.groups["outputs"], one.id + "/outputs"));
  for (const ExchangeTensor& input : one.inputs) {
    if (!input.undefined.empty() || !input.before.empty() || !input.distance.empty()) {
      return fail(Errc::usage, "only outputs have undefined elements, values before rounding and distances", one.id + "/inputs/" + input.name);
    }
  }
  for (const ExchangeTensor& output : one.outputs) TIEBREAK_CHECK(encode_companions(output, group, one.id + "/outputs/" + output.name));
  if (kind == "request") {
    for (auto& [name, dataset] : group.groups["outputs"].datasets) dataset.array.is_declared = is_zero(dataset.array);
  }
  return group;
}

Status insert_case(StoredGroup& cases, const ExchangeCase& one, StoredGroup group) {
  TIEBREAK_TRY(parts, id_parts(one.id));
  StoredGroup* parent = &cases;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto [child, is_new] = parent->groups.try_emplace(parts[i]);
    parent = &child->second;
    const bool is_last = i + 1 == parts.size();
    if (is_last && !is_new) return fail(Errc::usage, "case id '" + one.id + "' stands twice, or begins another case's id");
    if (!is_last && parent->attributes.contains("id")) return fail(Errc::usage, "case id '" + one.id + "' goes on where another case's id ends");
  }
  *parent = std::move(group);
  return {};
}

std::size_t data_bytes(const StoredGroup& group) {
  std::size_t total = 0;
  for (const auto& [name, array] : group.attributes) total += array.data.size();
  for (const auto& [name, dataset] : group.datasets) {
    total += dataset.array.data.size();
    for (const auto& [attribute, array] : dataset.attributes) total += array.data.size();
  }
  for (const auto& [name, child] : group.groups) total += data_bytes(child);
  return total;
}

}  // namespace

Result<StoredGroup> encode_file(const ExchangeFile& file) { return encode_file(file, file.cases); }

Result<StoredGroup> encode_file(const ExchangeFile& file, std::span<const ExchangeCase> all) {
  if (!kinds.contains(file.kind)) return fail(Errc::usage, "unknown kind '" + file.kind + "'", {}, "one of golden request response");
  if (all.size() > exchange_limit::cases) return fail(Errc::limit, "more than 1000000 cases");
  StoredGroup tree;
  tree.attributes["format"] = StoredArray::text(exchange_format);
  tree.attributes["kind"] = StoredArray::text(file.kind);
  for (const auto& [name, value] : file.context) {
    TIEBREAK_CHECK(check_name(name, "context"));
    TIEBREAK_CHECK(check_text(value, "context '" + name + "'", {}));
    if (reserved.contains(name)) return fail(Errc::usage, "context may not have the name '" + name + "'");
    tree.attributes[name] = StoredArray::text(value);
  }
  StoredGroup& cases = tree.groups["cases"];
  std::vector<std::string> ids;
  std::vector<std::pair<std::string, std::string>> checksums;
  const bool is_golden = file.kind == "golden";
  std::size_t total = 0;
  for (const ExchangeCase& one : all) {
    TIEBREAK_TRY(group, encode_case(one, file.kind));
    total += data_bytes(group);
    if (total > exchange_limit::total_bytes) return fail(Errc::limit, "more than 2 GiB of data", one.id);
    if (is_golden) {
      checksums.emplace_back(one.id, case_checksum(group));
      group.attributes["checksum"] = StoredArray::text(checksums.back().second);
    }
    TIEBREAK_CHECK(insert_case(cases, one, std::move(group)));
    ids.push_back(one.id);
  }
  tree.datasets["ids"].array = StoredArray::texts(ids);
  if (is_golden) tree.attributes["checksum"] = StoredArray::text(file_checksum(tree.attributes, checksums));
  return tree;
}

}  // namespace tiebreak
