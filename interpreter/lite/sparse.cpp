// SPDX-License-Identifier: Apache-2.0
#include "interpreter/lite/sparse.hpp"

#include <algorithm>
#include <cstring>

namespace tiebreak::tflite {
namespace {

/// A small file must not ask for much memory.
constexpr std::int64_t most_elements = std::int64_t{1} << 26;

class Expansion {
 public:
  Expansion(const Sparsity& sparsity, const TensorType& type, std::span<const std::byte> kept, const std::string& where)
      : sparsity_(sparsity), type_(type), kept_(kept), where_(where), width_(static_cast<std::size_t>(type.element.storage_bytes())) {}

  Result<Tensor> run() {
    TIEBREAK_TRY(count, element_count(type_.shape));
    if (count > most_elements) return fail(Errc::limit, "a sparse tensor of more than 2^26 elements", where_);
    TIEBREAK_CHECK(check_order());
    TIEBREAK_CHECK(check_blocks());
    TIEBREAK_CHECK(check_levels());
    TIEBREAK_TRY(tensor, Tensor::zeros({type_.element, type_.shape, {}}));
    result_ = std::move(tensor);
    place_.assign(sparsity_.order.size(), 0);
    TIEBREAK_CHECK(walk(0, 0));
    return std::move(result_);
  }

 private:
  std::size_t rank() const { return type_.shape.size(); }
  tl::unexpected<Error> wrong(const std::string& what) const { return fail(Errc::corrupt, "its sparsity " + what, where_); }

  /// A permutation: the tensor's dimensions, then those within blocks.
  Status check_order() const {
    const std::size_t dimensions = rank() + sparsity_.blocks.size();
    if (sparsity_.order.size() != dimensions || sparsity_.levels.size() != dimensions)
      return wrong("has " + std::to_string(sparsity_.levels.size()) + " levels for " + std::to_string(dimensions) + " dimensions");
    std::vector<bool> seen(dimensions, false);
    for (std::int64_t dimension : sparsity_.order) {
      if (dimension < 0 || static_cast<std::size_t>(dimension) >= dimensions || seen[static_cast<std::size_t>(dimension)])
        return wrong("names the dimension " + std::to_string(dimension) + " twice or one that is not there");
      seen[static_cast<std::size_t>(dimension)] = true;
    }
    return {};
  }

  Status check_blocks() {
    block_.assign(rank(), 1);
    inner_.assign(rank(), std::nullopt);
    for (std::size_t b = 0; b < sparsity_.blocks.size(); ++b) {
      const std::int64_t dimension = sparsity_.blocks[b];
      if (dimension < 0 || static_cast<std::size_t>(dimension) >= rank() || inner_[static_cast<std::size_t>(dimension)])
        return wrong("cuts the dimension " + std::to_string(dimension) + " twice or one that is not there");
      const auto level = static_cast<std::size_t>(std::ranges::find(sparsity_.order, static_cast<std::int64_t>(rank() + b)) - sparsity_.order.begin());
      if (!sparsity_.levels[level].dense || sparsity_.levels[level].size < 1) return wrong("has blocks that are not dense");
      block_[static_cast<std::size_t>(dimension)] = sparsity_.levels[level].size;
      inner_[static_cast<std::size_t>(dimension)] = rank() + b;
    }
    return {};
  }

  /// How many positions each level has: all that is walked stands in the file.
  Status check_levels() const {
    std::int64_t positions = 1;
    for (const SparseLevel& level : sparsity_.levels) {
      if (level.dense) {
        if (level.size < 0 || (level.size != 0 && positions > most_elements / level.size)) return wrong("has a level of " + std::to_string(level.size));
        positions *= level.size;
        continue;
      }
      if (static_cast<std::int64_t>(level.segments.size()) != positions + 1 || level.segments.front() != 0 ||
          level.segments.back() != static_cast<std::int64_t>(level.indices.size()) || !std::ranges::is_sorted(level.segments))
        return wrong("has segments that are not those of its indices");
      positions = static_cast<std::int64_t>(level.indices.size());
    }
    if (static_cast<std::size_t>(positions) != kept_.size() / width_ || kept_.size() % width_ != 0)
      return wrong("speaks of " + std::to_string(positions) + " elements, the data have " + std::to_string(kept_.size() / width_));
    return {};
  }

  Status walk(std::size_t level, std::int64_t position) {
    if (level == sparsity_.levels.size()) return put(position);
    const SparseLevel& here = sparsity_.levels[level];
    std::int64_t& place = place_[static_cast<std::size_t>(sparsity_.order[level])];
    const std::int64_t first = here.dense ? position * here.size : here.segments[static_cast<std::size_t>(position)];
    const std::int64_t last = here.dense ? first + here.size : here.segments[static_cast<std::size_t>(position) + 1];
    for (std::int64_t i = first; i < last; ++i) {
      place = here.dense ? i - first : here.indices[static_cast<std::size_t>(i)];
      TIEBREAK_CHECK(walk(level + 1, i));
    }
    return {};
  }

  Status put(std::int64_t position) {
    std::int64_t element = 0;
    for (std::size_t d = 0; d < rank(); ++d) {
      const std::int64_t extent = type_.shape[d], outer = place_[d];
      const std::int64_t within = inner_[d] ? place_[*inner_[d]] : 0;
      const bool inside = outer >= 0 && within >= 0 && outer < extent && outer * block_[d] + within < extent;
      if (!inside) return wrong("puts an element outside of the tensor");
      element = element * extent + outer * block_[d] + within;
    }
    std::memcpy(result_.bytes().data() + static_cast<std::size_t>(element) * width_, kept_.data() + static_cast<std::size_t>(position) * width_, width_);
    return {};
  }

  const Sparsity& sparsity_;
  const TensorType& type_;
  std::span<const std::byte> kept_;
  const std::string& where_;
  std::size_t width_;
  std::vector<std::int64_t> block_{};                ///< how long the blocks of each dimension are
  std::vector<std::optional<std::size_t>> inner_{};  ///< the place within a block, among `place_`
  std::vector<std::int64_t> place_{};
  Tensor result_{};
};

}  // namespace

Result<Tensor> densified(const Sparsity& sparsity, const TensorType& type, std::span<const std::byte> kept, const std::string& where) {
  return Expansion(sparsity, type, kept, where).run();
}

}  // namespace tiebreak::tflite
