# SPDX-License-Identifier: Apache-2.0
"""Calibrators that search a histogram, written with NumPy from what their sources say: writes histogram_calibrators.json for N tensors made from seeds, or
says that numpy is not there.

    histogram_calibrators.py N FILE
    histogram_calibrators.py N --test PROGRAM     gives them to a test program
"""
import json
import os
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    numpy = None

F32 = numpy and numpy.float32


def tensors(seed):
    """Batches about zero whose ends grow, of numbers that f32 holds: histogram_calibrators_test.cpp makes the same."""
    state = seed * 2654435761 % 2**32

    def draw():
        nonlocal state
        state = (state * 1664525 + 1013904223) % 2**32
        return state >> 19

    shift, batches = draw() % 3, []
    for _ in range(3):
        size, factor = 50 + draw() % 500, 1 + draw() % 7
        batches.append([(sum(draw() for _ in range(6)) - (24576 if shift else 0)) * factor * 2.0**-14 for _ in range(size)])
    return [numpy.array(batch, dtype=F32) for batch in batches]


def relative_entropy(p, q):
    """Of two lists of weights, in their own format, each term in f64 first."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        p, q = p / numpy.sum(p), q / numpy.sum(q)
        a, b = p.astype(float), q.astype(float)
        terms = numpy.where((a > 0) & (b > 0), a * numpy.log(a / b), numpy.where((a == 0) & (b >= 0), 0.0, numpy.inf))
    return numpy.sum(terms.astype(p.dtype))


def no_further(batches, low, high):
    values = numpy.concatenate(batches)
    return max(low, values.min()), min(high, values.max())


def about_zero(batches, bins):
    """Counts and edges over plus and minus the greatest magnitude; a batch that goes beyond adds whole bins on both sides."""
    counts = edges = reach = None
    for batch in batches:
        own = numpy.array(numpy.abs(batch).max(), dtype=F32)
        if counts is None:
            counts, edges = numpy.histogram(batch, bins, range=(-own, own))
            reach = own
        elif own <= reach:
            counts = counts + numpy.histogram(batch, len(counts), range=(-reach, reach))[0]
        else:
            width = 2 * reach / len(counts)
            more = int((own - reach) // width + 1)
            reach = more * width + reach
            before = numpy.pad(counts, more)
            counts, edges = numpy.histogram(batch, len(before), range=(-reach, reach))
            counts = counts + before
    return counts, edges


def smooth(counts):
    empty = int((counts == 0).sum())
    filled = len(counts) - empty
    if not filled or 0.0001 * empty / filled >= 1:
        return None
    moved = numpy.where(counts == 0, F32(0.0001), F32(-(0.0001 * empty / filled)))
    return counts.astype(F32) + moved


def onnxruntime_divergence(batches, bins, codes):
    counts, edges = about_zero(batches, bins)
    zero, found = len(counts) // 2, []
    for half in range(codes // 2, zero + 1):
        start, stop = zero - half, min(zero + half + 1, len(counts))
        inside = counts[start:stop]
        p = inside.copy()
        p[0] += counts[:start].sum()
        p[-1] += counts[stop:].sum()
        merged = len(inside) // codes
        groups = inside[:merged * codes].reshape(codes, merged).sum(axis=1)
        groups[-1] += inside[merged * codes:].sum()
        filled = (p[:merged * codes].reshape(codes, merged) != 0).sum(axis=1)
        each = numpy.where(filled > 0, groups / numpy.maximum(filled, 1), 0).astype(numpy.int64)
        q = numpy.concatenate([numpy.repeat(each, merged), numpy.zeros(len(inside) - merged * codes, dtype=numpy.int64)])
        p, q = smooth(p), smooth(q)
        found.append(numpy.inf if p is None or q is None else relative_entropy(p, q))
    half = codes // 2 + numpy.argmin(found)
    return no_further(batches, edges[zero - half], edges[min(zero + half + 1, len(counts))])


def magnitudes(batches, bins, keep_f32):
    counts = edges = None
    for batch in batches:
        values = numpy.abs(batch)
        if counts is None:
            counts, edges = numpy.histogram(values, bins=bins)
            continue
        if values.max() > edges[-1]:
            width = edges[1] - edges[0]
            edges = numpy.hstack((edges, numpy.arange(edges[-1] + width, values.max() + width, width)))
        more = numpy.histogram(values, bins=edges)[0]
        counts = more + numpy.pad(counts, (0, len(more) - len(counts)))
        edges = edges.astype(F32) if keep_f32 else edges
    return counts, edges


def place_of_share(counts, share):
    return numpy.searchsorted(numpy.cumsum(counts / counts.sum()), share)


def onnxruntime_percentile(batches, bins, percentile, sides):
    if sides == 1:
        counts, edges = magnitudes(batches, bins, True)
        edge = edges[place_of_share(counts, percentile / 100.0)]
        return no_further(batches, -edge, edge)
    counts, edges = about_zero(batches, bins)
    cut = (100.0 - percentile) / 200.0
    return no_further(batches, edges[place_of_share(counts, cut)], edges[place_of_share(counts, 1.0 - cut)])


def tensorrt_divergence(batches, bins, start, codes):
    counts, edges = magnitudes(batches, bins, False)
    counts[0] = counts[1]
    found = []
    for reach in range(start, len(counts) + 1):
        code = numpy.digitize(numpy.arange(reach), numpy.linspace(0, reach, codes + 1)) - 1
        held = counts[:reach] != 0
        sums, filled = numpy.bincount(code[held], counts[:reach][held], codes), numpy.bincount(code[held], minlength=codes)
        q = numpy.where(held, (sums / numpy.maximum(filled, 1))[code], 0.0)
        p = counts[:reach].astype(float)
        p[-1] += counts[reach:].sum()
        found.append(relative_entropy(p, q))
    best = start + len(found) - 1 - numpy.argmin(found[::-1])  # the last of equal ones; where one is no number, the last of these
    return -edges[best], edges[best]


def tensorrt_squared_error(batches, bins, start, greatest):
    counts, edges = magnitudes(batches, bins, False)
    edges = edges.astype(F32)
    middles = (edges[1:] + edges[:-1]) / F32(2)
    found = []
    for reach in range(start, len(middles)):
        scale = F32(greatest) / middles[reach]
        values = numpy.clip(numpy.rint(middles * scale), -F32(greatest), F32(greatest)) / scale
        errors = (values - middles) ** 2 * counts.astype(F32)
        found.append(numpy.cumsum(errors.astype(float))[-1])
    best = middles[start + numpy.argmin(found)]
    return -best, best


CALIBRATORS = [
    ("onnxruntime_divergence", "i8", lambda batches: onnxruntime_divergence(batches, 128, 128)),
    ("onnxruntime_divergence:bins=512,codes=64", "i8", lambda batches: onnxruntime_divergence(batches, 512, 64)),
    ("onnxruntime_percentile", "i8", lambda batches: onnxruntime_percentile(batches, 2048, 99.999, 1)),
    ("onnxruntime_percentile:bins=300,percentile=97.5", "i8", lambda batches: onnxruntime_percentile(batches, 300, 97.5, 1)),
    ("onnxruntime_percentile:bins=300,percentile=97.5,sides=2", "i8", lambda batches: onnxruntime_percentile(batches, 300, 97.5, 2)),
    ("tensorrt_divergence", "i8", lambda batches: tensorrt_divergence(batches, 2048, 128, 128)),
    ("tensorrt_divergence:bins=200,start=16", "i4", lambda batches: tensorrt_divergence(batches, 200, 16, 8)),
    ("tensorrt_squared_error", "i8", lambda batches: tensorrt_squared_error(batches, 2048, 128, 127)),
    ("tensorrt_squared_error:bins=200,start=16", "i4", lambda batches: tensorrt_squared_error(batches, 200, 16, 7)),
]


def write(count, path):
    with open(path, "w", encoding="utf-8") as file:
        lines = []
        for name, storage, calibrate in CALIBRATORS:
            ranges = [[float(end).hex() for end in calibrate(tensors(seed))] for seed in range(1, count + 1)]
            lines.append(json.dumps({"provider": name, "storage": storage, "ranges": ranges}))
        file.write('{ "numpy": "%s", "calibrators": [\n%s\n] }\n' % (numpy.__version__, ",\n".join(lines)))


def main():
    if numpy is None or not numpy.__version__.startswith("1."):
        print("skipped: no numpy 1 here")
        return 0
    count = int(sys.argv[1])
    if sys.argv[2] != "--test":
        write(count, sys.argv[2])
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calibrators.json")
        write(count, path)
        environment = {**os.environ, "TIEBREAK_HISTOGRAM_CALIBRATORS": path}
        return subprocess.run([sys.argv[3], "--gtest_filter=HistogramCalibrators.*"], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
