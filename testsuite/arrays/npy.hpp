// SPDX-License-Identifier: Apache-2.0
// NumPy's format of one array (numpy.lib.format, versions 1 to 3).
#pragma once
#include <span>

#include "testsuite/arrays/array_of_file.hpp"

namespace tiebreak {

/// Name and origin are the caller's. Column-major and big-endian arrays come out row-major and little-endian. Errc::corrupt: no such file, or cut off;
/// Errc::unsupported: pickled objects, text, complex numbers, structures.
Result<ArrayOfFile> parse_npy(std::span<const std::byte> bytes, const std::string& where);
/// The file that NumPy writes of this tensor's codes, to the byte. Quantization parameters are not kept.
std::string npy_bytes(const Tensor& tensor);

}  // namespace tiebreak
