// SPDX-License-Identifier: Apache-2.0
// What the table, the comment and the page say alike: rows, and sentences above them.
#pragma once
#include "testsuite/statistics/statistics.hpp"

namespace tiebreak {

const std::vector<std::string>& node_headings();
std::vector<std::string> node_row(const StatisticsReport& report, const NodeStatistics& node);
const std::vector<std::string>& growth_headings();
std::vector<std::string> growth_row(const StatisticsReport& report, const GrowthLine& line);
/// For each form: the first node that leaves the reference, and the one with the lowest ratio.
std::vector<std::string> statistics_sentences(const StatisticsReport& report);

}  // namespace tiebreak
