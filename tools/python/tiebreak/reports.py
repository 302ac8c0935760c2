# SPDX-License-Identifier: Apache-2.0
"""A report of `tiebreak check` (docs/reports.md) as an object."""
import json
import re
from dataclasses import dataclass

from .errors import Error


@dataclass(frozen=True)
class Element:
    """One element that differs. Values are texts that read back exactly, `bits` the codes.

    index        its place in the output, a tuple
    inputs       the input elements that belong to it: "x=2.5 y_scale=1"
    difference   in LSB or ulp
    exact        the value that entered the last rounding, to_boundary its distance to where that rounding turns (0: a tie); "" where there is none
    excused      the policy lets it pass
    right        what is right where that is not one value
    """
    case: str
    output: str
    index: tuple
    flat_index: int
    expected: str
    actual: str
    expected_bits: int | None
    actual_bits: int | None
    difference: str
    inputs: str = ""
    exact: str = ""
    to_boundary: str = ""
    excused: bool = False
    right: str = ""


@dataclass(frozen=True)
class CaseReport:
    """One case: its status (docs/exit-codes.md), how many elements of its outputs were compared and differ, those that were kept (`check(show=...)`), and commands.

    cause      the semantics that gives exactly these outputs, "" where none is known
    clauses    where it parts from the expected one: (choice, expected, found, place)
    reproduce  the command that judges this case again
    explain    the command that shows every step of the first element that differs
    """
    id: str
    op: str
    status: str
    reason: str
    notes: tuple
    compared: int
    different: int
    elements: tuple
    cause: str
    clauses: tuple
    reproduce: str
    explain: str


@dataclass(frozen=True, eq=False)
class Report:
    """A run of check.

    exit_code  of the command; 0: everything conforms or is an expected failure
    text       the report for people
    context    what the verdict rests on: versions, hashes, profile, backend
    counts     number of cases of each status
    cases      a CaseReport each
    causes     what explains all failing cases of an op, in words
    data       the JSON as it is
    """
    exit_code: int
    text: str
    context: dict
    counts: dict
    cases: tuple
    causes: tuple
    data: dict

    @property
    def conforms(self):
        """Whether the command ended with 0."""
        return self.exit_code == 0

    @property
    def failing(self):
        """The elements that are kept of failing cases."""
        return [element for case in self.cases if case.status == "fail" for element in case.elements if not element.excused]

    def __str__(self):
        return self.text


def _bits(text):
    return int(text, 16) if text.startswith("0x") else None


def _elements(case):
    for output in case["outputs"]:
        for first in output["first"]:
            index = tuple(int(place) for place in re.findall(r"\d+", first["index"]))
            yield Element(case["id"], output["name"], index, first["flat_index"], first["expected"], first["actual"], _bits(first["expected_bits"]), _bits(first["actual_bits"]),
                          first["difference"], first.get("inputs", ""), first.get("exact", ""), first.get("to_boundary", ""), first.get("excused", False), first.get("right", ""))


def _case(case):
    cause = case.get("cause", {})
    explains = cause.get("explains", False)
    return CaseReport(case["id"], case["op"], case["status"], case.get("reason", ""), tuple(case.get("notes", ())), sum(output["compared"] for output in case["outputs"]),
                      sum(output["different"] for output in case["outputs"]), tuple(_elements(case)), cause.get("name", "") if explains else "",
                      tuple((clause["choice"], clause["expected"], clause["found"], clause["place"]) for clause in cause.get("clauses", ())) if explains else (),
                      case["reproduce"], case.get("explain", ""))


def report_of(text, exit_code=0, shown=""):
    """A Report from its JSON. Error where it is none."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise Error(f"not a report: {error}") from error
    if not isinstance(data, dict) or data.get("schema") != "tiebreak.report/1":
        raise Error("not a report: no tiebreak.report/1")
    try:
        return Report(exit_code, shown, data["context"], data["counts"], tuple(map(_case, data["cases"])), tuple(cause["words"] for cause in data.get("causes", ())), data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Error(f"not a report: {type(error).__name__} {error}") from error
