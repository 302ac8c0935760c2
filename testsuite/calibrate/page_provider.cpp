// SPDX-License-Identifier: Apache-2.0
// A page as a provider: its operands are statistics, by their names; its results a range, or a scale and a zero point.
#include <fmt/format.h>

#include <algorithm>

#include "testsuite/calibrate/provider.hpp"

namespace tiebreak {
namespace {

constexpr const char* family = "calibration.";
using Settings = std::vector<std::pair<std::string, std::string>>;

Result<Settings> read_settings(const std::string& word) {
  Settings settings;
  std::size_t from = word.find(':');
  while (from != std::string::npos && from < word.size()) {
    const std::size_t to = std::min(word.find(',', from + 1), word.size()), equals = word.find('=', from + 1);
    if (equals == std::string::npos || equals >= to)
      return fail(Errc::usage, "'" + word.substr(from + 1, to - from - 1) + "' has no NAME=", "--provider " + word, "--provider percentile:share=0.999");
    settings.emplace_back(word.substr(from + 1, equals - from - 1), word.substr(equals + 1, to - equals - 1));
    from = to == word.size() ? std::string::npos : to;
  }
  return settings;
}

bool declares(const std::vector<notation::Operand>& names, const std::string& name) {
  return std::ranges::any_of(names, [&](const notation::Operand& one) { return one.name == name; });
}

Result<AttributeMap> attributes_of(const notation::Op& op, const Settings& settings, const std::string& word) {
  AttributeMap attributes;
  for (const auto& [name, text] : settings) {
    std::vector<std::string> known;
    for (const notation::Operand& attribute : op.attributes) known.push_back(attribute.name);
    if (!declares(op.attributes, name)) {
      const std::string near = nearest(name, known);
      return fail(Errc::unknown_name, op.path + " has no attribute '" + name + "'", "--provider " + word, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    Result<Real> number = Real::parse(text);
    attributes[name] = number ? Attribute{*number} : Attribute{text};
  }
  return attributes;
}

/// How many bins the histogram has: the page's attribute of that name.
Result<std::int64_t> bins_of(const notation::Op& op, const AttributeMap& attributes) {
  std::optional<Real> bins;
  for (const notation::Operand& attribute : op.attributes)
    if (attribute.name == "bins" && attribute.default_value) bins = attribute.default_value->value;
  if (const auto given = attributes.find("bins"); given != attributes.end() && std::holds_alternative<Real>(given->second.value))
    bins = std::get<Real>(given->second.value);
  const auto count = bins ? bins->to_int64() : std::optional<std::int64_t>(1);
  if (!count || *count < 1 || *count > (1 << 24)) return fail(Errc::usage, op.path + ": a histogram has 1 to 2^24 bins", op.path);
  return *count;
}

Result<Real> number_of(const std::vector<ResultTensor>& results, const std::string& name, const std::string& where) {
  for (const ResultTensor& result : results) {
    if (result.name != name) continue;
    if (result.tensor.size() != 1) return fail(Errc::type, name + " has shape " + to_text(result.tensor.shape()) + ", expected one value", where);
    if (result.is_undefined(0)) return fail(Errc::type, name + " is undefined", where);
    return result.tensor.value(0);
  }
  return fail(Errc::internal, "no result " + name, where);
}

Result<Provided> evaluate_provider(const Semantics& semantics, const notation::Op& op, AttributeMap attributes, const Samples& samples,
                                   const CodeFormat& format) {
  const std::string where = op.path + ": tensor " + samples.tensor;
  TIEBREAK_TRY(bins, bins_of(op, attributes));
  if (declares(op.attributes, "storage")) attributes["storage"] = Attribute{format.storage};
  if (declares(op.attributes, "narrow")) attributes["narrow"] = Attribute{Real(format.narrow ? 1 : 0)};
  OpCall call{.op = op.path, .attributes = std::move(attributes), .where = where};
  for (const notation::Operand& operand : op.operands) {
    auto values = statistic(samples, operand.name, bins);
    if (!values) {
      const std::string near = nearest(operand.name, statistic_names());
      return fail(Errc::unknown_name, "no statistic '" + operand.name + "'", op.path, near.empty() ? "" : "did you mean '" + near + "'?");
    }
    TIEBREAK_TRY(tensor, std::move(*values));
    call.operands.emplace_back(std::move(tensor));
  }
  TIEBREAK_TRY(results, evaluate(semantics, call));
  const bool gives_range = declares(op.results, "low");
  TIEBREAK_TRY(first, number_of(results, gives_range ? "low" : "scale", where));
  TIEBREAK_TRY(second, number_of(results, gives_range ? "high" : "zero_point", where));
  return gives_range ? Provided{.range = {{first, second}}} : Provided{.parameters = {{first, second}}};
}

Result<Provider> page_provider(const Semantics& semantics, const notation::Op& op, const std::string& word, const Settings& settings) {
  if (!(declares(op.results, "low") && declares(op.results, "high")) && !(declares(op.results, "scale") && declares(op.results, "zero_point")))
    return fail(Errc::type, op.path + " gives neither low and high nor scale and zero_point", "--provider " + word);
  TIEBREAK_TRY(attributes, attributes_of(op, settings, word));
  const notation::Op* kept = &op;  // the library and the profile outlive the provider
  return Provider{word, [semantics, kept, attributes](const Samples& samples, const CodeFormat& format) {
                    return evaluate_provider(semantics, *kept, attributes, samples, format);
                  }};
}

Result<Provider> algorithm_provider(const Algorithm& algorithm, const std::string& word, const Settings& settings) {
  std::vector<double> numbers;
  std::vector<std::string> known;
  for (const auto& [name, value] : algorithm.settings) {
    known.emplace_back(name);
    numbers.push_back(Real::parse(value)->to_double());
  }
  for (const auto& [name, text] : settings) {
    const auto at = std::ranges::find(known, name);
    if (at == known.end()) return fail(Errc::unknown_name, std::string(algorithm.name) + " has no setting '" + name + "'", "--provider " + word);
    Result<Real> number = Real::parse(text);
    if (!number || !number->is_finite() || *number < Real(1)) return fail(Errc::usage, "'" + text + "' is no number from 1 up", "--provider " + word);
    numbers[static_cast<std::size_t>(at - known.begin())] = number->to_double();
  }
  return Provider{word, [&algorithm, numbers](const Samples& samples, const CodeFormat& format) -> Result<Provided> {
                    return algorithm.provide(samples, format, numbers);
                  }};
}

}  // namespace

std::vector<std::string> provider_names(const Library& library) {
  std::vector<std::string> names;
  for (const std::string& path : library.op_paths())
    if (path.starts_with(family)) names.push_back(path.substr(std::string(family).size()));
  for (const Algorithm& algorithm : algorithms()) names.emplace_back(algorithm.name);
  std::ranges::sort(names);
  return names;
}

Result<Provider> find_provider(const Semantics& semantics, const std::string& word, const ProviderOptions& options) {
  if (word.find('/') != std::string::npos) {
    return Provider{word, [semantics, word, options](const Samples& samples, const CodeFormat& format) {
                      return ask_program(word, samples, format, semantics.library.stop(), options.timeout_seconds);
                    }};
  }
  const std::string name = word.substr(0, word.find(':'));
  TIEBREAK_TRY(settings, read_settings(word));
  for (const Algorithm& algorithm : algorithms())
    if (name == algorithm.name) return algorithm_provider(algorithm, word, settings);
  if (const auto place = semantics.library.op_place(family + name)) return page_provider(semantics, *place->op, word, settings);
  const std::string near = nearest(name, provider_names(semantics.library));
  return fail(Errc::unknown_name, "no provider '" + name + "'", "--provider",
              near.empty() ? "a page of spec/calibration, or the path of a program" : "did you mean '" + near + "'?");
}

}  // namespace tiebreak
