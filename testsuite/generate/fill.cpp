// SPDX-License-Identifier: Apache-2.0
#include "testsuite/generate/fill.hpp"

#include <algorithm>
#include <numeric>

#include "testsuite/generate/pseudo_random.hpp"

namespace tiebreak::generate {
namespace {

constexpr std::int64_t margin = 3;         // stairs beyond each end of the range: saturation must hold there
constexpr std::int64_t most_stairs = 600;  // a wider range is sampled: both ends, around zero, and in between

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

Status store(Tensor& tensor, std::int64_t index, const Real& value, const InputRequest& request) {
  TIEBREAK_CHECK(request.stop.check());
  std::optional<std::uint64_t> code = tensor.element().encode(value);
  if (!code) return fail(Errc::type, value.to_string() + " is not a value of " + tensor.element().name(), request.where);
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
    TIEBREAK_CHECK(store(tensor, static_cast<std::int64_t>(i), value, request));
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

std::int64_t parameter_index(const Shape& shape, std::int64_t element, const Tensor& parameter, std::int64_t axis, std::int64_t block_size) {
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

std::vector<std::int64_t> tie_numbers(const OutputRange& range) {
  std::int64_t low = range.least - margin;
  std::int64_t high = range.greatest + margin - 1;
  std::vector<std::int64_t> chosen;
  if (high - low < most_stairs) {
    for (std::int64_t k = low; k <= high; ++k) chosen.push_back(k);
    return chosen;
  }
  std::int64_t dense = most_stairs / 6;
  auto add = [&](std::int64_t from, std::int64_t to, std::int64_t step) {
    for (std::int64_t k = std::max(from, low); k <= std::min(to, high); k += step) chosen.push_back(k);
  };
  add(low, low + dense, 1);
  add(-dense, dense, 1);
  add(high - dense, high, 1);
  add(low, high, std::max<std::int64_t>((high - low) / (2 * dense) | 1, 1));
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

Result<CodeWidth> code_width(const InputRequest& request, std::int64_t element) {
  CodeWidth width;
  if (const Tensor* scale = operand(request, "of")) {
    if (scale->size() == 0) return fail(Errc::type, "rule '" + request.rule + "' needs a scale that is not empty", request.where);
    width.which = parameter_index(request.type.shape, element, *scale, request.axis, request.block_size);
    width.value = scale->value(width.which);
  } else {
    // Accumulators: a bias runs along the channels, element c has channel c.
    auto part = [&](const char* key) {
      const Tensor* tensor = operand(request, key);
      if (tensor == nullptr || tensor->size() == 0) return Real(1);
      if (tensor->size() > 1) width.which = std::min(element, tensor->size() - 1);
      return tensor->value(std::min(element, tensor->size() - 1));
    };
    width.value = part("y_scale") / (part("x_scale") * part("w_scale"));
  }
  if (!width.value.is_finite() || width.value.is_zero()) return fail(Errc::type, "rule '" + request.rule + "' needs finite scales other than 0", request.where);
  return width;
}

Result<Tensor> fill_groups(const InputRequest& request, const std::function<Result<std::int64_t>(std::int64_t element)>& group_of,
                           const std::function<Result<std::vector<Real>>(std::int64_t element)>& values_for, Handing handing) {
  struct Group {
    std::vector<Real> values{};
    std::int64_t elements = 0, visited = 0;
  };
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  std::map<std::int64_t, Group> groups;
  std::vector<Group*> owner;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    TIEBREAK_TRY(number, group_of(i));
    owner.push_back(&groups[number]);
    ++owner.back()->elements;
  }
  const auto seed = static_cast<std::int64_t>(PseudoRandom(request.seed).below(std::uint64_t{1} << 40));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    Group& group = *owner[static_cast<std::size_t>(i)];
    if (group.visited == 0) {
      TIEBREAK_TRY(values, values_for(i));
      if (values.empty()) return fail(Errc::type, "rule '" + request.rule + "' has no value of " + request.type.element.name() + " here", request.where);
      group.values = std::move(values);
    }
    const auto length = static_cast<std::int64_t>(group.values.size());
    const std::int64_t step = group.visited++;
    std::int64_t position = step % length;
    if (group.elements == 1) position = (i * 104729 + (handing == Handing::spread ? seed % length : 0)) % length;  // a prime: near and far alike
    else if (handing == Handing::spread && length > group.elements) position = (seed + step * length / group.elements) % length;
    TIEBREAK_CHECK(store(tensor, i, group.values[static_cast<std::size_t>(position)], request));
  }
  return tensor;
}

}  // namespace tiebreak::generate
