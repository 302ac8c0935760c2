// SPDX-License-Identifier: Apache-2.0
// and, or, not, and if. Engines evaluate by need and ask these with all arguments known; what an argument leaves undefined is theirs to see.
#include "interpreter/operations/operation_records.hpp"

namespace tiebreak::operations_inside {
namespace {

const OperationTraits truth_records[] = {
    {.op = NodeOp::conjunction,
     .gives = Gives::truth,
     .value = [](const Node&, Values args) -> Result<Value> { return Value(args[0].truth() && args[1].truth()); },
     .bounds = truth_bounds},
    {.op = NodeOp::disjunction,
     .gives = Gives::truth,
     .value = [](const Node&, Values args) -> Result<Value> { return Value(args[0].truth() || args[1].truth()); },
     .bounds = truth_bounds},
    {.op = NodeOp::negation,
     .arguments = 1,
     .gives = Gives::truth,
     .value = [](const Node&, Values args) -> Result<Value> { return Value(!args[0].truth()); },
     .course = always<Course::falls>,
     .bounds = truth_bounds},
    {.op = NodeOp::conditional,
     .arguments = 3,
     .value = [](const Node&, Values args) -> Result<Value> { return args[args[0].truth() ? 1 : 2]; },
     .bounds = [](const Node&, BoundsOf args) { return either(args[1], args[2]); }},
};

}  // namespace

std::span<const OperationTraits> truth_operations() { return truth_records; }

}  // namespace tiebreak::operations_inside
