// SPDX-License-Identifier: Apache-2.0
// Tensors as datasets in storage type, with their element type and quantization as attributes.
#pragma once
#include <string>

#include "interpreter/tensor/tensor.hpp"
#include "testsuite/exchange/exchange.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

/// integers and truth values in 1, 2, 4 or 8 bytes, f16 f32 f64 as IEEE floats, all other floats as unsigned codes.
Result<StoredDataset> store_tensor(const Tensor& tensor, const std::string& where);

struct LoadedTensor {
  Tensor tensor;
  bool inferred = false;  ///< there was no `type`
  std::int64_t order = 0;
  std::string operand{};  ///< "": none is stated
  std::optional<ExchangeParameters> parameters{};
};
/// Takes the data out of `dataset`.
Result<LoadedTensor> load_tensor(StoredDataset& dataset, const std::string& where);

/// A tensor's name as the name of a dataset: '/', '%', control characters and a lone '.' as %2F; the empty name as %.
std::string link_name(const std::string& name);
Result<std::string> name_of_link(const std::string& link, const std::string& where);

}  // namespace tiebreak
