# SPDX-License-Identifier: Apache-2.0
"""tools/score-cases: what kills is kept and nothing else, an input that is no case is left out, types stay. No command is run."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import itertools
import json
import pathlib
import random
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "tools/score-cases"
LOADER = importlib.machinery.SourceFileLoader("score_cases", str(PATH))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("score_cases", LOADER))
LOADER.exec_module(tool)

CASE = {"name": "one", "inputs": {"x": {"type": "f32", "shape": [3], "data": [1, 2, 3]}, "y_scale": {"type": "f32", "shape": [], "data": ["0.1"]},
                                  "y_zero_point": {"type": "i8", "shape": [], "data": [0]}}}
OPTIONS = argparse.Namespace(rounds=3, tries=8, seconds=1, jobs="1", seed=1)


def cell(**states):
    """A cell with one mutant a word: alive, or the case that killed it."""
    mutants = [{"rule": word, "place": "p", "before": "a", "after": "b", "state": "killed" if case else "surviving"} | ({"killed_by": case} if case else {})
               for word, case in states.items()]
    return [{"inputs": "f32 f32 i8", "outputs": "i8", "mutants": mutants}]


class ScoreCasesTest(unittest.TestCase):
    def search(self, *answers):
        """What is kept and left where the score answers so, one after the other: the last one from then on."""
        given = []

        def score(tiebreak, profile, op, files, options, *more):
            given.append([case["name"] for case in json.loads(files[0].read_text(encoding="utf-8"))["cases"]])
            answer = answers[min(len(given), len(answers)) - 1]
            if isinstance(answer, Exception):
                raise answer
            return answer

        self.addCleanup(setattr, tool, "score", tool.score)
        tool.score = score
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            path = pathlib.Path(folder) / "cases.json"
            tool.write(path, "x.One", [CASE], {})
            return *tool.search("tiebreak", "a", "x.One", [path], OPTIONS, folder), given

    def test_what_kills_is_kept_and_nothing_else(self):
        kept, left, first, _ = self.search(cell(r="x.One/one", s=None, t=None), cell(r="x.One/search/1", s="x.One/search/3", t=None), cell(t=None))
        self.assertEqual(([case["name"] for case in kept], left, first), (["search/3"], 1, 2))

    def test_nothing_survives_and_nothing_is_asked(self):
        kept, left, first, given = self.search(cell(r="x.One/one"))
        self.assertEqual((kept, left, first, len(given)), ([], 0, 0, 1))

    def test_an_input_that_is_no_case_is_left_out(self):
        fault = tool.Fault("candidates.json:/cases/2/inputs/x: no ties")
        *_, given = self.search(cell(r="x.One/one", s=None), fault, cell(r="x.One/search/3", s="x.One/search/3"))
        self.assertEqual(given[2], [name for name in given[1] if name != "search/2"])

    def test_types_stay_and_so_does_a_scalar(self):
        draw = random.Random(1)
        for _ in range(200):
            inputs = tool.made_over(CASE, draw)["inputs"]
            self.assertEqual([operand["type"] for operand in inputs.values()], ["f32", "f32", "i8"])
            self.assertEqual([inputs[name]["shape"] for name in ("y_scale", "y_zero_point")], [[], []])
            self.assertTrue(all(("data" in operand) != ("rule" in operand) for operand in inputs.values()))
            self.assertEqual(CASE["inputs"]["x"]["data"], [1, 2, 3])

    def test_an_entry_stands_for_its_combinations(self):
        entry = CASE | {"name": "n/$T", "for": {"T": ["f16", "f32"]}, "inputs": {"x": {"type": "$T", "shape": [1], "data": [0]}}}
        self.assertEqual([(case["name"], case["inputs"]["x"]["type"]) for case in tool.expanded(entry)], [("n/f16", "f16"), ("n/f32", "f32")])

    def test_what_the_score_prints_is_read_in_both_forms(self):
        self.assertEqual(tool.witness_values("y_scale=0x1p-133 y_zero_point=-7 x=0: 7, the mutant -7"), ({"y_scale": "0x1p-133", "y_zero_point": "-7", "x": "0"}, {}))
        values, types = tool.witness_values("lhs: !quant.uniform<i8:f32, 0.5:1> = 6, rhs = -125, res: !quant.uniform<i8:f32, 3.0:5> = 4, the mutant 5")
        self.assertEqual(values, {"lhs": "6", "rhs": "-125", "res": "4"})
        self.assertEqual(types, {"lhs": "!quant.uniform<i8:f32, 0.5:1>", "res": "!quant.uniform<i8:f32, 3.0:5>"})
        self.assertEqual(tool.witness_values("lhs: !quant.uniform<i8:f32, 0.5:1>, rhs: !quant.uniform<i8:f32, 0.25>: the mutant has no result: N05")[1],
                         {"lhs": "!quant.uniform<i8:f32, 0.5:1>", "rhs": "!quant.uniform<i8:f32, 0.25>"})

    def test_a_printed_input_becomes_a_case(self):
        made = tool.stated(CASE, *tool.witness_values("y_scale=0x1p-3 y_zero_point=-7 x=0x1.8p-3: 7, the mutant -7"))
        self.assertEqual(made["inputs"], {"x": {"type": "f32", "shape": [1], "data": ["0x1.8p-3"]}, "y_scale": {"type": "f32", "shape": [], "data": ["0x1p-3"]},
                                          "y_zero_point": {"type": "i8", "shape": [], "data": [-7]}})
        self.assertIsNone(tool.stated(CASE, {"y_scale": "0x1p-3"}, {}), "three elements of x that nobody stated")

    def test_printed_parameters_of_a_type_go_into_it(self):
        case = {"inputs": {"arg": {"type": "f32", "shape": [2], "data": [1, 2]}}, "results": ["tensor<2x!quant.uniform<i8:f32, 0.5>>"]}
        made = tool.stated(case, *tool.witness_values("result.scale=0x1p-6 result.zero_point=-7 arg=512: 0, the mutant -1"))
        self.assertEqual((made["results"], made["inputs"]["arg"]["data"]), (["tensor<1x!quant.uniform<i8:f32, 0x1p-6:-7>>"], ["512"]))
        self.assertEqual(tool.with_parameter("!quant.uniform<i8:f32, 0.5:3>", "zero_point", "4"), "!quant.uniform<i8:f32, 0.5:4>")
        self.assertEqual(tool.with_parameter("!quant.uniform<i8:f32:0, {0.5:3}>", "scale", "1"), "!quant.uniform<i8:f32:0, {0.5:3}>")

    def test_a_printed_accumulator_becomes_a_row(self):
        for left, right in itertools.product(("i8", "u8"), repeat=2):
            case = {"inputs": {"a": {"type": left, "shape": [2, 3], "rule": "random"}, "a_zero_point": {"type": left, "shape": [], "data": [0]},
                               "b": {"type": right, "shape": [3, 4], "rule": "random"}, "b_zero_point": {"type": right, "shape": [], "data": [0]}}}
            for total in (1, -1, 255, 65025, 65026, -65024, 1000003, -2500001):
                inputs = tool.stated(case, {"accumulator": str(total)}, {})["inputs"]
                (a,), (b,) = inputs["a_zero_point"]["data"], inputs["b_zero_point"]["data"]
                self.assertEqual(sum((x - a) * (y - b) for x, y in zip(inputs["a"]["data"], inputs["b"]["data"], strict=True)), total)
                self.assertEqual((inputs["a"]["shape"], inputs["b"]["shape"]), ([1, len(inputs["a"]["data"])], [len(inputs["a"]["data"]), 1]))
                self.assertTrue(all(tool.limits(operand)[0] <= code <= tool.limits(operand)[1] for name, operand in (("a", left), ("b", right)) for code in inputs[name]["data"]))
        self.assertIsNone(tool.stated(case, {"accumulator": str(2**31)}, {}), "a row would be too long")

    def test_what_is_printed_is_tried_first(self):
        printed = cell(r="x.One/one", s=None)
        printed[0]["mutants"][1]["witness"] = "y_scale=0.5 y_zero_point=3 x=0x1p-2: 3, the mutant 4"
        kept, left, _, given = self.search(printed, cell(s="x.One/search/0"))
        self.assertEqual((left, given[1], kept[0]["inputs"]["y_scale"]["data"]), (0, ["search/0"], ["0.5"]))


if __name__ == "__main__":
    unittest.main()
