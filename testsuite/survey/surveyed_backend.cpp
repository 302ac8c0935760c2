// SPDX-License-Identifier: Apache-2.0
#include "testsuite/survey/surveyed_backend.hpp"

namespace tiebreak {

std::string detail_of(const BackendDescription& description, const std::string& name) {
  auto found = description.details.find(name);
  return found == description.details.end() ? "" : found->second;
}

std::string heading_of(const SurveyedBackend& one) {
  std::string text = one.name + " " + one.description.version;
  if (std::string isa = detail_of(one.description, "isa"); !isa.empty()) text += " (" + isa + ")";
  return text + (one.description.profile.empty() ? ", declares no profile" : ", declares " + one.description.profile);
}

std::string markdown_heading_of(const SurveyedBackend& one) {
  std::string text = "Version " + one.description.version;
  if (std::string isa = detail_of(one.description, "isa"); !isa.empty()) text += ", " + isa;
  return text + (one.description.profile.empty() ? ". Declares no profile." : ". Declares `" + one.description.profile + "`.");
}

}  // namespace tiebreak
