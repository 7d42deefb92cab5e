"""What is wrong with calls: those of the payload, which a wallet sends without a signature, and those for a signature."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..verification.addresses import escrow_address_of, is_address, same_address
from ..verification.call_data import DecodedCall, decode_call
from ..verification.document import MISSING, TreeParties
from ..verification.hashing import keccak_text
from ..verification.notation import same_hex, uint_of
from ..verification.shown_text import found_text
from . import check_copy as copy
from .subject import Subject


class CallFaults(NamedTuple):
    """`target` is about where calls go, `members` about their arguments. None: nothing is wrong."""

    target: str | None
    members: str | None


#: What may come before the action's own call: anybody may write down what time has decided.
_MAY_COME_BEFORE = ("finalize",)
#: Of a call that `createTree` makes: none.
_NO_CALL = "0x"
_ETHERLESS = ("0x0", "0x", "0x00", "0")
_NO_FAULT = CallFaults(None, None)
_QUANTITY = re.compile("0x[0-9a-fA-F]{1,16}")


def call_faults(subject: Subject) -> CallFaults:
    """Faults of `payload.transaction` or `payload.calls`: each must be a call that is known here."""
    payload = subject.payload
    transaction, calls = payload.get("transaction", MISSING), payload.get("calls", MISSING)
    if transaction is MISSING and calls is MISSING:
        return _NO_FAULT
    if subject.form != "escrow":
        return CallFaults(copy.call_forbidden(found_text(payload.get("primaryType"))), None)
    listed = [transaction] if calls is MISSING else calls if transaction is MISSING else None
    if not isinstance(listed, list):
        return CallFaults(copy.CALL_UNREADABLE, None)
    if isinstance(transaction, dict):
        if not same_address(transaction.get("from"), subject.wallet):
            return CallFaults(copy.sender(found_text(transaction.get("from"))), None)
        if not is_chain(transaction.get("chainId"), subject.context.deployment.chain_id):
            return CallFaults(copy.unexpected("chainId"), None)
    return faults_of_calls(subject, listed, "0x")


def faults_of_calls(subject: Subject, calls: Sequence[Any], signature: str) -> CallFaults:
    """Faults of calls that carry out the subject's action, with this signature where the contract looks for it.

    The signature `0x` says that the wallet sends the call itself.
    """
    inner: list[DecodedCall] = []
    for call in calls:
        unwrapped = _unwrap(subject, call)
        if isinstance(unwrapped, str):
            return CallFaults(unwrapped, None)
        inner += unwrapped
    early = next((call for call in inner[:-1] if call.name not in _MAY_COME_BEFORE), None)
    if early is not None:
        return CallFaults(copy.call_forbidden(early.name), None)
    rule = subject.rule
    # The function of an action is called as its struct. A signature that is kept has no call of its own.
    is_own = rule is not None and not rule.is_kept and bool(inner) and inner[-1].name.lower() == rule.struct.lower()
    if not is_own:
        return CallFaults("None of the calls carries out this action.", None)
    fault = _argument_fault(subject, inner[-1], signature)
    other = None if fault is None else f"The call and the signed data have different values for {fault}."
    return CallFaults(None, other)


def finalized_first(subject: Subject) -> list[int]:
    """Paths of the nodes that the wallet's own transaction finalizes before the action's call, each once."""
    transaction = subject.payload.get("transaction")
    if not isinstance(transaction, dict) or not isinstance(transaction.get("data"), str):
        return []
    if not same_address(transaction.get("to"), subject.action.get("escrow_address")):
        return []
    calls = _escrow_calls(transaction["data"])
    if isinstance(calls, str):
        return []
    paths = [uint_of(call.args["nodeId"]) for call in calls[:-1] if call.name == "finalize"]
    return list(dict.fromkeys(path for path in paths if path is not None))


def _unwrap(subject: Subject, call: Any) -> list[DecodedCall] | str:
    """The escrow's calls inside one call of a wallet, or the text of what is wrong with that call."""
    if not isinstance(call, dict) or not isinstance(call.get("data"), str):
        return copy.CALL_UNREADABLE
    to, data, value = call.get("to"), call["data"], call.get("value", MISSING)
    deployment = subject.context.deployment
    if value is not MISSING and not (isinstance(value, str) and value in _ETHERLESS):
        return "The call moves ether."
    if same_address(to, subject.action.get("escrow_address")):
        return _escrow_calls(data)
    if same_address(to, deployment.factory):
        return _created_tree(subject, decode_call("factory", data))
    if same_address(to, deployment.usdc):
        return _approved(subject, decode_call("token", data))
    return f"One of the calls goes to {found_text(to)}."


