"""Offers, deliveries and earnings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..actions.gate import Asked, PrepareOptions
from ..actions.preparing import Preparing
from ..actions.signable_action import SignableAction
from ..events.stream import EventStream
from ..http.connection import Connection, at
from ..http.pages import Json, Pages
from ..verification.hashing import sha256_hex


class Quotes:
    """Offers for tasks."""

    def __init__(self, connection: Connection, actions: Preparing) -> None:
        self._connection = connection
        self._actions = actions

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/quotes", query)

    def first(self, task_id: str) -> Json:
        """The newest offer for a task that stands, as soon as there is one."""
        for _ in EventStream(self._connection, types=["quote.submitted"], task_id=task_id, past=True):
            for quote in self.list(task_id=task_id).page()["data"]:
                if quote["status"] == "submitted":
                    found: Json = quote
                    return found
        raise AssertionError("The stream has no end")

    def prepare(self, options: PrepareOptions | None = None, **body: Any) -> SignableAction:
        """Its signature makes a firm offer: `task_id`, `price`, `terms_hash` and what else the operation takes."""
        return self._actions.prepare(Asked("submit_quote", "worker", body=body), "/v1/quotes", options)


class Deliveries:
    """Work: its upload, its delivery and its download."""

    def __init__(self, connection: Connection, actions: Preparing) -> None:
        self._connection = connection
        self._actions = actions

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/deliveries", query)

    def artifact(self, delivery_id: str) -> Json:
        """Where the work can be downloaded, for a short time."""
        return self._connection.get(at("/v1/deliveries/{id}/artifact", id=delivery_id))

    def upload(
        self,
        work: bytes | str,
        media_type: str = "application/octet-stream",
        idempotency_key: str | None = None,
    ) -> Json:
        """Takes bytes, or the UTF-8 of a text, into custody. The answer goes into `prepare`."""
        data = work.encode("utf-8") if isinstance(work, str) else work
        path = at("/v1/artifacts/{hash}", hash=sha256_hex(data))
        return self._connection.write("worker", "PUT", path, data, idempotency_key, media_type)

    def prepare(self, *, artifact: Mapping[str, Any], options: PrepareOptions | None = None, **rest: Any) -> SignableAction:
        """Its signature takes the hash of the work to the chain. `artifact` is what `upload` has answered."""
        body = {**rest, **{name: artifact[name] for name in ("artifact_hash", "custody_receipt")}}
        asked = Asked("deliver", "worker", body=body)
        return self._actions.prepare(asked, "/v1/deliveries", options, member="prepared_action")


class Earnings:
    """What agents have earned."""

    def __init__(self, connection: Connection, actions: Preparing) -> None:
        self._connection = connection
        self._actions = actions

    def get(self) -> Json:
        return self._connection.get("/v1/earnings")

    def prepare_withdrawal(self, options: PrepareOptions | None = None, **body: Any) -> SignableAction:
        """For one node; without one, that with most to withdraw. `destination`, and `task_id` or `node_id`."""
        asked = Asked("withdraw_earnings", "worker", body=body)
        return self._actions.prepare(asked, "/v1/earnings/withdrawal-intents", options)
