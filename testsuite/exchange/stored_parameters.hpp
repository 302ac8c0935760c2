// SPDX-License-Identifier: Apache-2.0
// Quantized types, and parameters that are known beside a plain type, as attributes of a dataset. Readers tell a quantized type by `scale_text` and
// `expressed_type`, which plain codes never have.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/exchange/file_tree.hpp"

namespace tiebreak {

/// Typed access to the attributes of a dataset; what is missing or of another kind is an error that names it.
class TensorAttributes {
 public:
  TensorAttributes(const StoredAttributes& attributes, const std::string& where) : attributes_(attributes), where_(where) {}

  bool has(const char* name) const { return attributes_.contains(name); }
  Result<std::string> text(const char* name) const;
  Result<std::int64_t> integer(const char* name) const;
  Result<std::vector<std::int64_t>> integers(const char* name) const;
  Result<std::vector<double>> reals(const char* name) const;
  Result<std::vector<std::string>> texts(const char* name) const;
  Result<ElementType> element(const char* name) const;
  Status only_known() const;

 private:
  const StoredAttributes& attributes_;
  const std::string& where_;
};

Status store_quantization(const QuantizedType& type, const TensorType& whole, StoredAttributes& attributes, const std::string& where);
Result<QuantizedType> load_quantization(const TensorAttributes& attributes, const TensorType& whole, const std::string& where);

/// Of a tensor of a quantized type the clip range and the origin; of another one all of them. Loaded `tensor` is "" where it is the dataset's own name.
Status store_parameters(const ExchangeParameters& parameters, const TensorType& whole, StoredAttributes& attributes, const std::string& where);
Result<std::optional<ExchangeParameters>> load_parameters(const TensorAttributes& attributes, const TensorType& whole, const std::string& where);

}  // namespace tiebreak
