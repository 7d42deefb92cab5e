// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Cases that the mutation run found to be told apart by no other test.
contract EdgesTest is EscrowTest {
    /// @dev The time to work counts from the funding, whatever the signatures' ends.
    function test_fundTask_theDeadlineDoesNotDependOnTheSignatures() public {
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        uint256[2][3] memory ends = [[uint256(1), 2], [uint256(2), 1], [uint256(400 days), 500 days]];
        for (uint256 i; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            Auth memory h = _auth(1 << 8);
            h.validUntil = START + ends[i][0];
            h.signature = _sign(buyer, _digest(_fundHead(t, FundingMode.Allowance), h));
            Auth memory w = _auth(1 << 8);
            w.validUntil = START + ends[i][1];
            w.signature = _sign(workers[0], _digest(_quoteHead(t, buyer), w));
            vm.warp(START + 1);
            escrow.fundTask(t, FundingMode.Allowance, h, w, "");
            assertEq(escrow.node(1).clock, due + 1);
            assertEq(escrow.node(1).deliverBy, due + 1);
            vm.revertToState(snapshot);
        }
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
        _split(1, 40e6);
        _assertState(1, NodeState.Settled);
        vm.revertToState(snapshot);
        vm.warp(contestBy + 1);
        _fails(_splitCall(1, 40e6), _tooLate(contestBy));
    }

    /// @dev A permit is only presented in the mode that says so.
    function test_fundTask_byAllowanceLeavesAPermitAlone() public {
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        Auth memory h = _signedAt(1, buyer, _fundHead(t, FundingMode.Allowance));
        bytes memory permit = _signedPermit(buyer, PRICE, h.validUntil);
        _fails(
            abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, w, permit)),
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 0, PRICE)
        );
        h = _signedAt(1, buyer, _fundHead(t, FundingMode.Permit));
        permit = _signedPermit(buyer, PRICE, h.validUntil);
        _runs(abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Permit, h, w, permit)));
    }

    /// @dev What the buyer got back is the buyer's: nobody else can put it into another node.
    function test_fundTask_fromTheRefundBalanceNeedsTheBuyer() public {
        _hire(1, workers[0], PRICE);
        _abandon(1);
        FundingMode mode = FundingMode.RefundBalance;
        NodeTerms memory t = _terms(2, workers[1], PRICE, true);
        Auth memory w = _signedAt(2, workers[1], _quoteHead(t, buyer));
        bytes memory bare = abi.encodeCall(ITaskEscrow.fundTask, (t, mode, _auth(2 << 8), w, ""));
        vm.prank(stranger);
        _fails(bare, _invalidSignature(buyer));
        Auth memory a = _signedAt(2, workers[1], _fundHead(t, mode));
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (t, mode, a, w, "")), _invalidSignature(buyer));
        assertEq(escrow.refundOf(buyer), PRICE);
        vm.prank(buyer);
        _runs(bare);
        assertEq(escrow.refundOf(buyer), 0);
    }

    /// @dev Likewise what a worker got back in its role as hirer.
    function test_subcontract_fromTheRefundBalanceNeedsTheHirer() public {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        _abandon(CHILD);
        assertEq(escrow.refundOf(workers[0]), 40e6);
        NodeTerms memory t = _terms(SIBLING, workers[2], 40e6, true);
        Auth memory quote = _signedAt(SIBLING, workers[2], _quoteHead(t, workers[0]));
        bytes memory bare = abi.encodeCall(
            ITaskEscrow.subcontract, (t, FundingMode.RefundBalance, _auth(uint256(SIBLING) << 8), quote, "")
        );
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
        _rule(3, 0);
        vm.warp(START + 365 days);
        NodeState[3] memory states = [NodeState.Settled, NodeState.Abandoned, NodeState.Refunded];
        for (uint192 id = 1; id <= 3; ++id) {
            _fails(abi.encodeCall(ITaskEscrow.finalize, (id)), _wrongState(id, states[id - 1]));
        }
        assertEq(escrow.withdrawable(1), PRICE);
        assertEq(escrow.refundOf(buyer), 2 * uint256(PRICE));
    }
}
