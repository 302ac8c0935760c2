// SPDX-License-Identifier: Apache-2.0
#include "testsuite/oracle/tflite/tflite_lstm.hpp"

#include <algorithm>
#include <cmath>

#include "testsuite/oracle/fixed_point.hpp"
#include "testsuite/oracle/quantized/inverse_sqrt.hpp"

namespace tiebreak::oracle {
namespace {

std::int16_t short_of(int v) { return static_cast<std::int16_t>(std::clamp(v, -32768, 32767)); }
std::int16_t high_half(int a, int b) { return a == -32768 && b == -32768 ? std::int16_t{32767} : static_cast<std::int16_t>((a * b + (1 << 14)) >> 15); }
int divided(int v, int places) { return (v + (1 << (places - 1)) - (v < 0 ? 1 : 0)) >> places; }  // halves away from zero
std::int16_t in_q15(double v) { return static_cast<std::int16_t>(std::lround(v * 32768)); }

/// Between -1/4 and 0, four terms of the series at -1/8.
std::int16_t exponential_near_zero(int a) {
  const std::int16_t centre = in_q15(std::exp(-0.125)), x = static_cast<std::int16_t>(a + (1 << 12));
  const int x2 = high_half(x, x), x3 = high_half(x2, x), x4 = high_half(x2, x2);
  const int rest = divided(high_half(divided(x4, 2) + x3, in_q15(1.0 / 3)) + x2, 1);
  return short_of(centre + high_half(centre, x + rest));
}

std::int16_t exponential(std::int16_t a, int integer_bits) {
  if (a == 0) return 32767;
  const int fraction = 15 - integer_bits, quarter = 1 << (fraction - 2), below = (a & (quarter - 1)) - quarter, whole = below - a;
  if (integer_bits > 5 && a < -(1 << (fraction + 5))) return 0;
  std::int16_t result = exponential_near_zero(short_of(below * (1 << integer_bits)));
  for (int power = -2; power <= 4; ++power)
    if (integer_bits > power && (whole >> (fraction + power) & 1) != 0) result = high_half(result, in_q15(std::exp(-std::ldexp(1.0, power))));
  return result;
}

/// 2 / (1 + a) by Newton's iteration, two digits before the point.
std::int16_t reciprocal(std::int16_t a) {
  const int half = (a + 32767 + 1) / 2;
  int x = static_cast<int>(std::lround(48.0 / 17 * 8192)) + high_half(half, static_cast<int>(std::lround(-32.0 / 17 * 8192)));
  for (int step = 0; step < 3; ++step) x += short_of(high_half(x, (1 << 13) - high_half(half, x)) * 4);
  return static_cast<std::int16_t>(x);
}

int scaled(std::int64_t v, float factor, int more = 0) {
  FixedMultiplier multiplier = fixed_multiplier(factor);
  if (multiplier.exponent < -31) multiplier = {};
  multiplier.exponent += more;
  return static_cast<int>(multiply_twice_rounded(static_cast<std::int32_t>(v), multiplier));
}

std::vector<int> normalized(const std::vector<int>& total, const TfliteLstmGate& gate) {
  const auto count = static_cast<std::int64_t>(total.size());
  std::int64_t sum = 0, squares = 0;
  for (const int v : total) sum += v, squares += std::int64_t{v} * v;
  const std::int64_t mean = sum * 1024 / count;
  std::int32_t variance = static_cast<std::int32_t>((squares * ((1 << 20) / count) - mean * mean) / (1 << 20));
  if (variance < 1) variance = std::max(1, static_cast<int>(10000 * gate.coefficient_scale));
  const InverseSqrt root = inverse_sqrt(variance);
  std::vector<int> result;
  for (std::size_t i = 0; i < total.size(); ++i) {
    const auto shifted = static_cast<std::int32_t>(1024 * total[i] - mean);
    const auto quotient = multiply_twice_rounded(shifted, {root.multiplier, -root.right_shift});
    const auto weighted = static_cast<std::int32_t>(static_cast<std::uint32_t>(quotient) * static_cast<std::uint32_t>(gate.coefficients[i]) +
                                                    static_cast<std::uint32_t>(gate.bias[i]));
    const std::int64_t wide = weighted;
    result.push_back(short_of(scaled((wide > 0 ? wide + 512 : wide - 512) / 1024, gate.coefficient_scale, 12)));
  }
  return result;
}

std::vector<int> product(const std::vector<int>& weights, const std::vector<int>& seen, int zero_point, std::size_t rows, const std::vector<int>& bias) {
  std::vector<int> sums;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t sum = bias.empty() ? 0U : static_cast<std::uint32_t>(bias[row]);
    for (std::size_t i = 0; i < seen.size(); ++i) sum += static_cast<std::uint32_t>((seen[i] - zero_point) * weights[row * seen.size() + i]);
    sums.push_back(static_cast<std::int32_t>(sum));
  }
  return sums;
}

std::vector<int> gate_of(const TfliteLstm& network, std::size_t number, const std::vector<int>& x, const std::vector<int>& hidden,
                         const std::vector<int>& cell) {
  const TfliteLstmGate& gate = network.gates[number];
  const auto cells = static_cast<std::size_t>(network.cells);
  const bool is_normalized = !gate.coefficients.empty();
  const std::vector<int> seen = product(gate.input_weights, x, network.input_zero_point, cells, is_normalized ? std::vector<int>() : gate.bias);
  const std::vector<int> recalled = product(gate.hidden_weights, hidden, network.state_zero_point, cells, {});
  std::vector<int> total;
  for (std::size_t i = 0; i < cells; ++i) {
    int sum = short_of(scaled(seen[i], gate.input_factor));
    sum = short_of(scaled(recalled[i], gate.hidden_factor) + sum);
    if (!gate.peephole.empty()) sum = short_of(scaled(gate.peephole[i] * cell[i], gate.cell_factor) + sum);
    total.push_back(sum);
  }
  if (is_normalized) total = normalized(total, gate);
  for (int& v : total) v = number == 2 ? tflite_tangent16(static_cast<std::int16_t>(v), 3) : tflite_logistic16(static_cast<std::int16_t>(v), 3);
  return total;
}

}  // namespace

