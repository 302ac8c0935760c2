// SPDX-License-Identifier: Apache-2.0
// Golden files: expected outputs computed once, kept, and computed again to see that nothing has moved.
#pragma once
#include <functional>
#include <optional>

#include "testsuite/case/case.hpp"
#include "testsuite/exchange/exchange.hpp"

namespace tiebreak {

struct GoldenOptions {
  std::vector<std::string> profiles{};  ///< empty: the profile of an op's family (onnx.* onnx, stablehlo.* stablehlo-spec)
  int jobs = 1;
  EvaluateOptions evaluate{Engine::fast, true};
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::function<bool()> interrupted{};
};

struct GoldenFile {
  std::string name;  ///< onnx.QuantizeLinear.onnx.h5
  std::string op;
  std::string profile;
  std::string spec_hash;  ///< of what its values depend on: formulas, and choices as the profile takes them
  ExchangeFile content;
};
struct GoldenBuild {
  std::vector<GoldenFile> files{};      ///< sorted by name
  std::vector<std::string> left_out{};  ///< cases without outputs: ill-formed on purpose, or not supported
};
/// Examples of pages that define an op which none of the cases has: with them every op that has an example has a file.
Result<std::vector<Case>> examples_of_other_ops(const Library& library, const std::vector<Case>& cases);
/// Evaluates every case; an evaluation that fails otherwise is an error. The result does not depend on the number of jobs.
Result<GoldenBuild> build_golden(const Library& library, const std::vector<Case>& cases, const GoldenOptions& options);
/// Writes the files and manifest.json into `folder`, which is made if need be. Names of what was written.
Result<std::vector<std::string>> write_golden(const GoldenBuild& build, const std::string& folder);
/// Writes nothing: names of files that differ from what would be written, with what differs.
Result<std::vector<std::string>> check_golden(const GoldenBuild& build, const std::string& folder);

struct GoldenVerdict {
  std::size_t files = 0;
  std::size_t cases = 0;
  std::size_t recomputed = 0;
  std::vector<std::string> findings{};  ///< `file: what`; empty: nothing has moved
  std::vector<Error> unreadable{};
};
/// `path`: one file, or a folder with its manifest.
GoldenVerdict verify_golden(const Library& library, const std::string& path, bool recompute, const GoldenOptions& options);

struct ManifestEntry {
  std::string file, sha256, op, profile, spec_hash;
  std::int64_t cases = 0;
};
struct Manifest {
  std::vector<ManifestEntry> files;
};
std::string manifest_text(const Manifest& manifest);
/// Reads what the version before wrote, too, which had one hash of all pages.
Result<Manifest> read_manifest(const std::string& path);

struct GoldenDifference {
  std::vector<std::string> lines{};  ///< what differs, a line each
  std::size_t cases = 0;             ///< compared
};
GoldenDifference diff_exchange(const ExchangeFile& a, const ExchangeFile& b);
/// Two files, or two folders with a manifest, whose files are compared by name.
Result<GoldenDifference> diff_golden_paths(const std::string& a, const std::string& b);
/// First difference of two outputs, exact values and distances included; "" if none.
std::string output_difference(const ExchangeTensor& a, const ExchangeTensor& b);

}  // namespace tiebreak
