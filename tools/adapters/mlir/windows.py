# SPDX-License-Identifier: Apache-2.0
"""Windows over images, as TOSA has them: channels last, two spatial dimensions, no dilation, and strides that end at the border."""
import numpy
from exchange_case import Unsupported


class Window:
    """Kernel, strides, and pads before and behind, of each of the two dimensions."""

    def __init__(self, kernel, strides, pads):
        self.kernel, self.strides, self.pads = kernel, strides, pads

    def attributes(self):
        (top, bottom), (left, right) = self.pads
        lists = {"kernel": self.kernel, "pad": (top, bottom, left, right), "stride": self.strides}
        return ", ".join(f"{name} = array<i64: {', '.join(str(int(value)) for value in values)}>" for name, values in lists.items())

    def padded(self):
        return any(before or behind for before, behind in self.pads)

    def result(self, shape):
        """Of an image with channels last."""
        extents = []
        for size, kernel, stride, (before, behind) in zip(shape[1:3], self.kernel, self.strides, self.pads, strict=True):
            room = size + before + behind - kernel
            if room < 0 or room % stride != 0:
                raise Unsupported("the op wants strides that end at the border")
            if max(before, behind) >= kernel:
                raise Unsupported("the op wants windows that are wider than the padding")
            extents.append(room // stride + 1)
        return (shape[0], *extents, shape[3])


def refuse(case, dilations):
    if case.attributes.get("ceil_mode", 0):
        raise Unsupported("ceil_mode")
    if any(step != 1 for step in case.attributes.get(dilations) or []):
        raise Unsupported("dilations")


def same_pads(size, kernel, stride, at_end):
    total = max(0, (-(-size // stride) - 1) * stride + kernel - size)
    return (total // 2, total - total // 2) if at_end else (total - total // 2, total // 2)


def onnx_window(case, data, channels_last=False):
    """The image with channels last and its window, by ONNX's attributes. One spatial dimension becomes two, the first of extent 1."""
    refuse(case, "dilations")
    count = data.ndim - 2
    if count not in (1, 2) or 0 in data.shape:
        raise Unsupported("not one or two spatial dimensions")
    image = data if channels_last else numpy.moveaxis(data, 1, -1)
    sizes, attributes = image.shape[1:-1], case.attributes
    kernel, strides = list(attributes["kernel_shape"]), list(attributes.get("strides") or [1] * count)
    mode, pads = attributes.get("auto_pad", "NOTSET"), list(attributes.get("pads") or [0] * 2 * count)
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        pads = [same_pads(*extent, mode == "SAME_UPPER") for extent in zip(sizes, kernel, strides, strict=True)]
    else:
        pads = list(zip(pads[:count], pads[count:], strict=True)) if mode in ("NOTSET", "") else [(0, 0)] * count
    if count == 1:
        image, kernel, strides, pads = image[:, numpy.newaxis], [1, *kernel], [1, *strides], [(0, 0), *pads]
    return image, Window(kernel, strides, pads)


def qnn_window(case, data):
    """The same by TVM's attributes, of which one or two numbers hold for both dimensions or both sides."""
    refuse(case, "dilation")
    layout = case.attributes.get("layout", "NCHW") or "NCHW"
    if layout not in ("NCHW", "NHWC") or data.ndim != 4 or 0 in data.shape:
        raise Unsupported(f"the layout {layout} of {data.ndim} dimensions")

    def numbers(name, count, otherwise):
        values = list(case.attributes.get(name) or [otherwise])
        return (values * (count // len(values)))[:count]

    top, left, bottom, right = numbers("padding", 4, 0)
    image = data if layout == "NHWC" else numpy.moveaxis(data, 1, -1)
    return image, Window(numbers("pool_size", 2, 1), numbers("strides", 2, 1), [(top, bottom), (left, right)])
