"""A prepared action that has passed the checks."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..checks.signed_call import verify_signed_call
from ..checks.typed_data import to_sign
from ..http.connection import Connection, Scope, at
from ..http.errors import MarketError, MarketUnreachable
from ..http.pages import Json
from ..verification.document import Check
from .gate import ActionGate, Admitted
from .rejection import PreparedActionRejected
from .wallets import AnyWallet, wallet_of
from .watch import Until, wait_for


@dataclass(frozen=True)
class SignedAction:
    """An action that was signed, and the checked call that takes it to the chain; None: it needs none."""

    signature: str
    record: Json
    call: Json | None


class SignableAction:
    """What it says cannot be changed any more: it is kept as text."""

    def __init__(self, admitted: Admitted, gate: ActionGate, connection: Connection, scope: Scope, until: Until) -> None:
        self._admitted = admitted
        self._gate = gate
        self._connection = connection
        self._scope = scope
        self._until = until

    @property
    def action(self) -> Json:
        """A copy of the action as the service has prepared it."""
        action: Json = self._admitted.action
        return action

    @property
    def id(self) -> str:
        return str(self.action["action_id"])

    @property
    def kind(self) -> str:
        return self._admitted.intent.kind

    @property
    def task_id(self) -> str | None:
        return self.action.get("task_id")

    @property
    def signing_url(self) -> str:
        """The page where a person signs it with a wallet of a browser."""
        return str(self.action["signing_url"])

    @property
    def checks(self) -> tuple[Check, ...]:
        """The fifteen checks of its arrival."""
        return self._admitted.checks

    @property
    def digest(self) -> str:
        """EIP-712 digest of what is signed; `match_code(digest)` gives the code that the approval page shows."""
        return self._admitted.digest

    def sign_with(self, wallet: AnyWallet) -> str:
        """Checks it once more and has the wallet sign it. Raises PreparedActionRejected, and what the wallet raises."""
        signer = wallet_of(wallet, self._gate.ask)
        self._gate.confirm(self._admitted, signer.address)
        return signer.sign(to_sign(self.action["payload"]))

    def submit(self, signature: str, idempotency_key: str | None = None) -> SignedAction:
        """Hands a signature in.

        The call that comes back is checked, too: it must carry this action and this signature and nothing else. Raises
        PreparedActionRejected, MarketError.
        """
        record = self._hand_in({"signature": signature}, idempotency_key)
        # A copy, so that what is checked is what is sent.
        call = json.loads(json.dumps(record.get("transaction")))
        if call is not None:
            check = verify_signed_call(call, self.action, signature, self._gate.deployment)
            if check.status != "passed":
                raise PreparedActionRejected([check], record, signed=True)
        return SignedAction(signature, record, call)

    def submit_transaction(self, transaction_hash: str, idempotency_key: str | None = None) -> Json:
        """Tells the service the transaction with which the action is on its way, so that it is followed."""
        return self._hand_in({"transaction_hash": transaction_hash}, idempotency_key)

    def send(self, wallet: AnyWallet, until: Until | None = None, timeout: float | None = None) -> Json:
        """Signs it, hands it in, has the same wallet send the call if there is one, and waits until it is so far.

        Raises PreparedActionRejected, MarketError, ActionNotExecuted, and TypeError where the wallet cannot send.
        """
        call = self.submit(self.sign_with(wallet)).call
        if call is not None:
            signer = wallet_of(wallet, self._gate.ask)
            sent = signer.send({"to": call["to"], "data": call["data"]}, self._gate.deployment.chain_id)
            # Only who knows the transaction can tell that it has failed, before the action's time is over. What is sent is
            # sent: a refusal is no reason not to wait for it.
            with suppress(MarketError, MarketUnreachable):
                self.submit_transaction(sent)
        return self.wait(until, timeout)

    def wait(self, until: Until | None = None, timeout: float | None = None) -> Json:
        """Waits until it has come to its end. An offer or a selection has no transaction: its end is the signature.

        Raises ActionNotExecuted when it ends otherwise, TimeoutError after so many seconds.
        """
        return wait_for(self._connection, self.id, until or self._until, timeout)

    def _hand_in(self, body: dict[str, Any], idempotency_key: str | None) -> Json:
        path = at("/v1/actions/{id}/submissions", id=self.id)
        return self._connection.write(self._scope, "POST", path, body, idempotency_key)
