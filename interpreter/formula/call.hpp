// SPDX-License-Identifier: Apache-2.0
// A call of one op, and what comes back: operands, attributes and regions in, tensors with what is undefined in them out.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/tensor/attribute.hpp"
#include "interpreter/tensor/tensor.hpp"

namespace tiebreak {

struct Program;
struct Semantics;
struct EvaluateOptions;
struct OpCall;
struct ResultTensor;

enum class Engine : std::uint8_t {
  exact,  ///< extended reals, cell by cell
  fast,   ///< a plan that is proved to give the same values, else exact
  both,   ///< runs both and reports Errc::internal where they differ
};

/// Computes the calls of an op in place of its page: somebody's implementation, run inside the programs and regions that call the op.
using Kernel = std::function<Result<std::vector<ResultTensor>>(const Semantics&, const OpCall&, const EvaluateOptions&)>;
using Kernels = std::map<std::string, Kernel>;  ///< by op: onnx.QuantizeLinear

struct EvaluateOptions {
  Engine engine = Engine::fast;
  bool explain_values = false;                                ///< fill ResultTensor::before and ::distance
  std::shared_ptr<const std::set<std::int64_t>> explained{};  ///< of these elements alone; none: of all
  std::shared_ptr<const Kernels> kernels{};                   ///< none: every op by its page
};

struct ResultTensor {
  std::string name;
  Tensor tensor;
  std::vector<std::uint8_t> undefined{};  ///< per element, empty if none is undefined
  /// The value that entered the last rounding, everything after it exact and without saturation: hi + lo doubles.
  std::vector<std::pair<double, double>> before{};
  /// Signed distance from `before` to the nearest rounding boundary (a tie, or a step for directed roundings) inside the result's
  /// range, in units of the last digit for integers; nan where the formula has none.
  std::vector<double> distance{};

  bool is_undefined(std::int64_t element) const { return !undefined.empty() && undefined[static_cast<std::size_t>(element)] != 0; }
};

/// A region that an op runs, with what it captures of the program around it: its program's last inputs.
struct BoundRegion {
  const Program* program = nullptr;
  std::vector<ResultTensor> captured{};
};

/// A call of one op: operands in page order (absent ones nullopt), attributes, and result types where the program states them.
struct OpCall {
  std::string op;  ///< onnx.QuantizeLinear
  std::vector<std::optional<Tensor>> operands{};
  AttributeMap attributes{};
  std::vector<std::optional<TensorType>> result_types{};  ///< empty: all inferred
  int version = 0;                                        ///< opset or dialect version, 0: newest
  std::string where{};                                    ///< place for messages
  std::vector<BoundRegion> regions{};                     ///< in the order of the page's header; the last name stands for all that follow
  std::vector<std::vector<std::uint8_t>> undefined{};     ///< per operand, then per element: 1 where an earlier op left it undefined; may be shorter
};

}  // namespace tiebreak
