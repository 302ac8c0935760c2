// SPDX-License-Identifier: Apache-2.0
// A tensor of a file: type, shape, parameters, and its data where it is a constant.
#if __has_include(<flatbuffers/flatbuffers.h>)
#include <algorithm>
#include <cmath>

#include "interpreter/lite/element_numbers.hpp"
#include "interpreter/lite/read_parts.hpp"
#include "interpreter/lite/sparse.hpp"
#include "interpreter/tensor/packed_codes.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::uint64_t most_constant_bytes = std::uint64_t{2} << 30;
constexpr std::size_t most_dimensions = 64, most_parameters = 1 << 20, most_places = 1 << 28;
constexpr std::int8_t dense_format = 0, sparse_format = 1;
constexpr std::uint8_t vector_of_i32 = 1, vector_of_u16 = 2, vector_of_u8 = 3;
constexpr Field values_of_vector{0, "values"};

Result<Shape> shape_of(const FlatTable& table, const Field& field, std::int32_t least) {
  TIEBREAK_TRY(extents, table.numbers<std::int32_t>(field, most_dimensions));
  for (std::int32_t extent : extents)
    if (extent < least) return fail(Errc::corrupt, "an extent of " + std::to_string(extent) + " in its " + field.name, table.where());
  return Shape(extents.begin(), extents.end());
}

Result<std::optional<Quantization>> quantization_of(const FlatTable& tensor) {
  TIEBREAK_TRY(table, tensor.table(of_tensor::quantization, tensor.where() + ", quantization"));
  if (!table) return std::optional<Quantization>{};
  TIEBREAK_TRY(details, table->number<std::uint8_t>(of_quantization::details, 0));
  if (details != 0) return fail(Errc::unsupported, "parameters of a kind of their own (details_type " + std::to_string(details) + ")", table->where());
  Quantization parameters;
  TIEBREAK_TRY(scales, table->numbers<float>(of_quantization::scale, most_parameters));
  TIEBREAK_TRY(zero_points, table->numbers<std::int64_t>(of_quantization::zero_point, most_parameters));
  TIEBREAK_TRY(axis, table->number<std::int32_t>(of_quantization::dimension, 0));
  if (scales.empty()) return std::optional<Quantization>{};  // a range that training saw, or nothing at all
  for (float scale : scales)
    if (!std::isfinite(scale)) return fail(Errc::corrupt, "a scale that is not finite", table->where());
  if (zero_points.size() > 1 && zero_points.size() != scales.size())
    return fail(Errc::corrupt, std::to_string(scales.size()) + " scales and " + std::to_string(zero_points.size()) + " zero points", table->where());
  if (zero_points.size() != scales.size()) zero_points.assign(scales.size(), zero_points.empty() ? 0 : zero_points[0]);
  return std::optional(Quantization{std::move(scales), std::move(zero_points), axis});
}

template <class T>
std::vector<std::int64_t> widened(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

/// A vector of one of three widths.
Result<std::vector<std::int64_t>> places_of(const FlatTable& level, const Field& type, const Field& field) {
  TIEBREAK_TRY(width, level.number<std::uint8_t>(type, 0));
  TIEBREAK_TRY(table, level.table(field, level.where()));
  if (!table) return fail(Errc::corrupt, std::string("its sparsity has no ") + field.name, level.where());
  if (width == vector_of_i32) return table->numbers<std::int32_t>(values_of_vector, most_places).map(widened<std::int32_t>);
  if (width == vector_of_u16) return table->numbers<std::uint16_t>(values_of_vector, most_places).map(widened<std::uint16_t>);
  if (width == vector_of_u8) return table->numbers<std::uint8_t>(values_of_vector, most_places).map(widened<std::uint8_t>);
  return fail(Errc::corrupt, "its sparsity has a vector of kind " + std::to_string(width), level.where());
}

Result<std::optional<Sparsity>> sparsity_of(const FlatTable& tensor) {
  TIEBREAK_TRY(table, tensor.table(of_tensor::sparsity, tensor.where()));
  if (!table) return std::optional<Sparsity>{};
  Sparsity sparsity;
  TIEBREAK_TRY(order, table->numbers<std::int32_t>(of_sparsity::order, 2 * most_dimensions));
  TIEBREAK_TRY(blocks, table->numbers<std::int32_t>(of_sparsity::blocks, most_dimensions));
  TIEBREAK_TRY(levels, table->tables(of_sparsity::levels));
  if (levels.size() > 2 * most_dimensions) return fail(Errc::limit, "its sparsity has more than 128 levels", tensor.where());
  sparsity.order = widened(order);
  sparsity.blocks = widened(blocks);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    TIEBREAK_TRY(level, levels.at(i, tensor.where()));
    TIEBREAK_TRY(format, level.number<std::int8_t>(of_level::format, dense_format));
    SparseLevel read;
    read.dense = format == dense_format;
    if (format != dense_format && format != sparse_format)
      return fail(Errc::corrupt, "its sparsity has a level of format " + std::to_string(format), tensor.where());
    if (read.dense) {
      TIEBREAK_TRY(size, level.number<std::int32_t>(of_level::size, 0));
      read.size = size;
    } else {
      TIEBREAK_TRY(segments, places_of(level, of_level::segments_type, of_level::segments));
      TIEBREAK_TRY(indices, places_of(level, of_level::indices_type, of_level::indices));
      read.segments = std::move(segments);
      read.indices = std::move(indices);
    }
    sparsity.levels.push_back(std::move(read));
  }
  return std::optional(std::move(sparsity));
}

