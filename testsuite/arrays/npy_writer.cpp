// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "testsuite/arrays/npy.hpp"

namespace tiebreak {
namespace {

/// `<f4`; formats that NumPy does not have are kept as their bits: `|V2`, as ml_dtypes does it, and `|V1`.
std::string descr_of(const ElementType& element) {
  const int width = element.storage_bytes();
  if (element.is_boolean()) return "|b1";
  if (element.is_integer()) return fmt::format("{}{}{}", width == 1 ? '|' : '<', element.integer().is_signed ? 'i' : 'u', width);
  const bool is_ieee = element == *ElementType::parse("f64") || element == *ElementType::parse("f32") || element == *ElementType::parse("f16");
  return is_ieee ? fmt::format("<f{}", width) : fmt::format("|V{}", width);
}

}  // namespace

std::string npy_bytes(const Tensor& tensor) {
  std::string shape;
  for (std::int64_t extent : tensor.shape()) shape += std::to_string(extent) + ", ";
  if (tensor.shape().size() > 1) shape.resize(shape.size() - 2);
  if (tensor.shape().size() == 1) shape.pop_back();
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr_of(tensor.element()), shape);
  constexpr std::size_t before_header = 10, alignment = 64;
  header.append((alignment - (before_header + header.size() + 1) % alignment) % alignment, ' ');
  header += '\n';
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8U);
  text += header;
  text.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return text;
}

}  // namespace tiebreak
