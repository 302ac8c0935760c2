// SPDX-License-Identifier: Apache-2.0
// What a backend takes, found by asking: for each op that it lists the element types, the granularity of parameters and the ranks, and what it
// refuses in its own words. Whether an answer is right does not matter here.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testsuite/case/case_form.hpp"
#include "testsuite/sources/selection.hpp"
#include "testsuite/survey/surveyed_backend.hpp"

namespace tiebreak {

/// Cases of one form and what became of those that were asked.
struct FormCapability {
  CaseForm form;
  std::size_t taken = 0, refused = 0, silent = 0;  ///< silent: a crash, a hang, an answer that cannot be read
  std::string refusal{}, silence{};                ///< the first reason of each
};

struct OpCapability {
  std::string op;
  bool listed = true;                   ///< by its name, not by a glob
  std::vector<FormCapability> forms{};  ///< by types, granularity, parameters, rank
  bool is_taken() const;
};

struct BackendCapabilities {
  SurveyedBackend backend;
  std::vector<OpCapability> ops{};           ///< sorted; each has forms
  std::vector<std::string> without_cases{};  ///< listed by name; nothing of them could be asked
};

struct Capabilities {
  std::map<std::string, std::string> context{};  ///< tool, spec, command, most
  std::vector<BackendCapabilities> backends{};
  bool incomplete = false;
  /// No backend that can be asked lists an op of which a case is selected.
  bool is_empty() const;
  /// 5 if a backend, a form, or all forms of an op that one lists by name gave no answer, or nothing but refusals; else 0.
  int exit_code() const;
};

struct CapabilityOptions {
  Selection selection{};  ///< without sources: the cases of this installation, those in the backend's own forms, deep ones of ops without others
  std::size_t most = 2;   ///< cases of a form that are asked; where none of them is taken, up to four times as many further ones
  std::function<void(std::size_t done, std::size_t total)> progress{};  ///< cases of the backend that is asked
  std::function<bool()> interrupted{};
};

/// The profile that a backend declares says what shapes and types results have.
Result<Capabilities> capabilities(const Library& library, std::vector<SurveyedBackend> backends, const CapabilityOptions& options);

std::string capabilities_text(const Capabilities& found);
std::string capabilities_json(const Capabilities& found);      ///< tiebreak.capabilities/1
std::string capabilities_markdown(const Capabilities& found);  ///< the same answers give the same bytes

}  // namespace tiebreak
