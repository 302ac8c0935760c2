// SPDX-License-Identifier: Apache-2.0
// The LSTM of family `tflite` against the kernel in machine integers: its functions of every number, and drawn networks of every kind.
#include "testsuite/oracle/tflite/tflite_lstm.hpp"

#include <random>

#include "testsuite/unit/helpers/variant_calls.hpp"

namespace tiebreak {
namespace {

TEST(TfliteLstm, FunctionsOfEveryNumber) {
  Tensor all = *Tensor::zeros({*ElementType::parse("i16"), {65536}, {}});
  for (std::int64_t i = 0; i < 65536; ++i) all.set_code(i, static_cast<std::uint64_t>(i - 32768));
  for (const bool is_tangent : {false, true}) {
    const AttributeMap attributes{{"activation", Attribute{std::string(is_tangent ? "TANH" : "LOGISTIC")}}};
    auto result = run_profile({.op = "tflite.lstm_function", .operands = {all}, .attributes = attributes, .result_types = {all.type()}}, "reference");
    ASSERT_TRUE(result) << to_text(result.error());
    for (int a = -32768; a < 32768; ++a) {
      const auto code = static_cast<std::int16_t>(a);
      ASSERT_EQ(integer_at((*result)[0], a + 32768), is_tangent ? oracle::tflite_tangent16(code, 3) : oracle::tflite_logistic16(code, 3)) << a;
    }
  }
}

/// A network drawn by the seed: the call of the page, and the same for the oracle.
class DrawnNetwork {
 public:
  explicit DrawnNetwork(unsigned seed) : random_(seed), kind_(seed) {
    network_.inputs = draw(1, 6);
    network_.cells = draw(1, 6);
    network_.hidden = projects() && !has_peepholes() ? draw(1, 6) : network_.cells;
    network_.cell_power = -draw(9, 15);
    network_.input_zero_point = draw(-128, 127);
    network_.state_zero_point = draw(-128, 127);
    network_.output_zero_point = network_.state_zero_point;
    network_.shown_zero_point = draw(-128, 127);
    call_.op = "tflite.UNIDIRECTIONAL_SEQUENCE_LSTM";
    call_.operands.resize(is_normalized() ? 24 : 20);
    fill();
  }

  void compare() {
    const auto result = run_profile(call_, "reference");
    ASSERT_TRUE(result) << to_text(result.error());
    const std::vector<int> expected = oracle::tflite_lstm(network_, input_, hidden_, cell_);
    ASSERT_EQ(result->front().tensor.size(), static_cast<std::int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(integer_at(result->front(), static_cast<std::int64_t>(i)), expected[i]) << "element " << i << " of kind " << kind_;
  }

 private:
  bool is_coupled() const { return (kind_ & 1U) != 0; }
  bool has_peepholes() const { return (kind_ & 2U) != 0; }
  bool projects() const { return (kind_ & 4U) != 0; }
  bool is_normalized() const { return (kind_ & 8U) != 0; }

  int draw(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  float scale(double low, double high) { return static_cast<float>(low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random_))); }

  std::vector<int> drawn(int count, int low, int high) {
    std::vector<int> values;
    for (int i = 0; i < count; ++i) values.push_back(draw(low, high));
    return values;
  }

  static Tensor tensor(const std::string& element, const Shape& shape, const std::vector<int>& values, double scale = 0, int zero_point = 0) {
    TensorType type{*ElementType::parse(element), shape, {}};
    if (scale > 0) {
      QuantizedType quantized{type.element, type.element.min(), type.element.max(), *ElementType::parse("f32"), {}, {}, {}, {}};
      quantized.scales = {{Real::from_double(scale)}};
      quantized.zero_points = {{Real(zero_point)}};
      type.quantized = quantized;
    }
    Tensor result = *Tensor::zeros(type);
    for (std::size_t i = 0; i < values.size(); ++i) result.set_code(static_cast<std::int64_t>(i), static_cast<std::uint64_t>(std::int64_t{values[i]}));
    return result;
  }

