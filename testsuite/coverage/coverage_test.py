# SPDX-License-Identifier: Apache-2.0
"""The lists of operators against the pages, and each rule of tools/coverage on a small tree made for it. No command is run."""
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("coverage_tool", str(ROOT / "tools/coverage"))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("coverage_tool", LOADER))
LOADER.exec_module(tool)

LISTS = {"schema": "tiebreak.operators/1",
         "families": [{"prefix": "x", "title": "X", "source": "s", "version": "1", "reason": "nobody has it", "operators": ["One", "Two", "Three"], "own": ["step"],
                       "reasons": [{"reason": "is none", "operators": ["Three"]}]}]}
CASES = {"schema": "tiebreak.case/1", "op": "x.One", "cases": [
    {"name": "a/$T/$n", "for": {"T": ["f32", "f16"], "n": "1 .. 4"}, "inputs": {}}, {"name": "b", "inputs": {}, "derivation": "published: somebody"},
    {"name": "c", "inputs": {}, "derivation": "by hand"}]}
PROGRAM = {"schema": "tiebreak.case/1", "cases": [{"name": "p", "program": 'y = "x.One"(a) z = "x.Two"(y)'}]}
TREE = {
    "spec/operators.json": json.dumps(LISTS),
    "spec/x/One.md": "# x.One\n```semantics\nop x.One(a: f32) -> y: f32\n```\n```mlir\n%y = \"x.One\"(%a)\n```\n",
    "spec/x/two.md": "# x.two\n```semantics\nop x.Two(a: f32) -> y: f32\nop x.step(a: f32) -> y: f32\n```\n",
    "testsuite/cases/x/One.json": "// a comment\n" + json.dumps(CASES), "testsuite/mutants/x/Two.json": '{"schema": "tiebreak.case/1", "op": "x.Two", "notes": {"scored under": "p"}, "cases": []}',
    "testsuite/published/lib/Two.json": json.dumps({"schema": "tiebreak.case/1", "op": "x.Two", "cases": [{"name": "a", "inputs": {}}, {"name": "b", "inputs": {}}]}),
    "testsuite/cases/x/programs.json": json.dumps(PROGRAM), "testsuite/score/CMakeLists.txt": "set(score_profile_x q)\n",
    "testsuite/oracle/o.hpp": "", "testsuite/oracle/o.cpp": '{"Two", nothing}',
    "testsuite/unit/pages/named_test.cpp": '#include "testsuite/oracle/o.hpp"\n// x.step\nrun("x.One", "x.Two/choice");\n',
    "testsuite/unit/pages/joined_test.cpp": '#include "testsuite/oracle/o.hpp"\nrun("x." + op);\n', "testsuite/unit/pages/without_test.cpp": 'run("x.step");\n',
    "golden/manifest.json": '{"files": [{"op": "x.One"}, {"op": "x.One"}]}', "docs/identified.md": "### lib --fast\n\n| Op | Types |\n|---|---|\n| x.One | a |\n",
    "docs/capabilities.md": "## other\n\n| Op | Types | Plain | a | b | c | Refused |\n|---|---|---|---|---|---|---|\n| x.One | f32 | no |  |  |  | no |\n|  | f16 | 1 |  |  |  |  |\n"
                            "| x.step | f32 | no |  |  |  |  |\n",
    "docs/backends.md": "## lib\n\n| Op | Is |\n|---|---|\n| `x.step`, `x.Two` | y |\n",
    "tools/adapters/lib/CMakeLists.txt": "", "tools/adapters/other/CMakeLists.txt": "",
}


class OwnTreeTest(unittest.TestCase):
    def setUp(self):
        self.tree = tool.Tree(ROOT)

    def test_lists_and_pages_name_the_same_operators(self):
        self.assertEqual(self.tree.faults(), [])
        self.assertGreater(len(self.tree.page), 300)

    def test_each_page_that_the_document_links_has_the_operator(self):
        document = (ROOT / "docs/coverage.md").read_text(encoding="utf-8")
        linked = re.findall(r"^\| `(\w+)` \| \[[^]]+\]\(\.\./(spec/(\w+)/\w+\.md)\)", document, re.MULTILINE)
        self.assertGreater(len(linked), 300)
        for name, path, family in linked:
            with self.subTest(op=f"{family}.{name}"):
                self.assertTrue((ROOT / path).is_file(), path)
                self.assertEqual(self.tree.page.get(f"{family}.{name}"), ROOT / path)


