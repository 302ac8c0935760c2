// SPDX-License-Identifier: Apache-2.0
// What the readers of published tables share: rows that become cases, and the op call that a row is.
#pragma once
#include <functional>

#include "testsuite/case/op_program.hpp"
#include "testsuite/sources/case_table.hpp"

namespace tiebreak {

/// Where the cases of a table gather. A row that cannot be read is a case that is not usable, with the reason.
class TableCases {
 public:
  TableCases(std::string path, const CaseFilter& wanted) : path_(std::move(path)), wanted_(wanted) {}

  /// `read` fills the program, the inputs and what the source states.
  void add(const std::string& id, const std::string& source, const std::function<Status(Case&)>& read);
  CaseList take() { return std::move(cases_); }

 private:
  std::string path_;
  const CaseFilter& wanted_;
  CaseList cases_{};
};

/// Fills a case from a row.
using ReadRow = std::function<Status(const Library& library, const JsonValue& row, Case& test)>;

/// A case a row of "cases", named by its "id".
Result<CaseList> cases_of_rows(const Library& library, const JsonValue& root, const std::string& path, const CaseFilter& wanted,
                               Status (*read_row)(const Library& library, const JsonValue& row, Case& test));

/// The value at `attrs/scale`; an error with its place if there is none.
Result<const JsonValue*> value_at(const JsonValue& row, const std::string& place);
Result<std::string> word_at(const JsonValue& row, const std::string& place);
/// One number or nested lists of them, flat. A number that C++ or Python wrote in quotes, as 0x1.8p-3, is read as well.
Result<std::vector<Real>> numbers_at(const JsonValue& row, const std::string& place);
Result<Real> number_at(const JsonValue& row, const std::string& place);
/// The nearest value of the type.
Result<Real> nearest_of(const Real& value, const std::string& type, const std::string& where);
/// A flat list, or one value if `shape` says so.
Result<Tensor> tensor_of(const std::vector<Real>& values, const std::string& type, Shape shape, const std::string& where);
/// Elements by their codes, as tables write small floats.
Result<Tensor> tensor_of_codes(const std::vector<Real>& codes, const std::string& type, const std::string& where);
StatedOutput stated_values(const std::string& name, const Tensor& values, const std::string& where);

/// A call as a row writes it; values are named by their place in the row. The first that is missing or does not fit is the error of build().
class RowCall {
 public:
  RowCall(const JsonValue& row, std::string op) : row_(row), call_{std::move(op), {}, {}, {}, 0, row.where} {}

  /// Numbers of the row as the nearest values of the type: one has shape [], lists have their own.
  RowCall& operand(const std::string& name, const std::string& type, const std::string& place);
  RowCall& operand(const std::string& name, const std::string& type, const Result<Real>& number);
  RowCall& operand(const std::string& name, Result<Tensor> tensor);
  RowCall& attribute(const std::string& name, Attribute value);
  RowCall& attribute(const std::string& name, const std::string& place);    ///< a whole number
  RowCall& type(const std::string& name, const Result<std::string>& word);  ///< an element type
  RowCall& result(const std::string& type, Shape shape);
  /// What the output is under the profile: the values at the place, or others.
  RowCall& expect(const std::string& profile, const std::string& output, const std::string& place);
  RowCall& expect(const std::string& profile, const std::string& output, const Result<Tensor>& values);
  RowCall& expect(const std::string& profile, Result<StatedOutput> output);

  Status build(const Library& library, Case& test);

 private:
  template <class Value>
  bool is_good(const Result<Value>& value);

  const JsonValue& row_;
  OpInputs call_;
  std::map<std::string, std::vector<StatedOutput>> stated_{};
  Status status_{};
};

}  // namespace tiebreak
