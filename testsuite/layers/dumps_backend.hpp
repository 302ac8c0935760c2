// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "testsuite/backends/backend.hpp"

namespace tiebreak {

/// Stands where a backend is named in a run over dumps: it has a name for the report, and answers nothing that was not dumped.
class DumpsBackend : public Backend {
 public:
  explicit DumpsBackend(std::string path) : path_(std::move(path)) {}
  Result<BackendDescription> describe() override {
    return BackendDescription{.name = "dumps", .version = "", .profile = "", .ops = {}, .details = {{"dumps", path_}}};
  }
  std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) override {
    BackendAnswer nothing;
    nothing.kind = BackendAnswer::Kind::unsupported;
    nothing.reason = "a folder of dumps answers no further question";
    return std::vector<BackendAnswer>(cases.size(), nothing);
  }

 private:
  std::string path_;
};

}  // namespace tiebreak
