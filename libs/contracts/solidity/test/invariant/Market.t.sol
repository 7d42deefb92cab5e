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
        bytes4[] memory selectors = new bytes4[](19);
        selectors[0] = MarketHandler.hire.selector;
        selectors[1] = MarketHandler.fund.selector;
        selectors[2] = MarketHandler.subcontract.selector;
        selectors[3] = MarketHandler.deliver.selector;
        selectors[4] = MarketHandler.accept.selector;
        selectors[5] = MarketHandler.reject.selector;
        selectors[6] = MarketHandler.abandon.selector;
        selectors[7] = MarketHandler.claim.selector;
        selectors[8] = MarketHandler.dispute.selector;
        selectors[9] = MarketHandler.rule.selector;
        selectors[10] = MarketHandler.split.selector;
        selectors[11] = MarketHandler.finalize.selector;
        selectors[12] = MarketHandler.withdraw.selector;
        selectors[13] = MarketHandler.withdrawRefund.selector;
        selectors[14] = MarketHandler.housekeeping.selector;
        selectors[15] = MarketHandler.trouble.selector;
        selectors[16] = MarketHandler.replay.selector;
        selectors[17] = MarketHandler.refuse.selector;
        selectors[18] = MarketHandler.grab.selector;
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
        bytes4[] memory selectors = new bytes4[](9);
        selectors[0] = WildHandler.select.selector;
        selectors[1] = WildHandler.fund.selector;
        selectors[2] = WildHandler.subcontract.selector;
        selectors[3] = WildHandler.work.selector;
        selectors[4] = WildHandler.takeOut.selector;
        selectors[5] = WildHandler.finalize.selector;
        selectors[6] = WildHandler.invalidate.selector;
        selectors[7] = WildHandler.garbage.selector;
        selectors[8] = WildHandler.wait_.selector;
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
