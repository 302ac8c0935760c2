// SPDX-License-Identifier: Apache-2.0
// Nothing but its linking: with -ffast-math a library brings start-up code that makes every subnormal of the whole process zero. A test
// loads it into the command, whose fast engine computes in the processor's floats and then disagrees with the exact one.
namespace tiebreak {
extern const int flush_to_zero;
const int flush_to_zero = 1;
}  // namespace tiebreak
