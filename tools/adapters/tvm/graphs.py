# SPDX-License-Identifier: Apache-2.0
"""The graphs on which TVM tests its pass FakeQuantizationToInteger, as facts: operators, types, scales and zero points as those tests have them, and shapes
so small that every input can be looked at. What the tests draw at random is fixed here. `tools/tvm-rules` makes pages of them, spec/rules/tvm-tests."""

GRAPHS = {}


class Graph:
    """`make` gives the expression. The claim is what the test asks for: `equal`, or `within one` where it allows a rounding error."""

    def __init__(self, name, title, claim, make, qat, optional):
        self.name, self.title, self.claim, self.make, self.qat = name, title, claim, make, qat
        self.optional = list(optional)  # operators that the pass rewrites only if it is told so


def graph(name, title, claim="equal", qat=False, optional=(), **given):
    def keep(make):
        GRAPHS[name] = Graph(name, title, claim, lambda: make(**given), qat, optional)
        return make

    return keep


def relay():
    from tvm import relay as module

    return module


def var(name, shape, dtype="int8"):
    return relay().var(name, shape=shape, dtype=dtype)


def const(value, dtype=None):
    return relay().const(value, dtype or ("float32" if isinstance(value if not isinstance(value, list) else value[0], float) else "int32"))


def real(codes, scale, zero_point=0, axis=-1):
    return relay().qnn.op.dequantize(codes, const(scale), const(zero_point), axis=axis)


def codes(value, scale, zero_point=0, dtype="int8", axis=-1):
    return relay().qnn.op.quantize(value, const(scale), const(zero_point), axis=axis, out_dtype=dtype)


# Contractions: one tap of x by one of w, so that every pair of codes is an input.
@graph("conv_i8", "Convolution to int8", out="int8")
@graph("conv_u8", "Convolution to uint8", out="uint8")
def conv(out):
    x, w = real(var("x", (1, 1, 1, 1)), 2.0), real(var("w", (1, 1, 1, 1)), 0.5)
    return codes(relay().nn.conv2d(x, w, kernel_size=[1, 1]), 1.0, dtype=out)


@graph("conv_per_channel_i8", "Convolution with a scale for each channel to int8", "within one", out="int8")
@graph("conv_per_channel_u8", "Convolution with a scale for each channel to uint8", "within one", out="uint8")
def conv_per_channel(out):
    x, w = real(var("x", (1, 1, 1, 1)), 2.0), real(var("w", (2, 1, 1, 1)), [0.37, 0.81], [37, 37], axis=0)
    return codes(relay().nn.conv2d(x, w, kernel_size=[1, 1], channels=2), 1.0, dtype=out)


@graph("dense_i8", "Dense to int8", out="int8")
@graph("dense_u8", "Dense to uint8", out="uint8")
def dense(out):
    return codes(relay().nn.dense(real(var("x", (1, 1)), 2.0), real(var("w", (1, 1)), 0.5)), 1.0, dtype=out)


@graph("dense_per_channel_i8", "Dense with a scale for each unit to int8", "within one", out="int8")
@graph("dense_per_channel_u8", "Dense with a scale for each unit to uint8", "within one", out="uint8")
def dense_per_channel(out):
    w = real(var("w", (2, 1)), [0.37, 0.81], [0, 0], axis=0)
    return codes(relay().nn.dense(real(var("x", (1, 1)), 2.0), w, units=2), 1.0, dtype=out)


@graph("dense_bias", "Dense with a bias and a scale for each unit", "within one")
def dense_bias():
    scales = [0.37, 0.81]
    w = real(var("w", (2, 1)), scales, 0, axis=0)
    bias = real(var("bias", (2,), "int32"), [2.0 * scale for scale in scales], 0)
    return codes(relay().add(relay().nn.dense(real(var("x", (1, 1)), 2.0), w, units=2), bias), 1.0)


@graph("batch_matmul_i8", "Product of batches to int8", out="int8")
@graph("batch_matmul_u8", "Product of batches to uint8", out="uint8")
def batch_matmul(out):
    return codes(relay().nn.batch_matmul(real(var("x", (1, 1, 1)), 2.0), real(var("w", (1, 1, 1)), 0.5)), 1.0, dtype=out)


