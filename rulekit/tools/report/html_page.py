"""An HTML page that stands alone: document, tiles, sections, tables and the style sheet; no network, no script."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from attrs import frozen

from rulekit.tools.language.number_format import with_separators
from rulekit.tools.language.translation import SOURCE, Tongue


@frozen
class Section:
    """A heading, what it says in a sentence, and its body.  wide: whether it takes the whole width."""

    title: str
    words: str
    body: str
    wide: bool = False


def document(
    title: str, subtitle: str, tiles: str, sections: Iterable[Section], footer: str, language: str = SOURCE.language
) -> str:
    """The whole page.  tiles, footer: HTML; the other texts are escaped here."""
    parts = "\n".join(_section(one) for one in sections)
    return f"""<!doctype html>
<html lang="{escape(language)}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title><style>{STYLE}</style></head>
<body><header><h1>{escape(title)}</h1><p class="sub">{escape(subtitle)}</p></header>
<main>{tiles}
<div class="sections">{parts}</div></main>
<footer>{footer}</footer></body></html>
"""


def _section(of: Section) -> str:
    words = f"<p>{escape(of.words)}</p>" if of.words else ""
    kind = ' class="whole"' if of.wide else ""
    return f"<section{kind}><h2>{escape(of.title)}</h2>{words}{of.body}</section>"


def tile(value: str, words: str) -> str:
    """A large number with the words under it."""
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(words)}</span></div>'


def table(heading: Iterable[str], rows: Iterable[Iterable[Any]], tongue: Tongue = SOURCE) -> str:
    """An HTML table; columns whose first cell is a number are set right."""
    whole = [tuple(row) for row in rows]
    numbers = [isinstance(cell, int | float) for cell in (whole[0] if whole else ())]
    kinds = [' class="number"' if number else "" for number in numbers]
    head = "".join(f"<th{kind}>{escape(str(cell))}</th>" for cell, kind in zip(heading, kinds, strict=True))
    body = "".join(f"<tr>{''.join(_cell(cell, tongue) for cell in row)}</tr>" for row in whole)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(cell: Any, tongue: Tongue) -> str:
    if isinstance(cell, int | float):
        text = with_separators(f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}", tongue)
        return f'<td class="number">{text}</td>'
    text = "" if cell is None else str(cell)
    kind = ' class="code"' if text.startswith("rulekit ") else ""
    return f"<td{kind}>{escape(text)}</td>"


# ---------------------------------------------------------------- how it looks

STYLE = """
:root{--ink:#1d2733;--soft:#5b6876;--line:#dfe4ea;--paper:#fff;--ground:#f5f6f8;--bar:#3d6fb4;
  --good:#2a8a5f;--bad:#c2493d}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
  font:16px/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
header{background:#22324a;color:#fff;padding:2.2rem 1.5rem 3.4rem}
header h1,header p{max-width:72rem;margin:0 auto}
h1{font-size:2rem;line-height:1.15;letter-spacing:-.01em}
.sub{color:#c9d4e3;padding-top:.4rem}
main{max-width:75rem;margin:-2.2rem auto 0;padding:0 1.5rem}
.tiles{display:flex;flex-wrap:wrap;gap:.8rem;margin-bottom:1.2rem}
.tile{flex:1 1 8rem;background:var(--paper);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem}
.tile b{display:block;font-size:1.6rem;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:.85rem}
.sections{columns:2 30rem;column-gap:1.2rem}
section.whole{column-span:all}
section{break-inside:avoid;background:var(--paper);border:1px solid var(--line);border-radius:10px;
  padding:1.1rem 1.2rem;margin:0 0 1.2rem}
h2{font-size:1.1rem;margin:0 0 .15rem}
section p{color:var(--soft);font-size:.9rem;margin:0 0 .8rem}
svg{width:100%;height:auto;display:block;font:13px system-ui,sans-serif}
.label{fill:var(--ink)}.tick{fill:var(--soft);font-size:12px}.value{fill:var(--ink);font-size:12px}
.on{fill:#fff;font-size:12px}
.bar{fill:var(--bar)}.interval{stroke:var(--ink);stroke-width:1.4}.grid{stroke:var(--line)}.axis{stroke:var(--soft)}
.fair{stroke:var(--soft);stroke-width:1.4;stroke-dasharray:5 4}
.good{fill:var(--good);stroke:var(--good)}.bad{fill:var(--bad);stroke:var(--bad)}.even{fill:var(--bar);stroke:var(--bar)}
.course{fill:none;stroke:var(--bar);stroke-width:2}
.p0{fill:#24508f}.p1{fill:#3f74b8}.p2{fill:#5f8fc9}.p3{fill:#7ca4d3}
.p4{fill:#94b3d8}.p5{fill:#a5bedb}.p6{fill:#b3c7de}.p7{fill:#bfcfe1}
.lost{fill:#8d949d}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.85rem;font-variant-numeric:tabular-nums}
th{text-align:left;color:var(--soft);font-weight:600}
th,td{padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.number,th.number{text-align:right}
.middle{stroke:var(--ink);stroke-width:1.2;stroke-dasharray:3 3}
td.code{font-family:ui-monospace,monospace;font-size:.8rem}
footer{max-width:75rem;margin:0 auto;padding:.4rem 1.5rem 2.5rem;color:var(--soft);font-size:.85rem}
code{overflow-wrap:anywhere;font-size:.95em}
@media print{body{background:#fff}header{background:none;color:#000;padding:0 0 2.6rem}.sub{color:#444}
  section,.tile{border-color:#bbb}}
@media (max-width:40rem){header{padding:1.4rem 1rem 3rem}
  main,footer{padding-left:.8rem;padding-right:.8rem}h1{font-size:1.5rem}}
"""
