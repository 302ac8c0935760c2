# SPDX-License-Identifier: Apache-2.0
"""A case as an MLIR function: its data are arguments, so that nothing is folded away; parameters are constants, as the lowerings want them."""
import numpy
from exchange_case import Unsupported
from text import constant, number, tensor_type, type_of


class Function:
    """Arguments as (data, element word), the lines of the body, and the type of the result, whose channels may stand second in the case."""

    def __init__(self, arguments, lines, result, shape, element, channels_second=False):
        self.arguments, self.lines, self.result, self.shape, self.element = arguments, lines, result, shape, element
        self.channels_second = channels_second

    def text(self, name):
        arguments = ", ".join(f"%x{i}: {tensor_type(data.shape, type_of(word))}" for i, (data, word) in enumerate(self.arguments))
        result = tensor_type(self.shape, self.element)
        return f"func.func @{name}({arguments}) -> {result} {{\n" + "".join(f"  {line}\n" for line in self.lines) + f"  return {self.result} : {result}\n}}\n"


def held(name, data, word):
    """A parameter: one constant that TOSA's lowerings look into."""
    return f'%{name} = "tosa.const"() {{values = {constant(numpy.ravel(data), word)}}} : () -> {tensor_type((data.size,), type_of(word))}'


def word_of(case, name, *types):
    operand = case.operand(name)
    operand.plain(*types)
    return operand.type


def rescale(case):
    x, output = case.operand("input"), case.outputs[0]
    flags = {name: bool(case.attributes.get(name, default)) for name, default in (("scale32", 1), ("per_channel", 0), ("input_unsigned", 0), ("output_unsigned", 0))}
    mode = case.attributes.get("rounding_mode", "SINGLE_ROUND")
    multiplier, shift = case.operand("multiplier"), case.operand("shift")
    in_zp, out_zp = case.operand("input_zp"), case.operand("output_zp")
    lines = [held("m", multiplier.data, multiplier.type), held("s", shift.data, shift.type), held("iz", in_zp.data, in_zp.type), held("oz", out_zp.data, out_zp.type)]
    element, result = type_of(x.type), tensor_type(x.shape, type_of(output.type))
    one = [f"tensor<{operand.data.size}x{type_of(operand.type)}>" for operand in (multiplier, shift, in_zp, out_zp)]
    attributes = ", ".join([f"rounding_mode = {mode}"] + [f"{name} = {str(value).lower()}" for name, value in flags.items()])
    lines.append(f"%y = tosa.rescale %x0, %m, %s, %iz, %oz {{{attributes}}} : ({tensor_type(x.shape, element)}, {', '.join(one)}) -> {result}")
    return Function([(x.data, x.type)], lines, "%y", x.shape, type_of(output.type))


def zero_point(case, name, word):
    return numpy.array([case.zero_point(name, word)], dtype=numpy.int8)


def matmul(case):
    """Rows by columns, with any number of leading dimensions that are the same on both sides."""
    a, b = case.operand("A"), case.operand("B")
    a_data, b_data = a.plain("i8"), b.plain("i8")
    if a_data.ndim < 2 or a_data.ndim != b_data.ndim or a_data.shape[:-2] != b_data.shape[:-2] or 0 in a_data.shape + b_data.shape:
        raise Unsupported("the op multiplies batches of matrices of one number")
    (rows, depth), columns = a_data.shape[-2:], b_data.shape[-1]
    a_data, b_data = a_data.reshape(-1, rows, depth), b_data.reshape(-1, depth, columns)
    shape = (a_data.shape[0], rows, columns)
    lines = [held("az", zero_point(case, "a_zero_point", "i8"), "i8"), held("bz", zero_point(case, "b_zero_point", "i8"), "i8")]
    types = f"({tensor_type(a_data.shape, 'i8')}, {tensor_type(b_data.shape, 'i8')}, tensor<1xi8>, tensor<1xi8>)"
    lines.append(f"%y = tosa.matmul %x0, %x1, %az, %bz : {types} -> {tensor_type(shape, 'i32')}")
    return Function([(a_data, "i8"), (b_data, "i8")], lines, "%y", shape, "i32")


