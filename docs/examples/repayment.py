# SPDX-License-Identifier: Apache-2.0
"""Calls of the service, with the standard library alone. Copy it next to your program."""

from __future__ import annotations

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path
from typing import Any

ATTEMPTS = 5
TIMEOUT_SECONDS = 30
DEFAULT_WAIT_SECONDS = 2
MAX_WAIT_SECONDS = 60


class Problem(Exception):
    """A refusal. `errors` has a list for each wrong field: what is wrong, and what to send."""

    def __init__(self, status: int, retry_after: str | None, body: bytes) -> None:
        try:
            problem = json.loads(body)
        except ValueError:  # a page of a proxy
            problem = {}
        self.status = status
        self.title: str = problem.get("title", http.client.responses.get(status, "Refused"))
        self.detail: str = problem.get("detail", "")
        self.errors: dict[str, list[str]] = problem.get("errors", {})
        self.wait_seconds = DEFAULT_WAIT_SECONDS
        if retry_after and retry_after.isdigit():
            self.wait_seconds = int(retry_after)
        super().__init__(f"{self.title}: {self.detail} {self.errors or ''}".strip())


def send(request: urllib.request.Request) -> Any:
    """Makes one attempt."""
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            raise Problem(error.code, error.headers.get("Retry-After"), error.read()) from None


def call(
    base: str, path: str, body: Any, key: str | None = None, idempotency_key: str | None = None
) -> Any:
    """Returns the answer, or raises Problem, or OSError if the service cannot be reached.

    All attempts have one Idempotency-Key, so the call is recorded and charged once. Keep a key of
    your own with the request to send it again later, after a crash of your program.
    """
    once = idempotency_key or str(uuid.uuid4())
    headers = {"content-type": "application/json", "idempotency-key": once}
    if key is not None:
        headers["x-api-key"] = key
    request = urllib.request.Request(base + path, json.dumps(body).encode(), headers)
    for _ in range(ATTEMPTS - 1):
        wait_seconds = DEFAULT_WAIT_SECONDS
        try:
            return send(request)
        except Problem as problem:
            wait_seconds = problem.wait_seconds
            if problem.status not in (429, 503) or wait_seconds > MAX_WAIT_SECONDS:
                raise
        except (OSError, http.client.HTTPException):
            pass  # a lost connection
        time.sleep(wait_seconds)
    return send(request)


def main(base: str) -> None:
    """Gets a key, projects a plan and confirms the answer."""
    key = call(base, "/v1/keys/sandbox", {"email": "alan@example.org"})["apiKey"]
    request = json.loads(Path(__file__).with_name("projection.json").read_text())
    answer = call(base, "/v1/projection", request, key)
    print(answer["year1MonthlyPayment"], "a month at first,", answer["totalOutOfPocket"], "in all")
    checked = call(base, "/v1/verify/" + answer["provenance"]["answerId"], answer)
    print("as recorded:", checked["matches"])


if __name__ == "__main__":
    default = os.environ.get("REPAY_URL", "http://127.0.0.1:8080")
    main(sys.argv[1] if len(sys.argv) > 1 else default)