def _escrow_calls(data: str) -> list[DecodedCall] | str:
    call = decode_call("escrow", data)
    if call is None:
        return copy.CALL_UNREADABLE
    if call.name != "multicall":
        return [call]
    decoded = [decode_call("escrow", one) for one in call.args["calls"]]
    known = [one for one in decoded if one is not None]
    return known if len(known) == len(decoded) else copy.CALL_UNREADABLE


def _created_tree(subject: Subject, call: DecodedCall | None) -> list[DecodedCall] | str:
    task = subject.action.get("task_id")
    if call is None or not isinstance(task, str):
        return copy.CALL_UNREADABLE
    if call.args["treeId"] != keccak_text(task):
        return copy.call_forbidden("createTree")
    parties = TreeParties(call.args["buyer"], call.args["arbiter"])
    address = escrow_address_of(subject.context.deployment, parties, task)
    if not same_address(address, subject.action.get("escrow_address")):
        return copy.call_forbidden("createTree")
    then = call.args["call"]
    return [] if then == _NO_CALL else _escrow_calls(then)


def _approved(subject: Subject, call: DecodedCall | None) -> list[DecodedCall] | str:
    """Takes the only approval that an action may bring: for the escrow as spender, over exactly the price."""
    is_ours = (
        call is not None
        and subject.rule is not None
        and subject.rule.takes_money
        and same_address(call.args["spender"], subject.action.get("escrow_address"))
        and call.args["amount"] == subject.own_member("terms.amount")
    )
    return [] if is_ours else copy.call_forbidden("approve" if call is None else call.name)


def _argument_fault(subject: Subject, call: DecodedCall, signature: str) -> str | None:
    """The name of the first argument that differs from the message; None: none does."""
    is_permit = subject.form == "permit"
    for name, value in call.args.items():
        if name == "workerAuth":
            continue
        if name in ("auth", "hirerAuth"):
            is_right = _is_auth(subject, value, "0x" if is_permit else signature)
        elif name == "permit":
            is_right = same_hex(value, signature if is_permit else "0x")
        elif name == "account" and subject.own_member("account") is MISSING:
            is_right = same_address(value, subject.wallet)
        else:
            is_right = _is_same_member(value, subject.own_member("fundingMode" if name == "mode" else name))
        if not is_right:
            return name
    return None


def _is_auth(subject: Subject, value: Mapping[str, Any], signature: str) -> bool:
    action_id = subject.action.get("action_id")
    return (
        isinstance(action_id, str)
        and same_hex(value["actionId"], keccak_text(action_id))
        and same_hex(value["requestDigest"], subject.action.get("request_digest"))
        and value["nonce"] == subject.action.get("nonce")
        and value["validUntil"] == subject.own_member("validUntil")
        and same_hex(value["signature"], signature)
    )


def _is_same_member(value: Any, known: Any) -> bool:
    """Compares every known member of a struct; addresses and bytes without their case."""
    if isinstance(known, dict):
        members = value if isinstance(value, dict) else {}
        return all(_is_same_value(members.get(name, MISSING), member) for name, member in known.items())
    return _is_same_value(value, known)


def _is_same_value(value: Any, known: Any) -> bool:
    if is_address(known):
        return same_address(value, known)
    if isinstance(value, str) and value.startswith("0x"):
        return same_hex(value, known)
    return value is not MISSING and type(value) is type(known) and value == known


def is_chain(value: Any, chain_id: int) -> bool:
    """Whether this is the chain id, as RPC or as people write it."""
    if isinstance(value, str):
        return (int(value, 16) if _QUANTITY.fullmatch(value) else uint_of(value)) == chain_id
    return type(value) is int and value == chain_id
