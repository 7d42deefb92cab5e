"""Canonical JSON text (RFC 8785), byte for byte what the service hashes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

#: Deepest nesting that is canonicalised.
MAX_DEPTH = 256

_ESCAPED = re.compile(r'[\x00-\x1f"\\]')
_SHORT = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}


def canonical_json(value: Any) -> str:
    """Members sorted by UTF-16 code units, no blanks, numbers as ECMAScript writes them.

    Raises ValueError on a number that is not finite, on lone surrogates and when nested deeper than 256, TypeError on what
    JSON has no form for.
    """
    return _canonical(value, 0)


def _canonical(value: Any, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise ValueError(f"JSON nested deeper than {MAX_DEPTH}")
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(_canonical(item, depth + 1) for item in value)}]"
    if isinstance(value, Mapping):
        names = sorted(value, key=_code_units)
        return f"{{{','.join(f'{_text(name)}:{_canonical(value[name], depth + 1)}' for name in names)}}}"
    raise TypeError(f"JSON has no form for {type(value).__name__}")


def _code_units(name: Any) -> bytes:
    if not isinstance(name, str):
        raise TypeError("Names of members are texts")
    return name.encode("utf-16-be")


def _text(text: str) -> str:
    # Raises on lone surrogates.
    text.encode("utf-8")
    escaped = _ESCAPED.sub(lambda found: _SHORT.get(found[0]) or f"\\u{ord(found[0]):04x}", text)
    return f'"{escaped}"'


def _number(value: int | float) -> str:
    """The shortest text that reads back as the same double, in the form of ECMA-262, `Number::toString`."""
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError("JSON has no form for a number of this size") from error
    if not math.isfinite(number):
        raise ValueError("JSON has no form for a number that is not finite")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    _, digit_tuple, exponent = Decimal(repr(abs(number))).as_tuple()
    digits = "".join(map(str, digit_tuple)).lstrip("0")
    stripped = digits.rstrip("0")
    point = len(digits) + int(exponent)
    return sign + _placed(stripped, point)


def _placed(digits: str, point: int) -> str:
    """Digits with the decimal point behind so many of them."""
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    exponent = point - 1
    return f"{digits[0]}{fraction}e{'+' if exponent > 0 else '-'}{abs(exponent)}"
