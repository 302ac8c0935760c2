// SPDX-License-Identifier: Apache-2.0
// Parameters for the tensors of a float program: it is run on batches of data, operation by operation, and a provider is asked for each tensor in
// topological order.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

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
};

struct CalibratedTensor {
  TensorParameters parameters{};
  bool is_constant = false;
  std::vector<std::pair<double, double>> batches{};  ///< least and greatest value of each
  std::int64_t size = 0;
};
struct Calibration {
  std::string model, provider;
  std::size_t batches = 0;
  std::vector<CalibratedTensor> tensors{};
  ParameterSet parameters() const;
};

/// Float inputs, float constants that an operation reads, and float results, each when it is known.
Result<Calibration> calibrate(const Semantics& semantics, const Program& program, const std::vector<Batch>& batches, const CalibrateOptions& options);

std::string calibration_text(const Calibration& calibration);
std::string calibration_markdown(const Calibration& calibration);

}  // namespace tiebreak
