// SPDX-License-Identifier: Apache-2.0
// The file layout, by the numbers of its documented schema: a table is written as its fields, and nothing is generated. Field n of a table stands at 4 + 2n
// of its vtable, which is all that FlatBuffers needs to know.
#include "interpreter/lite/element_numbers.hpp"
#include "interpreter/lite/fields.hpp"
#include "interpreter/lite/model.hpp"
#include "interpreter/tensor/packed_codes.hpp"

#if __has_include(<flatbuffers/flatbuffers.h>)
#include <flatbuffers/flatbuffers.h>
#define TIEBREAK_HAS_FLATBUFFERS 1
#else
#define TIEBREAK_HAS_FLATBUFFERS 0
#endif

namespace tiebreak::tflite {

bool can_write() { return TIEBREAK_HAS_FLATBUFFERS != 0; }

#if TIEBREAK_HAS_FLATBUFFERS

namespace {

using Builder = flatbuffers::FlatBufferBuilder;
template <class T>
using Offset = flatbuffers::Offset<T>;
struct Table;  // of any kind
using TableOffset = Offset<Table>;

constexpr int alignment_of_data = 16;
constexpr int largest_short_code = 127;  // of the field that older readers know

flatbuffers::voffset_t field(int number) { return static_cast<flatbuffers::voffset_t>(4 + 2 * number); }
flatbuffers::voffset_t field(const Field& named) { return field(named.number); }

std::vector<std::byte> as_they_lie(const Tensor& tensor) { return {tensor.bytes().begin(), tensor.bytes().end()}; }

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model) {}

  Result<std::vector<std::byte>> run() {
    buffers_ = {buffer({})};
    std::vector<TableOffset> subgraphs;
    TIEBREAK_TRY(first, graph(model_));
    subgraphs.push_back(first);
    for (const Model& other : model_.further) {
      TIEBREAK_TRY(next, graph(other));
      subgraphs.push_back(next);
    }
    const auto all_codes = builder_.CreateVector(codes_);
    const auto all_subgraphs = builder_.CreateVector(subgraphs);
    const auto description = builder_.CreateString("tiebreak");
    const auto all_buffers = builder_.CreateVector(buffers_);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::uint32_t>(field(of_model::version), schema_version, 0);
    builder_.AddOffset(field(of_model::operator_codes), all_codes);
    builder_.AddOffset(field(of_model::subgraphs), all_subgraphs);
    builder_.AddOffset(field(of_model::description), description);
    builder_.AddOffset(field(of_model::buffers), all_buffers);
    builder_.Finish(TableOffset(builder_.EndTable(start)), file_identifier);
    const auto* bytes = reinterpret_cast<const std::byte*>(builder_.GetBufferPointer());
    return std::vector<std::byte>(bytes, bytes + builder_.GetSize());
  }

 private:
  Result<TableOffset> graph(const Model& graph) {
    std::vector<TableOffset> tensors, operators;
    for (const ModelTensor& entry : graph.tensors) {
      const auto number = number_of(entry.type.element);
      if (!number) return fail(Errc::unsupported, "TensorFlow Lite has no tensors of " + entry.type.element.name());
      std::uint32_t data = 0;
      if (entry.constant) {
        data = static_cast<std::uint32_t>(buffers_.size());
        buffers_.push_back(buffer(codes_a_byte(entry.type.element) > 1 ? pack_codes(*entry.constant) : as_they_lie(*entry.constant)));
      }
      tensors.push_back(tensor(entry, static_cast<std::int8_t>(*number), data));
    }
    for (const ModelOperator& entry : graph.operators) {
      operators.push_back(operation(entry, static_cast<std::uint32_t>(codes_.size())));
      codes_.push_back(operator_code(entry));
    }
    return subgraph_of(graph, tensors, operators);
  }

  TableOffset buffer(std::span<const std::byte> bytes) {
    Offset<flatbuffers::Vector<std::uint8_t>> data{};
    if (!bytes.empty()) {
      builder_.ForceVectorAlignment(bytes.size(), 1, alignment_of_data);
      data = builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    const auto start = builder_.StartTable();
    if (!bytes.empty()) builder_.AddOffset(field(of_buffer::data), data);
    return {builder_.EndTable(start)};
  }

  TableOffset quantization(const Quantization& parameters) {
    const auto scales = builder_.CreateVector(parameters.scales);
    const auto zero_points = builder_.CreateVector(parameters.zero_points);
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(of_quantization::scale), scales);
    builder_.AddOffset(field(of_quantization::zero_point), zero_points);
    builder_.AddElement<std::int32_t>(field(of_quantization::dimension), parameters.axis, 0);
    return {builder_.EndTable(start)};
  }

