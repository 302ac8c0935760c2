// SPDX-License-Identifier: Apache-2.0
// A quantized type without a tensor around it, and numbers, as texts.
#include <algorithm>

#include "interpreter/program/program.hpp"
#include "testsuite/parameters/parameters.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t highest_rank = 16;  // of a tensor in an exchange file
constexpr const char* spelling = "MLIR's spelling: !quant.uniform<i8:f32, 0.1:3>, or !quant.uniform<i8:f32:0, {0.1, 0.2}> along an axis";

/// One type and nothing behind it: what closes the first bracket is the last character.
bool is_one_type(const std::string& text) {
  if (!text.starts_with("!quant.uniform<")) return false;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1 == text.size();
    if (text[i] == '\n' || text[i] == '/') {  // a comment would hide the end, a fraction has digits on both sides
      if (text[i] == '\n' || text.substr(i, 2) == "//" || text.substr(i, 2) == "/*") return false;
    }
  }
  return false;
}

}  // namespace

Result<QuantizedType> parse_quantized_type(const std::string& text, const std::string& where) {
  if (!is_one_type(text)) return fail(Errc::syntax, "'" + text + "' is not a quantized type", where, spelling);
  // The MLIR reader knows the type: it is asked with a tensor whose extents are all open, and whose rank has room for every axis.
  std::string tensor = "tensor<";
  for (std::size_t axis = 0; axis < highest_rank; ++axis) tensor += "?x";
  tensor += text + ">";
  const Result<ParsedMlir> parsed = parse_mlir("func.func @type(%x: " + tensor + ") { return }", where);
  if (!parsed) return fail(parsed.error().code, "'" + text + "' is not a quantized type: " + parsed.error().what, where, spelling);
  const auto quantized = [&]() -> std::optional<QuantizedType> {
    if (parsed->functions.size() != 1 || parsed->functions[0].inputs.size() != 1) return std::nullopt;
    const Program& function = parsed->functions[0];
    const std::optional<TensorType>& type = function.values[static_cast<std::size_t>(function.inputs[0])].type;
    return type ? type->quantized : std::nullopt;
  }();
  if (!quantized) return fail(Errc::syntax, "'" + text + "' is not a quantized type", where, spelling);
  return *quantized;
}

std::string to_text(const QuantizedType& type) { return element_text({type.storage, {}, type}); }

AttributeMap quantize_info_of(const QuantizedType& type, const std::string& from) {
  const bool is_along_axis = type.dimensions.size() == 1 && type.dimensions[0].block == 1;
  if (type.scales.empty() || (!type.is_per_tensor() && !is_along_axis)) return {};
  AttributeList scales, zero_points;
  for (const Scale& scale : type.scales) scales.push_back({scale.value});
  for (const ZeroPoint& zero_point : type.zero_points) zero_points.push_back({zero_point.value});
  AttributeMap info{{"clip_min", {type.storage_min}}, {"clip_max", {type.storage_max}}, {"storage", {type.storage}}, {"from", {from}}};
  info["scale"] = is_along_axis ? Attribute{scales} : scales[0];
  info["zero_point"] = is_along_axis ? Attribute{zero_points} : zero_points[0];
  if (is_along_axis) info["axis"] = {Real(type.dimensions[0].axis)};
  return info;
}

std::string exact_text(const Real& number) {
  std::string decimal = number.to_decimal();
  const Result<Real> again = Real::parse(decimal);
  return again && again->identical(number) ? decimal : number.to_hex_float();
}

}  // namespace tiebreak
