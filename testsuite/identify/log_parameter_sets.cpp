// SPDX-License-Identifier: Apache-2.0
#include "testsuite/identify/log_parameter_sets.hpp"

#include <algorithm>
#include <set>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/case/op_program.hpp"
#include "testsuite/case/op_roles.hpp"
#include "testsuite/case/value_name.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

bool is_quantized_by_axis(const Tensor& tensor) { return tensor.type().quantized && !tensor.type().quantized->is_per_tensor(); }

/// One slice of a tensor along a dimension, which keeps extent 1.
Result<Tensor> slice(const Tensor& tensor, std::size_t dimension, std::int64_t index) {
  TensorType type = tensor.type();
  const std::int64_t extent = type.shape[dimension];
  std::int64_t inner = 1, outer = 1;
  for (std::size_t i = 0; i < type.shape.size(); ++i)
    if (i != dimension) (i < dimension ? outer : inner) *= type.shape[i];
  type.shape[dimension] = 1;
  TIEBREAK_TRY(result, Tensor::zeros(type));
  for (std::int64_t o = 0; o < outer; ++o)
    for (std::int64_t i = 0; i < inner; ++i) result.set_code(o * inner + i, tensor.code((o * extent + index) * inner + i));
  return std::move(result);
}

bool goes_by(const Affine& position, const Affine& index) {
  const auto is_same = [](const Affine::Part& a, const Affine::Part& b) { return a.coordinate == b.coordinate && a.coefficient == b.coefficient; };
  return !index.cell.empty() && position.item.empty() && position.base == index.base && std::ranges::equal(position.cell, index.cell, is_same);
}

/// The dimension of an operand that goes by the channel alone: of weights the filters, of a matrix the columns.
std::optional<std::size_t> channel_dimension(const Geometry& geometry, const std::string& operand) {
  const auto channel = geometry.indices.find("channel");
  const auto access = geometry.operands.find(operand);
  if (channel == geometry.indices.end() || access == geometry.operands.end()) return std::nullopt;
  const std::vector<AccessDimension>& dimensions = access->second.dimensions;
  const auto found = std::ranges::find_if(
      dimensions, [&](const AccessDimension& dimension) { return dimension.divisor == 1 && goes_by(dimension.position, channel->second); });
  return found == dimensions.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - dimensions.begin()));
}

/// The calls of one logged case, one for each channel.
class Caller {
 public:
  Caller(const Library& library, const LoggedCase& logged, const notation::Op& op, OpCall call, Geometry geometry)
      : op_(op), call_(std::move(call)), geometry_(std::move(geometry)) {
    const notation::Structure* structure = notation::structure_of(op);
    is_elementwise_ = structure != nullptr && structure->path == "elementwise";
    const std::vector<std::size_t> varied = varied_inputs(library, logged);
    for (std::size_t input : varied) varied_.insert(input_name(logged.test, input));
  }

  std::vector<OwnSetting> settings() {
    const bool is_contraction = geometry_.has_bag && geometry_.fast_items > 0;  // a sum over features
    if ((!is_elementwise_ && !is_contraction) || (is_elementwise_ && varied_.size() != 1)) return {};
    std::vector<OwnSetting> settings;
    for (std::int64_t channel = 0; channel < channels(); ++channel) {
      OwnSetting setting{call_, is_elementwise_ ? *varied_.begin() : "accumulator", "", is_contraction};
      Result<void> reduced = is_elementwise_ ? reduce_to_one(setting.call, channel) : take_channel(setting.call, channel);
      if (!reduced) return {};
      setting.parameters = text_of(setting.call);
      settings.push_back(std::move(setting));
    }
    return settings;
  }

 private:
  bool is_parameter(std::size_t i) const {
    const std::optional<RoleKind> kind = kind_of(op_, op_.operands[i]);
    return is_elementwise_ ? !varied_.contains(op_.operands[i].name) : kind == RoleKind::scale || kind == RoleKind::zero_point || kind == RoleKind::bias;
  }

  std::size_t operand_count() const { return std::min(call_.operands.size(), op_.operands.size()); }

  std::int64_t channels() const {
    std::int64_t most = 1;
    for (std::size_t i = 0; i < operand_count(); ++i)
      if (call_.operands[i] && is_parameter(i)) most = std::max(most, call_.operands[i]->size());
    return most;
  }

  /// The parameter that belongs to a channel, with one element.
  Result<Tensor> of_channel(const Tensor& tensor, std::int64_t channel) const {
    if (tensor.size() == 1) return tensor;
    if (tensor.shape().size() != 1 || channel >= tensor.size()) return fail(Errc::unsupported, "parameters of more than one dimension");
    return slice(tensor, 0, channel);
  }

  /// Whether the operand is a parameter; it then has the one element that belongs to the channel.
  Result<bool> is_taken_parameter(std::size_t i, Tensor& operand, std::int64_t channel) const {
    if (is_quantized_by_axis(operand)) return fail(Errc::unsupported, "a scale for each slice of an operand");
    if (!is_parameter(i)) return false;
    TIEBREAK_TRY(one, of_channel(operand, channel));
    operand = std::move(one);
    return true;
  }

  Status reduce_to_one(OpCall& call, std::int64_t channel) const {
    for (std::size_t i = 0; i < operand_count(); ++i) {
      std::optional<Tensor>& operand = call.operands[i];
      if (!operand) continue;
      TIEBREAK_TRY(taken, is_taken_parameter(i, *operand, channel));
      if (taken) continue;
      TensorType type = operand->type();
      for (std::int64_t& extent : type.shape) extent = 1;
      TIEBREAK_TRY(zero, Tensor::zeros(type));
      operand = std::move(zero);
    }
    for (std::optional<TensorType>& type : call.result_types) {
      if (!type) continue;
      if (type->quantized && !type->quantized->is_per_tensor()) return fail(Errc::unsupported, "a scale for each slice of a result");
      for (std::int64_t& extent : type->shape) extent = 1;
    }
    return {};
  }

