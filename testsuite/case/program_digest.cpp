// SPDX-License-Identifier: Apache-2.0
// Every text is followed by a byte that no text has, and before every list stands its length, so that two programs of one digest are one program.
#include "testsuite/case/program_digest.hpp"

#include <variant>

#include "interpreter/sha256.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t shown_digits = 16;

class Digest {
 public:
  void text(std::string_view words) {
    sha_.add(words);
    sha_.add(std::string_view("\0", 1));
  }
  void number(std::int64_t value) { text(std::to_string(value)); }
  void tensor(const Tensor& tensor) {
    text(to_text(tensor.type()));
    sha_.add(tensor.bytes());
  }

  void attribute(const Attribute& attribute) {
    if (const Tensor* held = std::get_if<Tensor>(&attribute.value)) return tensor(*held);  // its text is cut
    if (const AttributeList* list = std::get_if<AttributeList>(&attribute.value)) {
      text("list");
      number(static_cast<std::int64_t>(list->size()));
      for (const Attribute& item : *list) this->attribute(item);
      return;
    }
    if (const AttributeMap* map = std::get_if<AttributeMap>(&attribute.value)) return attributes(*map);
    text(to_text(attribute));
  }
  void attributes(const AttributeMap& map) {
    text("map");
    number(static_cast<std::int64_t>(map.size()));
    for (const auto& [name, value] : map) {
      text(name);
      attribute(value);
    }
  }

  void program(const Program& program) {
    number(static_cast<std::int64_t>(program.values.size()));
    for (const ProgramValue& value : program.values) {
      text(value.name);
      text(value.type ? to_text(*value.type) : "");
      number(value.constant ? 1 : 0);
      if (value.constant) tensor(*value.constant);
      attributes(value.quantize_info);
    }
    ids(program.inputs);
    ids(program.outputs);
    number(static_cast<std::int64_t>(program.operations.size()));
    for (const Operation& one : program.operations) operation(one);
  }

  std::string hex() { return sha_.hex().substr(0, shown_digits); }

 private:
  void ids(const std::vector<ValueId>& list) {
    number(static_cast<std::int64_t>(list.size()));
    for (ValueId id : list) number(id);
  }
  void operation(const Operation& operation) {
    text(operation.op);
    number(operation.version);
    ids(operation.operands);
    ids(operation.results);
    attributes(operation.attributes);
    number(static_cast<std::int64_t>(operation.regions.size()));
    for (const Region& region : operation.regions) {
      program(region.program);
      ids(region.captured);
    }
  }

  Sha256 sha_{};
};

}  // namespace

std::string program_digest(const Program& program) {
  Digest digest;
  digest.program(program);
  return digest.hex();
}

std::string tensor_digest(const Tensor& tensor) {
  Digest digest;
  digest.tensor(tensor);
  return digest.hex();
}

std::string question_digest(const Program& program, const std::vector<Tensor>& inputs) {
  Digest digest;
  digest.program(program);
  for (const Tensor& input : inputs) digest.tensor(input);
  return digest.hex();
}

}  // namespace tiebreak
