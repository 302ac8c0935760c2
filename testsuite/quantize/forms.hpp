// SPDX-License-Identifier: Apache-2.0
// The forms of a quantized program.
#pragma once
#include <array>
#include <map>
#include <string>

#include "testsuite/quantize/plan.hpp"

namespace tiebreak {

enum class Form : std::uint8_t {
  simulated,  ///< codes carried in f32: float operators on codes, zero points as terms of their own, requantized by divide, round, add, clip
  fake,       ///< operators in real space, each tensor quantized and dequantized
  qdq,        ///< DequantizeLinear of codes and weight codes, the float operator, QuantizeLinear
  integer,    ///< operators on codes with 32-bit accumulators
};
inline constexpr std::array<Form, 4> all_forms{Form::simulated, Form::fake, Form::qdq, Form::integer};
const char* to_word(Form form);

/// How a form is written.
struct FormRequest {
  Form form;
  bool separate_accumulators = false;  ///< integer: MatMulInteger and ConvInteger with requantization behind them, never QLinearConv: sums have names
  bool annotates = false;              ///< each value that has parameters states them, and where they come from, in a quantize_info
};
struct WrittenForm {
  Program program;
  std::map<std::string, std::string> notes{};  ///< by value: why its operation is in another form here
};
/// A value `x` in real space is called x, its codes x.q, its accumulator x.acc; what a float operator gives before it is quantized x.raw.
Result<WrittenForm> write_form(const Semantics& semantics, const Plan& plan, const FormRequest& request);
Result<WrittenForm> write_onnx_form(const Semantics& semantics, const Plan& plan, const FormRequest& request);
Result<WrittenForm> write_stablehlo_form(const Semantics& semantics, const Plan& plan, const FormRequest& request);

/// Whether some operator of the program is ONNX's.
bool has_onnx_operators(const Program& program);

}  // namespace tiebreak
