"""Questions about an action to any blockchain node, and the reading that the answers give."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..checks.call_faults import finalized_first
from ..checks.contract import parties_in
from ..checks.subject import Subject, named_node, subject_of
from ..verification.addresses import ZERO_ADDRESS, escrow_address_of, is_address, parties_in_code, same_address
from ..verification.document import MISSING, ChainReading, Context, Deployment, EscrowCode, Intent, Missing
from ..verification.document import NodeReading, Source, TreeParties
from ..verification.kinds import NODE_STATES
from ..verification.notation import is_hex, parent_path, uint_of

#: Views of the escrow and the token, by selector.
_NODE = "0xf73988ac"
_NONCE_USED = "0x1647795e"
_REFUND_OF = "0x07738ad2"
_WITHDRAWABLE = "0xbe906ca6"
_BALANCE_OF = "0x70a08231"
_NONCES = "0x7ecebe00"
#: The members of a node in the order of the contract, a word each.
_NODE_MEMBERS = (
    "worker floor accept_window hirer_funded amount allocated deliver_by clock version revisions max_revisions state "
    "pay_out artifact_hash"
).split()
_WORD = 64
#: Structs whose action depends on what the finalizations before it give back to the node.
_HANGS_ON_RETURNS = ("AbandonNode", "Subcontract")
_QUANTITY = re.compile("0x[0-9a-fA-F]{1,13}")


class ChainQuery(NamedTuple):
    """A question of JSON-RPC; the answer goes into `reading_from` under this name."""

    name: str
    method: str
    params: tuple[Any, ...]


def chain_queries(action: object, intent: Intent, deployment: Deployment) -> list[ChainQuery]:
    """What to ask a blockchain node about an action. What it does not answer is left out. Never raises."""
    queries = [ChainQuery("chainId", "eth_chainId", ()), ChainQuery("block", "eth_getBlockByNumber", ("latest", False))]
    subject = _subject(action, intent, deployment)
    escrow, wallet = subject.action.get("escrow_address"), subject.wallet
    nonce, node = uint_of(subject.action.get("nonce")), named_node(subject)
    if not is_address(escrow):
        return queries

    def call(name: str, to: Any, data: str) -> None:
        queries.append(ChainQuery(name, "eth_call", ({"to": to, "data": data}, "latest")))

    queries.append(ChainQuery("code", "eth_getCode", (escrow, "latest")))
    if node is not None:
        call("node", escrow, _NODE + _word(node))
        call("withdrawable", escrow, _WITHDRAWABLE + _word(node))
        for path in _ended(subject):
            call(_ended_name(path), escrow, _NODE + _word(path))
    if not is_address(wallet):
        return queries
    own = _word(int(wallet, 16))
    if nonce is not None:
        call("nonceUsed", escrow, _NONCE_USED + own + _word(nonce))
    call("refund", escrow, _REFUND_OF + own)
    call("balance", deployment.usdc, _BALANCE_OF + own)
    call("permitNonce", deployment.usdc, _NONCES + own)
    return queries


def reading_from(
    source: Source, answers: Mapping[str, Any], action: object, intent: Intent, deployment: Deployment
) -> ChainReading:
    """The reading that a node's answers give; an answer in another form counts as missing. Never raises."""
    code = _text(answers.get("code"))
    block = answers.get("block")
    block = block if isinstance(block, dict) else {}

    def amount_in(name: str) -> int | None:
        # A contract that does not exist yet answers every call with nothing: no node, no used nonce, no money.
        return 0 if code == "0x" else _amount(answers.get(name))

    used = amount_in("nonceUsed")
    node: NodeReading | None | Missing = MISSING
    if code == "0x":
        node = None if "node" in answers else MISSING
    elif code is not None:
        node = _node(answers.get("node"))
    block_time = _quantity(block.get("timestamp"))
    if isinstance(node, NodeReading):
        returned = _returns_in(answers, _ended(_subject(action, intent, deployment)), block_time)
        node = dataclasses.replace(node, returned=returned) if returned > 0 else node
    return ChainReading(
        source=source,
        chain_id=_quantity(answers.get("chainId")),
        escrow=None if code is None else _escrow_by(code, _subject(action, intent, deployment)),
        nonce_used=used == 1 if used in (0, 1) else None,
        node=node,
        usdc_balance=_amount(answers.get("balance")),
        refund_balance=amount_in("refund"),
        withdrawable=amount_in("withdrawable"),
        permit_nonce=_amount(answers.get("permitNonce")),
        block_time=block_time,
        block_number=_quantity(block.get("number")),
    )


