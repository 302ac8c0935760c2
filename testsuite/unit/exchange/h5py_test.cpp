// SPDX-License-Identifier: Apache-2.0
// The files seen from Python, and Python's files seen from here.
#include <gtest/gtest.h>

#include "testsuite/exchange/exchange.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

class H5py : public testing::Test {
 protected:
  void SetUp() override {
    python_ = sample::python_with_h5py();
    if (python_.empty()) GTEST_SKIP() << "no Python with h5py (package python3-h5py)";
  }

  /// What a script prints; `arguments` are its words.
  std::string run(const std::string& script, const std::string& arguments) {
    sample::write_text(folder_.file("script.py"), script);
    const int status = sample::shell(python_ + " " + folder_.file("script.py") + " " + arguments + " > " + folder_.file("out") + " 2>&1");
    const std::string text = sample::read_text(folder_.file("out"));
    EXPECT_EQ(status, 0) << text;
    return text;
  }

  /// A response written by h5py: `body` fills the case's group `case`.
  Result<ExchangeFile> response(const std::string& body) {
    run("import sys, h5py, numpy as np\n"
        "with h5py.File(sys.argv[1], 'w') as file:\n"
        "    file.attrs.update(format='tiebreak.exchange/2', kind='response')\n"
        "    case = file.create_group('cases/op/1')\n"
        "    case.attrs['status'] = 'ok'\n"
        "    " +
            body + "\n",
        folder_.file("response.h5"));
    return read_exchange(folder_.file("response.h5"));
  }

  std::string refusal(const std::string& body) {
    const auto read = response(body);
    return read ? "it was read" : read.error().what;
  }

  sample::Folder folder_;
  std::string python_;
};

TEST_F(H5py, TheTenLinesOfTheDocumentRun) {
  const std::string page = sample::read_text(std::string(TIEBREAK_SOURCE_DIR) + "/docs/exchange.md");
  const std::size_t begin = page.find("```python\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string script = page.substr(begin + 10, page.find("```", begin + 10) - begin - 10);
  ASSERT_TRUE(write_exchange(sample::full_golden(), folder_.file("golden.h5")));
  const std::string text = run(script, folder_.file("golden.h5"));
  EXPECT_NE(text.find("onnx.QuantizeLinear/ties/2 onnx.QuantizeLinear {'axis': 1}"), std::string::npos) << text;
  EXPECT_NE(text.find("x  f32 (4,) [ 0.5  1.5  2.5 -1. ]"), std::string::npos) << text;
  EXPECT_NE(text.find("y  u8 (4,) [3 5 5 2]"), std::string::npos) << text;
}

TEST_F(H5py, SeesNaturalTypes) {
  ASSERT_TRUE(write_exchange(sample::full_golden(), folder_.file("golden.h5")));
  const std::string text =
      run("import sys, h5py\n"
          "case = h5py.File(sys.argv[1])['cases/types/all']\n"
          "for name in ['f16', 'f32', 'f64', 'bf16', 'f8e4m3fn', 'i4', 'u4', 'i16', 'u64', 'bool']: print(name, case['inputs'][name].dtype)\n"
          "a = case['attributes'].attrs\n"
          "print(a['axis'], a['truth'], a['tenth'], a['to'], list(a['pads']), list(a['no_pads']), list(a['alphas']), list(a['words']), "
          "a['infinite'])\n"
          "blocks = case['inputs/blocks'].attrs\n"
          "print(list(blocks['scale']), list(blocks['zero_point']), list(blocks['axes']), list(blocks['blocks']), "
          "list(blocks['parameter_shape']))\n"
          "print(case['inputs/narrow'].attrs['scale_text'][0], case['inputs/narrow'].attrs['storage_min'], "
          "case['inputs/narrow'].attrs['expressed_type'])\n",
          folder_.file("golden.h5"));
  EXPECT_EQ(text,
            "f16 float16\nf32 float32\nf64 float64\nbf16 uint16\nf8e4m3fn uint8\ni4 int8\nu4 uint8\ni16 int16\nu64 uint64\nbool uint8\n"
            "-1 1 0.1 b'f8e4m3fn' [0, 1, -2] [] [1.0, 0.5] [b'same', b'valid, or not'] -inf\n"
            "[1.0, 2.0, 3.0, 4.0] [0, 1, 2, 3] [0, 1] [1, 2] [2, 2]\n"
            "b'1/3' -127 b'f32'\n");
}

TEST_F(H5py, PlainResponsesAreRead) {
  const auto read = response(
      "case['outputs/y'] = np.array([1, 2], dtype=np.uint8); case['outputs/b'] = np.array([True, False]); "
      "case['outputs/h'] = np.float16(1.5); case.attrs['reason'] = 'déjà'; "
      "case['outputs'].create_dataset('c', data=np.zeros((100, 3), np.int32), chunks=(7, 3), compression='gzip'); "
      "case['outputs/e'] = np.zeros((0, 3), np.float32)");
  ASSERT_TRUE(read) << to_text(read.error());
  const ExchangeCase& one = read->cases.at(0);
  EXPECT_EQ(one.id, "op/1");
  EXPECT_EQ(one.reason, "d\xc3\xa9j\xc3\xa0");
  std::string types;
  for (const ExchangeTensor& output : one.outputs) types += output.name + ":" + to_text(output.tensor.type()) + (output.inferred ? " " : "! ");
  EXPECT_EQ(types, "b:tensor<2xi1> c:tensor<100x3xi32> e:tensor<0x3xf32> h:tensor<f16> y:tensor<2xui8> ");
}

TEST_F(H5py, WhatIsNotReadIsNamed) {
  const std::string type = "a type that is not read: little-endian integers and IEEE floats of whole bytes, truth values and texts are";
  EXPECT_EQ(refusal("case['outputs/y'] = np.array([1], dtype='>i4')"), type);
  EXPECT_EQ(refusal("case['outputs/y'] = np.array([1j])"), type);
  EXPECT_EQ(refusal("case['outputs/y'] = np.array([(1, 2)], dtype='i4,i4')"), type);
  EXPECT_EQ(refusal("case['outputs/y'] = h5py.SoftLink('/cases')"), "soft and external links are not followed");
  EXPECT_EQ(refusal("case['outputs/y'] = h5py.ExternalLink('/etc/passwd', '/')"), "soft and external links are not followed");
  EXPECT_EQ(refusal("case.create_dataset('outputs/y', (4,), 'u1', external=[('/etc/passwd', 0, 4)])"), "the data must lie in this file");
  EXPECT_EQ(refusal("case.create_dataset('outputs/y', (1 << 40,), 'u1', chunks=(4096,))"), "shape [1099511627776] has more than 2^31 elements");
  EXPECT_EQ(refusal("case.create_dataset('outputs/y', (1 << 30, 2), 'u2', chunks=(4096, 2))"), "more than 2 GiB of data");
  EXPECT_EQ(refusal("case['outputs/a'] = np.uint8(1); case['outputs/y'] = case"), "groups are nested too deeply");
  EXPECT_EQ(refusal("case['output/y'] = np.uint8(1)"), "unknown group 'output'");
  EXPECT_EQ(refusal("del case.attrs['status']"), "a case without attribute 'status' (responses) or 'id'");
  EXPECT_EQ(refusal("case.attrs['status'] = 'fine'"), "status 'fine'");
}

}  // namespace
}  // namespace tiebreak