class RulesTest(unittest.TestCase):
    def made(self, changed=None):
        """The small tree with some files otherwise, None for one that is not there."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for name, content in (TREE | (changed or {})).items():
            if content is not None:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content, encoding="utf-8")
        return tool.Tree(root)

    def lists(self, **changed):
        return {"spec/operators.json": json.dumps(LISTS | {"families": [LISTS["families"][0] | changed]})}

    def test_a_page_of_an_operator_that_no_list_names(self):
        self.assertEqual(self.made().faults(), [])
        self.assertEqual(self.made({"spec/x/New.md": "op x.New(a: f32) -> y: f32\n"}).faults(), ["spec/x/New.md has x.New, which spec/operators.json does not name"])

    def test_a_step_whose_page_is_gone(self):
        self.assertEqual(self.made({"spec/x/two.md": None}).faults(), ["spec/operators.json has x.step as a step of our own, and no page has it"])

    def test_lists_that_cannot_be(self):
        self.assertEqual(self.made(self.lists(operators=["One", "Two", "Three", "step"])).faults(), ["x.step stands twice in spec/operators.json"])
        self.assertEqual(len(self.made(self.lists(reasons=[{"reason": "r", "operators": ["Four"]}])).faults()), 1)

    def test_cases_published_and_golden(self):
        tree = self.made()
        self.assertEqual([tree.cases[op] for op in tree.listed], [2 * 4 + 2 + 1, 1, 0, 0])
        self.assertEqual([tree.published[op] for op in tree.listed], [1, 2, 0, 0])
        self.assertEqual([tree.golden[op] for op in tree.listed], [2, 0, 0, 0])
        self.assertEqual([tree.example[op] for op in tree.listed], [1, 0, 0, 0])

    def test_oracle(self):
        tree = self.made()
        self.assertEqual([tree.oracle[op] for op in tree.listed], [1, 1, 0, 0])
        self.assertEqual(self.made({"testsuite/oracle/o.cpp": ""}).oracle["x.Two"], 0)

    def test_score(self):
        self.assertEqual(self.made().score, {"x.One": "q", "x.Two": "p"})  # programs of several ops have no test
        silent = {"testsuite/mutants/x/One.json": '{"schema": "tiebreak.case/1", "op": "x.One", "notes": {"not scored": "why"}, "cases": []}'}
        self.assertEqual(self.made(silent).score["x.One"], "no")

    def test_compared_and_taken(self):
        tree = self.made()
        self.assertEqual(tree.compared["x.One"], {"lib"})
        self.assertEqual(tree.taken["x.One"], {"other"})
        self.assertEqual([tree.taken[op] for op in ("x.step", "x.Two")], [{"lib"}, {"lib"}])
        case = json.dumps(CASES | {"op": "x.step"})
        for name, content in (("testsuite/vendor/lib/a.json", case), ("testsuite/bugs/lib/a.json", case), ("tools/adapters/lib/smoke", "x.step/a/*\n"),
                              ("tools/adapters/lib/known-a.json", '[{"case": "x.step/a", "reason": "r"}]'),
                              ("testsuite/recorded/any/recorded.json", '{"system": {"name": "lib"}, "files": [{"file": "a.h5", "op": "x.step"}]}')):
            with self.subTest(name):
                self.assertNotIn("x.step", tree.compared)
                self.assertEqual(self.made({name: content}).compared["x.step"], {"lib"})

    def test_one_kind_of_check_is_enough(self):
        unpublished = {"testsuite/cases/x/One.json": None}
        self.assertTrue(self.made({"docs/identified.md": ""}).checked("x.One"))
        self.assertTrue(self.made(unpublished).checked("x.One"))
        self.assertFalse(self.made(unpublished | {"docs/identified.md": ""}).checked("x.One"))

    def test_what_is_written(self):
        tree = self.made()
        family = tree.families[0]
        self.assertEqual(tool.row(tree, family, "One"), "| `One` | [One](../spec/x/One.md) | 1 | 11 | 1 | 1 | lib, (other) | 2 | q |")
        self.assertEqual(tool.row(tree, family, "Two"), "| `Two` | [two](../spec/x/two.md) |  | 1 | 1 | 2 | (lib) |  | p |")
        self.assertEqual(tool.row(tree, family, "Three"), "| `Three` |  |  |  |  |  |  |  |  |")
        self.assertEqual(tool.totals(tree, family, family["operators"]), [3, 2, 2, 2, 2])
        self.assertEqual(tool.unchecked(tree, family, family["operators"] + family["own"])[2:4], ["- is none: `Three`", "- nobody has it: `step`"])


if __name__ == "__main__":
    unittest.main()
