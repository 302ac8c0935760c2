// SPDX-License-Identifier: Apache-2.0
// Start indices that lie outside, taken otherwise: counted from the end, zero, brought inside, their windows left out. The index is replaced by the one
// whose reading by the text is the wrong reading of the index given.
#include <algorithm>

#include "interpreter/movement/move.hpp"
#include "interpreter/notation/walk.hpp"
#include "testsuite/score/misreading.hpp"

namespace tiebreak {
namespace {

/// One index, the extent of the dimension that it counts in, and of the window that starts there.
struct Start {
  std::size_t operand = 0;
  std::int64_t element = 0, size = 0, window = 0;
};

/// What the structure line names, and numbers that steer.
class Starts {
 public:
  Starts(const notation::Op& op, const notation::Structure& structure, const OpCall& call) : op_(op), structure_(structure), call_(call) {}

  std::vector<Start> run() const {
    if (structure_.path == "move.dynamic_slice") return one_each(numbers("slice_sizes"));
    if (structure_.path == "move.dynamic_update_slice") return one_each(shape(0));
    if (structure_.path == "move.gather") return of_vectors("start_index_map", numbers("slice_sizes"));
    return of_vectors("scatter_dims_to_operand_dims", update_windows());
  }

 private:
  std::vector<std::size_t> positions(const std::string& name) const { return operand_positions(op_, call_.operands.size(), name); }
  /// The first tensor of an operand.
  const Tensor* tensor(const std::string& name) const {
    const std::vector<std::size_t> found = positions(name);
    return found.empty() || !call_.operands[found.front()] ? nullptr : &*call_.operands[found.front()];
  }
  Shape shape(std::size_t argument) const {
    const Tensor* found = argument < structure_.arguments.size() ? tensor(structure_.arguments[argument].name) : nullptr;
    return found == nullptr ? Shape{} : found->shape();
  }
  /// An operand of this name, else the attribute.
  Shape numbers(const std::string& name) const {
    const Tensor* found = tensor(name);
    return (found == nullptr ? attribute_value(op_, call_, name) : Attribute{*found}).as_integers().value_or(Shape{});
  }

  /// An operand with one number for each dimension of the tensor that is cut or written.
  std::vector<Start> one_each(const Shape& windows) const {
    const Shape whole = shape(structure_.path == "move.dynamic_slice" ? 0 : 1);
    const std::vector<std::size_t> found = positions("start_indices");
    std::vector<Start> starts;
    for (std::size_t d = 0; d < found.size() && d < whole.size() && d < windows.size(); ++d) starts.push_back({found[d], 0, whole[d], windows[d]});
    return starts;
  }

  /// A tensor with vectors along `index_vector_dim`, the second argument of the structure.
  std::vector<Start> of_vectors(const std::string& index_map, const Shape& windows) const {
    const Shape whole = shape(0), indices = shape(1), map = numbers(index_map);
    const std::vector<std::size_t> found = positions(structure_.arguments.size() < 2 ? "" : structure_.arguments[1].name);
    const std::int64_t along = attribute_value(op_, call_, "index_vector_dim").as_integer().value_or(-1);
    if (found.empty() || along < 0 || along > static_cast<std::int64_t>(indices.size())) return {};
    const std::size_t axis = static_cast<std::size_t>(along);
    const std::int64_t length = axis == indices.size() ? 1 : indices[axis];
    const std::int64_t stride = axis == indices.size() ? 1 : product(indices, axis + 1, indices.size());
    std::vector<Start> starts;
    for (std::int64_t element = 0; element < product(indices, 0, indices.size()); ++element) {
      const std::size_t entry = static_cast<std::size_t>(element / stride % length);
      if (entry >= map.size() || map[entry] < 0) continue;
      const std::size_t d = static_cast<std::size_t>(map[entry]);
      if (d < whole.size() && d < windows.size()) starts.push_back({found.front(), element, whole[d], windows[d]});
    }
    return starts;
  }

  /// What one window of updates covers along each dimension of the operand.
  Shape update_windows() const {
    const Shape inserted = numbers("inserted_window_dims"), batching = numbers("input_batching_dims"), dims = numbers("update_window_dims");
    const Shape updates = shape(2);
    Shape windows(shape(0).size(), 1);
    std::size_t next = 0;
    for (std::size_t d = 0; d < windows.size(); ++d) {
      const auto is_it = [&](std::int64_t one) { return one == static_cast<std::int64_t>(d); };
      if (std::ranges::any_of(inserted, is_it) || std::ranges::any_of(batching, is_it) || next >= dims.size()) continue;
      const std::int64_t of_updates = dims[next++];
      if (of_updates >= 0 && of_updates < static_cast<std::int64_t>(updates.size())) windows[d] = updates[static_cast<std::size_t>(of_updates)];
    }
    return windows;
  }

  const notation::Op& op_;
  const notation::Structure& structure_;
  const OpCall& call_;
};

std::int64_t misread_start(const std::string& word, std::int64_t index, const Start& start) {
  const bool outside = index < 0 || index > start.size - start.window;
  if (word == "from_end") return index < 0 ? index + start.size : index;
  if (word == "to_first") return outside ? 0 : index;
  if (word == "to_end") return structure::clamped_start(index, start.size, start.window);
  return outside ? start.size : index;  // whole_windows: nothing of the window lies inside
}

}  // namespace

Reading misread_starts(const notation::Op& op, const std::string& word, OpCall& call) {
  const notation::Structure* structure = notation::structure_of(op);
  const bool moves = structure->path.starts_with("move.");  // it brings every index inside; a scatter leaves out what lies outside
  Reading state = Reading::unchanged;
  for (const Start& start : Starts(op, *structure, call).run()) {
    Tensor& indices = *call.operands[start.operand];
    const std::int64_t given = structure::near_index(indices, start.element);
    std::int64_t meant = given, read = misread_start(word, given, start);
    if (moves) meant = structure::clamped_start(meant, start.size, start.window), read = structure::clamped_start(read, start.size, start.window);
    const auto code = indices.element().encode(Real(read));
    if (meant == read || !code) continue;
    indices.set_code(start.element, *code);
    state = Reading::changed;
  }
  return state;
}

}  // namespace tiebreak
