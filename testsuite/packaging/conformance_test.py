# SPDX-License-Identifier: Apache-2.0
"""tiebreak_add_conformance_test in a project that finds the installed package: what CTest shows, and which reports are written.
Usage: conformance_test.py CMAKE CTEST PREFIX FAULTY_ADAPTER PROJECT_FOLDER"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

EXPECTED = {
    "target": "passed", "path": "failed", "name": "passed",
    "parts/1": "passed", "parts/2": "passed", "parts/3": "passed", "parts/report": "passed",
    "known": "passed", "wrong": "failed", "excused": "passed",
    "nothing": "skipped", "nothing_is_wrong": "failed", "mistyped": "failed", "crash": "failed", "crash_is_skipped": "skipped",
}


def status_of(test):
    if test.find("skipped") is not None:
        return "skipped"
    return "failed" if test.get("status") == "fail" or test.find("failure") is not None else "passed"


class ConformanceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.build = pathlib.Path(folder.name) / "build"
        # The variables of test runners must not divide the project's own tests.
        environment = {**os.environ, "TIEBREAK_TEST_FAULTY": FAULTY, "GTEST_SHARD_INDEX": "1", "GTEST_TOTAL_SHARDS": "2"}
        environment.pop("TIEBREAK_SPEC", None)
        subprocess.run([CMAKE, "-S", PROJECT, "-B", cls.build, f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DFAULTY={FAULTY}"],
                       check=True, capture_output=True, env=environment)
        results = cls.build / "results.xml"
        subprocess.run([CTEST, "--test-dir", cls.build, "--output-junit", results, "--parallel", "2"], check=False, capture_output=True, env=environment)
        cls.tests = {test.get("name"): test for test in ElementTree.parse(results).getroot().iter("testcase")}

    def report(self, name):
        return json.loads((self.build / "tiebreak" / name).read_text(encoding="utf-8"))

    def test_each_outcome_is_shown_as_documented(self):
        self.assertEqual({name: status_of(test) for name, test in self.tests.items()}, EXPECTED)

    def test_a_failing_test_prints_the_report(self):
        text = "".join(self.tests["wrong"].itertext())
        for wanted in ("FAIL onnx.QuantizeLinear/ties", "again   tiebreak check", "1 conform, 1 fail"):
            self.assertIn(wanted, text)

    def test_a_mistyped_filter_is_told(self):
        self.assertIn("no case matches '*/tise'\n  hint: did you mean '*/ties'?", "".join(self.tests["mistyped"].itertext()))

    def test_reports_lie_in_the_build_folder(self):
        for ending in ("json", "xml", "html", "md"):
            self.assertTrue((self.build / "tiebreak/wrong" / f"report.{ending}").is_file(), ending)

    def test_shards_are_the_whole(self):
        ids = [case["id"] for index in (1, 2, 3) for case in self.report(f"parts/report-{index}.json")["cases"]]
        self.assertEqual(sorted(ids), ["onnx.QuantizeLinear/plain", "onnx.QuantizeLinear/ties"])
        self.assertEqual(sorted(case["id"] for case in self.report("parts/report.json")["cases"]), sorted(ids))

    def test_what_is_wrong_with_a_call_is_said(self):
        for call, message in (("BACKEND x SHARD 3", "SHARD"), ("PROFILE onnx", "BACKEND is missing"), ("BACKEND x SKIP always", "SKIP is"),
                              ("BACKEND x SHARDS two", "is no number")):
            with self.subTest(call=call), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "CMakeLists.txt"
                source.write_text("cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES NONE)\nfind_package(tiebreak REQUIRED COMPONENTS command)\n"
                                  f"enable_testing()\ntiebreak_add_conformance_test(t {call})\n", encoding="utf-8")
                answer = subprocess.run([CMAKE, "-S", folder, "-B", folder + "/build", f"-DCMAKE_PREFIX_PATH={PREFIX}"],
                                        capture_output=True, text=True, check=False)
                self.assertNotEqual(answer.returncode, 0)
                self.assertIn(message, answer.stderr)


if __name__ == "__main__":
    CMAKE, CTEST, PREFIX, FAULTY, PROJECT = sys.argv[1:6]
    del sys.argv[1:6]
    unittest.main()
