"""What is raised when the market refuses, or does not answer."""

from __future__ import annotations

import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any

import httpx


@dataclass(frozen=True)
class AnswerFacts:
    """What an answer says beside its body."""

    status: int
    #: For support: names this very request in the service's log.
    request_id: str | None = None
    #: The date-version that answered.
    service_version: str | None = None
    #: Seconds after which the service wants to be asked again.
    retry_after_seconds: float | None = None


class MarketError(Exception):
    """The service has refused. `code` says why, for programs; `suggestion` what to do about it."""

    def __init__(self, facts: AnswerFacts, error: dict[str, Any], idempotency_key: str | None = None) -> None:
        self.facts = facts
        self.status = facts.status
        #: Stable; codes are added.
        self.code: str = str(error.get("code"))
        self.reason: str = str(error.get("reason"))
        self.suggestion: str | None = error.get("suggestion")
        #: Every member or parameter that is wrong, where that is what is wrong.
        self.details: Any = error.get("details")
        #: The key of the refused write: sent again with it, the request is the same request.
        self.idempotency_key = idempotency_key
        super().__init__(f"{self.code}: {self.reason}{'' if self.suggestion is None else ' ' + self.suggestion}")


class MarketUnreachable(Exception):
    """No answer came, after all retries.

    A write may have been carried out nevertheless: the same call with `idempotency_key` finds out, and does not do it
    twice.
    """

    def __init__(self, attempts: int, idempotency_key: str | None = None) -> None:
        self.attempts = attempts
        self.idempotency_key = idempotency_key
        super().__init__(f"The market has not answered ({attempts} attempts)")


def facts_of(response: httpx.Response) -> AnswerFacts:
    """What the headers of an answer say."""
    headers = response.headers
    return AnswerFacts(
        status=response.status_code,
        request_id=headers.get("X-Request-Id"),
        service_version=headers.get("Service-Version"),
        retry_after_seconds=_seconds_of(headers.get("Retry-After")),
    )


def error_of(response: httpx.Response, idempotency_key: str | None = None) -> MarketError:
    """The error of an answer. A body that is none of the market's is told by its status alone."""
    try:
        told = response.json()["error"]
        error = told if isinstance(told, dict) and "code" in told and "reason" in told else None
    except (ValueError, TypeError, KeyError):
        error = None
    other = {"code": f"http_{response.status_code}", "reason": "The market has not answered."}
    return MarketError(facts_of(response), error or other, idempotency_key)


def _seconds_of(text: str | None) -> float | None:
    """Seconds of a `Retry-After`, which is a number or a date (RFC 9110)."""
    if text is None:
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
