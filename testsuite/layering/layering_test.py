# SPDX-License-Identifier: Apache-2.0
"""Plants one violation at a time in a small clean tree: each must be found, and the clean tree must have none."""
import pathlib
import tempfile
import unittest

import layering
import rules
import symbols

CLEAN = {
    "interpreter/error.hpp": "#include <tl/expected.hpp>\n",
    "interpreter/exact/real.hpp": '#include "interpreter/error.hpp"\n',
    "interpreter/exact/real.cpp": '#include "interpreter/exact/real.hpp"\n#include <boost/multiprecision/cpp_int.hpp>\n#include <mpfr.h>\n',
    "interpreter/exact/big.hpp": "#include <boost/rational.hpp>\n",
    "interpreter/evaluate/run.cpp": '#include "interpreter/semantics/library.hpp"\n#include <vector>\n',
    "testsuite/exchange/hdf5_file.cpp": '#include <hdf5.h>\n#include "interpreter/tensor/tensor.hpp"\n',
    "testsuite/oracle/oracle.cpp": "#include <cmath>\n",
    "tools/tiebreak/line/parse_line.cpp": '#include <CLI/CLI.hpp>\n#include "testsuite/check/check.hpp"\n',
}
PLANTED = [
    ("interpreter/tensor/a.hpp", "#include <boost/rational.hpp>\n", "belongs in"),
    ("interpreter/evaluate/a.cpp", '#include "interpreter/exact/big.hpp"\n', "brings boost/"),
    ("interpreter/notation/a.cpp", "#include <mpfr.h>\n", "belongs in"),
    ("interpreter/notation/a.cpp", '#include "interpreter/tensor/tensor.hpp"\n', "may not include"),
    ("interpreter/exact/a.cpp", '#include "interpreter/notation/syntax.hpp"\n', "may not include"),
    ("interpreter/structure/a.cpp", '#include "interpreter/evaluate/evaluate.hpp"\n', "may not include"),
    ("interpreter/evaluate/a.cpp", '#include "testsuite/check/check.hpp"\n', "may not include"),
    ("testsuite/exchange/a.cpp", '#include "interpreter/semantics/library.hpp"\n', "may not include"),
    ("testsuite/exchange/a.cpp", "#include <hdf5.h>\n", "belongs in"),
    ("testsuite/check/a.hpp", "#include <nlohmann/json.hpp>\n", "belongs in"),
    ("testsuite/check/a.cpp", "#include <CLI/CLI.hpp>\n", "belongs in"),
    ("testsuite/oracle/a.cpp", '#include "interpreter/exact/real.hpp"\n', "may not include"),
    ("testsuite/oracle/a.cpp", '#include "interpreter/error.hpp"\n', "may not include"),
    ("testsuite/check/a.cpp", '#include "testsuite/oracle/oracle.hpp"\n', "may not include"),
    ("interpreter/program/a.cpp", "#include <onnx/onnx_pb.h>\n", "belongs in"),
    ("tools/adapters/onnxruntime/a.cpp", "#include <dnnl.h>\n", "belongs in"),
    ("testsuite/check/a.cpp", '#include "tools/tiebreak/check.hpp"\n', "may not include"),
    ("interpreter/annex/a.cpp", '#include "interpreter/evaluate/evaluate.hpp"\n', "may not include"),
    ("testsuite/annex/a.cpp", '#include "interpreter/exact/real.hpp"\n', "is no room"),
    ("interpreter/tensor/a.cpp", "#include <Eigen/Core>\n", "no known library"),
    ("interpreter/exact/a.cpp", '#include "real.hpp"\n', "from the top"),
    ("interpreter/exact/a.cpp", "void f() { std::fesetround(0); }\n", "changes every thread"),
    ("interpreter/exact/a.cpp", "\n" * rules.LONGEST_FILE, "more than"),
    ("testsuite/check/a.cpp", '#include "testsuite/report/report.hpp"\n', "may not include"),
    ("interpreter/bind/a.cpp", '#include "interpreter/evaluate/evaluate.hpp"\n', "may not include"),
]


class LayeringTest(unittest.TestCase):
    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        return root

    def with_first_lines(self, files):
        return {path: rules.FIRST_LINE + "\n" + text for path, text in files.items()}

    def test_clean_tree_has_no_findings(self):
        self.assertEqual(layering.findings(self.tree(self.with_first_lines(CLEAN))), [])

    def test_each_planted_violation_is_found(self):
        for path, text, expected in PLANTED:
            with self.subTest(path=path, text=text.strip()):
                found = layering.findings(self.tree(self.with_first_lines({**CLEAN, path: text})))
                self.assertEqual(len(found), 1, found)
                self.assertIn(path, found[0])
                self.assertIn(expected, found[0])

    def test_a_full_folder_is_found(self):
        many = {f"interpreter/exact/a{number}.cpp": "" for number in range(rules.FULLEST_FOLDER + 1)}
        self.assertEqual(layering.findings(self.tree(self.with_first_lines(many))), ["interpreter/exact: 41 files, more than 40"])

    def test_a_type_that_two_headers_define_is_found(self):
        header = "namespace {} {{\nstruct Batch {{\n  int x;\n}};\n}}  // namespace {}\n".format
        files = {"interpreter/exact/a.hpp": header("t", "t"), "interpreter/tensor/a.hpp": header("t", "t"), "interpreter/tensor/b.hpp": header("u", "u")}
        self.assertEqual(layering.findings(self.tree(self.with_first_lines(files))), ["interpreter/tensor/a.hpp: t::Batch stands in interpreter/exact/a.hpp, too"])

    def test_a_room_that_the_guide_does_not_name_is_found(self):
        files = {**self.with_first_lines({"interpreter/exact/a.cpp": "", "interpreter/tensor/a.cpp": ""}), "docs/layout.md": "| `exact/` | numbers |\n"}
        self.assertEqual(layering.findings(self.tree(files)), ["interpreter/tensor: docs/layout.md does not name it"])

    def test_no_rooms_use_each_other(self):
        self.assertEqual(layering.circles(rules.ROOMS), [])
        self.assertEqual(layering.circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}), ["a", "b", "c"])

    def test_code_above_its_header_is_found(self):
        libraries = {"case": {"used": {"read"}, "defined": set()}, "sources": {"used": {"text"}, "defined": {"read"}}, "text": {"used": set(), "defined": {"text"}}}
        self.assertEqual(list(symbols.findings(libraries)), ["testsuite/case uses read of testsuite/sources"])

    def test_missing_first_line_is_found(self):
        found = layering.findings(self.tree({**self.with_first_lines(CLEAN), "interpreter/exact/a.cpp": "int x;\n"}))
        self.assertEqual(found, [f"interpreter/exact/a.cpp:1: first line is not {rules.FIRST_LINE}"])


if __name__ == "__main__":
    unittest.main()