std::int16_t tflite_logistic16(std::int16_t a, int integer_bits) {
  if (a == 0) return 16384;
  const std::int16_t positive = short_of(reciprocal(exponential(static_cast<std::int16_t>(a > 0 ? -a : a), integer_bits)) * 2);
  return static_cast<std::int16_t>(a > 0 ? positive : 32767 - positive);
}

std::int16_t tflite_tangent16(std::int16_t a, int integer_bits) {
  if (a == 0) return 0;
  const std::int16_t positive = short_of((reciprocal(exponential(static_cast<std::int16_t>(a > 0 ? -a : a), integer_bits + 1)) - (1 << 13)) * 4);
  return static_cast<std::int16_t>(a > 0 ? positive : -positive);
}

std::vector<int> tflite_lstm(const TfliteLstm& network, const std::vector<int>& input, std::vector<int> hidden, std::vector<int> cell) {
  const auto inputs = static_cast<std::size_t>(network.inputs), cells = static_cast<std::size_t>(network.cells);
  std::vector<int> output;
  for (std::size_t t = 0; t * inputs < input.size(); ++t) {
    const std::vector<int> x(input.begin() + static_cast<std::ptrdiff_t>(t * inputs), input.begin() + static_cast<std::ptrdiff_t>((t + 1) * inputs));
    const std::vector<int> forget = gate_of(network, 1, x, hidden, cell), fresh = gate_of(network, 2, x, hidden, cell);
    std::vector<int> taken = forget;
    for (int& v : taken) v = 32767 - v;
    if (!network.gates[0].input_weights.empty()) taken = gate_of(network, 0, x, hidden, cell);
    for (std::size_t i = 0; i < cells; ++i) {
      cell[i] = short_of(divided(forget[i] * cell[i], 15) + divided(taken[i] * fresh[i], 30 + network.cell_power));
      if (network.cell_limit > 0) cell[i] = std::clamp(cell[i], -network.cell_limit, network.cell_limit);
    }
    const std::vector<int> shown = gate_of(network, 3, x, hidden, cell);
    const bool projects = !network.projection.empty();
    std::vector<int> codes;
    for (std::size_t i = 0; i < cells; ++i) {
      const int tangent = tflite_tangent16(static_cast<std::int16_t>(cell[i]), 15 + network.cell_power);
      codes.push_back(
          std::clamp(scaled(shown[i] * tangent, network.shown_factor) + (projects ? -network.shown_zero_point : network.shown_zero_point), -128, 127));
    }
    hidden = codes;
    if (projects) {
      hidden = product(network.projection, codes, -network.shown_zero_point, static_cast<std::size_t>(network.hidden), network.projection_bias);
      for (int& v : hidden) {
        v = std::clamp(scaled(v, network.projection_factor) + network.output_zero_point, -128, 127);
        if (network.code_limit > 0) v = std::clamp(v, -network.code_limit, network.code_limit);
      }
    }
    output.insert(output.end(), hidden.begin(), hidden.end());
  }
  return output;
}

}  // namespace tiebreak::oracle
