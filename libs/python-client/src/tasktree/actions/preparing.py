"""Has the service prepare actions, and lets through only what answers the request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..http.connection import Connection
from ..verification.document import ExpectedMembers
from ..verification.notation import parse_usdc
from .gate import ActionGate, Asked, PrepareOptions
from .signable_action import SignableAction
from .watch import Until


#: The body of a resolution that names none.
ACCEPT: Mapping[str, Any] = {"resolution": "accept"}


class Preparing:
    """What the answers of one caller's market are held against."""

    def __init__(self, connection: Connection, gate: ActionGate | None, account: str | None, until: Until) -> None:
        self._connection = connection
        self._gate = gate
        self._account = account
        self._until = until

    def prepare(self, asked: Asked, path: str, options: PrepareOptions | None, member: str | None = None) -> SignableAction:
        """The action that answers a POST to the path; `member` names the part of the answer that it is in.

        Raises PreparedActionRejected, MarketError, MarketUnreachable, and ValueError where no deployment is pinned.
        """
        if self._gate is None:
            raise ValueError("Actions need a pinned `deployment` to be checked against")
        own = options or PrepareOptions()
        principal = self._principal()
        answer: Any = self._connection.write(asked.scope, "POST", path, asked.body, own.idempotency_key)
        admitted = self._gate.admit(answer if member is None else answer.get(member), asked, principal, own)
        return SignableAction(admitted, self._gate, self._connection, asked.scope, self._until)

    def _principal(self) -> str:
        if self._account is None:
            self._account = str(self._connection.get("/v1/me")["account"]["id"])
        return self._account


def terms_of_quote(quote: Mapping[str, Any]) -> ExpectedMembers:
    """The members of the terms that a quote fixes: what is selected or paid must be what the caller has seen."""
    terms = {
        "amount": parse_usdc(quote["price"]["amount"]),
        "floor": parse_usdc(quote["floor"]["amount"]),
        "workSeconds": quote["work_seconds"],
        "maxRevisions": quote["max_revisions"],
    }
    if quote.get("terms_hash") is not None:
        terms["termsHash"] = quote["terms_hash"]
    return {"terms": terms}
