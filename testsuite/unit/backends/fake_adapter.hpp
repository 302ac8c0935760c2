// SPDX-License-Identifier: Apache-2.0
// Adapters for tests: shell scripts that answer with files prepared here, or misbehave.
#pragma once
#include <string>
#include <vector>

#include "testsuite/backends/backend.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak::sample {

/// A folder with adapters; its `tmp` is TMPDIR while it exists.
class Adapters {
 public:
  Adapters();
  ~Adapters();
  Adapters(const Adapters&) = delete;
  Adapters& operator=(const Adapters&) = delete;

  /// An executable script. $D is this folder, $REQUEST and $RESPONSE the operands of `run`.
  std::string script(const std::string& name, const std::string& body) const;
  /// Prepares $D/NAME, a response that answers `cases` with `answer(case)`.
  template <class Answer>
  void response(const std::string& name, const std::vector<ExchangeCase>& cases, Answer answer) const {
    ExchangeFile file;
    file.kind = "response";
    for (const ExchangeCase& one : cases) file.cases.push_back(answer(one));
    write(name, file);
  }
  std::string file(const std::string& name) const { return folder_.file(name); }
  std::size_t left_in_tmp() const;

 private:
  void write(const std::string& name, const ExchangeFile& file) const;

  Folder folder_{};
  std::string old_tmpdir_{};
};

/// op/NAME: two elements u8 asked for under the name y.
ExchangeCase asked(const std::string& name);
/// The case's answer: y = 1, 2.
ExchangeCase answered(const ExchangeCase& asked);

std::unique_ptr<Backend> open(const std::string& path, BackendOptions options = {});
/// The words of answers: `answered`, `unsupported: reason`, `inconclusive: reason`.
std::string to_text(const std::vector<BackendAnswer>& answers);

}  // namespace tiebreak::sample
