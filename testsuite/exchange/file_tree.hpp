// SPDX-License-Identifier: Apache-2.0
// What an HDF5 file holds, as plain values: groups, datasets and attributes, all sorted by name. hdf5_file.cpp converts it
// to and from HDF5, encode_file.cpp and decode_file.cpp to and from cases.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/tensor/tensor_type.hpp"

namespace tiebreak {

/// Elements in file order. `bytes` is the width of one element; texts are padded with zeros to the longest.
struct StoredArray {
  enum class Kind : std::uint8_t { signed_integer, unsigned_integer, floating, truth, text } kind = Kind::unsigned_integer;
  std::uint32_t bytes = 1;
  bool is_scalar = false;  ///< no dimensions at all; shape is empty
  Shape shape{};
  std::vector<std::byte> data{};
  bool is_declared = false;  ///< written without data: takes no room in the file, reads as zeros

  std::size_t count() const { return bytes == 0 ? 0 : data.size() / bytes; }
  bool operator==(const StoredArray&) const = default;

  static StoredArray text(std::string_view value);
  static StoredArray texts(const std::vector<std::string>& values);
  static StoredArray integer(std::int64_t value);
  static StoredArray integers(const std::vector<std::int64_t>& values);
  static StoredArray real(double value);  ///< every nan is written as the same nan
  static StoredArray reals(const std::vector<double>& values, Shape shape);
  static StoredArray singles(const std::vector<double>& values, Shape shape);  ///< stored as f32; the values must be f32 values

  std::optional<std::string> as_text() const;  ///< of a scalar, or of an array with one element
  std::optional<std::vector<std::string>> as_texts() const;
  std::optional<std::int64_t> as_integer() const;  ///< whole numbers of any width
  std::optional<std::vector<std::int64_t>> as_integers() const;
  std::optional<std::vector<double>> as_reals() const;  ///< f64 only
};

using StoredAttributes = std::map<std::string, StoredArray>;

struct StoredDataset {
  StoredAttributes attributes{};
  StoredArray array{};
};

struct StoredGroup {
  StoredAttributes attributes{};
  std::map<std::string, StoredDataset> datasets{};
  std::map<std::string, StoredGroup> groups{};
};

/// Bytes of the data in a tree, of all that is not declared alone, and how many the file of it has, about.
std::size_t stored_bytes(const StoredGroup& tree);
std::size_t about_file_bytes(const StoredGroup& tree);

/// Limits of docs/exchange.md.
namespace exchange_limit {
inline constexpr std::size_t cases = 1'000'000;
inline constexpr std::size_t rank = 16;
inline constexpr std::size_t text_bytes = std::size_t{16} << 20;
inline constexpr std::size_t total_bytes = std::size_t{2} << 30;  ///< data of one file
inline constexpr std::size_t file_bytes = std::size_t{4} << 30;
inline constexpr std::size_t objects = 20'000'000;  ///< groups, datasets and attributes
inline constexpr std::size_t depth = 64;
}  // namespace exchange_limit

}  // namespace tiebreak
