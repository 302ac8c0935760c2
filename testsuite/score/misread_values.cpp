// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/misread_values.hpp"

#include <algorithm>

namespace tiebreak {
namespace {

constexpr std::int64_t most_entries = 1 << 16;  ///< what is longer is data

bool is_number(const Attribute& one) { return std::holds_alternative<Real>(one.value); }
bool is_whole(const Attribute& one) { return is_number(one) && std::get<Real>(one.value).is_whole(); }
bool is_flag(const Attribute& one) { return std::holds_alternative<bool>(one.value); }
bool is_plain(const Attribute& one) { return is_number(one) || is_flag(one) || std::holds_alternative<std::string>(one.value); }

std::size_t row_length(const Entries& entries) { return entries.shape.size() < 2 ? 1 : static_cast<std::size_t>(entries.shape.back()); }

bool add(Entries& entries, std::int64_t amount) {
  if (!std::ranges::all_of(entries.flat, is_whole)) return false;
  for (Attribute& one : entries.flat) one = Attribute{std::get<Real>(one.value) + Real(amount)};
  return true;
}

bool reverse(Entries& entries, bool vectors) {
  if (entries.shape.empty()) return false;
  const auto length = static_cast<std::ptrdiff_t>(row_length(entries));
  const bool rows = entries.shape.size() > 1;
  if (!rows || !vectors) std::ranges::reverse(entries.flat);
  if (!rows) return true;
  // The other way round as a whole, and each row back: the rows in the opposite order. Of vectors each by itself.
  for (auto row = entries.flat.begin(); row != entries.flat.end(); row += length) std::reverse(row, row + length);
  return true;
}

bool repeat_first(Entries& entries) {
  if (entries.shape.empty()) return false;
  const std::size_t length = row_length(entries);
  for (std::size_t i = length; i < entries.flat.size(); ++i) entries.flat[i] = entries.flat[i - length];
  return true;
}

/// Low and high padding as pairs, or all low ones before all high ones: where the high one of each low one stands.
std::optional<std::size_t> to_high(const Entries& entries) {
  if (entries.shape.size() == 2 && entries.shape[1] == 2) return 1;
  if (entries.shape.size() == 1 && entries.flat.size() % 2 == 0) return entries.flat.size() / 2;
  return std::nullopt;
}

bool is_low(const Entries& entries, std::size_t i) { return entries.shape.size() == 2 ? i % 2 == 0 : i < entries.flat.size() / 2; }

bool swap_sides(Entries& entries) {
  const auto high = to_high(entries);
  if (!high) return false;
  for (std::size_t i = 0; i < entries.flat.size(); ++i)
    if (is_low(entries, i)) std::swap(entries.flat[i], entries.flat[i + *high]);
  return true;
}

/// One more below, one less above: windows one place on.
bool shift(Entries& entries) {
  if (!to_high(entries) || !std::ranges::all_of(entries.flat, is_whole)) return false;
  for (std::size_t i = 0; i < entries.flat.size(); ++i) entries.flat[i] = Attribute{std::get<Real>(entries.flat[i].value) + Real(is_low(entries, i) ? 1 : -1)};
  return true;
}

bool negate(Entries& entries) {
  if (entries.flat.empty() || !std::ranges::all_of(entries.flat, is_flag)) return false;
  for (Attribute& one : entries.flat) one = Attribute{!std::get<bool>(one.value)};
  return true;
}

/// Of a permutation: where each number stands instead of which number stands there.
bool invert(Entries& entries) {
  if (entries.shape.size() != 1) return false;
  std::vector<Attribute> inverse(entries.flat.size());
  for (std::size_t i = 0; i < entries.flat.size(); ++i) {
    const auto at = entries.flat[i].as_integer();
    if (!at || *at < 0 || *at >= static_cast<std::int64_t>(inverse.size())) return false;
    inverse[static_cast<std::size_t>(*at)] = Attribute{Real(static_cast<std::int64_t>(i))};
  }
  entries.flat = std::move(inverse);
  return true;
}

}  // namespace

std::optional<Entries> entries_of(const Attribute& attribute) {
  if (is_plain(attribute)) return Entries{{}, {attribute}};
  if (const Tensor* tensor = std::get_if<Tensor>(&attribute.value)) {
    if (tensor->shape().size() > 2 || tensor->size() > most_entries) return std::nullopt;
    return entries_of(*tensor);
  }
  const AttributeList* list = std::get_if<AttributeList>(&attribute.value);
  if (list == nullptr) return std::nullopt;
  if (std::ranges::all_of(*list, is_plain)) return Entries{{static_cast<std::int64_t>(list->size())}, *list};
  Entries entries{{static_cast<std::int64_t>(list->size()), -1}, {}};
  for (const Attribute& item : *list) {
    const AttributeList* row = std::get_if<AttributeList>(&item.value);
    if (row == nullptr || !std::ranges::all_of(*row, is_plain)) return std::nullopt;
    if (entries.shape[1] >= 0 && entries.shape[1] != static_cast<std::int64_t>(row->size())) return std::nullopt;
    entries.shape[1] = static_cast<std::int64_t>(row->size());
    entries.flat.insert(entries.flat.end(), row->begin(), row->end());
  }
  return entries;
}

Entries entries_of(const Tensor& tensor) {
  Entries entries{tensor.shape(), {}};
  const bool flags = tensor.element().name() == "bool";
  entries.flat.resize(static_cast<std::size_t>(tensor.size()));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    Attribute& one = entries.flat[static_cast<std::size_t>(i)];
    if (flags) one.value = tensor.code(i) != 0;
    else one.value = tensor.value(i);
  }
  return entries;
}

Attribute to_attribute(const Entries& entries, const Attribute& like) {
  if (const Tensor* tensor = std::get_if<Tensor>(&like.value)) return Attribute{to_tensor(entries, *tensor)};
  if (entries.shape.empty()) return entries.flat.front();
  if (entries.shape.size() == 1) return Attribute{AttributeList(entries.flat)};
  AttributeList rows;
  const auto length = static_cast<std::ptrdiff_t>(row_length(entries));
  for (auto row = entries.flat.begin(); row != entries.flat.end(); row += length) rows.push_back(Attribute{AttributeList(row, row + length)});
  return Attribute{std::move(rows)};
}

Tensor to_tensor(const Entries& entries, const Tensor& like) {
  Tensor tensor = like;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const Attribute& one = entries.flat[static_cast<std::size_t>(i)];
    if (is_flag(one)) tensor.set_code(i, std::get<bool>(one.value) ? 1 : 0);
    else if (const auto code = like.element().encode(std::get<Real>(one.value))) tensor.set_code(i, *code);
  }
  return tensor;
}

bool misread(const std::string& word, Entries& entries, bool vectors) {
  if (word == "more") return add(entries, 1);
  if (word == "less") return add(entries, -1);
  if (word == "reversed") return reverse(entries, vectors);
  if (word == "first") return repeat_first(entries);
  if (word == "sides") return swap_sides(entries);
  if (word == "shifted") return shift(entries);
  if (word == "negated") return negate(entries);
  if (word == "inverse") return invert(entries);
  return false;
}

}  // namespace tiebreak
