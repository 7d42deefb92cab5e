// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, Node, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract DeliverTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal pure override returns (bytes memory) {
        return _deliverHead(1, ARTIFACT, false);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, false, a));
    }

    function test_deliver_startsTheAcceptWindow() public {
        _arrange();
        bytes memory call = _deliverCall(1, ARTIFACT);
        vm.warp(START + 1 hours);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeDelivered(1, ARTIFACT, START + 1 hours + WINDOW, false);
        _runs(call);
        Node memory n = escrow.node(1);
        assertEq(uint8(n.state), uint8(NodeState.Delivered));
        assertEq(n.artifactHash, ARTIFACT);
        assertEq(n.clock, START + 1 hours + WINDOW);
    }

    function test_deliver_untilTheDeadlineAndNotAfter() public {
        _arrange();
        uint256 snapshot = vm.snapshotState();
        for (uint256 t = due - 1; t <= due; ++t) {
            vm.warp(t);
            _deliver(1);
            vm.revertToState(snapshot);
        }
        vm.warp(due + 1);
        _fails(_deliverCall(1, ARTIFACT), _tooLate(due));
    }

    function test_deliver_againAfterARejectionUntilTheDeadline() public {
        _arrange();
        _deliver(1);
        _reject(1);
        vm.warp(due);
        _runs(_deliverCall(1, "second"));
        assertEq(escrow.node(1).artifactHash, "second");
        assertEq(escrow.node(1).clock, due + WINDOW);
    }

    function test_deliver_contestableButPastTheDeadlineIsTooLate() public {
        _arrange();
        vm.warp(due - 1);
        _deliver(1);
        _reject(1);
        vm.warp(due + 1);
        assertGt(escrow.node(1).clock, block.timestamp, "still contestable by a dispute");
        _fails(_deliverCall(1, "second"), _tooLate(due));
    }

    function test_deliver_revertsWhenTheRejectionIsFinal() public {
        _useTreeWithoutArbiter();
        _arrange();
        _deliver(1);
        _reject(1);
        vm.warp(due + 1);
        _fails(_deliverCall(1, "second"), _wrongState(1, NodeState.Rejected));
    }

    function test_deliver_revertsInOtherStates() public {
        _fails(_deliverCall(1, ARTIFACT), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _fails(_deliverCall(1, "swapped"), _wrongState(1, NodeState.Delivered));
        _reject(1);
        _dispute(1);
        _fails(_deliverCall(1, "swapped"), _wrongState(1, NodeState.Disputed));
        _accept(1);
        _fails(_deliverCall(1, "swapped"), _wrongState(1, NodeState.Settled));
    }

    function test_deliver_revertsWithoutArtifact() public {
        _arrange();
        _fails(_deliverCall(1, 0), _error(ITaskEscrow.InvalidTerms.selector));
    }

    function test_deliver_revertsUnderAClosedAncestor() public {
        _arrange();
        _carve(CHILD, workers[1], 50e6);
        _carve(GRANDCHILD, workers[2], 25e6);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _rule(1, 0);
        bytes memory closed = abi.encodeWithSelector(ITaskEscrow.AncestorClosed.selector, 1);
        _fails(_deliverCall(CHILD, ARTIFACT), closed);
        _fails(_deliverCall(GRANDCHILD, ARTIFACT), closed);
    }

    /// @dev A rejection stays open until the node's deadline, which is never before a child's: the child is too late in
    ///      the very second in which its money goes back.
    function test_deliver_endsNoLaterThanABackersRejectionBecomesFinal() public {
        _useTreeWithoutArbiter();
        _arrange();
        _carve(CHILD, workers[1], 50e6);
        _deliver(1);
        _reject(1);
        vm.warp(due);
        uint256 snapshot = vm.snapshotState();
        _deliver(CHILD);
        vm.revertToState(snapshot);
        vm.warp(due + 1);
        assertEq(uint8(escrow.effectiveState(1)), uint8(NodeState.Refunded));
        _fails(_deliverCall(CHILD, ARTIFACT), _tooLate(due));
    }

    function test_deliver_goesOnUnderAClosedHirerWhenItHasMoneyOfItsOwn() public {
        _arrange();
        _hireWithOwnMoney(CHILD, workers[1], 60e6);
        _abandon(1);
        _deliver(CHILD);
    }

    function test_deliver_saysWhetherToPayOut() public {
        _arrange();
        bytes memory call = _deliverCall(1, ARTIFACT, true);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeDelivered(1, ARTIFACT, START + WINDOW, true);
        _runs(call);
        assertTrue(escrow.node(1).payOut);
        _reject(1);
        _deliver(1);
        assertFalse(escrow.node(1).payOut, "the last delivery decides");
    }

    function test_deliver_againOnlyAsOftenAsTheTermsAllow() public {
        _arrange();
        _deliver(1);
        assertEq(escrow.node(1).revisions, 0, "the first delivery is none");
        for (uint256 i; i < REVISIONS; ++i) {
            _reject(1);
            _deliver(1);
            assertEq(escrow.node(1).revisions, i + 1);
        }
        _reject(1);
        _fails(_deliverCall(1, ARTIFACT), abi.encodeWithSelector(ITaskEscrow.NoRevisionLeft.selector, REVISIONS));
    }

    function testFuzz_deliver_anyArtifactAtAnyTimeBeforeTheDeadline(bytes32 artifact, uint256 at) public {
        vm.assume(artifact != 0);
        _arrange();
        vm.warp(_bound(at, START, due));
        _runs(_deliverCall(1, artifact));
        assertEq(escrow.node(1).artifactHash, artifact);
        assertEq(escrow.node(1).clock, block.timestamp + WINDOW);
    }
}
