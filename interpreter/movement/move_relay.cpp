// SPDX-License-Identifier: Apache-2.0
// Movement as Relay writes it, steered by attributes: move.reshape_relay (newshape), expand_dims_relay (axis, num_newaxis), squeeze_relay (axis),
// transpose_relay (axes) and pad_relay (pad_width).
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/movement/move.hpp"

namespace tiebreak::structure {
namespace {

constexpr std::int64_t rank_limit = 64;

/// The special entries of a new shape, read from left to right while dimensions of the operand are taken: 0 and positive numbers take one, -2 all that are
/// left, -3 the product of two, -4 one that the two entries behind it divide.
class NewShape {
 public:
  NewShape(const StructureRequest& request, const Shape& shape, bool zero_is_zero) : request_(request), shape_(shape), zero_is_zero_(zero_is_zero) {}

  Result<Shape> read(const Shape& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
      const std::int64_t entry = given[i];
      if (entry == -2) {
        while (taken_ < shape_.size()) wanted_.push_back(shape_[taken_++]);
      } else if (entry == -3) {
        if (taken_ + 2 > shape_.size() || shape_[taken_] > far_index || shape_[taken_ + 1] > far_index / std::max<std::int64_t>(1, shape_[taken_])) {
          return bad(given);
        }
        wanted_.push_back(shape_[taken_] * shape_[taken_ + 1]);
        taken_ += 2;
      } else if (entry == -4) {
        if (taken_ >= shape_.size() || i + 2 >= given.size() || !divide(shape_[taken_++], given[i + 1], given[i + 2])) return bad(given);
        i += 2;
      } else if (entry == 0 && !zero_is_zero_) {
        if (taken_ >= shape_.size()) return bad(given);
        wanted_.push_back(shape_[taken_++]);
      } else {
        if (entry < -1 || entry > far_index) return bad(given);
        wanted_.push_back(entry);
        ++taken_;
      }
    }
    TIEBREAK_CHECK(fill(given));
    return wanted_;
  }

 private:
  tl::unexpected<Error> bad(const Shape& given) const { return malformed(request_, "", fmt::format("{} is no shape for {}", to_text(given), to_text(shape_))); }

  /// One of the two may be -1.
  bool divide(std::int64_t extent, std::int64_t left, std::int64_t right) {
    if (left == -1 && right > 0) left = extent / right;
    if (right == -1 && left > 0) right = extent / left;
    wanted_.push_back(left);
    wanted_.push_back(right);
    return left > 0 && right > 0 && left <= extent && right <= extent && left * right == extent;
  }

  /// One -1 takes what is left.
  Status fill(const Shape& given) {
    TIEBREAK_TRY(count, element_count(shape_));
    std::int64_t known = 1;
    std::int64_t* open = nullptr;
    for (std::int64_t& extent : wanted_) {
      if (extent == -1 && open != nullptr) return bad(given);
      if (extent == -1) open = &extent;
      else if (extent != 0 && known > far_index / extent) return bad(given);
      else known *= extent;
    }
    if (open == nullptr) return known == count ? Status{} : bad(given);
    if (known == 0 || count % known != 0) return bad(given);
    *open = count / known;
    return {};
  }

  const StructureRequest& request_;
  const Shape& shape_;
  bool zero_is_zero_;
  Shape wanted_{};
  std::size_t taken_ = 0;
};

}  // namespace

Result<Geometry> move_reshape_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(given, integers(request, "newshape", Shape{}));
  TIEBREAK_TRY(zero_is_zero, integer(request, "allowzero", 0));
  TIEBREAK_TRY(wanted, NewShape(request, operand->type.shape, zero_is_zero != 0).read(given));
  return reshaped(request, *operand, wanted);
}

/// Dimensions of 1 before the given one; a negative number counts from behind the last one.
Result<Geometry> move_expand_dims_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  TIEBREAK_TRY(given, integer(request, "axis", 0));
  TIEBREAK_TRY(count, integer(request, "num_newaxis", 1));
  Shape wanted = operand->type.shape;
  const std::int64_t rank = static_cast<std::int64_t>(wanted.size());
  if (given < -rank - 1 || given > rank) return malformed(request, "", fmt::format("axis {} is outside {} .. {}", given, -rank - 1, rank));
  if (count < 0 || count > rank_limit) return malformed(request, "", fmt::format("num_newaxis is {}, expected 0 .. {}", count, rank_limit));
  wanted.insert(wanted.begin() + (given < 0 ? given + rank + 1 : given), static_cast<std::size_t>(count), 1);
  return reshaped(request, *operand, wanted);
}

/// As move.squeeze_onnx, which calls the list `axes`. An empty list takes nothing away.
Result<Geometry> move_squeeze_relay(const StructureRequest& request) {
  AttributeMap attributes = *request.attributes;
  if (const auto axis = attributes.find("axis"); axis != attributes.end()) attributes["axes"] = axis->second;
  StructureRequest as_onnx = request;
  as_onnx.attributes = &attributes;
  return move_squeeze_onnx(as_onnx);
}

/// Without axes the dimensions are reversed; negative ones count from the end.
Result<Geometry> move_transpose_relay(const StructureRequest& request) {
  TIEBREAK_TRY(operand, argument_operand(request, 0));
  const std::int64_t rank = static_cast<std::int64_t>(operand->type.shape.size());
  Shape reversed;
  for (std::int64_t d = rank; d > 0; --d) reversed.push_back(d - 1);
  TIEBREAK_TRY(permutation, integers(request, "axes", reversed));
  Shape from_front = permutation;
  for (std::int64_t& axis : from_front) axis += axis < 0 ? rank : 0;
  return transposed(request, *operand, from_front);
}

/// `[[before, behind], ...]`, one pair a dimension: the amounts of move.pad_onnx in another order.
Result<Geometry> move_pad_relay(const StructureRequest& request) {
  AttributeMap attributes = *request.attributes;
  const auto width = attributes.find("pad_width");
  const AttributeList* pairs = width == attributes.end() ? nullptr : std::get_if<AttributeList>(&width->second.value);
  if (pairs == nullptr) return malformed(request, "", "pad_width is no list of pairs");
  Shape before, behind;
  for (const Attribute& pair : *pairs) {
    const auto amounts = pair.as_integers();
    if (!amounts || amounts->size() != 2) return malformed(request, "", "pad_width is no list of pairs");
    before.push_back((*amounts)[0]);
    behind.push_back((*amounts)[1]);
  }
  before.insert(before.end(), behind.begin(), behind.end());
  attributes["pads"] = Attribute::integers(before);
  if (const auto mode = attributes.find("pad_mode"); mode != attributes.end()) attributes["mode"] = mode->second;
  StructureRequest as_onnx = request;
  as_onnx.attributes = &attributes;
  as_onnx.arguments.resize(1);
  return move_pad_onnx(as_onnx);
}

}  // namespace tiebreak::structure
