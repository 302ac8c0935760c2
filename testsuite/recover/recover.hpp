// SPDX-License-Identifier: Apache-2.0
// The quantization parameters of a program's tensors, as far as the program still has them: in types, in operands of quantized ops, in
// constants that were folded into its arithmetic, in weights that lie on a grid.
#pragma once
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"
#include "testsuite/parameters/parameters.hpp"

namespace tiebreak {

struct RecoveredTensor {
  TensorParameters parameters;
  std::string codes;  ///< the value that holds the codes; "" of weights that are floats
  std::string place;  ///< the operation that has the parameters, or where the value comes from
};

/// What of a tensor's parameters is not in the program any more.
struct LostParameter {
  std::string tensor;
  std::string what;  ///< scale, zero point, axis, storage
  std::string why;   ///< y_scale is computed while the program runs
  std::string op;    ///< where it is lost
  std::string place;
};

struct RecoveredParameters {
  std::string model;
  std::vector<RecoveredTensor> tensors{};
  std::vector<LostParameter> lost{};
  ParameterSet set() const;
};

struct RecoverQuestion {
  int printed_digits = 0;  ///< of the constants of a text that was printed with so few; 0: all of them
};

/// Results are in the order of the program. Errors are those of the library: `stop`, undecided.
Result<RecoveredParameters> recover_parameters(const Library& library, const Program& program, const RecoverQuestion& question = {});

std::string recovered_text(const RecoveredParameters& found);
std::string recovered_markdown(const RecoveredParameters& found);
std::string recovered_json(const RecoveredParameters& found);

}  // namespace tiebreak
