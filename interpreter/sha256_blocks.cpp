// SPDX-License-Identifier: Apache-2.0
#include "interpreter/sha256_blocks.hpp"

#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tiebreak {
namespace {

constexpr std::size_t block_size = 64;

/// First 32 bits of the fractions of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void take_block(Sha256State& state, std::span<const std::byte, block_size> block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t byte = 0; byte < 4; ++byte) words[i] = words[i] << 8 | std::to_integer<std::uint32_t>(block[4 * i + byte]);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t choose = (e & f) ^ (~e & g);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choose + round_constants[i] + words[i];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha256State added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

#if defined(__x86_64__)

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned ssse3 = 1U << 9, sse41 = 1U << 19, sha = 1U << 29;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

/// The instructions keep the state in two registers, from the highest lane a, b, e, f and c, d, g, h. Two rounds make the new first of the old second, and the
/// old first is the new second. The words of a block stand in four registers, the oldest of which makes room for the next four words.
__attribute__((target("sha,sse4.1,ssse3"))) void take_blocks_x86(Sha256State& state, std::span<const std::byte> blocks) {
  const auto lane = [](std::uint32_t word) { return static_cast<int>(word); };
  const __m128i big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
  __m128i abef = _mm_set_epi32(lane(state[0]), lane(state[1]), lane(state[4]), lane(state[5]));
  __m128i cdgh = _mm_set_epi32(lane(state[2]), lane(state[3]), lane(state[6]), lane(state[7]));
  for (; !blocks.empty(); blocks = blocks.subspan(block_size)) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i words[4];
    for (std::size_t i = 0; i < 4; ++i) words[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks.data() + 16 * i)), big_endian);
    for (std::size_t i = 0; i < 16; ++i) {
      __m128i& own = words[i % 4];
      if (i >= 4) {
        const __m128i &next = words[(i + 1) % 4], &last_but_one = words[(i + 2) % 4], &last = words[(i + 3) % 4];
        own = _mm_add_epi32(_mm_sha256msg1_epu32(own, next), _mm_alignr_epi8(last, last_but_one, 4));
        own = _mm_sha256msg2_epu32(own, last);
      }
      const __m128i added = _mm_add_epi32(own, _mm_loadu_si128(reinterpret_cast<const __m128i*>(round_constants.data() + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0b1110));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  std::uint32_t first[4], second[4];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(first), abef);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(second), cdgh);
  state = {first[3], first[2], second[3], second[2], first[1], first[0], second[1], second[0]};
}

#endif

}  // namespace

void take_sha256_blocks_plainly(Sha256State& state, std::span<const std::byte> blocks) {
  for (; !blocks.empty(); blocks = blocks.subspan(block_size)) take_block(state, blocks.first<block_size>());
}

bool take_sha256_blocks_by_instructions(Sha256State& state, std::span<const std::byte> blocks) {
#if defined(__x86_64__)
  static const bool has = has_instructions();
  if (has) take_blocks_x86(state, blocks);
  return has;
#else
  static_cast<void>(state);
  static_cast<void>(blocks);
  return false;
#endif
}

void take_sha256_blocks(Sha256State& state, std::span<const std::byte> blocks) {
  if (!take_sha256_blocks_by_instructions(state, blocks)) take_sha256_blocks_plainly(state, blocks);
}

}  // namespace tiebreak
