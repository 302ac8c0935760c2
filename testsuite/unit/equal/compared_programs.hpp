// SPDX-License-Identifier: Apache-2.0
// Two functions with all that `equal` finds out about them before it compares outputs, and every input tried by running them.
#pragma once
#include <memory>

#include "testsuite/equal/output_comparison.hpp"
#include "testsuite/unit/equal/programs.hpp"

namespace tiebreak {

struct KnownPrograms {
  ParsedMlir parsed{};
  std::unique_ptr<ProgramSide> first{}, second{};
  ElementQuestion limits{};
  ProgramInputs inputs{};
  std::unique_ptr<ProgramFormulas> a{}, b{};
  std::unique_ptr<ComparedPrograms> programs{};
  SharedValues shared{};
};

inline std::unique_ptr<KnownPrograms> known_programs(const std::string& text, const std::string& profile = "reference", const std::string& against = "") {
  auto known = std::make_unique<KnownPrograms>();
  known->parsed = functions_of(text);
  const Profile &one = profile_named(profile), &other = profile_named(against.empty() ? profile : against);
  known->first = std::make_unique<ProgramSide>(ProgramSide{pages(), one, known->parsed.functions.front(), "a.mlir"});
  known->second = std::make_unique<ProgramSide>(ProgramSide{pages(), other, known->parsed.functions.back(), "b.mlir"});
  known->inputs = *inputs_of(known->first->program, {});
  known->a =
      std::make_unique<ProgramFormulas>(*ProgramFormulas::bind(known->first->semantics(), known->first->program, known->inputs.tensors, known->inputs.roles));
  known->b =
      std::make_unique<ProgramFormulas>(*ProgramFormulas::bind(known->second->semantics(), known->second->program, known->inputs.tensors, known->inputs.roles));
  known->programs = std::make_unique<ComparedPrograms>(ComparedPrograms{*known->first, *known->second, *known->a, *known->b, known->inputs, known->limits});
  const auto shared = find_shared(*known->programs);
  EXPECT_TRUE(shared) << to_text(shared.error()) << text;
  if (shared) known->shared = *shared;
  return known;
}

/// By element of the first output, every element of every input taking every code by itself; refused inputs apart.
struct BruteElements {
  std::int64_t inputs = 0, refused = 0;
  std::vector<std::int64_t> differing{}, undefined{};
};
inline BruteElements every_element_by_brute_force(const KnownPrograms& known) {
  BruteElements count;
  std::int64_t total = 1;
  for (const Tensor& tensor : known.inputs.tensors)
    for (std::int64_t e = 0; e < tensor.size(); ++e) total *= std::int64_t{1} << tensor.element().bits();
  for (std::int64_t input = 0; input < total; ++input) {
    std::vector<Tensor> tensors = known.inputs.tensors;
    std::int64_t rest = input;
    for (Tensor& tensor : tensors)
      for (std::int64_t e = 0; e < tensor.size(); ++e) {
        const int bits = tensor.element().bits();
        tensor.set_code(e, static_cast<std::uint64_t>(rest) & ((std::uint64_t{1} << bits) - 1));
        rest >>= bits;
      }
    const auto a = evaluate(known.first->semantics(), known.first->program, tensors), b = evaluate(known.second->semantics(), known.second->program, tensors);
    ++count.inputs;
    if (!a || !b) {
      ++count.refused;
      continue;
    }
    const ResultTensor &x = a->front(), &y = b->front();
    count.differing.resize(static_cast<std::size_t>(x.tensor.size()));
    count.undefined.resize(static_cast<std::size_t>(x.tensor.size()));
    for (std::int64_t e = 0; e < x.tensor.size(); ++e) {
      const auto place = static_cast<std::size_t>(e);
      if (x.is_undefined(e) || y.is_undefined(e)) ++count.undefined[place];
      else if (x.tensor.code(e) != y.tensor.code(e) && !(x.tensor.value(e).is_nan() && y.tensor.value(e).is_nan())) ++count.differing[place];
    }
  }
  return count;
}

}  // namespace tiebreak
