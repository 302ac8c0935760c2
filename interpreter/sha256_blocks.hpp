// SPDX-License-Identifier: Apache-2.0
// What SHA-256 does with blocks of 64 bytes: in C++, and by a processor's own instructions where it has them, which is some eight times as fast.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tiebreak {

using Sha256State = std::array<std::uint32_t, 8>;

/// Takes whole blocks: their number of bytes is a multiple of 64.
void take_sha256_blocks(Sha256State& state, std::span<const std::byte> blocks);
/// The same in C++ alone.
void take_sha256_blocks_plainly(Sha256State& state, std::span<const std::byte> blocks);
/// By x86's instructions for SHA; false, and nothing done, on a processor without them.
bool take_sha256_blocks_by_instructions(Sha256State& state, std::span<const std::byte> blocks);

}  // namespace tiebreak
