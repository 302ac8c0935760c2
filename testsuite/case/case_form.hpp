// SPDX-License-Identifier: Apache-2.0
// The form of a case: element types, how finely its quantization parameters go, rank. A backend takes or refuses a form, whatever the values are.
#pragma once
#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/case/case.hpp"

namespace tiebreak {

enum class Granularity : std::uint8_t { none, per_tensor, per_axis, per_block };
constexpr Granularity every_granularity[] = {Granularity::none, Granularity::per_tensor, Granularity::per_axis, Granularity::per_block};
const char* to_word(Granularity granularity);  ///< plain, per tensor, per axis, per block
Granularity granularity_of(const QuantizedType& type);

struct CaseForm {
  std::string op;
  std::string types;                            ///< `x=u8 w=i8`, once the results are known `x=u8 w=i8 -> u8, scale f16`
  Granularity granularity = Granularity::none;  ///< of the parameter that goes finest
  std::vector<std::string> parameters{};        ///< those with more than one value: y_scale, y_zero_point; of a quantized type its operand
  std::size_t rank = 0;                         ///< of the first operand, without operands of the first result
  auto operator<=>(const CaseForm&) const = default;
};

/// Of a program of one op; nothing for others. Before a case is evaluated `types` has every operand, so that cases of one form give the same results.
std::optional<CaseForm> form_of(const Library& library, const Case& test);
/// The form with its types as a table shows them: those of the data and of the results, and of scales and expressed values that are not f32.
CaseForm shown_form(const Library& library, const Case& test, const std::vector<ResultTensor>& results);

}  // namespace tiebreak
