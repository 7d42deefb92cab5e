"""Lists of the market."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

Json = dict[str, Any]


class Pages:
    """A list. Its loop asks for a page when the one before it is used up."""

    def __init__(self, load: Callable[[str | None], Json]) -> None:
        self._load = load

    def page(self, cursor: str | None = None) -> Json:
        """One page: `data`, and `next_page`, the cursor of the next one; None: it was the last."""
        return self._load(cursor)

    def __iter__(self) -> Iterator[Json]:
        cursor: str | None = None
        while True:
            page = self._load(cursor)
            yield from page["data"]
            cursor = page["next_page"]
            if cursor is None:
                return

    def take(self, limit: int) -> list[Json]:
        """The first so many. A number must be named, so that a list that has grown does not fill the memory."""
        if limit < 1:
            raise ValueError("limit must be a whole number from 1")
        return list(islice(self, limit))
