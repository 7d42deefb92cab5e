"""Copies any value as plain JSON with limits, so that a hostile action is read once and cannot be endless."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 32
MAX_VALUES = 10_000
#: UTF-16 code units of all texts together: room for a bundle of calls with the long signatures of contract wallets.
MAX_TEXT = 1_000_000
#: Greatest integer that JSON's readers agree on (RFC 8259, section 6).
MAX_SAFE_INTEGER = 2**53 - 1


class _Spent:
    values = 0
    text = 0


def plain_json(value: object) -> Any:
    """The value as dict, list, str, int, float, bool and None.

    A part that is not JSON becomes None. The whole is None when reading a member raises, or when it is deeper or larger
    than what an honest service sends. A number is an int where it is a whole one, because JSON has one type for both.
    """
    try:
        return _copy(value, 0, _Spent())
    except Exception:
        return None


def is_safe_integer(value: object) -> bool:
    """True for a whole number that every reader of JSON understands alike; no flag is one."""
    return type(value) is int and abs(value) <= MAX_SAFE_INTEGER


def _copy(value: object, depth: int, spent: _Spent) -> Any:
    spent.values += 1
    if depth > MAX_DEPTH or spent.values > MAX_VALUES:
        raise ValueError("Too deep or too many values")
    if isinstance(value, str):
        _take(value, spent)
        return str(value)
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return [_copy(item, depth + 1, spent) for item in value]
    if isinstance(value, Mapping):
        copied: dict[str, Any] = {}
        for name, member in value.items():
            if not isinstance(name, str):
                raise TypeError("Names of members are texts")
            _take(name, spent)
            copied[str(name)] = _copy(member, depth + 1, spent)
        return copied
    return None


def _take(text: str, spent: _Spent) -> None:
    spent.text += len(text) + sum(character > "\uffff" for character in text[:MAX_TEXT])
    if spent.text > MAX_TEXT:
        raise ValueError("Too much text")


def _number(value: int | float) -> int | float | None:
    if isinstance(value, int) and abs(value) <= MAX_SAFE_INTEGER:
        return int(value)
    try:
        # Greater ones are what a reader with doubles would have understood.
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) <= MAX_SAFE_INTEGER else number
