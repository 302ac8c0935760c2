// SPDX-License-Identifier: Apache-2.0
#include "interpreter/fast/load_lanes.hpp"

#include "interpreter/exact/machine_formats.hpp"
#include "interpreter/operations/avx2_copy.hpp"

namespace tiebreak {
namespace {

/// One after the other in memory: most formulas read so.
bool are_consecutive(const std::vector<std::int64_t>& offsets) {
  if (offsets.empty() || offsets[0] < 0) return false;
  std::int64_t apart = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) apart |= offsets[i] - offsets[0] - static_cast<std::int64_t>(i);
  return apart == 0;
}

template <class Stored, class Out>
TIEBREAK_AVX2_COPY void widen(const Stored* from, std::size_t count, Out* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Out>(from[i]);
}

template <class Stored, class Out>
void gather(const Tensor& tensor, const std::vector<std::int64_t>& offsets, std::vector<Out>& out) {
  const Stored* data = reinterpret_cast<const Stored*>(tensor.bytes().data());
  if (are_consecutive(offsets)) return widen(data + offsets[0], offsets.size(), out.data());
  for (std::size_t i = 0; i < offsets.size(); ++i) out[i] = offsets[i] < 0 ? Out{} : static_cast<Out>(data[offsets[i]]);
}

template <class Signed, class Unsigned, class Out>
void gather_either(const Tensor& tensor, const std::vector<std::int64_t>& offsets, std::vector<Out>& out) {
  tensor.element().integer().is_signed ? gather<Signed>(tensor, offsets, out) : gather<Unsigned>(tensor, offsets, out);
}

}  // namespace

bool load_lanes(const Tensor& tensor, const std::vector<std::int64_t>& offsets, Column& column) {
  const ElementType& type = tensor.element();
  if (column.carrier == Carrier::integer) {
    switch (type.storage_bytes()) {
      case 1: gather_either<std::int8_t, std::uint8_t>(tensor, offsets, column.integers); break;
      case 2: gather_either<std::int16_t, std::uint16_t>(tensor, offsets, column.integers); break;
      case 4: gather_either<std::int32_t, std::uint32_t>(tensor, offsets, column.integers); break;
      default: gather<std::int64_t>(tensor, offsets, column.integers); break;
    }
    return true;
  }
  if (column.carrier != Carrier::real || !type.is_float()) return false;
  if (is_binary32(type.floating())) return gather<float>(tensor, offsets, column.reals), true;
  return is_binary64(type.floating()) && (gather<double>(tensor, offsets, column.reals), true);
}

}  // namespace tiebreak
