#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""node_test_families.py REPORT: of a report of `tiebreak check FOLDER --backend reference --json REPORT` on ONNX's node tests, how many conform, and how
many of the others each reason keeps back. A test counts for the first operator of its model that has no page, or for what the reader or the page refuses."""
import collections
import json
import re
import sys

# Operators that the same work would bring. What is named nowhere stands under its own name.
FAMILIES = {
    "attention": "Attention LinearAttention FlexAttention RotaryEmbedding CausalConvWithState SwiGLU TensorScatter",
    "losses and training": "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss Momentum Adagrad Adam Gradient",
    "gathering and scattering by index": "GatherElements GatherND ScatterElements ScatterND Scatter OneHot Compress NonZero Unique ReverseSequence MaxUnpool",
    "recurrent networks": "RNN GRU LSTM",
    "signals": "DFT STFT HannWindow HammingWindow BlackmanWindow MelWeightMatrix",
    "images": "GridSample RoiAlign MaxRoiPool AffineGrid DeformConv Col2Im NonMaxSuppression CenterCropPad ImageDecoder",
    "running sums and products": "CumSum CumProd",
    "inverse and hyperbolic functions": "Acos Acosh Asin Asinh Atan Atanh Cosh Sinh",
    "norms and pools": "LpNormalization LpPool GlobalLpPool GroupNormalization MeanVarianceNormalization LRN",
    "random numbers": "Bernoulli RandomUniformLike RandomNormalLike RandomUniform RandomNormal Multinomial",
    "bits": "BitCast BitShift",
    "small matrices": "Det Einsum EyeLike",
    "sequences, optionals, strings and trees": "SequenceAt SequenceInsert SequenceConstruct SequenceEmpty SequenceErase SequenceLength SplitToSequence ConcatFromSequence OptionalHasElement "
                                               "OptionalGetElement Optional StringNormalizer StringConcat StringSplit RegexFullMatch TfIdfVectorizer TreeEnsemble ArrayFeatureExtractor Binarizer LabelEncoder",
}
OF_OPERATOR = {op: family for family, ops in FAMILIES.items() for op in ops.split()}


def family_of(reason):
    operator = re.search(r"unknown op '([\w.]+)'|does not list ([\w.]+)", reason)
    if operator:
        name = (operator[1] or operator[2]).rsplit(".", 1)[1]
        return OF_OPERATOR.get(name, name)
    if "subgraphs" in reason:
        return "subgraphs"
    if re.search(r"data type|tensor segments|has more than 2\^31|not a readable|sequence|optional", reason):
        return "sequences, optionals, strings and trees"
    page = re.search(r"onnx\.(\w+):? (?:the mode (\w+)|has no attribute '(\w+)'|.*)", reason)
    if page and page[2]:
        return f"{page[1]}, mode {page[2]}"
    return f"{page[1]}, a form of it" if page else reason[:60]


if __name__ == "__main__":
    cases = json.load(open(sys.argv[1], encoding="utf-8"))["cases"]
    statuses = collections.Counter(case["status"] for case in cases)
    print(f"{len(cases)} tests: " + ", ".join(f"{count} {status}" for status, count in statuses.most_common()))
    families = collections.Counter(family_of(case.get("reason", "")) for case in cases if case["status"] not in ("conform", "fail"))
    for family, count in sorted(families.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:5}  {family}")
