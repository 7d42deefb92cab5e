// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract FinalizeTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _notYet(NodeState state) private {
        _fails(abi.encodeCall(ITaskEscrow.finalize, (1)), _wrongState(1, state));
    }

    function test_finalize_silenceAcceptsADelivery() public {
        _deliver(1);
        uint256 clock = escrow.node(1).clock;
        vm.warp(clock);
        _notYet(NodeState.Delivered);
        vm.warp(clock + 1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, PRICE, 0, Outcome.AcceptWindowLapsed);
        vm.prank(stranger);
        escrow.finalize(1);
        _assertState(1, NodeState.Settled);
    }

    function test_finalize_silenceMakesARejectionFinal() public {
        _deliver(1);
        _reject(1);
        uint256 clock = escrow.node(1).clock;
        vm.warp(clock);
        _notYet(NodeState.Rejected);
        vm.warp(clock + 1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.RejectionFinal);
        escrow.finalize(1);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_finalize_silenceOfTheArbiterPaysTheFloor() public {
        _deliver(1);
        _reject(1);
        _dispute(1);
        uint256 clock = escrow.node(1).clock;
        vm.warp(clock);
        _notYet(NodeState.Disputed);
        vm.warp(clock + 1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, PRICE / 2, PRICE / 2, Outcome.RulingLapsed);
        escrow.finalize(1);
    }

    function test_finalize_onlyOnceAndNotOtherwise() public {
        _notYet(NodeState.Funded);
        vm.warp(due + 400 days);
        _notYet(NodeState.Funded); // for this state there is claimNonDelivery
        _claim(1);
        _notYet(NodeState.Refunded);
        _fails(abi.encodeCall(ITaskEscrow.finalize, (99)), _wrongState(99, NodeState.None));
    }

    function test_finalize_refusesTheImplementation() public {
        vm.expectRevert(ITaskEscrow.NotAClone.selector);
        implementation.finalize(1);
    }

    /// @dev The share is what both signed, whatever the worker has carved out and whoever has ended since.
    function testFuzz_finalize_aSilentArbiterPaysTheFloor(uint64 amount, uint64 floor, uint64 child) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        floor = uint64(_bound(floor, 0, amount));
        child = uint64(_bound(child, 0, floor));
        _hire(5, workers[3], amount, floor);
        if (child != 0) _carve(_child(5, 1), workers[1], child);
        _deliver(5);
        _reject(5);
        _dispute(5);
        vm.warp(START + 31 days);
        NodeState expected = floor == 0 ? NodeState.Refunded : NodeState.Settled;
        assertEq(uint8(escrow.effectiveState(5)), uint8(expected));
        assertEq(escrow.withdrawable(5), floor - child, "what time has decided is known before it is written");
        escrow.finalize(5);
        _assertState(5, expected);
        assertEq(escrow.withdrawable(5), floor - child);
        assertEq(escrow.refundOf(buyer), amount - floor);
    }

    function test_finalize_aLapsedDisputeWithoutFloorRefunds() public {
        _hire(5, workers[3], PRICE, 0);
        _deliver(5);
        _reject(5);
        _dispute(5);
        vm.warp(START + 30 days + 1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(5, PRICE, Outcome.RulingLapsed);
        escrow.finalize(5);
        assertEq(escrow.refundOf(buyer), PRICE);
    }
}
