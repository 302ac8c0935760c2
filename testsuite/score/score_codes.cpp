// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_codes.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

bool is_code(const TensorType& type, std::uint64_t code) {
  if (!type.quantized) return true;
  const Real value = type.element.decode(code);
  return value >= type.quantized->storage_min && value <= type.quantized->storage_max;
}

/// The codes of a type: of a quantized one those of its storage range.
std::vector<std::uint64_t> codes_of(const TensorType& type) {
  std::vector<std::uint64_t> codes;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << type.element.bits(); ++code)
    if (is_code(type, code)) codes.push_back(code);
  return codes;
}

constexpr const char* too_many = "operands with more codes than can be tried";

/// Wide elements for narrow ones, or the reverse: every pattern of the wide one's bits.
Result<OpCall> regrouped(OpCall call) {
  if (call.operands.size() != 1 || !call.operands[0] || call.result_types.size() != 1 || !call.result_types[0])
    return fail(Errc::unsupported, "an operand is absent", call.where);
  TensorType from = call.operands[0]->type(), to = *call.result_types[0];
  const int bits = from.element.bits(), wide = std::max(bits, to.element.bits());
  if (wide > most_code_bits) return fail(Errc::unsupported, too_many, call.where);
  const std::uint64_t pieces = static_cast<std::uint64_t>(std::max(1, to.element.bits() / bits)), mask = (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> codes;
  for (std::uint64_t word = 0; word < std::uint64_t{1} << wide; ++word) {
    const std::size_t before = codes.size();
    for (std::uint64_t i = 0; i < pieces; ++i)
      if (const std::uint64_t code = word >> (i * static_cast<std::uint64_t>(bits)) & mask; is_code(from, code)) codes.push_back(code);
    if (codes.size() - before != pieces) codes.resize(before);
  }
  const auto count = static_cast<std::int64_t>(codes.size() / pieces);
  from.shape = pieces > 1 ? Shape{count, static_cast<std::int64_t>(pieces)} : Shape{count};
  to.shape = bits > to.element.bits() ? Shape{count, bits / to.element.bits()} : Shape{count};
  TIEBREAK_TRY(tensor, Tensor::zeros(from));
  for (std::size_t i = 0; i < codes.size(); ++i) tensor.set_code(static_cast<std::int64_t>(i), codes[i]);
  call.operands[0] = std::move(tensor);
  call.result_types[0] = std::move(to);
  call.undefined.clear();
  return call;
}

Result<OpCall> elementwise(OpCall call, const std::vector<std::size_t>& varied) {
  int bits = 0;
  std::int64_t count = 1;
  std::vector<std::vector<std::uint64_t>> codes;
  for (const std::size_t i : varied) {
    if (i >= call.operands.size() || !call.operands[i]) return fail(Errc::unsupported, "an operand is absent", call.where);
    bits += call.operands[i]->element().bits();
    if (bits > most_code_bits) return fail(Errc::unsupported, too_many, call.where);
    codes.push_back(codes_of(call.operands[i]->type()));
    count *= static_cast<std::int64_t>(codes.back().size());
  }
  const auto lanes = [&](TensorType type) {
    type.shape.assign(std::max<std::size_t>(type.shape.size(), 1), 1);
    type.shape[0] = count;
    return type;
  };
  std::int64_t run = count;
  for (std::size_t k = 0; k < varied.size(); ++k) {
    TIEBREAK_TRY(tensor, Tensor::zeros(lanes(call.operands[varied[k]]->type())));
    run /= static_cast<std::int64_t>(codes[k].size());
    for (std::int64_t i = 0; i < count; ++i) tensor.set_code(i, codes[k][static_cast<std::size_t>(i / run) % codes[k].size()]);
    call.operands[varied[k]] = std::move(tensor);
  }
  for (std::optional<TensorType>& type : call.result_types)
    if (type) type = lanes(*type);
  call.undefined.clear();
  return call;
}

}  // namespace

Result<OpCall> with_all_codes(const Library& library, OpCall call) {
  TIEBREAK_TRY(place, library.find_op(call.op));
  const notation::Structure* structure = notation::structure_of(*place.op);
  if (structure != nullptr && structure->path == "regroup") return regrouped(std::move(call));
  if (structure == nullptr || structure->path != "elementwise" || !call.regions.empty())
    return fail(Errc::unsupported, "a result sees many elements", call.where);
  std::vector<std::size_t> varied;
  for (const auto& argument : structure->arguments)
    for (std::size_t i = 0; i < place.op->operands.size(); ++i)
      if (place.op->operands[i].name == argument.name) varied.push_back(i);
  if (varied.empty()) return fail(Errc::unsupported, "a result sees many elements", call.where);
  return elementwise(std::move(call), varied);
}

}  // namespace tiebreak