def _escrow_by(code: str, subject: Subject) -> EscrowCode | None:
    """Whether the escrow is one of this market: its code names buyer and arbiter, its address follows from them."""
    deployment = subject.context.deployment
    task, escrow = subject.action.get("task_id"), subject.action.get("escrow_address")

    def is_at(parties: TreeParties) -> bool:
        return isinstance(task, str) and same_address(escrow_address_of(deployment, parties, task), escrow)

    if code != "0x":
        parties = parties_in_code(code, deployment)
        return "clone" if parties is not None and is_at(parties) else "foreign"
    wallet = subject.action.get("wallet_address")
    alone = TreeParties(str(wallet), ZERO_ADDRESS) if is_address(wallet) else None
    guesses = [subject.intent.tree or parties_in(subject), alone]
    return "undeployed_ours" if any(one is not None and is_at(one) for one in guesses) else None


def _ended(subject: Subject) -> list[int]:
    """Nodes under the action's that its transaction finalizes first, where what they give back matters."""
    if subject.rule is None or subject.rule.struct not in _HANGS_ON_RETURNS:
        return []
    return [path for path in finalized_first(subject) if parent_path(path) == named_node(subject)]


def _ended_name(path: int) -> str:
    return f"ended {path}"


def _returns_in(answers: Mapping[str, Any], ended: list[int], now: int | None) -> int:
    """Base units that these nodes give back to the one above when finalized now, as the contract reckons it."""
    return sum(_given_back(_node(answers.get(_ended_name(path))), now) for path in ended)


def _given_back(node: NodeReading | None | Missing, now: int | None) -> int:
    if not isinstance(node, NodeReading) or node.hirer_funded is not False:
        return 0
    if now is None or node.clock is None or now <= node.clock:
        return 0
    state = NODE_STATES[node.state] if node.state < len(NODE_STATES) else None
    if state == "rejected":
        return node.amount
    return node.amount - node.floor if state == "disputed" and node.floor is not None else 0


def _subject(action: object, intent: Intent, deployment: Deployment) -> Subject:
    return subject_of(action, intent, Context(deployment, now_ms=0))


def _node(answer: Any) -> NodeReading | None | Missing:
    """None: no node has this path."""
    text = _text(answer)
    if text is None or len(text) != 2 + len(_NODE_MEMBERS) * _WORD:
        return MISSING
    words = dict(zip(_NODE_MEMBERS, re.findall(f".{{{_WORD}}}", text[2:])))
    amounts = {name: int(word, 16) for name, word in words.items()}
    if amounts["state"] == 0:
        return None
    return NodeReading(
        state=amounts["state"],
        amount=amounts["amount"],
        worker=f"0x{words['worker'][24:]}",
        version=amounts["version"],
        revisions=amounts["revisions"],
        max_revisions=amounts["max_revisions"],
        floor=amounts["floor"],
        hirer_funded=amounts["hirer_funded"] > 0,
        allocated=amounts["allocated"],
        deliver_by=amounts["deliver_by"],
        clock=amounts["clock"],
        artifact_hash=f"0x{words['artifact_hash']}",
    )


def _text(value: Any) -> str | None:
    return value.lower() if isinstance(value, str) and is_hex(value) else None


def _quantity(value: Any) -> int | None:
    return int(value, 16) if isinstance(value, str) and _QUANTITY.fullmatch(value) else None


def _amount(answer: Any) -> int | None:
    text = _text(answer)
    return int(text, 16) if text is not None and len(text) == 2 + _WORD else None


def _word(value: int) -> str:
    return f"{value:x}".rjust(_WORD, "0")
