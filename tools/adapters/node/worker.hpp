// SPDX-License-Identifier: Apache-2.0
// A node process that stays: libraries that exist only as JavaScript or WebAssembly are loaded once and asked case by case.
#pragma once
#include <map>
#include <span>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak::node {

struct Script {
  std::string backend_text;                 ///< after worker.mjs; ends with `await serve(open)`
  std::string settings;                     ///< JSON text for its `open`
  std::vector<std::string> node_options{};  ///< --experimental-...
};

struct Identity {
  std::string version{};
  std::map<std::string, std::string> details{};
};

/// Starts node at the first need, and again after it ended or was spoiled.
class Worker {
 public:
  explicit Worker(Script script) : script_(std::move(script)) {}
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  Result<Identity> identity();
  /// The model's outputs, and what the script remarked about them. Errc::unsupported where it refuses; Errc::backend where it failed.
  struct Answer {
    std::vector<ExchangeTensor> outputs{};
    std::string remark{};
  };
  Result<Answer> run(std::span<const std::byte> model, const std::vector<ExchangeTensor>& inputs);

 private:
  Status start();
  void stop();
  Status write_all(std::span<const std::byte> bytes);
  Result<std::vector<std::byte>> read_exactly(std::size_t count);
  Result<Answer> read_answer();

  Script script_;
  Identity identity_{};
  bool in_step_ = false;  ///< the last answer was read to its end, and its process can be asked again
  int process_ = -1;
  int to_node_ = -1;
  int from_node_ = -1;
};

/// The first `node` of $PATH; "" if there is none.
std::string find_node();

}  // namespace tiebreak::node
