// SPDX-License-Identifier: Apache-2.0
// Dumps of a device as a log: one call of an op for each layer of a model whose operands and results were dumped.
#pragma once
#include "testsuite/identify/observed_log.hpp"
#include "testsuite/layers/model.hpp"

namespace tiebreak {

/// `model`: loaded with these dumps. `wanted`: which layers, by their ids; empty: all. The layers must be of one op (Errc::usage where several ops have
/// dumps of all that they read and give, with their names; where none has). `op`: that of the command line, "" for none. Constants of the model are what the
/// caller does not vary.
Result<ObservedLog> log_of_dumps(const Library& library, const Model& model, const Dumps& dumps, const CaseFilter& wanted, const std::string& op);

}  // namespace tiebreak
