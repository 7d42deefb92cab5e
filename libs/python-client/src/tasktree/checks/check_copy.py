"""Names, titles and texts of the fifteen checks: the same as those of libs/prepared-action."""

from __future__ import annotations

#: Name, and the statement that is true when the check holds.
CHECK_WORDS: dict[int, tuple[str, str]] = {
    1: ("kind", "It is the kind of action that the app asked for"),
    2: ("principal", "It is for your account"),
    3: ("wallet", "It is for the wallet that signs"),
    4: ("target", "It is for the right task and job"),
    5: ("chain", "It is for the right network"),
    6: ("contract", "Only the escrow and its token can use it"),
    7: ("escrow", "The escrow is this market’s own, for this task"),
    8: ("schema", "The data has exactly the known form"),
    9: ("binding", "The data belongs to this request"),
    10: ("request", "The request is the one that was sent"),
    11: ("expiry", "It has not expired, and does not last too long"),
    12: ("state", "It can still be carried out"),
    13: ("members", "Amounts, addresses and times are as asked for"),
    14: ("signing_url", "This page is the market’s own"),
    15: ("digest", "The digest to sign is the one shown"),
}

UNREADABLE = "This part cannot be read."
NO_READING = "No blockchain node answered."
NONCE_USED = "It was already used or cancelled."
CALL_UNREADABLE = "One of the calls cannot be read."
PAYMENT_NOT_BOUND = "The payment does not say which action it is for."


def another(found: str, wanted: str) -> str:
    return f"It is {found}, not {wanted}."


def missing(name: str) -> str:
    return f"{name} is missing."


def unexpected(name: str) -> str:
    return f"{name} does not belong there."


def node_path(found: object) -> str:
    return f"The message is for node {found}, which is not the one that was asked for."


def contract_other(name: str, found: str, wanted: str) -> str:
    return f"{name} is {found}, not {wanted}."


def call_forbidden(name: str) -> str:
    return f"One of the calls ({name}) does not belong to this action."


def primary_type(found: str) -> str:
    return f"The data is a {found}. This kind of action never uses that."


def schema(name: str) -> str:
    return f"{name} is not as this page knows it."


def member_type(name: str) -> str:
    return f"The member {name} is missing or of the wrong type."


def bound(name: str) -> str:
    return f"{name} differs from the action’s."


def member(name: str, found: str, wanted: str) -> str:
    return f"{name} is {found}. The request asked for {wanted}."


def sender(found: str) -> str:
    return f"Only {found} can send the call."
