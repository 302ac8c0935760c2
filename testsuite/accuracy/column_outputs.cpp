// SPDX-License-Identifier: Apache-2.0
#include "testsuite/accuracy/column_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "testsuite/backends/answer.hpp"
#include "testsuite/case/request.hpp"
#include "testsuite/sources/case_readers.hpp"

namespace tiebreak {
namespace {

constexpr std::size_t most_in_a_batch = 32, fewest_batches = 4;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::size_t constant_bytes(const Program& program) {
  std::size_t bytes = 0;
  for (const ProgramValue& value : program.values)
    if (value.constant) bytes += value.constant->bytes().size();
  return bytes;
}

/// The program with the types that its inputs have here.
Program program_for(Program program, const std::vector<Tensor>& inputs) {
  for (std::size_t i = 0; i < program.inputs.size() && i < inputs.size(); ++i)
    program.values[static_cast<std::size_t>(program.inputs[i])].type = inputs[i].type();
  return program;
}

std::string reason_of(const BackendAnswer& answer) {
  if (!answer.reason.empty()) return answer.reason;
  return answer.kind == BackendAnswer::Kind::unsupported ? "not supported by the backend" : "no answer";
}

}  // namespace

std::size_t ColumnRunner::chunk() const {
  if (std::ranges::none_of(columns_, [](const AccuracyColumn& column) { return column.backend != nullptr; })) return 1;
  const std::size_t by_size = most_bytes / std::max<std::size_t>(constant_bytes(program_), 1);  // each request has the weights
  return std::clamp<std::size_t>(std::min(inputs_.size() / fewest_batches, by_size), 1, most_in_a_batch);
}

Result<InputOutputs> ColumnRunner::evaluate_input(std::size_t index, Case& test) const {
  TIEBREAK_TRY(input, inputs_.load(index));
  InputOutputs found{input.name, std::vector<ColumnOutputs>(columns_.size())};
  const bool is_open_shape = std::ranges::any_of(program_.inputs, [&](ValueId id) {
    const auto& type = program_.values[static_cast<std::size_t>(id)].type;
    return !type || is_open(type->shape);
  });
  const bool is_asked = std::ranges::any_of(columns_, [](const AccuracyColumn& column) { return column.backend != nullptr; });
  if (is_open_shape || is_asked) test.program = program_for(program_, input.tensors);
  const Program& program = is_open_shape ? test.program : program_;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].backend != nullptr) continue;
    TIEBREAK_CHECK(library_.stop().check());
    auto outputs = evaluate({library_, columns_[c].profile}, program, input.tensors, options_.evaluate);
    if (!outputs) {
      Error error = outputs.error();
      error.where = input.name + ", " + columns_[c].label() + (error.where.empty() ? "" : ": " + error.where);
      return tl::unexpected<Error>(std::move(error));
    }
    found.columns[c].outputs = *std::move(outputs);
  }
  test.id = id_part(std::filesystem::path(program_.file).stem().string()) + "/" + std::to_string(index);
  test.source = program_.file;
  test.inputs = std::move(input.tensors);
  return found;
}

void ColumnRunner::ask(std::size_t column, const std::vector<Case>& tests, std::vector<InputOutputs>& found) const {
  std::vector<ExchangeCase> requests;
  for (std::size_t i = 0; i < tests.size(); ++i) requests.push_back(to_request(library_, tests[i], columns_[column].profile, found[i].columns.front().outputs));
  std::vector<BackendAnswer> answers;
  {
    std::unique_lock lock(one_at_a_time_, std::defer_lock);
    if (!columns_[column].backend->is_parallel()) lock.lock();
    if (!interrupted()) answers = columns_[column].backend->run(requests);
  }
  answers.resize(tests.size(), inconclusive("the backend gave no answer"));
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ColumnOutputs& own = found[i].columns[column];
    const std::vector<ResultTensor>& expected = found[i].columns.front().outputs;
    if (answers[i].kind != BackendAnswer::Kind::answered) {
      own.unanswered = reason_of(answers[i]);
    } else if (answers[i].outputs.size() != expected.size()) {
      own.unanswered = fmt::format("{} outputs, not {}", answers[i].outputs.size(), expected.size());
    } else {
      for (std::size_t o = 0; o < expected.size(); ++o)
        own.outputs.push_back(
            {.name = expected[o].name, .tensor = std::move(answers[i].outputs[o].tensor), .undefined = std::move(answers[i].outputs[o].undefined)});
    }
  }
}

Result<std::vector<InputOutputs>> ColumnRunner::run(std::size_t first, std::size_t last) const {
  std::vector<InputOutputs> found;
  std::vector<Case> tests;
  for (std::size_t i = first; i < last; ++i) {
    if (interrupted()) return fail(Errc::usage, "interrupted");
    TIEBREAK_TRY(input, evaluate_input(i, tests.emplace_back()));
    found.push_back(std::move(input));
  }
  for (std::size_t c = 0; c < columns_.size(); ++c)
    if (columns_[c].backend != nullptr) ask(c, tests, found);
  if (interrupted()) return fail(Errc::usage, "interrupted");  // what a backend did not answer then says nothing about it
  return found;
}

}  // namespace tiebreak
