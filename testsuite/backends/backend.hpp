// SPDX-License-Identifier: Apache-2.0
// A backend is a black box: in another process, where `ADAPTER describe` prints JSON and `ADAPTER run REQUEST RESPONSE` answers HDF5 with HDF5, or a record
// of what such a process answered.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

struct BackendDescription {
  std::string name;                              ///< onnxruntime
  std::string version;                           ///< 1.30.0
  std::string profile;                           ///< the profile it declares to follow, or ""
  std::vector<std::string> ops;                  ///< page paths it may execute
  std::map<std::string, std::string> details{};  ///< isa, graph_level, library, threads ...
};

struct BackendOptions {
  double timeout_seconds = 60;           ///< for a batch; an isolated case gets the same
  std::uint64_t memory_limit_mib = 0;    ///< address space of the adapter, 0: none
  std::vector<std::string> arguments{};  ///< passed to the adapter before the verb (`--library PATH`)
  bool isolate = false;                  ///< every case in a process of its own, whatever happened to those before it
  std::function<bool()> interrupted{};   ///< asked while an adapter runs; true kills it and everything it started
};

/// What came back for one case. Never a verdict.
struct BackendAnswer {
  /// not_recorded: of a backend that answers from a record, which has nothing on this request.
  enum class Kind : std::uint8_t { answered, unsupported, not_recorded, inconclusive } kind = Kind::inconclusive;
  std::string reason{};  ///< of all but answered: "crashed with SIGSEGV", "no answer after 10 s", "output y has shape [3], not [4]" ...
  std::vector<ExchangeTensor> outputs{};
};

/// The list of failures that are known of an adapter on this instruction set: PATH.known-ISA.json beside the program, ISA being the first word of
/// the detail `isa`, else PATH.known.json; "" where neither is there.
std::string known_failures_file(const std::string& path, const BackendDescription& description);

class Backend {
 public:
  /// By name (an adapter of this installation), path of an executable, or `recorded:FOLDER`. Errc::unknown_name with the nearest name.
  static Result<std::unique_ptr<Backend>> open(const std::string& name_or_path, const BackendOptions& options);
  /// Names of the adapters found, sorted.
  static std::vector<std::string> available();

  virtual ~Backend() = default;
  virtual Result<BackendDescription> describe() = 0;
  /// One answer a case, in order. A batch that fails as a whole is run again case by case.
  virtual std::vector<BackendAnswer> run(const std::vector<ExchangeCase>& cases) = 0;
  /// The program that answers; "" where there is none.
  virtual std::string path() const { return ""; }
  /// Whether several threads may call run() at the same time.
  virtual bool is_parallel() const { return false; }
};

}  // namespace tiebreak
