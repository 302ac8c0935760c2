// SPDX-License-Identifier: Apache-2.0
// A request as a program without inputs: `stablehlo-translate --interpret` runs @main and prints what it returns. Every version of it
// takes constants, later ones arguments too.
#pragma once
#include "interpreter/program/program.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak::stablehlo {

/// Inputs become constants. Codes of quantized tensors go in and come out as integers, through bitcast_convert: the interpreter
/// neither reads nor prints them otherwise.
Result<Program> constant_program(const ExchangeCase& request);

/// The type that a result is printed with: of a quantized tensor that of its storage.
TensorType printed_type(const TensorType& type);

}  // namespace tiebreak::stablehlo