  /// One channel of the second tensor, and of the parameters.
  Status take_channel(OpCall& call, std::int64_t channel) const {
    std::size_t data = 0;
    for (std::size_t i = 0; i < operand_count(); ++i) {
      std::optional<Tensor>& operand = call.operands[i];
      if (!operand) continue;
      TIEBREAK_TRY(taken, is_taken_parameter(i, *operand, channel));
      if (!taken && ++data == 2 && channels() > 1) {
        const std::optional<std::size_t> dimension = channel_dimension(geometry_, op_.operands[i].name);
        if (!dimension || operand->shape()[*dimension] != channels()) return fail(Errc::unsupported, "parameters that do not go by channels");
        TIEBREAK_TRY(one, slice(*operand, *dimension, channel));
        operand = std::move(one);
      }
    }
    if (channels() > 1) call.result_types.clear();
    return {};
  }

  std::string text_of(const OpCall& call) const {
    std::string text;
    const auto add = [&](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
    for (std::size_t i = 0; i < operand_count(); ++i) {
      if (!call.operands[i]) continue;
      const Tensor& operand = *call.operands[i];
      const bool is_bias = kind_of(op_, op_.operands[i]) == RoleKind::bias;
      if (is_parameter(i) && !is_bias && operand.size() == 1) add(op_.operands[i].name + "=" + value_text(operand.value(0)));
      if (operand.type().quantized) add(op_.operands[i].name + ":" + element_text(operand.type()));
    }
    for (const std::optional<TensorType>& type : call.result_types)
      if (type && type->quantized) add("->" + element_text(*type));
    for (const auto& [name, attribute] : call.attributes) add(name + "=" + to_text(attribute));
    return text;
  }

  const notation::Op& op_;
  OpCall call_;
  Geometry geometry_;
  bool is_elementwise_ = false;
  std::set<std::string> varied_{};
};

}  // namespace

std::vector<std::size_t> varied_inputs(const Library& library, const LoggedCase& logged) {
  const Case& test = logged.test;
  std::vector<std::size_t> varied;
  const bool is_op = test.program.operations.size() == 1;
  const Result<Library::OpPlace> place = library.find_op(is_op ? test.program.operations[0].op : "");
  for (std::size_t i = 0; i < test.inputs.size(); ++i) {
    const std::string name = input_name(test, i);
    if (std::ranges::find(logged.fixed, name) != logged.fixed.end()) continue;
    if (place) {
      const auto operand = std::ranges::find(place->op->operands, name, &notation::Operand::name);
      const std::optional<RoleKind> kind = operand == place->op->operands.end() ? RoleKind::data : kind_of(*place->op, *operand);
      const bool is_factor = operand != place->op->operands.end() && is_integer_factor(*place->op, *operand);
      if (kind == RoleKind::scale || kind == RoleKind::zero_point || is_factor) continue;
    }
    varied.push_back(i);
  }
  return varied;
}

OwnSettings own_settings(const Library& library, const ObservedLog& log, std::size_t most) {
  OwnSettings found;
  if (log.ops.size() != 1) return found;
  const Result<Library::OpPlace> place = library.find_op(log.ops[0]);
  const Result<const Profile*> reference = library.find_profile("reference");
  if (!place || !reference) return found;
  std::set<std::string> known;
  for (const LoggedCase& logged : log.cases) {
    if (logged.test.program.operations.size() != 1) return {};
    Result<CallOfOutput> call = call_of_output({library, **reference}, logged.test, 0);
    if (!call) return {};
    Result<Formula> formula = bind({library, **reference}, call->call);
    if (!formula) return {};
    Geometry geometry = std::move(formula->geometry);
    std::vector<OwnSetting> own = Caller(library, logged, *place->op, std::move(call->call), std::move(geometry)).settings();
    if (own.empty()) return {};
    for (OwnSetting& setting : own) {
      std::string types;
      for (const std::optional<Tensor>& operand : setting.call.operands) types += operand ? element_text(operand->type()) + " " : "- ";
      if (!known.insert(setting.varied + " " + types + setting.parameters).second) continue;
      if (found.sets.size() >= most) {
        found.all = false;
        return found;
      }
      found.sets.push_back(std::move(setting));
    }
  }
  return found;
}

std::optional<Staircase> stairs_at(const Semantics& semantics, const OwnSetting& setting, const std::map<std::string, CallerRange>& ranges) {
  Result<ScalarFunction> function =
      setting.is_tail ? ScalarFunction::compile_tail(semantics, setting.call) : ScalarFunction::compile(semantics, setting.call, setting.varied);
  if (!function) return std::nullopt;
  StaircaseLimits limits;
  limits.steps = 1 << 17;
  Result<Staircase> stairs = staircase(*function, nullptr, limits);
  if (!stairs) return std::nullopt;
  if (const auto range = ranges.find(setting.varied); range != ranges.end()) {
    stairs->input.last = std::min(stairs->input.last, stairs->input.ordinal_below(range->second.high));
    std::int64_t first = stairs->input.ordinal_below(range->second.low);
    if (first < stairs->input.last && stairs->input.value(first) < range->second.low) ++first;
    stairs->input.first = std::max(stairs->input.first, first);
    stairs->at_nan.reset();
  }
  return *std::move(stairs);
}

}  // namespace tiebreak
