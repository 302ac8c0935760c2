// SPDX-License-Identifier: Apache-2.0
#include "tools/adapters/xnnpack/kernels.hpp"

namespace tiebreak::xnnpack {

Status checked(xnn_status status, const std::string& step) {
  switch (status) {
    case xnn_status_success: return {};
    case xnn_status_invalid_parameter: return fail(Errc::unsupported, step + ": xnn_status_invalid_parameter");
    case xnn_status_unsupported_parameter: return fail(Errc::unsupported, step + ": xnn_status_unsupported_parameter");
    case xnn_status_unsupported_hardware: return fail(Errc::unsupported, step + ": xnn_status_unsupported_hardware");
    case xnn_status_out_of_memory: return fail(Errc::backend, step + ": xnn_status_out_of_memory");
    default: return fail(Errc::backend, step + ": status " + std::to_string(status));
  }
}

std::vector<std::int8_t> as_signed(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::int8_t> codes;
  for (std::uint8_t byte : bytes) codes.push_back(static_cast<std::int8_t>(byte));
  return codes;
}

}  // namespace tiebreak::xnnpack
