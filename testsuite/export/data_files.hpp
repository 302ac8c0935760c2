// SPDX-License-Identifier: Apache-2.0
// One tensor as the text of a file.
#pragma once
#include <string>

#include "testsuite/export/exported.hpp"

namespace tiebreak {

/// What comments say: of which case and value the tensor is, its type and shape, its parameters, its notes. Lines without marks.
std::vector<std::string> tensor_lines(const ExportedCase& exported, const ExportedTensor& tensor);

/// For $readmemh: one word a line, row-major, without a comment.
std::string memh_text(const Tensor& tensor);
/// A memory initialization file of Quartus: WIDTH, DEPTH and a word an address; runs of equal words as [first..last].
std::string mif_text(const ExportedCase& exported, const ExportedTensor& tensor);
/// `index0,index1,value,code`: the number exactly, `undefined` where it is not stated, and its bits. Of quantized tensors the number is the stored code.
std::string csv_text(const ExportedTensor& tensor);
/// A header of C99 with the array, its size and extents, its scale and zero point where it has one of each.
std::string c_header_text(const ExportedCase& exported, const ExportedTensor& tensor);

}  // namespace tiebreak
