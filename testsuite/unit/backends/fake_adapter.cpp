// SPDX-License-Identifier: Apache-2.0
// TMPDIR is set for the life of a folder, so that a test sees what the client leaves behind.
#include "testsuite/unit/backends/fake_adapter.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace tiebreak::sample {

namespace fs = std::filesystem;

Adapters::Adapters() {
  if (const char* old = std::getenv("TMPDIR")) old_tmpdir_ = old;
  fs::create_directory(file("tmp"));
  ::setenv("TMPDIR", file("tmp").c_str(), 1);
}

Adapters::~Adapters() {
  if (old_tmpdir_.empty()) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", old_tmpdir_.c_str(), 1);
  }
}

std::string Adapters::script(const std::string& name, const std::string& body) const {
  const std::string path = file(name);
  write_text(path, "#!/bin/sh\nD=" + folder_.path().string() + "\nVERB=$1; REQUEST=$2; RESPONSE=$3\n" + body + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

void Adapters::write(const std::string& name, const ExchangeFile& content) const {
  const Status status = write_exchange(content, file(name));
  EXPECT_TRUE(status) << tiebreak::to_text(status.error());
}

std::size_t Adapters::left_in_tmp() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(file("tmp")), fs::directory_iterator())); }

ExchangeCase asked(const std::string& name) { return quantize_case("op/" + name, {0.5F, 1.5F}, 1, 0); }

ExchangeCase answered(const ExchangeCase& asked) {
  ExchangeCase answer;
  answer.id = asked.id;
  answer.status = "ok";
  answer.outputs = {named("y", bytes("u8", {1, 2}, {2}))};
  return answer;
}

std::unique_ptr<Backend> open(const std::string& path, BackendOptions options) {
  auto backend = Backend::open(path, options);
  EXPECT_TRUE(backend) << tiebreak::to_text(backend.error());
  return backend ? std::move(*backend) : nullptr;
}

std::string to_text(const std::vector<BackendAnswer>& answers) {
  std::string text;
  for (const BackendAnswer& answer : answers) {
    if (!text.empty()) text += "\n";
    switch (answer.kind) {
      case BackendAnswer::Kind::answered: text += "answered"; break;
      case BackendAnswer::Kind::unsupported: text += "unsupported: " + answer.reason; break;
      case BackendAnswer::Kind::not_recorded: text += "not recorded: " + answer.reason; break;
      case BackendAnswer::Kind::inconclusive: text += "inconclusive: " + answer.reason; break;
    }
    EXPECT_EQ(answer.kind == BackendAnswer::Kind::answered, !answer.outputs.empty());
  }
  return text;
}

}  // namespace tiebreak::sample
