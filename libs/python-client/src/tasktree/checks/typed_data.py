"""Checks 8, 9 and 15: the data that a wallet would sign."""

from __future__ import annotations

from typing import Any

from ..verification.document import MISSING
from ..verification.hashing import keccak_text
from ..verification.notation import FIRST_WITHDRAWAL_NONCE, nonce_parts, same_hex, uint_of
from ..verification.shown_text import found_text
from ..verification.typed_data_hash import hash_typed_data
from ..verification.typed_data_schemas import ESCROW_DOMAIN
from . import check_copy as copy
from .schema import form_fault
from .subject import Finding, Form, Subject, failed, instant_of, passed

#: The ways to pay, each at the place that the contract numbers it by, with the message that it makes a wallet sign.
_WAYS_TO_PAY: tuple[tuple[str, Form], ...] = (
    ("allowance", "escrow"),
    ("authorization", "authorization"),
    ("permit", "permit"),
    ("refund_balance", "escrow"),
    # No request names this one: it follows from the terms.
    ("parent_node", "escrow"),
)
#: Seconds that a signature outlives its action, so that one that is signed in the last second can still be mined.
_MINING_MARGIN = 60


def check_schema(subject: Subject) -> Finding:
    """8: structs, domain and message have exactly the form that is pinned here for the kind."""
    payload, form, own, deployment = subject.payload, subject.form, subject.own, subject.context.deployment
    if form is None:
        return failed(copy.primary_type(found_text(payload.get("primaryType"))))
    token_domain = (deployment.usdc_name, deployment.usdc_version)
    fault = form_fault(payload, ESCROW_DOMAIN if form == "escrow" else token_domain)
    if fault is not None:
        return failed(fault)
    if form != "escrow":
        if own is None:
            return failed(copy.PAYMENT_NOT_BOUND)
        if subject.rule is None or own.get("primaryType") != subject.rule.struct:
            return failed(copy.primary_type(found_text(own.get("primaryType"))))
        own_fault = form_fault(own, ESCROW_DOMAIN)
        if own_fault is not None:
            return failed(own_fault)
    if not _is_asked_payment(subject):
        return failed(f"Nobody asked to pay this way ({form}).")
    return passed(f"Compared member by member: {found_text(payload.get('primaryType'))}.")


def check_binding(subject: Subject) -> Finding:
    """9: the message belongs to this very action, and ends with it."""
    action, form, message, own = subject.action, subject.form, subject.message, subject.own
    action_id, nonce = action.get("action_id"), action.get("nonce")
    number = uint_of(nonce)
    if number is None or not _is_nonce_of(subject, number):
        return failed(copy.bound("nonce"))
    if own is None:
        return failed(copy.PAYMENT_NOT_BOUND)
    action_hash = keccak_text(action_id) if isinstance(action_id, str) else None
    if not same_hex(subject.own_member("actionId"), action_hash):
        return failed(copy.bound("actionId"))
    if not same_hex(subject.own_member("requestDigest"), action.get("request_digest")):
        return failed(copy.bound("requestDigest"))
    if subject.own_member("nonce") != nonce:
        return failed(copy.bound("nonce"))
    valid_until = subject.own_member("validUntil")
    if not _ends_with_action(subject, valid_until):
        return failed(copy.bound("validUntil"))
    if form == "authorization":
        if not same_hex(message.get("nonce"), hash_typed_data(own).digest):
            return failed("The payment is for another action: its nonce is a different digest.")
        # The token compares with `<`, the escrow with `<=`.
        last = uint_of(valid_until)
        if last is None or uint_of(message.get("validBefore")) != last + 1:
            return failed(copy.bound("validBefore"))
        if message.get("validAfter") != "0":
            return failed(copy.bound("validAfter"))
    elif form == "permit":
        # The call carries the permit's end as the action's own.
        if message.get("deadline") != valid_until:
            return failed(copy.bound("deadline"))
    return passed(f"Nonce {found_text(nonce)}, action id, request digest and deadline agree.")


def check_digest(subject: Subject) -> Finding:
    """15: the data that a wallet would sign can be hashed, and has the digest that was shown."""
    if subject.form is None:
        return failed("The data to sign has no digest.")
    digest = hash_typed_data(to_sign(subject.payload)).digest
    if subject.intent.digest is not None and not same_hex(subject.intent.digest, digest):
        return failed(f"The data to sign has the digest {digest}.")
    return passed(digest)


def to_sign(payload: Any) -> dict[str, Any]:
    """The part of a payload that a wallet signs."""
    return {name: payload[name] for name in ("domain", "types", "primaryType", "message") if name in payload}


def _is_asked_payment(subject: Subject) -> bool:
    """True when message, terms and request are about one way to pay. Nobody gets a permit who has not asked for one."""
    body = subject.intent.body if isinstance(subject.intent.body, dict) else {}
    asked = body.get("funding_mode", MISSING)
    mode = subject.own_member("fundingMode")
    is_from_node = subject.own_member("terms.hirerFunded") is False
    return any(
        way == subject.form
        and is_from_node == (name == "parent_node")
        and (name != "permit" if asked is MISSING else name == asked)
        and (mode is MISSING or mode == str(number))
        for number, (name, way) in enumerate(_WAYS_TO_PAY)
    )


def _is_nonce_of(subject: Subject, nonce: int) -> bool:
    """True for a nonce that the contract takes for this action.

    The version of a node that exists is for the check of its state.
    """
    rule = subject.rule
    if rule is None or rule.nonce == "zero":
        return nonce == 0
    if rule.nonce == "withdrawal":
        return nonce >= FIRST_WITHDRAWAL_NONCE
    path, version = nonce_parts(nonce)
    if rule.nonce == "new_node" and version != 0:
        return False
    return subject.own is None or rule.node_member is None or uint_of(subject.own_member(rule.node_member)) == path


def _ends_with_action(subject: Subject, last_second: Any) -> bool:
    """Signatures that are kept outlive their action; all others end within the margin for mining."""
    end_ms = instant_of(subject.action.get("expires_at"))
    last = uint_of(last_second)
    if end_ms is None or last is None:
        return False
    end = end_ms // 1000
    is_kept = subject.rule is not None and subject.rule.is_kept
    return last >= end and (is_kept or last <= end + _MINING_MARGIN)
