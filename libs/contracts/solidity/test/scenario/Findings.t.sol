// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {TaskEscrowFactory} from "../../src/TaskEscrowFactory.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice What an audit of the first edition found, as attacks that must not work any more.
contract FindingsTest is EscrowTest {
    function _toLapsedDispute(uint192 id) private {
        _deliver(id);
        _reject(id);
        _dispute(id);
    }

    // ------------------------------------------------------------------------------- the floor, and silent arbiters

    /// @dev A worker hires its own puppet, delivers junk and asks an arbiter who never answers.
    function testFuzz_finding_puppetsAndASilentArbiterCostTheBuyerTheFloor(uint64 amount, uint64 floor) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        floor = uint64(_bound(floor, 1, amount));
        _hire(1, workers[0], amount, floor);
        if (floor < amount) {
            bytes memory beyond =
                abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, floor, uint256(floor) + 1);
            _fails(_carveCall(_terms(CHILD, workers[1], floor + 1, false)), beyond);
        }
        _carve(CHILD, workers[1], floor);
        _deliver(CHILD);
        _accept(CHILD);
        _toLapsedDispute(1);
        vm.warp(START + 30 days + 1);
        escrow.finalize(1);
        assertEq(escrow.refundOf(buyer), amount - floor);
        assertEq(escrow.withdrawable(CHILD), floor);
        assertEq(escrow.withdrawable(1), 0);
    }

    function test_finding_threeLevelsOfLapsedDisputesPayTheFloors() public {
        uint192[3] memory ids = [uint192(1), CHILD, GRANDCHILD];
        _hire(1, workers[0], 100, 60);
        _carve(CHILD, workers[1], 60, 30);
        _carve(GRANDCHILD, workers[2], 30, 15);
        for (uint256 i; i < 3; ++i) {
            _toLapsedDispute(ids[i]);
        }
        vm.warp(START + 30 days + 1);
        for (uint256 i; i < 3; ++i) {
            escrow.finalize(ids[i]);
        }
        assertEq(escrow.refundOf(buyer), 40);
        assertEq(escrow.withdrawable(1), 30);
        assertEq(escrow.withdrawable(CHILD), 15);
        assertEq(escrow.withdrawable(GRANDCHILD), 15);
    }

    /// @dev The arbiter stays free to choose anything that leaves the children whole, and nothing at all.
    function testFuzz_finding_theArbiterIsNotBoundByTheFloor(uint64 share) public {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 20e6);
        _toLapsedDispute(1);
        share = uint64(_bound(share, 20e6, PRICE));
        uint256 snapshot = vm.snapshotState();
        _rule(1, share);
        assertEq(escrow.refundOf(buyer), PRICE - share);
        vm.revertToState(snapshot);
        _rule(1, 0);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    // ------------------------------------------------------------------------------------------------- time to work

    function test_finding_fundingInTheLastSecondLeavesTheWholeTimeToWork() public {
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        vm.warp(START + 1 days); // the quote's last second
        _runs(call);
        uint256 end = START + 1 days + WORK;
        assertEq(escrow.node(1).deliverBy, end);
        bytes memory early = abi.encodeWithSelector(ITaskEscrow.TooEarly.selector, end);
        vm.warp(START + 1 days + 1);
        _fails(_claimCall(1, buyer), early);
        vm.warp(end);
        _fails(_claimCall(1, buyer), early);
        _deliver(1);
    }

    // ------------------------------------------------------------------------------------------- strangers' order

    /// @dev Three levels, each node left in some state, all of them overtaken by time: in whatever order strangers
    ///      write that down, every account ends with the same.
    function testFuzz_finding_theOrderOfStrangersMovesNothing(uint256 states, uint256 order, uint64[4] memory floors)
        public
    {
        uint192[4] memory ids = [uint192(1), CHILD, GRANDCHILD, SIBLING];
        uint64[4] memory amounts = [uint64(1_000), 0, 0, 0];
        floors[0] = uint64(_bound(floors[0], 3, 1_000));
        amounts[1] = floors[0] - 1;
        floors[1] = uint64(_bound(floors[1], 0, amounts[1]));
        amounts[2] = floors[1];
        floors[2] = uint64(_bound(floors[2], 0, amounts[2]));
        (amounts[3], floors[3]) = (1, uint64(_bound(floors[3], 0, 1)));
        _hire(1, workers[0], amounts[0], floors[0]);
        for (uint256 i = 1; i < 4; ++i) {
            if (amounts[i] != 0) _carve(ids[i], workers[i], amounts[i], floors[i]);
        }
        // From below, so that no ancestor is in the way.
        for (uint256 k; k < 4; ++k) {
            uint256 i = 3 - k;
            uint256 progress = (states >> (8 * i)) % 4;
            if (amounts[i] == 0) continue;
            if (progress > 0) _deliver(ids[i]);
            if (progress > 1) _reject(ids[i]);
            if (progress > 2) _dispute(ids[i]);
        }
        vm.warp(START + 365 days);
        uint256 snapshot = vm.snapshotState();
        bytes32 expected = _endIn(ids, 0);
        vm.revertToState(snapshot);
        assertEq(_endIn(ids, order), expected);
    }

    /// @dev Strangers end every node, in the given order. The fingerprint covers all that anybody can have.
    function _endIn(uint192[4] memory ids, uint256 order) private returns (bytes32) {
        uint192[4] memory left = [ids[0], ids[1], ids[2], ids[3]];
        for (uint256 count = 4; count > 0; --count) {
            uint256 pick = order % count;
            order /= count;
            uint192 id = left[pick];
            left[pick] = left[count - 1];
            NodeState state = escrow.node(id).state;
            if (state == NodeState.Funded) _runs(_claimCall(id, stranger));
            else if (state != NodeState.None) escrow.finalize(id);
        }
        uint256[9] memory has;
        uint256 sum;
        for (uint256 i; i < 4; ++i) {
            has[i] = escrow.withdrawable(ids[i]);
            has[4 + i] = escrow.refundOf(workers[i]);
            sum += has[i] + has[4 + i];
        }
        has[8] = escrow.refundOf(buyer);
        assertEq(sum + has[8], usdc.balanceOf(address(escrow)), "nothing is owed to nobody");
        return keccak256(abi.encode(has));
    }

    // -------------------------------------------------------------------------------------------------------- paths

    function testFuzz_finding_nobodyElseTakesAnIdBelowAWorker(uint24 index, uint256 who) public {
        index = uint24(_bound(index, 1, 0xffffff));
        _hire(1, workers[0], PRICE);
        _hire(2, workers[1], PRICE);
        uint192 id = _child(1, index);
        address[5] memory others = [workers[1], workers[2], buyer, arbiter, stranger];
        address intruder = others[who % 5];
        NodeTerms memory t = _terms(id, workers[2], 1, false);
        Auth memory h = _signedAt(id, intruder, _subcontractHead(t, FundingMode.ParentNode));
        Auth memory w = _signedAt(id, workers[2], _quoteHead(t, workers[0]));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        _fails(call, _invalidSignature(workers[0]));
        h.signature = "";
        call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        vm.prank(intruder);
        (bool ok,) = address(escrow).call(call);
        assertFalse(ok);
        _carve(_child(2, index), workers[3], 1); // the same index below another node
        _carve(id, workers[2], 1);
    }

    // ----------------------------------------------------------------------------------------- parties that cannot be

    function test_finding_anArbiterThatEverybodyActsForIsRefused() public {
        address[6] memory bad =
            [address(factory), address(implementation), address(usdc), address(1), address(0x100), address(0xffff)];
        for (uint256 i; i < bad.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(TaskEscrowFactory.InvalidParties.selector, buyer, bad[i]));
            factory.createTree(buyer, bad[i], "t", "");
        }
        factory.createTree(buyer, address(0x10000), "t", "");
    }

    function test_finding_theFactoryCannotBeTheBuyer() public {
        vm.expectRevert(abi.encodeWithSelector(TaskEscrowFactory.InvalidParties.selector, address(factory), arbiter));
        factory.createTree(address(factory), arbiter, "t", "");
    }

    /// @dev Everybody would act for a worker that the factory, or the escrow itself, is.
    function test_finding_theFactoryCannotBeAWorker() public {
        usdc.mint(buyer, PRICE);
        address[2] memory bad = [address(factory), address(escrow)];
        for (uint256 i; i < 2; ++i) {
            NodeTerms memory t = _terms(1, bad[i], PRICE, true);
            FundingMode mode = FundingMode.Authorization3009;
            Auth memory h = _signed3009(1, buyer, PRICE, _fundHead(t, mode));
            Auth memory unsigned = _auth(1 << 8);
            bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, unsigned, ""));
            vm.expectRevert(ITaskEscrow.InvalidTerms.selector);
            factory.createTree(buyer, arbiter, TREE, call);
        }
    }

    /// @dev A clone that somebody else's factory made is no tree of this one's, and this factory lends it nothing.
    function test_finding_theFactorySendsForNobodyOfATree() public {
        _hire(1, workers[0], PRICE);
        bytes memory unsigned = abi.encodeCall(ITaskEscrow.abandonNode, (1, _auth(_nonceAt(1))));
        vm.prank(workers[0]);
        vm.expectRevert(_invalidSignature(workers[0]));
        factory.createTree(buyer, arbiter, TREE, unsigned);
    }

    // ------------------------------------------------------------------------------------------------- the signed mode

    function test_finding_aRelayerCannotChooseWhereTheMoneyComesFrom() public {
        _hire(9, workers[3], PRICE);
        _abandon(9); // the buyer's refund balance
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        Auth memory h = _signedAt(1, buyer, _fundHead(t, FundingMode.RefundBalance));
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, w, "")), _invalidSignature(buyer));
        escrow.fundTask(t, FundingMode.RefundBalance, h, w, "");
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    // --------------------------------------------------------------------------------------------------------- batches

    function test_finding_oneMemberExecutedAloneDoesNotUndoABatch() public {
        _hire(1, workers[0], PRICE);
        _hire(2, workers[1], PRICE);
        _hire(3, workers[2], PRICE);
        bytes[] memory calls = new bytes[](3);
        for (uint192 id = 1; id <= 3; ++id) {
            calls[id - 1] = _deliverCall(id, ARTIFACT);
        }
        vm.warp(START + 1 days);
        vm.prank(stranger);
        _runs(calls[1]);
        bytes memory again = _wrongState(2, NodeState.Delivered);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.CallSkipped(1, again);
        escrow.multicall(calls);
        for (uint192 id = 1; id <= 3; ++id) {
            _assertState(id, NodeState.Delivered);
        }
        _fails(abi.encodeCall(ITaskEscrow.multicall, (calls)), _wrongState(3, NodeState.Delivered));
    }

    // ------------------------------------------------------------------------------------------------------- revisions

    /// @dev Without a cap each delivery would open another window for up to a year.
    function testFuzz_finding_revisionsEnd(uint8 most) public {
        most = uint8(_bound(most, 0, 10));
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        t.maxRevisions = most;
        _runs(_fundCall(t));
        _deliver(1);
        for (uint256 i; i < most; ++i) {
            _reject(1);
            _deliver(1);
        }
        vm.warp(START + WINDOW);
        _reject(1);
        assertEq(escrow.node(1).clock, START + 2 * WINDOW, "time for the arbiter, not until the deadline");
        _fails(_deliverCall(1, ARTIFACT), abi.encodeWithSelector(ITaskEscrow.NoRevisionLeft.selector, most));
        vm.warp(START + 2 * WINDOW + 1);
        escrow.finalize(1);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function testFuzz_finding_theLastRejectionIsFinalWithoutArbiter(uint8 most) public {
        _useTreeWithoutArbiter();
        most = uint8(_bound(most, 0, 10));
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        t.maxRevisions = most;
        _runs(_fundCall(t));
        _deliver(1);
        for (uint256 i; i < most; ++i) {
            _reject(1);
            _assertState(1, NodeState.Rejected);
            _deliver(1);
        }
        _reject(1);
        _assertState(1, NodeState.Refunded);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    // ------------------------------------------------------------------------------------------------ stale signatures

    /// @dev Also when the worker delivers the very same artifact again.
    function test_finding_anAcceptanceSignedBeforeARejectionNeverRuns() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        bytes memory approval = _acceptCall(1);
        uint256 signedAt = _nonceAt(1);
        _reject(1);
        _fails(approval, _wrongNonce(signedAt + 1, signedAt));
        _deliver(1);
        _fails(approval, _wrongNonce(signedAt + 2, signedAt));
        _accept(1);
    }

    function test_finding_aRejectionSignedForTheFirstDeliveryDoesNotHitTheSecond() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        bytes memory rejection = _rejectCall(1);
        bytes memory sameAgain = _rejectCall(1);
        _runs(rejection);
        _deliver(1);
        _fails(sameAgain, _wrongNonce(uint256(1) << 8 | 4, uint256(1) << 8 | 2));
    }

    function test_finding_aSplitSignedBeforeADeliveryIsVoid() public {
        _hire(1, workers[0], PRICE);
        bytes memory agreed = _splitCall(1, PRICE / 2);
        _deliver(1);
        _fails(agreed, _wrongNonce(uint256(1) << 8 | 2, uint256(1) << 8 | 1));
    }

    // ------------------------------------------------------------------------------------------------- the last second

    function test_finding_authorizationsAreGoodInTheirLastSecond() public {
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        uint256 snapshot = vm.snapshotState();
        vm.warp(START + 1 days + 1);
        _fails(call, abi.encodeWithSelector(ITaskEscrow.ActionExpired.selector, START + 1 days));
        vm.revertToState(snapshot);
        vm.warp(START + 1 days);
        _runs(call);
        _assertState(1, NodeState.Funded);
    }

    // ------------------------------------------------------------------------------------------- roles of an agreement

    function test_finding_anAgreementNamesItsRoles() public {
        _hire(1, workers[0], PRICE);
        Auth memory h = _signedAt(1, buyer, _splitHead(1, PRICE));
        Auth memory w = _signedAt(1, workers[0], _splitHead(1, PRICE));
        _fails(abi.encodeCall(ITaskEscrow.agreeSplit, (1, PRICE, w, h)), _invalidSignature(buyer));
        // Words 2 and 3 are hirer and worker: over swapped roles neither side's signature is good.
        bytes memory head = _splitHead(1, PRICE);
        for (uint256 i; i < 32; ++i) {
            (head[64 + i], head[96 + i]) = (head[96 + i], head[64 + i]);
        }
        Auth memory swapped = _signedAt(1, buyer, head);
        _fails(abi.encodeCall(ITaskEscrow.agreeSplit, (1, PRICE, swapped, w)), _invalidSignature(buyer));
        swapped = _signedAt(1, workers[0], head);
        _fails(abi.encodeCall(ITaskEscrow.agreeSplit, (1, PRICE, h, swapped)), _invalidSignature(workers[0]));
        escrow.agreeSplit(1, PRICE, h, w);
    }

    // ----------------------------------------------------------------------------------------------- deployment again

    function test_finding_aTreeKeepsToItsOwnFactory() public {
        TaskEscrowFactory other = new TaskEscrowFactory(usdc);
        address elsewhere = other.createTree(buyer, arbiter, TREE, "");
        assertNotEq(elsewhere, address(escrow));
        assertEq(TaskEscrow(elsewhere).factory(), address(other));
        assertEq(escrow.factory(), address(factory));
    }
}
