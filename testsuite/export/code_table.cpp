// SPDX-License-Identifier: Apache-2.0
#include "testsuite/export/code_table.hpp"

#include <algorithm>

#include "interpreter/notation/walk.hpp"

namespace tiebreak {
namespace {

constexpr int widest_code = 8;

bool is_elementwise(const notation::Op& op) {
  const notation::Structure* structure = notation::structure_of(op);
  return structure != nullptr && structure->path == "elementwise";
}

bool is_per_tensor(const TensorType& type) { return !type.quantized || type.quantized->is_per_tensor(); }

/// The one operand that is no parameter; nothing where there are several, or where a parameter has several values.
std::optional<std::size_t> data_operand(const notation::Op& op, const OpCall& call) {
  std::optional<std::size_t> data;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    if (!call.operands[i]) continue;
    if (i >= op.operands.size() || op.operands[i].variadic || !is_per_tensor(call.operands[i]->type())) return std::nullopt;
    if (op.operands[i].indexed) {
      if (call.operands[i]->size() != 1) return std::nullopt;
      continue;
    }
    if (data) return std::nullopt;
    data = i;
  }
  return data;
}

/// Extent 1 everywhere, and `last` of the last dimension.
Shape row_of(const Shape& shape, std::int64_t last) {
  Shape row(std::max<std::size_t>(shape.size(), 1), 1);
  row.back() = last;
  return row;
}

bool is_code(const TensorType& type, const Real& value) {
  return !type.quantized || (type.quantized->storage_min <= value && value <= type.quantized->storage_max);
}

/// Every code once; `unused` where the bits are no code of the type, which then has its least in their place.
Result<Tensor> every_code(TensorType type, std::vector<std::uint8_t>& unused) {
  const std::int64_t count = std::int64_t{1} << type.element.bits();
  type.shape = row_of(type.shape, count);
  TIEBREAK_TRY(codes, Tensor::zeros(type));
  unused.assign(static_cast<std::size_t>(count), 0);
  for (std::int64_t code = 0; code < count; ++code) {
    codes.set_code(code, static_cast<std::uint64_t>(code));
    if (is_code(type, codes.value(code))) continue;
    unused[static_cast<std::size_t>(code)] = 1;
    codes.set_code(code, *type.element.encode(type.quantized->storage_min));
  }
  return std::move(codes);
}

}  // namespace

Result<std::optional<TableOfCodes>> code_table(const Semantics& semantics, const OpCall& call, std::size_t result) {
  const auto place = semantics.library.find_op(call.op);
  if (!place || !call.regions.empty() || !is_elementwise(*place->op)) return std::optional<TableOfCodes>();
  const std::optional<std::size_t> data = data_operand(*place->op, call);
  if (!data || call.operands[*data]->element().bits() > widest_code || call.operands[*data]->element().is_boolean()) return std::optional<TableOfCodes>();
  OpCall every = call;
  every.undefined.clear();
  std::vector<std::uint8_t> unused;
  TIEBREAK_TRY(codes, every_code(call.operands[*data]->type(), unused));
  for (auto& type : every.result_types) {
    if (!type) continue;
    if (!is_per_tensor(*type)) return std::optional<TableOfCodes>();
    type->shape = codes.shape();
  }
  every.operands[*data] = std::move(codes);
  Result<std::vector<ResultTensor>> results = evaluate(semantics, every);
  TIEBREAK_CHECK(semantics.library.stop().check());
  if (!results || result >= results->size() || (*results)[result].tensor.size() != static_cast<std::int64_t>(unused.size()))
    return std::optional<TableOfCodes>();
  TableOfCodes table{place->op->operands[*data].name, std::move((*results)[result])};
  std::vector<std::uint8_t>& undefined = table.values.undefined;
  if (std::ranges::find(unused, 1) != unused.end()) {
    undefined.resize(unused.size(), 0);
    for (std::size_t i = 0; i < unused.size(); ++i) undefined[i] |= unused[i];
  }
  return std::optional(std::move(table));
}

}  // namespace tiebreak
