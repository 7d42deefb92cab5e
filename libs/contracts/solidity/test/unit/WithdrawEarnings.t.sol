// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {WithdrawalTest} from "../base/WithdrawalTest.sol";

contract WithdrawEarningsTest is WithdrawalTest {
    address private constant RECIPIENT = address(0xCAFE);

    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _withdrawHead(1, RECIPIENT, 30e6);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.withdrawEarnings, (1, RECIPIENT, 30e6, a));
    }

    function _short(uint256 available, uint256 requested) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, available, requested);
    }

    function test_withdrawEarnings_paysTheRecipient() public {
        _arrange();
        Auth memory a = _signed(workers[0], _head());
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.EarningsWithdrawn(1, workers[0], RECIPIENT, 30e6);
        _runs(_call(a));
        assertEq(usdc.balanceOf(RECIPIENT), 30e6);
        assertEq(escrow.withdrawable(1), 70e6);
        _withdraw(1, 70e6);
        assertEq(usdc.balanceOf(workers[0]), 70e6);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_withdrawEarnings_writesSilentAcceptanceDown() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        uint256 clock = escrow.node(1).clock;
        vm.warp(clock);
        _fails(_withdrawCall(1, PRICE), _wrongState(1, NodeState.Delivered));
        vm.warp(clock + 1);
        bytes memory call = _withdrawCall(1, PRICE);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, PRICE, 0, Outcome.AcceptWindowLapsed);
        _runs(call);
        assertEq(usdc.balanceOf(workers[0]), PRICE);
    }

    function test_withdrawEarnings_afterALapsedRulingPaysTheFloor() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        _dispute(1);
        vm.warp(START + 30 days + 1);
        _fails(_withdrawCall(1, PRICE), _short(PRICE / 2, PRICE));
        _withdraw(1, PRICE / 2);
    }

    function test_withdrawEarnings_revertsOnMoreThanThereIsOrNothing() public {
        _arrange();
        _fails(_withdrawCall(1, 0), _short(PRICE, 0));
        _fails(_withdrawCall(1, PRICE + 1), _short(PRICE, PRICE + 1));
        _fails(_withdrawCall(1, type(uint256).max), _short(PRICE, type(uint256).max));
        _withdraw(1, PRICE);
        _fails(_withdrawCall(1, 1), _short(0, 1));
    }

    function test_withdrawEarnings_leavesTheChildrensPart() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _accept(1);
        _fails(_withdrawCall(1, 60e6 + 1), _short(60e6, 60e6 + 1));
        _withdraw(1, 60e6);
        vm.warp(due + 1);
        _claim(CHILD);
        _withdraw(1, 40e6); // what the child did not earn
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_withdrawEarnings_waitsForEveryBacker() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 50e6);
        _carve(GRANDCHILD, workers[2], 25e6);
        _deliver(GRANDCHILD);
        _accept(GRANDCHILD);
        _fails(_withdrawCall(GRANDCHILD, 25e6), abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, CHILD));
        _deliver(CHILD);
        _accept(CHILD);
        _fails(_withdrawCall(GRANDCHILD, 25e6), abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, 1));
        assertEq(escrow.withdrawable(GRANDCHILD), 0);
        _deliver(1);
        _fails(_withdrawCall(GRANDCHILD, 25e6), abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, 1));
        _accept(1);
        _withdraw(GRANDCHILD, 25e6);
        _withdraw(CHILD, 25e6);
        _withdraw(1, 50e6);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_withdrawEarnings_backersMaySettleBySilence() public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 50e6);
        _deliver(CHILD);
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _withdraw(CHILD, 50e6);
        _assertState(1, NodeState.Delivered);
        _withdraw(1, 50e6);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_withdrawEarnings_aHirerFundedNodeWaitsForNobody() public {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        _carve(GRANDCHILD, workers[2], 10e6);
        _deliver(GRANDCHILD);
        _deliver(CHILD);
        _accept(GRANDCHILD);
        _accept(CHILD);
        _withdraw(CHILD, 30e6);
        _withdraw(GRANDCHILD, 10e6);
        _abandon(1);
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_withdrawEarnings_revertsInOtherStates() public {
        _fails(_withdrawCall(1, 1), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_withdrawCall(1, 1), _wrongState(1, NodeState.Funded));
        _deliver(1);
        _reject(1);
        _fails(_withdrawCall(1, 1), _wrongState(1, NodeState.Rejected));
        vm.warp(due + 1);
        // Time has made the rejection final; the failed call does not write that down.
        _fails(_withdrawCall(1, 1), _wrongState(1, NodeState.Refunded));
        _assertState(1, NodeState.Rejected);
    }

    function test_withdrawEarnings_revertsWhenTheRecipientIsTheEscrow() public {
        _arrange();
        Auth memory a = _signed(workers[0], _withdrawHead(1, address(escrow), 1));
        bytes memory call = abi.encodeCall(ITaskEscrow.withdrawEarnings, (1, address(escrow), 1, a));
        _fails(call, abi.encodeWithSelector(ITaskEscrow.InvalidRecipient.selector, address(escrow)));
    }

    function test_withdrawEarnings_revertsOnADenyListedRecipientAndLosesNothing() public {
        _arrange();
        usdc.blacklist(workers[0]);
        bytes memory call = _withdrawCall(1, PRICE);
        _fails(call, abi.encodeWithSelector(LocalUsdc.AccountBlacklisted.selector, workers[0]));
        assertEq(escrow.withdrawable(1), PRICE);
        usdc.unBlacklist(workers[0]);
        _runs(call); // the very same authorisation is still good
    }

    function testFuzz_withdrawEarnings_inAnyPortions(uint64 amount, uint64[4] memory parts) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        _hire(1, workers[0], amount);
        _deliver(1);
        _accept(1);
        uint256 taken;
        for (uint256 i; i < parts.length && taken < amount; ++i) {
            uint256 part = _bound(parts[i], 1, amount - taken);
            _withdraw(1, part);
            taken += part;
            assertEq(usdc.balanceOf(workers[0]), taken);
            assertEq(escrow.withdrawable(1), amount - taken);
        }
    }
}
