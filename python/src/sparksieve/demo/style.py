"""The style sheet of the page, light and dark: no external fonts, images or scripts."""

from __future__ import annotations

CSS = """
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --line: #e1e5ea; --text: #16202c; --soft: #566372;
  --off: #a3b0bf; --on: #0b7d72; --gone: #fbe3dd; --new: #d8f1e6; --bad: #b3261e;
  --warn: #7a5a00; --warn-bg: #fbf0d0; --bad-bg: #fce4e2; --good-bg: #dcf3ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #10151b; --card: #171e26; --line: #2a3440; --text: #e4eaf1; --soft: #9aa8b7;
    --off: #5d6c7d; --on: #35bfae; --gone: #43261f; --new: #123c33; --bad: #ff9d94;
    --warn: #f0cf7a; --warn-bg: #3a3113; --bad-bg: #47201d; --good-bg: #12382f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text); line-height: 1.5;
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  font-size: 16px; -webkit-text-size-adjust: 100%;
}
main { max-width: 72rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.015em; }
h2 { font-size: 1.25rem; margin: 0 0 .25rem; letter-spacing: -.01em; }
h3 { font-size: .8rem; margin: 1.25rem 0 .25rem; color: var(--soft); font-weight: 600;
     text-transform: uppercase; letter-spacing: .05em; }
p { margin: 0 0 .75rem; max-width: 48rem; }
.lead { font-size: 1.08rem; }
.soft { color: var(--soft); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
        padding: 1.5rem; margin-top: 1.5rem; }
.tiles { display: grid; gap: 1rem; margin-top: 1.5rem;
         grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .75rem;
        padding: 1rem 1.25rem; }
.tile b { display: block; font-size: 1.6rem; line-height: 1.3; letter-spacing: -.01em; }
.tile span { color: var(--soft); font-size: .875rem; }
.tile.bad b { color: var(--bad); }
code, pre { font-family: ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; }
pre { margin: 0; padding: .75rem 0; overflow-x: auto; font-size: .75rem; line-height: 1.55;
      background: var(--page); border: 1px solid var(--line); border-radius: .5rem; }
pre span { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding: 0 .9rem;
           padding-left: calc(.9rem + (var(--in) + 4) * 1ch);
           text-indent: calc((var(--in) + 4) * -1ch); }
pre .gone { background: var(--gone); }
pre .new { background: var(--new); }

.legend { display: flex; gap: 1.25rem; font-size: .875rem; color: var(--soft); margin: 0 0 1rem; }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: .2rem;
            margin-right: .4rem; vertical-align: -.05rem; }
.off { background: var(--off); }
.on { background: var(--on); }
.bars { display: grid; grid-template-columns: minmax(10rem, 17rem) 1fr 7.75rem; gap: .25rem 1.25rem;
        align-items: center; padding: .55rem 0; border-top: 1px solid var(--line); }
.bars .name { font-size: .9375rem; line-height: 1.35; }
.bars .name code { display: block; color: var(--soft); font-size: .75rem; }
.bar { display: flex; align-items: center; height: 1.2rem; font-size: .78rem; }
.bar i { flex: none; height: .85rem; min-width: 2px; border-radius: 0 .2rem .2rem 0;
         width: calc((100% - 4.5rem) * var(--part)); }
.bar span { padding-left: .5rem; color: var(--soft); white-space: nowrap;
            font-variant-numeric: tabular-nums; }
.ratio { text-align: right; font-weight: 650; font-size: 1.1rem; color: var(--on);
         font-variant-numeric: tabular-nums; }
.ratio.low { color: var(--text); }
.ratio.slower { color: var(--warn); }

.pill { display: inline-block; border-radius: 1rem; padding: .05rem .6rem; font-size: .78rem;
        font-weight: 600; white-space: nowrap; }
.pill.changed { background: var(--good-bg); color: var(--on); }
.pill.unchanged { background: var(--warn-bg); color: var(--warn); }
.pill.bad { background: var(--bad-bg); color: var(--bad); }

.wide { overflow-x: auto; margin: .75rem -1.5rem -.5rem; padding: 0 1.5rem .5rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem;
        font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .5rem .75rem; white-space: nowrap; vertical-align: top;
         border-top: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .8rem; border-top: 0; }
th:first-child, td:first-child { padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
.num { text-align: right; }
td.plan { white-space: normal; min-width: 12rem; }
tr.bad td { color: var(--bad); }
.settings th { width: 1%; border-top: 1px solid var(--line); padding-right: 2rem; }
.settings tr:first-child > * { border-top: 0; }
.settings td { white-space: normal; overflow-wrap: anywhere; }

details.case { border-top: 1px solid var(--line); }
details.case:first-of-type { margin-top: .75rem; }
summary { cursor: pointer; padding: .7rem 0; font-weight: 600; }
summary .pill { margin-left: .5rem; }
summary::marker { color: var(--soft); }
details details summary { font-weight: 500; font-size: .9rem; color: var(--soft); }
.body { padding: 0 0 1.25rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
.pair > * { min-width: 0; }
footer { margin-top: 2rem; font-size: .85rem; color: var(--soft); }

@media (max-width: 44rem) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .card { padding: 1.1rem 1rem; }
  .wide { margin: .75rem -1rem -.25rem; padding: 0 1rem .25rem; }
  .bars { grid-template-columns: 1fr auto; }
  .bars .lines { grid-column: 1 / -1; grid-row: 2; }
  .pair { grid-template-columns: 1fr; }
}
@media print { .card { break-inside: avoid; } }
"""