  void fill_gate(std::size_t number, float input_scale, float state_scale) {
    oracle::TfliteLstmGate& gate = network_.gates[number];
    const int cells = network_.cells, hidden = network_.hidden;
    const float of_input = scale(0.002, 0.05), of_hidden = scale(0.002, 0.05), of_cell = scale(2e-6, 5e-5);
    const float step = is_normalized() ? scale(0.0001, 0.003) : 0x1p-12f;
    gate_scales_.push_back(Attribute{Real::from_double(step)});
    gate.input_weights = drawn(cells * network_.inputs, -127, 127);
    gate.hidden_weights = drawn(cells * hidden, -127, 127);
    gate.bias = drawn(cells, -100000, 100000);
    gate.input_factor = of_input * input_scale / step;
    gate.hidden_factor = of_hidden * state_scale / step;
    call_.operands[1 + number] = tensor("i8", {cells, network_.inputs}, gate.input_weights, of_input);
    call_.operands[5 + number] = tensor("i8", {cells, hidden}, gate.hidden_weights, of_hidden);
    call_.operands[12 + number] = tensor("i32", {cells}, gate.bias);
    if (has_peepholes() && number != 2) {
      gate.peephole = drawn(cells, -32767, 32767);
      gate.cell_factor = static_cast<float>(std::ldexp(1.0, network_.cell_power) * of_cell / step);
      call_.operands[number == 3 ? 11 : 9 + number] = tensor("i16", {cells}, gate.peephole, of_cell);
    }
    if (!is_normalized()) return;
    gate.coefficients = drawn(cells, -32767, 32767);
    gate.coefficient_scale = scale(3e-6, 6e-5);
    call_.operands[20 + number] = tensor("i16", {cells}, gate.coefficients, gate.coefficient_scale);
  }

  void fill() {
    const int steps = draw(1, 4);
    const float input_scale = scale(0.003, 0.05), state_scale = scale(0.004, 0.03), shown_scale = scale(0.004, 0.03), of_projection = scale(0.003, 0.03);
    const double cell_scale = std::ldexp(1.0, network_.cell_power);
    for (std::size_t gate = is_coupled() ? 1 : 0; gate < 4; ++gate) fill_gate(gate, input_scale, state_scale);
    if (is_coupled()) gate_scales_.insert(gate_scales_.begin(), gate_scales_.front());
    network_.shown_factor = static_cast<float>(std::ldexp(1.0, -15) / shown_scale * std::ldexp(1.0, -15));
    if (projects()) {
      network_.projection = drawn(network_.hidden * network_.cells, -127, 127);
      network_.projection_bias = drawn(network_.hidden, -3000, 3000);
      network_.projection_factor = of_projection * shown_scale / state_scale;
      network_.code_limit = draw(0, 1) * draw(20, 100);
      call_.operands[16] = tensor("i8", {network_.hidden, network_.cells}, network_.projection, of_projection);
      call_.operands[17] = tensor("i32", {network_.hidden}, network_.projection_bias);
    }
    network_.cell_limit = draw(0, 1) * draw(1000, 30000);
    input_ = drawn(steps * network_.inputs, -128, 127);
    hidden_ = drawn(network_.hidden, -128, 127);
    cell_ = drawn(network_.cells, -32768, 32767);
    call_.operands[0] = tensor("i8", {1, steps, network_.inputs}, input_, input_scale, network_.input_zero_point);
    call_.operands[18] = tensor("i8", {1, network_.hidden}, hidden_, state_scale, network_.state_zero_point);
    call_.operands[19] = tensor("i16", {1, network_.cells}, cell_, cell_scale);
    call_.result_types = {tensor("i8", {1, steps, network_.hidden}, {}, state_scale, network_.state_zero_point).type()};
    call_.attributes = {{"hidden_scale", Attribute{Real::from_double(shown_scale)}},
                        {"hidden_zero_point", Attribute{Real(network_.shown_zero_point)}},
                        {"cell_clip", Attribute{Real::from_double((network_.cell_limit + 0.5 * (network_.cell_limit > 0)) * cell_scale)}},
                        {"proj_clip", Attribute{Real::from_double((network_.code_limit + 0.5 * (network_.code_limit > 0)) * state_scale)}}};
    if (is_normalized()) call_.attributes.emplace("gate_scales", Attribute{gate_scales_});
  }

  std::mt19937 random_;
  unsigned kind_;
  oracle::TfliteLstm network_{};
  OpCall call_{};
  AttributeList gate_scales_{};
  std::vector<int> input_{}, hidden_{}, cell_{};
};

TEST(TfliteLstm, NetworksOfEveryKind) {
  for (unsigned seed = 0; seed < 96; ++seed) {
    SCOPED_TRACE(seed);
    DrawnNetwork(seed).compare();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace tiebreak
