// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract ResolveTaskTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _deliver(1);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _resolveHead(1);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.resolveTask, (1, ARTIFACT, a));
    }

    function test_resolveTask_settlesInFull() public {
        _arrange();
        bytes memory call = _acceptCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, PRICE, 0, Outcome.Accepted);
        _runs(call);
        _assertState(1, NodeState.Settled);
        assertEq(escrow.node(1).amount, PRICE);
        assertEq(escrow.withdrawable(1), PRICE);
        assertEq(escrow.refundOf(buyer), 0);
    }

    function test_resolveTask_ofAChildIsForTheParentsWorker() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        Auth memory byBuyer = _signedAt(CHILD, buyer, _resolveHead(CHILD));
        bytes memory call = abi.encodeCall(ITaskEscrow.resolveTask, (CHILD, ARTIFACT, byBuyer));
        _fails(call, _invalidSignature(workers[0]));
        _accept(CHILD);
        _assertState(CHILD, NodeState.Settled);
    }

    function test_resolveTask_givesInAfterARejection() public {
        _arrange();
        _reject(1);
        uint256 clock = escrow.node(1).clock;
        bytes memory call = _acceptCall(1);
        uint256 snapshot = vm.snapshotState();
        _runs(call);
        _assertState(1, NodeState.Settled);
        vm.revertToState(snapshot);
        vm.warp(clock);
        _accept(1);
        vm.revertToState(snapshot);
        vm.warp(clock + 1);
        _fails(_acceptCall(1), _wrongState(1, NodeState.Rejected));
    }

    function test_resolveTask_givesInDuringADispute() public {
        _arrange();
        _reject(1);
        _dispute(1);
        uint256 clock = escrow.node(1).clock;
        uint256 snapshot = vm.snapshotState();
        vm.warp(clock);
        _accept(1);
        assertEq(escrow.withdrawable(1), PRICE);
        vm.revertToState(snapshot);
        vm.warp(clock + 1);
        _fails(_acceptCall(1), _wrongState(1, NodeState.Disputed));
    }

    function test_resolveTask_staysPossibleAfterTheWindow() public {
        _arrange();
        vm.warp(START + WINDOW + 1);
        _accept(1);
        _assertState(1, NodeState.Settled);
    }

    function test_resolveTask_revertsInOtherStates() public {
        _fails(_acceptCall(1), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_acceptCall(1), _wrongState(1, NodeState.Funded));
        _deliver(1);
        _accept(1);
        _fails(_acceptCall(1), _wrongState(1, NodeState.Settled));
    }

    function test_resolveTask_revertsOnAnotherArtifact() public {
        _arrange();
        Auth memory a = _signedAt(1, buyer, _resolveHead(1));
        bytes memory mismatch =
            abi.encodeWithSelector(ITaskEscrow.ArtifactMismatch.selector, ARTIFACT, bytes32("other"));
        _fails(abi.encodeCall(ITaskEscrow.resolveTask, (1, "other", a)), mismatch);
    }

    function testFuzz_resolveTask_leavesEveryAmountWhole(uint64 amount, uint64 child) public {
        amount = uint64(_bound(amount, 2, type(uint64).max));
        child = uint64(_bound(child, 1, amount));
        _hire(1, workers[0], amount, amount);
        _carve(CHILD, workers[1], child);
        _deliver(1);
        _accept(1);
        assertEq(escrow.withdrawable(1), amount - child);
        _deliver(CHILD);
        _accept(CHILD);
        assertEq(escrow.withdrawable(CHILD), child);
    }
}
