// SPDX-License-Identifier: Apache-2.0
// Points and parameters as one call: which operand runs, which is shared, and how an accumulator is made of codes.
#include <algorithm>

#include "testsuite/candidates/probe_pool.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

/// The nearest value of the type, not 0 where the wanted one is not.
Real held(const Real& v, const ElementType& type) {
  if (type.encode(v)) return v;
  if (!type.is_float()) return min(max(round_whole(v, Rounding::nearest_even), type.min()), type.max());
  return round_to(v, type.floating(), Rounding::nearest_even, Overflow::saturate).value_or(v);
}

Result<Tensor> held_tensor(const TensorType& type, const std::vector<Real>& values) {
  TIEBREAK_TRY(tensor, Tensor::zeros(type));
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const Real& value = values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)];
    auto code = type.element.encode(held(value, type.element));
    if (!code) return fail(Errc::internal, "a question has " + value.to_string() + ", which " + type.element.name() + " cannot hold");
    tensor.set_code(i, *code);
  }
  return tensor;
}

TensorType type_of(const OperandRole& role, const Shape& shape, const Real& scale, const Real& zero_point) {
  TensorType type{role.type, shape, std::nullopt};
  if (role.expressed) {
    QuantizedType quantized{role.type, role.type.min(), role.type.max(), *role.expressed, {}, {}, {}, {}};
    quantized.scales = {Scale{held(scale, *role.expressed)}};
    quantized.zero_points = {ZeroPoint{held(zero_point, role.type)}};
    type.quantized = quantized;
  }
  return type;
}

/// Builds the call operand by operand.
class CallBuilder {
 public:
  CallBuilder(const OpRoles& roles, const ProbeParameters& parameters) : roles_(roles), parameters_(parameters) {
    set_.call.op = roles.op;
    for (const auto& [name, type] : roles.attributes) set_.call.attributes[name] = Attribute{type};
  }

  /// `data`: the tensors of the data operands, in order, with the dimension along which the questions run.
  Status add_data(const OperandRole& role, const Shape& shape, const std::vector<Real>& values, int axis) {
    bool is_first = role.name == roles_.data()[0]->name;
    TensorType type = type_of(role, shape, is_first ? parameters_.first : parameters_.second, is_first ? parameters_.zero_first : parameters_.zero_second);
    TIEBREAK_TRY(tensor, held_tensor(type, values));
    data_.emplace_back(role.name, tensor, axis);
    if (role.expressed) name_part(role.name + ".scale", type.quantized->scales[0].value);
    return {};
  }

  Result<ProbeSet> finish(std::int64_t count, const std::vector<Real>& biases, const Shape& result_shape, int result_axis) {
    int scales = 0, zero_points = 0;
    for (const OperandRole& role : roles_.operands) {
      switch (role.kind) {
        case RoleKind::data: {
          auto found = std::ranges::find(data_, role.name, [](const auto& entry) { return std::get<0>(entry); });
          if (found == data_.end()) return fail(Errc::internal, "operand " + role.name + " has no values");
          add(role.name, std::get<1>(*found), std::get<2>(*found));
          break;
        }
        case RoleKind::scale: {
          Real value = role.of_result ? parameters_.result : scales++ == 0 ? parameters_.first : parameters_.second;
          TIEBREAK_CHECK(add_one(role, value));
          break;
        }
        case RoleKind::zero_point: {
          Real value = role.of_result ? parameters_.zero_result : zero_points++ == 0 ? parameters_.zero_first : parameters_.zero_second;
          TIEBREAK_CHECK(add_one(role, value));
          break;
        }
        case RoleKind::multiplier: TIEBREAK_CHECK(add_one(role, parameters_.multiplier)); break;
        case RoleKind::shift: TIEBREAK_CHECK(add_one(role, parameters_.shift)); break;
        case RoleKind::bias: {
          if (biases.empty()) break;
          TIEBREAK_TRY(tensor, held_tensor({role.type, {count}, std::nullopt}, biases));
          add(role.name, tensor, 0);
          break;
        }
      }
    }
    if (roles_.result) set_.call.result_types.push_back(type_of(*roles_.result, result_shape, parameters_.result, parameters_.zero_result));
    if (roles_.has_lists) {
      set_.call.attributes["lhs_contracting_dimensions"] = Attribute::integers({1});
      set_.call.attributes["rhs_contracting_dimensions"] = Attribute::integers({0});
    }
    set_.result_axis = result_axis;
    set_.count = count;
    return std::move(set_);
  }

