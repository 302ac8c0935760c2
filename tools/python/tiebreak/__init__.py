# SPDX-License-Identifier: Apache-2.0
"""Tiebreak from Python: golden files and records read, ops evaluated exactly, backends and arrays held against a profile. Everything is computed by the command
`tiebreak`, which is found by $TIEBREAK, beside this package, or on PATH. Arrays hold codes: what numpy lacks (bf16, f8, i4) comes as uint8, uint16 or int8, with the
type's text beside (`Tensor`). Every failure is a `tiebreak.Error`. docs/python.md has examples; `tiebreak.adapter` is for backends, `tiebreak.pytest_plugin` has the
fixture `tiebreak_check`."""
from .case_text import ElementType, operand_names
from .checking import check, judge
from .errors import Error
from .evaluation import eval, eval_cases, eval_tensors  # noqa: A004
from .exchange_files import Case, ExchangeFile, open_exchange, read_golden
from .listing import Profile, backends, ops, profiles
from .parameters import Parameters
from .records import Record, read_record
from .reports import CaseReport, Element, Report
from .running import find_command
from .tensors import Tensor

__all__ = ["Case", "CaseReport", "Element", "ElementType", "Error", "ExchangeFile", "Parameters", "Profile", "Record", "Report", "Tensor", "backends", "check", "eval",
           "eval_cases", "eval_tensors", "find_command", "judge", "open_exchange", "operand_names", "ops", "profiles", "read_golden", "read_record"]
