// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract DisputeNodeTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal pure override returns (bytes memory) {
        return _disputeHead(1, "evidence");
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.disputeNode, (1, "evidence", a));
    }

    function test_disputeNode_givesTheArbiterThirtyDays() public {
        _arrange();
        bytes memory call = _disputeCall(1);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeDisputed(1, "evidence", START + 30 days);
        _runs(call);
        _assertState(1, NodeState.Disputed);
        assertEq(escrow.node(1).clock, START + 30 days);
    }

    function test_disputeNode_untilTheClockAndNotAfter() public {
        _arrange();
        uint256 clock = escrow.node(1).clock;
        uint256 snapshot = vm.snapshotState();
        for (uint256 t = clock - 1; t <= clock; ++t) {
            vm.warp(t);
            _dispute(1);
            vm.revertToState(snapshot);
        }
        vm.warp(clock + 1);
        _fails(_disputeCall(1), _tooLate(clock));
    }

    function test_disputeNode_revertsWithoutArbiter() public {
        _useTreeWithoutArbiter();
        _arrange();
        _fails(_disputeCall(1), _error(ITaskEscrow.NoArbiter.selector));
    }

    function test_disputeNode_revertsInOtherStates() public {
        _fails(_disputeCall(1), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_disputeCall(1), _wrongState(1, NodeState.Funded));
        _deliver(1);
        _fails(_disputeCall(1), _wrongState(1, NodeState.Delivered));
        _reject(1);
        _dispute(1);
        _fails(_disputeCall(1), _wrongState(1, NodeState.Disputed));
    }
}
