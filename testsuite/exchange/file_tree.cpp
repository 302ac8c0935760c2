// SPDX-License-Identifier: Apache-2.0
// Making stored arrays and reading them back.
#include "testsuite/exchange/file_tree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace tiebreak {
namespace {

template <class T>
void append(std::vector<std::byte>& data, T value) {
  const auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  data.insert(data.end(), bytes.begin(), bytes.end());
}

/// The payload of a nan depends on the machine that made it, so one nan stands for all.
double canonical(double value) { return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value; }

StoredArray text_array(const std::vector<std::string_view>& values) {
  std::size_t longest = 1;  // HDF5 has no text of width 0
  for (std::string_view value : values) longest = std::max(longest, value.size());
  StoredArray array;
  array.kind = StoredArray::Kind::text;
  array.bytes = static_cast<std::uint32_t>(longest);
  array.data.resize(longest * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::transform(values[i].begin(), values[i].end(), array.data.begin() + static_cast<std::ptrdiff_t>(i * longest),
                   [](char c) { return static_cast<std::byte>(c); });
  }
  return array;
}

std::optional<std::int64_t> widened(const StoredArray& array, std::size_t index) {
  if (array.bytes == 0 || array.bytes > 8) return std::nullopt;
  std::uint64_t code = 0;
  std::memcpy(&code, array.data.data() + index * array.bytes, array.bytes);
  const int unused = 64 - 8 * static_cast<int>(array.bytes);
  if (array.kind == StoredArray::Kind::signed_integer) return static_cast<std::int64_t>(code << unused) >> unused;
  const auto value = static_cast<std::int64_t>(code);
  return value < 0 ? std::nullopt : std::optional(value);
}

}  // namespace

StoredArray StoredArray::text(std::string_view value) {
  StoredArray array = text_array({value});
  array.is_scalar = true;
  return array;
}

StoredArray StoredArray::texts(const std::vector<std::string>& values) {
  StoredArray array = text_array({values.begin(), values.end()});
  array.shape = {static_cast<std::int64_t>(values.size())};
  return array;
}

StoredArray StoredArray::integer(std::int64_t value) {
  StoredArray array = integers({value});
  array.is_scalar = true;
  array.shape.clear();
  return array;
}

StoredArray StoredArray::integers(const std::vector<std::int64_t>& values) {
  StoredArray array;
  array.kind = Kind::signed_integer;
  array.bytes = 8;
  array.shape = {static_cast<std::int64_t>(values.size())};
  array.data.reserve(values.size() * 8);
  for (std::int64_t value : values) append(array.data, value);
  return array;
}

StoredArray StoredArray::real(double value) {
  StoredArray array = reals({value}, {});
  array.is_scalar = true;
  return array;
}

StoredArray StoredArray::reals(const std::vector<double>& values, Shape shape) {
  StoredArray array;
  array.kind = Kind::floating;
  array.bytes = 8;
  array.shape = std::move(shape);
  array.data.reserve(values.size() * 8);
  for (double value : values) append(array.data, canonical(value));
  return array;
}

StoredArray StoredArray::singles(const std::vector<double>& values, Shape shape) {
  StoredArray array;
  array.kind = Kind::floating;
  array.bytes = 4;
  array.shape = std::move(shape);
  array.data.reserve(values.size() * 4);
  for (double value : values) append(array.data, static_cast<float>(canonical(value)));
  return array;
}

std::optional<std::string> StoredArray::as_text() const {
  auto values = as_texts();
  if (!values || values->size() != 1) return std::nullopt;
  return std::move(values->front());
}

std::optional<std::vector<std::string>> StoredArray::as_texts() const {
  if (kind != Kind::text) return std::nullopt;
  std::vector<std::string> values;
  for (std::size_t i = 0; i < count(); ++i) {
    std::string value(reinterpret_cast<const char*>(data.data()) + i * bytes, bytes);
    value.erase(value.find_last_not_of('\0') + 1);
    values.push_back(std::move(value));
  }
  return values;
}

std::optional<std::int64_t> StoredArray::as_integer() const {
  const auto values = as_integers();
  if (!values || values->size() != 1) return std::nullopt;
  return values->front();
}

std::optional<std::vector<std::int64_t>> StoredArray::as_integers() const {
  if (kind == Kind::floating || kind == Kind::text) return std::nullopt;
  std::vector<std::int64_t> values;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto value = widened(*this, i);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

std::optional<std::vector<double>> StoredArray::as_reals() const {
  if (kind != Kind::floating || (bytes != 8 && bytes != 4)) return std::nullopt;
  std::vector<double> values(count());
  if (bytes == 4) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      float single = 0;
      std::memcpy(&single, data.data() + i * 4, 4);
      values[i] = static_cast<double>(single);
    }
    return values;
  }
  if (!values.empty()) std::memcpy(values.data(), data.data(), values.size() * 8);
  return values;
}

std::size_t stored_bytes(const StoredGroup& tree) {
  std::size_t bytes = 0;
  for (const auto& [name, dataset] : tree.datasets) bytes += dataset.array.is_declared ? 0 : dataset.array.data.size();
  for (const auto& [name, child] : tree.groups) bytes += stored_bytes(child);
  return bytes;
}

std::size_t about_file_bytes(const StoredGroup& tree) {
  constexpr std::size_t least = std::size_t{1} << 16, around = 2048;  // the data of one dataset, with its attributes
  const std::function<std::size_t(const StoredGroup&)> datasets = [&datasets](const StoredGroup& group) {
    std::size_t count = group.datasets.size();
    for (const auto& [name, child] : group.groups) count += datasets(child);
    return count;
  };
  const std::size_t bytes = stored_bytes(tree), all = bytes + bytes / 256 + around * datasets(tree);
  return (all / least + 1) * least;
}

}  // namespace tiebreak
