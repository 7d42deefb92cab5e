"""The call that comes back for a signature."""

from __future__ import annotations

from typing import Any

from ..verification.addresses import same_address
from ..verification.document import MISSING, Check, Context, Deployment, Intent
from ..verification.plain_json import plain_json
from ..verification.shown_text import found_text
from . import check_copy as copy
from .call_faults import faults_of_calls, is_chain
from .subject import Finding, failed, passed, subject_of


def verify_signed_call(call: Any, action: Any, signature: str, deployment: Deployment) -> Check:
    """Whether a call carries exactly the message that was signed, with that signature, to nobody but escrow or factory.

    What runs before it in the same transaction must be what others have signed, or what anybody may call. Row 15 of the
    checks; never raises.
    """
    try:
        finding = _find(call, action, signature, deployment)
    except Exception:
        finding = failed(copy.UNREADABLE)
    return Check(15, *copy.CHECK_WORDS[15], *finding)


def _find(call: Any, action: Any, signature: str, deployment: Deployment) -> Finding:
    plain = plain_json(call)
    intent = Intent(kind=str(action.get("kind")), principal=str(action.get("principal")))
    subject = subject_of(action, intent, Context(deployment, now_ms=0))
    if len(signature) < 4:
        return failed("The call carries another signature.")
    sender = plain.get("from", MISSING)
    if sender is MISSING:
        is_for_wallet = subject.form != "permit"
    else:
        is_for_wallet = same_address(sender, subject.action.get("wallet_address"))
    if not is_for_wallet:
        return failed(copy.sender(found_text(sender)))
    chain_id = plain.get("chainId", MISSING)
    if chain_id is not MISSING and not is_chain(chain_id, deployment.chain_id):
        return failed(copy.unexpected("chainId"))
    target, members = faults_of_calls(subject, [plain], signature)
    if target is not None:
        return failed(target)
    return passed("The call carries exactly this message and signature.") if members is None else failed(members)
