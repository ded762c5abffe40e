"""The style sheet of the report page: light or dark by the reader's system, for screens of any width and for print."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f5f3ee; --panel: #fffefb; --rim: #e4dfd4; --ink: #1c2030; --quiet: #676d80; --faint: #dedacf;
  --accent: #a4428d; --accent-soft: #a4428d1f; --warm: #d2603f; --cool: #4b3f94; --code: #f0ede5; --alarm: #a8331f;
  --alarm-soft: #fbe9e2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d0f16; --panel: #151926; --rim: #232a3e; --ink: #e9edf7; --quiet: #8f99b2; --faint: #2a3147;
    --accent: #e86d9a; --accent-soft: #e86d9a24; --warm: #fd9b70; --cool: #8d7fe0; --code: #10131d; --alarm: #ffb19a;
    --alarm-soft: #351b1c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 1180px; margin: 0 auto; padding: clamp(20px, 5vw, 56px) clamp(16px, 4vw, 40px) 64px; }
header .above {
  margin: 0 0 6px; color: var(--accent); font-weight: 650; letter-spacing: .08em; text-transform: uppercase;
  font-size: .75rem;
}
h1 {
  margin: 0; font-size: clamp(1.9rem, 5.2vw, 3.1rem); line-height: 1.1; letter-spacing: -.025em;
  overflow-wrap: anywhere;
}
header .about { margin: 12px 0 0; color: var(--quiet); max-width: 72ch; overflow-wrap: anywhere; }
h2 { margin: 52px 0 4px; font-size: 1.4rem; letter-spacing: -.012em; }
h2 + .about { margin: 0 0 18px; color: var(--quiet); max-width: 76ch; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
.figures {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(124px, 1fr)); gap: 12px; margin: 30px 0 0; padding: 0;
  list-style: none;
}
.figures li {
  background: var(--panel); border: 1px solid var(--rim); border-radius: 12px; padding: 13px 14px 12px;
  line-height: 1.35;
}
.figures b {
  display: block; font-size: 1.4rem; line-height: 1.3; letter-spacing: -.02em; white-space: nowrap;
  font-variant-numeric: tabular-nums;
}
.figures span { color: var(--quiet); font-size: .84rem; }
.notes {
  margin: 26px 0 0; padding: 14px 18px 14px 36px; border-radius: 12px; background: var(--alarm-soft);
  color: var(--alarm); overflow-wrap: anywhere;
}
.typical { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 16px; }
.extreme { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 250px), 1fr)); gap: 14px; }
figure {
  margin: 0; background: var(--panel); border: 1px solid var(--rim); border-radius: 12px; overflow: hidden;
  display: flex; flex-direction: column;
}
figure .frame { background: #151926; display: flex; align-items: center; justify-content: center; flex: 1 1 auto; }
.typical .frame { background: #0d0f16; }
figure img { display: block; width: 100%; height: auto; max-height: 420px; object-fit: contain; }
figcaption { padding: 11px 14px 12px; font-size: .87rem; }
figcaption .seed { font-weight: 650; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
figcaption .reasons { display: flex; flex-wrap: wrap; gap: 5px; margin: 0 0 7px; }
figcaption dl { display: flex; flex-wrap: wrap; gap: 1px 12px; margin: 4px 0 0; color: var(--quiet); }
figcaption dl div { white-space: nowrap; }
dt, dd { display: inline; margin: 0; }
dd { color: var(--ink); font-variant-numeric: tabular-nums; }
.chip {
  padding: 1px 9px; border-radius: 99px; background: var(--accent-soft); color: var(--accent); font-weight: 600;
  font-size: .8rem;
}
.chip.least { background: color-mix(in srgb, var(--cool) 16%, transparent); color: var(--cool); }
.chip.greatest { background: color-mix(in srgb, var(--warm) 18%, transparent); color: var(--warm); }
.measures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 330px), 1fr)); gap: 16px; }
.card { background: var(--panel); border: 1px solid var(--rim); border-radius: 12px; padding: 16px 18px; }
.card .about { margin: 2px 0 12px; color: var(--quiet); font-size: .84rem; line-height: 1.4; }
.measures .card { display: flex; flex-direction: column; }
.measures .card .about { flex: 1 0 auto; }
.histogram { display: block; width: 100%; height: auto; overflow: visible; }
.histogram .band { fill: color-mix(in srgb, var(--faint) 45%, transparent); }
.histogram .cool { stop-color: var(--cool); }
.histogram .middle { stop-color: var(--accent); }
.histogram .warm { stop-color: var(--warm); }
.histogram .axis { stroke: var(--faint); } .histogram .whisker { stroke: var(--quiet); stroke-width: 1.5; }
.histogram .box { stroke: var(--quiet); stroke-width: 6; stroke-linecap: round; }
.histogram .median { fill: var(--panel); stroke: var(--ink); stroke-width: 2; }
.histogram text { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
.numbers {
  display: grid; grid-template-columns: repeat(4, auto); justify-content: space-between; gap: 2px 10px;
  margin: 10px 0 0; font-size: .84rem;
}
.numbers dt, .numbers dd { display: block; }
.none { margin: 8px 0 0; color: var(--quiet); font-size: .84rem; }
.numbers dt { color: var(--quiet); }
.measures .card.same .about { flex: 0 0 auto; }
.same p { margin: 0; } .same b { font-size: 1.55rem; letter-spacing: -.02em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
table th {
  text-align: left; font-weight: 500; padding: 5px 14px 5px 0; overflow-wrap: anywhere; min-width: 7em; max-width: 22em;
}
table td { padding: 5px 0 5px 14px; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
table td.drawn { width: 60%; padding-left: 0; } table .quiet { color: var(--quiet); }
table td.words { width: 100%; text-align: left; white-space: normal; padding-left: 0; overflow-wrap: anywhere; }
.lying {
  display: block; width: 100%; height: 14px; border-radius: 4px;
  background: color-mix(in srgb, var(--faint) 45%, transparent);
}
.lying rect { fill: var(--accent); } .lying.beside rect { fill: var(--quiet); } .lying.warm rect { fill: var(--warm); }
pre {
  margin: 0 0 12px; padding: 14px 16px; border: 1px solid var(--rim); border-radius: 12px; background: var(--code);
  overflow-x: auto;
}
pre { font-size: .86rem; line-height: 1.5; }
pre.wrapped { white-space: pre-wrap; overflow-wrap: anywhere; }
pre, code { font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
details summary { cursor: pointer; color: var(--quiet); margin: 0 0 10px; }
footer {
  margin-top: 56px; padding-top: 16px; border-top: 1px solid var(--rim); color: var(--quiet); font-size: .84rem;
  overflow-wrap: anywhere;
}
@media (max-width: 560px) {
  .figures { grid-template-columns: 1fr 1fr; } .figures b { font-size: 1.3rem; } table td.drawn { width: 40%; }
}
@media print { body { background: #fff; } figure, .card, .figures li { break-inside: avoid; } }
""".strip()
"""It fetches nothing: fonts are those of the reader's system."""
