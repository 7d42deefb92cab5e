// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice A relayed call acts only on a signature of the entitled account over exactly these terms; a call that is not
///         about money moves none.
contract AuthorityProof is ProofBase {
    /// @dev Whoever sends it: the key of the hirer has signed this node, this worker, this token, this amount, this
    ///      artifact, this nonce and this expiry, for this escrow on this chain.
    function check_relayedAcceptanceNeedsTheHirersSignature(Input memory x, bytes32 artifact) external {
        World memory b = _openWorld(x);
        vm.assume(b.hirer.code.length == 0);
        bytes memory signature = svm.createBytes(65, "signature");
        Auth memory auth = _relayed(x, signature);
        _step(x, abi.encodeCall(ITaskEscrow.resolveTask, (x.id, artifact, auth)));
        bytes32 typeHash = keccak256(
            "ResolveTask(uint32 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
        );
        bytes32 structHash = keccak256(
            abi.encode(
                typeHash,
                x.id,
                b.node.worker,
                address(token),
                uint256(b.node.amount),
                artifact,
                auth.actionId,
                auth.requestDigest,
                auth.nonce,
                auth.validUntil
            )
        );
        assert(_recover(escrow.hashTypedData(structHash), signature) == b.hirer);
        assert(x.time <= x.until);
    }

    /// @dev Whoever sends it: the key of the worker has signed the recipient and the amount.
    function check_relayedWithdrawalNeedsTheWorkersSignature(Input memory x, address recipient, uint256 amount)
        external
    {
        World memory b = _world(x);
        vm.assume(b.node.state == NodeState.Settled && b.node.hirerFunded && b.node.worker.code.length == 0);
        bytes memory signature = svm.createBytes(65, "signature");
        Auth memory auth = _relayed(x, signature);
        _step(x, abi.encodeCall(ITaskEscrow.withdrawEarnings, (x.id, recipient, amount, auth)));
        bytes32 typeHash = keccak256(
            "WithdrawEarnings(uint32 nodeId,address recipient,address token,uint256 amount,bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)"
        );
        bytes32 structHash = keccak256(
            abi.encode(
                typeHash,
                x.id,
                recipient,
                address(token),
                amount,
                auth.actionId,
                auth.requestDigest,
                auth.nonce,
                auth.validUntil
            )
        );
        assert(_recover(escrow.hashTypedData(structHash), signature) == b.node.worker);
    }

    /// @dev Afterwards the nonce is used up, and it was not before.
    function check_aNonceIsUsedOnce(Input memory x, address account, address recipient, uint256 amount) external {
        uint256 word = escrow.nonceBitmap(account, x.nonce >> 8);
        uint256 otherWord = escrow.nonceBitmap(x.otherAccount, x.nonce >> 8);
        vm.assume(x.otherAccount != account);
        _step(x, abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, _own(x))));
        uint256 bit = 1 << (x.nonce & 0xff);
        assert(word & bit == 0);
        assert(escrow.nonceBitmap(account, x.nonce >> 8) == word | bit);
        assert(escrow.nonceBitmap(x.otherAccount, x.nonce >> 8) == otherWord);
    }

    function check_deliver_movesNoMoney(Input memory x, bytes32 artifact) external {
        World memory b = _openWorld(x);
        vm.assume(b.node.hirerFunded || b.parent.hirerFunded);
        _step(x, abi.encodeCall(ITaskEscrow.deliver, (x.id, artifact, _own(x))));
        _checkHeld(x, b);
        assert(x.sender == b.node.worker && x.time <= b.node.deliverBy);
    }

    function check_disputeNode_movesNoMoney(Input memory x, bytes32 evidence) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.disputeNode, (x.id, evidence, _own(x))));
        _checkHeld(x, b);
        assert(x.sender == b.node.worker && b.node.state == NodeState.Rejected && x.time <= b.node.clock);
    }

    function check_invalidateNonces_movesNoMoney(Input memory x, uint256 word, uint256 mask) external {
        World memory b = _openWorld(x);
        uint256 before_ = escrow.nonceBitmap(x.sender, word);
        _step(x, abi.encodeCall(ITaskEscrow.invalidateNonces, (word, mask)));
        _checkHeld(x, b);
        assert(escrow.node(x.id).state == b.node.state);
        assert(escrow.nonceBitmap(x.sender, word) == before_ | mask);
    }

    function _recover(bytes32 digest, bytes memory signature) private pure returns (address) {
        (bytes32 r, bytes32 s, uint8 v) = (bytes32(0), bytes32(0), 0);
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        return ecrecover(digest, v, r, s);
    }
}
