// SPDX-License-Identifier: Apache-2.0
// Members of a ZIP archive, as far as NumPy's .npz needs them: stored or deflated, without encryption.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"

namespace tiebreak {

struct ZipMember {
  std::string name;
  std::vector<std::byte> bytes;
};

/// In the order of the archive's directory. Errc::corrupt: no archive, cut off, a checksum or size that does not hold; Errc::unsupported: another way of
/// compression, encrypted, of 4 GiB and more; Errc::limit: more than 2 GiB in all.
Result<std::vector<ZipMember>> read_zip(std::span<const std::byte> bytes, const std::string& where);

}  // namespace tiebreak
