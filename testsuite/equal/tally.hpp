// SPDX-License-Identifier: Apache-2.0
// Results of two formulas on the same inputs, counted; of those that differ the smallest is kept.
#pragma once
#include "testsuite/equal/compare_elements.hpp"

namespace tiebreak {

/// A column for each leaf: element i of every column together is input i.
using Columns = std::map<Leaf, Tensor>;

class Tally {
 public:
  explicit Tally(ElementVerdict& into) : into_(into) {}
  /// Evaluates both on all of the columns' inputs and counts.
  Status add(const ElementFormula& first, const ElementFormula& second, const Columns& columns, std::int64_t count);

 private:
  void differs(const ResultTensor& first, const ResultTensor& second, const Columns& columns, std::int64_t input);
  ElementVerdict& into_;
};

/// Counts an element whose two results differ.
void count_difference(const Tensor& first, const Tensor& second, std::int64_t element, ElementVerdict& verdict);
/// How far apart two codes of a type lie, in codes: integers by value, floats by their order. nan lies beyond infinity.
Wide code_distance(const ElementType& type, std::uint64_t from, std::uint64_t to);
/// The least or the greatest number of the type, or of its storage range.
bool at_end(const Tensor& tensor, std::int64_t element);
/// One code, or both nan.
bool same_result(const ElementType& type, std::uint64_t a, std::uint64_t b);
/// The inputs of a run as a witness, those that vary.
ElementWitness witness_at(const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles, std::int64_t element);
/// With the results of that element.
ElementWitness witness_of(const std::vector<Tensor>& tensors, const std::vector<InputRole>& roles, const ResultTensor& first, const ResultTensor& second,
                          std::int64_t element);
/// Result element as text: `undefined`, or its value.
std::string result_text(const ResultTensor& result, std::int64_t element);

}  // namespace tiebreak
