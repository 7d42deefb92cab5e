// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract AgreeSplitHirerTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _splitHead(1, 40e6);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.agreeSplit, (1, 40e6, a, _signedAt(1, workers[0], _splitHead(1, 40e6))));
    }
}

contract AgreeSplitWorkerTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _splitHead(1, 40e6);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.agreeSplit, (1, 40e6, _signedAt(1, buyer, _splitHead(1, 40e6)), a));
    }
}

contract AgreeSplitTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _splitsNow() private {
        bytes memory call = _splitCall(1, 40e6);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, 40e6, 60e6, Outcome.Agreed);
        _runs(call);
        assertEq(escrow.refundOf(buyer), 60e6);
        assertEq(escrow.withdrawable(1), 40e6);
    }

    function test_agreeSplit_whileFunded() public {
        _splitsNow();
    }

    function test_agreeSplit_whileFundedPastTheDeadline() public {
        vm.warp(due + 1);
        _splitsNow();
    }

    function test_agreeSplit_whileDelivered() public {
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _splitsNow();
    }

    function test_agreeSplit_whileDisputed() public {
        _deliver(1);
        _reject(1);
        _dispute(1);
        vm.warp(START + 30 days + 1);
        _splitsNow();
    }

    function test_agreeSplit_whileRejectedUntilTheClock() public {
        _deliver(1);
        _reject(1);
        uint256 clock = escrow.node(1).clock;
        uint256 snapshot = vm.snapshotState();
        vm.warp(clock + 1);
        _fails(_splitCall(1, 40e6), _tooLate(clock));
        vm.revertToState(snapshot);
        vm.warp(clock);
        _splitsNow();
    }

    /// @dev Whatever the share, also one that would be too small for the children.
    function test_agreeSplit_ofARefundedNodeIsTooLateForAnyShare() public {
        _carve(CHILD, workers[1], 30e6);
        _deliver(1);
        _reject(1);
        uint256 clock = escrow.node(1).clock;
        vm.warp(clock + 1);
        _fails(_splitCall(1, 0), _tooLate(clock));
        _fails(_splitCall(1, PRICE), _tooLate(clock));
    }

    /// @dev Without a floor the arbiter's silence has refunded the node, whether or not anybody wrote that down.
    function test_agreeSplit_whileDisputedWithoutAFloorUntilTheClock() public {
        _hire(2, workers[1], PRICE, 0);
        _deliver(2);
        _reject(2);
        _dispute(2);
        uint256 clock = escrow.node(2).clock;
        uint256 snapshot = vm.snapshotState();
        vm.warp(clock + 1);
        assertEq(uint8(escrow.effectiveState(2)), uint8(NodeState.Refunded));
        _fails(_splitCall(2, 40e6), _tooLate(clock));
        _fails(_splitCall(2, 0), _tooLate(clock));
        escrow.finalize(2);
        assertEq(escrow.refundOf(buyer), PRICE);
        vm.revertToState(snapshot);
        vm.warp(clock);
        _split(2, 40e6);
        assertEq(escrow.refundOf(buyer), PRICE - 40e6);
    }

    function test_agreeSplit_ofNothingRefunds() public {
        bytes memory call = _splitCall(1, 0);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.Agreed);
        _runs(call);
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_agreeSplit_neverTakesTheChildrensMoney() public {
        _carve(CHILD, workers[1], 30e6);
        uint256[3] memory bad = [uint256(0), 30e6 - 1, PRICE + 1];
        for (uint256 i; i < bad.length; ++i) {
            _fails(
                _splitCall(1, bad[i]), abi.encodeWithSelector(ITaskEscrow.ShareOutOfRange.selector, bad[i], 30e6, PRICE)
            );
        }
        _split(1, 30e6);
        _deliver(CHILD);
        _accept(CHILD);
        _withdraw(CHILD, 30e6);
    }

    function test_agreeSplit_ofACarveOutRefillsTheParent() public {
        _carve(CHILD, workers[1], 30e6);
        _split(CHILD, 10e6);
        assertEq(escrow.node(1).allocated, 10e6);
    }

    function test_agreeSplit_bothMustHaveSignedTheSameShare() public {
        Auth memory h = _signedAt(1, buyer, _splitHead(1, 40e6));
        Auth memory w = _signedAt(1, workers[0], _splitHead(1, 50e6));
        _fails(abi.encodeCall(ITaskEscrow.agreeSplit, (1, 40e6, h, w)), _invalidSignature(workers[0]));
        _fails(abi.encodeCall(ITaskEscrow.agreeSplit, (1, 50e6, h, w)), _invalidSignature(buyer));
    }

    function test_agreeSplit_revertsInOtherStates() public {
        _fails(_splitCall(5, 0), _wrongState(5, NodeState.None));
        _deliver(1);
        _accept(1);
        _fails(_splitCall(1, 40e6), _wrongState(1, NodeState.Settled));
    }

    function testFuzz_agreeSplit_dividesWithoutLoss(uint64 amount, uint256 share) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        share = _bound(share, 0, amount);
        _hire(9, workers[2], amount);
        _split(9, share);
        assertEq(escrow.refundOf(buyer), amount - share);
        assertEq(escrow.withdrawable(9), share);
    }
}
