// SPDX-License-Identifier: Apache-2.0
// Little-endian, lengths before contents, no padding.
#include "testsuite/exchange/tree_bytes.hpp"

#include <algorithm>
#include <bit>

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

/// Every length is checked against what is left, so none in the bytes can ask for more than there may be.
class Input {
 public:
  Input(const ByteSource& source, std::size_t left, const std::string& where) : source_(source), left_(left), where_(where) {}

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

  bool fill(std::span<std::byte> bytes) {
    if (bytes.size() > left_ || !source_(bytes)) return false;
    left_ -= bytes.size();
    return true;
  }

  Result<std::uint64_t> number() {
    std::uint64_t value = 0;
    if (!fill(std::as_writable_bytes(std::span(&value, 1)))) return short_of("a number");
    return value;
  }

  Result<std::string> name() {
    TIEBREAK_TRY(size, number());
    if (size > left_ || size > exchange_limit::text_bytes) return short_of("a name");
    std::string text(size, '\0');
    if (!fill(std::as_writable_bytes(std::span(text)))) return short_of("a name");
    return text;
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
    TIEBREAK_TRY(size, number());
    if (size > left_) return short_of("data");
    if (size != static_cast<std::uint64_t>(count) * bytes) return fail(Errc::corrupt, "data and shape do not fit", where_);
    if (!fill_as_it_comes(size, result.data)) return short_of("data");
    return result;
  }

  /// Memory is touched for what has come, not for what was said.
  bool fill_as_it_comes(std::size_t size, std::vector<std::byte>& data) {
    constexpr std::size_t piece = std::size_t{4} << 20;
    data.reserve(size);
    while (data.size() < size) {
      const std::size_t filled = data.size();
      data.resize(std::min(size, filled + piece));
      if (!fill(std::span(data).subspan(filled))) return false;
    }
    return true;
  }

  const ByteSource& source_;
  std::size_t left_;
  const std::string& where_;
};

}  // namespace

void write_tree(const StoredGroup& tree, const ByteSink& sink) { Output(sink).group(tree); }
void write_dataset(const StoredDataset& dataset, const ByteSink& sink) { Output(sink).dataset(dataset); }
void write_attributes(const StoredAttributes& attributes, const ByteSink& sink) { Output(sink).attributes(attributes); }

Result<StoredGroup> read_tree(const ByteSource& source, std::size_t most, const std::string& where) { return Input(source, most, where).group(0); }

Result<StoredGroup> parse_tree(std::span<const std::byte> bytes, const std::string& where) {
  const ByteSource source = [&bytes](std::span<std::byte> target) {
    if (target.size() > bytes.size()) return false;
    std::ranges::copy(bytes.first(target.size()), target.begin());
    bytes = bytes.subspan(target.size());
    return true;
  };
  TIEBREAK_TRY(tree, read_tree(source, bytes.size(), where));
  if (!bytes.empty()) return fail(Errc::corrupt, "bytes are left over", where);
  return std::move(tree);
}

}  // namespace tiebreak
