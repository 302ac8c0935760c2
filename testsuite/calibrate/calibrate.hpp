// SPDX-License-Identifier: Apache-2.0
// Parameters for the tensors of a float program: it is run on batches of data, operation by operation, and a provider is asked for each tensor in
// topological order.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "testsuite/calibrate/provider.hpp"
#include "testsuite/parameters/parameters.hpp"
#include "testsuite/sources/batches.hpp"

namespace tiebreak {

struct CalibrateOptions {
  std::string provider = "min_max";
  const Profile* parameters = nullptr;  ///< how `quant.parameters` makes a scale and a zero point of a range
  CodeFormat activations{};
  CodeFormat weights{};
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

/// Scales and zero points of ranges, one for each channel, by `quant.parameters`. `where` names the tensor.
Result<QuantizedType> type_of_ranges(const Semantics& parameters, const std::vector<Provided>& provided, const ElementType& expressed, const CodeFormat& format,
                                     int axis, const std::string& where);

std::string calibration_text(const Calibration& calibration);
std::string calibration_markdown(const Calibration& calibration);

}  // namespace tiebreak
