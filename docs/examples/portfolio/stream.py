"""Borrowers of a program of your own under some plans, through `repay portfolio run`."""

from __future__ import annotations

import json
import subprocess
from typing import Any

# In this project's folder; where the package is installed, it is just repay.
REPAY = ["npm", "run", "--silent", "repay", "--"]


def compute(borrowers: list[dict[str, Any]], plans: str, start: str) -> list[dict[str, Any]]:
    """Returns a row for each borrower and plan, in the same order."""
    done = subprocess.run(
        [*REPAY, "portfolio", "run", "-", "--out", "-", "--plans", plans, "--start", start],
        input="\n".join(json.dumps(borrower) for borrower in borrowers),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def borrower_of(income: int) -> dict[str, Any]:
    """A borrower with one loan."""
    return {
        "borrowerId": f"income {income}",
        "adjustedGrossIncome": income,
        "filingStatus": "Single",
        "dependents": 0,
        "state": "NC",
        "workingTowardsPslf": False,
        "loans": [
            {
                "loanType": "DIRECT STAFFORD UNSUBSIDIZED",
                "principalBalance": 30_000,
                "interestRate": 0.06,
            }
        ],
    }


if __name__ == "__main__":
    incomes = range(20_000, 100_000, 20_000)
    for row in compute([borrower_of(income) for income in incomes], "RAP,standard", "2026-12"):
        figures = row["year1MonthlyPayment"], row["totalOutOfPocket"]
        print(row["borrowerId"], row["planType"], *figures)
