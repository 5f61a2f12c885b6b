"""Two plots of a portfolio's results: python3 plots.py results.csv <folder>."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd

matplotlib.use("svg")
import matplotlib.pyplot as plt

NAMES = {
    "STANDARD": "Standard",
    "EXTENDED": "Extended",
    "GRADUATED": "Graduated",
    "INCOME BASED": "IBR (new)",
    "INCOME BASED (OLD)": "IBR (old)",
    "INCOME CONTINGENT": "ICR",
    "PAY AS YOU EARN": "PAYE",
    "REVISED PAY AS YOU EARN": "REPAYE",
    "SAVE": "SAVE",
    "REPAYMENT ASSISTANCE": "RAP",
}
# These can no longer be chosen.
ENDED = ("REVISED PAY AS YOU EARN", "SAVE")
GRAY, BLUE, ORANGE, INK = "#a9b1bc", "#1f5fa8", "#c2570c", "#20262e"
STYLE = {
    # Text stays text, and the same results give the same bytes.
    "svg.fonttype": "none",
    "svg.hashsalt": "portfolio",
    "font.sans-serif": ["DejaVu Sans", "Arial"],
    "font.size": 9.5,
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.edgecolor": GRAY,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "axes.axisbelow": True,
    "grid.color": "#e6e9ed",
    "ytick.left": False,
}
DOT: dict[str, Any] = {"s": 48, "edgecolor": "white", "linewidth": 0.7, "zorder": 3}
WIDTH_INCHES = 700 / 72
ROW_INCHES = 0.3


def read(file: str) -> pd.DataFrame:
    """Reads results; the text None of forgivenessType is not a missing value."""
    return pd.read_csv(file, keep_default_na=False, na_values=[""])


def canvas(labels: list[str], unit: str) -> tuple[Any, Any]:
    """A figure with a row for each label, the first on top, and dollars along the x axis."""
    figure, axes = plt.subplots(figsize=(WIDTH_INCHES, ROW_INCHES * len(labels) + 1.6))
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.4, -0.6)
    axes.grid(axis="x")
    axes.xaxis.set_major_formatter("${x:,.0f}")
    axes.set_xlabel(unit)
    return figure, axes


def save(figure: Any, axes: Any, title: str, rows: pd.DataFrame, file: Path) -> None:
    """Adds the title and the source, and writes the figure."""
    first = rows.iloc[0]
    source = (
        f"Source: repay portfolio run, {rows.borrowerId.nunique()} borrowers, "
        f"repayment from {first.repaymentStart}, rules {first.ruleVersion}"
    )
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=2, frameon=False)
    line = 0.3 / figure.get_figheight()
    figure.tight_layout(rect=(0, line, 1, 1 - line / 2))
    figure.text(0.012, 1 - line / 3, title, fontsize=12.5, fontweight="bold", va="top")
    figure.text(0.012, line / 3, source, fontsize=8.5, color="#5a6472")
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)


def plot_payments(rows: pd.DataFrame, file: Path) -> None:
    """The first payment of each borrower: in the current plan, and in the one that costs least."""
    now = rows[rows.planType == rows.currentPlan].set_index("borrowerId")
    best = rows[rows.isLowest].set_index("borrowerId")
    change = (best.year1MonthlyPayment - now.year1MonthlyPayment).dropna()
    change = change.sort_values(ascending=False, kind="stable")
    now, best = now.loc[change.index], best.loc[change.index]
    labels = [
        f"{borrower}  {NAMES[old]} \N{RIGHTWARDS ARROW} {NAMES[new]}"
        for borrower, old, new in zip(change.index, now.planType, best.planType)
    ]
    figure, axes = canvas(labels, "US dollars a month, in the first year")
    places = range(len(labels))
    axes.hlines(places, now.year1MonthlyPayment, best.year1MonthlyPayment, color=GRAY, linewidth=2)
    for some, color, label in ((now, GRAY, "current plan"), (best, BLUE, "plan that costs least")):
        axes.scatter(some.year1MonthlyPayment, places, color=color, label=label, **DOT)
    save(figure, axes, "First payments, now and in the plan that costs least", rows, file)


def plot_costs(rows: pd.DataFrame, file: Path) -> None:
    """The total cost of each borrower in each open plan, and for how many the plan costs least."""
    answered = rows[rows.outcome == "answered"]
    best = answered[answered.isLowest]
    open_to, lowest = answered.planType.value_counts(), best.planType.value_counts()
    shares = {plan: f"{lowest.get(plan, 0)} of {open_to.get(plan, 0)}" for plan in NAMES}
    labels = [f"{NAMES[plan]}: {'ended' if plan in ENDED else shares[plan]}" for plan in NAMES]
    figure, axes = canvas(labels, "US dollars in all, with the tax on forgiveness")
    places = list(NAMES)
    for some, color, label in ((answered, GRAY, "a borrower"), (best, ORANGE, "costs least")):
        heights = some.planType.map(places.index)
        axes.scatter(some.totalCost, heights, color=color, label=label, **DOT)
    save(figure, axes, "What each plan costs, and for how many it costs least", rows, file)


def main(results: str, folder: Path) -> None:
    """Writes both plots."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = read(results)
    with plt.rc_context(STYLE):
        plot_payments(rows, folder / "first-payments.svg")
        plot_costs(rows, folder / "total-costs.svg")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
