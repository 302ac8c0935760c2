// SPDX-License-Identifier: Apache-2.0
// The one HDF5 layout of golden files, backend requests and responses (docs/exchange.md), as plain values.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/tensor/attribute.hpp"

namespace tiebreak {

/// Quantization parameters of a tensor, and where they come from: in words, as parameters.json has them. Of a tensor whose type is quantized the same as
/// the type's, with the clip range that is left; of others what else is known of them.
struct ExchangeParameters {
  std::string tensor;  ///< the number in real space that the codes stand for, by its name
  QuantizedType type;  ///< its storage range is the clip range
  std::string from;    ///< `recovered: y_scale of onnx.QuantizeLinear`, `annotation: min_max`
};
bool same_parameters(const ExchangeParameters& a, const ExchangeParameters& b);
std::string to_text(const ExchangeParameters& parameters);  ///< x: !quant.uniform<i8:f32, 0.1:3> from annotation: min_max

/// One dataset under inputs/ or outputs/ with everything stored about it.
struct ExchangeTensor {
  std::string name;
  Tensor tensor;
  std::vector<std::uint8_t> undefined{};            ///< per element; empty: none
  std::vector<std::pair<double, double>> before{};  ///< exact value before the last rounding, hi + lo; outputs of golden files
  std::vector<double> distance{};                   ///< to the nearest rounding boundary; outputs of golden files
  bool inferred = false;                            ///< read: the file says no element type; taken from the storage (u8 for bytes)
  std::string operand{};                            ///< inputs of requests: the one op's operand, as its page calls it; "" where it is none
  std::optional<ExchangeParameters> parameters{};   ///< where more is known than the type states
};

struct ExchangeCase {
  std::string id;                             ///< op/group/case; '/' separates, each part [A-Za-z0-9_.+-]+
  std::string op;                             ///< onnx.QuantizeLinear; "" for programs of several ops
  AttributeMap attributes{};                  ///< of the one op
  int version = 0;                            ///< opset of the one op
  std::string program;                        ///< MLIR text, generic form (print_mlir)
  std::map<std::string, Tensor> constants{};  ///< those that the program names: dense_resource<NAME>
  std::string profile{};
  std::vector<std::string> clauses{};  ///< choice=alternative bound for it, sorted
  std::vector<ExchangeTensor> inputs{};
  std::vector<ExchangeTensor> outputs{};
  std::string status{};  ///< responses: ok | unsupported | error
  std::string reason{};
};

struct ExchangeFile {
  std::string kind;                              ///< golden | request | response
  std::map<std::string, std::string> context{};  ///< root attributes: tool_version, spec_hash, profile_hash, seed, backend ...
  std::vector<ExchangeCase> cases{};
};

/// When a file counts as written.
enum class Durability : std::uint8_t {
  on_disk,  ///< when it would be there after the machine has lost its power
  at_hand,  ///< when another process can read it
};

/// Deterministic: same value, same bytes. Written to a temporary name beside `path`, then renamed.
Status write_exchange(const ExchangeFile& file, const std::string& path, Durability durability = Durability::on_disk);
/// A file of kind `request` that another process reads at once.
Status write_request(const std::vector<ExchangeCase>& cases, const std::string& path);
/// Checks magic, version, layout, sizes against limits, and the stored checksums of every case.
/// A file without Tiebreak's own CRC table (written by another program, such as an adapter) is read as read_exchange_isolated does.
Result<ExchangeFile> read_exchange(const std::string& path);
/// The same for a file that is not trusted: the HDF5 library, which damaged metadata can crash, runs in a child process.
Result<ExchangeFile> read_exchange_isolated(const std::string& path, double timeout_seconds = 60);

}  // namespace tiebreak