Result<Tensor> constant_of(const FlatTable& table, const TensorType& type, std::span<const std::byte> data) {
  TIEBREAK_TRY(sparsity, sparsity_of(table));
  if (sparsity && type.element.bits() < 8) return fail(Errc::unsupported, "sparse elements of fewer than eight bits", table.where());
  if (sparsity) return densified(*sparsity, type, data, table.where());
  TIEBREAK_TRY(count, element_count(type.shape));
  const auto codes = static_cast<std::size_t>(codes_a_byte(type.element)), elements = static_cast<std::size_t>(count);
  const std::size_t size = codes > 1 ? (elements + codes - 1) / codes : elements * static_cast<std::size_t>(type.element.storage_bytes());
  if (data.size() != size)
    return fail(Errc::corrupt, "its buffer has " + std::to_string(data.size()) + " bytes, its shape wants " + std::to_string(size), table.where());
  if (codes == 1) return Tensor::from_bytes(type, {data.begin(), data.end()}, table.where());
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  unpack_codes(data, tensor);
  return std::move(tensor);
}

}  // namespace

Result<std::span<const std::byte>> Buffers::data(std::uint32_t buffer, const std::string& where) {
  if (buffer == 0 && tables_.size() == 0) return std::span<const std::byte>{};
  if (buffer >= tables_.size()) return fail(Errc::corrupt, "its buffer is number " + std::to_string(buffer) + " of " + std::to_string(tables_.size()), where);
  TIEBREAK_TRY(table, tables_.at(buffer, where + ", buffer " + std::to_string(buffer)));
  TIEBREAK_TRY(inside, table.bytes(of_buffer::data));
  TIEBREAK_TRY(offset, table.number<std::uint64_t>(of_buffer::offset, 0));
  TIEBREAK_TRY(size, table.number<std::uint64_t>(of_buffer::size, 0));
  std::span<const std::byte> data = inside.value_or(std::span<const std::byte>{});
  if (data.empty() && offset > 1) {  // behind the tables
    if (offset > file_.size() || size > file_.size() - offset) return fail(Errc::corrupt, "its data do not lie within the file", table.where());
    data = file_.subspan(offset, size);
  }
  taken_ += data.size();
  if (taken_ > most_constant_bytes) return fail(Errc::limit, "constants of more than 2 GiB", where);
  return data;
}

Result<ModelTensor> read_tensor(const FlatTable& table, Buffers& buffers) {
  ModelTensor tensor;
  TIEBREAK_TRY(name, table.text(of_tensor::name));
  tensor.name = std::move(name);
  TIEBREAK_TRY(number, table.number<std::int8_t>(of_tensor::type, 0));
  const auto element = element_of(number);
  if (!element) return fail(Errc::unsupported, "elements of type " + type_word(number) + " are not read", table.where());
  TIEBREAK_TRY(shape, shape_of(table, of_tensor::shape, 0));
  TIEBREAK_TRY(signature, shape_of(table, of_tensor::signature, -1));
  if (auto count = element_count(shape); !count) return fail(count.error().code, count.error().what, table.where());
  if (!signature.empty() && signature.size() != shape.size())
    return fail(Errc::corrupt, "its shape has " + std::to_string(shape.size()) + " dimensions, its signature " + std::to_string(signature.size()),
                table.where());
  if (is_open(signature)) tensor.signature = std::move(signature);
  tensor.type = {*element, std::move(shape), {}};
  TIEBREAK_TRY(parameters, quantization_of(table));
  tensor.quantization = std::move(parameters);
  TIEBREAK_TRY(variable, table.number<std::uint8_t>(of_tensor::variable, 0));
  tensor.variable = variable != 0;
  TIEBREAK_TRY(buffer, table.number<std::uint32_t>(of_tensor::buffer, 0));
  TIEBREAK_TRY(data, buffers.data(buffer, table.where()));
  if (data.empty()) return tensor;
  if (tensor.variable) return fail(Errc::corrupt, "it is a variable and has constant data", table.where());
  TIEBREAK_TRY(constant, constant_of(table, tensor.type, data));
  tensor.constant = std::move(constant);
  return tensor;
}

}  // namespace tiebreak::tflite
#endif
