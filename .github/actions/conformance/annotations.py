# SPDX-License-Identifier: Apache-2.0
"""Prints what a report (tiebreak.report/1) found as workflow commands. Usage: annotations.py REPORT.json"""
import json
import sys

MOST = 9  # a step shows ten of a kind; the last one says how many are left
KINDS = {"fail": "error", "unexpected_pass": "error", "invalid": "error", "inconclusive": "warning"}


def data(text):
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def value(text):
    return data(text).replace(":", "%3A").replace(",", "%2C")


def command(kind, title, message):
    return f"::{kind} title={value(title)}::{data(message)}"


def message_of(case):
    """What is wrong, the first place, and the command that shows it again."""
    lines = [case.get("reason", "")]
    for output in case.get("outputs", []):
        if output.get("conforms"):
            continue
        lines.append(f"{output['name']}: {output.get('different', 0)} of {output.get('compared', 0)} differ {output.get('reason', '')}".rstrip())
        for first in output.get("first", [])[:1]:
            lines.append(f"first at {first['index']}: expected {first['expected']}, actual {first['actual']}, exact value {first.get('exact', '')}")
    lines.append(case.get("reproduce", ""))
    return "\n".join(line for line in lines if line)


def annotations(report):
    by_kind = {}
    for case in report["cases"]:
        kind = KINDS.get(case["status"])
        if kind:
            by_kind.setdefault(kind, []).append(case)
    for kind, cases in sorted(by_kind.items()):
        for case in cases[:MOST]:
            yield command(kind, f"{case['status']} {case['id']}", message_of(case))
        if len(cases) > MOST:
            yield command(kind, "Tiebreak", f"{len(cases) - MOST} more: see the summary and the reports")
    unsupported = report["counts"].get("unsupported", 0)
    if unsupported:
        yield command("notice", "Tiebreak", f"{unsupported} cases are not supported by the backend: neither right nor wrong")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as stream:
        for line in annotations(json.load(stream)):
            print(line)
