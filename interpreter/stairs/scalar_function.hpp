// SPDX-License-Identifier: Apache-2.0
// A result of an op as a function of one number: one operand's element runs over all values of its type, everything else stands still.
// Inputs and results are counted by their order (ordinals), so that integers and floats are bisected alike.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "interpreter/formula/call.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

struct Formula;

/// The values of a type in ascending order: an integer's ordinal is itself. Of a float it is its place in the order of all its values, with +0 at 0,
/// -0 at -1, infinities at the ends and nan left out; formats without -0 or infinities have no place for them.
struct OrderedType {
  ElementType type{};
  std::int64_t first = 0, last = 0;  ///< narrowed by the storage range of a quantized type
  bool limited = false;              ///< to a part of the type, which is all that is asked about: limit_input
  std::uint64_t count() const { return static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1; }
  bool is_integer() const { return type.is_integer(); }
  Real value(std::int64_t ordinal) const;
  /// The exact text of a value: 585, 0x1.8p-3.
  std::string text(std::int64_t ordinal) const;
  /// The greatest ordinal whose value is at most v.
  std::int64_t ordinal_below(const Real& v) const;
};
/// Integers up to 64 bits (u64 without its upper half) and floats of at most 32 bits, f64 included.
Result<OrderedType> ordered(const TensorType& type);

/// What stands in place of a result's ordinal where the formula has no number.
constexpr std::int64_t outcome_undefined = INT64_MIN;
constexpr std::int64_t outcome_nan = INT64_MIN + 1;
inline bool is_special(std::int64_t outcome) { return outcome == outcome_undefined || outcome == outcome_nan; }

/// Names what may be set: an operand with one element (`y_scale`), a fact of a quantized one (`x.scale`, `x.zero_point`, `y.scale`).
struct ScalarParameter {
  std::string name;
  ElementType type{};
  Real value{};
};

class ScalarFunction {
 public:
  /// Compiles the formula of `call` under `profile`. Every operand has one element (or one a parameter index); `varied` is the operand that runs over all
  /// values of its type, and `result` the number of the result. Structures with a bag are errors: their results are no function of one number.
  static Result<ScalarFunction> compile(const Semantics& semantics, const OpCall& call, const std::string& varied, std::size_t result = 0);
  /// The rest of a contraction behind its accumulator, which is what varies: parameters have one element each, and what the sum is
  /// made of does not matter. Errc::unsupported where there is no accumulator.
  static Result<ScalarFunction> compile_tail(const Semantics& semantics, const OpCall& call, std::size_t result = 0);
  /// A formula of one cell whose first result is meant; `varied` names the source that varies, a tensor of one element. The formula's tensors must
  /// outlive it. It has no parameters to set.
  static Result<ScalarFunction> of_formula(Formula formula, const std::string& varied);
  /// From here on the input runs over these ordinals alone. Errc::type where the input's type has not all of them, or they are none.
  Status limit_input(std::int64_t first, std::int64_t last);
  ScalarFunction(ScalarFunction&&) noexcept;
  ScalarFunction& operator=(ScalarFunction&&) noexcept;
  ~ScalarFunction();

  const OrderedType& input() const;
  const OrderedType& output() const;
  const std::vector<ScalarParameter>& parameters() const;
  /// `choice=alternative`, sorted.
  const std::vector<std::string>& clauses() const;

  /// Gives a parameter another value of its type. Errc::unknown_name, Errc::type where the type cannot hold it.
  Status set(const std::string& parameter, const Real& value);

  /// Ordinals of results, or outcome_undefined, outcome_nan. Machine arithmetic where bounds prove it exact, else apply_node.
  Status evaluate(std::span<const std::int64_t> inputs, std::span<std::int64_t> results);
  Result<std::int64_t> at(std::int64_t input);
  /// The result for an input that is not a number (float inputs only).
  Result<std::int64_t> at_nan();
  /// The same by apply_node alone: what tests and `--engine exact` compare with.
  Result<std::int64_t> exactly_at(std::int64_t input);

  struct Parts;
  Parts& parts() { return *parts_; }  ///< for staircase.cpp

 private:
  explicit ScalarFunction(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tiebreak
