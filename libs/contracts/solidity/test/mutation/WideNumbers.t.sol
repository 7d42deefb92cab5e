// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Amounts and times at the far end of their types: a cast that is one byte too narrow shows here.
contract WideNumbersTest is EscrowTest {
    uint64 private constant WIDE = (1 << 63) + 1;
    uint256 private constant LATE = (1 << 39) + 1; // needs all 40 bits

    function test_wide_earningsLeaveWhole() public {
        _hire(1, workers[0], WIDE);
        _deliver(1);
        _accept(1);
        _withdraw(1, WIDE);
        assertEq(usdc.balanceOf(workers[0]), WIDE);
        assertEq(escrow.node(1).amount, 0);
    }

    function test_wide_splitKeepsTheWholeShare() public {
        _hire(1, workers[0], WIDE);
        _split(1, WIDE - 1);
        assertEq(escrow.node(1).amount, WIDE - 1);
        assertEq(escrow.refundOf(buyer), 1);
    }

    function test_wide_refundOfACarveOutReturnsWhole() public {
        _hire(1, workers[0], WIDE, WIDE);
        _carve(CHILD, workers[1], WIDE);
        _abandon(CHILD);
        assertEq(escrow.node(1).allocated, 0);
        assertEq(escrow.node(1).amount, WIDE);
    }

    function test_late_everyClockIsExact() public {
        vm.warp(LATE);
        due = uint40(LATE + 7 days);
        _hire(1, workers[0], PRICE);
        assertEq(escrow.node(1).clock, due);
        _deliver(1);
        assertEq(escrow.node(1).clock, LATE + WINDOW);
        _reject(1);
        assertEq(escrow.node(1).clock, due);
        _dispute(1);
        assertEq(escrow.node(1).clock, LATE + 30 days);
    }

    function test_wide_floorAndPayOutAreWhole() public {
        _hire(1, workers[0], WIDE, WIDE - 1);
        assertEq(escrow.node(1).floor, WIDE - 1);
        _runs(_deliverCall(1, ARTIFACT, true));
        _reject(1);
        _dispute(1);
        vm.warp(START + 30 days + 1);
        escrow.finalize(1);
        assertEq(usdc.balanceOf(workers[0]), WIDE - 1);
        assertEq(escrow.refundOf(buyer), 1);
    }
}