def transposed_conv(w_scale=0.5, w_zero=0, outputs=1):
    x = relay().transpose(real(var("x", (1, 1, 1, 1)), 2.0), [0, 3, 1, 2])
    return relay().nn.conv2d(x, real(var("w", (outputs, 1, 1, 1)), w_scale, w_zero, axis=0 if outputs > 1 else -1), kernel_size=[1, 1])


@graph("transpose_conv", "Convolution of a transposed image")
def transpose_conv():
    return codes(transposed_conv(), 1.0)


@graph("transpose_conv_bias", "Convolution of a transposed image, bias of int32")
def transpose_conv_bias():
    return codes(relay().nn.bias_add(transposed_conv(), real(var("bias", (1,), "int32"), 1.0)), 1.0)


@graph("transpose_conv_bias_constant", "Convolution of a transposed image, bias that is a float constant")
def transpose_conv_bias_constant():
    return codes(relay().nn.bias_add(transposed_conv(), const([0.7])), 1.0)


@graph("transpose_conv_bias_per_channel", "Convolution of a transposed image, bias and scales for each channel", "within one")
def transpose_conv_bias_per_channel():
    scales = [0.46, 0.53]
    bias = real(var("bias", (2,), "int32"), [2.0 * scale for scale in scales], [0, 0], axis=0)
    return codes(relay().nn.bias_add(transposed_conv(scales, [0, 0], 2), bias), 1.0)


@graph("transpose_conv_bias_mismatch", "Convolution of a transposed image, bias of another scale")
def transpose_conv_bias_mismatch():
    return codes(relay().nn.bias_add(transposed_conv(), real(var("bias", (1,), "int32"), 2.0)), 1.0)


@graph("avg_pool_conv2d", "Average pooling before a convolution")
def avg_pool_conv2d():
    x = relay().nn.avg_pool2d(real(var("x", (1, 1, 1, 2), "uint8"), 0.64, 2), [1, 2])
    return codes(relay().nn.conv2d(x, real(var("w", (1, 1, 1, 1), "uint8"), 0.5, 10), kernel_size=[1, 1]), 1.0, dtype="uint8")


# Windows over two elements.
@graph("maxpool", "Greatest of a window")
def maxpool():
    return codes(relay().nn.max_pool2d(real(var("x", (1, 1, 1, 2)), 2.0), [1, 2]), 2.0)


@graph("avgpool", "Average of a window", "within one")
def avgpool():
    return codes(relay().nn.avg_pool2d(real(var("x", (1, 1, 1, 2)), 2.0, -12), [1, 2]), 0.5, 10)


@graph("global_avg_pool", "Average of an image", "within one")
def global_avg_pool():
    return codes(relay().nn.global_avg_pool2d(real(var("x", (1, 1, 1, 2)), 2.0, -12)), 0.5, 10)


@graph("mean", "Mean", "within one")
def mean():
    return codes(relay().mean(real(var("x", (1, 1, 1, 2), "uint8"), 2.0, 114)), 2.0, 114, "uint8")


# Operators of one operand.
def one_operand(name, title, shape, scale, operator, dtype="int8", zero_point=0, axis=-1, claim="equal"):
    @graph(name, title, claim)
    def make():
        return codes(operator(real(var("x", shape, dtype), scale, zero_point, axis)), scale, zero_point, dtype, axis)


CHANNELS = {"scale": [1.0, 2.0, 3.0], "zero_point": [96, 114, 128], "dtype": "uint8", "axis": 1, "shape": (1, 3, 1, 1)}
one_operand("reshape", "Reshape", (1, 3, 2, 2), 2.0, lambda x: relay().reshape(x, [1, 3, -1]))
one_operand("batch_flatten", "Batch flatten", (1, 3, 2, 2), 2.0, lambda x: relay().nn.batch_flatten(x))
one_operand("transpose_reshape", "Transpose and reshape", (1, 3, 2, 2), 2.0, lambda x: relay().reshape(relay().transpose(x, [1, 0, 2, 3]), [3, -1]))
one_operand("clip", "Clip to 0 and 6", (1, 3, 1, 1), 2.0, lambda x: relay().clip(x, 0, 6), "uint8", 114)
one_operand("clip_per_channel", "Clip to 0 and 6, a scale for each channel", operator=lambda x: relay().clip(x, 0, 6), **CHANNELS)
one_operand("relu", "Relu", (1, 3, 1, 1), 2.0, lambda x: relay().nn.relu(x), "uint8", 114)
one_operand("relu_per_channel", "Relu, a scale for each channel", operator=lambda x: relay().nn.relu(x), **CHANNELS)
one_operand("pad", "Padding with 0", (1, 2, 1), 1.0, lambda x: relay().nn.pad(x, [[0, 0], [0, 1], [0, 0]], 0.0), zero_point=10)


