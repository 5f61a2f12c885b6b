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
MAX_BYTES = 8_388_608


class Problem(Exception):
    """A refusal. `errors` has a list for each wrong field: what is wrong, and what to send."""

    def __init__(self, status: int, retry_after: str | None, problem: dict[str, Any]) -> None:
        self.status = status
        self.title: str = problem.get("title", http.client.responses.get(status, "Refused"))
        self.detail: str = problem.get("detail", "")
        self.errors: dict[str, list[str]] = problem.get("errors", {})
        self.wait_seconds = DEFAULT_WAIT_SECONDS
        if retry_after and retry_after.isascii() and retry_after.isdecimal():
            self.wait_seconds = int(retry_after)
        super().__init__(f"{self.title}: {self.detail} {self.errors or ''}".strip())


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, which would show the key to another address."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Leaves the redirect as an answer, which is a Problem."""


OPENER = urllib.request.build_opener(NoRedirect)


def json_of(response: Any) -> dict[str, Any] | None:
    """The JSON object of a body; None if it is none, as of a proxy's page, or too long."""
    body = response.read(MAX_BYTES + 1)
    try:
        value = json.loads(body) if len(body) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def send(request: urllib.request.Request) -> dict[str, Any]:
    """Makes one attempt."""
    try:
        with OPENER.open(request, timeout=TIMEOUT_SECONDS) as response:
            answer = json_of(response)
            if answer is None:
                raise Problem(response.status, None, {"title": "Not an answer of the service"})
            return answer
    except urllib.error.HTTPError as error:
        with error:
            retry_after = error.headers.get("Retry-After")
            raise Problem(error.code, retry_after, json_of(error) or {}) from None


def call(
    base: str, path: str, body: Any, key: str | None = None, idempotency_key: str | None = None
) -> dict[str, Any]:
    """Returns the answer, or raises Problem, or OSError if the service cannot be reached.

    All attempts have one Idempotency-Key, so the call is recorded and charged once. Keep a key of
    your own with the request to send it again later, after a crash of your program.
    """
    once = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
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
