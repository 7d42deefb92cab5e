// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {TypedData} from "../test/base/TypedData.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice A relayed call acts only on a signature of the entitled account over exactly these terms; a call that is not
///         about money moves none.
contract AuthorityProof is ProofBase {
    /// @dev A state of the tree in which the entitled account is a key, and that key's signature, which may be anything.
    function _asked(Input memory x) private returns (World memory b, Auth memory auth) {
        b = _openWorld(x);
        vm.assume(b.hirer.code.length == 0 && b.node.worker.code.length == 0);
        vm.assume(b.node.hirerFunded || b.parent.hirerFunded);
        auth = _relayed(x, svm.createBytes(65, "signature"));
    }

    function check_relayedDeliveryNeedsTheWorkersSignature(Input memory x, bytes32 artifact, bool payOut) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.deliver, (x.id, artifact, payOut, auth)));
        bytes32 t = TypedData.typeHash("Deliver(uint192 nodeId,bytes32 artifactHash,bool payOut");
        _checkSignedAt(x, b, b.node.worker, abi.encode(t, x.id, artifact, payOut), auth);
    }

    /// @dev Whoever sends it: the key of the hirer has signed this node, this worker, this token, this amount, this
    ///      artifact, this nonce and this expiry, for this escrow on this chain.
    function check_relayedAcceptanceNeedsTheHirersSignature(Input memory x, bytes32 artifact) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.resolveTask, (x.id, artifact, auth)));
        bytes32 t = TypedData.typeHash(
            "ResolveTask(uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash"
        );
        bytes memory head = abi.encode(t, x.id, b.node.worker, address(token), uint256(b.node.amount), artifact);
        _checkSignedAt(x, b, b.hirer, head, auth);
    }

    function check_relayedRejectionNeedsTheHirersSignature(Input memory x, bytes32 artifact, bytes32 reason) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.rejectTask, (x.id, artifact, reason, auth)));
        bytes32 t = TypedData.typeHash("RejectTask(uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash");
        _checkSignedAt(x, b, b.hirer, abi.encode(t, x.id, artifact, reason), auth);
    }

    function check_relayedAbandonmentNeedsTheWorkersSignature(Input memory x) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.abandonNode, (x.id, auth)));
        bytes32 t = TypedData.typeHash("AbandonNode(uint192 nodeId,address token,uint256 amount");
        _checkSignedAt(x, b, b.node.worker, abi.encode(t, x.id, address(token), uint256(b.node.amount)), auth);
    }

    function check_relayedDisputeNeedsTheWorkersSignature(Input memory x, bytes32 evidence) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.disputeNode, (x.id, evidence, auth)));
        bytes32 t = TypedData.typeHash("DisputeNode(uint192 nodeId,bytes32 evidenceHash");
        _checkSignedAt(x, b, b.node.worker, abi.encode(t, x.id, evidence), auth);
    }

    function check_relayedRulingNeedsTheArbitersSignature(Input memory x, uint256 share, bytes32 ruling) external {
        (World memory b, Auth memory auth) = _asked(x);
        _step(x, abi.encodeCall(ITaskEscrow.ruleDispute, (x.id, share, ruling, auth)));
        bytes32 t =
            TypedData.typeHash("RuleDispute(uint192 nodeId,address token,uint256 workerShare,bytes32 rulingHash");
        _checkSignedAt(x, b, ARBITER, abi.encode(t, x.id, address(token), share, ruling), auth);
    }

    /// @dev Whoever sends it: the key of the worker has signed the recipient and the amount.
    function check_relayedWithdrawalNeedsTheWorkersSignature(Input memory x, address recipient, uint256 amount)
        external
    {
        World memory b = _world(x);
        vm.assume(b.node.state == NodeState.Settled && b.node.hirerFunded && b.node.worker.code.length == 0);
        Auth memory auth = _relayed(x, svm.createBytes(65, "signature"));
        _step(x, abi.encodeCall(ITaskEscrow.withdrawEarnings, (x.id, recipient, amount, auth)));
        bytes32 t = TypedData.typeHash("WithdrawEarnings(uint192 nodeId,address recipient,address token,uint256 amount");
        _checkSigned(b.node.worker, abi.encode(t, x.id, recipient, address(token), amount), auth);
    }

    function check_relayedRefundNeedsTheAccountsSignature(
        Input memory x,
        address account,
        address recipient,
        uint256 amount
    ) external {
        vm.assume(account.code.length == 0);
        Auth memory auth = _relayed(x, svm.createBytes(65, "signature"));
        _step(x, abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, auth)));
        bytes32 t = TypedData.typeHash("WithdrawRefund(address account,address recipient,address token,uint256 amount");
        _checkSigned(account, abi.encode(t, account, recipient, address(token), amount), auth);
    }

    /// @dev A withdrawal's nonce was free, is used up, and no other signer's is.
    function check_aWithdrawalsNonceIsUsedOnce(Input memory x, address account, address recipient, uint256 amount)
        external
    {
        uint256 word = escrow.nonceBitmap(account, x.nonce >> 8);
        uint256 otherWord = escrow.nonceBitmap(x.otherAccount, x.nonce >> 8);
        vm.assume(x.otherAccount != account);
        _step(x, abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, _own(x))));
        uint256 bit = 1 << (x.nonce & 0xff);
        assert(x.nonce >= escrow.FIRST_WITHDRAWAL_NONCE() && word & bit == 0);
        assert(escrow.nonceBitmap(account, x.nonce >> 8) == word | bit);
        assert(escrow.nonceBitmap(x.otherAccount, x.nonce >> 8) == otherWord);
    }

    /// @dev Every nonce about a node is used once the node's version has passed it, or once its bit is set.
    function check_nonceUsed_followsTheVersion(uint192 id, uint8 version, address account) external view {
        uint256 nonce = uint256(id) << 8 | version;
        bool isCancelled = (escrow.nonceBitmap(account, id) >> version) & 1 != 0;
        assert(escrow.nonceUsed(account, nonce) == (isCancelled || escrow.node(id).version > version));
    }

    function check_deliver_movesNoMoney(Input memory x, bytes32 artifact, bool payOut) external {
        World memory b = _openWorld(x);
        vm.assume(b.node.hirerFunded || b.parent.hirerFunded);
        _step(x, abi.encodeCall(ITaskEscrow.deliver, (x.id, artifact, payOut, _own(x))));
        _checkHeld(x, b);
        bool again = b.node.state == NodeState.Rejected;
        assert(again || b.node.state == NodeState.Funded);
        assert(x.time <= b.node.deliverBy);
        assert(!again || (x.time <= b.node.clock && b.node.revisions < b.node.maxRevisions));
        assert(escrow.node(x.id).revisions == b.node.revisions + (again ? 1 : 0) && artifact != 0);
        if (!b.node.hirerFunded) assert(escrow.effectiveState(_parent(x.id)) <= NodeState.Settled);
        _checkOwn(x, b, b.node.worker);
    }

    function check_disputeNode_movesNoMoney(Input memory x, bytes32 evidence) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.disputeNode, (x.id, evidence, _own(x))));
        _checkHeld(x, b);
        assert(b.node.state == NodeState.Rejected && x.time <= b.node.clock);
        _checkOwn(x, b, b.node.worker);
    }

    function check_invalidateNonces_movesNoMoney(Input memory x, uint256 word, uint256 mask) external {
        World memory b = _openWorld(x);
        uint256 before_ = escrow.nonceBitmap(x.sender, word);
        uint256 others = escrow.nonceBitmap(x.otherAccount, word);
        vm.assume(x.otherAccount != x.sender);
        _step(x, abi.encodeCall(ITaskEscrow.invalidateNonces, (word, mask)));
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.node.state == b.node.state && a.node.version == b.node.version && a.balance == b.balance);
        assert(a.node.amount == b.node.amount && a.node.allocated == b.node.allocated && a.refund == b.refund);
        assert(escrow.nonceBitmap(x.sender, word) == before_ | mask);
        assert(escrow.nonceBitmap(x.otherAccount, word) == others);
    }
}
