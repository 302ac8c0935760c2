// SPDX-License-Identifier: Apache-2.0
// The file layout, by the numbers of its documented schema: a table is written as its fields, and nothing is generated. Field n of a table stands at 4 + 2n
// of its vtable, which is all that FlatBuffers needs to know.
#include "testsuite/tflite/model.hpp"

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

constexpr const char* file_identifier = "TFL3";
constexpr std::uint32_t schema_version = 3;
constexpr int alignment_of_data = 16;
constexpr int largest_short_code = 127;  // of the field that older readers know

flatbuffers::voffset_t field(int number) { return static_cast<flatbuffers::voffset_t>(4 + 2 * number); }

std::optional<std::int8_t> type_number(const ElementType& element) {
  const std::pair<const char*, std::int8_t> numbers[] = {{"f32", std::int8_t{0}}, {"f16", std::int8_t{1}}, {"i32", std::int8_t{2}},
                                                         {"u8", std::int8_t{3}},  {"i64", std::int8_t{4}}, {"bool", std::int8_t{6}},
                                                         {"i16", std::int8_t{7}}, {"i8", std::int8_t{9}},  {"u16", std::int8_t{16}}};
  for (const auto& [name, number] : numbers) {
    if (element.name() == name) return number;
  }
  return std::nullopt;
}

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model) {}

  Result<std::vector<std::byte>> run() {
    std::vector<TableOffset> buffers{buffer({})}, tensors, operators, codes;
    for (const ModelTensor& entry : model_.tensors) {
      const auto number = type_number(entry.type.element);
      if (!number) return fail(Errc::unsupported, "TensorFlow Lite has no tensors of " + entry.type.element.name());
      std::uint32_t data = 0;
      if (entry.constant) {
        data = static_cast<std::uint32_t>(buffers.size());
        buffers.push_back(buffer(entry.constant->bytes()));
      }
      tensors.push_back(tensor(entry, *number, data));
    }
    for (const ModelOperator& entry : model_.operators) {
      operators.push_back(operation(entry, static_cast<std::uint32_t>(codes.size())));
      codes.push_back(operator_code(entry));
    }
    const auto subgraph = subgraph_of(tensors, operators);
    const auto all_codes = builder_.CreateVector(codes);
    const auto all_subgraphs = builder_.CreateVector(std::vector<TableOffset>{subgraph});
    const auto description = builder_.CreateString("tiebreak");
    const auto all_buffers = builder_.CreateVector(buffers);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::uint32_t>(field(0), schema_version, 0);
    builder_.AddOffset(field(1), all_codes);
    builder_.AddOffset(field(2), all_subgraphs);
    builder_.AddOffset(field(3), description);
    builder_.AddOffset(field(4), all_buffers);
    builder_.Finish(TableOffset(builder_.EndTable(start)), file_identifier);
    const auto* bytes = reinterpret_cast<const std::byte*>(builder_.GetBufferPointer());
    return std::vector<std::byte>(bytes, bytes + builder_.GetSize());
  }

 private:
  TableOffset buffer(std::span<const std::byte> bytes) {
    Offset<flatbuffers::Vector<std::uint8_t>> data{};
    if (!bytes.empty()) {
      builder_.ForceVectorAlignment(bytes.size(), 1, alignment_of_data);
      data = builder_.CreateVector(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    }
    const auto start = builder_.StartTable();
    if (!bytes.empty()) builder_.AddOffset(field(0), data);
    return {builder_.EndTable(start)};
  }

  TableOffset quantization(const Quantization& parameters) {
    const auto scales = builder_.CreateVector(parameters.scales);
    const auto zero_points = builder_.CreateVector(parameters.zero_points);
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(2), scales);
    builder_.AddOffset(field(3), zero_points);
    builder_.AddElement<std::int32_t>(field(6), parameters.axis, 0);
    return {builder_.EndTable(start)};
  }

  TableOffset tensor(const ModelTensor& entry, std::int8_t number, std::uint32_t data) {
    std::vector<std::int32_t> extents(entry.type.shape.begin(), entry.type.shape.end());
    const auto shape = builder_.CreateVector(extents);
    const auto name = builder_.CreateString(entry.name);
    TableOffset parameters{};
    if (entry.quantization) parameters = quantization(*entry.quantization);
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(0), shape);
    builder_.AddElement<std::int8_t>(field(1), number, 0);
    builder_.AddElement<std::uint32_t>(field(2), data, 0);
    builder_.AddOffset(field(3), name);
    if (entry.quantization) builder_.AddOffset(field(4), parameters);
    return {builder_.EndTable(start)};
  }

  TableOffset operator_code(const ModelOperator& entry) {
    const int code = static_cast<int>(entry.builtin);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::int8_t>(field(0), static_cast<std::int8_t>(std::min(code, largest_short_code)), 0);
    builder_.AddElement<std::int32_t>(field(2), entry.version, 1);
    builder_.AddElement<std::int32_t>(field(3), code, 0);
    return {builder_.EndTable(start)};
  }

  TableOffset options_of(const Options& options) {
    const auto start = builder_.StartTable();
    for (const OptionField& entry : options.fields) {
      std::visit([&](auto value) { builder_.AddElement(field(entry.number), value); }, entry.value);
    }
    return {builder_.EndTable(start)};
  }

  TableOffset operation(const ModelOperator& entry, std::uint32_t code) {
    const auto inputs = builder_.CreateVector(std::vector<std::int32_t>(entry.inputs.begin(), entry.inputs.end()));
    const auto outputs = builder_.CreateVector(std::vector<std::int32_t>(entry.outputs.begin(), entry.outputs.end()));
    TableOffset options{};
    if (entry.options.table != 0) options = options_of(entry.options);
    const auto start = builder_.StartTable();
    builder_.AddElement<std::uint32_t>(field(0), code, 0);
    builder_.AddOffset(field(1), inputs);
    builder_.AddOffset(field(2), outputs);
    if (entry.options.table != 0) {
      builder_.AddElement<std::uint8_t>(field(3), static_cast<std::uint8_t>(entry.options.table), 0);
      builder_.AddOffset(field(4), options);
    }
    return {builder_.EndTable(start)};
  }

  TableOffset subgraph_of(const std::vector<TableOffset>& tensors, const std::vector<TableOffset>& operators) {
    const auto all_tensors = builder_.CreateVector(tensors);
    const auto inputs = builder_.CreateVector(std::vector<std::int32_t>(model_.inputs.begin(), model_.inputs.end()));
    const auto outputs = builder_.CreateVector(std::vector<std::int32_t>(model_.outputs.begin(), model_.outputs.end()));
    const auto all_operators = builder_.CreateVector(operators);
    const auto name = builder_.CreateString("main");
    const auto start = builder_.StartTable();
    builder_.AddOffset(field(0), all_tensors);
    builder_.AddOffset(field(1), inputs);
    builder_.AddOffset(field(2), outputs);
    builder_.AddOffset(field(3), all_operators);
    builder_.AddOffset(field(4), name);
    return {builder_.EndTable(start)};
  }

  const Model& model_;
  Builder builder_{};
};

}  // namespace

Result<std::vector<std::byte>> write_model(const Model& model) { return Writer(model).run(); }

#else

Result<std::vector<std::byte>> write_model(const Model&) {
  return fail(Errc::unsupported, "this was built without FlatBuffers, so no .tflite file can be written", {}, "install libflatbuffers-dev and build again");
}

#endif

}  // namespace tiebreak::tflite
