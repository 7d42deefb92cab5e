// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract AbandonNodeTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _abandonHead(1);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.abandonNode, (1, a));
    }

    function test_abandonNode_paysTheBuyerBack() public {
        _arrange();
        bytes memory call = _abandonCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.Abandoned);
        _runs(call);
        _assertState(1, NodeState.Abandoned);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_abandonNode_ofACarveOutRefillsTheParent() public {
        _arrange();
        _carve(CHILD, workers[1], 40e6);
        _abandon(CHILD);
        assertEq(escrow.node(1).allocated, 0);
        assertEq(escrow.refundOf(workers[0]), 0);
        _carve(SIBLING, workers[2], PRICE / 2); // can be promised again
    }

    function test_abandonNode_ofAHirerFundedChildPaysTheHirerBack() public {
        _arrange();
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        _abandon(CHILD);
        assertEq(escrow.refundOf(workers[0]), 40e6);
        assertEq(escrow.refundOf(buyer), 0);
    }

    function test_abandonNode_revertsUnderLiveCarveOuts() public {
        _arrange();
        _carve(CHILD, workers[1], 1);
        _fails(_abandonCall(1), abi.encodeWithSelector(ITaskEscrow.LiveAllocations.selector, 1));
        _deliver(CHILD);
        _accept(CHILD);
        // A settled child is owed its money just as well.
        _fails(_abandonCall(1), abi.encodeWithSelector(ITaskEscrow.LiveAllocations.selector, 1));
    }

    function test_abandonNode_ignoresChildrenWithMoneyOfTheirOwn() public {
        _arrange();
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        _abandon(1);
        _assertState(CHILD, NodeState.Funded);
    }

    function test_abandonNode_staysPossibleAfterTheDeadline() public {
        _arrange();
        vm.warp(due + 1);
        _abandon(1);
        _assertState(1, NodeState.Abandoned);
    }

    function test_abandonNode_revertsInOtherStates() public {
        _fails(_abandonCall(1), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _fails(_abandonCall(1), _wrongState(1, NodeState.Delivered));
        _reject(1);
        _fails(_abandonCall(1), _wrongState(1, NodeState.Rejected));
        _dispute(1);
        _fails(_abandonCall(1), _wrongState(1, NodeState.Disputed));
        _rule(1, 0);
        _fails(_abandonCall(1), _wrongState(1, NodeState.Refunded));
    }
}
