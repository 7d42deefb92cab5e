// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {Auth, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {ReentrantToken} from "../mocks/OddTokens.sol";
import {Vm} from "forge-std/Vm.sol";

/// @notice Payment to the worker's own address as soon as a node settles: it may fail, but it never stands in the way.
contract PayOutTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _finalizeCall(uint192 id) private pure returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.finalize, (id));
    }

    function _deliverToBePaid(uint192 id) private {
        _runs(_deliverCall(id, ARTIFACT, true));
    }

    function _assertPaid(address worker, uint256 amount) private view {
        assertEq(usdc.balanceOf(worker), amount);
    }

    function test_payOut_withTheAcceptance() public {
        _deliverToBePaid(1);
        bytes memory call = _acceptCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.EarningsWithdrawn(1, workers[0], workers[0], PRICE);
        _runs(call);
        _assertPaid(workers[0], PRICE);
        assertEq(escrow.withdrawable(1), 0);
        assertEq(escrow.node(1).amount, 0);
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Settled));
    }

    function test_payOut_withSilence() public {
        _deliverToBePaid(1);
        vm.warp(START + WINDOW + 1);
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE);
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Settled));
    }

    function test_payOut_withARulingAnAgreementAndALapsedDispute() public {
        _deliverToBePaid(1);
        uint256 snapshot = vm.snapshotState();
        _split(1, 70e6);
        _assertPaid(workers[0], 70e6);
        vm.revertToState(snapshot);
        _reject(1);
        _dispute(1);
        snapshot = vm.snapshotState();
        _rule(1, 80e6);
        _assertPaid(workers[0], 80e6);
        vm.revertToState(snapshot);
        vm.warp(START + 30 days + 1);
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE / 2);
    }

    function test_payOut_notWhenTheNodeIsRefunded() public {
        _deliverToBePaid(1);
        _reject(1);
        _dispute(1);
        _rule(1, 0);
        _assertPaid(workers[0], 0);
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Refunded));
    }

    function test_payOut_onlyWhenTheWorkerAskedForIt() public {
        _deliver(1);
        _accept(1);
        _assertPaid(workers[0], 0);
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Settled));
        _withdraw(1, PRICE);
    }

    function test_payOut_leavesTheChildrensPart() public {
        _carve(CHILD, workers[1], 40e6);
        _deliverToBePaid(1);
        bytes memory call = _acceptCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.EarningsWithdrawn(1, workers[0], workers[0], 60e6);
        _runs(call);
        _assertPaid(workers[0], 60e6);
        assertEq(escrow.node(1).amount, 40e6);
        // Nothing is free, so nobody can have a payment of nothing announced.
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Settled));
        // What the child gives back is free now, and anybody may bring it to the worker.
        _abandon(CHILD);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.EarningsWithdrawn(1, workers[0], workers[0], 40e6);
        vm.prank(stranger);
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_payOut_waitsForEveryBacker() public {
        _carve(CHILD, workers[1], 40e6);
        _carve(GRANDCHILD, workers[2], 20e6);
        _deliverToBePaid(GRANDCHILD);
        _accept(GRANDCHILD);
        _deliverToBePaid(CHILD);
        _accept(CHILD);
        _assertPaid(workers[1], 0);
        _assertPaid(workers[2], 0);
        _fails(_finalizeCall(GRANDCHILD), _wrongState(GRANDCHILD, NodeState.Settled));
        _deliver(1);
        _fails(_finalizeCall(CHILD), _wrongState(CHILD, NodeState.Settled));
        vm.warp(START + WINDOW + 1); // silence, which nobody has written down
        escrow.finalize(GRANDCHILD);
        escrow.finalize(CHILD);
        _assertPaid(workers[2], 20e6);
        _assertPaid(workers[1], 20e6);
        _assertState(1, NodeState.Delivered);
        _withdraw(1, 60e6);
    }

    function test_payOut_neverFromUnderABackerThatWasRefunded() public {
        _carve(CHILD, workers[1], 40e6);
        _deliverToBePaid(CHILD);
        _accept(CHILD);
        vm.warp(due + 1);
        _claim(1);
        _fails(_finalizeCall(CHILD), _wrongState(CHILD, NodeState.Settled));
        _withdrawRefund(buyer, PRICE);
    }

    function test_payOut_aDenyListedWorkerDoesNotStopTheAcceptance() public {
        _deliverToBePaid(1);
        usdc.blacklist(workers[0]);
        _accept(1);
        _assertState(1, NodeState.Settled);
        assertEq(escrow.withdrawable(1), PRICE);
        _fails(_finalizeCall(1), _wrongState(1, NodeState.Settled));
        uint256 snapshot = vm.snapshotState();
        Auth memory a = _signed(workers[0], _withdrawHead(1, workers[3], PRICE));
        escrow.withdrawEarnings(1, workers[3], PRICE, a);
        _assertPaid(workers[3], PRICE);
        vm.revertToState(snapshot);
        usdc.unBlacklist(workers[0]);
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE);
    }

    /// @dev Whoever keeps the books by the events must not see a payment that the token has refused.
    function test_payOut_noEventWithoutAPayment() public {
        _deliverToBePaid(1);
        usdc.blacklist(workers[0]);
        bytes memory call = _acceptCall(1);
        vm.recordLogs();
        _runs(call);
        Vm.Log[] memory logs = vm.getRecordedLogs();
        assertGt(logs.length, 0);
        for (uint256 i; i < logs.length; ++i) {
            assertNotEq(logs[i].topics[0], ITaskEscrow.EarningsWithdrawn.selector);
        }
    }

    function test_payOut_aPausedTokenStopsNoDecision() public {
        _deliverToBePaid(1);
        usdc.pause();
        vm.warp(START + WINDOW + 1);
        escrow.finalize(1);
        _assertState(1, NodeState.Settled);
        assertEq(escrow.withdrawable(1), PRICE);
        usdc.unpause();
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE);
    }

    function test_payOut_aTokenThatOnlySaysNoKeepsTheMoneyHere() public {
        _deliverToBePaid(1);
        vm.mockCall(address(usdc), abi.encodeCall(IERC20.transfer, (workers[0], PRICE)), abi.encode(false));
        _accept(1);
        assertEq(escrow.withdrawable(1), PRICE);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
        vm.clearMockedCalls();
        escrow.finalize(1);
        _assertPaid(workers[0], PRICE);
    }

    /// @dev The token calls back while it pays, and finds no more to be had.
    function test_payOut_aTokenThatCallsBackIsPaidOnce() public {
        ReentrantToken token = new ReentrantToken(address(this));
        _useToken(token);
        _hire(1, workers[0], PRICE);
        _hire(2, workers[1], PRICE);
        _deliverToBePaid(1);
        bytes memory accept = _acceptCall(1);
        token.arm(address(escrow), _finalizeCall(1));
        _runs(accept);
        assertTrue(token.attempted());
        _assertPaid(workers[0], PRICE);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
    }

    /// @dev Whoever sends the call chooses the gas. A token call that runs out of it leaves too little to put the money back
    ///      into the node (a write needs more than 2,300 gas), so the acceptance fails as well and can be sent again.
    function test_payOut_anyGasLimitPaysOrChangesNothing() public {
        _deliverToBePaid(1);
        bytes memory call = _acceptCall(1);
        uint256 snapshot = vm.snapshotState();
        uint256 failed;
        uint256 paid;
        for (uint256 gas = 20_000; gas <= 260_000; gas += 1_500) {
            (bool ok,) = address(escrow).call{gas: gas}(call);
            uint256 has = usdc.balanceOf(workers[0]);
            if (ok) {
                _assertState(1, NodeState.Settled);
                assertEq(has, PRICE);
                ++paid;
            } else {
                _assertState(1, NodeState.Delivered);
                assertEq(has, 0);
                ++failed;
            }
            vm.revertToState(snapshot);
        }
        assertGt(failed, 0);
        assertGt(paid, 0);
    }

    /// @dev A delivery decides for itself, not for the deliveries before it.
    function test_payOut_theLastDeliveryDecides() public {
        _deliverToBePaid(1);
        _reject(1);
        _deliver(1);
        _accept(1);
        _assertPaid(workers[0], 0);
        assertEq(escrow.withdrawable(1), PRICE);
    }

    function testFuzz_payOut_andWithdrawalNeverPayTwice(uint64 amount, uint64 child, uint64 part) public {
        amount = uint64(_bound(amount, 2, type(uint64).max));
        child = uint64(_bound(child, 1, amount));
        _hire(2, workers[1], amount, amount);
        _carve(_child(2, 1), workers[2], child);
        _deliverToBePaid(2);
        usdc.blacklist(workers[1]);
        _accept(2);
        uint256 free = amount - child;
        if (free != 0) {
            part = uint64(_bound(part, 1, free));
            Auth memory a = _signed(workers[1], _withdrawHead(2, workers[3], part));
            escrow.withdrawEarnings(2, workers[3], part, a);
        } else {
            part = 0;
        }
        usdc.unBlacklist(workers[1]);
        if (part < free) escrow.finalize(2);
        _assertPaid(workers[1], free - part);
        _abandon(_child(2, 1));
        escrow.finalize(2);
        _assertPaid(workers[1], amount - part);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
    }
}
