// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, Node, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ActionTest} from "../base/ActionTest.sol";

contract DeliverTest is ActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal pure override returns (bytes memory) {
        return _deliverHead(1, ARTIFACT);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, a));
    }

    function test_deliver_startsTheAcceptWindow() public {
        _arrange();
        bytes memory call = _deliverCall(1, ARTIFACT);
        vm.warp(START + 1 hours);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeDelivered(1, ARTIFACT, START + 1 hours + WINDOW);
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
        _select(1, workers[0], PRICE);
        _fails(_deliverCall(1, ARTIFACT), _wrongState(1, NodeState.Selected));
        _fund(1);
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
        _carve(2, 1, workers[1], 60e6);
        _carve(3, 2, workers[2], 30e6);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _runs(_ruleCall(1, 0));
        bytes memory closed = abi.encodeWithSelector(ITaskEscrow.AncestorClosed.selector, 1);
        _fails(_deliverCall(2, ARTIFACT), closed);
        _fails(_deliverCall(3, ARTIFACT), closed);
    }

    /// @dev A rejection stays open until the node's deadline, which is never before a child's: the child is too late in
    ///      the very second in which its money goes back.
    function test_deliver_endsNoLaterThanABackersRejectionBecomesFinal() public {
        _useTreeWithoutArbiter();
        _arrange();
        _carve(2, 1, workers[1], 60e6);
        _deliver(1);
        _reject(1);
        vm.warp(due);
        uint256 snapshot = vm.snapshotState();
        _deliver(2);
        vm.revertToState(snapshot);
        vm.warp(due + 1);
        assertEq(uint8(escrow.effectiveState(1)), uint8(NodeState.Refunded));
        _fails(_deliverCall(2, ARTIFACT), _tooLate(due));
    }

    function test_deliver_goesOnUnderAClosedHirerWhenItHasMoneyOfItsOwn() public {
        _arrange();
        _hireWithOwnMoney(2, 1, workers[1], 60e6);
        _abandon(1);
        _deliver(2);
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
