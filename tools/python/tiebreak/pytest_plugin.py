# SPDX-License-Identifier: Apache-2.0
"""The fixture `tiebreak_check` (docs/python.md). pytest finds it by the entry point of the installed package; elsewhere by
`pytest_plugins = ["tiebreak.pytest_plugin"]` in conftest.py."""
import itertools

import pytest


@pytest.fixture
def tiebreak_check(tmp_path):
    """tiebreak_check("onnx.QuantizeLinear", x, scale, actual=y, profile="onnx") fails the test with the verdict where `y` is not what the page says under the profile:
    index, inputs, expected, actual, exact value, cause, and the commands that judge and explain it again. The files that they name lie in the test's folder, which
    pytest keeps for a while.

    `function` instead of `actual` is called with the operands by place and the `inputs` by name. All other arguments are those of `tiebreak.judge`; the Report is
    returned. What does not answer the question, such as an array of another shape, fails the test, too; tiebreak.Error is raised where the question is wrong."""
    numbers = itertools.count()

    def judged(op="", *operands, actual=None, function=None, inputs=None, **more):
        __tracebackhide__ = True
        import tiebreak  # here, so that runs of pytest which do not ask load nothing

        if (actual is None) == (function is None):
            raise tiebreak.Error("give either actual= or function=")
        if function is not None:
            actual = function(*operands, **(inputs or {}))
        report = tiebreak.judge(op, *operands, actual=actual, inputs=inputs, folder=tmp_path / f"tiebreak-{next(numbers)}", **more)
        if not report.conforms:
            pytest.fail(report.text.rstrip(), pytrace=False)
        return report

    return judged
