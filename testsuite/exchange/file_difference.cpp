// SPDX-License-Identifier: Apache-2.0
// Where two exchange files differ, part by part. Numbers are compared as bits: -0 is not 0, and a nan is itself.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "testsuite/exchange/golden.hpp"

namespace tiebreak {
namespace {

constexpr const char* absent = "absent";
using Differences = std::vector<StoredDifference>;

void compare_texts(const std::string& id, const std::string& part, const std::string& first, const std::string& second, Differences& found) {
  if (first != second) found.push_back({id, part, first.empty() ? absent : first, second.empty() ? absent : second});
}

std::string hex(std::uint64_t code, int bits) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "0x";
  for (int shift = (bits - 1) / 4 * 4; shift >= 0; shift -= 4) text += digits[(code >> shift) & 0xF];
  return text;
}

std::string element_at(const Tensor& tensor, std::int64_t index) {
  return hex(tensor.code(index), tensor.element().bits()) + " (" + tensor.value(index).to_decimal() + ")";
}

/// The first run of bytes that differ.
void locate_bytes(std::span<const std::byte> first, std::span<const std::byte> second, StoredDifference& difference) {
  const auto [begin, other] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  difference.byte_begin = static_cast<std::size_t>(begin - first.begin());
  difference.byte_end = difference.byte_begin;
  while (difference.byte_end < first.size() && first[difference.byte_end] != second[difference.byte_end]) ++difference.byte_end;
}

void compare_tensors(const std::string& id, const std::string& part, const Tensor& first, const Tensor& second, Differences& found) {
  if (!same_type(first.type(), second.type())) return found.push_back({id, part, to_text(first.type()), to_text(second.type())});
  StoredDifference difference{id, part, {}, {}};
  for (std::int64_t index = 0; index < first.size(); ++index) {
    if (first.code(index) == second.code(index)) continue;
    if (difference.differing++ == 0) difference.element = index;
  }
  if (difference.differing == 0) return;
  difference.first = element_at(first, difference.element);
  difference.second = element_at(second, difference.element);
  locate_bytes(first.bytes(), second.bytes(), difference);
  found.push_back(std::move(difference));
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b); }
bool same_bits(std::uint8_t a, std::uint8_t b) { return a == b; }
bool same_bits(const std::pair<double, double>& a, const std::pair<double, double>& b) { return same_bits(a.first, b.first) && same_bits(a.second, b.second); }
std::string value_text(double value) { return Real::from_double(value).to_hex_float(); }
std::string value_text(std::uint8_t flag) { return flag != 0 ? "undefined" : "defined"; }
std::string value_text(const std::pair<double, double>& value) { return value_text(value.first) + " + " + value_text(value.second); }

template <class T>
void compare_values(const std::string& id, const std::string& part, const std::vector<T>& first, const std::vector<T>& second, Differences& found) {
  if (first.size() != second.size()) {
    const auto size = [](const std::vector<T>& values) { return values.empty() ? absent : std::to_string(values.size()) + " values"; };
    return found.push_back({id, part, size(first), size(second)});
  }
  StoredDifference difference{id, part, {}, {}};
  for (std::size_t index = 0; index < first.size(); ++index) {
    if (same_bits(first[index], second[index])) continue;
    if (difference.differing++ > 0) continue;
    difference.element = static_cast<std::int64_t>(index);
    difference.first = value_text(first[index]);
    difference.second = value_text(second[index]);
    difference.byte_begin = index * sizeof(T);
    difference.byte_end = difference.byte_begin + sizeof(T);
  }
  if (difference.differing > 0) found.push_back(std::move(difference));
}

void compare_parameters(const std::string& id, const std::string& part, const std::optional<ExchangeParameters>& first,
                        const std::optional<ExchangeParameters>& second, Differences& found) {
  const auto text = [](const std::optional<ExchangeParameters>& parameters) { return parameters ? to_text(*parameters) : std::string(); };
  compare_texts(id, part, text(first), text(second), found);
}

using Tensors = std::vector<ExchangeTensor>;

void compare_lists(const std::string& id, const std::string& group, const Tensors& first, const Tensors& second, Differences& found) {
  for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i) {
    if (i >= first.size() || i >= second.size() || first[i].name != second[i].name) {
      const auto name = [i](const Tensors& tensors) { return i < tensors.size() ? tensors[i].name : std::string(absent); };
      found.push_back({id, group, name(first), name(second)});
      return;
    }
    compare_tensors(id, group + "/" + first[i].name, first[i].tensor, second[i].tensor, found);
    compare_parameters(id, "parameters of " + group + "/" + first[i].name, first[i].parameters, second[i].parameters, found);
    compare_values(id, "undefined/" + first[i].name, first[i].undefined, second[i].undefined, found);
    compare_values(id, "before/" + first[i].name, first[i].before, second[i].before, found);
    compare_values(id, "distance/" + first[i].name, first[i].distance, second[i].distance, found);
  }
}

template <class Map, class Text>
void compare_maps(const std::string& id, const std::string& part, const Map& first, const Map& second, const Text& text, Differences& found) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [name, value] : first) both[name].first = text(value);
  for (const auto& [name, value] : second) both[name].second = text(value);
  for (const auto& [name, values] : both) compare_texts(id, part + name, values.first, values.second, found);
}

void compare_cases(const ExchangeCase& first, const ExchangeCase& second, Differences& found) {
  const std::string& id = first.id;
  compare_texts(id, "op", first.op, second.op, found);
  compare_texts(id, "version", std::to_string(first.version), std::to_string(second.version), found);
  compare_texts(id, "profile", first.profile, second.profile, found);
  compare_texts(id, "clauses", fmt::format("{}", fmt::join(first.clauses, ", ")), fmt::format("{}", fmt::join(second.clauses, ", ")), found);
  compare_texts(id, "program", first.program, second.program, found);
  compare_texts(id, "status", first.status, second.status, found);
  compare_texts(id, "reason", first.reason, second.reason, found);
  const auto text = [](const Attribute& attribute) { return to_text(attribute); };
  compare_maps(id, "attribute ", first.attributes, second.attributes, text, found);
  compare_lists(id, "inputs", first.inputs, second.inputs, found);
  compare_lists(id, "outputs", first.outputs, second.outputs, found);
}

}  // namespace

std::vector<StoredDifference> diff_exchange_files(const ExchangeFile& first, const ExchangeFile& second) {
  Differences found;
  compare_texts("", "kind", first.kind, second.kind, found);
  compare_maps(
      "", "context ", first.context, second.context, [](const std::string& value) { return value; }, found);
  std::map<std::string, const ExchangeCase*> others;
  for (const ExchangeCase& one : second.cases) others.emplace(one.id, &one);
  for (const ExchangeCase& one : first.cases) {
    const auto other = others.find(one.id);
    if (other == others.end()) {
      found.push_back({one.id, "case", "present", absent});
      continue;
    }
    compare_cases(one, *other->second, found);
    others.erase(other);
  }
  for (const auto& [id, one] : others) found.push_back({id, "case", absent, "present"});
  return found;
}

std::string to_text(const StoredDifference& difference) {
  std::string text = difference.id + (difference.id.empty() ? "" : " ") + difference.part;
  if (difference.element >= 0) text += "[" + std::to_string(difference.element) + "]";
  text += ": " + difference.first + " and " + difference.second;
  if (difference.differing > 1) text += ", " + std::to_string(difference.differing) + " elements differ";
  if (difference.element >= 0) text += ", first bytes " + std::to_string(difference.byte_begin) + ".." + std::to_string(difference.byte_end - 1);
  return text;
}

}  // namespace tiebreak
