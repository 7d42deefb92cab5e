// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Auth, NodeTerms} from "../Types.sol";

/// @title ActionHash
/// @notice EIP-712 struct hashes of every action. Money comes first in each type, because wallets that do not know the
///         type show its members in order; the four members of {Auth} close every type.
library ActionHash {
    bytes32 internal constant NODE_TERMS_TYPEHASH = keccak256(
        "NodeTerms(uint32 nodeId,uint32 parentNodeId,address worker,uint96 amount,uint40 deliverBy,uint32 acceptWindow,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant CREATE_TASK_TYPEHASH = keccak256(
        "CreateTask(address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant SUBMIT_QUOTE_TYPEHASH = keccak256(
        "SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint32 nodeId,uint32 parentNodeId,address worker,uint96 amount,uint40 deliverBy,uint32 acceptWindow,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant SELECT_AGENT_TYPEHASH = keccak256(
        "SelectAgent(NodeTerms terms,address token,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint32 nodeId,uint32 parentNodeId,address worker,uint96 amount,uint40 deliverBy,uint32 acceptWindow,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant FUND_TASK_TYPEHASH = keccak256(
        "FundTask(uint32 nodeId,address worker,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant SUBCONTRACT_TYPEHASH = keccak256(
        "Subcontract(NodeTerms terms,address token,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)NodeTerms(uint32 nodeId,uint32 parentNodeId,address worker,uint96 amount,uint40 deliverBy,uint32 acceptWindow,bool hirerFunded,bytes32 termsHash)"
    );
    bytes32 internal constant DELIVER_TYPEHASH = keccak256(
        "Deliver(uint32 nodeId,bytes32 artifactHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant RESOLVE_TASK_TYPEHASH = keccak256(
        "ResolveTask(uint32 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant REJECT_TASK_TYPEHASH = keccak256(
        "RejectTask(uint32 nodeId,bytes32 artifactHash,bytes32 reasonHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant ABANDON_NODE_TYPEHASH = keccak256(
        "AbandonNode(uint32 nodeId,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant CLAIM_NON_DELIVERY_TYPEHASH = keccak256(
        "ClaimNonDelivery(uint32 nodeId,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant DISPUTE_NODE_TYPEHASH = keccak256(
        "DisputeNode(uint32 nodeId,bytes32 evidenceHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant RULE_DISPUTE_TYPEHASH = keccak256(
        "RuleDispute(uint32 nodeId,address token,uint256 workerShare,bytes32 rulingHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant AGREE_SPLIT_TYPEHASH = keccak256(
        "AgreeSplit(uint32 nodeId,address token,uint256 amount,uint256 workerShare,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant WITHDRAW_EARNINGS_TYPEHASH = keccak256(
        "WithdrawEarnings(uint32 nodeId,address recipient,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );
    bytes32 internal constant WITHDRAW_REFUND_TYPEHASH = keccak256(
        "WithdrawRefund(address account,address recipient,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
    );

    function nodeTerms(NodeTerms calldata terms) internal pure returns (bytes32) {
        return keccak256(abi.encode(NODE_TERMS_TYPEHASH, terms));
    }

    function createTask(
        address buyer,
        address arbiter,
        address token,
        uint256 budget,
        bytes32 termsHash,
        Auth calldata auth
    ) internal pure returns (bytes32) {
        return _seal(abi.encode(CREATE_TASK_TYPEHASH, buyer, arbiter, token, budget, termsHash), auth);
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
    function selectAgent(bytes32 termsStructHash, address token, Auth calldata auth) internal pure returns (bytes32) {
        return _seal(abi.encode(SELECT_AGENT_TYPEHASH, termsStructHash, token), auth);
    }

    function fundTask(uint32 nodeId, address worker, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(FUND_TASK_TYPEHASH, nodeId, worker, token, amount), auth);
    }

    /// @param termsStructHash Result of {nodeTerms}.
    function subcontract(bytes32 termsStructHash, address token, Auth calldata auth) internal pure returns (bytes32) {
        return _seal(abi.encode(SUBCONTRACT_TYPEHASH, termsStructHash, token), auth);
    }

    function deliver(uint32 nodeId, bytes32 artifactHash, Auth calldata auth) internal pure returns (bytes32) {
        return _seal(abi.encode(DELIVER_TYPEHASH, nodeId, artifactHash), auth);
    }

    function resolveTask(
        uint32 nodeId,
        address worker,
        address token,
        uint256 amount,
        bytes32 artifactHash,
        Auth calldata auth
    ) internal pure returns (bytes32) {
        return _seal(abi.encode(RESOLVE_TASK_TYPEHASH, nodeId, worker, token, amount, artifactHash), auth);
    }

    function rejectTask(uint32 nodeId, bytes32 artifactHash, bytes32 reasonHash, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(REJECT_TASK_TYPEHASH, nodeId, artifactHash, reasonHash), auth);
    }

    function abandonNode(uint32 nodeId, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(ABANDON_NODE_TYPEHASH, nodeId, token, amount), auth);
    }

    function claimNonDelivery(uint32 nodeId, address token, uint256 amount, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(CLAIM_NON_DELIVERY_TYPEHASH, nodeId, token, amount), auth);
    }

    function disputeNode(uint32 nodeId, bytes32 evidenceHash, Auth calldata auth) internal pure returns (bytes32) {
        return _seal(abi.encode(DISPUTE_NODE_TYPEHASH, nodeId, evidenceHash), auth);
    }

    function ruleDispute(uint32 nodeId, address token, uint256 workerShare, bytes32 rulingHash, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(RULE_DISPUTE_TYPEHASH, nodeId, token, workerShare, rulingHash), auth);
    }

    function agreeSplit(uint32 nodeId, address token, uint256 amount, uint256 workerShare, Auth calldata auth)
        internal
        pure
        returns (bytes32)
    {
        return _seal(abi.encode(AGREE_SPLIT_TYPEHASH, nodeId, token, amount, workerShare), auth);
    }

    function withdrawEarnings(uint32 nodeId, address recipient, address token, uint256 amount, Auth calldata auth)
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
