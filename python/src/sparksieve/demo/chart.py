"""The page's bar chart: only elements and percentages, so that it fits any width."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sparksieve.demo import table
from sparksieve.demo.runner import CHANGED, UNCHANGED, Outcome, Side


def pill(outcome: Outcome) -> str:
    """The status of a case as a coloured label."""
    kind = outcome.status if outcome.status in (CHANGED, UNCHANGED) else "bad"
    return f'<span class="pill {kind}">{escape(outcome.status)}</span>'


def _by_feature(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    features: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        features.setdefault(outcome.feature, []).append(outcome)
    return features


def bars(outcomes: Sequence[Outcome]) -> str:
    """A card with two bars for each case, by feature; the longest time has the full width."""
    longest = max((s.median for o in outcomes for s in (o.off, o.on) if s), default=1.0)
    parts = []
    for feature, found in _by_feature(outcomes).items():
        parts.append(f"<h3>{escape(feature)}</h3>")
        parts += [_case(outcome, longest) for outcome in found]
    return (
        '<section class="card"><h2>Time per query</h2>'
        '<p class="legend"><span><i class="off"></i>Sieve off</span>'
        '<span><i class="on"></i>Sieve on</span><span>shorter is better</span></p>'
        f"{''.join(parts)}</section>"
    )


def _case(outcome: Outcome, longest: float) -> str:
    def bar(kind: str, side: Side) -> str:
        return (
            f'<div class="bar"><i class="{kind}" style="--part:{side.median / longest:.4f}"></i>'
            f"<span>{table.seconds(side.median)}</span></div>"
        )

    lines = bar("off", outcome.off) + bar("on", outcome.on) if outcome.off and outcome.on else ""
    if outcome.ratio is None:
        figure = f'<div class="ratio">{pill(outcome)}</div>'
    else:
        low = " slower" if outcome.ratio < 0.95 else " low" if outcome.ratio < 1.05 else ""
        figure = f'<div class="ratio{low}">{table.ratio(outcome.ratio)}</div>'
    return (
        f'<div class="bars"><div class="name">{escape(outcome.case.title)}'
        f'<code>{escape(outcome.case.name)}</code></div><div class="lines">{lines}</div>'
        f"{figure}</div>"
    )
