// SPDX-License-Identifier: Apache-2.0
#include "testsuite/harness/score_pairs.hpp"

#include <algorithm>

#include "interpreter/evaluate/binder.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/harness/score_proof.hpp"
#include "testsuite/harness/value_text.hpp"

namespace tiebreak {
namespace {

/// The codes of a type: of a quantized one those of its storage range.
std::vector<std::uint64_t> codes_of(const TensorType& type) {
  std::vector<std::uint64_t> codes;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << type.element.bits(); ++code) {
    const Real value = type.element.is_boolean() ? Real(0) : type.element.decode(code);
    if (!type.quantized || (value >= type.quantized->storage_min && value <= type.quantized->storage_max)) codes.push_back(code);
  }
  return codes;
}

/// Positions of the operands that the op's structure runs over; none where it is no elementwise op.
std::vector<std::size_t> elementwise_operands(const notation::Op& op) {
  const notation::Structure* structure = notation::structure_of(op);
  if (structure == nullptr || structure->path != "elementwise") return {};
  std::vector<std::size_t> positions;
  for (const auto& argument : structure->arguments)
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      if (op.operands[i].name == argument.name) positions.push_back(i);
  return positions;
}

/// Every quantized type of a call, operands first.
std::vector<QuantizedType*> quantized_types(OpCall& call, std::vector<TensorType>& operands) {
  std::vector<QuantizedType*> found;
  for (TensorType& type : operands)
    if (type.quantized) found.push_back(&*type.quantized);
  for (std::optional<TensorType>& type : call.result_types)
    if (type && type->quantized) found.push_back(&*type->quantized);
  return found;
}

/// A call with other scales and zero points. `tied`: those of the first type for all, as many ops demand.
OpCall with_parameters(OpCall call, const std::vector<Real>& scales, const std::vector<Real>& zero_points, bool tied) {
  std::vector<TensorType> types;
  for (const std::optional<Tensor>& operand : call.operands) types.push_back(operand ? operand->type() : TensorType{});
  const std::vector<QuantizedType*> quantized = quantized_types(call, types);
  for (std::size_t i = 0; i < quantized.size(); ++i) {
    const std::size_t from = tied ? 0 : i;
    quantized[i]->scales[0].value = scales[from];
    quantized[i]->zero_points[0].value = std::clamp(zero_points[from], quantized[i]->storage_min, quantized[i]->storage_max);
  }
  for (std::size_t i = 0; i < call.operands.size(); ++i)
    if (call.operands[i]) call.operands[i]->set_type(types[i]);
  return call;
}

/// The calls of the sweep. Scales are values of the expressed type, and doubles, which a type's text may have as well.
std::vector<std::pair<OpCall, OpCall>> swept_calls(const OpCall& call) {
  OpCall copy = call;
  std::vector<TensorType> types;
  for (const std::optional<Tensor>& operand : call.operands) types.push_back(operand ? operand->type() : TensorType{});
  const std::vector<QuantizedType*> quantized = quantized_types(copy, types);
  std::vector<std::pair<OpCall, OpCall>> calls;
  if (quantized.empty()) return calls;
  std::vector<std::vector<std::vector<Real>>> zero_points;
  for (const QuantizedType* one : quantized) zero_points.push_back(parameter_sweep({{"zero_point", one->storage, one->zero_points[0].value}}));
  const ElementType wide(find_float_format("f64"));
  for (const bool doubles : {false, true}) {
    if (doubles && std::ranges::all_of(quantized, [&](const QuantizedType* one) { return one->expressed == wide; })) continue;
    std::vector<ScalarParameter> parameters;
    for (const QuantizedType* one : quantized) parameters.push_back({"scale", doubles ? wide : one->expressed, one->scales[0].value});
    const std::vector<std::vector<Real>> scales = parameter_sweep(parameters);
    for (std::size_t set = 0; set < scales.size(); ++set) {
      if (doubles && set % 3 != 1) continue;  // decimals, and scales of many bits
      std::vector<Real> points;
      for (std::size_t i = 0; i < quantized.size(); ++i) points.push_back(zero_points[i][(set + 5 * i) % zero_points[i].size()][0]);
      calls.emplace_back(with_parameters(call, scales[set], points, false), with_parameters(call, scales[set], points, true));
    }
  }
  return calls;
}

bool undefined_at(const ResultTensor& result, std::int64_t lane) { return !result.undefined.empty() && result.undefined[static_cast<std::size_t>(lane)] != 0; }

bool equal_at(const ResultTensor& a, const ResultTensor& b, std::int64_t lane) {
  const bool undefined = undefined_at(a, lane);
  if (undefined != undefined_at(b, lane)) return false;
  return undefined || a.tensor.code(lane) == b.tensor.code(lane) || (a.tensor.value(lane).is_nan() && b.tensor.value(lane).is_nan());
}

std::string outcome_at(const ResultTensor& result, std::int64_t lane) { return undefined_at(result, lane) ? "undefined" : value_text(result.tensor.value(lane)); }

std::string parameters_text(const notation::Op& op, const OpCall& call) {
  std::string text;
  for (std::size_t i = 0; i < call.operands.size() && i < op.operands.size(); ++i)
    if (call.operands[i]) text += (text.empty() ? "" : ", ") + op.operands[i].name + ": " + element_text(call.operands[i]->type());
  return text;
}

std::string witness_text(const notation::Op& op, const OpCall& call, const ResultTensor& original, const ResultTensor& mutant, std::int64_t lane) {
  std::string text;
  for (std::size_t i = 0; i < call.operands.size() && i < op.operands.size(); ++i) {
    if (!call.operands[i]) continue;
    const Tensor& tensor = *call.operands[i];
    text += op.operands[i].name + (tensor.type().quantized ? ": " + element_text(tensor.type()) : "") + " = " + value_text(tensor.value(tensor.size() > lane ? lane : 0)) + ", ";
  }
  return text + original.name + (original.tensor.type().quantized ? ": " + element_text(original.tensor.type()) : "") + " = " + outcome_at(original, lane) + ", the mutant " + outcome_at(mutant, lane);
}

}  // namespace

