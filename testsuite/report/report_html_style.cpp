// SPDX-License-Identifier: Apache-2.0
// The page's style: fonts of the reader's system, light and dark as the reader's system has it, no colour without a word beside it.
#include "testsuite/report/report_html.hpp"

namespace tiebreak {

std::string html_style() {
  return R"(
:root { color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2024; --quiet: #5b646e; --line: #d5dae0; --panel: #f6f7f9; --link: #0b57b0;
  --good: #12703c; --good-ground: #dff3e5; --bad: #a3162a; --open: #7a5200; --open-ground: #fbeecb; --none-ground: #e9ecef;
  --bad-1: #fde4e4; --bad-2: #f9c9ca; --bad-3: #f2a3a6; --bar: #c2273d; --at-1: #f4b5b8; --at-2: #e5838a; --at-3: #cf4657; --at-4: #99102a; }
@media (prefers-color-scheme: dark) { :root {
  --paper: #14171a; --ink: #e4e7ea; --quiet: #9aa4ae; --line: #363d45; --panel: #1c2126; --link: #7db4f5;
  --good: #76d197; --good-ground: #173623; --bad: #ff98a1; --open: #e9c46a; --open-ground: #3a3013; --none-ground: #262c33;
  --bad-1: #3a1b20; --bad-2: #542229; --bad-3: #742a34; --bar: #e2606f; --at-1: #5c2630; --at-2: #8b3440; --at-3: #c24a59; --at-4: #ff8591; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 20px 24px 60px; max-width: 1180px; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 26px; line-height: 1.2; margin: 0; }
h2 { font-size: 18px; margin: 34px 0 10px; }
h3 { font-size: 14px; margin: 16px 0 4px; }
p { margin: 4px 0; }
a { color: var(--link); }
code, pre, .mono, td.value { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12.5px; }
.quiet { color: var(--quiet); }
.verdict { border: 1px solid var(--line); border-left: 8px solid var(--open); border-radius: 6px; padding: 16px 20px; background: var(--panel); }
.verdict.conforms { border-left-color: var(--good); } .verdict.conforms h1 { color: var(--good); }
.verdict.differs { border-left-color: var(--bad); } .verdict.differs h1 { color: var(--bad); }
.verdict.unclear h1 { color: var(--open); }
.counts { display: flex; flex-wrap: wrap; gap: 6px 20px; margin: 12px 0 0; padding: 0; list-style: none; }
.counts b { font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: 3px 10px 3px 0; }
thead th { font-weight: 600; color: var(--quiet); font-size: 12.5px; border-bottom: 1px solid var(--line); white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.value { white-space: nowrap; border-bottom: 1px solid var(--line); padding-right: 16px; }
td.inputs { white-space: normal; min-width: 14em; overflow-wrap: anywhere; }
td.wrong { color: var(--bad); font-weight: 600; }
.facts th { font-weight: 400; color: var(--quiet); padding-right: 20px; white-space: nowrap; }
.facts td { overflow-wrap: anywhere; }
.heat { border-collapse: separate; border-spacing: 2px; }
.heat th { font-weight: 500; font-size: 12.5px; padding: 2px 6px; color: var(--ink); border: 0; white-space: nowrap; }
.heat thead th { color: var(--quiet); vertical-align: bottom; text-align: center; line-height: 1.3; border: 0; }
.heat th:first-child { position: sticky; left: 0; background: var(--paper); text-align: left; }
.heat td { padding: 2px 6px; font-size: 12.5px; white-space: nowrap; border-radius: 3px; text-align: center; font-variant-numeric: tabular-nums; }
.heat td a { color: inherit; }
.good { background: var(--good-ground); color: var(--good); } .bad1 { background: var(--bad-1); color: var(--bad); } .bad2 { background: var(--bad-2); color: var(--bad); }
.bad3 { background: var(--bad-3); color: var(--ink); font-weight: 600; } .open { background: var(--open-ground); color: var(--open); } .none { background: var(--none-ground); color: var(--quiet); }
details { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; padding: 0 14px; }
summary { cursor: pointer; padding: 7px 0; overflow-wrap: anywhere; }
details[open] { padding-bottom: 12px; }
details[open] > summary { border-bottom: 1px solid var(--line); margin-bottom: 8px; }
summary .id { font-weight: 600; } summary .quiet { margin-left: 10px; }
figure { margin: 8px 28px 8px 0; display: inline-block; vertical-align: top; max-width: 100%; overflow-x: auto; }
figcaption { font-size: 12.5px; margin-top: 2px; color: var(--quiet); max-width: 520px; }
svg text { font: 11.5px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: var(--ink); text-anchor: middle; }
svg .bar { fill: var(--bar); } svg .axis { stroke: var(--quiet); } svg .ground { fill: var(--none-ground); }
svg .at1 { fill: var(--at-1); } svg .at2 { fill: var(--at-2); } svg .at3 { fill: var(--at-3); } svg .at4 { fill: var(--at-4); }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: 7px 10px; margin: 3px 0; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
.command { display: grid; grid-template-columns: 84px 1fr; align-items: baseline; }
ul.ids { columns: 2; margin: 4px 0; padding-left: 18px; font-size: 12.5px; overflow-wrap: anywhere; }
@media (max-width: 700px) { ul.ids { columns: 1; } .command { display: block; } }
@media print { body { max-width: none; } details { break-inside: avoid; } }
)";
}

}  // namespace tiebreak
