// SPDX-License-Identifier: Apache-2.0
// Parameters for the tensors of a float program: it is run on batches of data, operation by operation, and a provider is asked for each tensor in
// topological order.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testsuite/calibrate/accumulators.hpp"
#include "testsuite/calibrate/constraints.hpp"
#include "testsuite/calibrate/float_run.hpp"
#include "testsuite/calibrate/provider.hpp"
#include "testsuite/parameters/parameters.hpp"

namespace tiebreak {

struct CalibrateOptions {
  std::string provider = "min_max";
  const Profile* parameters = nullptr;  ///< how `quant.parameters` makes a scale and a zero point of a range
  CodeFormat activations{};
  CodeFormat weights{};
  /// The codes of a value, where they are neither; nullopt: it has no parameters, and is not looked at.
  std::function<std::optional<CodeFormat>(const ReachedValue&)> codes{};
  bool per_axis = false;   ///< weights of contractions have parameters for each output channel
  bool propagate = false;  ///< later tensors are measured on what the quantized earlier ones give
  ProviderOptions program{};
  std::optional<Constraints> constraints{};  ///< without: every tensor by itself
  bool accumulators = false;                 ///< how wide the accumulators of products must be is found, too
};

struct CalibratedTensor {
  TensorParameters parameters{};
  bool is_constant = false;
  std::vector<std::pair<double, double>> batches{};  ///< least and greatest value of each
  std::int64_t size = 0;
  ValueId id = -1;
  CodeFormat codes{};  ///< as they were asked for: biases and accumulators have i32
};
struct Calibration {
  std::string model, provider;
  std::string constraints{};  ///< whose; "": none
  std::size_t batches = 0;
  std::vector<CalibratedTensor> tensors{};
  std::vector<std::string> notes{};             ///< what constraints bring with them: operands that are requantized, scales that grew
  std::vector<AccumulatorNeed> accumulators{};  ///< of the operations that sum products of codes
  ParameterSet parameters() const;
  CalibratedTensor* find(ValueId id);  ///< nullptr: it has no parameters
};

/// Float inputs, float constants that an operation reads, and float results, each when it is known. Errc::type with tensor and batch for values that no range
/// covers, Errc::usage where errors are to be propagated and constraints are solved together.
Result<Calibration> calibrate(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, const CalibrateOptions& options);

/// The accumulators that the tensors need; with `bits` those that so many do not hold are marked.
std::string accumulators_text(const Calibration& calibration, int bits);
/// Tensors whose parameters are not the same in both, which are calibrations of one program under two constraints.
std::string difference_text(const Calibration& first, const Calibration& second);
std::string calibration_text(const Calibration& calibration);
std::string calibration_markdown(const Calibration& calibration);

}  // namespace tiebreak
