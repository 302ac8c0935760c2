// SPDX-License-Identifier: Apache-2.0
// A .tflite file as plain values: subgraphs, their tensors and operators. Whatever is wrong is said with its place.
#include "interpreter/lite/model.hpp"

#if __has_include(<flatbuffers/flatbuffers.h>)
#include <algorithm>

#include "interpreter/lite/places.hpp"
#include "interpreter/lite/read_parts.hpp"

namespace tiebreak::tflite {
namespace {

constexpr std::size_t most_operands = 1 << 16;
constexpr std::size_t longest_file = std::size_t{1} << 31;
constexpr flatbuffers::uoffset_t most_depth = 16, most_tables = 4'000'000;

struct Code {
  Builtin builtin = Builtin::add;
  int version = 1;
  std::string custom{};
};

class ModelReader {
 public:
  ModelReader(std::span<const std::byte> bytes, const std::string& file)
      : bytes_(bytes), file_(file), verifier_(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), most_depth, most_tables) {}

  Result<Model> run() {
    TIEBREAK_TRY(root, FlatTable::root(bytes_, verifier_, file_));
    TIEBREAK_TRY(version, root.number<std::uint32_t>(of_model::version, 0));
    if (version != schema_version) return fail(Errc::unsupported, "version " + std::to_string(version) + " of the format; version 3 is read", file_);
    TIEBREAK_TRY(tables, root.tables(of_model::buffers));
    Buffers buffers(bytes_, std::move(tables));
    TIEBREAK_CHECK(read_codes(root));
    TIEBREAK_TRY(subgraphs, root.tables(of_model::subgraphs));
    if (subgraphs.size() == 0) return fail(Errc::corrupt, "a model without a subgraph", file_);
    Model model;
    for (std::size_t i = 0; i < subgraphs.size(); ++i) {
      TIEBREAK_TRY(table, subgraphs.at(i, subgraph_place(file_, i)));
      TIEBREAK_TRY(graph, read_subgraph(table, buffers));
      if (i == 0) model = std::move(graph);
      else model.further.push_back(std::move(graph));
    }
    return model;
  }

 private:
  Status read_codes(const FlatTable& root) {
    TIEBREAK_TRY(tables, root.tables(of_model::operator_codes));
    for (std::size_t i = 0; i < tables.size(); ++i) {
      TIEBREAK_TRY(table, tables.at(i, file_ + ": operator code " + std::to_string(i)));
      TIEBREAK_TRY(short_code, table.number<std::int8_t>(of_code::short_code, 0));
      TIEBREAK_TRY(code, table.number<std::int32_t>(of_code::code, 0));
      TIEBREAK_TRY(version, table.number<std::int32_t>(of_code::version, 1));
      TIEBREAK_TRY(custom, table.text(of_code::custom));
      codes_.push_back({static_cast<Builtin>(std::max<int>(short_code, code)), version, std::move(custom)});
    }
    return {};
  }

  Result<Model> read_subgraph(const FlatTable& table, Buffers& buffers) {
    Model graph;
    TIEBREAK_TRY(name, table.text(of_subgraph::name));
    graph.name = std::move(name);
    TIEBREAK_TRY(tensors, table.tables(of_subgraph::tensors));
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      TIEBREAK_TRY(named, tensors.at(i, tensor_place(table.where(), i, "")));
      TIEBREAK_TRY(tensor_name, named.text(of_tensor::name));
      TIEBREAK_TRY(entry, tensors.at(i, tensor_place(table.where(), i, tensor_name)));
      TIEBREAK_TRY(tensor, read_tensor(entry, buffers));
      graph.tensors.push_back(std::move(tensor));
    }
    TIEBREAK_TRY(inputs, indices(table, of_subgraph::inputs, graph, false));
    TIEBREAK_TRY(outputs, indices(table, of_subgraph::outputs, graph, false));
    graph.inputs = std::move(inputs);
    graph.outputs = std::move(outputs);
    TIEBREAK_TRY(operators, table.tables(of_subgraph::operators));
    for (std::size_t i = 0; i < operators.size(); ++i) {
      TIEBREAK_TRY(entry, operators.at(i, table.where() + ", operator " + std::to_string(i)));
      TIEBREAK_TRY(read, read_operator(entry, table.where(), i, operators, graph));
      graph.operators.push_back(std::move(read));
    }
    return graph;
  }

  Result<ModelOperator> read_operator(const FlatTable& unnamed, const std::string& subgraph, std::size_t index, const FlatTables& operators,
                                      const Model& graph) {
    TIEBREAK_TRY(code_index, unnamed.number<std::uint32_t>(of_operator::code, 0));
    if (code_index >= codes_.size())
      return fail(Errc::corrupt, "its code is number " + std::to_string(code_index) + " of " + std::to_string(codes_.size()), unnamed.where());
    const Code& code = codes_[code_index];
    ModelOperator result{code.builtin, code.version, {}, {}, {}, code.custom};
    TIEBREAK_TRY(table, operators.at(index, operator_place(subgraph, index, result)));
    TIEBREAK_TRY(inputs, indices(table, of_operator::inputs, graph, true));
    TIEBREAK_TRY(outputs, indices(table, of_operator::outputs, graph, false));
    TIEBREAK_TRY(options, read_options(table, code.builtin));
    TIEBREAK_TRY(intermediates, indices(table, of_operator::intermediates, graph, false));
    result.inputs = std::move(inputs);
    result.outputs = std::move(outputs);
    result.options = std::move(options);
    result.intermediates = std::move(intermediates);
    return result;
  }

  static Result<std::vector<int>> indices(const FlatTable& table, const Field& field, const Model& graph, bool may_be_absent) {
    TIEBREAK_TRY(numbers, table.numbers<std::int32_t>(field, most_operands));
    for (std::int32_t number : numbers) {
      if (number == -1 && may_be_absent) continue;
      if (number < 0 || static_cast<std::size_t>(number) >= graph.tensors.size())
        return fail(Errc::corrupt, std::string("its ") + field.name + " name tensor " + std::to_string(number) + " of " + std::to_string(graph.tensors.size()),
                    table.where());
    }
    return std::vector<int>(numbers.begin(), numbers.end());
  }

  std::span<const std::byte> bytes_;
  const std::string& file_;
  flatbuffers::Verifier verifier_;
  std::vector<Code> codes_{};
};

}  // namespace

Result<Model> read_model(std::span<const std::byte> bytes, const std::string& file) {
  if (bytes.empty()) return fail(Errc::corrupt, "the file is empty", file);
  if (bytes.size() >= longest_file - 1) return fail(Errc::limit, "a file of 2 GiB or more", file);
  return ModelReader(bytes, file).run();
}

}  // namespace tiebreak::tflite

#else

namespace tiebreak::tflite {

Result<Model> read_model(std::span<const std::byte>, const std::string& file) {
  return fail(Errc::unsupported, "this was built without FlatBuffers, so no .tflite file can be read", file, "install libflatbuffers-dev and build again");
}

}  // namespace tiebreak::tflite

#endif
