// SPDX-License-Identifier: Apache-2.0
// What every adapter program shares: `ADAPTER [--option value]... describe | run REQUEST RESPONSE`. An adapter says what it is and
// answers one case; reading the request, catching what goes wrong in a case and writing the response happen here.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/backends/backend.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

/// One `--name value` pair that stands before the verb.
struct AdapterOption {
  std::string name;  ///< "--library"
  std::string help;  ///< one line, for the usage text
  std::string default_value{};
};

/// Every declared option has a value here, the default where the command line is silent.
using AdapterArguments = std::map<std::string, std::string>;

/// What an adapter says about one case.
struct AdapterAnswer {
  enum class Kind : std::uint8_t { ok, unsupported, error } kind = Kind::error;
  std::string reason{};
  std::vector<ExchangeTensor> outputs{};

  static AdapterAnswer ok(std::vector<ExchangeTensor> outputs) { return {Kind::ok, {}, std::move(outputs)}; }
  static AdapterAnswer unsupported(std::string reason) { return {Kind::unsupported, std::move(reason), {}}; }
  static AdapterAnswer error(std::string reason) { return {Kind::error, std::move(reason), {}}; }
  /// Errc::unsupported and Errc::unknown_name become `unsupported`, everything else `error`.
  static AdapterAnswer from(const Error& error);
  static AdapterAnswer of(Result<std::vector<ExchangeTensor>> outputs) { return outputs ? ok(std::move(*outputs)) : from(outputs.error()); }
};

/// An adapter is a class with two functions. Made once a process, after the options are read.
class Adapter {
 public:
  virtual ~Adapter() = default;
  virtual Result<BackendDescription> describe() = 0;
  /// The inputs carry data; outputs carry name, type and shape only, and the answer has one tensor for each. May throw: a std::exception
  /// becomes `error` with its text.
  virtual AdapterAnswer run(const ExchangeCase& request) = 0;
};

using AdapterFactory = std::function<Result<std::unique_ptr<Adapter>>(const AdapterArguments&)>;

/// The whole of an adapter's main(). Exit code 0: described or answered; 1: could not (message on stderr); 2: usage.
int adapter_main(int argc, char** argv, const std::vector<AdapterOption>& options, const AdapterFactory& make);

/// Of an adapter whose library is looked for when it runs: `make` says where it is not there, and the exit code is then 69 (EX_UNAVAILABLE), not 1.
using AdapterSearch = std::function<Result<std::unique_ptr<Adapter>>(const AdapterArguments&, bool& absent)>;
int adapter_main(int argc, char** argv, const std::vector<AdapterOption>& options, const AdapterSearch& make);

/// `key=value,key=value`, as an option is written; "" has no entries.
Result<std::map<std::string, std::string>> key_values(const std::string& option, const std::string& text);

}  // namespace tiebreak
