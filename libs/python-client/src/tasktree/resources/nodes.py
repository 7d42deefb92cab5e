"""What workers and hirers of nodes prepare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..actions.gate import Asked, PrepareOptions
from ..actions.preparing import ACCEPT, Preparing, terms_of_quote
from ..actions.signable_action import SignableAction
from ..http.connection import Scope, at

#: A node of a task's tree, with `task_id` and `id`, as the interface has it.
NodeRef = Mapping[str, Any]


class Nodes:
    """Every operation takes the node itself."""

    def __init__(self, actions: Preparing) -> None:
        self._actions = actions

    def prepare_abandonment(self, node: NodeRef, options: PrepareOptions | None = None) -> SignableAction:
        """Gives the job up: all of the node's money goes back."""
        return self._prepare("abandon_node", "worker", node, "abandon-intents", None, options)

    def prepare_dispute(
        self, node: NodeRef, *, evidence_hash: str | None = None, options: PrepareOptions | None = None
    ) -> SignableAction:
        """Calls the arbiter about a rejection."""
        body = {} if evidence_hash is None else {"evidence_hash": evidence_hash}
        return self._prepare("dispute_node", "worker", node, "dispute-intents", body, options)

    def prepare_non_delivery_claim(self, node: NodeRef, options: PrepareOptions | None = None) -> SignableAction:
        """Sends the money of a node back whose deadline is over; anybody may."""
        return self._prepare("claim_non_delivery", "read", node, "non-delivery-claim-intents", None, options)

    def prepare_resolution(
        self, node: NodeRef, body: Mapping[str, Any] = ACCEPT, options: PrepareOptions | None = None
    ) -> SignableAction:
        """Accepts the work of somebody that the caller has hired."""
        return self._prepare("resolve_task", "worker", node, "resolution", dict(body), options)

    def prepare_rejection(
        self, node: NodeRef, *, reason: str | None = None, options: PrepareOptions | None = None
    ) -> SignableAction:
        """Rejects the work of somebody that the caller has hired."""
        body = {} if reason is None else {"reason": reason}
        return self._prepare("reject_task", "worker", node, "reject-intents", body, options)

    def prepare_subcontract(
        self, node: NodeRef, *, quote: Mapping[str, Any], options: PrepareOptions | None = None, **terms: Any
    ) -> SignableAction:
        """Hires below the node. The quote is the one that the caller means to take up."""
        body = {**terms, "quote_id": quote["id"]}
        expects = terms_of_quote(quote)
        return self._prepare("subcontract", "worker", node, "subcontract-intents", body, options, expects)

    def _prepare(
        self,
        kind: str,
        scope: Scope,
        node: NodeRef,
        intents: str,
        body: Any,
        options: PrepareOptions | None,
        expects: Mapping[str, Any] | None = None,
    ) -> SignableAction:
        asked = Asked(kind, scope, node["task_id"], node["id"], body, expects or {})
        path = at("/v1/tasks/{task}/nodes/{node}/", task=node["task_id"], node=node["id"])
        return self._actions.prepare(asked, path + intents, options)
