"""The first place where typed data differs from its pinned form."""

from __future__ import annotations

from typing import Any

from ..verification.addresses import is_address
from ..verification.notation import BYTES32, uint_of
from ..verification.plain_json import is_safe_integer
from ..verification.shown_text import found_text
from ..verification.typed_data_schemas import (
    DOMAIN_MEMBERS,
    KIND_TYPES,
    NODE_TERMS_MEMBERS,
    USDC_TYPES,
    Members,
    pinned_types,
)
from . import check_copy as copy

_SIGNED_TYPES = {**KIND_TYPES, **USDC_TYPES}


def form_fault(data: Any, domain_name: tuple[str, str]) -> str | None:
    """None: structs, domain and message are the pinned ones, member by member, no more and no fewer.

    Structs in their order, a domain of this name and version, and a message of which each member has the JSON type that we
    write.
    """
    types, primary_type = data.get("types"), data.get("primaryType")
    own = _SIGNED_TYPES.get(primary_type) if isinstance(primary_type, str) else None
    if own is None:
        return copy.primary_type(found_text(primary_type))
    pinned = pinned_types(str(primary_type), own)
    if not isinstance(types, dict) or len(types) != len(pinned):
        return copy.schema("types")
    for name, members in pinned.items():
        if not _is_same_struct(types.get(name), members):
            return copy.schema(f"types.{name}")
    return _domain_fault(data.get("domain"), domain_name) or _message_fault(data.get("message"), own, "")


def _is_same_struct(value: Any, pinned: Members) -> bool:
    if not isinstance(value, list) or len(value) != len(pinned):
        return False
    return all(member == {"name": name, "type": kind} for member, (name, kind) in zip(value, pinned))


def _domain_fault(domain: Any, domain_name: tuple[str, str]) -> str | None:
    if not isinstance(domain, dict) or len(domain) != len(DOMAIN_MEMBERS):
        return copy.schema("domain")
    for member, wanted in zip(("name", "version"), domain_name):
        if domain.get(member) != wanted:
            return copy.schema(f"domain.{member}")
    if not is_safe_integer(domain.get("chainId")):
        return copy.member_type("domain.chainId")
    return None if is_address(domain.get("verifyingContract")) else copy.member_type("domain.verifyingContract")


def _message_fault(message: Any, members: Members, prefix: str) -> str | None:
    if not isinstance(message, dict):
        return copy.member_type(f"{prefix}message")
    for name, kind in members:
        value = message.get(name)
        if kind == "NodeTerms":
            fault = _message_fault(value, NODE_TERMS_MEMBERS, f"{name}.")
        else:
            fault = None if _is_of_type(value, kind) else copy.member_type(prefix + name)
        if fault is not None:
            return fault
    known = {name for name, _ in members}
    extra = next((name for name in message if name not in known), None)
    return None if extra is None else f"The member {found_text(prefix + extra)} is not part of the known form."


def _is_of_type(value: Any, kind: str) -> bool:
    """True for a value as the service writes it: integers as decimal text, everything else as EIP-712 has it."""
    if kind == "address":
        return is_address(value)
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "bytes32":
        return isinstance(value, str) and BYTES32.fullmatch(value) is not None
    integer = uint_of(value)
    return integer is not None and integer >> int(kind.removeprefix("uint")) == 0
