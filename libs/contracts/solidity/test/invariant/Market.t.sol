// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Test} from "forge-std/Test.sol";

import {MarketHandler} from "./MarketHandler.sol";
import {WildHandler} from "./WildHandler.sol";

/// @notice Every property of INVARIANTS.md after every call of a guided history, and the drain at its end.
contract MarketTest is Test {
    MarketHandler private handler;

    function setUp() public {
        handler = new MarketHandler();
        bytes4[] memory selectors = new bytes4[](24);
        selectors[0] = MarketHandler.hire.selector;
        selectors[1] = MarketHandler.subcontract.selector;
        selectors[2] = MarketHandler.deliver.selector;
        selectors[3] = MarketHandler.accept.selector;
        selectors[4] = MarketHandler.reject.selector;
        selectors[5] = MarketHandler.abandon.selector;
        selectors[6] = MarketHandler.claim.selector;
        selectors[7] = MarketHandler.dispute.selector;
        selectors[8] = MarketHandler.rule.selector;
        selectors[9] = MarketHandler.split.selector;
        selectors[10] = MarketHandler.finalize.selector;
        selectors[11] = MarketHandler.withdraw.selector;
        selectors[12] = MarketHandler.withdrawRefund.selector;
        selectors[13] = MarketHandler.housekeeping.selector;
        selectors[14] = MarketHandler.trouble.selector;
        selectors[15] = MarketHandler.replay.selector;
        selectors[16] = MarketHandler.refuse.selector;
        selectors[17] = MarketHandler.grab.selector;
        for (uint256 i = 18; i < selectors.length; ++i) {
            selectors[i] = MarketHandler.travel.selector;
        }
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
        targetContract(address(handler));
    }

    /// forge-config: long.invariant.runs = 5000
    /// @dev The handler checks the properties at the end of every call, where it can remember what it saw.
    function invariant_market() public view {
        assertEq(handler.violation(), "");
    }

    /// @dev With MARKET_TALLY=1 the counts of every history are appended to cache/market-tally.txt.
    function afterInvariant() public {
        handler.drain();
        if (vm.envOr("MARKET_TALLY", false)) vm.writeLine("cache/market-tally.txt", handler.tally());
    }
}

/// @notice The same properties after calls that nobody would make.
contract WildMarketTest is Test {
    WildHandler private handler;

    function setUp() public {
        handler = new WildHandler();
        bytes4[] memory selectors = new bytes4[](8);
        selectors[0] = WildHandler.fund.selector;
        selectors[1] = WildHandler.subcontract.selector;
        selectors[2] = WildHandler.work.selector;
        selectors[3] = WildHandler.takeOut.selector;
        selectors[4] = WildHandler.finalize.selector;
        selectors[5] = WildHandler.invalidate.selector;
        selectors[6] = WildHandler.garbage.selector;
        selectors[7] = WildHandler.wait_.selector;
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
        targetContract(address(handler));
    }

    /// forge-config: default.invariant.fail-on-revert = false
    /// forge-config: ci.invariant.fail-on-revert = false
    /// forge-config: long.invariant.fail-on-revert = false
    /// forge-config: long.invariant.runs = 12000
    function invariant_wildMarket() public view {
        assertEq(handler.violation(), "");
    }

    function afterInvariant() public {
        if (vm.envOr("MARKET_TALLY", false)) vm.writeLine("cache/wild-tally.txt", handler.tally());
    }
}
