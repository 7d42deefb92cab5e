"""What the checks look at: the action, each of its members read once, with what was asked for and the context."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any, Literal, NamedTuple

from ..verification.document import MISSING, CheckStatus, Context, Intent
from ..verification.kinds import KindRule, rule_of
from ..verification.notation import parent_path, uint_of
from ..verification.plain_json import plain_json

#: Which message the wallet would sign: the escrow's own, or one of the token's that pays for it.
Form = Literal["escrow", "authorization", "permit"]

_PAYMENTS: dict[str, Form] = {"ReceiveWithAuthorization": "authorization", "Permit": "permit"}
_INSTANT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?Z")
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Finding(NamedTuple):
    """What one check found, in one line."""

    status: CheckStatus
    detail: str


@dataclass(frozen=True)
class Subject:
    """The action that is checked; a part that is missing or malformed is empty."""

    action: Mapping[str, Any]
    #: None: a kind that is not known here.
    rule: KindRule | None
    payload: Mapping[str, Any]
    domain: Mapping[str, Any]
    message: Mapping[str, Any]
    #: None: another primary type than the kind has.
    form: Form | None
    #: Typed data of the escrow's own message, of a payment the one that it is for; None: the payload has none.
    own: Mapping[str, Any] | None
    intent: Intent
    context: Context

    def own_member(self, path: str) -> Any:
        """A member of the escrow's own message by its path, such as `terms.amount`; MISSING: there is none."""
        value: Any = MISSING if self.own is None else self.own.get("message", MISSING)
        for name in path.split("."):
            value = value.get(name, MISSING) if isinstance(value, dict) else MISSING
        return value

    @property
    def wallet(self) -> Any:
        """The wallet that the envelope, the request or the connection names."""
        for named in (self.action.get("wallet_address"), self.intent.wallet):
            if named is not None:
                return named
        return self.context.connected_wallet

    @property
    def now_ms(self) -> int:
        """The later of this side's clock and the chain's, by which actions expire.

        The wallet's own node tells the chain's clock, or else any other that answered.
        """
        timed = [reading for reading in self.context.readings if reading.block_time is not None]
        told = next((reading for reading in timed if reading.source == "wallet"), timed[0] if timed else None)
        return max(self.context.now_ms, ((told.block_time or 0) if told else 0) * 1000)


def subject_of(value: object, intent: Intent, context: Context) -> Subject:
    """Reads the subject of the checks from any value."""
    action = _object(plain_json(value))
    payload = _object(action.get("payload"))
    rule = rule_of(action.get("kind"))
    form = _form_of(payload.get("primaryType"), rule)
    authorizes = payload.get("authorizes")
    own = payload if form == "escrow" else authorizes if form is not None and isinstance(authorizes, dict) else None
    return Subject(
        action,
        rule,
        payload,
        _object(payload.get("domain")),
        _object(payload.get("message")),
        form,
        own,
        intent,
        context,
    )


def named_node(subject: Subject) -> int | None:
    """Path of the node that `node_id` must name: the one in the message; the node above it where somebody is hired.

    0 for the buyer; None: the kind is for no node.
    """
    rule = subject.rule
    if rule is None or rule.node_member is None:
        return None
    path = uint_of(subject.own_member(rule.node_member))
    return parent_path(path) if path is not None and rule.is_under_node else path


def instant_of(value: object) -> int | None:
    """Milliseconds of an ISO 8601 instant in UTC; None for anything else."""
    match = _INSTANT.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    try:
        time = datetime.strptime(match[1], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    return (time - _EPOCH) // timedelta(seconds=1) * 1000 + int((match[2] or "")[:3].ljust(3, "0"))


def passed(detail: str) -> Finding:
    return Finding("passed", detail)


def failed(detail: str) -> Finding:
    return Finding("failed", detail)


def unknown(detail: str) -> Finding:
    return Finding("unknown", detail)


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _form_of(primary_type: object, rule: KindRule | None) -> Form | None:
    if rule is None or not isinstance(primary_type, str):
        return None
    if primary_type == rule.struct:
        return "escrow"
    return _PAYMENTS.get(primary_type) if rule.takes_money else None
