// SPDX-License-Identifier: Apache-2.0
#include "testsuite/score/score_pairs.hpp"

#include <algorithm>

#include "interpreter/bind/binder.hpp"
#include "interpreter/notation/walk.hpp"
#include "interpreter/notation/words.hpp"
#include "testsuite/score/score_codes.hpp"
#include "testsuite/score/score_proof.hpp"
#include "testsuite/text/value_text.hpp"

namespace tiebreak {
namespace {

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

bool equal_at(const ResultTensor& a, const ResultTensor& b, std::int64_t lane) {
  const bool undefined = a.is_undefined(lane);
  if (undefined != b.is_undefined(lane)) return false;
  return undefined || a.tensor.code(lane) == b.tensor.code(lane) || (a.tensor.value(lane).is_nan() && b.tensor.value(lane).is_nan());
}

std::string outcome_at(const ResultTensor& result, std::int64_t lane) {
  return result.is_undefined(lane) ? "undefined" : value_text(result.tensor.value(lane));
}

std::string parameters_text(const notation::Op& op, const OpCall& call) {
  std::string text;
  for (std::size_t i = 0; i < call.operands.size() && i < op.operands.size(); ++i)
    if (call.operands[i]) text += (text.empty() ? "" : ", ") + op.operands[i].name + ": " + element_text(call.operands[i]->type());
  return text;
}

std::string pair_witness_text(const notation::Op& op, const OpCall& call, const ResultTensor& original, const ResultTensor& mutant, std::int64_t lane) {
  std::string text;
  for (std::size_t i = 0; i < call.operands.size() && i < op.operands.size(); ++i) {
    if (!call.operands[i]) continue;
    const Tensor& tensor = *call.operands[i];
    text += op.operands[i].name + (tensor.type().quantized ? ": " + element_text(tensor.type()) : "") + " = " +
            value_text(tensor.value(tensor.size() > lane ? lane : 0)) + ", ";
  }
  return text + original.name + (original.tensor.type().quantized ? ": " + element_text(original.tensor.type()) : "") + " = " + outcome_at(original, lane) +
         ", the mutant " + outcome_at(mutant, lane);
}

}  // namespace

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

std::optional<bool> PairReference::equal(const Library& mutant, const OpCall& call, const std::string& key, StairVerdict& verdict) {
  Known& original = known(key);
  std::call_once(original.once, [&] {
    Result<std::vector<ResultTensor>> results = evaluate({library_, profile_}, call);
    if (results) original.taken = true, original.results = std::move(*results);
  });
  if (!original.taken) return std::nullopt;
  const notation::Op& op = *library_.find_op(call.op)->op;
  const Result<std::vector<ResultTensor>> results = evaluate({mutant, profile_}, call);
  if (!results && results.error().code == Errc::type)
    return verdict.witness = parameters_text(op, call) + ": the mutant has no result: " + results.error().what, false;
  if (!results || results->size() != original.results.size()) return verdict.reason = "the mutant does not take the original's parameters", false;
  for (std::size_t r = 0; r < results->size(); ++r) {
    const ResultTensor &a = original.results[r], &b = (*results)[r];
    if (a.tensor.size() != b.tensor.size() || !(a.tensor.element() == b.tensor.element())) return verdict.reason = "results of other types", false;
    for (std::int64_t lane = 0; lane < a.tensor.size(); ++lane)
      if (!equal_at(a, b, lane)) return verdict.witness = pair_witness_text(op, call, a, b, lane), false;
  }
  return true;
}

namespace {

bool has_parameters(const OpCall& call) {
  const auto quantized = [](const auto& type) { return type.has_value() && type->quantized.has_value(); };
  return std::ranges::any_of(call.result_types, quantized) ||
         std::ranges::any_of(call.operands, [](const std::optional<Tensor>& one) { return one && one->type().quantized.has_value(); });
}

/// Whether a formula of the op's page names a scale or a zero point, or another page's formulas, which may.
bool may_read_parameters(const Library& library, const std::string& op) {
  const Result<Library::OpPlace> place = library.find_op(op);
  if (!place || !place->page->module.uses.empty()) return true;
  bool found = false;
  notation::walk(place->page->module, [&](const notation::Expr& e) {
    found |= e.kind == notation::ExprKind::name && (e.text.ends_with(".scale") || e.text.ends_with(".zero_point"));
    found |= e.kind == notation::ExprKind::call && e.text.find('.') != std::string::npos && !notation::split_conversion(e.text);
  });
  return found;
}

}  // namespace

StairVerdict PairReference::compare_codes(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls) {
  StairVerdict verdict;
  std::set<std::string> kinds;
  for (const std::shared_ptr<const BoundCall>& one : calls) {
    const std::vector<SingleCall> singles = single_calls(library_, one->call(), "", {"nothing"});
    if (singles.empty()) return {};
    const Result<OpCall> call = with_all_codes(library_, singles.front().call);
    if (!call) return {};
    const std::vector<notation::Operand>& declared = library_.find_op(call->op)->op->operands;
    for (std::size_t i = 0; i < declared.size() && i < call->operands.size(); ++i)
      if (call->operands[i] && declared[i].indexed) return {};  // it has values beside the codes
    if (has_parameters(*call) && (may_read_parameters(library_, call->op) || may_read_parameters(mutant, call->op))) return {};
    if (!kinds.insert(singles.front().kind).second) continue;
    if (equal(mutant, *call, singles.front().kind + "#codes", verdict) != true) return verdict;
  }
  verdict.equal = !kinds.empty();
  if (verdict.equal) verdict.proof = "all codes";
  return verdict;
}

StairVerdict PairReference::compare(const Library& mutant, const std::vector<std::shared_ptr<const BoundCall>>& calls) {
  StairVerdict verdict;
  std::set<std::string> kinds, keys;
  std::size_t sets = 0;
  // nullopt: the original does not take the call.
  const auto same = [&](const OpCall& call, const std::string& key) {
    const std::optional<bool> found = equal(mutant, call, key, verdict);
    sets += found ? 1 : 0;
    return found;
  };
  for (const std::shared_ptr<const BoundCall>& one : calls) {
    for (const SingleCall& single : single_calls(library_, one->call(), "", {"nothing"})) {
      if (!keys.insert(single.key).second) continue;
      const Result<OpCall> call = with_all_codes(library_, single.call);
      if (!call) return verdict.reason = call.error().what, verdict;
      if (const auto formula = bind({library_, profile_}, *call); formula && has_real_function(*formula))
        return verdict.reason = "real functions are not tried on all pairs", verdict;
      if (same(*call, single.key) == false) return verdict;
      if (!kinds.insert(single.kind).second) continue;
      std::size_t set = 0;
      for (const auto& [free, tied] : swept_calls(*call)) {
        const std::string key = single.kind + "#" + std::to_string(set++);
        std::optional<bool> swept = same(free, key);
        if (!swept) swept = same(tied, key + "tied");
        if (swept == false) return verdict;
      }
    }
  }
  verdict.equal = sets > 0;
  if (verdict.equal) verdict.proof = "pairs, " + std::to_string(sets) + " parameter sets";
  return verdict;
}

}  // namespace tiebreak
