// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/stablehlo/printed_tensors.hpp"

#include "interpreter/program/program.hpp"
#include "testsuite/backends/child_process.hpp"

namespace tiebreak::stablehlo {
namespace {

class Reader {
 public:
  explicit Reader(const std::string& text) : text_(text) {}

  Result<Tensor> tensor(const TensorType& type) {
    skip_blanks();
    TIEBREAK_TRY(stated, until("{"));
    while (!stated.empty() && stated.back() == ' ') stated.pop_back();
    if (stated != to_text(type)) return fail(Errc::backend, "it printed '" + printable(stated.substr(0, 200)) + "', asked for was " + to_text(type));
    TIEBREAK_TRY(content, until("}"));
    return elements(content, type);
  }

  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \n\r\t", at_), text_.size()); }

  Result<std::string> until(const std::string& mark) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string::npos) {
      const std::string rest = text_.substr(at_, 200);
      return fail(Errc::backend, "what it printed is no tensor: " + (rest.empty() ? "nothing" : "'" + printable(rest) + "'"));
    }
    std::string part = text_.substr(at_, end - at_);
    at_ = end + mark.size();
    return part;
  }

  static Result<Tensor> elements(std::string content, const TensorType& type) {
    for (char& c : content) {
      if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    }
    TIEBREAK_TRY(count, element_count(type.shape));
    if (count == 0) return Tensor::zeros(type);
    auto read = parse_literal(content, type, "printed");
    if (!read) return fail(Errc::backend, "what it printed is no " + to_text(type) + ": " + read.error().what);
    return read;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<Tensor>> printed_tensors(const std::string& text, const std::vector<TensorType>& types) {
  Reader reader(text);
  std::vector<Tensor> tensors;
  for (const TensorType& type : types) {
    TIEBREAK_TRY(tensor, reader.tensor(type));
    tensors.push_back(std::move(tensor));
  }
  if (!reader.at_end()) return fail(Errc::backend, "it printed more than " + std::to_string(types.size()) + " results");
  return tensors;
}

}  // namespace tiebreak::stablehlo
