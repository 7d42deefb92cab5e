// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract RuleDisputeTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 30e6);
        _deliver(1);
        _reject(1);
        _dispute(1);
    }

    function _signer() internal view override returns (address) {
        return arbiter;
    }

    function _head() internal view override returns (bytes memory) {
        return _ruleHead(1, 70e6, "ruling");
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.ruleDispute, (1, 70e6, "ruling", a));
    }

    function test_ruleDispute_splits() public {
        _arrange();
        bytes memory call = _ruleCall(1, 70e6);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeSettled(1, 70e6, 30e6, Outcome.Ruled);
        _runs(call);
        assertEq(escrow.refundOf(buyer), 30e6);
        assertEq(escrow.withdrawable(1), 40e6, "the child's part is not the worker's");
        assertEq(escrow.node(CHILD).amount, 30e6, "the child stays whole");
    }

    function test_ruleDispute_nothingRefundsAndClosesTheChildren() public {
        _arrange();
        bytes memory call = _ruleCall(1, 0);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeRefunded(1, PRICE, Outcome.Ruled);
        _runs(call);
        _assertState(1, NodeState.Refunded);
        assertEq(escrow.refundOf(buyer), PRICE);
        _fails(_deliverCall(CHILD, ARTIFACT), abi.encodeWithSelector(ITaskEscrow.AncestorClosed.selector, 1));
    }

    function test_ruleDispute_neverHalfFundsAChildNorExceedsTheNode() public {
        _arrange();
        uint256[3] memory bad = [uint256(1), 30e6 - 1, PRICE + 1];
        for (uint256 i; i < bad.length; ++i) {
            _fails(
                _ruleCall(1, bad[i]), abi.encodeWithSelector(ITaskEscrow.ShareOutOfRange.selector, bad[i], 30e6, PRICE)
            );
        }
        uint256 snapshot = vm.snapshotState();
        _rule(1, 30e6);
        assertEq(escrow.withdrawable(1), 0);
        vm.revertToState(snapshot);
        _rule(1, PRICE);
        assertEq(escrow.withdrawable(1), 70e6);
    }

    function test_ruleDispute_untilTheClockAndNotAfter() public {
        _arrange();
        uint256 clock = escrow.node(1).clock;
        uint256 snapshot = vm.snapshotState();
        for (uint256 t = clock - 1; t <= clock; ++t) {
            vm.warp(t);
            _rule(1, 50e6);
            vm.revertToState(snapshot);
        }
        vm.warp(clock + 1);
        _fails(_ruleCall(1, 50e6), _tooLate(clock));
    }

    function test_ruleDispute_onlyOnce() public {
        _arrange();
        _rule(1, 50e6);
        _fails(_ruleCall(1, 60e6), _wrongState(1, NodeState.Settled));
    }

    function test_ruleDispute_revertsUnlessDisputed() public {
        _fails(_ruleCall(1, 0), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_ruleCall(1, 0), _wrongState(1, NodeState.Funded));
        _deliver(1);
        _fails(_ruleCall(1, 0), _wrongState(1, NodeState.Delivered));
        _reject(1);
        _fails(_ruleCall(1, 0), _wrongState(1, NodeState.Rejected));
    }

    function testFuzz_ruleDispute_dividesWithoutLoss(uint64 amount, uint64 child, uint256 share) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        child = uint64(_bound(child, 0, amount));
        share = _bound(share, child, amount);
        _hire(1, workers[0], amount, amount);
        if (child != 0) _carve(CHILD, workers[1], child);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _rule(1, share);
        assertEq(escrow.refundOf(buyer), amount - share);
        assertEq(escrow.withdrawable(1), share - child);
    }
}
