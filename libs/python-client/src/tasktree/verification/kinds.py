"""What is known of each kind of action. A kind that is not here is never signable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

#: States of a node, each at the place that the contract numbers it by.
NODE_STATES = ("none", "funded", "delivered", "rejected", "disputed", "settled", "refunded", "abandoned")

#: What has to be true of a node beside its state. The holder of a right may use it while now ≤ t, the other side after.
NodeCondition = Literal[
    "none",
    "deadline_runs",
    "deliverable",
    "deadline_is_over",
    "clock_runs",
    "clock_runs_unless_delivered",
    "no_subcontracts",
]


@dataclass(frozen=True)
class KindRule:
    """The rule of one kind."""

    #: The escrow's EIP-712 struct.
    struct: str
    #: Member of the struct that is the path of its node; None: the kind is for no node.
    node_member: str | None = "nodeId"
    #: True when `node_id` names the node above that one, under which somebody is hired.
    is_under_node: bool = False
    nonce: Literal["zero", "new_node", "node", "withdrawal"] = "node"
    #: Member that holds the signing wallet; None: the contract knows the wallet.
    signer_member: str | None = None
    #: States of that node in which the contract takes the action; empty: any.
    states: tuple[str, ...] = ()
    node_condition: NodeCondition = "none"
    #: True when `amount` is the whole amount of that node, which the chain has as well.
    amount_is_nodes: bool = False
    #: True when money may come from the wallet, by the token's own message or by the escrow's.
    takes_money: bool = False
    #: True when the signature is kept, and so lives longer than the prepared action.
    is_kept: bool = False


_KEPT = KindRule("", node_member="terms.nodeId", nonce="new_node", states=("none",), is_kept=True)
_PAYMENT = KindRule("", node_member="terms.nodeId", nonce="new_node", takes_money=True)

KINDS: dict[str, KindRule] = {
    "create_task": replace(_KEPT, struct="CreateTask", node_member=None, nonce="zero", states=(), signer_member="buyer"),
    "select_agent": replace(_KEPT, struct="SelectAgent"),
    "fund_task": replace(_PAYMENT, struct="FundTask", states=("none",)),
    "submit_quote": replace(_KEPT, struct="SubmitQuote", signer_member="terms.worker"),
    "subcontract": replace(
        _PAYMENT, struct="Subcontract", is_under_node=True, states=("funded",), node_condition="deadline_runs"
    ),
    "resolve_task": KindRule(
        "ResolveTask",
        states=("delivered", "rejected", "disputed"),
        node_condition="clock_runs_unless_delivered",
        amount_is_nodes=True,
    ),
    "reject_task": KindRule("RejectTask", states=("delivered",), node_condition="clock_runs"),
    "abandon_node": KindRule("AbandonNode", states=("funded",), node_condition="no_subcontracts", amount_is_nodes=True),
    "claim_non_delivery": KindRule(
        "ClaimNonDelivery", states=("funded",), node_condition="deadline_is_over", amount_is_nodes=True
    ),
    "withdraw_earnings": KindRule("WithdrawEarnings", nonce="withdrawal", states=("delivered", "disputed", "settled")),
    "withdraw_refund": KindRule("WithdrawRefund", nonce="withdrawal", node_member=None, signer_member="account"),
    "deliver": KindRule("Deliver", states=("funded", "rejected"), node_condition="deliverable"),
    "dispute_node": KindRule("DisputeNode", states=("rejected",), node_condition="clock_runs"),
}


def rule_of(kind: object) -> KindRule | None:
    """The rule of a kind; None for one that is not known here."""
    return KINDS.get(kind) if isinstance(kind, str) else None


def holds_once_signed(kind: str) -> bool:
    """True for a kind that is binding as soon as it is signed: it has no transaction of its own."""
    rule = rule_of(kind)
    return rule is not None and rule.is_kept
