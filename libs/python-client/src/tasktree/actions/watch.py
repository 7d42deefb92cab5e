"""Waits for what becomes of an action."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

import httpx

from ..events.stream import SILENCE, EventStream
from ..http.connection import Connection, at
from ..http.errors import MarketError
from ..http.pages import Json

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


class ActionNotExecuted(Exception):
    """The action has ended without being executed."""

    def __init__(self, record: Json) -> None:
        self.record = record
        super().__init__(f"The action {record.get('action_id')} is {record.get('status')}")


def wait_for(connection: Connection, action_id: str, until: Until, timeout: float | None = None) -> Json:
    """The action's record, once it is so far; looks whenever the stream says something, or as often as it may.

    Seconds; None: for as long as it takes. Raises ActionNotExecuted, MarketError, MarketUnreachable, TimeoutError.
    """
    end = None if timeout is None else time.monotonic() + timeout
    wakes = _Wakes(connection, action_id)
    try:
        while True:
            wakes.open(end)
            record, poll = _look(connection, action_id)
            if record.get("status") in _GRANTED[until]:
                return record
            if record.get("status") in _ENDED:
                raise ActionNotExecuted(record)
            if end is not None and time.monotonic() >= end:
                raise TimeoutError(f"The action {action_id} is still {record.get('status')}")
            wakes.next(poll, end)
    finally:
        wakes.close()


def _look(connection: Connection, action_id: str) -> tuple[Json, float]:
    response = connection.answer("read", "GET", at("/v1/actions/{id}", id=action_id))
    told = response.headers.get("Poll-Interval", "")
    try:
        seconds = float(told)
    except ValueError:
        seconds = _POLL
    return response.json(), seconds if 0 < seconds < 3600 else _POLL


class _Wakes:
    """Reasons to look again: the stream's frames, of which one comes every 15 seconds at least, or the time."""

    def __init__(self, connection: Connection, action_id: str) -> None:
        self._connection = connection
        self._action_id = action_id
        self._frames: Iterator[object] | None = None
        self._is_refused = False

    def open(self, end: float | None) -> None:
        """Opens the stream where it is not open, before a look, so that nothing happens unseen between the two."""
        if self._frames is not None or self._is_refused:
            return
        stream = EventStream(self._connection, types=_NEWS)
        silence = SILENCE if end is None else max(0.1, min(SILENCE, end - time.monotonic()))
        self._frames = iter(stream.connect(silence=silence))
        # The first frame says that it is open.
        self._advance()

    def next(self, poll: float, end: float | None) -> None:
        """Returns with the next reason."""
        if self._frames is None:
            self._connection.pause(poll if end is None else max(0.0, min(poll, end - time.monotonic())))
        else:
            self._advance()

    def close(self) -> None:
        frames, self._frames = self._frames, None
        if frames is not None and hasattr(frames, "close"):
            frames.close()

    def _advance(self) -> None:
        frames = self._frames
        if frames is None:
            return
        try:
            next(frames)
        except MarketError:
            # A stream that is refused: the action is asked for instead.
            self._is_refused = True
            self._frames = None
        except (StopIteration, httpx.RequestError):
            self._frames = None
