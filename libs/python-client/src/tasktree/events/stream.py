"""What happens from now on, over every end of the connection."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import httpx

from ..http.connection import Connection
from ..http.errors import MarketError, MarketUnreachable, error_of
from ..http.pages import Json

#: The service says something every 15 seconds; a connection that is silent for three times that is dead.
SILENCE = 45.0
_LONGEST_RETRY = 30.0
_END_OF_FRAME = "\n\n"


class Frame(NamedTuple):
    """One frame of the stream; without an event it only says that the connection lives."""

    id: str | None
    event: Json | None


class EventStream:
    """Comes back after every end of the connection, behind the last event that the loop was done with.

    Raises MarketError when the service refuses it for good, such as 400 `invalid_cursor` for a place that is older than 90
    days.
    """

    def __init__(
        self,
        connection: Connection,
        *,
        types: Sequence[str] | None = None,
        task_id: str | None = None,
        after: str | None = None,
        past: bool = False,
    ) -> None:
        self._connection = connection
        self._query = {"types": None if types is None else ",".join(types), "task_id": task_id}
        self._after = after
        self._past = past
        self._retry = 1.0

    def __iter__(self) -> Iterator[Json]:
        last, newest, faults = self._after, -1, 0
        while True:
            least = 0.0
            try:
                for frame in self.connect(last):
                    faults = 0
                    # What the list has told already comes again where it happened while the list was read.
                    if frame.event is not None and frame.event["sequence"] > newest:
                        yield frame.event
                    # Only now: who stops at an event has not dealt with it.
                    newest = newest if frame.event is None else max(newest, frame.event["sequence"])
                    last = frame.id or last
            except MarketError as error:
                if error.status < 500 and error.status != 429:
                    raise
                least = error.facts.retry_after_seconds or 0.0
            except (httpx.TransportError, MarketUnreachable):
                pass
            self._connection.pause(max(least, min(_LONGEST_RETRY, self._retry * 2 ** min(faults, 5))))
            faults += 1

    def connect(self, last: str | None = None, silence: float = SILENCE) -> Iterator[Frame]:
        """One connection to its end; its first frame says that it is open.

        Raises MarketError, httpx.TransportError, and MarketUnreachable when nobody answers with what has happened already.
        """
        place = {} if last is None else {"Last-Event-ID": last}
        with self._connection.open("/v1/events/stream", self._query, place, silence) as response:
            if not response.is_success:
                response.read()
                raise error_of(response)
            yield Frame(None, None)
            # Read once the stream is open, so that nothing happens between the two.
            if self._past and last is None:
                for event in self._connection.pages("/v1/events", self._query):
                    yield Frame(event["id"], event)
            text = ""
            for chunk in response.iter_text():
                *frames, text = (text + chunk).split(_END_OF_FRAME)
                for frame in frames:
                    yield self._frame_of(frame)

    def _frame_of(self, text: str) -> Frame:
        fields: dict[str, Any] = {}
        for line in text.split("\n"):
            name, _, value = line.partition(":")
            fields[name] = value.removeprefix(" ")
        retry = fields.get("retry", "")
        if retry.isdigit():
            self._retry = int(retry) / 1000
        data = fields.get("data")
        return Frame(fields.get("id"), None if data is None else json.loads(data))