@graph("pad_with_float_min", "Padding with the least float", "within one")
def pad_with_float_min():
    x = real(codes(var("x", (1, 1, 1), "float32"), 1.0, 0, "uint8"), 1.0)
    return codes(relay().nn.pad(x, pad_width=[[0, 0], [0, 1], [0, 0]], pad_value=const(-3.40282e38)), 1.0, 0, "uint8")


# Operators of two operands.
OPERATORS = ("add", "multiply", "subtract", "minimum", "maximum")


def two_operands(word):
    @graph(f"binary_{word}", f"The operator {word}")
    def plain():
        y = getattr(relay(), word)(real(var("x", (1,)), 0.1), real(var("y", (1,)), 0.2))
        return codes(y, 20.0 if word == "multiply" else 0.1)

    @graph(f"binary_const_{word}", f"The operator {word} with a constant")
    def with_constant():
        return codes(getattr(relay(), word)(real(var("x", (1,)), 0.1, 10), const(1.0)), 0.1, 10)

    scale = 2.0 if word == "multiply" else 0.1
    for name, title, zeros in (("", "zero points 0", (0, 0, 0)), ("_operands_moved", "zero points of the operands", (1, 2, 0)), ("_moved", "three zero points", (1, 2, 2))):

        @graph(f"binary_per_channel_{word}{name}", f"The operator {word}, a scale for each channel, {title}", "within one", zeros=zeros)
        def per_channel(zeros):
            x, y = real(var("x", (1, 2)), [1.3, 4.1], zeros[0], 1), real(var("y", (1, 2)), [2.7, 3.4], zeros[1], 1)
            return codes(getattr(relay(), word)(x, y), scale, zeros[2])

    if word != "multiply":  # the tests keep one axis there

        @graph(f"binary_two_axes_{word}", f"The operator {word}, scales along two axes", "within one")
        def two_axes():
            x, y = real(var("x", (2, 2)), [1.3, 4.1], 1, 0), real(var("y", (2, 2)), [2.7, 3.4], 2, 1)
            return codes(getattr(relay(), word)(x, y), scale, 2)


for operator in OPERATORS:
    two_operands(operator)


@graph("subtract_different_output_zp", "Difference with a constant, then a transpose", "within one")
def subtract_different_output_zp():
    y = relay().subtract(real(var("x", (1, 1, 1, 3), "uint8"), 0.1, 0, 1), const(0.5))
    return codes(relay().transpose(y, axes=[0, 3, 1, 2]), 0.2, 128, "uint8", 1)


@graph("concat", "Concatenation of four scales")
def concat():
    parts = [real(var(f"x{i}", (1, 1)), i + 0.5) for i in range(4)]
    return codes(relay().concatenate(parts, axis=1), 3.5)


# What is quantized in a part of a program: the pass with its option `use_qat`.
@graph("qat_positive_single", "Product of batches alone", qat=True)
def qat_positive_single():
    return relay().nn.batch_matmul(real(var("a", (1, 1, 1)), 2.0), real(var("b", (1, 1, 1)), 6.0))


@graph("qat_positive_nothing_to_do", "Product of batches, a constant added", qat=True)
def qat_positive_nothing_to_do():
    y = relay().nn.batch_matmul(real(var("a", (1, 1, 1)), 2.0), real(var("b", (1, 1, 1)), 6.0))
    return codes(relay().add(y, const(1.0)), 1.0)


@graph("qat_intermediate", "Requantization before a product of batches", qat=True)
def qat_intermediate():
    x = real(codes(var("x", (1, 1, 1), "float32"), 17.0), 17.0)
    x = real(codes(relay().reshape(x, (1, 1, 1)), 10.0), 10.0)
    w = real(codes(relay().reshape(const(0.7), (1, 1, 1)), 1.0, 8), 4.0, 9)
    return relay().add(relay().nn.batch_matmul(x, w), const(5.0))
