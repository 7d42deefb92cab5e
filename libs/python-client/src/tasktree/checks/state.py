"""Checks 11 and 12: time, and the state of the job on the chain."""

from __future__ import annotations

import math

from ..verification.document import MISSING, ChainReading, Missing, NodeReading
from ..verification.kinds import NODE_STATES, NodeCondition
from ..verification.notation import nonce_parts, uint_of
from ..verification.shown_text import found_text, time_text
from . import check_copy as copy
from .subject import Finding, Subject, failed, instant_of, passed, unknown

#: Seconds that the clocks of both sides may differ.
_MAX_SKEW = 60
#: Kept signatures last as long as offers can: 90 days.
_MAX_KEPT = 90 * 86_400


def check_expiry(subject: Subject) -> Finding:
    """11: not expired, and not valid for longer than the market's actions are."""
    now_ms = subject.now_ms
    end_ms = instant_of(subject.action.get("expires_at"))
    if end_ms is None:
        return failed(copy.missing("expires_at"))
    end = time_text(end_ms / 1000)
    if end_ms <= now_ms:
        return failed(f"It expired at {end}.")
    ahead = math.ceil((end_ms - now_ms) / 1000) - subject.context.deployment.max_action_seconds
    if ahead > _MAX_SKEW:
        return failed(_too_long(end))
    last = uint_of(subject.own_member("validUntil"))
    if last is None:
        return failed(copy.UNREADABLE)
    is_kept = subject.rule is not None and subject.rule.is_kept
    if is_kept and last > math.floor(now_ms / 1000) + _MAX_KEPT + _MAX_SKEW:
        return failed(_too_long(time_text(last)))
    if any(reading.block_time is not None and reading.block_time > last for reading in subject.context.readings):
        return failed("The chain’s clock is already past its end.")
    if ahead > 0:
        return passed(f"Until {end}. Your clock is {ahead} s behind the service’s.")
    return passed(f"Until {end}.")


def check_state(subject: Subject) -> Finding:
    """12: the nonce is unused and the node in a state that allows it, by every blockchain node that was asked.

    One that does not tell of the node where its state matters has confirmed nothing.
    """
    readings = subject.context.readings
    for reading in readings:
        fault = _state_fault(subject, reading)
        if fault is not None:
            return failed(fault)
    needs_node = subject.rule is not None and bool(subject.rule.states)
    told = [one for one in readings if (one.node is not MISSING if needs_node else one.nonce_used is not None)]
    if not told:
        return unknown(copy.NO_READING)
    places = ", ".join(one.source for one in told)
    return passed(f"The nonce is unused, and the state is right ({places}).")


def _state_fault(subject: Subject, reading: ChainReading) -> str | None:
    if reading.nonce_used is True:
        return copy.NONCE_USED
    rule = subject.rule
    if subject.form == "permit" and reading.permit_nonce is not None:
        if uint_of(subject.message.get("nonce")) != reading.permit_nonce:
            return copy.NONCE_USED
    node = reading.node
    if isinstance(node, Missing) or rule is None or not rule.states:
        return None
    wanted = " or ".join(rule.states)
    number = 0 if node is None else node.state
    state = NODE_STATES[number] if 0 <= number < len(NODE_STATES) else None
    if state is None or state not in rule.states:
        if state == "none":
            return "The job is not on the chain."
        if wanted == "none":
            return "The job already exists."
        return f"The job is {state or found_text(number)}. It must be {wanted}."
    if node is None or state == "none":
        return None
    nonce = uint_of(subject.action.get("nonce"))
    # A signature for a later version would wait for it, whatever the node has become by then.
    if rule.nonce == "node" and node.version is not None and nonce is not None:
        if nonce_parts(nonce)[1] != node.version:
            return "The job has changed since then: this is for another state of it."
    return None if reading.block_time is None else _condition_fault(rule.node_condition, state, node, reading.block_time)


def _condition_fault(condition: NodeCondition, state: str, node: NodeReading, now: int) -> str | None:
    if condition == "deadline_is_over":
        is_early = node.deliver_by is not None and now <= node.deliver_by
        return f"The time to deliver ends at {time_text(node.deliver_by or 0)}." if is_early else None
    if condition == "deadline_runs" or (condition == "deliverable" and state != "rejected"):
        return _late_fault(node.deliver_by, now)
    if condition == "deliverable":
        if node.max_revisions is not None and (node.revisions or 0) >= node.max_revisions:
            return "The worker has delivered again as often as was agreed."
        return _late_fault(node.deliver_by, now) or _late_fault(node.clock, now)
    if condition == "no_subcontracts":
        return "Others work under this job and are paid from it." if (node.allocated or 0) > (node.returned or 0) else None
    if condition == "clock_runs" or (condition == "clock_runs_unless_delivered" and state != "delivered"):
        return _late_fault(node.clock, now)
    return None


def _late_fault(end: int | None, now: int) -> str | None:
    return f"The time for this ended at {time_text(end)}." if end is not None and now > end else None


def _too_long(end: str) -> str:
    return f"It is valid until {end}. No action of this market lasts that long."
