"""The EIP-712 hashes of typed data exactly as it arrived, because that is what a wallet signs.

Strict where libraries are lenient: a text is no number unless it is the canonical one, and a message has the members of its
struct and no others. A wallet hashes by itself, so before it signs its digest is compared with this one (actions/wallets.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .addresses import is_address
from .hashing import keccak_hex, keccak_text
from .notation import UINT, is_hex
from .plain_json import is_safe_integer, plain_json

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]{0,127}")
_ATOMIC = re.compile(r"address|bool|string|uint([0-9]{1,3})|bytes([0-9]{1,2})")
_DOMAIN = "EIP712Domain"
#: Deepest nesting of structs; ours nest once.
_MAX_DEPTH = 8

_Structs = dict[str, list[tuple[str, str]]]


@dataclass(frozen=True)
class TypedDataHashes:
    """The three hashes of EIP-712; a wallet signs `digest`."""

    domain_hash: str
    message_hash: str
    digest: str


def hash_typed_data(payload: object) -> TypedDataHashes:
    """Hashes with the structs of the data's own `types`: addresses, booleans, texts, `uintN`, `bytesN` and structs.

    Raises TypeError on everything else, and on a message that has other members than its struct.
    """
    data = plain_json(payload)
    if not isinstance(data, dict):
        raise TypeError("Not typed data")
    domain, types, primary_type, message = (data.get(name) for name in ("domain", "types", "primaryType", "message"))
    if not (isinstance(domain, dict) and isinstance(types, dict) and isinstance(message, dict)):
        raise TypeError("Not typed data")
    if not isinstance(primary_type, str):
        raise TypeError("Not typed data")
    structs = {name: _read_members(members) for name, members in types.items()}
    domain_hash = _hash_struct(_DOMAIN, domain, structs, 0)
    message_hash = _hash_struct(primary_type, message, structs, 0)
    return TypedDataHashes(domain_hash, message_hash, keccak_hex("0x1901", domain_hash, message_hash))


def _encode_type(name: str, structs: _Structs) -> str:
    """The struct, then those it refers to, sorted by name."""
    found: dict[str, None] = {}
    _refer(name, structs, found)
    others = sorted((other for other in found if other != name), key=lambda text: text.encode("utf-16-be"))
    return "".join(f"{one}({','.join(f'{kind} {member}' for member, kind in structs[one])})" for one in [name, *others])


def _refer(name: str, structs: _Structs, found: dict[str, None]) -> None:
    members = _struct(name, structs)
    if name in found:
        return
    found[name] = None
    for _, kind in members:
        if not _ATOMIC.fullmatch(kind):
            _refer(kind, structs, found)


def _hash_struct(name: str, value: dict[str, Any], structs: _Structs, depth: int) -> str:
    if depth > _MAX_DEPTH:
        raise TypeError("Structs nested too deep")
    members = _struct(name, structs)
    if len(value) != len(members):
        raise TypeError(f"Not exactly the members of {name}")
    words = [_encode_member(member, kind, value.get(member), structs, depth) for member, kind in members]
    return keccak_hex(keccak_text(_encode_type(name, structs)), *words)


def _encode_member(name: str, kind: str, value: Any, structs: _Structs, depth: int) -> str:
    atomic = _ATOMIC.fullmatch(kind)
    if atomic is None and isinstance(value, dict):
        return _hash_struct(kind, value, structs, depth + 1)
    if atomic is not None and atomic[1] is not None:
        return _uint_word(value, int(atomic[1]))
    if atomic is not None and atomic[2] is not None and is_hex(value):
        length = int(atomic[2])
        if 1 <= length <= 32 and len(value) == 2 + 2 * length:
            return "0x" + value[2:].lower().ljust(64, "0")
    if kind == "address" and is_address(value):
        return _word(value[2:].lower())
    if kind == "bool" and isinstance(value, bool):
        return _word("1" if value else "0")
    if kind == "string" and isinstance(value, str):
        return keccak_text(value)
    raise TypeError(f"The member {name} is not {kind}")


def _uint_word(value: Any, bits: int) -> str:
    is_decimal = isinstance(value, str) and UINT.fullmatch(value) is not None
    if not is_decimal and not (is_safe_integer(value) and value >= 0):
        raise TypeError(f"Not a uint{bits}")
    integer = int(value)
    if bits < 8 or bits > 256 or bits % 8 != 0 or integer >> bits != 0:
        raise TypeError(f"Not a uint{bits}")
    return _word(f"{integer:x}")


def _word(digits: str) -> str:
    return "0x" + digits.rjust(64, "0")


def _struct(name: str, structs: _Structs) -> list[tuple[str, str]]:
    if name not in structs:
        raise TypeError("A struct is missing, or a type is not supported")
    return structs[name]


def _read_members(value: Any) -> list[tuple[str, str]]:
    if not isinstance(value, list):
        raise TypeError("Not the members of a struct")
    members: list[tuple[str, str]] = []
    for member in value:
        name, kind = (member.get("name"), member.get("type")) if isinstance(member, dict) else (None, None)
        if not isinstance(name, str) or not isinstance(kind, str) or not _NAME.fullmatch(name):
            raise TypeError("Not a member of a struct")
        members.append((name, kind))
    if len({name for name, _ in members}) != len(members):
        raise TypeError("A member is there twice")
    return members