  TableOffset tensor(const ModelTensor& entry, std::int8_t number, std::uint32_t data) {
    std::vector<std::int32_t> extents(entry.type.shape.begin(), entry.type.shape.end());
    const auto shape = builder_.CreateVector(extents);
    const auto name = builder_.CreateString(entry.name);
    Offset<flatbuffers::Vector<std::int32_t>> signature{};
    if (!entry.signature.empty()) signature = builder_.CreateVector(std::vector<std::int32_t>(entry.signature.begin(), entry.signature.end()));
    TableOffset parameters{};
    if (entry.quantization) parameters = quantization(*entry.quantization);
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(of_tensor::shape), shape);
    builder_.AddElement<std::int8_t>(field(of_tensor::type), number, 0);
    builder_.AddElement<std::uint32_t>(field(of_tensor::buffer), data, 0);
    builder_.AddOffset(field(of_tensor::name), name);
    if (entry.quantization) builder_.AddOffset(field(of_tensor::quantization), parameters);
    if (entry.variable) builder_.AddElement<std::uint8_t>(field(of_tensor::variable), 1, 0);
    if (!entry.signature.empty()) builder_.AddOffset(field(of_tensor::signature), signature);
    return {builder_.EndTable(start)};
  }

  TableOffset operator_code(const ModelOperator& entry) {
    const int code = static_cast<int>(entry.builtin);
    Offset<flatbuffers::String> custom{};
    if (!entry.custom.empty()) custom = builder_.CreateString(entry.custom);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::int8_t>(field(of_code::short_code), static_cast<std::int8_t>(std::min(code, largest_short_code)), 0);
    if (!entry.custom.empty()) builder_.AddOffset(field(of_code::custom), custom);
    builder_.AddElement<std::int32_t>(field(of_code::version), entry.version, 1);
    builder_.AddElement<std::int32_t>(field(of_code::code), code, 0);
    return {builder_.EndTable(start)};
  }

  TableOffset options_of(const Options& options) {
    std::vector<std::pair<int, Offset<flatbuffers::Vector<std::int32_t>>>> lists;
    for (const OptionField& entry : options.fields)
      if (const auto* list = std::get_if<std::vector<std::int32_t>>(&entry.value)) lists.emplace_back(entry.number, builder_.CreateVector(*list));
    const auto start = builder_.StartTable();
    for (const auto& [number, list] : lists) builder_.AddOffset(field(number), list);
    for (const OptionField& entry : options.fields) {
      if (const auto* byte = std::get_if<std::int8_t>(&entry.value)) builder_.AddElement(field(entry.number), *byte);
      if (const auto* whole = std::get_if<std::int32_t>(&entry.value)) builder_.AddElement(field(entry.number), *whole);
      if (const auto* real = std::get_if<float>(&entry.value)) builder_.AddElement(field(entry.number), *real);
    }
    return {builder_.EndTable(start)};
  }

  TableOffset operation(const ModelOperator& entry, std::uint32_t code) {
    const auto inputs = builder_.CreateVector(std::vector<std::int32_t>(entry.inputs.begin(), entry.inputs.end()));
    const auto outputs = builder_.CreateVector(std::vector<std::int32_t>(entry.outputs.begin(), entry.outputs.end()));
    Offset<flatbuffers::Vector<std::int32_t>> intermediates{};
    if (!entry.intermediates.empty()) intermediates = builder_.CreateVector(std::vector<std::int32_t>(entry.intermediates.begin(), entry.intermediates.end()));
    TableOffset options{};
    if (entry.options.table != 0) options = options_of(entry.options);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::uint32_t>(field(of_operator::code), code, 0);
    builder_.AddOffset(field(of_operator::inputs), inputs);
    builder_.AddOffset(field(of_operator::outputs), outputs);
    if (!entry.intermediates.empty()) builder_.AddOffset(field(of_operator::intermediates), intermediates);
    if (entry.options.table != 0) {
      builder_.AddElement<std::uint8_t>(field(of_operator::options_table), static_cast<std::uint8_t>(entry.options.table), 0);
      builder_.AddOffset(field(of_operator::options), options);
    }
    return {builder_.EndTable(start)};
  }

  TableOffset subgraph_of(const Model& graph, const std::vector<TableOffset>& tensors, const std::vector<TableOffset>& operators) {
    const auto all_tensors = builder_.CreateVector(tensors);
    const auto inputs = builder_.CreateVector(std::vector<std::int32_t>(graph.inputs.begin(), graph.inputs.end()));
    const auto outputs = builder_.CreateVector(std::vector<std::int32_t>(graph.outputs.begin(), graph.outputs.end()));
    const auto all_operators = builder_.CreateVector(operators);
    const auto name = builder_.CreateString(graph.name);
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(of_subgraph::tensors), all_tensors);
    builder_.AddOffset(field(of_subgraph::inputs), inputs);
    builder_.AddOffset(field(of_subgraph::outputs), outputs);
    builder_.AddOffset(field(of_subgraph::operators), all_operators);
    builder_.AddOffset(field(of_subgraph::name), name);
    return {builder_.EndTable(start)};
  }

  const Model& model_;
  Builder builder_{};
  std::vector<TableOffset> buffers_{}, codes_{};
};

}  // namespace

Result<std::vector<std::byte>> write_model(const Model& model) { return Writer(model).run(); }

#else

Result<std::vector<std::byte>> write_model(const Model&) {
  return fail(Errc::unsupported, "this was built without FlatBuffers, so no .tflite file can be written", {}, "install libflatbuffers-dev and build again");
}

#endif

}  // namespace tiebreak::tflite
