// SPDX-License-Identifier: Apache-2.0
// A convolution with every convention resolved: which dimension is which, strides, padding, dilation, groups. Conventions differ in how they name all this.
#pragma once
#include <string>
#include <vector>

#include "interpreter/structure/structure.hpp"

namespace tiebreak::structure {

struct ConvolutionLayout {
  const StructureOperand* x;
  const StructureOperand* w;
  std::size_t x_batch, x_feature, w_in, w_out, y_batch, y_feature;
  std::vector<std::size_t> x_spatial, w_spatial, y_spatial;
  Shape strides, low_pads, high_pads, x_dilation, w_dilation, reversed;
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  std::string groups_label, feature_label;  ///< constraint labels of the source
  /// The kernel's places go backwards from the result's: with x dilated by the stride, a transposed convolution. Padding then adds to the result.
  bool backwards = false;
};

/// Operands and dimensions of a call with channels last, whose kernel has the output features first and the input features last.
Result<ConvolutionLayout> features_last(const StructureRequest& request);

/// Cells are batch, places and output features, items are kernel places and input features (fastest).
Result<Geometry> build_convolution(const StructureRequest& request, const ConvolutionLayout& layout);

}  // namespace tiebreak::structure
