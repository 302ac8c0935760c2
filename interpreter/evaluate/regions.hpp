// SPDX-License-Identifier: Apache-2.0
// Ops that run regions. Their pages name the structure and which region is folded over what; how a region is run, over many cells at once where its
// operations are elementwise, is decided here. One file for each way to run: folds, selection, sorting, control.
#pragma once
#include <string>
#include <vector>

#include "interpreter/bind/binder.hpp"
#include "interpreter/evaluate/evaluate.hpp"

namespace tiebreak {

/// evaluate() for ops that are run.
Result<std::vector<ResultTensor>> evaluate_regions(const Semantics& semantics, const OpCall& call, const EvaluateOptions& options);
/// evaluate() for a program some of whose inputs have undefined elements.
Result<std::vector<ResultTensor>> evaluate_values(const Semantics& semantics, const Program& program, const std::vector<ResultTensor>& inputs,
                                                  const EvaluateOptions& options);

namespace regions {

/// One call of such an op with its header bound.
struct Context {
  const Library& library;
  const Profile& profile;
  const OpCall& call;
  EvaluateOptions options{};
  BoundHeader header{};
  const notation::Structure* structure = nullptr;

  /// An operand, or the members of a variadic one, with what is undefined in them; nothing of one that is left out.
  std::vector<ResultTensor> operands(const std::string& name) const;
  std::optional<ResultTensor> operand(const std::string& name) const;
  /// Errc::constraint where an operand that is there has another shape.
  Status check_shape(const std::string& name, const Shape& shape) const;
  /// The operand that the structure line names at `position`.
  const std::string& argument(std::size_t position) const;
  /// nullptr where the call has none of this name, or `none`.
  const Attribute* attribute(const std::string& name) const;
  bool flag(const std::string& name, bool fallback) const;  ///< a truth, or a whole number that is not 0
  std::string word(const std::string& name, const std::string& fallback) const;
  /// `OP: what`, with the call's place.
  tl::unexpected<Error> refused(Errc code, const std::string& what) const;
};

/// A region and its captured values, to be run. Tensors of lanes are one-dimensional: lane i is one run of a region whose values are all scalars.
class RegionRun {
 public:
  RegionRun(const Context& context, std::size_t region);
  std::size_t parameters() const;  ///< without what it captures
  const TensorType& parameter(std::size_t position) const;
  const Program& program() const { return *region_.program; }
  Result<std::vector<ResultTensor>> run(const std::vector<ResultTensor>& arguments) const;
  Result<std::vector<ResultTensor>> run_lanes(const std::vector<ResultTensor>& arguments, std::int64_t lanes);

 private:
  Result<std::vector<ResultTensor>> run_each(const std::vector<ResultTensor>& arguments, std::int64_t lanes) const;
  bool is_elementwise() const;

  const Context& context_;
  const BoundRegion& region_;
  bool elementwise_ = false;
  std::int64_t lifted_lanes_ = -1;
  Program lifted_{};  ///< the region's program with its scalars as tensors of lanes
};

/// What a call of another op gives first, under the same profile and at the same place; an operand that is nothing is left out.
Result<ResultTensor> run_op(const Context& context, const std::string& op, const std::vector<std::optional<ResultTensor>>& operands,
                            AttributeMap attributes = {}, std::optional<TensorType> result = std::nullopt);

/// Elements of `from` at `offsets`, those below zero from the scalar `hole`; one-dimensional.
Result<ResultTensor> pick(const ResultTensor& from, const std::vector<std::int64_t>& offsets, const ResultTensor* hole = nullptr);
/// Writes the elements of `values` to `offsets` of `to`.
void put(ResultTensor& to, const std::vector<std::int64_t>& offsets, const ResultTensor& values);
/// to_destination_type: a tensor converted to the element type of a region's parameter.
Result<ResultTensor> convert_element(const Context& context, const ResultTensor& value, const TensorType& destination);
/// A tensor under another shape with as many elements.
ResultTensor reshaped(ResultTensor value, const Shape& shape);
/// Entry `place` along an axis, without that axis.
Result<ResultTensor> slice(const ResultTensor& value, std::size_t axis, std::int64_t place);
/// Tensors of one type along a new axis, at least one; `reversed` begins with the last. A negative axis counts from the end.
Result<ResultTensor> stacked(const Context& context, const std::vector<ResultTensor>& slices, std::int64_t axis, bool reversed = false);
/// The same of none.
Result<ResultTensor> empty_stack(const Context& context, const TensorType& slice, std::int64_t axis);
/// An axis of so many, a negative one from the end; Errc::constraint where `of` has none.
Result<std::size_t> axis_of(const Context& context, std::int64_t axis, std::size_t rank, const char* of);

using Results = Result<std::vector<ResultTensor>>;
Results fold(const Context& context);
Results sort(const Context& context);
Results map(const Context& context);
Results branch(const Context& context);
Results loop(const Context& context);
Results counted_loop(const Context& context);
Results scan(const Context& context);
Results rnn(const Context& context);
Results gru(const Context& context);
Results lstm(const Context& context);
Results sequence_lstm(const Context& context);
Results widened(const Context& context);
Results cholesky(const Context& context);
Results triangular_solve(const Context& context);

}  // namespace regions
}  // namespace tiebreak
