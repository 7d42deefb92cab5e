"""EVM addresses, and the address of a task's escrow."""

from __future__ import annotations

import re
from typing import TypeGuard

from .document import Deployment, TreeParties
from .hashing import keccak_hex, keccak_text

ZERO_ADDRESS = "0x" + "0" * 40

_ADDRESS = re.compile(r"0x[a-fA-F0-9]{40}")
#: The code of every escrow around the address it forwards to (ERC-1167); buyer and arbiter follow it.
_FORWARDER = ("363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3")
#: Constructor that returns the 0x55 bytes after it.
_CONSTRUCTOR = "6100553d81600a3d39f3"
_CLONE_CODE = re.compile(f"0x{_FORWARDER[0]}([0-9a-f]{{40}}){_FORWARDER[1]}([0-9a-f]{{40}})([0-9a-f]{{40}})")


def checksum_of(address: str) -> str:
    """EIP-55 form of an address in any case. Raises ValueError on anything that is not one."""
    if not _ADDRESS.fullmatch(address):
        raise ValueError("Not an address")
    digits = address[2:].lower()
    marks = keccak_text(digits)[2:]
    return "0x" + "".join(digit.upper() if mark >= "8" else digit for digit, mark in zip(digits, marks))


def is_address(value: object) -> TypeGuard[str]:
    """True for an address in one case, or in the mixed case of its own checksum (EIP-55)."""
    if not isinstance(value, str) or not _ADDRESS.fullmatch(value):
        return False
    digits = value[2:]
    return digits in (digits.lower(), digits.upper()) or checksum_of(value) == value


def same_address(a: object, b: object) -> bool:
    """True when both are addresses and the same one."""
    return is_address(a) and is_address(b) and str(a).lower() == str(b).lower()


def escrow_address_of(deployment: Deployment, parties: TreeParties, task_id: str) -> str:
    """The address (EIP-55) of the escrow of a task, deployed or not.

    CREATE2 of the factory over a clone that commits to the implementation, the buyer and the arbiter. Raises ValueError on
    what is no address.
    """
    before, after = _FORWARDER
    code = [_CONSTRUCTOR, before, _digits(deployment.implementation), after]
    code += [_digits(parties.buyer), _digits(parties.arbiter)]
    init_code_hash = keccak_hex("0x" + "".join(code))
    address = keccak_hex("0xff", f"0x{_digits(deployment.factory)}", keccak_text(task_id), init_code_hash)
    return checksum_of(f"0x{address[-40:]}")


def parties_in_code(code: str, deployment: Deployment) -> TreeParties | None:
    """Buyer and arbiter that the code of an escrow commits to; None for any other code."""
    match = _CLONE_CODE.fullmatch(code.lower())
    if match is None or match[1] != _digits(deployment.implementation):
        return None
    return TreeParties(f"0x{match[2]}", f"0x{match[3]}")


def _digits(address: str) -> str:
    return checksum_of(address)[2:].lower()
