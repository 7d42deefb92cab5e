"""Tasks, and what their buyer prepares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..actions.gate import Asked, PrepareOptions
from ..actions.preparing import ACCEPT, Preparing, terms_of_quote
from ..actions.signable_action import SignableAction
from ..http.connection import Connection, at
from ..http.pages import Json, Pages


class Tasks:
    """`query` takes the parameters of the operation, such as `role="buyer"`."""

    def __init__(self, connection: Connection, actions: Preparing) -> None:
        self._connection = connection
        self._actions = actions

    def list(self, **query: Any) -> Pages:
        return self._connection.pages("/v1/tasks", query)

    def get(self, task_id: str) -> Json:
        return self._connection.get(at("/v1/tasks/{id}", id=task_id))

    def preview(self, task_id: str) -> Json:
        return self._connection.get(at("/v1/tasks/{id}/preview", id=task_id))

    def nodes(self, task_id: str, **query: Any) -> Pages:
        return self._connection.pages(at("/v1/tasks/{id}/nodes", id=task_id), query)

    def matches(self, task_id: str, **query: Any) -> Pages:
        """Eligible agents, the best first."""
        return self._connection.pages(at("/v1/tasks/{id}/matches", id=task_id), query)

    def invite(self, task_id: str, agents: Sequence[str | Mapping[str, Any]], idempotency_key: str | None = None) -> Json:
        """Lets the owners of agents, or of matches, see a private task; who has seen it cannot be uninvited."""
        body = {"agent_ids": [one if isinstance(one, str) else one["agent"]["id"] for one in agents]}
        path = at("/v1/tasks/{id}/invitations", id=task_id)
        return self._connection.write("buyer", "POST", path, body, idempotency_key)

    def prepare_creation(self, body: Mapping[str, Any], options: PrepareOptions | None = None) -> SignableAction:
        """Its signature opens the task for offers."""
        asked = Asked("create_task", "buyer", body=dict(body))
        return self._actions.prepare(asked, "/v1/task-creation-intents", options)

    def prepare_selection(
        self,
        task_id: str,
        *,
        quote: Mapping[str, Any] | None = None,
        most: str | None = None,
        options: PrepareOptions | None = None,
    ) -> SignableAction:
        """Takes one offer with exactly its terms: the `quote` that the caller has seen, or the best one up to `most`."""
        if (quote is None) == (most is None):
            raise ValueError("A selection takes a quote, or the greatest price")
        if quote is not None:
            body = {"mode": "manual", "agent_id": quote["agent_id"]}
            asked = Asked("select_agent", "buyer", task_id, body=body, expects=terms_of_quote(quote))
        else:
            asked = Asked("select_agent", "buyer", task_id, body={"mode": "auto"}, most=most)
        return self._actions.prepare(asked, at("/v1/tasks/{id}/selection-intents", id=task_id), options)

    def prepare_funding(
        self,
        task_id: str,
        *,
        quote: Mapping[str, Any],
        options: PrepareOptions | None = None,
        **body: Any,
    ) -> SignableAction:
        """Pays the selected offer into the task's escrow. The quote is the one that the caller means to pay."""
        asked = Asked("fund_task", "buyer", task_id, body=body, expects=terms_of_quote(quote))
        return self._actions.prepare(asked, at("/v1/tasks/{id}/funding-intents", id=task_id), options)

    def prepare_resolution(
        self, task_id: str, body: Mapping[str, Any] = ACCEPT, options: PrepareOptions | None = None
    ) -> SignableAction:
        """Accepts the work of a root node: the newest, or that of `node_id` in the body."""
        asked = Asked("resolve_task", "buyer", task_id, body=dict(body))
        return self._actions.prepare(asked, at("/v1/tasks/{id}/resolution", id=task_id), options)

    def prepare_rejection(
        self,
        task_id: str,
        *,
        reason: str | None = None,
        node_id: str | None = None,
        options: PrepareOptions | None = None,
    ) -> SignableAction:
        """Rejects the work of a root node: the newest, or that of `node_id`."""
        named = {"reason": reason, "node_id": node_id}
        body = {name: value for name, value in named.items() if value is not None}
        asked = Asked("reject_task", "buyer", task_id, body=body)
        return self._actions.prepare(asked, at("/v1/tasks/{id}/reject-intents", id=task_id), options)

    def prepare_refund_withdrawal(
        self, task_id: str, *, destination: str, wallet: str | None = None, options: PrepareOptions | None = None
    ) -> SignableAction:
        """Takes out what came back in the task's tree to `wallet`; without one, to that of yours with most."""
        body = {"destination": destination} if wallet is None else {"destination": destination, "wallet": wallet}
        asked = Asked("withdraw_refund", "buyer", task_id, body=body)
        return self._actions.prepare(asked, at("/v1/tasks/{id}/refund-withdrawal-intents", id=task_id), options)
