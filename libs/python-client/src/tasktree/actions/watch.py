"""Waits for what becomes of an action."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Literal

import httpx

from ..events.stream import EventStream, Frame
from ..http.connection import Connection, at
from ..http.errors import MarketError
from ..http.pages import Json
from ..verification.kinds import holds_once_signed

Until = Literal["signed", "confirmed", "final"]

#: Statuses that the wish is granted with.
_GRANTED: dict[Until, tuple[str, ...]] = {
    "signed": ("signed", "submitted", "confirmed", "final"),
    "confirmed": ("confirmed", "final"),
    "final": ("final",),
}
_ENDED = ("failed", "declined", "expired", "superseded")
_NEWS = [f"action.{name}" for name in "signed submitted failed confirmed finalized declined expired superseded".split()]
_POLL = 2.0
#: So many reads are left to other calls of the credential before its waits are slowed down.
_SPARED_READS = 40
#: While the stream lives, only what it has lost would make another look worth it. Seconds.
_LOOK_AGAIN = 30.0
#: A stream that is silent for longer than its heartbeat of 15 seconds, with some delay on the way, is dead. Seconds.
_SILENCE = 20.0


class ActionNotExecuted(Exception):
    """The action has ended without being executed."""

    def __init__(self, record: Json) -> None:
        self.record = record
        super().__init__(f"The action {record.get('action_id')} is {record.get('status')}")


def wait_for(connection: Connection, action_id: str, until: Until, timeout: float | None) -> Json:
    """The action's record, once it is so far; looks whenever the stream tells of it, or as often as it may.

    What has no transaction of its own, such as an offer, is at its end once it is signed.

    Seconds, which only an answer that is slow to come makes longer; None: for as long as it takes. Raises
    ActionNotExecuted, MarketError, MarketUnreachable, TimeoutError.
    """
    end = None if timeout is None else time.monotonic() + timeout
    wakes = _Wakes(connection, action_id, end)
    try:
        with connection.waiting():
            while True:
                wakes.open()
                record, poll = _look(connection, action_id)
                goal: Until = "signed" if holds_once_signed(str(record.get("kind"))) else until
                if record.get("status") in _GRANTED[goal]:
                    return record
                if record.get("status") in _ENDED:
                    raise ActionNotExecuted(record)
                if end is not None and time.monotonic() >= end:
                    raise TimeoutError(f"The action {action_id} is still {record.get('status')}")
                # All who wait look once a second at most.
                wakes.next(max(poll, connection.waits - 1.0))
    finally:
        wakes.close()


def _look(connection: Connection, action_id: str) -> tuple[Json, float]:
    response = connection.answer("read", "GET", at("/v1/actions/{id}", id=action_id))
    if _header(response, "X-Limit-Remaining", _SPARED_READS) < _SPARED_READS:
        return response.json(), _LOOK_AGAIN
    seconds = _header(response, "Poll-Interval", _POLL)
    return response.json(), seconds if 0 < seconds < 3600 else _POLL


def _header(response: httpx.Response, name: str, otherwise: float) -> float:
    """The number in a header; `otherwise` where there is none."""
    try:
        return float(response.headers.get(name, ""))
    except ValueError:
        return otherwise


class _Wakes:
    """Reasons to look again: the stream tells of the action, or time has passed."""

    def __init__(self, connection: Connection, action_id: str, end: float | None) -> None:
        self._connection = connection
        self._action_id = action_id
        self._end = end
        self._frames: Iterator[Frame] | None = None
        self._is_refused = False

    def open(self) -> None:
        """Opens the stream where it is not open, before a look, so that nothing happens unseen between the two."""
        if self._frames is not None or self._is_refused or self._left() < _SILENCE:
            return
        self._frames = iter(EventStream(self._connection, types=_NEWS).connect(silence=_SILENCE))
        # The first frame says that it is open.
        self._advance()

    def next(self, poll: float) -> None:
        """Returns with the next reason. Without a stream, also with one that has just ended, it is the time."""
        look_again = time.monotonic() + _LOOK_AGAIN
        # A stream cannot be left before it says something, so near the end of the time none is listened to.
        while self._frames is not None and self._left() >= _SILENCE:
            frame = self._advance()
            is_news = frame is not None and frame.event is not None and frame.event["subject"]["id"] == self._action_id
            if is_news or (frame is not None and time.monotonic() >= look_again):
                return
        self.close()
        self._connection.pause(max(0.0, min(poll, self._left())))

    def close(self) -> None:
        frames, self._frames = self._frames, None
        if frames is not None and hasattr(frames, "close"):
            frames.close()

    def _left(self) -> float:
        """Seconds."""
        return math.inf if self._end is None else self._end - time.monotonic()

    def _advance(self) -> Frame | None:
        """The next frame; None: the stream has ended."""
        frames = self._frames
        try:
            return None if frames is None else next(frames)
        except MarketError:
            # A stream that is refused: the action is asked for instead.
            self._is_refused = True
        except (StopIteration, httpx.RequestError):
            pass
        self._frames = None
        return None
