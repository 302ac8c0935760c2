// SPDX-License-Identifier: Apache-2.0
// Dense tensors: little-endian codes in storage width, sub-byte codes one a byte and sign-extended.
#include "interpreter/tensor/tensor.hpp"

#include <bit>
#include <cstring>
#include <new>

#include "interpreter/large_pages.hpp"

namespace tiebreak {
namespace {

static_assert(std::endian::native == std::endian::little, "codes are kept in the machine's order, which must be little-endian");

constexpr std::int64_t byte_limit = std::int64_t{2} << 30;  // what an exchange file holds

std::uint64_t low_bits(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// The code as it lies in storage: sign-extended for signed integers, zero-extended otherwise.
std::uint64_t extended(std::uint64_t code, const ElementType& element) {
  const int bits = element.bits();
  code &= low_bits(bits);
  const bool negative = element.is_integer() && element.integer().is_signed && ((code >> (bits - 1)) & 1) != 0;
  return negative ? code | ~low_bits(bits) : code;
}

std::uint64_t load(const std::byte* from, int width) {
  std::uint64_t code = 0;
  std::memcpy(&code, from, static_cast<std::size_t>(width));
  return code;
}

Result<std::int64_t> checked_size(const TensorType& type) {
  TIEBREAK_TRY(count, element_count(type.shape));
  if (count * type.element.storage_bytes() > byte_limit) {
    return fail(Errc::limit, "a tensor of shape " + to_text(type.shape) + " and type " + type.element.name() + " is larger than 2 GiB");
  }
  return count;
}

}  // namespace

Result<Tensor> Tensor::zeros(TensorType type) {
  TIEBREAK_TRY(count, checked_size(type));
  Tensor tensor;
  try {
    make_zeros(tensor.bytes_, static_cast<std::size_t>(count) * static_cast<std::size_t>(type.element.storage_bytes()));
  } catch (const std::bad_alloc&) {
    return fail(Errc::limit, "no memory for a tensor of shape " + to_text(type.shape) + " and type " + type.element.name());
  }
  tensor.size_ = count;
  tensor.type_ = std::move(type);
  return tensor;
}

Result<Tensor> Tensor::from_bytes(TensorType type, std::vector<std::byte> bytes, const std::string& where) {
  auto count = checked_size(type);
  if (!count) return fail(count.error().code, count.error().what, where);
  const int width = type.element.storage_bytes();
  const std::size_t expected = static_cast<std::size_t>(*count) * static_cast<std::size_t>(width);
  if (bytes.size() != expected) {
    return fail(Errc::corrupt,
                "a tensor of shape " + to_text(type.shape) + " and type " + type.element.name() + " takes " + std::to_string(expected) + " bytes, got " +
                    std::to_string(bytes.size()),
                where);
  }
  Tensor tensor;
  tensor.type_ = std::move(type);
  tensor.size_ = *count;
  tensor.bytes_ = std::move(bytes);
  const ElementType& element = tensor.element();
  if (element.bits() == width * 8) return tensor;
  for (std::int64_t index = 0; index < tensor.size_; ++index) {
    const std::uint64_t stored = load(tensor.bytes_.data() + index * width, width);
    if (stored != (extended(stored, element) & low_bits(width * 8))) {
      return fail(Errc::corrupt, "element " + std::to_string(index) + " with the stored code " + std::to_string(stored) + " does not fit " + element.name(),
                  where);
    }
  }
  return tensor;
}

std::uint64_t Tensor::code(std::int64_t index) const {
  const int width = type_.element.storage_bytes();
  return load(bytes_.data() + index * width, width) & low_bits(type_.element.bits());
}

void Tensor::set_code(std::int64_t index, std::uint64_t code) {
  const int width = type_.element.storage_bytes();
  const std::uint64_t stored = extended(code, type_.element);
  std::memcpy(bytes_.data() + index * width, &stored, static_cast<std::size_t>(width));
}

Real Tensor::value(std::int64_t index) const { return type_.element.decode(code(index)); }

}  // namespace tiebreak
