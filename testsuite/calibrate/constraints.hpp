// SPDX-License-Identifier: Apache-2.0
// Constraints between the parameters of tensors, as data: which operators want what, from a file of spec/constraints or of the user's.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"

namespace tiebreak {

using Operators = std::vector<std::string>;  ///< pages: onnx.Concat

/// Operands and results of these operators have the same parameters.
struct AlikeRule {
  Operators operators{};
  std::string body{};         ///< the rule holds where the region is this one operation; "": always
  bool takes_result = false;  ///< solved in order: the result's parameters hold, else the first operand's
};
/// Results of these have fixed parameters, by quant.fixed_range.
struct FixedRule {
  Operators operators{};
  std::string function{};
};
/// A constant is a bias: i32 codes with zero point 0.
struct BiasRule {
  Operators operators{};
  std::optional<std::size_t> operand{};  ///< which operand is the bias
  Operators added_to{};                  ///< else: what is added to the result of one of these, which then is the accumulator
  bool of_result = false;                ///< the scale is the result's, else the product of those of the first two operands
  std::optional<std::int64_t> limit{};   ///< from which code on scales grow, by quant.bias_limit
};

struct Constraints {
  std::string system{};
  bool together = false;   ///< classes of the whole program, else operator by operator in their order
  bool bisection = false;  ///< a class is solved as MLIR's first quantizer did, else by the profile
  std::vector<AlikeRule> alike{};
  std::vector<FixedRule> fixed{};
  std::vector<BiasRule> biases{};

  /// nullptr: the operation is none of these.
  const AlikeRule* alike_rule(const Operation& operation) const;
  const FixedRule* fixed_rule(const Operation& operation) const;
  /// The rule by which operand `operand` of the operation is a bias.
  const BiasRule* bias_rule(const Operation& operation, std::size_t operand) const;
  /// The rule by which the value is an accumulator: the result of a product that one operation reads, which adds a constant.
  const BiasRule* accumulator_rule(const Program& program, const Operation& product, ValueId result) const;
};

/// `tflite`, a file of spec/constraints in one of `directories`; a word with a slash, or that ends in .json, is a file. Errc::unknown_name with the nearest
/// name; Errc::corrupt and others with the place in the file.
Result<Constraints> read_constraints(const std::vector<std::string>& directories, const std::string& word);

}  // namespace tiebreak
