// SPDX-License-Identifier: Apache-2.0
// Constraints solved as TensorFlow Lite's converter does: one operator after the other, from what its operands have; nothing that has parameters is asked
// again because of a later operator, but constants that are its own.
#pragma once
#include "testsuite/calibrate/calibrate.hpp"

namespace tiebreak {

class ConstrainedInOrder {
 public:
  /// `found` has the tensors that were reached so far. All must outlive this.
  ConstrainedInOrder(const Constraints& constraints, const Semantics& parameters, const Program& program, Calibration& found, bool propagate)
      : constraints_(constraints), parameters_(parameters), program_(program), found_(found), propagate_(propagate) {}

  /// nullopt: no constraint says, the provider is asked.
  Result<std::optional<TensorParameters>> parameters_of(const ReachedValue& value, const CodeFormat& codes);
  /// Once a result has its parameters: constants take them, other operands are noted as requantized.
  void settle(const ReachedValue& value);

 private:
  using Chosen = std::optional<TensorParameters>;
  const QuantizedType* type_of(ValueId id) const;
  Result<Chosen> of_constant(const ReachedValue& value);
  Result<Chosen> of_result(const ReachedValue& value, const CodeFormat& codes);
  Result<Chosen> bias(const ReachedValue& value, const BiasRule& rule);
  Result<Chosen> bias_of_accumulator(const ReachedValue& value);
  Result<Chosen> same_as(ValueId id, ValueId source) const;
  Result<Chosen> accumulator(const Operation& product, ValueId id) const;
  Status take_limited(const ReachedValue& value, const BiasRule& rule, const Operation& product, QuantizedType& type);

  const Constraints& constraints_;
  const Semantics& parameters_;
  const Program& program_;
  Calibration& found_;
  bool propagate_;
};

}  // namespace tiebreak
