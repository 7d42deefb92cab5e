"""Sends one logical request until it is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import httpx

from .errors import AnswerFacts, MarketUnreachable, facts_of

#: Statuses by which a gateway or the service says that nobody has looked at the request.
_AGAIN_LATER = frozenset({429, 502, 503, 504})
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
#: A service that wants to be left alone for longer gets an error instead of a program that hangs. Seconds.
_LONGEST_RETRY_AFTER = 60.0
_IN_PROGRESS = '"idempotency_in_progress"'


@dataclass(frozen=True)
class Sending:
    """How requests are sent."""

    #: Sends requests; a proxy, certificates or a transport of tests are set there.
    client: httpx.Client
    #: Retries after the first attempt.
    retries: int
    #: Is told of every answer, also of those that are retried.
    on_response: Callable[[AnswerFacts, httpx.Request], None] | None
    pause: Callable[[float], None]
    #: From 0 to below 1, for the jitter.
    chance: Callable[[], float]


def send(sending: Sending, request: httpx.Request) -> httpx.Response:
    """All attempts have the same bytes and the same Idempotency-Key, so that the service can see that they are one.

    A connection that breaks in the middle of an answer is tried again, too. Raises MarketUnreachable when the last attempt
    has no answer.
    """
    key = request.headers.get("Idempotency-Key")
    attempt = 0
    while True:
        attempt += 1
        answer: httpx.Response | None = None
        fault: Exception | None = None
        try:
            # A credential must not follow a redirect to somebody else.
            answer = sending.client.send(request, follow_redirects=False)
        except httpx.RequestError as error:
            fault = error
        if answer is not None and sending.on_response is not None:
            sending.on_response(facts_of(answer), request)
        wait = _wait_before(sending, attempt, answer)
        if answer is not None and (wait is None or attempt > sending.retries):
            return answer
        if attempt > sending.retries:
            raise MarketUnreachable(attempt, key) from fault
        sending.pause(wait or 0.0)


def _wait_before(sending: Sending, attempt: int, answer: httpx.Response | None) -> float | None:
    """Seconds until the next attempt; None: this answer is one."""
    jitter = sending.chance() * min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** (attempt - 1))
    if answer is None:
        return jitter
    # 409 is never retried, but for one: what runs under this key is an earlier attempt of this very request.
    is_own = attempt > 1 and answer.status_code == 409 and _IN_PROGRESS in answer.text
    if not is_own and answer.status_code not in _AGAIN_LATER:
        return None
    after = facts_of(answer).retry_after_seconds or 0.0
    return None if after > _LONGEST_RETRY_AFTER else max(jitter, after)