Result<OpCall> with_all_pairs(const Library& library, OpCall call) {
  TIEBREAK_TRY(place, library.find_op(call.op));
  const std::vector<std::size_t> varied = elementwise_operands(*place.op);
  if (varied.empty() || !call.regions.empty()) return fail(Errc::unsupported, "a result sees many elements", call.where);
  int bits = 0;
  std::int64_t count = 1;
  std::vector<std::vector<std::uint64_t>> codes;
  for (const std::size_t i : varied) {
    if (i >= call.operands.size() || !call.operands[i]) return fail(Errc::unsupported, "an operand is absent", call.where);
    bits += call.operands[i]->element().bits();
    if (bits > most_pair_bits) return fail(Errc::unsupported, "operands with more codes than can be tried", call.where);
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

PairReference::Known& PairReference::known(const std::string& key) {
  const std::lock_guard guard(lock_);
  std::unique_ptr<Known>& found = known_[key];
  if (!found) found = std::make_unique<Known>();
  return *found;
}

namespace {

/// A real function of two operands is decided by enclosures: over all pairs of all parameter sets that takes hours, not minutes.
bool has_real_function(const Formula& formula) {
  return std::ranges::any_of(formula.nodes, [](const Node& node) { return node.op == NodeOp::real_function; });
}

}  // namespace

StairVerdict PairReference::compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls) {
  StairVerdict verdict;
  std::set<std::string> kinds, keys;
  std::size_t sets = 0;
  // nullopt: the original does not take the call.
  const auto equal = [&](const OpCall& call, const std::string& key) -> std::optional<bool> {
    Known& original = known(key);
    std::call_once(original.once, [&] {
      Result<std::vector<ResultTensor>> results = evaluate(library_, profile_, call);
      if (results) original.taken = true, original.results = std::move(*results);
    });
    if (!original.taken) return std::nullopt;
    ++sets;
    const Result<std::vector<ResultTensor>> results = evaluate(mutant, profile_, call);
    if (!results && results.error().code == Errc::type) return verdict.witness = parameters_text(*library_.find_op(call.op)->op, call) + ": the mutant has no result: " + results.error().what, false;
    if (!results || results->size() != original.results.size()) return verdict.reason = "the mutant does not take the original's parameters", false;
    for (std::size_t r = 0; r < results->size(); ++r) {
      const ResultTensor &a = original.results[r], &b = (*results)[r];
      if (a.tensor.size() != b.tensor.size() || !(a.tensor.element() == b.tensor.element())) return verdict.reason = "results of other types", false;
      for (std::int64_t lane = 0; lane < a.tensor.size(); ++lane)
        if (!equal_at(a, b, lane)) return verdict.witness = witness_text(*library_.find_op(call.op)->op, call, a, b, lane), false;
    }
    return true;
  };
  for (const std::shared_ptr<const BoundCall>& one : calls) {
    for (const SingleCall& single : single_calls(library_, one->call(), "", {"nothing"})) {
      if (!keys.insert(single.key).second) continue;
      const Result<OpCall> call = with_all_pairs(library_, single.call);
      if (!call) return verdict.reason = call.error().what, verdict;
      if (const auto formula = bind(library_, profile_, *call); formula && has_real_function(*formula)) return verdict.reason = "real functions are not tried on all pairs", verdict;
      const std::optional<bool> same = equal(*call, single.key);
      if (same == false) return verdict;
      if (!kinds.insert(single.kind).second) continue;
      std::size_t set = 0;
      for (const auto& [free, tied] : swept_calls(*call)) {
        const std::string key = single.kind + "#" + std::to_string(set++);
        std::optional<bool> swept = equal(free, key);
        if (!swept) swept = equal(tied, key + "tied");
        if (swept == false) return verdict;
      }
    }
  }
  verdict.equal = sets > 0;
  if (verdict.equal) verdict.proof = "pairs, " + std::to_string(sets) + " parameter sets";
  return verdict;
}

}  // namespace tiebreak
