// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Auth, FundingMode, NodeTerms} from "../Types.sol";

/// @title ActionHash
/// @notice EIP-712 struct hashes of every action that the escrow executes. Money comes first in each type, because wallets that do not know the
///         type show its members in order; the four members of {Auth} close every type.
library ActionHash {
    bytes32 internal constant NODE_TERMS_TYPEHASH = keccak256(
        "NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant SUBMIT_QUOTE_TYPEHASH = keccak256(
        "SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant FUND_TASK_TYPEHASH = keccak256(
        "FundTask(NodeTerms terms,address token,uint8 fundingMode,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant SUBCONTRACT_TYPEHASH = keccak256(
        "Subcontract(NodeTerms terms,address token,uint8 fundingMode,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant DELIVER_TYPEHASH = keccak256(
        "Deliver(uint192 nodeId,bytes32 artifactHash,bool payOut,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant RESOLVE_TASK_TYPEHASH = keccak256(
        "ResolveTask(uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant REJECT_TASK_TYPEHASH = keccak256(
        "RejectTask(uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant ABANDON_NODE_TYPEHASH = keccak256(
        "AbandonNode(uint192 nodeId,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant CLAIM_NON_DELIVERY_TYPEHASH = keccak256(
        "ClaimNonDelivery(uint192 nodeId,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant DISPUTE_NODE_TYPEHASH = keccak256(
        "DisputeNode(uint192 nodeId,bytes32 evidenceHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant RULE_DISPUTE_TYPEHASH = keccak256(
        "RuleDispute(uint192 nodeId,address token,uint256 workerShare,bytes32 rulingHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant AGREE_SPLIT_TYPEHASH = keccak256(
        "AgreeSplit(uint192 nodeId,address hirer,address worker,address token,uint256 amount,uint256 workerShare,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant WITHDRAW_EARNINGS_TYPEHASH = keccak256(
        "WithdrawEarnings(uint192 nodeId,address recipient,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant WITHDRAW_REFUND_TYPEHASH = keccak256(
        "WithdrawRefund(address account,address recipient,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );

    function nodeTerms(NodeTerms calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(NODE_TERMS_TYPEHASH, terms));
    }

    /// @param termsStructHash Result of {nodeTerms}.
    function submitQuote(bytes32 termsStructHash, address hirer, address arbiter, address token, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(SUBMIT_QUOTE_TYPEHASH, termsStructHash, hirer, arbiter, token), auth);
    }

    /// @param termsStructHash Result of {nodeTerms}.
    function fundTask(bytes32 termsStructHash, address token, FundingMode mode, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(FUND_TASK_TYPEHASH, termsStructHash, token, mode), auth);
    }

    /// @param termsStructHash Result of {nodeTerms}.
    function subcontract(bytes32 termsStructHash, address token, FundingMode mode, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(SUBCONTRACT_TYPEHASH, termsStructHash, token, mode), auth);
    }

    function deliver(uint192 nodeId, bytes32 artifactHash, bool payOut, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(DELIVER_TYPEHASH, nodeId, artifactHash, payOut), auth);
    }

    function resolveTask(
        uint192 nodeId,
        address worker,
        address token,
        uint256 amount,
        bytes32 artifactHash,
        Auth calldata auth
    ) internal pure returns (bytes32) {
        return _seal(abi.encode(RESOLVE_TASK_TYPEHASH, nodeId, worker, token, amount, artifactHash), auth);
    }

    function rejectTask(uint192 nodeId, bytes32 artifactHash, bytes32 reasonHash, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(REJECT_TASK_TYPEHASH, nodeId, artifactHash, reasonHash), auth);
    }

    function abandonNode(uint192 nodeId, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(ABANDON_NODE_TYPEHASH, nodeId, token, amount), auth);
    }

    function claimNonDelivery(uint192 nodeId, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(CLAIM_NON_DELIVERY_TYPEHASH, nodeId, token, amount), auth);
    }

    function disputeNode(uint192 nodeId, bytes32 evidenceHash, Auth calldata auth) internal pure returns (bytes32) {
        return _seal(abi.encode(DISPUTE_NODE_TYPEHASH, nodeId, evidenceHash), auth);
    }

    function ruleDispute(uint192 nodeId, address token, uint256 workerShare, bytes32 rulingHash, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(RULE_DISPUTE_TYPEHASH, nodeId, token, workerShare, rulingHash), auth);
    }

    function agreeSplit(
        uint192 nodeId,
        address hirer,
        address worker,
        address token,
        uint256 amount,
        uint256 workerShare,
        Auth calldata auth
    ) internal pure returns (bytes32) {
        return _seal(abi.encode(AGREE_SPLIT_TYPEHASH, nodeId, hirer, worker, token, amount, workerShare), auth);
    }

    function withdrawEarnings(uint192 nodeId, address recipient, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(WITHDRAW_EARNINGS_TYPEHASH, nodeId, recipient, token, amount), auth);
    }

    function withdrawRefund(address account, address recipient, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(WITHDRAW_REFUND_TYPEHASH, account, recipient, token, amount), auth);
    }

    /// @dev Hash of an action's own members followed by the four members of `auth`, which lie side by side in calldata.
    ///      Writes behind `head` without moving the free memory pointer, so `head` must be the latest allocation; that
    ///      is why this is private and only called on a fresh `abi.encode`.
    function _seal(bytes memory head, Auth calldata auth) private pure returns (bytes32 structHash) {
        assembly ("memory-safe") {
            let length := mload(head)
            let start := add(head, 0x20)
            calldatacopy(add(start, length), auth, 0x80)
            structHash := keccak256(start, add(length, 0x80))
        }
    }
}
