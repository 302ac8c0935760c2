// SPDX-License-Identifier: Apache-2.0
#include "testsuite/equal/cut_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "testsuite/case/value_name.hpp"
#include "testsuite/equal/program_parts.hpp"

namespace tiebreak {
namespace {

bool may_be_cut(const ProgramFormulas& formulas, const ValueFacts& facts, std::size_t value) {
  const ProgramFormulas::Parts& parts = formulas.parts();
  const TensorType& type = parts.types[value];
  return parts.producers[value] && !parts.constants[value] && parts.varies[value] != 0 && facts.open[value].empty() &&
         (!type.quantized || type.quantized->is_per_tensor());
}

/// Of both sides' bounds, where they say more than the type.
void limit(LeafDomain& domain, const std::optional<ValueFacts::Interval>& one, const std::optional<ValueFacts::Interval>& other) {
  if (!one || !other || !domain.type.element.is_integer() || domain.type.element.is_boolean()) return;
  const std::int64_t low = std::max(one->first, other->first), high = std::min(one->second, other->second);
  const TensorType& type = domain.type;
  const Real least = type.quantized ? type.quantized->storage_min : type.element.min(),
             largest = type.quantized ? type.quantized->storage_max : type.element.max();
  if (low > high || (Real(low) <= least && Real(high) >= largest)) return;
  domain.range = {low, high};
}

}  // namespace

CutValues cuts_of(const ProgramSide& side, const ProgramFormulas& first, const ValueFacts& first_facts, const ProgramFormulas& second,
                  const ValueFacts& second_facts, const SharedValues& shared, bool heavy_only) {
  CutValues cuts;
  for (std::size_t v = 0; v < shared.first.size(); ++v) {
    if (!may_be_cut(first, first_facts, v)) continue;
    std::vector<std::size_t> others;
    for (std::size_t w = 0; w < shared.second.size(); ++w)
      if (shared.second[w] == shared.first[v] && shared.second[w] >= 0 && may_be_cut(second, second_facts, w)) others.push_back(w);
    if (others.empty()) continue;
    if (heavy_only && first_facts.heavy[v] == 0 && second_facts.heavy[others.front()] == 0) continue;
    LeafDomain domain{.type = first.type_of(static_cast<ValueId>(v))};
    domain.type.shape.clear();
    limit(domain, first_facts.bounds[v], second_facts.bounds[others.front()]);
    const std::size_t number = cuts.names.size();
    std::string name = bare_name(side.program, static_cast<ValueId>(v));
    cuts.names.push_back(domain.range ? fmt::format("{} from {} to {}", name, domain.range->first, domain.range->second)
                                      : fmt::format("{} of any value of {}", name, to_text(domain.type)));
    cuts.first.number[static_cast<ValueId>(v)] = number;
    for (const std::size_t w : others) cuts.second.number[static_cast<ValueId>(w)] = number;
    cuts.of_first.push_back(static_cast<ValueId>(v));
    cuts.of_second.push_back(static_cast<ValueId>(others.front()));
    cuts.first.types.push_back(first.type_of(static_cast<ValueId>(v)));
    cuts.domains.push_back(std::move(domain));
  }
  cuts.second.types = cuts.first.types;
  return cuts;
}

}  // namespace tiebreak
