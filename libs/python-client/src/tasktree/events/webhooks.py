"""Messages of webhooks (Standard Webhooks, `v1`)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

#: Seconds that a message may be old, or ahead.
_TOLERANCE = 300


class WebhookRejected(Exception):
    """The message is not signed with this secret, or not from about now. Answer it with 401 and do nothing."""


def unwrap_webhook(
    body: bytes | str, headers: Mapping[str, str], secret: str | Sequence[str], now: float | None = None
) -> dict[str, Any]:
    """The event of a message, once its signature is right. Types that are not known here come through as they are.

    The body is that which arrived: JSON that was parsed and written anew does not match. The secret is `whsec_…`; several
    while one is replaced. Raises WebhookRejected, and ValueError where one of the secrets is none.
    """
    keys = [_key_of(one) for one in ([secret] if isinstance(secret, str) else secret)]
    given = {name.lower(): value for name, value in headers.items()}
    message_id, sent_at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    is_time = sent_at.isascii() and sent_at.isdigit() and len(sent_at) < 16
    if not message_id or not is_time or abs((time.time() if now is None else now) - int(sent_at)) > _TOLERANCE:
        raise WebhookRejected("Not signed, or not from now")
    data = body.encode("utf-8") if isinstance(body, str) else body
    signed = f"{message_id}.{sent_at}.".encode("utf-8") + data
    signatures = [text[3:] for text in given.get("webhook-signature", "").split(" ") if text.startswith("v1,")]
    for key in keys:
        wanted = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            if hmac.compare_digest(_bytes(signature), wanted):
                event = json.loads(data)
                if isinstance(event, dict):
                    return event
    raise WebhookRejected("The signature is not of this secret")


def _key_of(secret: str) -> bytes:
    """The key in a secret. Raises ValueError where there is none, because anybody can sign with the empty key."""
    key = _bytes(secret.strip().removeprefix("whsec_"))
    if not key:
        raise ValueError("A secret of a webhook is `whsec_` and base64")
    return key


def _bytes(text: str) -> bytes:
    """Bytes of base64; none of a text that is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
