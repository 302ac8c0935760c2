// SPDX-License-Identifier: Apache-2.0
// The adapter side of the protocol (docs/adding-a-backend.md): read the request, answer case by case, write the response.
#include "tools/adapters/common/adapter.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>
#include <span>
#include <sstream>

#include "testsuite/backends/description.hpp"

namespace tiebreak {
namespace {

constexpr int exit_success = 0;
constexpr int exit_failure = 1;
constexpr int exit_usage = 2;
constexpr int exit_absent = 69;

struct CommandLine {
  AdapterArguments arguments;
  std::vector<std::string> words;  ///< the verb and its operands
};

void print_usage(const std::string& program, const std::vector<AdapterOption>& options) {
  fmt::print(stderr, "usage: {} [--option value]... describe | run REQUEST RESPONSE\n", program);
  for (const AdapterOption& option : options) {
    fmt::print(stderr, "  {} {}", option.name, option.help);
    if (!option.default_value.empty()) fmt::print(stderr, " (default {})", option.default_value);
    fmt::print(stderr, "\n");
  }
}

Result<CommandLine> read_command_line(std::span<char*> words, const std::vector<AdapterOption>& options) {
  CommandLine line;
  std::vector<std::string> names;
  for (const AdapterOption& option : options) {
    line.arguments[option.name] = option.default_value;
    names.push_back(option.name);
  }
  std::size_t next = 0;
  for (; next < words.size() && std::string(words[next]).starts_with("--"); next += 2) {
    const std::string name = words[next];
    if (!line.arguments.contains(name)) {
      const std::string near = nearest(name, names);
      return fail(Errc::usage, "unknown option '" + name + "'", {}, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    if (next + 1 == words.size()) return fail(Errc::usage, "option '" + name + "' wants a value");
    line.arguments[name] = words[next + 1];
  }
  line.words.assign(words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
  const bool is_describe = line.words.size() == 1 && line.words[0] == "describe";
  const bool is_run = line.words.size() == 3 && line.words[0] == "run";
  if (!is_describe && !is_run) return fail(Errc::usage, "expected 'describe' or 'run REQUEST RESPONSE'");
  return line;
}

AdapterAnswer run_guarded(Adapter& adapter, const ExchangeCase& request) {
  try {
    return adapter.run(request);
  } catch (const std::bad_alloc&) {
    return AdapterAnswer::error("out of memory");
  } catch (const std::exception& exception) {
    return AdapterAnswer::error(exception.what());
  }
}

const char* status_word(AdapterAnswer::Kind kind) {
  switch (kind) {
    case AdapterAnswer::Kind::ok: return "ok";
    case AdapterAnswer::Kind::unsupported: return "unsupported";
    case AdapterAnswer::Kind::error: break;
  }
  return "error";
}

Status answer(Adapter& adapter, const std::string& request_path, const std::string& response_path) {
  TIEBREAK_TRY(request, read_exchange(request_path));
  if (request.kind != "request") return fail(Errc::corrupt, "not a request but a " + request.kind, request_path);
  ExchangeFile response;
  response.kind = "response";
  for (const ExchangeCase& asked : request.cases) {
    AdapterAnswer answer = run_guarded(adapter, asked);
    ExchangeCase answered;
    answered.id = asked.id;
    answered.status = status_word(answer.kind);
    answered.reason = std::move(answer.reason);
    answered.outputs = std::move(answer.outputs);
    response.cases.push_back(std::move(answered));
  }
  return write_exchange(response, response_path, Durability::at_hand);
}

Status serve(const CommandLine& line, const AdapterFactory& make) {
  TIEBREAK_TRY(adapter, make(line.arguments));
  if (line.words[0] == "run") return answer(*adapter, line.words[1], line.words[2]);
  TIEBREAK_TRY(description, adapter->describe());
  fmt::print("{}", description_text(description));
  if (std::fflush(stdout) != 0) return fail(Errc::io, "cannot write the description", "stdout");
  return {};
}

}  // namespace

AdapterAnswer AdapterAnswer::from(const Error& error) {
  const std::string reason = error.where.empty() ? error.what : error.what + " (" + error.where + ")";
  const bool is_unsupported = error.code == Errc::unsupported || error.code == Errc::unknown_name;
  return is_unsupported ? unsupported(reason) : AdapterAnswer::error(reason);
}

int adapter_main(int argc, char** argv, const std::vector<AdapterOption>& options, const AdapterFactory& make) {
  const std::string program = argc > 0 ? argv[0] : "adapter";
  const auto words = std::span<char*>(argv, static_cast<std::size_t>(argc)).subspan(argc > 0 ? 1 : 0);
  const Result<CommandLine> line = read_command_line(words, options);
  if (!line) {
    fmt::print(stderr, "{}: {}\n", program, to_text(line.error()));
    print_usage(program, options);
    return exit_usage;
  }
  try {
    const Status served = serve(*line, make);
    if (served) return exit_success;
    fmt::print(stderr, "{}: {}\n", program, to_text(served.error()));
  } catch (const std::exception& exception) {
    fmt::print(stderr, "{}: {}\n", program, exception.what());
  }
  return exit_failure;
}

int adapter_main(int argc, char** argv, const std::vector<AdapterOption>& options, const AdapterSearch& make) {
  bool absent = false;
  const int code = adapter_main(argc, argv, options, AdapterFactory([&](const AdapterArguments& arguments) { return make(arguments, absent); }));
  return absent && code == exit_failure ? exit_absent : code;
}

Result<std::map<std::string, std::string>> key_values(const std::string& option, const std::string& text) {
  std::map<std::string, std::string> entries;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto equals = part.find('=');
    if (equals == std::string::npos || equals == 0) return fail(Errc::usage, option + " wants key=value[,key=value]...", part);
    entries[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return entries;
}

}  // namespace tiebreak
