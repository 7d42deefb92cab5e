"""The words by which a person sees that page, chat and terminal speak of the same request."""

from __future__ import annotations

from .match_words import MATCH_WORDS
from .notation import BYTES32


def match_code(digest: str) -> str:
    """Two words and two digits of a digest, such as "OLIVE TIGER 42" (26.6 bits).

    It guards against mix-ups, not against attackers. Raises ValueError on what is not a digest.
    """
    if not BYTES32.fullmatch(digest):
        raise ValueError("Not a digest")
    bits = int(digest, 16)
    first, second = MATCH_WORDS[bits >> 246 & 1023], MATCH_WORDS[bits >> 236 & 1023]
    return f"{first} {second} {(bits >> 172 & 0xFFFF_FFFF_FFFF_FFFF) % 100:02d}".upper()
