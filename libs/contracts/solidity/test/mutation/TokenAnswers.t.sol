// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {FundingMode} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {ReentrantToken} from "../mocks/OddTokens.sol";

/// @notice Token that adds one unit to every transfer.
contract GenerousToken is LocalUsdc {
    constructor(address owner) LocalUsdc(owner) {}

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        if (from != address(0)) super._update(address(0), to, 1);
    }
}

/// @notice Tokens that do more than they are asked to: call back while money moves, or move too much.
contract TokenAnswersTest is EscrowTest {
    ReentrantToken private token;

    function setUp() public override {
        super.setUp();
        token = new ReentrantToken(address(this));
        _useToken(token);
    }

    /// @dev The outer call moves tokens, and the token sends the inner one, which would be fine at any other time.
    function _refusesInside(bytes memory outer, bytes memory inner) private {
        token.arm(address(escrow), inner);
        _runs(outer);
        assertTrue(token.attempted());
        assertEq(token.answer(), _error(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
        token.arm(address(0), "");
        _runs(inner);
    }

    /// @dev Node 1 has paid 100, node 2 has given 100 back, node 3 works.
    function _market() private {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
        _hire(2, workers[1], PRICE);
        _abandon(2);
        _hire(3, workers[2], PRICE);
        _select(4, workers[3], PRICE);
        usdc.mint(buyer, PRICE);
        usdc.mint(workers[2], PRICE);
    }

    function test_withdrawEarnings_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_withdrawCall(1, 40e6), _withdrawRefundCall(buyer, 40e6));
        _refusesInside(_withdrawCall(1, 30e6), _withdrawCall(1, 30e6));
    }

    function test_withdrawRefund_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_withdrawRefundCall(buyer, 40e6), _withdrawCall(1, 40e6));
        _refusesInside(_withdrawRefundCall(buyer, 10e6), _fundCall(4));
    }

    function test_subcontract_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_ownMoneyCall(_terms(5, 3, workers[4], PRICE, true)), _withdrawRefundCall(buyer, PRICE));
    }

    function test_subcontract_doesNotRunInsideAWithdrawal() public {
        _market();
        _refusesInside(_withdrawCall(1, PRICE), _ownMoneyCall(_terms(5, 3, workers[4], PRICE, true)));
    }

    function test_fundTask_doesNotRunInsideAWithdrawal() public {
        _market();
        _refusesInside(_withdrawCall(1, PRICE), _fundCall(4));
    }

    function test_fundTask_revertsWhenMoreArrivesThanAsked() public {
        _useToken(new GenerousToken(address(this)));
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
        _fails(_fundCall(1), _error(ITaskEscrow.UnexpectedTransferAmount.selector));
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        bytes memory call =
            abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Allowance, _signed(buyer, _fundHead(1)), ""));
        _fails(call, _error(ITaskEscrow.UnexpectedTransferAmount.selector));
    }
}
