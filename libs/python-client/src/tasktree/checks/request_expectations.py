"""The members of the escrow's own struct that follow from the request's body, each with the value that it must have."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from ..verification.addresses import ZERO_ADDRESS, checksum_of, is_address
from ..verification.document import MISSING, ExpectedMembers, Intent
from ..verification.hashing import request_digest_of, sha256_text
from ..verification.notation import format_usdc, parse_usdc
from ..verification.plain_json import plain_json

#: Windows, in seconds, of terms that name none.
_DEFAULT_ACCEPT_WINDOW = 259_200
_DEFAULT_DELIVERY_WINDOW = 604_800
#: Deliveries after a rejection of an offer that names no number.
_DEFAULT_REVISIONS = 3
#: Seconds that the clocks of both sides may differ.
_MAX_SKEW = 60
_ZERO_HASH = "0x" + "0" * 64
_INSTANT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}:[0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?(Z|[+-][0-9]{2}:[0-9]{2}))?"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


class Range(NamedTuple):
    """The least and the greatest value."""

    least: int
    most: int


def expected_by_request(intent: Intent) -> ExpectedMembers:
    """Raises on a body that the service would have refused."""
    sent = plain_json(intent.body)
    body: dict[str, Any] = sent if isinstance(sent, dict) else {}
    kind = intent.kind
    if kind == "create_task":
        return _create_task(body)
    if kind == "submit_quote":
        return {"terms": _offer(body), **_until(body.get("valid_until", MISSING))}
    if kind == "subcontract":
        terms = _present({"acceptWindow": body.get("accept_window_seconds")})
        # Only what comes from the hirer's wallet can be paid in one way or another.
        return {"terms": {**terms, "hirerFunded": True} if "funding_mode" in body else terms}
    if kind in ("select_agent", "fund_task"):
        return {"terms": {"hirerFunded": True}}
    if kind == "deliver":
        return {**_present({"artifactHash": body.get("artifact_hash")}), "payOut": _flag(body.get("pay_out"), True)}
    if kind == "reject_task":
        reason = body.get("reason")
        return {"reasonHash": sha256_text(reason) if isinstance(reason, str) else _ZERO_HASH}
    if kind == "dispute_node":
        evidence = body.get("evidence_hash")
        return {"evidenceHash": evidence if isinstance(evidence, str) else _ZERO_HASH}
    if kind in ("withdraw_earnings", "withdraw_refund"):
        return _present({"recipient": body.get("destination"), "account": body.get("wallet")})
    return {}


def work_seconds_by_deadline(intent: Intent, now_ms: int, max_action_seconds: int) -> Range | None:
    """The range of `terms.workSeconds` of an offer that names a deadline instead; None: the request names none.

    The seconds from the moment of preparation until then; an action is prepared for at most `max_action_seconds`. Raises
    ValueError when the deadline is no instant.
    """
    sent = plain_json(intent.body)
    if intent.kind != "submit_quote" or not isinstance(sent, dict) or "deadline" not in sent:
        return None
    left = _seconds_of(sent["deadline"]) - int(now_ms // 1000)
    return Range(left - _MAX_SKEW, left + max_action_seconds + _MAX_SKEW)


def _create_task(body: dict[str, Any]) -> ExpectedMembers:
    """The frozen terms are hashed as the service freezes them: with its defaults, the budget in its canonical form."""
    budget = _amount_of(body.get("budget"))
    named = body.get("arbiter")
    arbiter = checksum_of(named) if is_address(named) else ZERO_ADDRESS
    terms = {
        "criteria": _or_default(body.get("criteria"), []),
        "budget": {"amount": format_usdc(budget), "currency": "USDC"},
        "accept_window_seconds": _or_default(body.get("accept_window_seconds"), _DEFAULT_ACCEPT_WINDOW),
        "delivery_window_seconds": _or_default(body.get("delivery_window_seconds"), _DEFAULT_DELIVERY_WINDOW),
        "arbiter": arbiter,
    }
    if "brief" in body:
        terms["brief"] = body["brief"]
    own = {"budget": budget, "arbiter": arbiter, "termsHash": request_digest_of(terms)}
    return {**own, **_until(body.get("deadline", MISSING))}


def _offer(body: dict[str, Any]) -> ExpectedMembers:
    amount = _amount_of(body.get("price"))
    revisions = body.get("max_revisions")
    return {
        "amount": amount,
        "floor": _amount_of(body["floor"]) if "floor" in body else amount // 2,
        "maxRevisions": revisions if _is_number(revisions) else _DEFAULT_REVISIONS,
        "hirerFunded": _flag(body.get("hirer_funded"), "parent_node_id" not in body),
        **_present(
            {
                "termsHash": body.get("terms_hash"),
                "workSeconds": body.get("work_seconds"),
                "acceptWindow": body.get("accept_window_seconds"),
            }
        ),
    }


def _until(instant: Any) -> ExpectedMembers:
    return {} if instant is MISSING else {"validUntil": _seconds_of(instant)}


def _present(members: dict[str, Any]) -> dict[str, Any]:
    """The members that the body names."""
    return {name: value for name, value in members.items() if isinstance(value, str) or _is_number(value)}


def _amount_of(money: Any) -> int:
    amount = money.get("amount") if isinstance(money, dict) else None
    if not isinstance(amount, str):
        raise ValueError("The request names no amount")
    return parse_usdc(amount)


def _seconds_of(instant: Any) -> int:
    """Whole seconds of an instant; parts of a second are dropped, as the service drops them."""
    match = _INSTANT.fullmatch(instant) if isinstance(instant, str) else None
    if match is None:
        raise ValueError("The request names no instant")
    day, clock, seconds, zone = match.groups()
    text = f"{day} {clock or '00:00'}:{seconds or '00'} {(zone or 'Z').replace('Z', '+00:00')}"
    return (datetime.strptime(text, "%Y-%m-%d %H:%M:%S %z") - _EPOCH) // timedelta(seconds=1)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _flag(value: Any, absent: bool) -> bool:
    return value if isinstance(value, bool) else absent


def _or_default(value: Any, default: Any) -> Any:
    return default if value is None else value
