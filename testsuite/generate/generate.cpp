// SPDX-License-Identifier: Apache-2.0
#include "testsuite/generate/generate.hpp"

#include "testsuite/generate/rules.hpp"

namespace tiebreak {

const std::vector<InputRule>& input_rules() {
  static const std::vector<InputRule> rules = {
      {"accumulator_ties",
       "accumulators at and beside ties of acc * x_scale * w_scale / y_scale, beyond 2^24 and at the ends of i32",
       {},
       {"x_scale", "w_scale", "y_scale", "zero_point"},
       {"x_scale", "y_scale"},
       true,
       generate::accumulator_ties},
      {"constant", "`value` everywhere", {"value"}, {}, {"value"}, false, generate::constant},
      {"edges",
       "finite values at the ends of ranges: of the type, of narrower integers, of subnormals, around powers of two",
       {},
       {},
       {},
       false,
       generate::edges},
      {"extremes",
       "the least and the greatest value, or `min` and `max`, drawn by the seed",
       {"min", "max"},
       {},
       {},
       false,
       generate::extremes},
      {"random",
       "drawn by the seed from `min` .. `max`; without them from all finite codes",
       {"min", "max"},
       {},
       {},
       false,
       generate::random},
      {"sequence",
       "`start`, `start` + `step`, ... beginning again at the end of the type's range",
       {"start", "step"},
       {},
       {},
       false,
       generate::sequence},
      {"specials",
       "nan, infinities, both zeros, subnormals and the largest values, where the type has them",
       {},
       {},
       {},
       false,
       generate::specials},
      {"ties",
       "(k + 1/2) * scale and the values on both sides of it, k from below the output range to beyond it",
       {},
       {"of", "zero_point"},
       {"of"},
       true,
       generate::ties},
  };
  return rules;
}

Result<const InputRule*> find_rule(const std::string& name, const std::string& where) {
  std::vector<std::string> names{"data"};
  for (const InputRule& rule : input_rules()) {
    if (rule.name == name) return &rule;
    names.push_back(rule.name);
  }
  std::string near = nearest(name, names);
  return fail(Errc::unknown_name, "unknown input rule '" + name + "'", where, near.empty() ? "" : "did you mean '" + near + "'?");
}

Result<Tensor> generate_input(const InputRequest& request) {
  TIEBREAK_TRY(rule, find_rule(request.rule, request.where));
  for (const std::string& key : rule->required) {
    if (!request.numbers.contains(key) && !request.operands.contains(key)) {
      return fail(Errc::syntax, "rule '" + rule->name + "' needs '" + key + "'", request.where);
    }
  }
  return rule->make(request);
}

}  // namespace tiebreak
