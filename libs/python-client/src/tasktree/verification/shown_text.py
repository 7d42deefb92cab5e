"""Values of a possibly hostile action as they may be shown: one quoted line in which nothing is hidden."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from .document import MISSING

#: Longest text that is shown.
MAX_LENGTH = 80

_QUOTES = re.compile('["“”„«»]+')
_BLANKS = re.compile(r"[^\S\ufeff]+")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
#: Characters that look like a blank or like nothing, although Python counts them as printable: fillers, signs of
#: layout, selectors of variants.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff9-\ufffc"
    "\U00013430-\U00013440\U00016fe4\U0001d159\U000e0000-\U000e0fff]"
)


def found_text(value: object) -> str:
    """A value that the action holds where another was expected."""
    if value is MISSING or value is None:
        return "nothing"
    if isinstance(value, (dict, list, tuple)):
        return "a structure"
    text = str(value).lower() if isinstance(value, bool) else str(value)
    # A very long text is cut before it is cleaned.
    one_line = _BLANKS.sub(" ", _QUOTES.sub("'", text[: 40 * MAX_LENGTH]))
    plain = "".join(character if _is_seen(character) else f"\\u{{{ord(character):x}}}" for character in one_line).strip()
    return f"“{plain if len(plain) <= MAX_LENGTH else plain[: MAX_LENGTH - 1] + '…'}”"


def time_text(seconds: int | float) -> str:
    """A time for people: "24 Nov 2026, 14:05 UTC"."""
    try:
        time = _EPOCH + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return f"second {seconds}"
    return f"{time.day} {_MONTHS[time.month - 1]} {time.year}, {time:%H:%M} UTC"


def _is_seen(character: str) -> bool:
    return character == " " or (character.isprintable() and not _UNSEEN.match(character))
