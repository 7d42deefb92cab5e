"""All fifteen checks, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..verification.document import Check, Context, Intent
from .check_copy import CHECK_WORDS, UNREADABLE
from .contract import check_contract, check_escrow
from .envelope import check_chain, check_kind, check_principal, check_signing_url, check_target, check_wallet
from .request import check_members, check_request
from .state import check_expiry, check_state
from .subject import Finding, Subject, failed, subject_of
from .typed_data import check_binding, check_digest, check_schema

_CHECKS: dict[int, Callable[[Subject], Finding]] = {
    1: check_kind,
    2: check_principal,
    3: check_wallet,
    4: check_target,
    5: check_chain,
    6: check_contract,
    7: check_escrow,
    8: check_schema,
    9: check_binding,
    10: check_request,
    11: check_expiry,
    12: check_state,
    13: check_members,
    14: check_signing_url,
    15: check_digest,
}
#: The only check that may be unknown when a wallet is asked to sign: the contract itself refuses what it would.
_MAY_BE_UNKNOWN = 12


def verify_prepared_action(action: object, intent: Intent, context: Context) -> list[Check]:
    """The fifteen checks of a returned action against what was asked for, always all of them and in their order.

    The action may be anything; a part that cannot be read has failed. Never raises.
    """
    subject = subject_of(action, intent, context)
    return [Check(number, *CHECK_WORDS[number], *_finding_of(check, subject)) for number, check in _CHECKS.items()]


def is_signable(checks: Sequence[Check]) -> bool:
    """True when a wallet may be asked to sign: all fifteen are there, none failed, and what must be known is known."""
    if sorted(check.number for check in checks) != list(_CHECKS):
        return False
    return all(
        check.status == "passed" or (check.status == "unknown" and check.number == _MAY_BE_UNKNOWN) for check in checks
    )


def _finding_of(check: Callable[[Subject], Finding], subject: Subject) -> Finding:
    try:
        return check(subject)
    except Exception:
        return failed(UNREADABLE)
