// SPDX-License-Identifier: Apache-2.0
// Float operations between codes, as regions `iree_compress.quant_region`, and back: outlining takes dequantize and quantize operations into the types of a
// region's operands and results, inlining writes them out again.
#pragma once
#include <string>

#include "interpreter/program/program.hpp"
#include "interpreter/semantics/library.hpp"

namespace tiebreak {

enum class Casts : std::uint8_t { quant, stablehlo };  ///< quant.dcast and quant.qcast; stablehlo.uniform_dequantize and uniform_quantize

struct OutlineQuestion {
  Casts casts = Casts::quant;  ///< which operations become types
  bool each = false;           ///< every float operation alone, whether codes are beside it or not
};
struct OutlinedProgram {
  Program program;
  std::size_t regions = 0;
  std::size_t operations = 0;  ///< in their bodies
};

/// `semantics` tells which body is one of the binary operations that a region can name.
Result<OutlinedProgram> outline_regions(const Semantics& semantics, const Program& program, const OutlineQuestion& question = {});

struct InlinedProgram {
  Program program;
  std::size_t regions = 0;
};
/// Every region of that kind, nested ones too. Of a region that its page refuses the error has the page's label. One cast of the same value to the same type
/// serves all that follow.
Result<InlinedProgram> inline_regions(const Program& program, Casts casts = Casts::quant);

bool has_quant_regions(const Program& program);

}  // namespace tiebreak
