// SPDX-License-Identifier: Apache-2.0
// The backend `opencv`: OpenCV's DNN module through its ONNX importer, each case one quantized layer between a QuantizeLinear of the operand's
// scale and a DequantizeLinear of scale 1: the numbers that go in are those of the codes, and codes come out as whole numbers.
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include <cmath>

#include "tools/adapters/opencv/quantized_model.hpp"
#include "tools/adapters/single_op/op_calls.hpp"

namespace tiebreak::opencv {
namespace {

std::string first_line(const std::string& text) {
  const std::size_t at = text.find("error: ");
  const std::string rest = at == std::string::npos ? text : text.substr(at + 7);
  return rest.substr(0, rest.find('\n'));
}

/// Runs a model with one input and one output of f32. What the importer refuses is unsupported, in its own words.
Result<std::vector<float>> run_model(const std::vector<std::byte>& model, const Shape& shape, const std::vector<float>& x) {
  try {
    cv::setNumThreads(1);
    cv::dnn::Net net = cv::dnn::readNetFromONNX(reinterpret_cast<const char*>(model.data()), model.size());
    if (net.empty()) return fail(Errc::unsupported, "OpenCV: the importer made no network");
    net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    std::vector<int> extents;
    for (std::int64_t extent : shape) extents.push_back(static_cast<int>(extent));
    net.setInput(cv::Mat(extents, CV_32F, const_cast<float*>(x.data())).clone());
    const cv::Mat y = net.forward();
    if (y.type() != CV_32F) return fail(Errc::backend, "OpenCV: the result is not f32");
    const cv::Mat whole = y.isContinuous() ? y : y.clone();
    return std::vector<float>(whole.ptr<float>(), whole.ptr<float>() + whole.total());
  } catch (const cv::Exception& error) {
    return fail(Errc::unsupported, "OpenCV: " + first_line(error.what()));
  }
}

/// What DequantizeLinear with scale 1 leaves is a code minus its zero point.
Result<OpAnswer> codes_of_result(const Quantization& y, const std::vector<float>& values, std::size_t count) {
  if (values.size() != count) return fail(Errc::backend, "OpenCV: the result has " + std::to_string(values.size()) + " elements, not " + std::to_string(count));
  std::vector<std::uint8_t> codes;
  for (float value : values) codes.push_back(static_cast<std::uint8_t>(static_cast<std::int32_t>(value) + y.zero_point()));
  return answer_of(codes, "OpenCV");
}

/// What quantizes back to the same codes: the importer takes scale and zero point from the tensor's name, not from the node. A scale that is
/// subnormal, or whose inverse is, counts as zero in the library, so that no number gives the code.
Result<std::vector<float>> numbers_of(const Codes& x) {
  if (!std::isnormal(x.as.scale()) || !std::isnormal(1.0f / x.as.scale()))
    return fail(Errc::unsupported, "codes do not come through QuantizeLinear with this scale");
  std::vector<float> numbers;
  for (std::uint8_t byte : x.bytes) {
    const std::int32_t code = x.as.is_signed ? static_cast<std::int8_t>(byte) : byte;
    numbers.push_back(static_cast<float>(code - x.as.zero_point()) * x.as.scale());
    if (!std::isfinite(numbers.back())) return fail(Errc::unsupported, "a code is infinite in f32");
  }
  return numbers;
}

std::vector<std::int32_t> plain_codes(const Codes& codes) {
  std::vector<std::int32_t> numbers;
  for (std::uint8_t byte : codes.bytes) numbers.push_back(codes.as.is_signed ? static_cast<std::int8_t>(byte) : byte);
  return numbers;
}

std::size_t volume(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return static_cast<std::size_t>(count);
}

Status same_type(const Quantization& x, const Quantization& w, const Quantization& y) {
  if (x.is_signed != y.is_signed) return fail(Errc::unsupported, "the importer moves u8 to i8: operand and result of one type only");
  const std::int32_t middle = w.is_signed ? 0 : 128;
  for (std::int32_t code : w.zero_points) {
    if (code != middle) return fail(Errc::unsupported, "the importer takes no zero point of the weights but the middle of their range");
  }
  return {};
}

/// x -> codes -> the op -> codes -> numbers. `rest` are the op's operands from the fourth on.
Result<OpAnswer> sandwich(QuantizedModel& model, const std::string& op, const Codes& x, const Shape& x_shape, const Quantization& y, const Shape& result,
                          std::vector<std::string> operands, AttributeMap attributes) {
  model.input("input", x_shape);
  TIEBREAK_CHECK(model.quantization("x", x.as));
  TIEBREAK_CHECK(model.quantization("y", y));
  TIEBREAK_CHECK(model.floats("one", {}, {1.0f}));
  model.operation("onnx.QuantizeLinear", {"input", "x_scale", "x_zero_point"}, "x_quantized");
  operands.insert(operands.begin(), {"x_quantized", "x_scale", "x_zero_point"});
  model.operation(op, operands, "y_quantized", std::move(attributes));
  model.operation("onnx.DequantizeLinear", {"y_quantized", "one", "y_zero_point"}, "output");
  TIEBREAK_TRY(bytes, model.finish("output", result));
  TIEBREAK_TRY(numbers, numbers_of(x));
  TIEBREAK_TRY(values, run_model(bytes, x_shape, numbers));
  return codes_of_result(y, values, volume(result));
}

Result<OpAnswer> quantize_linear(const SingleOp& single) {
  TIEBREAK_TRY(op, quantize_op(single));
  TIEBREAK_CHECK(one_scale(op.y, "y"));
  const Shape shape = op.shape.size() > 1 ? op.shape : Shape{1, static_cast<std::int64_t>(op.x.size())};
  QuantizedModel model;
  model.input("input", shape);
  TIEBREAK_CHECK(model.quantization("y", op.y));
  TIEBREAK_CHECK(model.floats("one", {}, {1.0f}));
  model.operation("onnx.QuantizeLinear", {"input", "y_scale", "y_zero_point"}, "y_quantized");
  model.operation("onnx.DequantizeLinear", {"y_quantized", "one", "y_zero_point"}, "output");
  TIEBREAK_TRY(bytes, model.finish("output", shape));
  TIEBREAK_TRY(values, run_model(bytes, shape, op.x));
  return codes_of_result(op.y, values, op.x.size());
}

Result<OpAnswer> q_linear_mat_mul(const SingleOp& single) {
  TIEBREAK_TRY(op, matrix_op(single));
  TIEBREAK_CHECK(same_type(op.a.as, op.b.as, op.y));
  QuantizedModel model;
  TIEBREAK_CHECK(model.codes("w_quantized", op.b.as.is_signed ? "i8" : "u8", {op.depth, op.columns}, plain_codes(op.b)));
  TIEBREAK_CHECK(model.quantization("w", op.b.as));
  return sandwich(model, "onnx.QLinearMatMul", op.a, {op.rows, op.depth}, op.y, {op.rows, op.columns},
                  {"w_quantized", "w_scale", "w_zero_point", "y_scale", "y_zero_point"}, {});
}

Result<OpAnswer> q_linear_conv(const SingleOp& single) {
  TIEBREAK_TRY(op, image_op(single));
  TIEBREAK_CHECK(one_scale(op.x.as, "x"));
  TIEBREAK_CHECK(same_type(op.x.as, op.w.as, op.y));
  QuantizedModel model;
  std::vector<std::string> operands = {"w_quantized", "w_scale", "w_zero_point", "y_scale", "y_zero_point"};
  TIEBREAK_CHECK(model.codes("w_quantized", op.w.as.is_signed ? "i8" : "u8", op.w.shape, plain_codes(op.w)));
  TIEBREAK_CHECK(model.quantization("w", op.w.as));
  if (!op.bias.empty()) {
    TIEBREAK_CHECK(model.codes("bias", "i32", {static_cast<std::int64_t>(op.bias.size())}, op.bias));
    operands.push_back("bias");
  }
  AttributeMap attributes;
  std::vector<std::int64_t> pads = op.pads_begin;
  pads.insert(pads.end(), op.pads_end.begin(), op.pads_end.end());
  attributes["kernel_shape"] = Attribute::integers({op.w.shape[2], op.w.shape[3]});
  attributes["strides"] = Attribute::integers(op.strides);
  attributes["dilations"] = Attribute::integers(op.dilations);
  attributes["pads"] = Attribute::integers(pads);
  attributes["group"] = Attribute{Real(op.groups)};
  return sandwich(model, "onnx.QLinearConv", op.x, op.x.shape, op.y, op.result, operands, std::move(attributes));
}

const OpCalls& calls() {
  static const OpCalls table = {{"onnx.QLinearConv", q_linear_conv}, {"onnx.QLinearMatMul", q_linear_mat_mul}, {"onnx.QuantizeLinear", quantize_linear}};
  return table;
}

/// Conversions are dispatched to AVX2, where they are one multiply-add; the code for all other processors has two operations.
const char* profile_of_processor() { return cv::checkHardwareSupport(CV_CPU_AVX2) ? "opencv-dnn" : "opencv-dnn-sse"; }

class OpenCvAdapter : public Adapter {
 public:
  Result<BackendDescription> describe() override {
    BackendDescription description{"opencv", CV_VERSION, profile_of_processor(), names_of(calls()), {}};
    description.details = {{"isa", cv::getCPUFeaturesLine()},
                           {"layout", "NCHW"},
                           {"mapping", "QuantizeLinear, the op, DequantizeLinear of scale 1; u8 is moved to i8 by the importer"},
                           {"threads", "1"}};
    return description;
  }
  AdapterAnswer run(const ExchangeCase& request) override { return answer_by(calls(), request); }
};

}  // namespace
}  // namespace tiebreak::opencv

int main(int argc, char** argv) {
  using namespace tiebreak;
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  return adapter_main(argc, argv, {}, [](const AdapterArguments&) -> Result<std::unique_ptr<Adapter>> { return std::make_unique<opencv::OpenCvAdapter>(); });
}
