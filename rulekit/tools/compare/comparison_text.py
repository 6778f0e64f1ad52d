"""A paired comparison as text: lines for a terminal, plain values for scripts."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.tools.compare.paired_comparison import PairedComparison, PairedFigure
from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.language.translation import SOURCE, Tongue


def lines(
    of: PairedComparison, tongue: Tongue = SOURCE, failures: tuple[Failures, Failures] = (Failures(), Failures())
) -> Iterator[str]:
    """The comparison for a terminal.  failures: of both versions, with the lines at which matches failed."""
    pairs = tongue.counted("some-pairs", of.games)
    yield tongue.say("pairs-same", pairs=pairs, same=tongue.grouped(of.same))
    if of.unended:
        yield tongue.counted("pairs-unended", of.unended)
    for version, found in zip(("in-first", "in-second"), failures, strict=True):
        first, *causes = found.lines(tongue) if found else [""]
        if first:
            yield tongue.say(version, value=first)
            yield from causes
    yield ""
    told = ((words.display_name(line.name, of.seats, tongue), _told(of, line, tongue)) for line in of.lines)
    yield from words.aligned(told)
    if of.look:
        yield ""
        yield tongue.counted("looks-hold", of.look)


def _told(of: PairedComparison, line: PairedFigure, tongue: Tongue) -> str:
    if not line.count:
        return tongue.say("never-in-both")
    a, b = (_amount(value, line.percent) for value in line.means)
    return f"{a} → {b}  {verdict(of, line, tongue)}"


def verdict(of: PairedComparison, line: PairedFigure, tongue: Tongue = SOURCE) -> str:
    """What is known of the difference, in words."""
    found = of.interval(line)
    if not found.known:
        return tongue.say("too-few-pairs")
    if not line.squares:
        return tongue.say("same-in-every")
    factor, kind = (100, "-points") if line.percent else (1, "")
    ends = {"low": f"{factor * found.low:+.2f}", "high": f"{factor * found.high:+.2f}"}
    if found.low > 0 or found.high < 0:
        return tongue.say(f"differs{kind}", value=f"{factor * found.value:+.2f}", **ends)
    most = f"{factor * max(-found.low, found.high):.2f}"
    return tongue.counted(f"no-difference{kind}", line.count, most=most, **ends)


def _amount(value: float, percent: bool) -> str:
    return f"{100 * value:.1f}%" if percent else f"{value:.2f}"


def plain(of: PairedComparison, failures: tuple[Failures, Failures] = (Failures(), Failures())) -> dict[str, object]:
    """For scripts, in every language the same.  failures: as of `lines`."""
    return {
        "games": of.games,
        "failures": {name: found.data() for name, found in zip("ab", failures, strict=True)},
        "differing": of.differing,
        "first differing": of.first_differing,
        "unended": of.unended,
        "looks": of.look,
        "figures": {line.name: _plain(of, line) for line in of.lines if line.count},
    }


def _plain(of: PairedComparison, line: PairedFigure) -> dict[str, object]:
    found = of.interval(line)
    ends = [found.low, found.high] if found.known else None
    a, b = line.means
    return {"a": a, "b": b, "pairs": line.count, "difference": b - a, "interval": ends, "verdict": verdict(of, line)}
