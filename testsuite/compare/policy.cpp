// SPDX-License-Identifier: Apache-2.0
#include "testsuite/compare/compare.hpp"

namespace tiebreak {
namespace {

constexpr const char* policy_forms = "exact, lsb:N, ulp:N, steps:N, absolute:N, each with an optional cap such as lsb:1@0.1%";

const std::map<std::string, Policy::Kind> policy_kinds{
    {"lsb", Policy::Kind::lsb}, {"ulp", Policy::Kind::ulp}, {"steps", Policy::Kind::steps}, {"absolute", Policy::Kind::absolute}};

/// Plain decimals only: what stands in a verdict line should be readable.
Result<Real> parse_decimal(const std::string& text, const std::string& policy) {
  if (text.empty() || text.size() > 30 || text.find_first_not_of("0123456789.") != std::string::npos) {
    return fail(Errc::usage, "'" + text + "' is not a number in policy '" + policy + "'", "", policy_forms);
  }
  Result<Real> v = Real::parse(text);
  if (!v) return fail(Errc::usage, "'" + text + "' is not a number in policy '" + policy + "'", "", policy_forms);
  return v;
}

}  // namespace

Result<Policy> parse_policy(const std::string& text) {
  Policy policy;
  policy.text = text;
  std::string rest = text;
  if (std::size_t at = rest.find('@'); at != std::string::npos) {
    std::string cap = rest.substr(at + 1);
    rest = rest.substr(0, at);
    if (!cap.ends_with("%")) return fail(Errc::usage, "the cap of policy '" + text + "' is not a percentage", "", policy_forms);
    TIEBREAK_TRY(percentage, parse_decimal(cap.substr(0, cap.size() - 1), text));
    if (percentage > Real(100)) return fail(Errc::usage, "the cap of policy '" + text + "' is above 100%", "", policy_forms);
    policy.rate_cap = percentage / Real(100);
  }
  if (rest == "exact") {
    if (policy.rate_cap) return fail(Errc::usage, "policy 'exact' excuses nothing, so it has no cap", "", policy_forms);
    return policy;
  }
  std::size_t colon = rest.find(':');
  std::string kind = rest.substr(0, colon);
  const auto found = policy_kinds.find(kind);
  if (found == policy_kinds.end()) {
    std::string near = nearest(kind, std::vector<std::string>{"exact", "lsb", "ulp", "steps", "absolute"});
    return fail(Errc::usage, "unknown policy '" + text + "'", "", near.empty() ? policy_forms : "did you mean '" + near + "'? policies: " + policy_forms);
  }
  if (colon == std::string::npos) return fail(Errc::usage, "policy '" + text + "' needs a bound", "", "for example " + kind + ":1");
  TIEBREAK_TRY(bound, parse_decimal(rest.substr(colon + 1), text));
  if ((kind == "lsb" || kind == "steps") && !bound.is_whole()) return fail(Errc::usage, "the bound of '" + text + "' is not a whole number", "", policy_forms);
  policy.kind = found->second;
  policy.bound = bound;
  return policy;
}

}  // namespace tiebreak
