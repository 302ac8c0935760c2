// SPDX-License-Identifier: Apache-2.0
// A large elementwise result filled at once, held against the same formula run cell by cell.
#pragma once
#include "interpreter/bind/binder.hpp"
#include "interpreter/elementwise/fill_result.hpp"
#include "interpreter/fast/run_formula.hpp"
#include "testsuite/unit/helpers/spec_profiles.hpp"

namespace tiebreak {

enum class Fill : std::uint8_t { whole, left_over };

inline bool is_same(const ResultTensor& a, std::int64_t i, const ResultTensor& b, std::int64_t j) {
  return a.is_undefined(i) == b.is_undefined(j) && (b.is_undefined(j) || a.tensor.code(i) == b.tensor.code(j));
}
inline std::string text_of(const ResultTensor& result, std::int64_t i) { return result.is_undefined(i) ? "undefined" : result.tensor.value(i).to_string(); }

/// Expects the first result to be filled, or to be left over; of one that is filled, every code and every undefined element.
inline void expect_filled(const OpCall& call, const std::string& profile = "reference", Fill expected = Fill::whole) {
  const Semantics semantics{*spec_pages(), **spec_pages()->find_profile(profile)};
  Result<Formula> formula = bind(semantics, call);
  ASSERT_TRUE(formula) << to_text(formula.error());
  const FormulaResult declared = formula->results.front();
  ResultTensor filled{.name = declared.name, .tensor = *Tensor::zeros(declared.type)};
  const Result<bool> done = fill_at_once(*formula, declared, filled);
  ASSERT_TRUE(done) << to_text(done.error());
  ASSERT_EQ(*done, expected == Fill::whole) << call.op << " under " << profile;
  if (!*done) return;
  const auto cell_by_cell = run_formula(*formula, call, {});
  ASSERT_TRUE(cell_by_cell) << to_text(cell_by_cell.error());
  const ResultTensor& wanted = cell_by_cell->front();
  std::int64_t differing = 0, undefined = 0;
  for (std::int64_t i = 0; i < filled.tensor.size(); ++i) {
    undefined += wanted.is_undefined(i) ? 1 : 0;
    if (is_same(filled, i, wanted, i) || ++differing >= 10) continue;
    ADD_FAILURE() << call.op << " under " << profile << " [" << i << "]: " << text_of(filled, i) << ", cell by cell " << text_of(wanted, i);
  }
  EXPECT_EQ(differing, 0);
  EXPECT_EQ(filled.undefined.empty(), undefined == 0);
}

}  // namespace tiebreak
