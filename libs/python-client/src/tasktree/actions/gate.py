"""Lets through what answers a request, twice: when the service has answered, and again when a wallet is to sign."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..checks.verify import is_signable, verify_prepared_action
from ..http.connection import Scope
from ..verification.document import Check, Context, Deployment, ExpectedMembers, Intent, TreeParties
from ..verification.notation import parse_usdc
from ..verification.typed_data_hash import hash_typed_data
from .chain_node import Ask, readings_of
from .rejection import PreparedActionRejected


@dataclass(frozen=True)
class PrepareOptions:
    """What a caller can say about an action beyond the request: more to hold the answer against."""

    #: Members of the message that are signed, such as `{"terms": {"worker": "0x…"}}`.
    expects: ExpectedMembers = field(default_factory=dict)
    #: Buyer and arbiter of the task, where the caller knows them: the escrow's address follows from them.
    tree: TreeParties | None = None
    #: The escrow's address, where the caller knows it.
    escrow: str | None = None
    #: The EIP-712 digest that was shown elsewhere.
    digest: str | None = None
    #: None: a new one. A call that is repeated with its key is one call.
    idempotency_key: str | None = None


@dataclass(frozen=True)
class Asked:
    """What an action must answer."""

    kind: str
    scope: Scope
    task_id: str | None = None
    node_id: str | None = None
    body: Any = None
    expects: ExpectedMembers = field(default_factory=dict)
    #: The greatest price, in decimal USDC, where no certain one was asked for.
    most: str | None = None


@dataclass(frozen=True)
class Admitted:
    """An action that has passed, as text that nobody can change, and what it was held against."""

    text: str
    intent: Intent
    checks: tuple[Check, ...]
    digest: str

    @property
    def action(self) -> Any:
        """A copy."""
        return json.loads(self.text)


@dataclass(frozen=True)
class ActionGate:
    """What is known of the market and of the caller before any action arrives."""

    deployment: Deployment
    #: Asks the caller's own blockchain node.
    ask: Ask | None
    #: Address of the wallet that will sign.
    wallet: str | None
    #: Seconds since the epoch.
    now: Callable[[], float]

    def admit(self, answer: object, asked: Asked, principal: str, options: PrepareOptions) -> Admitted:
        """Checks an answer, before the caller sees it. Only what a wallet or its node must say may stay open.

        Raises PreparedActionRejected.
        """
        text = json.dumps(answer)
        action = json.loads(text)
        intent = _intent_of(asked, principal, options, self.wallet)
        checks = self._check(action, intent, self.wallet)
        failed = [check for check in checks if check.status == "failed"]
        if not failed and options.expects:
            # What a quote says of a member and what the caller knows of it must both hold; together, one would hide the other.
            own = self._check(action, replace(intent, expects=options.expects), self.wallet)
            failed += [check for check in own if check.status == "failed"]
        if not failed and asked.most is not None:
            failed += _too_dear(action, asked.most, checks)
        if failed:
            raise PreparedActionRejected(failed, answer)
        digest = hash_typed_data(action["payload"]).digest
        return Admitted(text, replace(intent, digest=digest), tuple(checks), digest)

    def confirm(self, admitted: Admitted, address: str) -> None:
        """Checks an admitted action once more, now with the wallet that is to sign, its node and the time of now.

        Raises PreparedActionRejected also where something stays open that must be known.
        """
        action = admitted.action
        checks = self._check(action, admitted.intent, address)
        if not is_signable(checks):
            raise PreparedActionRejected([check for check in checks if check.status != "passed"], action)

    def _check(self, action: Any, intent: Intent, connected_wallet: str | None) -> list[Check]:
        readings = readings_of(self.ask, action, intent, self.deployment)
        context = Context(self.deployment, int(self.now() * 1000), connected_wallet, readings)
        return verify_prepared_action(action, intent, context)


def _intent_of(asked: Asked, principal: str, options: PrepareOptions, wallet: str | None) -> Intent:
    expects = {**asked.expects, **options.expects}
    terms, own_terms = asked.expects.get("terms"), options.expects.get("terms")
    if isinstance(terms, Mapping) and isinstance(own_terms, Mapping):
        # Terms that follow from the request cannot be taken back by the caller's own.
        expects["terms"] = {**own_terms, **terms}
    return Intent(
        kind=asked.kind,
        principal=principal,
        wallet=wallet,
        task_id=asked.task_id,
        node_id=asked.node_id,
        body=None if asked.body is None else json.loads(json.dumps(asked.body)),
        expects=expects,
        escrow=options.escrow,
        tree=options.tree,
        digest=options.digest,
    )


def _too_dear(action: Any, most: str, checks: list[Check]) -> list[Check]:
    """The failed row of an offer above the greatest price."""
    amount = int(action["payload"]["message"]["terms"]["amount"])
    if amount <= parse_usdc(most):
        return []
    detail = f"The price is {amount} base units, above {most} USDC."
    return [replace(check, status="failed", detail=detail) for check in checks if check.name == "members"]
