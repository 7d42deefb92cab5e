// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {TypedData} from "../test/base/TypedData.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice Each function that ends a node keeps every unit in the tree, leaves each side what it was promised, and runs
///         only for whom it belongs to.
contract SettlingProof is ProofBase {
    enum Kind {
        None,
        Root,
        OwnMoney,
        CarveOut
    }

    /// @dev Written so that the compiler keeps the cases of {_keysWorld} apart.
    Kind private kind;
    uint256 private paysOut;

    function check_resolveTask_conserves(Input memory x, bytes32 artifact) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.resolveTask, (x.id, artifact, _own(x))));
        assert(_checkEnded(x, b) == b.node.amount);
        assert(escrow.node(x.id).state == NodeState.Settled);
        assert(artifact == b.node.artifactHash);
        bool givesIn = b.node.state == NodeState.Rejected || b.node.state == NodeState.Disputed;
        assert(b.node.state == NodeState.Delivered || (givesIn && x.time <= b.node.clock));
        _checkOwn(x, b, b.hirer);
    }

    function check_rejectTask_conserves(Input memory x, bytes32 artifact, bytes32 reason) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.rejectTask, (x.id, artifact, reason, _own(x))));
        if (escrow.node(x.id).state == NodeState.Refunded) _checkEnded(x, b);
        else _checkHeld(x, b);
        assert(b.node.state == NodeState.Delivered && x.time <= b.node.clock && artifact == b.node.artifactHash);
        _checkOwn(x, b, b.hirer);
    }

    /// @dev A worker always has an answer to a rejection: the arbiter, as this tree has one.
    function check_rejectTask_leavesTheWorkerAnAnswer(Input memory x, bytes32 artifact, bytes32 reason) external {
        World memory b = _openWorld(x);
        vm.assume(b.node.acceptWindow != 0); // at least four hours when a node is opened
        _step(x, abi.encodeCall(ITaskEscrow.rejectTask, (x.id, artifact, reason, _own(x))));
        assert(escrow.node(x.id).state == NodeState.Rejected);
        assert(escrow.node(x.id).clock >= x.time + b.node.acceptWindow);
    }

    function check_abandonNode_conserves(Input memory x) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.abandonNode, (x.id, _own(x))));
        _checkEnded(x, b);
        assert(escrow.node(x.id).state == NodeState.Abandoned);
        assert(b.node.allocated == 0 && b.node.state == NodeState.Funded);
        _checkOwn(x, b, b.node.worker);
    }

    /// @dev Open to everybody, who then acts for itself.
    function check_claimNonDelivery_conserves(Input memory x, address account) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.claimNonDelivery, (x.id, account, _own(x))));
        _checkEnded(x, b);
        assert(escrow.node(x.id).state == NodeState.Refunded);
        assert(b.node.state == NodeState.Funded && x.time > b.node.deliverBy);
        _checkOwn(x, b, account);
    }

    function check_ruleDispute_conserves(Input memory x, uint256 share, bytes32 ruling) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.ruleDispute, (x.id, share, ruling, _own(x))));
        uint256 kept = _checkEnded(x, b);
        if (share == 0) assert(escrow.node(x.id).state == NodeState.Refunded);
        else assert(kept == share && share >= b.node.allocated && share <= b.node.amount);
        assert(b.node.state == NodeState.Disputed && x.time <= b.node.clock);
        _checkOwn(x, b, ARBITER);
    }

    /// @dev What both have agreed stays in the node, the rest goes back, and the helpers keep what they were promised. The
    ///      hirer sends the call.
    function check_agreeSplit_sentByTheHirer_conserves(Input memory x, uint256 share, uint256 workerNonce) external {
        World memory b = _keysWorld(x);
        _stepOfTheHirer(x, share, workerNonce);
        _checkAgreed(x, b, share);
    }

    /// @dev The same, sent by the worker.
    function check_agreeSplit_sentByTheWorker_conserves(Input memory x, uint256 share, uint256 hirerNonce) external {
        World memory b = _keysWorld(x);
        _stepOfTheWorker(x, share, hirerNonce);
        _checkAgreed(x, b, share);
    }

    /// @dev The same, sent by a stranger.
    function check_agreeSplit_sentByAStranger_conserves(Input memory x, uint256 share, uint256 workerNonce) external {
        World memory b = _keysWorld(x);
        _stepOfAStranger(x, share, workerNonce);
        _checkAgreed(x, b, share);
    }

    /// @dev Who sends the call as the hirer is the hirer, and the worker's key has signed. What is left open at a branch after
    ///      a second is decided with the statement, by a solver that is better at hashes.
    /// @custom:halmos --solver-timeout-branching=1s
    function check_agreeSplit_sentByTheHirer_isSigned(Input memory x, uint256 share, uint256 workerNonce) external {
        World memory b = _keysWorld(x);
        Auth memory signed = _stepOfTheHirer(x, share, workerNonce);
        _checkOwn(x, b, b.hirer);
        _checkSignedAt(x, b, b.node.worker, _splitHead(x, b, share), signed);
    }

    /// @dev Who sends the call as the worker is the worker, and the hirer's key has signed.
    /// @custom:halmos --solver-timeout-branching=1s
    function check_agreeSplit_sentByTheWorker_isSigned(Input memory x, uint256 share, uint256 hirerNonce) external {
        World memory b = _keysWorld(x);
        Auth memory signed = _stepOfTheWorker(x, share, hirerNonce);
        _checkOwn(x, b, b.node.worker);
        _checkSignedAt(x, b, b.hirer, _splitHead(x, b, share), signed);
    }

    /// @dev Sent by a stranger, the keys of both have signed.
    /// @custom:halmos --solver-timeout-branching=1s
    function check_agreeSplit_sentByAStranger_isSigned(Input memory x, uint256 share, uint256 workerNonce) external {
        World memory b = _keysWorld(x);
        (Auth memory ofHirer, Auth memory ofWorker) = _stepOfAStranger(x, share, workerNonce);
        _checkSignedAt(x, b, b.hirer, _splitHead(x, b, share), ofHirer);
        _checkSignedAt(x, b, b.node.worker, _splitHead(x, b, share), ofWorker);
    }

    function _stepOfTheHirer(Input memory x, uint256 share, uint256 workerNonce) private returns (Auth memory signed) {
        signed = _relayed(x, svm.createBytes(65, "w"));
        signed.nonce = workerNonce;
        _step(x, abi.encodeCall(ITaskEscrow.agreeSplit, (x.id, share, _own(x), signed)));
    }

    function _stepOfTheWorker(Input memory x, uint256 share, uint256 hirerNonce) private returns (Auth memory signed) {
        signed = _relayed(x, svm.createBytes(65, "h"));
        signed.nonce = hirerNonce;
        _step(x, abi.encodeCall(ITaskEscrow.agreeSplit, (x.id, share, signed, _own(x))));
    }

    function _stepOfAStranger(Input memory x, uint256 share, uint256 workerNonce)
        private
        returns (Auth memory ofHirer, Auth memory ofWorker)
    {
        ofHirer = _relayed(x, svm.createBytes(65, "h"));
        ofWorker = _relayed(x, svm.createBytes(65, "w"));
        ofWorker.nonce = workerNonce;
        _step(x, abi.encodeCall(ITaskEscrow.agreeSplit, (x.id, share, ofHirer, ofWorker)));
    }

    /// @dev An open node between two keys. The kinds of nodes are told apart before the step: the solver decides each in a
    ///      fraction of the time that it takes for all at once.
    function _keysWorld(Input memory x) private returns (World memory b) {
        b = _openWorld(x);
        vm.assume(b.hirer.code.length == 0 && b.node.worker.code.length == 0);
        if (_parent(x.id) == 0) kind = Kind.Root;
        else if (b.node.hirerFunded) kind = Kind.OwnMoney;
        else kind = Kind.CarveOut;
        paysOut = b.node.payOut ? 1 : 2;
    }

    /// @dev What both sides sign, without the closing members.
    function _splitHead(Input memory x, World memory b, uint256 share) private view returns (bytes memory) {
        bytes32 t = TypedData.typeHash(
            "AgreeSplit(uint192 nodeId,address hirer,address worker,address token,uint256 amount,uint256 workerShare"
        );
        return abi.encode(t, x.id, b.hirer, b.node.worker, address(token), uint256(b.node.amount), share);
    }

    /// @dev The node ended with this share, and nothing was agreed about what time has refunded.
    function _checkAgreed(Input memory x, World memory b, uint256 share) private view {
        uint256 kept = _checkEnded(x, b);
        assert(share >= b.node.allocated && share <= b.node.amount);
        if (share == 0) assert(escrow.node(x.id).state == NodeState.Refunded);
        else assert(kept == share);
        assert(b.node.state != NodeState.Rejected || x.time <= b.node.clock);
        assert(b.node.state != NodeState.Disputed || b.node.floor != 0 || x.time <= b.node.clock);
    }

    /// @dev What time decides: silence pays a delivery in full, makes a rejection final, and leaves a disputed node's
    ///      worker the floor that both sides signed, whatever it has promised to others.
    function check_finalize_leavesWhatWasSigned(Input memory x) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.finalize, (x.id)));
        uint256 kept = _checkEnded(x, b);
        assert(x.time > b.node.clock);
        bool isSettled = escrow.node(x.id).state == NodeState.Settled;
        if (b.node.state == NodeState.Delivered) assert(isSettled && kept == b.node.amount);
        else if (b.node.state == NodeState.Rejected) assert(!isSettled);
        else assert(b.node.state == NodeState.Disputed && kept == b.node.floor && isSettled == (b.node.floor != 0));
    }
}
