// SPDX-License-Identifier: Apache-2.0
// A result element of a program as one formula of the input elements that it depends on: the formulas of all its ops, each put where its result is read.
#pragma once
#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/evaluate/evaluate.hpp"
#include "interpreter/formula/formula.hpp"

namespace tiebreak {

/// An element of an input of a program, or of a value at which it is cut.
struct Leaf {
  std::size_t input = 0;
  std::int64_t element = 0;
  auto operator<=>(const Leaf&) const = default;
};

struct ElementFormula {
  Formula formula{};  ///< one cell, one result, no requirement; source i is leaves[i], and reads elements[i]
  std::vector<Leaf> leaves{};
  std::vector<std::shared_ptr<Tensor>> elements{};  ///< of one element each
};

/// What the formulas of a program may not be longer than: bags are written out item by item.
constexpr std::size_t longest_formula = 4000;  // nodes

/// What an input of the program is to its formulas.
enum class InputRole : std::uint8_t {
  free,    ///< every element is a leaf
  shared,  ///< all elements have one value: a leaf, element 0
  fixed,   ///< a constant
  cut,     ///< no input, but a value at which the program is cut: every element is a leaf
};

/// Values of a program at which its formulas end, as if they were inputs: element e of cut k is Leaf{inputs + k, e}.
struct Cuts {
  std::map<ValueId, std::size_t> number{};
  std::vector<TensorType> types{};  ///< by number
};

class ProgramFormulas {
 public:
  /// Runs the program once on `inputs`: the types of what it computes come from there, and the values of fixed inputs. One role for each input.
  static Result<ProgramFormulas> bind(const Semantics& semantics, const Program& program, const std::vector<Tensor>& inputs,
                                      const std::vector<InputRole>& roles);
  ProgramFormulas(ProgramFormulas&&) noexcept;
  ~ProgramFormulas();

  const TensorType& output_type(std::size_t output) const;
  /// Errc::unsupported where an op is no formula of single elements (regions, earlier stages, results by rows, blocks, sets), or where its places depend on
  /// values; Errc::limit beyond longest_formula.
  Result<ElementFormula> element(std::size_t output, std::int64_t element) const;
  /// The same of any value, down to the cuts; the value itself may be one.
  Result<ElementFormula> element_of(ValueId value, std::int64_t element, const Cuts& cuts) const;
  const TensorType& type_of(ValueId value) const;
  const std::vector<ReachedCall>& calls() const;
  /// Whether the operation's formula holds for all values of what varies: no such operand steers places or an earlier stage.
  bool holds_for_all_values(std::size_t operation) const;

  struct Parts;
  const Parts& parts() const { return *parts_; }  ///< for equal/ alone

 private:
  explicit ProgramFormulas(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// What the formula gives for many inputs at once: `columns` has a tensor for each leaf, all of `count` elements.
Result<ResultTensor> evaluate_columns(const ElementFormula& formula, const std::map<Leaf, Tensor>& columns, std::int64_t count);

/// A text that two pairs of formulas share if they are the same, whichever leaves they read; those of shared inputs keep their names.
std::string key_of(const ElementFormula& first, const ElementFormula& second, const std::vector<InputRole>& roles);

}  // namespace tiebreak
