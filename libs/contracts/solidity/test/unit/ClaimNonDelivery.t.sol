// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

/// @notice The account that asks is a stranger to the tree: anybody may.
contract ClaimNonDeliveryTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        vm.warp(due + 1);
    }

    function _signer() internal view override returns (address) {
        return stranger;
    }

    function _head() internal view override returns (bytes memory) {
        return _claimHead(1);
    }

    function _call(Auth memory a) internal view override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.claimNonDelivery, (1, stranger, a));
    }

    function test_claimNonDelivery_paysTheHirerWhoeverAsks() public {
        _arrange();
        bytes memory call = _claimCall(1, stranger);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.NonDelivery);
        _runs(call);
        _assertState(1, NodeState.Refunded);
        assertEq(escrow.refundOf(buyer), PRICE);
        assertEq(escrow.refundOf(stranger), 0);
    }

    function test_claimNonDelivery_notBeforeTheDeadlineHasPassed() public {
        _arrange();
        bytes memory early = abi.encodeWithSelector(ITaskEscrow.TooEarly.selector, due);
        vm.warp(due - 1);
        _fails(_claimCall(1, buyer), early);
        vm.warp(due);
        _fails(_claimCall(1, buyer), early);
        vm.warp(due + 1);
        _claim(1);
    }

    function test_claimNonDelivery_ofACarveOutRefillsTheParent() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _accept(1);
        vm.warp(due + 1);
        assertEq(escrow.withdrawable(1), 60e6);
        _runs(_claimCall(CHILD, stranger));
        assertEq(escrow.withdrawable(1), PRICE);
    }

    function test_claimNonDelivery_ofAHirerFundedChildPaysTheHirer() public {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        vm.warp(due + 1);
        _runs(_claimCall(CHILD, buyer));
        assertEq(escrow.refundOf(workers[0]), 40e6);
    }

    function test_claimNonDelivery_takesTheCarveOutsAlong() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        vm.warp(due + 1);
        _claim(1);
        assertEq(escrow.refundOf(buyer), PRICE);
        _claim(CHILD); // changes nothing any more
        assertEq(escrow.refundOf(buyer), PRICE);
        assertEq(escrow.refundOf(workers[0]), 0);
    }

    function test_claimNonDelivery_revertsInOtherStates() public {
        vm.warp(due + 1);
        _fails(_claimCall(1, buyer), _wrongState(1, NodeState.None));
        vm.warp(START);
        _hire(1, workers[0], PRICE);
        _deliver(1);
        vm.warp(due + 1);
        _fails(_claimCall(1, buyer), _wrongState(1, NodeState.Delivered));
    }

    function test_claimNonDelivery_revertsWhenRejected() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        vm.warp(due + 1);
        _fails(_claimCall(1, buyer), _wrongState(1, NodeState.Rejected));
    }
}
