"""Calls of the escrow, its factory and the token, decoded as Solidity would read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from .notation import is_hex
from .typed_data_schemas import NODE_TERMS_MEMBERS

Contract = Literal["escrow", "factory", "token"]


@dataclass(frozen=True)
class DecodedCall:
    """A call; integers as decimal text, addresses and bytes as lower-case `0x` text."""

    name: str
    args: dict[str, Any]


#: The types of parameters, each by its name; those of all others are unsigned integers.
_TYPES = {
    "terms": "terms",
    "auth": "auth",
    "hirerAuth": "auth",
    "workerAuth": "auth",
    "permit": "bytes",
    "call": "bytes",
    "calls": "bytes[]",
    "payOut": "bool",
    "artifactHash": "bytes32",
    "reasonHash": "bytes32",
    "evidenceHash": "bytes32",
    "treeId": "bytes32",
    "account": "address",
    "recipient": "address",
    "buyer": "address",
    "arbiter": "address",
    "spender": "address",
}
#: The functions of each contract that an action may call, by selector: the name, then the names of the parameters.
_FORMS: dict[Contract, dict[str, str]] = {
    "escrow": {
        "0xef3b0ece": "fundTask terms mode hirerAuth workerAuth permit",
        "0xe30fd553": "subcontract terms mode hirerAuth workerAuth permit",
        "0xb346a659": "deliver nodeId artifactHash payOut auth",
        "0xe326b76d": "resolveTask nodeId artifactHash auth",
        "0xcc851b2d": "rejectTask nodeId artifactHash reasonHash auth",
        "0x2d4398a3": "abandonNode nodeId auth",
        "0xb93a9adc": "claimNonDelivery nodeId account auth",
        "0x775e0bba": "disputeNode nodeId evidenceHash auth",
        "0x7cb8e890": "withdrawEarnings nodeId recipient amount auth",
        "0x15ef9bd2": "withdrawRefund account recipient amount auth",
        "0xe0126aab": "finalize nodeId",
        "0xac9650d8": "multicall calls",
    },
    "factory": {"0x9daa1847": "createTree buyer arbiter treeId call"},
    "token": {"0x095ea7b3": "approve spender amount"},
}
_WORD = 64
_MAX_CALLS = 64
_MAX_OFFSET = 0xFFFFFF
_AUTH_MEMBERS = (("actionId", "bytes32"), ("requestDigest", "bytes32"), ("nonce", "uint"), ("validUntil", "uint"))


def decode_call(contract: Contract, data: str) -> DecodedCall | None:
    """None for any function that is not known here, and for data that ends too early."""
    if not is_hex(data):
        return None
    text = data.lower()
    form = _FORMS[contract].get(text[:10])
    if form is None:
        return None
    name, *params = form.split(" ")
    try:
        return DecodedCall(name, _arguments(params, text[10:]))
    except ValueError:
        return None


def _arguments(params: list[str], digits: str) -> dict[str, Any]:
    args: dict[str, Any] = {}
    at = 0
    for name in params:
        kind = _TYPES.get(name, "uint")
        args[name] = _decode(digits, kind, at)
        at += len(NODE_TERMS_MEMBERS) if kind == "terms" else 1
    return args


def _decode(digits: str, kind: str, at: int) -> Any:
    """The argument whose head is the word `at`. A dynamic one's head is its offset from the start of `digits`."""
    if kind == "terms":
        members = enumerate(NODE_TERMS_MEMBERS)
        return {name: _decode(digits, _word_kind(of), at + index) for index, (name, of) in members}
    word = _word(digits, at)
    if kind == "uint":
        return str(int(word, 16))
    if kind == "bytes32":
        return f"0x{word}"
    if kind == "address":
        if not word.startswith("0" * 24):
            raise ValueError("Not an address")
        return f"0x{word[24:]}"
    if kind == "bool":
        if not re.fullmatch("0{63}[01]", word):
            raise ValueError("Not a flag")
        return word.endswith("1")
    tail = digits[_small(digits, at) * 2 :]
    if kind == "bytes":
        return _bytes(tail)
    if kind == "bytes[]":
        return _list(tail)
    return _auth(tail)


def _auth(digits: str) -> dict[str, Any]:
    fixed = {name: _decode(digits, kind, index) for index, (name, kind) in enumerate(_AUTH_MEMBERS)}
    return {**fixed, "signature": _decode(digits, "bytes", len(_AUTH_MEMBERS))}


def _list(digits: str) -> list[str]:
    count = _small(digits, 0)
    if count > _MAX_CALLS:
        raise ValueError("More calls than any action has")
    items = digits[_WORD:]
    return [_decode(items, "bytes", index) for index in range(count)]


def _bytes(digits: str) -> str:
    length = _small(digits, 0) * 2
    found = digits[_WORD : _WORD + length]
    if len(found) != length:
        raise ValueError("Data ends too early")
    return f"0x{found}"


def _word_kind(kind: str) -> str:
    return kind if kind in ("address", "bool", "bytes32") else "uint"


def _small(digits: str, at: int) -> int:
    value = int(_word(digits, at), 16)
    if value > _MAX_OFFSET:
        raise ValueError("An offset or a length beyond the data")
    return value


def _word(digits: str, at: int) -> str:
    found = digits[at * _WORD : (at + 1) * _WORD]
    if len(found) != _WORD:
        raise ValueError("Data ends too early")
    return found
