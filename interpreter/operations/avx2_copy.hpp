// SPDX-License-Identifier: Apache-2.0
// Loops over integers, and over IEEE 754's operations one by one, have one value in every instruction set: the compiler may make a copy for newer ones and
// choose when the program starts.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TIEBREAK_AVX2_COPY __attribute__((target_clones("avx2", "default")))
#else
#define TIEBREAK_AVX2_COPY
#endif
