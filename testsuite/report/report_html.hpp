// SPDX-License-Identifier: Apache-2.0
// The parts of the page that have files of their own.
#pragma once
#include <set>
#include <string>

#include "testsuite/report/report.hpp"

namespace tiebreak {

/// A failing case, folded up or not; `anchor` is the name by which the page links to it.
std::string html_case(const CaseReport& test, const std::string& policy, const std::string& anchor, bool open);
std::string html_anchor(std::size_t case_index);
/// op x type with counts; cells link to the first failing case where it is among `shown`.
std::string html_heat_map(const CheckReport& report, const std::set<std::size_t>& shown);
/// A command to copy.
std::string html_command(const std::string& label, const std::string& command);

}  // namespace tiebreak
