// SPDX-License-Identifier: Apache-2.0
// Who chooses the parameters of a tensor from its samples: a page of the family `calibration`, an algorithm that no formula says, or a program of the
// user's.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "testsuite/calibrate/samples.hpp"
#include "testsuite/calibrate/type_of_ranges.hpp"

namespace tiebreak {

struct Provider {
  std::string name;  ///< percentile:share=0.999
  std::function<Result<Provided>(const Samples&, const CodeFormat&)> ask{};
};

struct ProviderOptions {
  double timeout_seconds = 60;  ///< of a user's program, for one tensor
};

/// `word`: the name of a page, `min_max` for calibration.min_max, or of an algorithm, with attributes behind a colon: `percentile:share=0.999`. A word
/// with a slash is the path of a program. Library and profile must outlive the provider.
Result<Provider> find_provider(const Semantics& semantics, const std::string& word, const ProviderOptions& options);
std::vector<std::string> provider_names(const Library& library);

/// A provider that no page can state: `settings` are what stood behind the colon.
struct Algorithm {
  const char* name;
  std::vector<std::pair<const char*, const char*>> settings;  ///< name and default
  Result<Provided> (*provide)(const Samples& samples, const CodeFormat& format, const std::vector<double>& settings);
};
const std::vector<Algorithm>& algorithms();

/// Runs a program of the user's for one tensor: samples as JSON on its standard input, its answer as JSON on its standard output.
Result<Provided> ask_program(const std::string& path, const Samples& samples, const CodeFormat& format, const Stop& stop, double timeout_seconds);
/// `tiebreak.samples/1`, what such a program reads.
std::string samples_json(const Samples& samples, const CodeFormat& format);
/// Its answer: low and high, or scale and zero_point. `where` names provider and tensor.
Result<Provided> read_answer(const std::string& text, const std::string& where);

}  // namespace tiebreak
