// SPDX-License-Identifier: Apache-2.0
// Little-endian, lengths before contents, no padding.
#include "testsuite/exchange/tree_bytes.hpp"

#include <bit>
#include <cstring>

namespace tiebreak {
namespace {

class Output {
 public:
  explicit Output(const ByteSink& sink) : sink_(sink) {}

  void number(std::uint64_t value) const { sink_(std::as_bytes(std::span(&value, 1))); }
  void name(std::string_view text) const {
    number(text.size());
    sink_(std::as_bytes(std::span(text)));
  }
  void array(const StoredArray& array) const {
    number(static_cast<std::uint64_t>(array.kind));
    number(array.bytes);
    number(array.is_scalar ? 1 : 0);
    number(array.shape.size());
    for (std::int64_t extent : array.shape) number(static_cast<std::uint64_t>(extent));
    number(array.data.size());
    sink_(array.data);
  }
  void attributes(const StoredAttributes& attributes) const {
    number(attributes.size());
    for (const auto& [key, value] : attributes) {
      name(key);
      array(value);
    }
  }
  void dataset(const StoredDataset& dataset) const {
    attributes(dataset.attributes);
    array(dataset.array);
  }
  void group(const StoredGroup& group) const {
    attributes(group.attributes);
    number(group.datasets.size());
    for (const auto& [key, child] : group.datasets) {
      name(key);
      dataset(child);
    }
    number(group.groups.size());
    for (const auto& [key, child] : group.groups) {
      name(key);
      this->group(child);
    }
  }

 private:
  const ByteSink& sink_;
};

/// Every read is checked against what is left, so no length in the bytes can ask for more than there is.
class Input {
 public:
  Input(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  bool is_empty() const { return bytes_.empty(); }

  Result<StoredGroup> group(std::size_t depth) {
    if (depth > exchange_limit::depth) return fail(Errc::limit, "groups are nested too deeply", where_);
    StoredGroup result;
    TIEBREAK_TRY(stored, attributes());
    result.attributes = std::move(stored);
    TIEBREAK_TRY(datasets, number());
    for (std::uint64_t i = 0; i < datasets; ++i) {
      TIEBREAK_TRY(key, name());
      TIEBREAK_TRY(child, dataset());
      result.datasets.emplace(std::move(key), std::move(child));
    }
    TIEBREAK_TRY(groups, number());
    for (std::uint64_t i = 0; i < groups; ++i) {
      TIEBREAK_TRY(key, name());
      TIEBREAK_TRY(child, group(depth + 1));
      result.groups.emplace(std::move(key), std::move(child));
    }
    return result;
  }

 private:
  tl::unexpected<Error> short_of(const char* what) const { return fail(Errc::corrupt, std::string("the bytes end within ") + what, where_); }

  Result<std::uint64_t> number() {
    std::uint64_t value = 0;
    if (bytes_.size() < sizeof value) return short_of("a number");
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return value;
  }

  Result<std::span<const std::byte>> block() {
    TIEBREAK_TRY(size, number());
    if (size > bytes_.size()) return short_of("a name or data");
    const auto result = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return result;
  }

  Result<std::string> name() {
    TIEBREAK_TRY(bytes, block());
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }

  Result<StoredAttributes> attributes() {
    StoredAttributes result;
    TIEBREAK_TRY(count, number());
    for (std::uint64_t i = 0; i < count; ++i) {
      TIEBREAK_TRY(key, name());
      TIEBREAK_TRY(value, array());
      result.emplace(std::move(key), std::move(value));
    }
    return result;
  }

  Result<StoredDataset> dataset() {
    StoredDataset result;
    TIEBREAK_TRY(stored, attributes());
    result.attributes = std::move(stored);
    TIEBREAK_TRY(stored_array, array());
    result.array = std::move(stored_array);
    return result;
  }

  static bool is_width(StoredArray::Kind kind, std::uint64_t bytes) {
    if (kind == StoredArray::Kind::text) return bytes >= 1 && bytes <= exchange_limit::text_bytes;
    if (kind == StoredArray::Kind::truth) return bytes == 1;
    return bytes <= 8 && std::has_single_bit(bytes) && !(kind == StoredArray::Kind::floating && bytes == 1);
  }

  Result<StoredArray> array() {
    StoredArray result;
    TIEBREAK_TRY(kind, number());
    TIEBREAK_TRY(bytes, number());
    TIEBREAK_TRY(scalar, number());
    TIEBREAK_TRY(rank, number());
    if (kind > static_cast<std::uint64_t>(StoredArray::Kind::text) || scalar > 1 || rank > exchange_limit::depth || (scalar == 1 && rank > 0)) {
      return fail(Errc::corrupt, "not an array", where_);
    }
    result.kind = static_cast<StoredArray::Kind>(kind);
    if (!is_width(result.kind, bytes)) return fail(Errc::corrupt, "not an element width", where_);
    result.bytes = static_cast<std::uint32_t>(bytes);
    result.is_scalar = scalar == 1;
    for (std::uint64_t axis = 0; axis < rank; ++axis) {
      TIEBREAK_TRY(extent, number());
      result.shape.push_back(static_cast<std::int64_t>(extent));
    }
    TIEBREAK_TRY(count, element_count(result.shape));
    TIEBREAK_TRY(data, block());
    if (data.size() != static_cast<std::uint64_t>(count) * bytes) return fail(Errc::corrupt, "data and shape do not fit", where_);
    result.data.assign(data.begin(), data.end());
    return result;
  }

  std::span<const std::byte> bytes_;
  const std::string& where_;
};

}  // namespace

void write_tree(const StoredGroup& tree, const ByteSink& sink) { Output(sink).group(tree); }
void write_dataset(const StoredDataset& dataset, const ByteSink& sink) { Output(sink).dataset(dataset); }
void write_attributes(const StoredAttributes& attributes, const ByteSink& sink) { Output(sink).attributes(attributes); }

Result<StoredGroup> parse_tree(std::span<const std::byte> bytes, const std::string& where) {
  Input input(bytes, where);
  TIEBREAK_TRY(tree, input.group(0));
  if (!input.is_empty()) return fail(Errc::corrupt, "bytes are left over", where);
  return std::move(tree);
}

}  // namespace tiebreak