 private:
  void add(const std::string& name, const Tensor& tensor, int axis) {
    set_.call.inputs.push_back({name, tensor});
    set_.axes.push_back(axis);
  }
  Status add_one(const OperandRole& role, const Real& value) {
    TIEBREAK_TRY(tensor, held_tensor({role.type, {}, std::nullopt}, {value}));
    add(role.name, tensor, -1);
    name_part(role.name, tensor.value(0));
    return {};
  }
  void name_part(const std::string& name, const Real& value) { set_.name += (set_.name.empty() ? "" : " ") + name + "=" + value_text(value); }

  const OpRoles& roles_;
  const ProbeParameters& parameters_;
  ProbeSet set_{};
  std::vector<std::tuple<std::string, Tensor, int>> data_{};
};

Real zero_of(const OpRoles& roles, const OperandRole& role, const ProbeParameters& parameters) {
  bool is_first = role.name == roles.data()[0]->name;
  Real zero = is_first ? parameters.zero_first : parameters.zero_second;
  bool has_one = role.expressed.has_value();
  int place = 0;
  for (const OperandRole& other : roles.operands) {
    if (other.kind != RoleKind::zero_point || other.of_result) continue;
    has_one |= place++ == (is_first ? 0 : 1);
  }
  return has_one ? held(zero, role.type) : Real(0);
}

std::vector<Real> codes(const std::vector<Real>& differences, const Real& zero_point) {
  std::vector<Real> values;
  for (const Real& difference : differences) values.push_back(difference + zero_point);
  return values;
}

}  // namespace

bool has_bias(const OpRoles& roles) { return roles.find(RoleKind::bias, false) != nullptr; }
/// Filters of a convolution. Of a matrix product its rows; with a bias, which belongs to the columns, the second factor's columns.
static bool second_has_rows(const OpRoles& roles) { return roles.form == OpRoles::Form::convolution || has_bias(roles); }
const OperandRole& row_operand(const OpRoles& roles) { return *roles.data()[second_has_rows(roles) ? 1 : 0]; }
const OperandRole& shared_operand(const OpRoles& roles) { return *roles.data()[second_has_rows(roles) ? 0 : 1]; }

Real factor_of(const OpRoles& roles, const ProbeParameters& parameters) {
  Real factor = 1;
  int scales = 0;
  for (const OperandRole& role : roles.operands) {
    if (role.kind == RoleKind::multiplier) factor = factor * held(parameters.multiplier, role.type) * Real::power_of_two(-31);
    if (role.kind == RoleKind::shift) factor = factor * Real::power_of_two(held(parameters.shift, role.type).to_int64().value_or(0));
    if (role.kind == RoleKind::data && role.expressed) factor = factor * held(scales++ == 0 ? parameters.first : parameters.second, *role.expressed);
    if (role.kind != RoleKind::scale) continue;
    if (role.of_result) factor = factor / held(parameters.result, role.type);
    else factor = factor * held(scales++ == 0 ? parameters.first : parameters.second, role.type);
  }
  if (roles.result && roles.result->expressed) factor = factor / held(parameters.result, *roles.result->expressed);
  return factor;
}

Result<ProbeSet> elementwise_set(const OpRoles& roles, const ProbeParameters& parameters, const std::vector<Real>& points, const std::vector<Real>& others) {
  CallBuilder builder(roles, parameters);
  auto count = static_cast<std::int64_t>(points.size());
  TIEBREAK_CHECK(builder.add_data(*roles.data()[0], {count}, points, 0));
  if (roles.data().size() > 1) TIEBREAK_CHECK(builder.add_data(*roles.data()[1], {count}, others, 0));
  return builder.finish(count, {}, {count}, 0);
}

