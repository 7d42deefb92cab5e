"""Checks 10 and 13: the request that was sent, and what follows from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..verification.addresses import same_address
from ..verification.document import MISSING, NodeReading
from ..verification.hashing import request_digest_of
from ..verification.kinds import rule_of
from ..verification.notation import same_hex, uint_of
from ..verification.plain_json import MAX_SAFE_INTEGER
from ..verification.shown_text import found_text
from . import check_copy as copy
from .call_faults import call_faults
from .request_expectations import expected_by_request, work_seconds_by_deadline
from .subject import Finding, Subject, failed, passed

_ZERO_HASH = re.compile("0x0{64}")


def check_request(subject: Subject) -> Finding:
    """10: the digest is that of the request as this side sent it."""
    digest = request_digest_of(subject.intent.body)
    if same_hex(subject.action.get("request_digest"), digest):
        return passed(digest)
    return failed("The request that was sent has another digest.")


def check_members(subject: Subject) -> Finding:
    """13: amounts, addresses, hashes and times in the message are those that were asked for, and those on the chain."""
    intent = subject.intent
    compared: dict[str, None] = {}
    for path, wanted in [*_flat(expected_by_request(intent)), *_flat(intent.expects)]:
        found = subject.own_member(path)
        if not _is_same(found, wanted):
            return failed(copy.member(path, found_text(found), found_text(wanted)))
        compared[path] = None
    work_range = work_seconds_by_deadline(intent, subject.now_ms, subject.context.deployment.max_action_seconds)
    if work_range is not None:
        path = "terms.workSeconds"
        seconds = uint_of(subject.own_member(path))
        if seconds is None or not work_range.least <= seconds <= work_range.most:
            return failed(copy.member(path, str(seconds), f"{work_range.least} to {work_range.most}"))
        compared[path] = None
    if subject.form != "escrow":
        if subject.message.get("value", MISSING) != subject.own_member("terms.amount"):
            return failed("The payment and the action have different amounts.")
        compared["value"] = None
    members = call_faults(subject).members
    if members is not None:
        return failed(members)
    fault = _chain_fault(subject, compared)
    if fault is not None:
        return fault
    return passed(f"Compared: {', '.join(compared)}." if compared else "The request named none.")


def _chain_fault(subject: Subject, compared: dict[str, None]) -> Finding | None:
    rule = rule_of(subject.intent.kind)
    for reading in subject.context.readings:
        if not isinstance(reading.node, NodeReading):
            continue
        # Members that a node has on chain, too, so that both can be compared.
        on_chain = (
            ("amount", reading.node.amount),
            ("worker", reading.node.worker),
            ("artifactHash", reading.node.artifact_hash),
        )
        for name, read in on_chain:
            found = subject.own_member(name)
            if found is MISSING or read is None:
                continue
            if name == "amount" and not (rule is not None and rule.amount_is_nodes):
                continue
            if name == "artifactHash" and (subject.intent.kind == "deliver" or _ZERO_HASH.fullmatch(str(read))):
                continue
            if not _is_same(found, read):
                return failed(f"{name} is {found_text(found)}. The chain says {found_text(str(read))}.")
            compared[name] = None
    return None


def _flat(expected: Any, prefix: str = "") -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for name, value in expected.items():
        if isinstance(value, Mapping):
            flat += _flat(value, f"{prefix}{name}.")
        else:
            flat.append((prefix + name, value))
    return flat


def _is_same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool):
        return found is wanted
    if isinstance(wanted, str) and wanted.startswith("0x"):
        return same_address(found, wanted) if len(wanted) == 42 else same_hex(found, wanted)
    if isinstance(wanted, float):
        # As JSON has it: a whole number of this type is one.
        wanted = int(wanted) if wanted.is_integer() and abs(wanted) <= MAX_SAFE_INTEGER else None
    integer = uint_of(str(wanted)) if isinstance(wanted, (int, str)) else None
    return integer is not None and uint_of(found) == integer
