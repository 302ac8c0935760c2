// SPDX-License-Identifier: Apache-2.0
// Semantics that explain a log, compared at the log's own parameters: over every input where the result is a function of one number, over
// all pairs of narrow codes, else over inputs that are drawn.
#pragma once
#include <string>
#include <vector>

#include "testsuite/candidates/candidates.hpp"
#include "testsuite/identify/observed_log.hpp"

namespace tiebreak {

/// How a candidate stands to the first at these parameters.
enum class OwnStand : std::uint8_t {
  equal,    ///< on every input that the log's types and ranges allow
  alike,    ///< on all that were tried, which are not all
  apart,    ///< some input gives two different results
  unknown,  ///< nothing could be compared
};

struct OwnRelations {
  std::vector<OwnStand> stands{};       ///< the first candidate's own is `equal`
  std::vector<std::string> texts{};     ///< `equal on all 4294967296 values of acc at these 2 parameter sets`; "" of the first
  std::vector<std::string> deciding{};  ///< inputs that tell some of them apart, with what each gives: `acc=585 y_scale=12: onnx 49, tflite-builtin 48`
};
OwnRelations compare_at_own_parameters(const Library& library, const ObservedLog& log, const std::vector<Candidate>& candidates);

}  // namespace tiebreak
