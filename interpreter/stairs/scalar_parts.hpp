// SPDX-License-Identifier: Apache-2.0
// What a scalar function is made of: the call it keeps, the formula bound to it, and the plan for the parameters now set.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/bind/binder.hpp"
#include "interpreter/stairs/scalar_plan_lowering.hpp"

namespace tiebreak {

struct ScalarFunction::Parts {
  const Library* library = nullptr;
  Profile profile{};
  OpCall call{};
  std::string varied{};
  std::size_t result_number = 0;
  int varied_operand = -1, varied_source = -1;
  std::unique_ptr<Tensor> accumulator{};  ///< of a tail: what varies instead of an operand
  std::vector<std::string> operand_names{}, result_names{};
  std::vector<ScalarParameter> parameters{};
  OrderedType input{}, output{};
  Formula formula{};
  NodeId root = -1;
  std::unique_ptr<KnownValues> known{};
  bool planned = false;
  ScalarPlan plan{};
  Frame frame{};

  Status bind_formula();
  Status take_formula();  ///< what bind_formula does with a formula that is bound
  Status cut_at_accumulator();
  Tensor& varied_tensor() { return accumulator ? *accumulator : *call.operands[static_cast<std::size_t>(varied_operand)]; }
  Status make_plan();
  void list_parameters(const notation::Op& op);
  Status set_fact(const std::string& parameter, const Real& value);
  Status run(std::span<const std::int64_t> inputs, std::span<std::int64_t> results);
  Status ask_where_errors(std::span<const std::int64_t> inputs, std::span<std::int64_t> results);
  Result<std::int64_t> exactly(const Real& input_value);
};

}  // namespace tiebreak
