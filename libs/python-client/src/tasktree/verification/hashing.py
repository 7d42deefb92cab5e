"""The hashes of the interface: keccak-256, SHA-256, and the digest of a request (RFC 8785)."""

from __future__ import annotations

import hashlib
from typing import Any

from eth_utils.crypto import keccak

from .canonical_json import canonical_json


def keccak_text(text: str) -> str:
    """keccak-256 of the UTF-8 bytes of a text: the id on chain of an action or a tree."""
    return _hex(keccak(_utf8(text)))


def keccak_hex(*parts: str) -> str:
    """keccak-256 of hexadecimal parts, one after the other. Raises ValueError on a part that is none."""
    return _hex(keccak(b"".join(bytes.fromhex(part[2:]) for part in parts)))


def sha256_hex(data: bytes) -> str:
    """SHA-256 of bytes, such as those of an artifact."""
    return _hex(hashlib.sha256(data).digest())


def sha256_text(text: str) -> str:
    """SHA-256 of the UTF-8 bytes of a text."""
    return sha256_hex(_utf8(text))


def request_digest_of(body: Any) -> str:
    """`PreparedAction.request_digest` of a body as it was sent; None: there was none. Raises as `canonical_json`."""
    return sha256_text("" if body is None else canonical_json(body))


def _utf8(text: str) -> bytes:
    """Lone surrogates, which a hostile JSON text may hold, become U+FFFD, as TextEncoder of browsers has it."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")


def _hex(data: bytes) -> str:
    return f"0x{data.hex()}"
