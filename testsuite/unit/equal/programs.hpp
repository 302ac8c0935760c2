// SPDX-License-Identifier: Apache-2.0
// Programs of two functions compared, and the same by brute force.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "testsuite/equal/compare_programs.hpp"
#include "testsuite/unit/helpers/spec_pages.hpp"

namespace tiebreak {

inline ParsedMlir functions_of(const std::string& text) {
  auto parsed = parse_mlir(text, "programs.mlir");
  EXPECT_TRUE(parsed) << to_text(parsed.error()) << "\n" << text;
  return parsed ? *std::move(parsed) : ParsedMlir{};
}

inline const Profile& profile_named(const std::string& name) {
  const auto found = pages().find_profile(name);
  EXPECT_TRUE(found) << name;
  return **found;
}

/// The first two functions of the text, A and B.
inline Result<ProgramsReport> compared(const std::string& text, const ProgramsQuestion& question = {}, const std::string& profile = "reference",
                                       const std::string& against = "") {
  const ParsedMlir parsed = functions_of(text);
  if (parsed.functions.empty()) return fail(Errc::syntax, "no function");
  const Program &first = parsed.functions.front(), &second = parsed.functions.back();
  return compare_programs({pages(), profile_named(profile), first, "a.mlir"}, {pages(), profile_named(against.empty() ? profile : against), second, "b.mlir"},
                          question);
}

/// On how many inputs the first elements of the first output differ, every code of every input tried, all its elements alike; by running the programs.
struct BruteForce {
  std::int64_t inputs = 0, differing = 0, undefined = 0;
};
inline BruteForce by_brute_force(const ParsedMlir& parsed) {
  const Program &first = parsed.functions.front(), &second = parsed.functions.back();
  const Profile& profile = profile_named("reference");
  BruteForce count;
  std::int64_t total = 1;
  for (const ValueId id : first.inputs) total <<= first.values[static_cast<std::size_t>(id)].type->element.bits();
  for (std::int64_t input = 0; input < total; ++input) {
    std::vector<Tensor> tensors;
    std::int64_t rest = input;
    for (const ValueId id : first.inputs) {
      Tensor tensor = *Tensor::zeros(*first.values[static_cast<std::size_t>(id)].type);
      const int bits = tensor.element().bits();
      for (std::int64_t e = 0; e < tensor.size(); ++e) tensor.set_code(e, static_cast<std::uint64_t>(rest) & ((std::uint64_t{1} << bits) - 1));
      rest >>= bits;
      tensors.push_back(std::move(tensor));
    }
    const auto a = evaluate({pages(), profile}, first, tensors), b = evaluate({pages(), profile}, second, tensors);
    EXPECT_TRUE(a && b);
    if (!a || !b) return count;
    ++count.inputs;
    const ResultTensor &x = a->front(), &y = b->front();
    if (x.is_undefined(0) || y.is_undefined(0)) ++count.undefined;
    else if (x.tensor.code(0) != y.tensor.code(0) && !(x.tensor.value(0).is_nan() && y.tensor.value(0).is_nan())) ++count.differing;
  }
  return count;
}

}  // namespace tiebreak
