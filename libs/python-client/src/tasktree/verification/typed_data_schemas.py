"""The pinned structs of the escrow and the token (EIP-712)."""

from __future__ import annotations

ESCROW_DOMAIN = ("Tasktree", "2")

Members = tuple[tuple[str, str], ...]


def _members(text: str) -> Members:
    """Names and types of a list such as "uint256 chainId,address to"."""
    pairs = (member.split(" ") for member in text.split(","))
    return tuple((name, kind) for kind, name in pairs)


def _action(own: str) -> Members:
    return _members(f"{own},bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil")


DOMAIN_MEMBERS = _members("string name,string version,uint256 chainId,address verifyingContract")
NODE_TERMS_MEMBERS = _members(
    "uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,"
    "uint8 maxRevisions,bool hirerFunded,bytes32 termsHash"
)
#: What the kinds of action sign.
KIND_TYPES: dict[str, Members] = {
    "CreateTask": _action("address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash"),
    "SubmitQuote": _action("NodeTerms terms,address hirer,address arbiter,address token"),
    "SelectAgent": _action("NodeTerms terms,address token"),
    "FundTask": _action("NodeTerms terms,address token,uint8 fundingMode"),
    "Subcontract": _action("NodeTerms terms,address token,uint8 fundingMode"),
    "Deliver": _action("uint192 nodeId,bytes32 artifactHash,bool payOut"),
    "ResolveTask": _action("uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash"),
    "RejectTask": _action("uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash"),
    "AbandonNode": _action("uint192 nodeId,address token,uint256 amount"),
    "ClaimNonDelivery": _action("uint192 nodeId,address token,uint256 amount"),
    "WithdrawEarnings": _action("uint192 nodeId,address recipient,address token,uint256 amount"),
    "WithdrawRefund": _action("address account,address recipient,address token,uint256 amount"),
    "DisputeNode": _action("uint192 nodeId,bytes32 evidenceHash"),
}
#: The token's own structs that pay into an escrow (EIP-3009 and EIP-2612).
USDC_TYPES: dict[str, Members] = {
    "ReceiveWithAuthorization": _members(
        "address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce"
    ),
    "Permit": _members("address owner,address spender,uint256 value,uint256 nonce,uint256 deadline"),
}


def pinned_types(primary_type: str, own: Members) -> dict[str, Members]:
    """The structs that typed data of a pinned primary type consists of."""
    types = {"EIP712Domain": DOMAIN_MEMBERS, primary_type: own}
    if any(kind == "NodeTerms" for _, kind in own):
        types["NodeTerms"] = NODE_TERMS_MEMBERS
    return types
