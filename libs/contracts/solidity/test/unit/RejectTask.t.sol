// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, NodeTerms, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract RejectTaskTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _deliver(1);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _rejectHead(1, "reason");
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.rejectTask, (1, ARTIFACT, "reason", a));
    }

    function test_rejectTask_mayBeContestedUntilTheDeadline() public {
        _arrange();
        bytes memory call = _rejectCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRejected(1, "reason", due);
        _runs(call);
        _assertState(1, NodeState.Rejected);
        assertEq(escrow.node(1).clock, due);
        assertEq(escrow.refundOf(buyer), 0, "nothing moves yet");
    }

    function test_rejectTask_leavesOneWindowForADispute() public {
        _arrange();
        vm.warp(START + WINDOW);
        _reject(1);
        assertEq(escrow.node(1).clock, due, "the deadline is later");
        vm.warp(due - 1 days);
        _runs(_deliverCall(1, "second"));
        vm.warp(due - 1 hours);
        bytes memory call = _rejectCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRejected(1, "reason", due - 1 hours + WINDOW);
        _runs(call);
        assertEq(escrow.node(1).clock, due - 1 hours + WINDOW);
    }

    function test_rejectTask_withoutArbiterOnlyTheDeadlineCounts() public {
        _useTreeWithoutArbiter();
        _hire(1, workers[0], PRICE);
        vm.warp(due - 1 hours);
        _deliver(1);
        _reject(1);
        assertEq(escrow.node(1).clock, due);
    }

    function test_rejectTask_withoutArbiterPastTheDeadlineIsFinal() public {
        _useTreeWithoutArbiter();
        _hire(1, workers[0], PRICE);
        vm.warp(due - 1 hours);
        _deliver(1);
        uint256 snapshot = vm.snapshotState();
        vm.warp(due - 1);
        _reject(1);
        _assertState(1, NodeState.Rejected);
        vm.revertToState(snapshot);
        vm.warp(due);
        bytes memory call = _rejectCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRejected(1, "reason", due);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.RejectionFinal);
        _runs(call);
        _assertState(1, NodeState.Refunded);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_rejectTask_untilTheClockAndNotAfter() public {
        _arrange();
        uint256 clock = START + WINDOW;
        uint256 snapshot = vm.snapshotState();
        for (uint256 t = clock - 1; t <= clock; ++t) {
            vm.warp(t);
            _reject(1);
            vm.revertToState(snapshot);
        }
        vm.warp(clock + 1);
        _fails(_rejectCall(1), _tooLate(clock));
    }

    function test_rejectTask_ofAChildIsForTheParentsWorker() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        Auth memory byBuyer = _signedAt(CHILD, buyer, _rejectHead(CHILD, "reason"));
        _fails(
            abi.encodeCall(ITaskEscrow.rejectTask, (CHILD, ARTIFACT, "reason", byBuyer)), _invalidSignature(workers[0])
        );
        _reject(CHILD);
        vm.warp(escrow.node(CHILD).clock + 1);
        escrow.finalize(CHILD);
        assertEq(escrow.node(1).allocated, 0, "back in the parent's pool");
        assertEq(escrow.refundOf(workers[0]), 0);
    }

    /// @dev Without a revision left only the arbiter remains.
    function test_rejectTask_ofTheLastRevisionLeavesOneWindowForADispute() public {
        _hireWithoutRevisions();
        _reject(1);
        _assertState(1, NodeState.Rejected);
        assertEq(escrow.node(1).clock, START + WINDOW);
        _dispute(1);
    }

    function test_rejectTask_ofTheLastRevisionIsFinalWithoutArbiter() public {
        _useTreeWithoutArbiter();
        _hireWithoutRevisions();
        bytes memory call = _rejectCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRejected(1, "reason", START);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.RejectionFinal);
        _runs(call);
        _assertState(1, NodeState.Refunded);
    }

    function _hireWithoutRevisions() private {
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        t.maxRevisions = 0;
        _runs(_fundCall(t));
        _deliver(1);
    }

    function test_rejectTask_revertsOnAnotherArtifact() public {
        _arrange();
        Auth memory a = _signedAt(1, buyer, _rejectHead(1, "reason"));
        bytes memory mismatch =
            abi.encodeWithSelector(ITaskEscrow.ArtifactMismatch.selector, ARTIFACT, bytes32("other"));
        _fails(abi.encodeCall(ITaskEscrow.rejectTask, (1, "other", "reason", a)), mismatch);
    }

    function test_rejectTask_revertsInOtherStates() public {
        _fails(_rejectCall(1), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_rejectCall(1), _wrongState(1, NodeState.Funded));
        _deliver(1);
        _reject(1);
        _fails(_rejectCall(1), _wrongState(1, NodeState.Rejected));
        _dispute(1);
        _fails(_rejectCall(1), _wrongState(1, NodeState.Disputed));
        _accept(1);
        _fails(_rejectCall(1), _wrongState(1, NodeState.Settled));
    }
}
