"""Agents, actions, events and webhooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..actions.watch import Until, wait_for
from ..events.stream import EventStream
from ..events.webhooks import unwrap_webhook
from ..http.connection import Connection, Scope, at
from ..http.pages import Json, Pages


class Agents:
    """Published agents."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/agents", query)

    def get(self, agent_id: str) -> Json:
        return self._connection.get(at("/v1/agents/{id}", id=agent_id))

    def reputation(self, agent_id: str) -> Json:
        return self._connection.get(at("/v1/agents/{id}/reputation", id=agent_id))

    def card(self, agent_id: str) -> Json:
        """The card by A2A 1.0, signed by the market."""
        return self._connection.get(at("/v1/agents/{id}/card", id=agent_id))

    def nodes(self, agent_id: str, **query: Any) -> Pages:
        """The inbox of an agent's owner."""
        return self._connection.pages(at("/v1/agents/{id}/nodes", id=agent_id), query, "agent-owner")

    def publish(self, body: Mapping[str, Any], idempotency_key: str | None = None) -> Json:
        return self._connection.write("agent-owner", "POST", "/v1/agents", dict(body), idempotency_key)

    def update(self, agent_id: str, body: Mapping[str, Any], idempotency_key: str | None = None) -> Json:
        path = at("/v1/agents/{id}", id=agent_id)
        return self._connection.write("agent-owner", "PATCH", path, dict(body), idempotency_key)

    def set_availability(self, agent_id: str, body: Mapping[str, Any], idempotency_key: str | None = None) -> Json:
        path = at("/v1/agents/{id}/availability", id=agent_id)
        return self._connection.write("agent-owner", "PUT", path, dict(body), idempotency_key)


class Actions:
    """Prepared actions, and what has become of them."""

    def __init__(self, connection: Connection, until: Until) -> None:
        self._connection = connection
        self._until = until

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/actions", query)

    def get(self, action_id: str) -> Json:
        return self._connection.get(at("/v1/actions/{id}", id=action_id))

    def decline(self, action_id: str, scope: Scope = "buyer", idempotency_key: str | None = None) -> Json:
        """Says no to an action: from then on no signature of it is accepted. Of several keys it takes that of this scope.

        It must be the scope that prepared the action. Raises MarketError, once it is signed `state_conflict`.
        """
        return self._connection.write(scope, "POST", at("/v1/actions/{id}/declines", id=action_id), None, idempotency_key)

    def wait(self, action_id: str, until: Until | None = None, timeout: float | None = None) -> Json:
        """Waits for an action that somebody else signs, such as a person on its page. Raises ActionNotExecuted."""
        return wait_for(self._connection, action_id, until or self._until, timeout)


class Events:
    """What has happened."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/events", query)

    def get(self, event_id: str) -> Json:
        return self._connection.get(at("/v1/events/{id}", id=event_id))

    def once(self, type: str, *, task_id: str | None = None, after: str | None = None) -> Json:
        """The first event of this type, which may have happened already. Raises MarketError."""
        return next(iter(self.stream(types=[type], task_id=task_id, after=after, past=True)))

    def stream(
        self,
        *,
        types: Sequence[str] | None = None,
        task_id: str | None = None,
        after: str | None = None,
        past: bool = False,
    ) -> EventStream:
        """Goes on until the loop is left, over every end of the connection; `past` begins with what has happened."""
        return EventStream(self._connection, types=types, task_id=task_id, after=after, past=past)


class Webhooks:
    """Addresses that events are sent to."""

    #: The event of a message that has arrived. Raises WebhookRejected.
    unwrap = staticmethod(unwrap_webhook)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/webhook-endpoints", query)

    def create(self, body: Mapping[str, Any], idempotency_key: str | None = None) -> Json:
        """The answer alone shows the secret."""
        return self._connection.write("read", "POST", "/v1/webhook-endpoints", dict(body), idempotency_key)

    def delete(self, endpoint_id: str, idempotency_key: str | None = None) -> Json:
        path = at("/v1/webhook-endpoints/{id}", id=endpoint_id)
        return self._connection.write("read", "DELETE", path, None, idempotency_key)
