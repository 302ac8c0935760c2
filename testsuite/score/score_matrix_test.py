# SPDX-License-Identifier: Apache-2.0
"""tools/score-matrix: a number that grows or falls fails, a reason stays, and an entry is of a pair that there is. No command is run."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest

PATH = pathlib.Path(__file__).resolve().parents[2] / "tools/score-matrix"
LOADER = importlib.machinery.SourceFileLoader("score_matrix", str(PATH))
matrix = importlib.util.module_from_spec(importlib.util.spec_from_loader("score_matrix", LOADER))
LOADER.exec_module(matrix)

PAIRS = {("a", "x.One"): ["a", "b"], ("c", "x.Two"): ["c"]}
ENTRY = {"profile": "a", "op": "x.One", "left": 2, "because": "no proof"}


class ScoreMatrixTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, matrix, "LEFT", matrix.LEFT)
        matrix.LEFT = pathlib.Path(folder.name) / "left.json"

    def say(self, *entries):
        matrix.LEFT.write_text(json.dumps({"schema": "tiebreak.score-left/1", "left": entries}), encoding="utf-8")

    def run_with(self, left, write=False):
        """The exit status where x.One leaves so many, and x.Two none."""
        matrix.score = lambda tiebreak, profile, op, seconds, jobs: left if op == "x.One" else 0
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = matrix.run("tiebreak", PAIRS, sorted(PAIRS), argparse.Namespace(seconds=1, jobs="1", write=write))
        return status, out.getvalue()

    def test_what_is_said_passes_and_nothing_else(self):
        self.say(ENTRY)
        self.assertEqual([self.run_with(left)[0] for left in (2, 3, 1, 0, None)], [0, 1, 1, 1, 1])
        self.assertIn("FAIL a:x.One", self.run_with(3)[1])
        self.say(ENTRY | {"left": 0})
        self.assertEqual([self.run_with(left)[0] for left in (0, 1, None)], [0, 1, 1])

    def test_what_nobody_knows_passes_and_is_told(self):
        for entries in ([ENTRY | {"left": None}], []):
            self.say(*entries)
            self.assertEqual([self.run_with(left)[0] for left in (None, 0, 2)], [0, 0, 0])
            self.assertIn("2, which is not said", self.run_with(2)[1])

    def test_written_anew_a_reason_stays_and_what_leaves_nothing_has_none(self):
        two = {"profile": "c", "op": "x.Two", "left": 0}
        self.say(ENTRY | {"profile": "b"})
        self.assertEqual(self.run_with(5, write=True)[0], 0)
        self.assertEqual(json.loads(matrix.LEFT.read_text(encoding="utf-8"))["left"], [ENTRY | {"profile": "b", "left": 5}, two])
        self.run_with(0, write=True)
        self.assertEqual(json.loads(matrix.LEFT.read_text(encoding="utf-8"))["left"], [{"profile": "b", "op": "x.One", "left": 0}, two])

    def test_what_nobody_knows_is_scored_where_it_is_named(self):
        self.say(ENTRY | {"left": None}, {"profile": "c", "op": "x.Two", "left": 0})
        with contextlib.redirect_stdout(io.StringIO()) as out:
            chosen = [matrix.choose(PAIRS, argparse.Namespace(pattern=pattern, list=listed, smallest=None))
                      for pattern, listed in (([], False), (["a:*"], False), ([], True))]
        self.assertEqual(chosen, [[("c", "x.Two")], [("a", "x.One")], sorted(PAIRS)])
        self.assertEqual(out.getvalue(), "1 pairs that nobody has counted are left out\n")

    def test_an_entry_is_of_a_pair(self):
        self.say(ENTRY | {"profile": "c"})
        with self.assertRaisesRegex(matrix.Fault, "no pair c:x.One"):
            matrix.said(PAIRS)
        self.say(ENTRY, ENTRY | {"profile": "b"})
        with self.assertRaisesRegex(matrix.Fault, "a:x.One stands twice, by the names a and b"):
            matrix.said(PAIRS)


if __name__ == "__main__":
    unittest.main()
