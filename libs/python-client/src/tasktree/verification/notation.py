"""Money, paths of nodes and nonces as they are on the wire and on the chain."""

from __future__ import annotations

import re
from typing import TypeGuard

HEX_BYTES = re.compile(r"0x(?:[a-fA-F0-9]{2})*")
BYTES32 = re.compile(r"0x[a-fA-F0-9]{64}")
UINT = re.compile(r"0|[1-9][0-9]{0,77}")
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,128}")
#: Nonces from this one on are for withdrawals, all others about nodes.
FIRST_WITHDRAWAL_NONCE = 1 << 255

_TASK = re.compile(r"task_([0-7][0-9a-hjkmnp-tv-z]{25})")
_AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,6}))?")
_UNITS_PER_USDC = 10**6
#: The most that the escrow can hold in one node, base units (uint64).
_MAX_USDC_UNITS = 2**64 - 1
_MAX_AMOUNT_LENGTH = 64
_INDEX_BITS = 24
_MAX_LEVELS = 8
_VERSION_BITS = 8


def is_hex(value: object) -> TypeGuard[str]:
    """True for `0x` and whole bytes, none at all included."""
    return isinstance(value, str) and HEX_BYTES.fullmatch(value) is not None


def uint_of(value: object) -> int | None:
    """An unsigned integer as our typed data has it, decimal text; None for anything else."""
    return int(value) if isinstance(value, str) and UINT.fullmatch(value) else None


def same_hex(a: object, b: object) -> bool:
    """True when both are hexadecimal and the same bytes."""
    return isinstance(a, str) and isinstance(b, str) and is_hex(a) and a.lower() == b.lower()


def parse_usdc(text: str) -> int:
    """Base units of a decimal text such as "12.5". Nothing is rounded; raises ValueError on what is no amount."""
    match = _AMOUNT.fullmatch(text) if len(text) <= _MAX_AMOUNT_LENGTH else None
    if match is None:
        raise ValueError('An amount is digits with at most six decimals, such as "12.50"')
    whole, decimals = match.groups()
    units = int(whole) * _UNITS_PER_USDC + int((decimals or "").ljust(6, "0"))
    if units > _MAX_USDC_UNITS:
        raise ValueError("The amount is larger than the escrow can hold")
    return units


def format_usdc(units: int) -> str:
    """Canonical decimal text of base units, with at least two decimals. Raises ValueError on a negative number."""
    if units < 0:
        raise ValueError("An amount of money is never negative")
    whole, rest = divmod(units, _UNITS_PER_USDC)
    decimals = f"{rest:06d}"
    return f"{whole}.{decimals[:2]}{decimals[2:].rstrip('0')}"


def parent_path(path: int) -> int:
    """The path of the node above; 0 for a node of the buyer."""
    return path >> _INDEX_BITS


def node_id_of(task_id: str, path: int) -> str | None:
    """The identifier of the node with this path, such as `node_…_1-2`; None when there is no such node or task."""
    task = _TASK.fullmatch(task_id)
    indexes: list[str] = []
    rest = path
    while rest > 0:
        index = rest & ((1 << _INDEX_BITS) - 1)
        if index == 0 or len(indexes) == _MAX_LEVELS:
            return None
        indexes.insert(0, str(index))
        rest >>= _INDEX_BITS
    if task is None or not indexes:
        return None
    return f"node_{task.group(1)}_{'-'.join(indexes)}"


def nonce_parts(nonce: int) -> tuple[int, int]:
    """Path and version of the node in the nonce of an action about one."""
    return nonce >> _VERSION_BITS, nonce & ((1 << _VERSION_BITS) - 1)
