// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Cases that the mutation run found to be told apart by no other test.
contract EdgesTest is EscrowTest {
    /// @dev Signs the same terms with two expiries of their own.
    function _selectUntil(uint256 hirerUntil, uint256 workerUntil) private {
        NodeTerms memory t = _terms(1, 0, workers[0], PRICE, true);
        Auth memory h = _auth(buyer);
        h.validUntil = hirerUntil;
        h.signature = _sign(buyer, _digest(_selectHead(t), h));
        Auth memory w = _auth(workers[0]);
        w.validUntil = workerUntil;
        w.signature = _sign(workers[0], _digest(_quoteHead(t, buyer), w));
        _runs(abi.encodeCall(ITaskEscrow.selectAgent, (t, h, w)));
    }

    function test_selectAgent_fundingEndsWithTheQuoteNotWithTheHirersSignature() public {
        _selectUntil(START + 2 hours, START + 1 hours);
        assertEq(escrow.node(1).clock, START + 1 hours);
    }

    function test_selectAgent_fundingEndsWithTheQuoteWhenTheHirersSignatureEndsFirst() public {
        _selectUntil(START + 1 hours, START + 2 hours);
        assertEq(escrow.node(1).clock, START + 2 hours);
    }

    function test_selectAgent_aLongQuoteEndsWithTheDeadlineWhateverTheHirersSignature() public {
        _selectUntil(START + 1 hours, uint256(due) + 1 days);
        assertEq(escrow.node(1).clock, due);
    }

    function test_selectAgent_aLongSignatureOfTheHirerDoesNotStretchAShortQuote() public {
        _selectUntil(uint256(due) + 1 days, START + 1 hours);
        assertEq(escrow.node(1).clock, START + 1 hours);
    }

    /// @dev With an arbiter a late rejection may be contested beyond the deadline; until then a split is possible.
    function test_agreeSplit_afterALateRejectionEndsWithTheContestNotWithTheDeadline() public {
        _hire(1, workers[0], PRICE);
        vm.warp(due);
        _deliver(1);
        _reject(1);
        uint256 contestBy = uint256(due) + WINDOW;
        assertEq(escrow.node(1).clock, contestBy);
        uint256 snapshot = vm.snapshotState();
        vm.warp(contestBy);
        _runs(_splitCall(1, 40e6));
        _assertState(1, NodeState.Settled);
        vm.revertToState(snapshot);
        vm.warp(contestBy + 1);
        _fails(_splitCall(1, 40e6), _tooLate(contestBy));
    }

    /// @dev A permit is only presented in the mode that says so.
    function test_fundTask_byAllowanceLeavesAPermitAlone() public {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
        Auth memory a = _signed(buyer, _fundHead(1));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        _fails(
            abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Allowance, a, permit)),
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 0, PRICE)
        );
        _runs(abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Permit, a, permit)));
    }

    /// @dev What the buyer got back is the buyer's: nobody else can put it into another node.
    function test_fundTask_fromTheRefundBalanceNeedsTheBuyer() public {
        _hire(1, workers[0], PRICE);
        _abandon(1);
        _select(2, workers[1], PRICE);
        bytes memory bare = abi.encodeCall(ITaskEscrow.fundTask, (2, FundingMode.RefundBalance, _auth(buyer), ""));
        vm.prank(stranger);
        _fails(bare, _invalidSignature(buyer));
        Auth memory a = _auth(buyer);
        a.signature = _sign(workers[1], _digest(_fundHead(2), a));
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (2, FundingMode.RefundBalance, a, "")), _invalidSignature(buyer));
        assertEq(escrow.refundOf(buyer), PRICE);
        vm.prank(buyer);
        _runs(bare);
        assertEq(escrow.refundOf(buyer), 0);
    }

    /// @dev Likewise what a worker got back in its role as hirer.
    function test_subcontract_fromTheRefundBalanceNeedsTheHirer() public {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(2, 1, workers[1], 40e6);
        _abandon(2);
        assertEq(escrow.refundOf(workers[0]), 40e6);
        NodeTerms memory t = _terms(3, 1, workers[2], 40e6, true);
        Auth memory quote = _signed(workers[2], _quoteHead(t, workers[0]));
        bytes memory bare =
            abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.RefundBalance, _auth(workers[0]), quote, ""));
        vm.prank(workers[2]);
        _fails(bare, _invalidSignature(workers[0]));
        vm.prank(workers[0]);
        _runs(bare);
        assertEq(escrow.refundOf(workers[0]), 0);
    }

    /// @dev Whatever is left in the clock of a node that was ended by an act, time decides nothing about it any more.
    function test_finalize_neverTouchesAFinalNodePastItsClock() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
        _hire(2, workers[1], PRICE);
        _abandon(2);
        _hire(3, workers[2], PRICE);
        _deliver(3);
        _reject(3);
        _dispute(3);
        _runs(_ruleCall(3, 0));
        vm.warp(START + 365 days);
        NodeState[3] memory states = [NodeState.Settled, NodeState.Abandoned, NodeState.Refunded];
        for (uint32 id = 1; id <= 3; ++id) {
            _fails(abi.encodeCall(ITaskEscrow.finalize, (id)), _wrongState(id, states[id - 1]));
        }
        assertEq(escrow.withdrawable(1), PRICE);
        assertEq(escrow.refundOf(buyer), 2 * uint256(PRICE));
    }
}
