// SPDX-License-Identifier: Apache-2.0
// Parameters at datasets: they read back, move a checksum, are compared, and Python sees them.
#include <gtest/gtest.h>

#include "testsuite/exchange/golden.hpp"
#include "testsuite/unit/exchange/sample.hpp"

namespace tiebreak {
namespace {

QuantizedType codes(const std::string& word, std::int64_t least, std::int64_t greatest, const std::vector<const char*>& scales, std::int64_t zero_point) {
  QuantizedType type{*ElementType::parse(word), Real(least), Real(greatest), *ElementType::parse("f32"), {}, {}, {}, {}};
  for (const char* scale : scales) {
    type.scales.push_back({*Real::parse(scale)});
    type.zero_points.push_back({Real(zero_point)});
  }
  return type;
}

/// y: per tensor, from an operand; w: along an axis, with a scale that is no double; x: numbers with parameters; t: a quantized type with fewer codes left.
ExchangeFile annotated() {
  ExchangeFile file = sample::small_golden();
  ExchangeCase& one = file.cases[0];
  one.outputs[0].parameters = ExchangeParameters{"x", codes("u8", 0, 200, {"0.5"}, 3), "recovered: y_scale of onnx.QuantizeLinear"};
  one.inputs[0].parameters = ExchangeParameters{"x", codes("u8", 0, 255, {"0x1.99999ap-4"}, 3), "annotation: min_max"};
  ExchangeTensor w = sample::named("w", sample::counted(sample::type_of("i8", {2, 3})));
  w.parameters = ExchangeParameters{"weight", codes("i8", -127, 127, {"0.5", "1/3", "0.125"}, 0), "annotation"};
  w.parameters->type.dimensions = {{1, 1}};
  w.parameters->type.parameter_shape = {3};
  one.inputs.push_back(w);
  ExchangeTensor t = sample::named("t", sample::counted(sample::type_of("i8", {2})));
  TensorType typed = t.tensor.type();
  typed.quantized = codes("i8", -128, 127, {"0.25"}, 1);
  t.tensor.set_type(typed);
  t.parameters = ExchangeParameters{"t", codes("i8", 1, 100, {"0.25"}, 1), "annotation: relu"};
  one.inputs.push_back(t);
  return file;
}

TEST(ExchangeParameters, ReadBack) {
  const sample::Folder folder;
  const ExchangeFile file = annotated();
  ASSERT_TRUE(write_exchange(file, folder.file("a.h5")));
  const auto read = read_exchange(folder.file("a.h5"));
  ASSERT_TRUE(read) << to_text(read.error());
  for (const StoredDifference& difference : diff_exchange_files(file, *read)) ADD_FAILURE() << to_text(difference);
  EXPECT_EQ(to_text(*read->cases[0].inputs[3].parameters), "weight: !quant.uniform<i8<-127:127>:f32:1, {0.5, 1/3, 0.125}> from annotation");
  EXPECT_EQ(to_text(*read->cases[0].inputs[4].parameters), "t: !quant.uniform<i8<1:100>:f32, 0.25:1> from annotation: relu");
  EXPECT_FALSE(read->cases[0].inputs[1].parameters) << "nothing is known of a scale";
}

TEST(ExchangeParameters, AFileWithoutThemIsTheFileThatItWas) {
  const sample::Folder folder;
  ASSERT_TRUE(write_exchange(sample::small_golden(), folder.file("a.h5")));
  const auto read = read_exchange(folder.file("a.h5"));
  ASSERT_TRUE(read) << to_text(read.error());
  for (const ExchangeTensor& input : read->cases[0].inputs) EXPECT_FALSE(input.parameters);
  ASSERT_TRUE(write_exchange(*read, folder.file("b.h5")));
  EXPECT_EQ(sample::read_text(folder.file("a.h5")), sample::read_text(folder.file("b.h5")));
}

TEST(ExchangeParameters, OneThatMovesIsFound) {
  const sample::Folder folder;
  const ExchangeFile file = annotated();
  ExchangeFile moved = file;
  moved.cases[0].outputs[0].parameters->type.storage_max = Real(201);
  moved.cases[0].inputs[0].parameters->from = "given";
  moved.cases[0].inputs[3].parameters.reset();
  ASSERT_TRUE(write_exchange(file, folder.file("a.h5")));
  ASSERT_TRUE(write_exchange(moved, folder.file("b.h5")));
  const auto found = diff_golden(folder.file("a.h5"), folder.file("b.h5"));
  ASSERT_TRUE(found) << to_text(found.error());
  std::string text;
  for (const StoredDifference& difference : *found) text += to_text(difference) + "\n";
  const std::string x = "x: !quant.uniform<u8:f32, 0.10000000149011612:3> from ";
  EXPECT_EQ(
      text,
      "onnx.QuantizeLinear/ties/2 parameters of inputs/x: " + x + "annotation: min_max and " + x + "given\n" +
          "onnx.QuantizeLinear/ties/2 parameters of inputs/w: weight: !quant.uniform<i8<-127:127>:f32:1, {0.5, 1/3, 0.125}> from annotation and absent\n"
          "onnx.QuantizeLinear/ties/2 parameters of outputs/y: x: !quant.uniform<u8<0:200>:f32, 0.5:3> from recovered: y_scale of onnx.QuantizeLinear and "
          "x: !quant.uniform<u8<0:201>:f32, 0.5:3> from recovered: y_scale of onnx.QuantizeLinear\n");
}

TEST(ExchangeParameters, WhatContradictsItselfIsNotWritten) {
  const sample::Folder folder;
  ExchangeFile file = annotated();
  file.cases[0].outputs[0].parameters->type.zero_points = {{Real(201)}};
  const Status written = write_exchange(file, folder.file("a.h5"));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().what.find("C7"), std::string::npos) << to_text(written.error());
  file = annotated();
  file.cases[0].outputs[0].parameters->from.clear();
  EXPECT_EQ(write_exchange(file, folder.file("a.h5")).error().what, "parameters say of what tensor they are, and where they come from");
}

TEST(ExchangeParameters, PythonSeesNumbersAndWritesThem) {
  const std::string python = sample::python_with_h5py();
  if (python.empty()) GTEST_SKIP() << "no Python with h5py (package python3-h5py)";
  const sample::Folder folder;
  ASSERT_TRUE(write_exchange(annotated(), folder.file("golden.h5")));
  // What the codes stand for, by numpy alone: (code - zero_point) * scale, with the attributes of the dataset.
  sample::write_text(
      folder.file("script.py"),
      "import sys, h5py, numpy as np\n"
      "case = h5py.File(sys.argv[1])['cases/onnx.QuantizeLinear/ties/2']\n"
      "y, w, t = case['outputs/y'], case['inputs/w'], case['inputs/t']\n"
      "print(((y[()].astype(int) - y.attrs['zero_point']) * y.attrs['scale']).tolist(), y.attrs['clip_min'], y.attrs['clip_max'], y.attrs['from'])\n"
      "print((w[()] * w.attrs['scale']).tolist(), w.attrs['axis'].tolist(), w.attrs['exact_scale'][1], w.attrs['tensor'])\n"
      "print('scale_text' in y.attrs, 'expressed_type' in y.attrs, 'scale_text' in t.attrs, t.attrs['storage_max'], t.attrs['clip_max'])\n"
      "with h5py.File(sys.argv[2], 'w') as file:\n"
      "    file.attrs.update(format='tiebreak.exchange/2', kind='response')\n"
      "    case = file.create_group('cases/op/1')\n"
      "    case.attrs['status'] = 'ok'\n"
      "    y = case.create_dataset('outputs/y', data=np.array([1, 2], np.int8))\n"
      "    y.attrs.update(scale=[0.25], zero_point=[-1], clip_min=-127, clip_max=127, real_type='f32', tensor='x')\n"
      "    y.attrs['from'] = 'given'\n");
  const std::string words = folder.file("script.py") + " " + folder.file("golden.h5") + " " + folder.file("response.h5");
  EXPECT_EQ(sample::shell(python + " " + words + " > " + folder.file("out") + " 2>&1"), 0);
  EXPECT_EQ(sample::read_text(folder.file("out")),
            "[0.0, 1.0, 1.0, -0.5] 0 200 b'recovered: y_scale of onnx.QuantizeLinear'\n"
            "[[0.0, 0.3333333333333333, 0.25], [1.5, 1.3333333333333333, 0.625]] [1] b'1/3' b'weight'\n"
            "False False True 127 100\n");
  const auto read = read_exchange(folder.file("response.h5"));
  ASSERT_TRUE(read) << to_text(read.error());
  ASSERT_TRUE(read->cases[0].outputs[0].parameters);
  EXPECT_EQ(to_text(*read->cases[0].outputs[0].parameters), "x: !quant.uniform<i8<-127:127>:f32, 0.25:-1> from given");
}

}  // namespace
}  // namespace tiebreak
