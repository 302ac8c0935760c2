// SPDX-License-Identifier: Apache-2.0
// A request's program as a value, and the one op of it with operands in page order: what an adapter needs before it can call anything.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/program/program.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// The program of a request: one function or a bare snippet.
Result<Program> program_of(const ExchangeCase& request);
/// A value's name without the sign that MLIR puts before it: x for %x.
std::string plain_name(const std::string& name);
/// The request's inputs in the order of program.inputs, matched by name.
Result<std::vector<Tensor>> inputs_of(const Program& program, const ExchangeCase& request);

struct SingleOp {
  std::string op;
  int version = 0;
  AttributeMap attributes{};
  std::vector<std::optional<Tensor>> operands{};  ///< absent ones empty; those beyond the end are absent too
  struct Output {
    std::string name;
    std::optional<TensorType> type{};  ///< where the program states it
  };
  std::vector<Output> outputs{};

  const Tensor* operand(std::size_t index) const;  ///< nullptr: absent
  Result<const Tensor*> required(std::size_t index, const std::string& name) const;
  Result<TensorType> output_type(std::size_t index) const;
  std::int64_t integer(const std::string& attribute, std::int64_t otherwise) const;
  std::vector<std::int64_t> integers(const std::string& attribute, std::vector<std::int64_t> otherwise) const;
};

/// Errc::unsupported where the program has several operations or results that it does not return.
Result<SingleOp> single_op(const ExchangeCase& request);

/// Elements as numbers of the machine: integers of any width, and f32 (f16 and bf16 widened). Errc::unsupported for other types.
Result<std::vector<std::int32_t>> codes_of(const Tensor& tensor);
Result<std::vector<float>> floats_of(const Tensor& tensor);

/// Convolution attributes of the ONNX ops with every default filled in; auto_pad resolved.
struct ConvolutionAttributes {
  std::int64_t groups = 1;
  std::vector<std::int64_t> kernel{}, strides{}, dilations{}, pads_begin{}, pads_end{};
};
Result<ConvolutionAttributes> convolution_attributes(const SingleOp& op, const Shape& x, const Shape& w);

}  // namespace tiebreak
