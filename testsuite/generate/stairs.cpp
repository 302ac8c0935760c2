// SPDX-License-Identifier: Apache-2.0
// Both sides of every stair: the inputs at which the result of an op under a profile takes its next value, and the ones just before. Where the
// operand is a row of factors (`weights`), each row is made to sum to such an input.
#include "interpreter/stairs/staircase.hpp"

#include <algorithm>
#include <map>

#include "interpreter/semantics/profile_lookup.hpp"
#include "testsuite/generate/fill.hpp"
#include "testsuite/generate/rules.hpp"

namespace tiebreak::generate {
namespace {

/// Which element of an operand belongs to `element`.
std::int64_t index_in(const InputRequest& request, const Tensor& tensor, std::int64_t element) {
  if (tensor.shape() == request.type.shape) return element;
  return parameter_index(request.type.shape, element, tensor, request.axis, request.block_size);
}

/// Elements with the same other operands have the same stairs.
std::int64_t group_of(const InputRequest& request, const StairsOf& of, std::int64_t element) {
  std::int64_t group = 0;
  for (const std::optional<Tensor>& tensor : of.call.operands)
    if (tensor && tensor->size() > 1) group = group * tensor->size() + index_in(request, *tensor, element);
  return group;
}

/// The call of one element: of operands that have one for each channel the one that belongs to it.
Result<OpCall> call_for(const InputRequest& request, const StairsOf& of, std::int64_t element) {
  OpCall call = of.call;
  for (std::optional<Tensor>& operand : call.operands) {
    if (!operand || operand->size() == 1) continue;
    if (operand->size() == 0) return fail(Errc::type, "rule 'stairs' needs operands that are not empty", request.where);
    TensorType type = operand->type();
    if (type.quantized && !type.quantized->is_per_tensor()) return fail(Errc::unsupported, "rule 'stairs' takes types quantized per tensor", request.where);
    type.shape = operand->shape() == request.type.shape ? Shape{1} : Shape{};
    TIEBREAK_TRY(one, Tensor::zeros(type));
    one.set_code(0, operand->code(index_in(request, *operand, element)));
    operand = std::move(one);
  }
  return call;
}

Result<Profile> profile_of(const InputRequest& request, const StairsOf& of) {
  TIEBREAK_TRY(named, of.library->find_profile(of.profile));
  Profile profile = *named;
  for (const auto& [key, alternative] : of.choices) {
    if (Result<ChoicePlace> place = find_choice(*of.library, key); !place)
      return fail(place.error().code, place.error().what, request.where, place.error().hint);
    profile.choices[key] = ProfileValue{.alternative = alternative};
  }
  return profile;
}

Result<std::vector<Real>> stairs_for(const InputRequest& request, const StairsOf& of, const OpCall& call) {
  auto place_error = [&](const Error& error) { return fail(error.code, error.what, request.where, error.hint); };
  TIEBREAK_TRY(profile, profile_of(request, of));
  Result<ScalarFunction> function = ScalarFunction::compile({*of.library, profile}, call, of.varied);
  if (!function) return place_error(function.error());
  Result<Staircase> stairs = staircase(*function);
  if (!stairs) return place_error(stairs.error());
  std::vector<Real> values;
  for (std::size_t step = 1; step < stairs->starts.size(); ++step)
    for (const std::int64_t side : {stairs->starts[step] - 1, stairs->starts[step]}) {
      Real v = stairs->input.value(side);
      if (values.empty() || !values.back().identical(v)) values.push_back(std::move(v));
    }
  return values;
}

/// A row whose product with the weights is `wanted`, or nothing: large weights first, the rest to the smaller ones.
std::optional<std::vector<std::int64_t>> row_of(std::int64_t wanted, const std::vector<std::int64_t>& weights, std::int64_t least, std::int64_t greatest) {
  std::vector<std::size_t> order(weights.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto magnitude = [&](std::size_t i) { return weights[i] < 0 ? -weights[i] : weights[i]; };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return magnitude(a) > magnitude(b); });
  std::vector<std::int64_t> row(weights.size(), std::clamp<std::int64_t>(0, least, greatest));
  for (std::size_t i : order) wanted -= row[i] * weights[i];
  for (std::size_t i : order) {
    if (weights[i] == 0) continue;
    const std::int64_t taken = std::clamp(row[i] + wanted / weights[i], least, greatest);
    wanted -= (taken - row[i]) * weights[i];
    row[i] = taken;
  }
  return wanted == 0 ? std::optional(row) : std::nullopt;
}

std::int64_t first_whole(const Tensor* tensor) { return tensor == nullptr || tensor->size() == 0 ? 0 : tensor->value(0).to_int64().value_or(0); }

Result<Tensor> rows_with_stairs(const InputRequest& request, const StairsOf& of) {
  TIEBREAK_TRY(tensor, Tensor::zeros(request.type));
  const Tensor& factors = *operand(request, "weights");
  const std::int64_t depth = request.type.shape.empty() ? 1 : request.type.shape.back();
  if (!request.type.element.is_integer() || depth == 0 || factors.size() % std::max<std::int64_t>(depth, 1) != 0)
    return fail(Errc::type, "'weights' has no weight for each place of a row", request.where);
  std::vector<std::int64_t> weights;  // of the first column
  const std::int64_t weights_zero = first_whole(operand(request, "weights_zero_point")), zero = first_whole(operand(request, "zero_point"));
  for (std::int64_t k = 0; k < depth; ++k) weights.push_back(factors.value(k * (factors.size() / depth)).to_int64().value_or(0) - weights_zero);
  TIEBREAK_TRY(call, call_for(request, of, 0));
  TIEBREAK_TRY(values, stairs_for(request, of, call));
  const std::int64_t least = request.type.element.min().to_int64().value_or(0) - zero, greatest = request.type.element.max().to_int64().value_or(0) - zero;
  std::vector<std::vector<std::int64_t>> rows;
  for (const Real& v : values)
    if (auto row = v.to_int64() ? row_of(*v.to_int64(), weights, least, greatest) : std::nullopt) rows.push_back(*row);
  if (rows.empty()) return fail(Errc::type, "no row times these weights is at a stair", request.where, "take weights of 1 and of large values");
  const std::int64_t wanted = tensor.size() / depth;
  const auto found = static_cast<std::int64_t>(rows.size());
  for (std::int64_t r = 0; r < wanted; ++r) {
    const std::vector<std::int64_t>& row = rows[static_cast<std::size_t>(found > wanted ? r * found / wanted : r % found)];
    for (std::int64_t k = 0; k < depth; ++k) TIEBREAK_CHECK(store(tensor, r * depth + k, Real(row[static_cast<std::size_t>(k)] + zero), request));
  }
  return tensor;
}

}  // namespace

Result<Tensor> stairs(const InputRequest& request) {
  if (!request.stairs || request.stairs->library == nullptr) return fail(Errc::usage, "rule 'stairs' needs the pages", request.where);
  const StairsOf& of = *request.stairs;
  if (operand(request, "weights") != nullptr) return rows_with_stairs(request, of);
  return fill_groups(
      request, [&](std::int64_t i) -> Result<std::int64_t> { return group_of(request, of, i); },
      [&](std::int64_t i) -> Result<std::vector<Real>> {
        TIEBREAK_TRY(call, call_for(request, of, i));
        return stairs_for(request, of, call);
      },
      Handing::spread);
}

}  // namespace tiebreak::generate
