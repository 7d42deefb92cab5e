"""Checks 6 and 7: which contracts can use the signature, and whether the escrow is the market's own."""

from __future__ import annotations

from typing import Any

from ..verification.addresses import escrow_address_of, is_address, same_address
from ..verification.document import MISSING, TreeParties
from ..verification.notation import parent_path, uint_of
from ..verification.shown_text import found_text
from . import check_copy as copy
from .call_faults import call_faults
from .subject import Finding, Subject, failed, passed, unknown


def check_contract(subject: Subject) -> Finding:
    """6: only the escrow, or the pinned token in favour of the escrow, can use the signature; no call goes elsewhere."""
    form, message, deployment = subject.form, subject.message, subject.context.deployment
    escrow = subject.action.get("escrow_address")
    if not is_address(escrow):
        return failed(copy.missing("escrow_address"))
    if subject.intent.escrow is not None and not same_address(escrow, subject.intent.escrow):
        return failed(copy.contract_other("escrow_address", found_text(escrow), found_text(subject.intent.escrow)))
    if form is None:
        return failed(copy.UNREADABLE)
    token = _token_fault(subject)
    if token is not None:
        return failed(copy.contract_other("token", found_text(token), deployment.usdc))
    own_domain = None if subject.own is None else subject.own.get("domain")
    own_domain = own_domain if isinstance(own_domain, dict) else None
    places: list[tuple[str, Any]] = [
        ("verifyingContract", subject.domain.get("verifyingContract") if form == "escrow" else escrow),
        (
            "authorizes.domain.verifyingContract",
            escrow if own_domain is None else own_domain.get("verifyingContract"),
        ),
        ("to", message.get("to") if form == "authorization" else escrow),
        ("spender", message.get("spender") if form == "permit" else escrow),
    ]
    for name, found in places:
        if not same_address(found, escrow):
            return failed(copy.contract_other(name, found_text(found), str(escrow)))
    if form != "escrow" and own_domain is not None:
        chain = own_domain.get("chainId")
        if type(chain) is not int or chain != deployment.chain_id:
            return failed(copy.contract_other("authorizes.domain.chainId", found_text(chain), str(deployment.chain_id)))
    target = call_faults(subject).target
    if target is not None:
        return failed(target)
    if form == "escrow":
        return passed(f"The escrow is {escrow}.")
    return passed(f"The token is {deployment.usdc}. It pays into the escrow {escrow}.")


def check_escrow(subject: Subject) -> Finding:
    """7: the address follows from parties that are known, or the wallet's own node shows the market's contract there.

    What the service's node says alone is not enough to sign.
    """
    readings = subject.context.readings
    escrow, task = subject.action.get("escrow_address"), subject.action.get("task_id")
    if any(reading.escrow == "foreign" for reading in readings):
        return failed("Another contract is at this address.")
    parties = subject.intent.tree or parties_in(subject)
    if parties is not None and isinstance(task, str):
        derived = escrow_address_of(subject.context.deployment, parties, task)
        if same_address(derived, escrow):
            return passed("Its address follows from the factory, the buyer, the arbiter and the task.")
        return failed(f"The escrow of this task is {derived}.")
    by_wallet = next((reading.escrow for reading in readings if reading.source == "wallet"), None)
    if by_wallet == "clone":
        return passed("Your wallet’s own node shows the market’s contract for this task there.")
    if by_wallet is not None:
        return passed("It does not exist yet. The factory will create it at this address.")
    if any(reading.escrow is not None for reading in readings):
        return unknown("Only the service says so. Your wallet’s own node has not been asked yet.")
    return unknown(copy.NO_READING)


def parties_in(subject: Subject) -> TreeParties | None:
    """Buyer and arbiter of the tree where the message names both."""
    path = uint_of(subject.own_member("terms.nodeId")) if subject.intent.kind == "submit_quote" else None
    is_root_quote = path is not None and parent_path(path) == 0
    buyer = subject.own_member("hirer" if is_root_quote else "buyer")
    arbiter = subject.own_member("arbiter")
    return TreeParties(buyer, arbiter) if is_address(buyer) and is_address(arbiter) else None


def _token_fault(subject: Subject) -> Any:
    """The value that is named as the token but is not the pinned token; None: there is none."""
    usdc = subject.context.deployment.usdc
    signed_by = subject.domain.get("verifyingContract", MISSING)
    if subject.form != "escrow" and not same_address(signed_by, usdc):
        return signed_by
    message = None if subject.own is None else subject.own.get("message")
    named = message.get("token", MISSING) if isinstance(message, dict) else MISSING
    return None if named is MISSING or same_address(named, usdc) else named
