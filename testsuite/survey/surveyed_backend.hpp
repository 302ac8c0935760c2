// SPDX-License-Identifier: Apache-2.0
// One backend of a survey: what it says of itself, or why it cannot be asked.
#pragma once
#include <memory>
#include <string>

#include "testsuite/backends/backend.hpp"

namespace tiebreak {

/// A backend with its options; nothing to ask where it does not answer `describe`.
struct SurveyedBackend {
  std::string name;  ///< as named by the caller, options included
  std::unique_ptr<Backend> backend{};
  BackendDescription description{};
  std::string trouble{};  ///< why it cannot be asked
};

/// A detail of the description, "" if there is none of that name.
std::string detail_of(const BackendDescription& description, const std::string& name);
/// `onednn 2.6.3 (avx512_core_amx), declares onednn-x64`.
std::string heading_of(const SurveyedBackend& one);
/// `Version 2.6.3, avx512_core_amx. Declares `onednn-x64`.`
std::string markdown_heading_of(const SurveyedBackend& one);

}  // namespace tiebreak
