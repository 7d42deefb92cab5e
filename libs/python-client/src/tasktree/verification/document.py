"""What a client knows before an action arrives, and what a check says. The action itself is any JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Union

CheckStatus = Literal["passed", "failed", "unknown"]
Source = Literal["wallet", "service"]
EscrowCode = Literal["clone", "undeployed_ours", "foreign"]


class Missing:
    """The type of `MISSING`, which stands for a member that is not there; `None` is JSON's null."""

    _only: Missing | None = None

    def __new__(cls) -> Missing:
        if cls._only is None:
            cls._only = super().__new__(cls)
        return cls._only

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = Missing()


@dataclass(frozen=True)
class Deployment:
    """Facts of a deployment that are known before any action of it arrives, and that are never taken from an action."""

    chain_id: int
    factory: str
    implementation: str
    usdc: str
    #: The token's EIP-712 name and version.
    usdc_name: str
    usdc_version: str
    #: Longest life of a prepared action, seconds.
    max_action_seconds: int
    #: Origin of every signing URL, such as `https://market.example`.
    signing_origin: str

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Deployment:
        """Reads the form that the SDK and the vectors have. Raises KeyError where a member is missing."""
        return cls(
            chain_id=value["chainId"],
            factory=value["factory"],
            implementation=value["implementation"],
            usdc=value["usdc"],
            usdc_name=value["usdcName"],
            usdc_version=value["usdcVersion"],
            max_action_seconds=value["maxActionSeconds"],
            signing_origin=value["signingOrigin"],
        )

    def to_json(self) -> dict[str, Any]:
        """The form that `from_json` reads, to be kept in the caller's own configuration."""
        return {
            "chainId": self.chain_id,
            "factory": self.factory,
            "implementation": self.implementation,
            "usdc": self.usdc,
            "usdcName": self.usdc_name,
            "usdcVersion": self.usdc_version,
            "maxActionSeconds": self.max_action_seconds,
            "signingOrigin": self.signing_origin,
        }


@dataclass(frozen=True)
class TreeParties:
    """Buyer and arbiter that a tree's escrow commits to; the zero address for no arbiter."""

    buyer: str
    arbiter: str


#: Values of members that the caller knows from elsewhere, nested as in the struct: integers as int or decimal text.
ExpectedMembers = Mapping[str, Any]


@dataclass(frozen=True)
class Intent:
    """The request that an action must answer, from the caller's own records."""

    kind: str
    principal: str
    #: None: no wallet is known yet.
    wallet: str | None = None
    task_id: str | None = None
    node_id: str | None = None
    #: Body of the request, before it was written as JSON; None: it had none.
    body: Any = None
    #: Members of the escrow's own message; absent members are not compared.
    expects: ExpectedMembers = field(default_factory=dict)
    #: Address of the escrow, when the caller knows it from elsewhere.
    escrow: str | None = None
    #: The tree's parties, when the caller knows them from elsewhere: the escrow's address follows from them.
    tree: TreeParties | None = None
    #: The EIP-712 digest that was shown elsewhere.
    digest: str | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Intent:
        """Reads the form that the SDK and the vectors have. Raises KeyError without `kind` or `principal`."""
        tree = value.get("tree")
        return cls(
            kind=value["kind"],
            principal=value["principal"],
            wallet=value.get("wallet"),
            task_id=value.get("taskId"),
            node_id=value.get("nodeId"),
            body=value.get("body"),
            expects=value.get("expects") or {},
            escrow=value.get("escrow"),
            tree=None if tree is None else TreeParties(tree["buyer"], tree["arbiter"]),
            digest=value.get("digest"),
        )


@dataclass(frozen=True)
class NodeReading:
    """A node as a blockchain node reports it. Amounts in base units, times in unix seconds."""

    #: `NodeState` of the contract: 1 funded, 2 delivered, …
    state: int
    amount: int
    worker: str
    #: Transitions so far, which every signature about the node names.
    version: int | None = None
    #: Deliveries after a rejection so far, and how many the terms allow.
    revisions: int | None = None
    max_revisions: int | None = None
    floor: int | None = None
    #: False: the node is paid out of the one above.
    hirer_funded: bool | None = None
    allocated: int | None = None
    #: What of `allocated` comes back by the finalizations that the transaction of the action makes before its own call.
    returned: int | None = None
    deliver_by: int | None = None
    #: Last second of the right that the state gives.
    clock: int | None = None
    artifact_hash: str | None = None


@dataclass(frozen=True)
class ChainReading:
    """What one blockchain node says; None: it has not told, or it does not matter for this action."""

    source: Source
    chain_id: int | None = None
    #: `clone`: a clone of the pinned implementation for this very task; `undeployed_ours`: no code yet, at the address
    #: where the factory will put that clone; `foreign`: another contract.
    escrow: EscrowCode | None = None
    nonce_used: bool | None = None
    #: None: the tree has no such node; `MISSING`: nobody told.
    node: Union[NodeReading, None, Missing] = MISSING
    usdc_balance: int | None = None
    refund_balance: int | None = None
    withdrawable: int | None = None
    #: The wallet's next EIP-2612 nonce.
    permit_nonce: int | None = None
    #: Time of the latest block, unix seconds.
    block_time: int | None = None
    block_number: int | None = None


@dataclass(frozen=True)
class Context:
    """Where and when a check runs."""

    deployment: Deployment
    #: Milliseconds since the epoch.
    now_ms: int
    #: The account that the wallet shows; None: none is connected yet.
    connected_wallet: str | None = None
    readings: Sequence[ChainReading] = ()


@dataclass(frozen=True)
class Check:
    """One of the fifteen rows."""

    number: int
    #: Stable, for programs.
    name: str
    #: The statement that is true when the check passes.
    title: str
    status: CheckStatus
    #: What the check found, in one line.
    detail: str
