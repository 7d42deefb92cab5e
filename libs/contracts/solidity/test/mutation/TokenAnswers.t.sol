// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {FundingMode, NodeTerms} from "../../src/Types.sol";
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

    /// @dev The outer call moves tokens, and whoever asks the escrow meanwhile is told of the money as it will be.
    function _isToldInside(bytes memory outer, bytes memory question, uint256 expected) private {
        token.arm(address(escrow), question);
        _runs(outer);
        assertTrue(token.attempted());
        assertEq(abi.decode(token.answer(), (uint256)), expected);
    }

    /// @dev Node 1 has paid 100, node 2 has given 100 back, node 3 works.
    function _market() private {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
        _hire(2, workers[1], PRICE);
        _abandon(2);
        _hire(3, workers[2], PRICE);
        usdc.mint(buyer, PRICE);
        usdc.mint(workers[2], PRICE);
    }

    function test_whileMoneyLeaves_theBooksSayWhatIsLeft() public {
        _market();
        bytes memory earnings = abi.encodeCall(ITaskEscrow.withdrawable, (1));
        bytes memory refund = abi.encodeCall(ITaskEscrow.refundOf, (buyer));
        _isToldInside(_withdrawCall(1, 40e6), earnings, 60e6);
        _isToldInside(_withdrawRefundCall(buyer, 40e6), refund, 60e6);
        _runs(_deliverCall(3, ARTIFACT, true));
        _isToldInside(_acceptCall(3), abi.encodeCall(ITaskEscrow.withdrawable, (3)), 0);
    }

    function test_withdrawEarnings_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_withdrawCall(1, 40e6), _withdrawRefundCall(buyer, 40e6));
        _refusesInside(_withdrawCall(1, 30e6), _withdrawCall(1, 30e6));
    }

    function test_withdrawRefund_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_withdrawRefundCall(buyer, 40e6), _withdrawCall(1, 40e6));
        _refusesInside(_withdrawRefundCall(buyer, 10e6), _fundFourth());
    }

    function test_subcontract_noOtherMoneyFunctionRunsInside() public {
        _market();
        _refusesInside(_ownMoneyCall(_terms(_child(3, 1), workers[4], PRICE, true)), _withdrawRefundCall(buyer, PRICE));
    }

    function test_subcontract_doesNotRunInsideAWithdrawal() public {
        _market();
        _refusesInside(_withdrawCall(1, PRICE), _ownMoneyCall(_terms(_child(3, 1), workers[4], PRICE, true)));
    }

    function test_fundTask_doesNotRunInsideAWithdrawal() public {
        _market();
        _refusesInside(_withdrawCall(1, PRICE), _fundFourth());
    }

    function _fundFourth() private returns (bytes memory) {
        return _fundCall(_terms(4, workers[3], PRICE, true));
    }

    function test_resolveTask_noOtherMoneyFunctionRunsInsideThePayment() public {
        _market();
        _hire(5, workers[4], PRICE);
        _runs(_deliverCall(5, ARTIFACT, true));
        _refusesInside(_acceptCall(5), _withdrawRefundCall(buyer, 10e6));
    }

    function test_finalize_noOtherMoneyFunctionRunsInsideThePayment() public {
        _market();
        _hire(5, workers[4], PRICE);
        _runs(_deliverCall(5, ARTIFACT, true));
        vm.warp(START + WINDOW + 1);
        _refusesInside(abi.encodeCall(ITaskEscrow.finalize, (5)), _withdrawCall(1, 10e6));
    }

    function test_ruleDispute_noOtherMoneyFunctionRunsInsideThePayment() public {
        _market();
        _hire(5, workers[4], PRICE);
        _runs(_deliverCall(5, ARTIFACT, true));
        _reject(5);
        _dispute(5);
        _refusesInside(_ruleCall(5, PRICE), _withdrawCall(1, 10e6));
    }

    function test_agreeSplit_noOtherMoneyFunctionRunsInsideThePayment() public {
        _market();
        _hire(5, workers[4], PRICE);
        _runs(_deliverCall(5, ARTIFACT, true));
        _refusesInside(_splitCall(5, 40e6), _withdrawCall(1, 10e6));
    }

    function test_resolveTask_doesNotRunInsideAWithdrawal() public {
        _market();
        _hire(5, workers[4], PRICE);
        _deliver(5);
        _refusesInside(_withdrawCall(1, 10e6), _acceptCall(5));
    }

    function test_fundTask_revertsWhenMoreArrivesThanAsked() public {
        _useToken(new GenerousToken(address(this)));
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        _fails(_fundCall(t), _error(ITaskEscrow.UnexpectedTransferAmount.selector));
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        _fails(_fundCall(t, FundingMode.Allowance), _error(ITaskEscrow.UnexpectedTransferAmount.selector));
    }
}
