// SPDX-License-Identifier: Apache-2.0
// The causes of a run for people: what stands in several ops in the same words is one defect, and stands first.
#pragma once
#include "testsuite/check/check.hpp"

namespace tiebreak {

/// Causes that say the same of different ops.
struct CauseGroup {
  std::string words;
  struct Part {
    const CommonCause* cause;
    std::vector<const CaseReport*> cases;  ///< those that fail, and are not expected to
  };
  std::vector<Part> parts{};
  std::size_t cases() const;
};
/// What explains the most cases first. Causes of which every case is expected to fail are left out.
std::vector<CauseGroup> cause_groups(const CheckReport& report);
/// Failing cases that are in no group, by the word of their own diagnosis: `not explained`, or what a report without common causes says of
/// each.
struct OtherCases {
  std::string word;
  std::vector<const CaseReport*> cases{};
};
std::vector<OtherCases> other_cases(const CheckReport& report);

/// `onnx.QuantizeLinear: all 12 failing cases; 31 conforming cases agree`.
std::string part_text(const CheckReport& report, const CauseGroup::Part& part);
/// The other readings of a part, as `tie=up`; "" where there is none.
std::string other_readings(const CommonCause& cause);

/// The block above the cases; "" where nothing was diagnosed.
std::string causes_text(const CheckReport& report);

/// Causes of shards as causes of the whole. Those of an op that one report alone has stay as they are; of each other op those with a reading in common
/// are one, by the readings that they share. The cases' own diagnoses follow. Shards whose causes have no reading in common keep theirs.
std::vector<CommonCause> merged_causes(const std::vector<const CheckReport*>& reports, std::vector<CaseReport>& cases);

}  // namespace tiebreak
