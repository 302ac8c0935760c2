// SPDX-License-Identifier: Apache-2.0
#include "testsuite/diff/stairs_relation.hpp"

#include "interpreter/stairs/staircase.hpp"
#include "testsuite/text/text_table.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_sets = 48;

struct ScalarCall {
  OpInputs question;  ///< with one element
  OpCall call;
};

std::optional<ScalarCall> scalar_call(const Library& library, const ProbeSet& set) {
  const std::int64_t one[] = {0};
  Result<OpInputs> question = chosen(set, one);
  if (!question) return std::nullopt;
  Result<Case> test = case_of(library, *question, set.name);
  Result<const Profile*> reference = library.find_profile("reference");
  if (!test || !reference) return std::nullopt;
  Result<CallOfOutput> call = call_of_output({library, **reference}, *test, 0);
  if (!call) return std::nullopt;
  return ScalarCall{*question, std::move(call->call)};
}

std::optional<Staircase> stairs_of(const Semantics& semantics, const OpCall& call, const std::string& varied) {
  Result<ScalarFunction> function = ScalarFunction::compile(semantics, call, varied);
  if (!function) return std::nullopt;
  StaircaseLimits limits;
  limits.steps = 1 << 17;
  Result<Staircase> stairs = staircase(*function, nullptr, limits);
  return stairs ? std::optional<Staircase>(*std::move(stairs)) : std::nullopt;
}

std::optional<ProbeSet> question_at(const ProbeSet& set, OpInputs question, const std::string& varied, const Real& value) {
  ProbeSet single = set;
  single.count = 1;
  single.call = std::move(question);
  for (NamedTensor& input : single.call.inputs) {
    if (input.name != varied) continue;
    auto code = input.tensor.element().encode(value);
    if (!code) return std::nullopt;
    input.tensor.set_code(0, *code);
  }
  return single;
}

}  // namespace

std::string StairsRelation::text() const {
  if (witness) return "told apart by " + probe_text(*witness, 0);
  if (sets == 0) return "";
  std::string each = std::to_string(inputs / sets);
  return "equal on all " + each + " inputs of " + (sets > 1 ? "each of " : "") + counted(sets, "parameter set") + (proved ? "" : ", some of them sampled");
}

StairsRelation compare_by_stairs(const Library& library, const Profile& first, const Profile& second, const OpRoles& roles, const std::vector<ProbeSet>& pool) {
  StairsRelation relation;
  if (roles.form != OpRoles::Form::elementwise || roles.data().size() != 1) return relation;
  std::string varied = roles.data()[0]->name;
  std::size_t step = pool.size() / most_sets + 1;
  for (std::size_t i = 0; i < pool.size(); i += step) {
    std::optional<ScalarCall> scalar = scalar_call(library, pool[i]);
    if (!scalar) continue;
    std::optional<Staircase> own = stairs_of({library, first}, scalar->call, varied), other = stairs_of({library, second}, scalar->call, varied);
    if (!own || !other) continue;
    Disagreement difference = compare(*own, *other);
    ++relation.sets;
    relation.inputs += difference.total;
    relation.proved = relation.proved && difference.proved;
    if (difference.equal()) continue;
    Real value = difference.witness ? own->input.value(*difference.witness) : Real::nan();
    relation.witness = question_at(pool[i], scalar->question, varied, value);
    return relation;
  }
  return relation;
}

}  // namespace tiebreak
