// SPDX-License-Identifier: Apache-2.0
// The quantization parameters of a program's tensors, as far as the program still has them: in types, in operands of quantized ops, in
// constants that were folded into its arithmetic, in weights that lie on a grid.
#pragma once
#include <map>
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
  std::map<ValueId, TensorParameters> values{};  ///< of each value of the program whose parameters are known, several of one tensor among them
  ParameterSet set() const;
};

struct RecoverQuestion {
  int printed_digits = 0;                       ///< of the constants of a text that was printed with so few; 0: all of them
  const std::vector<Tensor>* inputs = nullptr;  ///< what the program's inputs are in one call: scales and zero points that are inputs are read there
};

/// Results are in the order of the program. Errors are those of the library (`stop`, undecided), and annotations: what is no annotation, and one that
/// contradicts a type or an operand, with both places.
Result<RecoveredParameters> recover_parameters(const Library& library, const Program& program, const RecoverQuestion& question = {});

/// Whether something is stated of a value's parameters beside its type.
bool has_annotations(const Program& program);

std::string recovered_text(const RecoveredParameters& found);
std::string recovered_markdown(const RecoveredParameters& found);
std::string recovered_json(const RecoveredParameters& found);

}  // namespace tiebreak