def convolution(case):
    """Channels last there, second here."""
    x, w = case.operand("x").plain("i8"), case.operand("w").plain("i8")
    attributes = case.attributes
    if x.ndim != 4 or attributes.get("group", 1) != 1 or attributes.get("auto_pad", "NOTSET") != "NOTSET" or 0 in x.shape + w.shape:
        raise Unsupported("the op has two spatial dimensions, one group and stated pads")
    top, left, bottom, right = attributes.get("pads", [0, 0, 0, 0])
    strides, dilations = attributes.get("strides", [1, 1]), attributes.get("dilations", [1, 1])
    _, channels, height, width = case.outputs[0].shape
    for extent, before, after, kernel, stride, dilation in zip(x.shape[2:], (top, left), (bottom, right), w.shape[2:], strides, dilations, strict=True):
        if (extent - 1 + before + after - (kernel - 1) * dilation) % stride != 0:
            raise Unsupported("the op wants strides that end at the border")
    shape = (x.shape[0], height, width, channels)
    lines = [held("xz", zero_point(case, "x_zero_point", "i8"), "i8"), held("wz", zero_point(case, "w_zero_point", "i8"), "i8")]
    lines.append(held("b", numpy.zeros(channels, dtype=numpy.int32), "i32"))
    x, w = x.transpose(0, 2, 3, 1), w.transpose(0, 2, 3, 1)
    lists = [", ".join(str(int(value)) for value in values) for values in (dilations, (top, bottom, left, right), strides)]
    options = f"acc_type = i32, dilation = array<i64: {lists[0]}>, pad = array<i64: {lists[1]}>, stride = array<i64: {lists[2]}>"
    types = f"({tensor_type(x.shape, 'i8')}, {tensor_type(w.shape, 'i8')}, tensor<{channels}xi32>, tensor<1xi8>, tensor<1xi8>)"
    lines.append(f"%y = tosa.conv2d %x0, %x1, %b, %xz, %wz {{{options}}} : {types} -> {tensor_type(shape, 'i32')}")
    return Function([(x, "i8"), (w, "i8")], lines, "%y", shape, "i32", channels_second=True)


def quantized_type(case, codes, expressed, word):
    """!quant.uniform of the codes, with one scale or one a slice."""
    scales = numpy.ravel(case.operand("scale").plain("f32", "f64")).tolist()
    zero_points = [0] * len(scales)
    if "zero_point" in case.operands:
        given = numpy.ravel(case.operands["zero_point"].plain("i8", "u8", "i16", "u16", "i32", "i4", "u4"))
        zero_points = numpy.broadcast_to(given, (len(scales),)).tolist()
    pairs = [f"{number(scale)}:{zero_point}" for scale, zero_point in zip(scales, zero_points, strict=True)]
    if case.operand("scale").shape == ():
        return f"!quant.uniform<{word}:{expressed}, {pairs[0]}>"
    axis = case.attributes.get("axis", -1) % max(1, codes.ndim)
    return f"!quant.uniform<{word}:{expressed}:{axis}, {{{', '.join(pairs)}}}>"


def expressed_type(word):
    if word not in ("f32", "f16", "bf16"):
        raise Unsupported(f"a float of type {word}")
    return word


def code_type(word):
    if word not in ("i4", "u4", "i8", "u8", "i16", "u16"):
        raise Unsupported(f"codes of type {word}")
    return word


def quantize(case):
    if {"least", "greatest", "magnitude"} & (set(case.attributes) | set(case.operands)):
        raise Unsupported("a range of codes")
    x, output = case.operand("x"), case.outputs[0]
    expressed, word = expressed_type(x.type), code_type(output.type)
    quantized = tensor_type(x.shape, quantized_type(case, x.data, expressed, word))
    plain, codes = tensor_type(x.shape, expressed), tensor_type(x.shape, type_of(word))
    lines = [f"%q = quant.qcast %x0 : {plain} to {quantized}", f"%y = quant.scast %q : {quantized} to {codes}"]
    return Function([(x.data, x.type)], lines, "%y", x.shape, type_of(word))


def dequantize(case):
    if "minimum" in case.operands:
        raise Unsupported("a minimum")
    code, output = case.operand("code"), case.outputs[0]
    expressed, word = expressed_type(output.type), code_type(code.type)
    quantized = tensor_type(code.shape, quantized_type(case, code.data, expressed, word))
    codes, plain = tensor_type(code.shape, type_of(word)), tensor_type(code.shape, expressed)
    lines = [f"%q = quant.scast %x0 : {codes} to {quantized}", f"%y = quant.dcast %q : {quantized} to {plain}"]
    return Function([(code.data, code.type)], lines, "%y", code.shape, expressed)


# Page -> what answers it, and the page's operands in order.
OPS = {
    "tosa.RESCALE": (rescale, "input multiplier shift input_zp output_zp"),
    "onnx.MatMulInteger": (matmul, "A B a_zero_point b_zero_point"),
    "onnx.ConvInteger": (convolution, "x w x_zero_point w_zero_point"),
    "quant.quantize": (quantize, "x scale zero_point magnitude"),
    "quant.dequantize": (dequantize, "code scale zero_point minimum"),
}
