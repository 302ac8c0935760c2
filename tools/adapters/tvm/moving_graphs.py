# SPDX-License-Identifier: Apache-2.0
"""More graphs of the test of FakeQuantizationToInteger, into the table of graphs.py: operators that move codes, take parts of a tensor, or are no operators of QNN."""
from graphs import codes, const, graph, one_operand, real, relay, var

one_operand("expand_dims", "One more dimension", (1, 3), 2.0, lambda x: relay().expand_dims(x, axis=1))
one_operand("squeeze", "One dimension less", (1, 3), 2.0, lambda x: relay().squeeze(x, axis=[0]))
one_operand("strided_slice", "A part", (1, 3, 2, 2), 2.0, lambda x: relay().strided_slice(x, begin=[0, 0, 0, 0], end=[1, 1, 1, 1]))
one_operand("split_halves", "The first half", (1, 4), 2.0, lambda x: relay().split(x, axis=1, indices_or_sections=2)[0])
one_operand("split_places", "The second of four parts", (1, 4), 2.0, lambda x: relay().split(x, axis=1, indices_or_sections=[1, 2, 3])[1])
one_operand("depth_to_space", "Channels to places", (1, 4, 1, 1), 2.0, lambda x: relay().nn.depth_to_space(x, 2))
one_operand("abs", "Absolute value", (1, 3), 2.0, lambda x: relay().abs(x))
one_operand("leaky_relu", "Leaky rectifier", (1, 3), 2.0, lambda x: relay().nn.leaky_relu(x, 0.1), "uint8", 114, claim="within one")
one_operand("image_resize", "Image of another size, linear", (1, 1, 1, 2), 2.0, lambda x: relay().image.resize2d(x, size=[1, 4], method="linear"), claim="within one")
for word in ("max", "min"):
    one_operand(word, f"The operator {word} after channels became places", (1, 2, 1, 1), 2.0, lambda x, word=word: getattr(relay(), word)(relay().nn.depth_to_space(x, 1)))
    one_operand(f"{word}_axis", f"The operator {word} along an axis after channels became places", (1, 8, 1, 1), 2.0,
                lambda x, word=word: getattr(relay(), word)(relay().nn.depth_to_space(x, 2), axis=1))

for dtype in ("int8", "uint8"):
    for name, title, k, axis, ascend in (("all", "Every element, the greatest first", 0, 0, False), ("least", "The least element", 1, -1, True), ("greatest", "The two greatest", 2, 1, False)):
        one_operand(f"topk_{name}_{dtype}", f"{title}, of {dtype}", (1, 2), 2.0,
                    lambda x, k=k, axis=axis, ascend=ascend: relay().topk(x, k, axis, "values", ascend, "float32"), dtype)


@graph("adaptive_avg_pool1d", "Average of a line", "within one")
def adaptive_avg_pool1d():
    return codes(relay().nn.adaptive_avg_pool1d(real(var("x", (1, 1, 2)), 2.0, -12), 1), 0.5, 10)


@graph("take", "Slices that indices name, from int8 to uint8")
def take():
    return codes(relay().take(real(var("x", (3, 1)), 2.0, 114), const([2, 0, 1, 2]), axis=0), 2.0, 114, "uint8")


@graph("conv2d_transpose_i8", "Transposed convolution to int8", out="int8")
@graph("conv2d_transpose_u8", "Transposed convolution to uint8", out="uint8")
def conv2d_transpose(out):
    x, w = real(var("x", (1, 1, 1, 1)), 2.0), real(var("w", (1, 1, 1, 1)), 0.5)
    return codes(relay().nn.conv2d_transpose(x, w, kernel_size=[1, 1], data_layout="NCHW", kernel_layout="IOHW"), 1.0, dtype=out)


# The test has the scales 1/10 and 1/100, too. Every pair of codes through a softmax takes half a minute.
@graph("softmax_one", "Softmax of codes with the scale 1.0", "within one", optional=("nn.softmax",), scale=1.0)
def softmax(scale):
    return codes(relay().nn.softmax(real(var("x", (1, 2)), scale), axis=1), 1.0 / 256.0, -128)


@graph("qat_positive_couple", "Reshape and broadcast before a product of batches", qat=True)
def qat_positive_couple():
    a, b = real(var("a", (1, 1, 2)), 2.0), real(var("b", (1,)), 6.0)
    return relay().nn.batch_matmul(relay().reshape(a, (1, 2, 1)), relay().broadcast_to(b, (1, 2, 1)))
