// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Each failure that was possible in some other system (docs/decisions/escrow.md#failures-seen-elsewhere), by
///         name; see ATTACKS.md.
contract FailuresTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _closed(uint192 id) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, id);
    }

    function test_attack_takingDeliveryAndStayingSilentPaysTheWorker() public {
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _fails(_rejectCall(1), _tooLate(START + WINDOW));
        _fails(_claimCall(1, buyer), _wrongState(1, NodeState.Delivered));
        _withdraw(1, PRICE);
        assertEq(usdc.balanceOf(workers[0]), PRICE);
    }

    function test_attack_takingDeliveryAndRejectingForFreeCanBeBroughtToTheArbiter() public {
        _deliver(1);
        _reject(1);
        _dispute(1);
        _rule(1, PRICE);
        _withdraw(1, PRICE);
        assertEq(escrow.refundOf(buyer), 0);
    }

    function test_attack_junkDeliveryDoesNotPayWhenRejected() public {
        _runs(_deliverCall(1, "junk"));
        _reject(1);
        vm.warp(escrow.node(1).clock + 1);
        _fails(_withdrawCall(1, PRICE), _wrongState(1, NodeState.Refunded));
        escrow.finalize(1);
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    function test_attack_silentWorkerCannotLockTheMoney() public {
        vm.warp(due + 1);
        _runs(_claimCall(1, stranger));
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    function test_attack_silentArbiterCannotLockTheMoney() public {
        _deliver(1);
        _reject(1);
        _dispute(1);
        vm.warp(START + 30 days + 1);
        escrow.finalize(1);
        _withdraw(1, PRICE / 2);
        _withdrawRefund(buyer, PRICE / 2);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_acceptingIsPossibleAfterTheDeadline() public {
        vm.warp(due);
        _deliver(1);
        vm.warp(due + 1);
        _accept(1);
        _withdraw(1, PRICE);
    }

    function test_attack_sybilChildCannotDrainTheBuyer() public {
        _carve(CHILD, workers[1], PRICE / 2);
        _deliver(CHILD);
        _accept(CHILD); // by the parent's worker, whose own puppet it is
        _fails(_withdrawCall(CHILD, PRICE / 2), _closed(1));
        vm.warp(due + 1);
        _claim(1);
        _fails(_withdrawCall(CHILD, PRICE / 2), _closed(1));
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    function test_attack_sybilGrandchildCannotDrainTheBuyerEither() public {
        _carve(CHILD, workers[1], PRICE / 2);
        _carve(GRANDCHILD, workers[2], PRICE / 4);
        _deliver(GRANDCHILD);
        _accept(GRANDCHILD);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _reject(1);
        vm.warp(escrow.node(1).clock + 1);
        _fails(_withdrawCall(GRANDCHILD, PRICE / 4), _closed(1));
        escrow.finalize(1);
        _fails(_withdrawCall(GRANDCHILD, PRICE / 4), _closed(1));
        _withdrawRefund(buyer, PRICE);
    }

    function test_attack_refundOfAChildClimbsToTheNodeAndNotToTheHirersWallet() public {
        _carve(CHILD, workers[1], 40e6);
        _abandon(CHILD);
        assertEq(escrow.refundOf(workers[0]), 0);
        assertEq(escrow.node(1).allocated, 0);
        _abandon(1);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_attack_parentCannotRugItsChildren() public {
        _carve(CHILD, workers[1], 40e6);
        _fails(_abandonCall(1), abi.encodeWithSelector(ITaskEscrow.LiveAllocations.selector, 40e6));
        bytes memory range = abi.encodeWithSelector(ITaskEscrow.ShareOutOfRange.selector, 0, 40e6, PRICE);
        _fails(_splitCall(1, 0), range);
        _deliver(1);
        _accept(1);
        _fails(
            _withdrawCall(1, PRICE), abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 60e6, PRICE)
        );
        _withdraw(1, 60e6);
        _deliver(CHILD);
        vm.warp(START + WINDOW + 1);
        _withdraw(CHILD, 40e6);
        assertEq(usdc.balanceOf(workers[1]), 40e6);
    }

    function test_attack_childOfAVanishedParentIsPaidWhenItBroughtItsOwnMoney() public {
        _hireWithOwnMoney(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        vm.warp(due + 1); // nobody has heard of worker 0 again
        _runs(_claimCall(1, stranger));
        _withdraw(CHILD, 40e6);
        assertEq(usdc.balanceOf(workers[1]), 40e6);
    }

    function test_attack_refundOfAParentMovesEveryUnitOnlyOnce() public {
        _carve(CHILD, workers[1], 40e6);
        _carve(GRANDCHILD, workers[2], 10e6);
        vm.warp(due + 1);
        _claim(GRANDCHILD);
        _claim(1);
        _claim(CHILD);
        assertEq(escrow.refundOf(buyer), PRICE);
        assertEq(escrow.refundOf(workers[0]) + escrow.refundOf(workers[1]), 0);
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_deadlineEdgeBelongsToExactlyOneSide() public {
        vm.warp(due);
        _fails(_claimCall(1, buyer), abi.encodeWithSelector(ITaskEscrow.TooEarly.selector, due));
        uint256 snapshot = vm.snapshotState();
        _deliver(1);
        vm.revertToState(snapshot);
        vm.warp(due + 1);
        _fails(_deliverCall(1, ARTIFACT), _tooLate(due));
        _claim(1);
    }

    function test_attack_staleApprovalCannotHitANewArtifact() public {
        _runs(_deliverCall(1, "good"));
        bytes memory approval = _acceptCall(1);
        Auth memory sent = _auth(_nonceAt(1));
        _reject(1);
        _runs(_deliverCall(1, "junk"));
        bytes memory mismatch =
            abi.encodeWithSelector(ITaskEscrow.ArtifactMismatch.selector, bytes32("junk"), bytes32("good"));
        _fails(approval, mismatch);
        // Nor does it name the right artifact by chance and the wrong delivery.
        bytes memory call = abi.encodeCall(ITaskEscrow.resolveTask, (1, "junk", sent));
        vm.prank(buyer);
        _fails(call, _wrongNonce(uint256(1) << 8 | 4, uint256(1) << 8 | 2));
    }

    function test_attack_arbiterCanNeitherTakeMoneyNorTouchAnUndisputedNode() public {
        _fails(_ruleCall(1, 0), _wrongState(1, NodeState.Funded));
        _fails(_fundCall(_terms(5, arbiter, PRICE, true)), _error(ITaskEscrow.InvalidTerms.selector));
        _fails(_withdrawRefundCall(arbiter, 1), abi.encodeWithSelector(ITaskEscrow.InsufficientRefund.selector, 0, 1));
    }

    function test_attack_arbiterRulesOnceAndNeverBeyondTheNode() public {
        _hire(2, workers[1], PRICE);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _fails(
            _ruleCall(1, PRICE + 1), abi.encodeWithSelector(ITaskEscrow.ShareOutOfRange.selector, PRICE + 1, 0, PRICE)
        );
        _rule(1, PRICE);
        _withdraw(1, PRICE);
        _fails(_ruleCall(1, PRICE), _wrongState(1, NodeState.Settled));
        _fails(_withdrawCall(1, 1), abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 0, 1));
        assertEq(usdc.balanceOf(address(escrow)), PRICE, "the other node's money is untouched");
    }

    function test_attack_nobodyIsPaidWithoutADelivery() public {
        _fails(_deliverCall(1, 0), _error(ITaskEscrow.InvalidTerms.selector));
        vm.warp(due + 400 days);
        _fails(abi.encodeCall(ITaskEscrow.finalize, (1)), _wrongState(1, NodeState.Funded));
        _fails(_withdrawCall(1, PRICE), _wrongState(1, NodeState.Funded));
        _fails(_acceptCall(1), _wrongState(1, NodeState.Funded));
    }

    function test_attack_onlyTheSelectedWorkerDelivers() public {
        Auth memory a = _signedAt(1, workers[1], _deliverHead(1, ARTIFACT, false));
        _fails(abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, false, a)), _invalidSignature(workers[0]));
    }

    function test_attack_denyListedWorkerBlocksNobodyElse() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        usdc.blacklist(workers[0]);
        _accept(1);
        _fails(_withdrawCall(1, 60e6), abi.encodeWithSelector(LocalUsdc.AccountBlacklisted.selector, workers[0]));
        _withdraw(CHILD, 40e6);
        // The listed worker's earnings are its own: it may name another recipient.
        Auth memory a = _signed(workers[0], _withdrawHead(1, workers[3], 60e6));
        escrow.withdrawEarnings(1, workers[3], 60e6, a);
        assertEq(usdc.balanceOf(workers[3]), 60e6);
    }

    function test_attack_denyListedBuyerBlocksNoWorker() public {
        _deliver(1);
        usdc.blacklist(buyer);
        vm.warp(START + WINDOW + 1);
        _withdraw(1, PRICE);
    }

    function test_attack_pausedTokenStopsPaymentsButNoDecision() public {
        _hire(2, workers[1], PRICE);
        usdc.pause();
        _deliver(1);
        _accept(1);
        _abandon(2);
        bytes memory earnings = _withdrawCall(1, PRICE);
        bytes memory refund = _withdrawRefundCall(buyer, PRICE);
        _fails(earnings, _error(LocalUsdc.TokenPaused.selector));
        _fails(refund, _error(LocalUsdc.TokenPaused.selector));
        usdc.unpause();
        _runs(earnings);
        _runs(refund);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_deepTreeStaysAffordable() public {
        _hire(2, workers[0], PRICE, 50e6);
        uint192 last = 2;
        for (uint192 level = 2; level <= 8; ++level) {
            last = _child(last, 1);
            _carve(last, workers[level % 6], 50e6, 50e6);
        }
        for (uint192 id = last; id != 0; id >>= 24) {
            _deliver(id);
        }
        vm.warp(START + WINDOW + 1);
        bytes memory call = _withdrawCall(last, 50e6);
        uint256 gas = gasleft();
        _runs(call);
        assertLt(gas - gasleft(), 200_000);
    }

    /// @dev Forty children: what the parent does costs what it costs without any, because children are never visited.
    function test_attack_wideTreeStaysAffordable() public {
        for (uint24 index = 10; index < 50; ++index) {
            _carve(_child(1, index), workers[1], 1e6);
        }
        bytes memory call = _deliverCall(1, ARTIFACT);
        uint256 gas = gasleft();
        _runs(call);
        call = _rejectCall(1);
        _runs(call);
        vm.warp(escrow.node(1).clock + 1);
        escrow.finalize(1);
        assertLt(gas - gasleft(), 400_000);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_attack_oneBaseUnitNeverGetsLost() public {
        for (uint64 floor; floor < 2; ++floor) {
            uint192 id = 2 + floor;
            _hire(id, workers[1], 1, floor);
            _deliver(id);
            _reject(id);
            _dispute(id);
            vm.warp(escrow.node(id).clock + 1);
            escrow.finalize(id);
            assertEq(escrow.withdrawable(id), floor);
            assertEq(escrow.refundOf(buyer), 1);
            vm.warp(START);
        }
        _withdrawRefund(buyer, 1);
        _withdraw(3, 1);
    }

    function test_attack_leakedQuoteIsWorthlessOnceWithdrawn() public {
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_terms(2, workers[1], PRICE, true));
        vm.prank(workers[1]);
        escrow.invalidateNonces(2, 1);
        _fails(call, _nonceUsed(workers[1], 2 << 8));
    }

    function test_attack_quoteCannotBeUsedTwiceNorInAnotherTree() public {
        usdc.mint(buyer, 2 * PRICE);
        NodeTerms memory t = _terms(2, workers[1], PRICE, true);
        FundingMode mode = FundingMode.Authorization3009;
        Auth memory quote = _signedAt(2, workers[1], _quoteHead(t, buyer));
        TaskEscrow first = escrow;
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "second tree", ""));
        Auth memory h = _signed3009(2, buyer, PRICE, _fundHead(t, mode));
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, quote, "")), _invalidSignature(workers[1]));
        escrow = first;
        h = _signed3009(2, buyer, PRICE, _fundHead(t, mode));
        escrow.fundTask(t, mode, h, quote, "");
        t.nodeId = 3;
        h = _signed3009(3, buyer, PRICE, _fundHead(t, mode));
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, quote, "")), _wrongNonce(3 << 8, 2 << 8));
    }

    function test_attack_treesDoNotShareMoney() public {
        TaskEscrow first = escrow;
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "second tree", ""));
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
        _withdraw(1, PRICE);
        assertEq(usdc.balanceOf(address(first)), PRICE);
        assertEq(first.withdrawable(1), 0);
    }
}
