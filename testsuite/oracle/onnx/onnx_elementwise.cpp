// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/onnx/onnx_elementwise.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "testsuite/oracle/long_double.hpp"

namespace tiebreak::oracle::onnx {
namespace {

/// The low eight bits, as the machine has them.
std::int64_t byte_of(std::uint32_t bits, bool is_signed) {
  return is_signed ? static_cast<std::int8_t>(bits & 0xFFU) : static_cast<std::int64_t>(bits & 0xFFU);
}

Long sum_of_terms(const std::vector<float>& line, Long (*term)(Long)) {
  Long sum = 0;
  for (float v : line) sum += term(static_cast<Long>(v));
  return sum;
}

}  // namespace

std::optional<std::int64_t> of_bytes(const std::string& op, std::int64_t a, std::int64_t b, bool is_signed) {
  const auto left = static_cast<std::uint32_t>(a), right = static_cast<std::uint32_t>(b);
  if (op == "Add") return byte_of(left + right, is_signed);
  if (op == "Sub") return byte_of(left - right, is_signed);
  if (op == "Mul") return byte_of(left * right, is_signed);
  if (op == "BitwiseAnd") return byte_of(left & right, is_signed);
  if (op == "BitwiseOr") return byte_of(left | right, is_signed);
  if (op == "BitwiseXor") return byte_of(left ^ right, is_signed);
  if (b == 0) return std::nullopt;
  if (op == "Div") return byte_of(static_cast<std::uint32_t>(a / b), is_signed);
  const std::int64_t rest = a % b;  // with the sign of a; Mod has that of b
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

bool compares(const std::string& op, float a, float b) {
  if (op == "Equal") return a == b;
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  if (op == "Greater") return a > b;
  return a >= b;
}

bool joins(const std::string& op, bool a, bool b) { return op == "And" ? a && b : op == "Or" ? a || b : a != b; }

float of_floats(const std::string& op, float a, float b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return a / b;
  if (op == "Mod") return std::fmod(a, b);
  return a < 0 ? a * b : a;  // PRelu
}

float unary_of(const std::string& op, float x, float alpha) {
  using Function = Long (*)(Long, Long);
  static const std::map<std::string, Function> functions{
      {"Log", [](Long v, Long) { return std::log(v); }},
      {"Cos", [](Long v, Long) { return std::cos(v); }},
      {"Sin", [](Long v, Long) { return std::sin(v); }},
      {"Tan", [](Long v, Long) { return std::tan(v); }},
      {"Elu", [](Long v, Long a) { return v < 0 ? a * std::expm1(v) : v; }},
      {"Celu", [](Long v, Long a) { return v > 0 ? v : a * std::expm1(v / a); }},
      {"Selu", [](Long v, Long) { return v > 0 ? 1.05070102214813232421875L * v : 1.05070102214813232421875L * (1.67326319217681884765625L * std::expm1(v)); }},
      {"Mish", [](Long v, Long) { return v * std::tanh(std::log1p(std::exp(v))); }},
      {"Softplus", [](Long v, Long) { return v > 0 ? v + std::log1p(std::exp(-v)) : std::log1p(std::exp(v)); }},
      {"Swish", [](Long v, Long a) { return v / (1 + std::exp(-a * v)); }},
  };
  if (const auto found = functions.find(op); found != functions.end()) return rounded_once(found->second(static_cast<Long>(x), static_cast<Long>(alpha)));
  if (op == "Abs") return std::fabs(x);
  if (op == "Neg") return -x;
  if (op == "Ceil") return std::ceil(x);
  if (op == "Floor") return std::floor(x);
  if (op == "Round") return std::nearbyint(x);  // the rounding mode of every process that did not change it: to even
  if (op == "Sign") return static_cast<float>((x > 0) - (x < 0));
  if (op == "ThresholdedRelu") return x > alpha ? x : 0.0F;
  return rounded_once(static_cast<Long>(x) / (1 + std::fabs(static_cast<Long>(x))));  // Softsign
}

float reduced(const std::string& op, const std::vector<float>& line) {
  const auto plain = [](Long v) { return v; };
  const auto square = [](Long v) { return v * v; };
  if (op == "ReduceSum") return rounded_once(sum_of_terms(line, plain));
  if (op == "ReduceMean") return rounded_once(sum_of_terms(line, plain) / static_cast<Long>(line.size()));
  if (op == "ReduceL1") return rounded_once(sum_of_terms(line, [](Long v) { return std::fabs(v); }));
  if (op == "ReduceL2") return rounded_once(std::sqrt(sum_of_terms(line, square)));
  if (op == "ReduceSumSquare") return rounded_once(sum_of_terms(line, square));
  if (op == "ReduceLogSum") return rounded_once(std::log(sum_of_terms(line, plain)));
  if (op == "ReduceLogSumExp") return rounded_once(std::log(sum_of_terms(line, [](Long v) { return std::exp(v); })));
  Long product = 1;
  for (float v : line) product *= static_cast<Long>(v);
  return rounded_once(product);
}

std::int32_t reduced(const std::string& op, const std::vector<std::int32_t>& line) {
  std::uint32_t total = op == "ReduceProd" ? 1 : 0;
  for (std::int32_t v : line) {
    const auto bits = static_cast<std::uint32_t>(v);
    if (op == "ReduceProd") total *= bits;
    else if (op == "ReduceSumSquare") total += bits * bits;
    else if (op == "ReduceL1") total += v < 0 ? 0 - bits : bits;
    else total += bits;
  }
  return static_cast<std::int32_t>(total);
}

std::vector<float> line_of(const std::string& op, const std::vector<float>& line, float epsilon) {
  const float most = *std::max_element(line.begin(), line.end());
  Long exponentials = 0, squares = 0;
  for (float v : line) {
    exponentials += std::exp(static_cast<Long>(v) - static_cast<Long>(most));
    squares += static_cast<Long>(v) * static_cast<Long>(v);
  }
  const Long root = std::sqrt(squares / static_cast<Long>(line.size()) + static_cast<Long>(epsilon));
  std::vector<float> result;
  bool found = false;
  for (float v : line) {
    if (op == "LogSoftmax") result.push_back(rounded_once(static_cast<Long>(v) - static_cast<Long>(most) - std::log(exponentials)));
    else if (op == "RMSNormalization") result.push_back(rounded_once(static_cast<Long>(v) / root));
    else result.push_back(!found && v == most ? 1.0F : 0.0F);  // Hardmax: the first of the greatest
    found = found || v == most;
  }
  return result;
}

std::int64_t place_of(const std::vector<float>& line, bool greatest, bool last) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool better = greatest ? line[i] > line[best] : line[i] < line[best];
    if (better || (last && line[i] == line[best])) best = i;
  }
  return static_cast<std::int64_t>(best);
}

}  // namespace tiebreak::oracle::onnx
