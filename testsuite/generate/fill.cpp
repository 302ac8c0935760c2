// SPDX-License-Identifier: Apache-2.0
#include "testsuite/generate/fill.hpp"

#include <algorithm>
#include <numeric>

#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak::generate {
namespace {

/// `count` of the positions 0 .. total - 1, ascending, drawn by a partial shuffle.
std::vector<std::size_t> draw(std::size_t total, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> positions(total);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  PseudoRandom random(seed);
  for (std::size_t i = 0; i < count; ++i) std::swap(positions[i], positions[i + random.below(total - i)]);
  positions.resize(count);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace

Status store(Tensor& tensor, std::int64_t index, const Real& value, const std::string& where) {
  std::optional<std::uint64_t> code = tensor.element().encode(value);
  if (!code) return fail(Errc::type, value.to_string() + " is not a value of " + tensor.element().name(), where);
  tensor.set_code(index, *code);
  return {};
}

Result<Tensor> fill(const InputRequest& request, const std::vector<Real>& values) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  std::size_t size = static_cast<std::size_t>(tensor.size());
  if (size == 0) return tensor;
  if (values.empty()) return fail(Errc::type, "rule '" + request.rule + "' has no value of " + request.type.element.name(), request.where);
  std::vector<std::size_t> chosen;
  if (values.size() > size) chosen = draw(values.size(), size, request.seed);
  for (std::size_t i = 0; i < size; ++i) {
    const Real& value = chosen.empty() ? values[i % values.size()] : values[chosen[i]];
    TIEBREAK_CHECK(store(tensor, static_cast<std::int64_t>(i), value, request.where));
  }
  return tensor;
}

const Tensor* operand(const InputRequest& request, const std::string& key) {
  auto found = request.operands.find(key);
  return found == request.operands.end() ? nullptr : found->second;
}

Real number(const InputRequest& request, const std::string& key, const Real& otherwise) {
  auto found = request.numbers.find(key);
  return found == request.numbers.end() ? otherwise : found->second;
}

std::int64_t parameter_index(const Shape& shape, std::int64_t element, const Tensor& parameter, std::int64_t axis,
                             std::int64_t block_size) {
  std::int64_t rank = static_cast<std::int64_t>(shape.size());
  if (parameter.size() <= 1 || rank == 0) return 0;
  std::int64_t wanted = axis < 0 ? axis + rank : axis;
  if (wanted < 0 || wanted >= rank) return 0;
  bool same_rank = static_cast<std::int64_t>(parameter.shape().size()) == rank;
  std::int64_t flat = 0;
  std::int64_t rest = element;
  std::int64_t stride = 1;
  for (std::int64_t d = rank - 1; d >= 0; --d) {
    std::int64_t extent = shape[static_cast<std::size_t>(d)];
    std::int64_t position = rest % extent;
    rest /= extent;
    if (!same_rank) {
      if (d == wanted) return std::min(position, parameter.size() - 1);
      continue;
    }
    std::int64_t parameters = parameter.shape()[static_cast<std::size_t>(d)];
    std::int64_t block = d == wanted && block_size > 0 ? block_size : (extent + parameters - 1) / std::max<std::int64_t>(parameters, 1);
    flat += std::min(position / std::max<std::int64_t>(block, 1), parameters - 1) * stride;
    stride *= parameters;
  }
  return same_rank ? flat : 0;
}

OutputRange output_range(const InputRequest& request, std::int64_t element) {
  const Tensor* zero_point = operand(request, "zero_point");
  ElementType type = request.output ? *request.output : zero_point ? zero_point->element() : ElementType(IntegerFormat{false, 8});
  Real zero = 0;
  if (zero_point && zero_point->size() > 0) {
    std::int64_t index = parameter_index(request.type.shape, element, *zero_point, request.axis, request.block_size);
    if (Real value = zero_point->value(index); value.is_finite()) zero = round_whole(value, Rounding::toward_zero);
  }
  // Wider than any 16-bit output is sampled at its ends and around zero by the rules themselves.
  auto whole = [](const Real& v) { return round_whole(v, Rounding::nearest_even).to_int64().value_or(v.sign() * (std::int64_t{1} << 40)); };
  return {whole(type.min() - zero), whole(type.max() - zero)};
}

}  // namespace tiebreak::generate