Result<ProbeSet> contraction_set(const OpRoles& roles, const ProbeParameters& parameters, const ContractionRows& rows) {
  const OperandRole &row = row_operand(roles), &shared = shared_operand(roles);
  auto count = static_cast<std::int64_t>(rows.rows.size()), depth = static_cast<std::int64_t>(rows.shared.size());
  std::vector<Real> row_codes, shared_codes = codes(rows.shared, zero_of(roles, shared, parameters));
  for (const std::vector<Real>& one : rows.rows)
    for (const Real& code : codes(one, zero_of(roles, row, parameters))) row_codes.push_back(code);
  CallBuilder builder(roles, parameters);
  if (roles.form == OpRoles::Form::matrix && second_has_rows(roles)) {  // a question is a column
    std::vector<Real> columns;
    for (std::int64_t d = 0; d < depth; ++d)
      for (std::int64_t q = 0; q < count; ++q) columns.push_back(row_codes[static_cast<std::size_t>(q * depth + d)]);
    TIEBREAK_CHECK(builder.add_data(shared, {1, depth}, shared_codes, -1));
    TIEBREAK_CHECK(builder.add_data(row, {depth, count}, columns, 1));
    return builder.finish(count, rows.biases, {1, count}, 1);
  }
  bool is_convolution = roles.form == OpRoles::Form::convolution;
  TIEBREAK_CHECK(builder.add_data(row, is_convolution ? Shape{count, depth, 1} : Shape{count, depth}, row_codes, 0));
  TIEBREAK_CHECK(builder.add_data(shared, is_convolution ? Shape{1, depth, 1} : Shape{depth, 1}, shared_codes, -1));
  return builder.finish(count, rows.biases, is_convolution ? Shape{1, count, 1} : Shape{count, 1}, is_convolution ? 1 : 0);
}

Result<ProbeSet> accumulator_set(const OpRoles& roles, const ProbeParameters& parameters, const std::vector<Real>& accumulators) {
  ContractionRows rows;
  if (has_bias(roles)) {
    rows.shared = {1};
    rows.rows.assign(accumulators.size(), {Real(0)});
    rows.biases = accumulators;
    return contraction_set(roles, parameters, rows);
  }
  // acc = digit + m * rest, the rest in as many steps as it needs; the shared vector has both signs of 1 and m.
  const OperandRole &row = row_operand(roles), &shared = shared_operand(roles);
  Real reach = row.type.max() - zero_of(roles, row, parameters);
  Real zero = zero_of(roles, shared, parameters);
  Real m = min(min(shared.type.max() - zero, zero - shared.type.min()), reach + Real(1));
  Real largest = 0;
  for (const Real& acc : accumulators) largest = max(largest, abs(acc));
  if (m < Real(1)) return fail(Errc::unsupported, "the zero points leave no codes of both signs");
  std::int64_t steps = round_whole(largest / m / reach, Rounding::up).to_int64().value_or(0);
  rows.shared = {Real(1), Real(-1)};
  for (const Real& sign : {Real(1), Real(-1)})
    for (std::int64_t i = 0; i < steps; ++i) rows.shared.push_back(sign * m);
  for (const Real& acc : accumulators) {
    std::vector<Real> one(rows.shared.size(), Real(0));
    Real rest = round_whole(abs(acc) / m, Rounding::down);
    std::size_t side = acc.is_negative() ? 1 : 0;
    one[side] = abs(acc) - rest * m;
    for (std::size_t i = 0; i < static_cast<std::size_t>(steps) && rest > Real(0); ++i) {
      Real step = min(rest, reach);
      one[2 + side * static_cast<std::size_t>(steps) + i] = step;
      rest = rest - step;
    }
    rows.rows.push_back(std::move(one));
  }
  return contraction_set(roles, parameters, rows);
}

}  // namespace tiebreak
