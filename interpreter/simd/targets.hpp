// SPDX-License-Identifier: Apache-2.0
// For which instruction sets kernels are compiled: the same for each file, since a test chooses one set for all. Stands before Highway's headers.
#pragma once

#define HWY_WANT_AVX3_DL                                                        // with VNNI
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)  // vectors without a fixed length: no arrays of them
