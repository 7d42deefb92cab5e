// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice Each function that ends a node keeps every unit in the tree, and only who may call it can.
contract SettlingProof is ProofBase {
    function check_resolveTask_conserves(Input memory x, bytes32 artifact) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.resolveTask, (x.id, artifact, _own(x))));
        _checkEnded(x, b);
        assert(escrow.node(x.id).state == NodeState.Settled && escrow.node(x.id).amount == b.node.amount);
        assert(x.sender == b.hirer && artifact == b.node.artifactHash);
    }

    function check_rejectTask_conserves(Input memory x, bytes32 artifact, bytes32 reason) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.rejectTask, (x.id, artifact, reason, _own(x))));
        if (escrow.node(x.id).state == NodeState.Refunded) _checkEnded(x, b);
        else _checkHeld(x, b);
        assert(x.sender == b.hirer && artifact == b.node.artifactHash && x.time <= b.node.clock);
    }

    function check_abandonNode_conserves(Input memory x) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.abandonNode, (x.id, _own(x))));
        _checkEnded(x, b);
        assert(escrow.node(x.id).state == NodeState.Abandoned);
        assert(x.sender == b.node.worker && b.node.allocated == 0 && b.node.state == NodeState.Funded);
    }

    function check_claimNonDelivery_conserves(Input memory x, address account) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.claimNonDelivery, (x.id, account, _own(x))));
        _checkEnded(x, b);
        assert(escrow.node(x.id).state == NodeState.Refunded);
        assert(b.node.state == NodeState.Funded && x.time > b.node.deliverBy);
    }

    function check_ruleDispute_conserves(Input memory x, uint256 share, bytes32 ruling) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.ruleDispute, (x.id, share, ruling, _own(x))));
        _checkEnded(x, b);
        if (share == 0) assert(escrow.node(x.id).state == NodeState.Refunded);
        else assert(escrow.node(x.id).amount == share);
        assert(x.sender == ARBITER && b.node.state == NodeState.Disputed && x.time <= b.node.clock);
    }

    /// @dev Both sides have to agree, so both sign.
    function check_agreeSplit_conserves(Input memory x, uint256 share, uint256 workerNonce) external {
        World memory b = _openWorld(x);
        vm.assume(b.hirer.code.length == 0 && b.node.worker.code.length == 0);
        Input memory worker = Input(x.id, x.sender, x.time, workerNonce, x.until, x.otherId, x.otherAccount);
        bytes memory call = abi.encodeCall(
            ITaskEscrow.agreeSplit,
            (x.id, share, _relayed(x, svm.createBytes(65, "h")), _relayed(worker, svm.createBytes(65, "w")))
        );
        _step(x, call);
        _checkEnded(x, b);
        assert(share >= b.node.allocated && share <= b.node.amount);
        if (share == 0) assert(escrow.node(x.id).state == NodeState.Refunded);
        else assert(escrow.node(x.id).amount == share);
    }

    function check_finalize_conserves(Input memory x) external {
        World memory b = _openWorld(x);
        _step(x, abi.encodeCall(ITaskEscrow.finalize, (x.id)));
        _checkEnded(x, b);
        assert(x.time > b.node.clock);
        if (b.node.state == NodeState.Delivered) assert(escrow.node(x.id).amount == b.node.amount);
        if (b.node.state == NodeState.Rejected) assert(escrow.node(x.id).state == NodeState.Refunded);
    }
}
