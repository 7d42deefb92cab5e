// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title Types of the task escrow
/// @notice Value types shared by the escrow, its callers and its tests.

/// @notice Where a node of the tree stands. The last three are final.
/// @dev The order is relied upon: `Delivered … Disputed` are the states that time alone can end, everything above
///      `Settled` is closed without pay, and everything from `Settled` on is final.
enum NodeState {
    /// No such node.
    None,
    /// The money is here; the worker is at work.
    Funded,
    /// An artifact was delivered; the hirer may answer until `clock`.
    Delivered,
    /// The hirer refused the artifact; the worker may answer until `clock`.
    Rejected,
    /// The worker asked the arbiter, who may rule until `clock`.
    Disputed,
    /// Final: the worker keeps what is left in `amount`.
    Settled,
    /// Final: the money went back to where it came from.
    Refunded,
    /// Final: the worker gave the node up and the money went back.
    Abandoned
}

/// @notice Why a node became final.
enum Outcome {
    /// The hirer accepted the artifact.
    Accepted,
    /// The hirer stayed silent until the acceptance window was over.
    AcceptWindowLapsed,
    /// Hirer and worker signed the same split.
    Agreed,
    /// The arbiter ruled.
    Ruled,
    /// The arbiter stayed silent until the ruling window was over.
    RulingLapsed,
    /// Nothing had been delivered at the deadline.
    NonDelivery,
    /// A rejection that was not, or could not be, contested.
    RejectionFinal,
    /// The worker gave the node up.
    Abandoned
}

/// @notice Where the money of a node comes from. The payer signs it.
enum FundingMode {
    /// ERC-20 allowance of the payer to the escrow.
    Allowance,
    /// EIP-3009 `receiveWithAuthorization`; the authorisation's nonce is the digest of the action.
    Authorization3009,
    /// EIP-2612 permit, then the allowance.
    Permit,
    /// The payer's own refund balance in this escrow; no token moves.
    RefundBalance,
    /// Carved out of the parent node's pool; no token moves.
    ParentNode
}

/// @notice One piece of work. Two storage slots from funding on, a third one from the first delivery on.
/// @dev A node's id is its path: the parent's id, shifted by 24 bits, and an index from 1 on below it. So no parent and
///      no level is stored, a tree has at most eight levels, and nobody but a node's worker can take the ids below it.
struct Node {
    /// Slot 0: who works and is paid.
    address worker;
    /// Slot 0: the most that may be carved out, and the worker's share if the arbiter stays silent; token base units.
    uint64 floor;
    /// Slot 0: seconds the hirer has to answer a delivery.
    uint24 acceptWindow;
    /// Slot 0: whether the hirer brought the money itself. Always true for a node without parent.
    bool hirerFunded;
    /// Slot 1: what is left of the node's pool in token base units, live carve-outs of its children included.
    uint64 amount;
    /// Slot 1: the part of `amount` that is promised to children, never more than `floor`.
    uint64 allocated;
    /// Slot 1: last second at which the worker may deliver.
    uint40 deliverBy;
    /// Slot 1: last second of the right that belongs to the state: Funded, to deliver; Delivered, to answer the
    /// delivery; Rejected, to contest; Disputed, to rule.
    uint40 clock;
    /// Slot 1: counts the node's transitions. Every signature about a node names it, so that none outlives the state that
    /// it was given for. At most 2 × 10 revisions and five more, so eight bits never run over.
    uint8 version;
    /// Slot 1: deliveries after a rejection so far.
    uint8 revisions;
    /// Slot 1: deliveries after a rejection that the terms allow.
    uint8 maxRevisions;
    /// Slot 1: see {NodeState}.
    NodeState state;
    /// Slot 1: whether the worker asked to be paid to its own address: by the call that settles the node, if all of its
    /// backers have settled; otherwise by a `finalize` that anybody can send.
    bool payOut;
    /// Slot 2: hash of the artifact delivered last.
    bytes32 artifactHash;
}

/// @notice What hirer and worker both sign: the hirer in its own action, the worker in its quote.
struct NodeTerms {
    /// Path of the node, see {Node}; used once per tree.
    uint192 nodeId;
    /// Who works and is paid.
    address worker;
    /// Price in token base units.
    uint64 amount;
    /// The most that may be carved out of the node for children, and the worker's share if an arbiter who was asked
    /// stays silent; token base units, at most `amount`.
    uint64 floor;
    /// Seconds from the funding on in which the worker may deliver.
    uint32 workSeconds;
    /// Seconds the hirer has to answer a delivery.
    uint24 acceptWindow;
    /// How often the worker may deliver again after a rejection.
    uint8 maxRevisions;
    /// Whether the hirer brings the money itself.
    bool hirerFunded;
    /// Hash of the brief and of all terms that the contract does not read.
    bytes32 termsHash;
}

/// @notice The four members that every signed action ends with, and the signature.
/// @dev The first four must stay side by side and in this order: {ActionHash} copies them as they lie in calldata.
struct Auth {
    /// Hash of the prepared action's identifier.
    bytes32 actionId;
    /// Digest of the API request that prepared the action.
    bytes32 requestDigest;
    /// Used once. For an action about a node: the node's id, shifted by 8 bits, and its version, which is 0 before the
    /// node exists. For a withdrawal: any number from 2^255 on.
    uint256 nonce;
    /// Unix time, the last second at which the action may be executed.
    uint256 validUntil;
    /// ECDSA (65 bytes) or ERC-1271 signature; empty when the signer itself sends the call.
    bytes signature;
}
