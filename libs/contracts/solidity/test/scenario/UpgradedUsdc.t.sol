// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {FundingMode, NodeState} from "../../src/Types.sol";
import {CirclesUsdc, ICirclesUsdc} from "../base/CirclesUsdc.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Code that answers nothing: what is left of a token whose upgrade went wrong.
contract BrokenToken {
    error Broken();

    fallback() external {
        revert Broken();
    }
}

/// @notice Circle puts another implementation behind USDC while escrows hold it.
abstract contract UpgradeTest is EscrowTest {
    uint64 internal constant PART = 40e6;

    /// @dev Two nodes that settle and one whose money went back; the token is asked for nothing in between.
    function _payInByAllowance() internal {
        usdc.mint(buyer, 2 * uint256(PRICE));
        vm.prank(buyer);
        usdc.approve(address(escrow), 2 * uint256(PRICE));
        for (uint192 id = 1; id <= 3; id += 2) {
            _runs(_fundCall(_terms(id, workers[id - 1], PRICE, true), FundingMode.Allowance));
        }
        _carve(CHILD, workers[1], PART);
        assertEq(usdc.balanceOf(address(escrow)), 2 * uint256(PRICE));
    }

    function _workAndTakeEverything() internal {
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _accept(1);
        _abandon(3);
        _takeEverything(PART);
    }
}

/// @notice The upgrade that USDC has had.
contract UpgradeToTwoTwoTest is UpgradeTest {
    function setUp() public override {
        super.setUp();
        _useToken(CirclesUsdc.deployV2_1(CirclesUsdc.V2_1));
    }

    /// @dev Version 2.1 knows no signatures of contracts, but allowances do.
    function test_upgrade_fromTwoOneToTwoTwo() public {
        _payInByAllowance();
        CirclesUsdc.upgrade(usdc, CirclesUsdc.V2_2);
        CirclesUsdc.initializeV2_2(usdc);
        assertEq(usdc.balanceOf(address(escrow)), 2 * uint256(PRICE));
        _workAndTakeEverything();
        _hire(4, workers[3], PRICE); // by an authorisation, which 2.1 does not take in this form
        _assertState(4, NodeState.Funded);
    }

    /// @dev Between the two transactions of that upgrade the deny list is the old one; balances are where they were.
    function test_upgrade_halfWayThroughMoneyStillMoves() public {
        _payInByAllowance();
        CirclesUsdc.upgrade(usdc, CirclesUsdc.V2_2);
        _workAndTakeEverything();
    }
}

/// @notice Upgrades that may come.
contract UpgradeFromTwoTwoTest is UpgradeTest {
    function setUp() public override {
        super.setUp();
        _useToken(CirclesUsdc.deploy());
    }

    function test_upgrade_toWhatMayComeAfterTwoTwo() public {
        _hire(1, workers[0], PRICE);
        _hire(3, workers[2], PRICE);
        _carve(CHILD, workers[1], PART);
        // Signed for the old code, sent to the new one: the domain is that of the proxy.
        usdc.mint(buyer, PRICE);
        bytes memory signedBefore = _fundCall(_terms(4, workers[3], PRICE, true));
        CirclesUsdc.upgrade(usdc, CirclesUsdc.V2_2_AND_MORE);
        _runs(signedBefore);
        _abandon(4);
        _withdrawRefund(buyer, PRICE);
        vm.prank(buyer);
        usdc.transfer(stranger, PRICE);
        _workAndTakeEverything();
    }

    /// @dev An upgrade that breaks the token stops payments and nothing else; after the next one nothing is missing.
    function test_upgrade_thatBreaksTheTokenLosesNothing() public {
        _payInByAllowance();
        vm.prank(CirclesUsdc.PROXY_ADMIN);
        address good = ICirclesUsdc(address(usdc)).implementation();
        address broken = address(new BrokenToken());
        vm.prank(CirclesUsdc.PROXY_ADMIN);
        ICirclesUsdc(address(usdc)).upgradeTo(broken);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _accept(1);
        _abandon(3);
        bytes memory pay = _withdrawCall(1, PRICE - PART);
        bytes memory refund = _withdrawRefundCall(buyer, PRICE);
        _fails(pay, _error(BrokenToken.Broken.selector));
        _fails(refund, _error(BrokenToken.Broken.selector));
        assertEq(escrow.withdrawable(1), PRICE - PART);
        assertEq(escrow.refundOf(buyer), PRICE);
        vm.prank(CirclesUsdc.PROXY_ADMIN);
        ICirclesUsdc(address(usdc)).upgradeTo(good);
        _runs(pay);
        _runs(refund);
        _withdraw(CHILD, PART);
        assertEq(usdc.balanceOf(address(escrow)), 0);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }
}
