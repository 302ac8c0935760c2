// SPDX-License-Identifier: Apache-2.0
// Executes one op of a page, or a program of such ops, under a profile.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {

enum class Engine : std::uint8_t {
  exact,  ///< extended reals, cell by cell
  fast,   ///< a plan that is proved to give the same values, else exact
  both,   ///< runs both and reports Errc::internal where they differ
};

struct EvaluateOptions {
  Engine engine = Engine::fast;
  bool explain_values = false;  ///< fill ResultTensor::before and ::distance
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

/// A body that an op runs, with what it takes from the program around it: the body's last inputs.
struct BoundRegion {
  const Program* body = nullptr;
  std::vector<ResultTensor> captured{};
};

/// A call of one op: operands in page order (absent ones nullopt), attributes, and result types where the program states them.
struct OpCall {
  std::string op;                                         ///< onnx.QuantizeLinear
  std::vector<std::optional<Tensor>> operands{};
  AttributeMap attributes{};
  std::vector<std::optional<TensorType>> result_types{};  ///< empty: all inferred
  int version = 0;                                        ///< opset or dialect version, 0: newest
  std::string where{};                                    ///< place for messages
  std::vector<BoundRegion> regions{};                     ///< bodies in the order of the page's header; the last name stands for all that follow
  std::vector<std::vector<std::uint8_t>> undefined{};     ///< per operand, then per element: 1 where an earlier op left it undefined; may be shorter
};

Result<std::vector<ResultTensor>> evaluate(const Library& library, const Profile& profile, const OpCall& call,
                                           const EvaluateOptions& options = {});

/// One line of a trace.
struct TraceStep {
  std::string text;    ///< formula as written
  std::string value;   ///< exact text (rational or hex float), `undefined`, true/false
  std::string decimal; ///< decimal of it
  std::string place;   ///< page:line
  std::string choice;  ///< choice=alternative that led here, or ""
  int depth = 0;
};
/// Every step of one result element, in order of evaluation.
Result<std::vector<TraceStep>> explain(const Library& library, const Profile& profile, const OpCall& call, std::size_t result,
                                       std::int64_t element);

/// Runs a whole program; `inputs` follow program.inputs. Returns results for program.outputs.
Result<std::vector<ResultTensor>> evaluate(const Library& library, const Profile& profile, const Program& program,
                                           const std::vector<Tensor>& inputs, const EvaluateOptions& options = {});

/// The call that operation number `operation` of a program makes, after running those before it. Its bodies are the program's.
Result<OpCall> reach_call(const Library& library, const Profile& profile, const Program& program, std::size_t operation, const std::vector<Tensor>& inputs);

}  // namespace tiebreak
