"""Readings as JSON: amounts as decimal text."""

from __future__ import annotations

from typing import Any

from ..verification.addresses import is_address
from ..verification.document import MISSING, ChainReading, Missing, NodeReading
from ..verification.notation import is_hex, uint_of
from ..verification.plain_json import is_safe_integer, plain_json


def reading_from_json(value: object) -> ChainReading | None:
    """A reading out of JSON; None for anything that is not one. A member in another form counts as not told."""
    told = plain_json(value)
    if not isinstance(told, dict) or told.get("source") not in ("wallet", "service"):
        return None
    escrow = told.get("escrow")
    return ChainReading(
        source=told["source"],
        chain_id=_count(told.get("chainId")),
        escrow=escrow if escrow in ("clone", "undeployed_ours", "foreign") else None,
        nonce_used=_flag(told.get("nonceUsed")),
        node=_node(told.get("node", MISSING)),
        usdc_balance=uint_of(told.get("usdcBalance")),
        refund_balance=uint_of(told.get("refundBalance")),
        withdrawable=uint_of(told.get("withdrawable")),
        permit_nonce=uint_of(told.get("permitNonce")),
        block_time=_count(told.get("blockTime")),
        block_number=_count(told.get("blockNumber")),
    )


def _node(value: Any) -> NodeReading | None | Missing:
    if value is None:
        return None
    if not isinstance(value, dict):
        return MISSING
    state, amount, worker = _count(value.get("state")), uint_of(value.get("amount")), value.get("worker")
    if state is None or amount is None or not is_address(worker):
        return MISSING
    artifact_hash = value.get("artifactHash")
    return NodeReading(
        state=state,
        amount=amount,
        worker=worker,
        version=_count(value.get("version")),
        revisions=_count(value.get("revisions")),
        max_revisions=_count(value.get("maxRevisions")),
        floor=uint_of(value.get("floor")),
        hirer_funded=_flag(value.get("hirerFunded")),
        allocated=uint_of(value.get("allocated")),
        returned=uint_of(value.get("returned")),
        deliver_by=_count(value.get("deliverBy")),
        clock=_count(value.get("clock")),
        artifact_hash=artifact_hash if is_hex(artifact_hash) else None,
    )


def _count(value: Any) -> int | None:
    return value if is_safe_integer(value) and value >= 0 else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None
