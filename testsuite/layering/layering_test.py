# SPDX-License-Identifier: Apache-2.0
"""Plants one violation at a time in a small clean tree: each must be found, and the clean tree must have none."""
import pathlib
import tempfile
import unittest

import layering
import rules

CLEAN = {
    "interpreter/error.hpp": "#include <tl/expected.hpp>\n",
    "interpreter/exact/real.hpp": '#include "interpreter/error.hpp"\n',
    "interpreter/exact/real.cpp": '#include "interpreter/exact/real.hpp"\n#include <boost/multiprecision/cpp_int.hpp>\n#include <mpfr.h>\n',
    "interpreter/exact/big.hpp": "#include <boost/rational.hpp>\n",
    "interpreter/evaluate/run.cpp": '#include "interpreter/semantics/library.hpp"\n#include <vector>\n',
    "testsuite/exchange/hdf5_file.cpp": '#include <hdf5.h>\n#include "interpreter/tensor/tensor.hpp"\n',
    "testsuite/oracle/oracle.cpp": "#include <cmath>\n",
    "tools/tiebreak/parse_line.cpp": '#include <CLI/CLI.hpp>\n#include "testsuite/harness/check.hpp"\n',
}
PLANTED = [
    ("interpreter/tensor/a.hpp", "#include <boost/rational.hpp>\n", "belongs in"),
    ("interpreter/evaluate/a.cpp", '#include "interpreter/exact/big.hpp"\n', "brings boost/"),
    ("interpreter/notation/a.cpp", "#include <mpfr.h>\n", "belongs in"),
    ("interpreter/notation/a.cpp", '#include "interpreter/tensor/tensor.hpp"\n', "may not include"),
    ("interpreter/exact/a.cpp", '#include "interpreter/notation/syntax.hpp"\n', "may not include"),
    ("interpreter/structure/a.cpp", '#include "interpreter/evaluate/evaluate.hpp"\n', "may not include"),
    ("interpreter/evaluate/a.cpp", '#include "testsuite/harness/check.hpp"\n', "may not include"),
    ("testsuite/exchange/a.cpp", '#include "interpreter/semantics/library.hpp"\n', "may not include"),
    ("testsuite/exchange/a.cpp", "#include <hdf5.h>\n", "belongs in"),
    ("testsuite/harness/a.hpp", "#include <nlohmann/json.hpp>\n", "belongs in"),
    ("testsuite/harness/a.cpp", "#include <CLI/CLI.hpp>\n", "belongs in"),
    ("testsuite/oracle/a.cpp", '#include "interpreter/exact/real.hpp"\n', "may not include"),
    ("testsuite/oracle/a.cpp", '#include "interpreter/error.hpp"\n', "may not include"),
    ("testsuite/harness/a.cpp", '#include "testsuite/oracle/oracle.hpp"\n', "may not include"),
    ("interpreter/program/a.cpp", "#include <onnx/onnx_pb.h>\n", "belongs in"),
    ("tools/adapters/onnxruntime/a.cpp", "#include <dnnl.h>\n", "belongs in"),
    ("testsuite/harness/a.cpp", '#include "tools/tiebreak/check.hpp"\n', "may not include"),
    ("interpreter/annex/a.cpp", '#include "interpreter/evaluate/evaluate.hpp"\n', "may not include"),
    ("testsuite/annex/a.cpp", '#include "interpreter/exact/real.hpp"\n', "is no room"),
    ("interpreter/tensor/a.cpp", "#include <Eigen/Core>\n", "no known library"),
    ("interpreter/exact/a.cpp", '#include "real.hpp"\n', "from the top"),
    ("interpreter/exact/a.cpp", "void f() { std::fesetround(0); }\n", "changes every thread"),
    ("interpreter/exact/a.cpp", "\n" * rules.LONGEST_FILE, "more than"),
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

    def test_missing_first_line_is_found(self):
        found = layering.findings(self.tree({**self.with_first_lines(CLEAN), "interpreter/exact/a.cpp": "int x;\n"}))
        self.assertEqual(found, [f"interpreter/exact/a.cpp:1: first line is not {rules.FIRST_LINE}"])


if __name__ == "__main__":
    unittest.main()
