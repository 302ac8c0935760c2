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
      {"exact_ties",
       "(k + 1/2) * scale alone, or accumulators that are exact ties; an error where the scales have none",
       {},
       {"of", "x_scale", "w_scale", "y_scale", "zero_point"},
       {},
       true,
       generate::exact_ties},
      {"extreme_scales",
       "positive scales at the ends of the format, subnormal, beside powers of two, and 1/3, 1/10",
       {},
       {},
       {},
       false,
       generate::extreme_scales},
      {"extremes", "the least and the greatest value, or `min` and `max`, drawn by the seed", {"min", "max"}, {}, {}, false, generate::extremes},
      {"large_accumulators", "whole numbers beyond 2^24, at and beside the ties of their conversion to f32", {}, {}, {}, false, generate::large_accumulators},
      {"near_ties",
       "the values closest to a tie that are none, closest first",
       {},
       {"of", "x_scale", "w_scale", "y_scale", "zero_point"},
       {},
       true,
       generate::near_ties},
      {"random", "drawn by the seed from `min` .. `max`; without them from all finite codes", {"min", "max"}, {}, {}, false, generate::random},
      {"saturation",
       "both ends of the output range, half a code and whole codes around them, and far beyond",
       {},
       {"of", "x_scale", "w_scale", "y_scale", "zero_point"},
       {},
       true,
       generate::saturation},
      {"sequence", "`start`, `start` + `step`, ... beginning again at the end of the type's range", {"start", "step"}, {}, {}, false, generate::sequence},
      {"specials", "nan, infinities, both zeros, subnormals and the largest values, where the type has them", {}, {}, {}, false, generate::specials},
      {"stairs", "both sides of every stair of an op under a profile", {}, {"weights", "weights_zero_point", "zero_point"}, {}, false, generate::stairs, true},
      {"ties",
       "(k + 1/2) * scale and the values on both sides of it, k from below the output range to beyond it",
       {},
       {"of", "zero_point"},
       {"of"},
       true,
       generate::ties},
      {"zero_points", "0, 1, the ends, the middle, odd and even ones; the seed chooses where it begins", {}, {}, {}, false, generate::zero_points},
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
