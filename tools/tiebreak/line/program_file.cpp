// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/line/program_file.hpp"

namespace tiebreak::command {

Result<std::string> file_content(const Program& program, const std::string& path) {
  if (!path.ends_with(".onnx")) return print_mlir(program);
  TIEBREAK_TRY(bytes, write_onnx_model(program));
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace tiebreak::command
