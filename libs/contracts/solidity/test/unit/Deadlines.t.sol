// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Every right that time begins or ends, one second before its edge, at it and after it.
contract DeadlinesTest is EscrowTest {
    bytes private _prepared;

    /// @dev Builds the call at the time it is sent.
    function _edges(
        uint256 edge,
        bool before,
        bool atEdge,
        bool afterwards,
        function() internal returns (bytes memory) build
    ) private {
        bool[3] memory expected = [before, atEdge, afterwards];
        for (uint256 i; i < 3; ++i) {
            uint256 snapshot = vm.snapshotState();
            vm.warp(edge + i - 1);
            (bool ok,) = address(escrow).call(build());
            assertEq(ok, expected[i], string.concat("second ", vm.toString(i), " of 0 before, 1 at, 2 after"));
            vm.revertToState(snapshot);
        }
    }

    /// @dev The right's holder: while `now <= edge`.
    function _endsAt(uint256 edge, function() internal returns (bytes memory) build) private {
        _edges(edge, true, true, false, build);
    }

    /// @dev The other side: from `now > edge`.
    function _beginsAfter(uint256 edge, function() internal returns (bytes memory) build) private {
        _edges(edge, false, false, true, build);
    }

    function _delivers() private returns (bytes memory) {
        return _deliverCall(1, ARTIFACT);
    }

    function _accepts() private returns (bytes memory) {
        return _acceptCall(1);
    }

    function _rejects() private returns (bytes memory) {
        return _rejectCall(1);
    }

    function _claims() private returns (bytes memory) {
        return _claimCall(1, stranger);
    }

    function _disputes() private returns (bytes memory) {
        return _disputeCall(1);
    }

    function _rules() private returns (bytes memory) {
        return _ruleCall(1, PRICE);
    }

    function _splits() private returns (bytes memory) {
        return _splitCall(1, PRICE / 2);
    }

    function _withdraws() private returns (bytes memory) {
        return _withdrawCall(1, PRICE / 2);
    }

    function _funds() private view returns (bytes memory) {
        return _prepared;
    }

    /// @dev A child with the least time to work.
    function _shortest() private view returns (NodeTerms memory t) {
        t = _terms(CHILD, workers[1], 1e6, false);
        t.workSeconds = 1 hours;
    }

    function _subcontracts() private returns (bytes memory) {
        return _carveCall(_shortest());
    }

    function _finalizes() private pure returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.finalize, (1));
    }

    function _hired() private {
        _hire(1, workers[0], PRICE);
    }

    function _rejected() private {
        _hired();
        _deliver(1);
        _reject(1);
    }

    /// @dev Both sides' signatures end; the worker's is the quote's.
    function test_deadlines_fundingEndsWithTheSignatures() public {
        usdc.mint(buyer, PRICE);
        for (uint256 i; i < 2; ++i) {
            NodeTerms memory t = _terms(1, workers[0], PRICE, true);
            Auth memory h = _auth(1 << 8);
            Auth memory w = _auth(1 << 8);
            (i == 0 ? h : w).validUntil = START + 1 hours;
            h.signature = _sign(buyer, _digest(_fundHead(t, FundingMode.Allowance), h));
            w.signature = _sign(workers[0], _digest(_quoteHead(t, buyer), w));
            _prepared = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, w, ""));
            vm.prank(buyer);
            usdc.approve(address(escrow), PRICE);
            _endsAt(START + 1 hours, _funds);
        }
    }

    function test_deadlines_fundingByAuthorizationEndsWithTheSignature() public {
        usdc.mint(buyer, PRICE);
        _prepared = _fundCall(_terms(1, workers[0], PRICE, true));
        _endsAt(START + 1 days, _funds);
    }

    function test_deadlines_ofAFundedNode() public {
        _hired();
        _endsAt(due, _delivers);
        _beginsAfter(due, _claims);
        // A child has an hour to work and may not outlast its parent.
        _endsAt(due - 1 hours, _subcontracts);
        _edges(due, true, true, true, _splits);
    }

    function test_deadlines_ofADelivery() public {
        _hired();
        _deliver(1);
        uint256 clock = START + WINDOW;
        assertEq(escrow.node(1).clock, clock);
        _endsAt(clock, _rejects);
        _beginsAfter(clock, _finalizes);
        _beginsAfter(clock, _withdraws);
        // Silence has accepted by then: accepting changes nothing any more, so it stays open.
        _edges(clock, true, true, true, _accepts);
        _edges(clock, true, true, true, _splits);
    }

    function test_deadlines_ofARejection() public {
        _rejected();
        assertEq(escrow.node(1).clock, due);
        _endsAt(due, _delivers);
        _endsAt(due, _disputes);
        _endsAt(due, _accepts);
        _endsAt(due, _splits);
        _beginsAfter(due, _finalizes);
    }

    /// @dev Rejected late, the worker may go to the arbiter for one more window, but the deadline for the work stays.
    function test_deadlines_ofALateRejection() public {
        _hired();
        vm.warp(due - 10);
        _deliver(1);
        _reject(1);
        uint256 clock = due - 10 + WINDOW;
        assertEq(escrow.node(1).clock, clock);
        _endsAt(due, _delivers);
        _endsAt(clock, _disputes);
        _endsAt(clock, _accepts);
        _endsAt(clock, _splits);
        _beginsAfter(clock, _finalizes);
    }

    function test_deadlines_ofADispute() public {
        _rejected();
        _dispute(1);
        uint256 clock = START + 30 days;
        assertEq(escrow.node(1).clock, clock);
        _endsAt(clock, _rules);
        _endsAt(clock, _accepts);
        _beginsAfter(clock, _finalizes);
        _beginsAfter(clock, _withdraws);
        _edges(clock, true, true, true, _splits);
    }

    /// @dev Without an arbiter a rejection in the last second is final, and one second earlier it is not.
    function test_deadlines_ofTheLastChanceToDeliverAgain() public {
        _useTreeWithoutArbiter();
        _hired();
        _deliver(1);
        _edges(due, true, true, true, _answersFinally);
    }

    function _answersFinally() private returns (bytes memory) {
        // The window was two days; open a new one that is still running around the deadline.
        uint256 now_ = vm.getBlockTimestamp();
        vm.warp(due - 1 days);
        _runs(abi.encodeCall(ITaskEscrow.finalize, (1)));
        _hire(2, workers[1], PRICE);
        _deliver(2);
        vm.warp(now_);
        _reject(2);
        bool isFinal = escrow.node(2).state == NodeState.Refunded;
        assertEq(isFinal, now_ >= due, "final exactly from the deadline on");
        return abi.encodeCall(ITaskEscrow.multicall, (new bytes[](0)));
    }

    function _validToTheEdge() private returns (bytes memory) {
        Auth memory a = _auth(_nonceAt(1));
        a.validUntil = START + 1 hours;
        a.signature = _sign(workers[0], _digest(_deliverHead(1, ARTIFACT, false), a));
        return abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, false, a));
    }

    function test_deadlines_ofASignedAction() public {
        _hired();
        _endsAt(START + 1 hours, _validToTheEdge);
    }
}
