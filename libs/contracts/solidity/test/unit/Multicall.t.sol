// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract MulticallTest is EscrowTest {
    function test_multicall_runsSeveralRelayedCalls() public {
        usdc.mint(buyer, PRICE);
        _hire(2, workers[1], PRICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = _fundCall(_terms(1, workers[0], PRICE, true));
        calls[1] = _deliverCall(2, ARTIFACT);
        vm.prank(stranger);
        escrow.multicall(calls);
        _assertState(1, NodeState.Funded);
        _assertState(2, NodeState.Delivered);
    }

    function test_multicall_keepsTheSender() public {
        usdc.mint(buyer, PRICE);
        _hire(2, workers[1], PRICE);
        _deliver(2);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ITaskEscrow.resolveTask, (2, ARTIFACT, _auth(_nonceAt(2))));
        calls[1] = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, _auth(1 << 8), w, ""));
        vm.startPrank(buyer);
        usdc.approve(address(escrow), PRICE);
        escrow.multicall(calls);
        vm.stopPrank();
        _assertState(1, NodeState.Funded);
        _assertState(2, NodeState.Settled);
    }

    /// @dev Each member is a transaction of its own kind: what one does, the next one sees.
    function test_multicall_skipsWhatFailsAndSaysSo() public {
        _hire(1, workers[0], PRICE);
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(ITaskEscrow.finalize, (1));
        calls[1] = _deliverCall(1, ARTIFACT);
        calls[2] = abi.encodeCall(ITaskEscrow.finalize, (1));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.CallSkipped(0, _wrongState(1, NodeState.Funded));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.CallSkipped(2, _wrongState(1, NodeState.Delivered));
        escrow.multicall(calls);
        _assertState(1, NodeState.Delivered);
    }

    function test_multicall_aSkippedMemberLeavesNothingBehind() public {
        _hire(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE - 1); // one unit short
        bytes[] memory calls = new bytes[](2);
        calls[0] = _fundCall(_terms(2, workers[1], PRICE, true));
        calls[1] = _deliverCall(1, ARTIFACT);
        escrow.multicall(calls);
        _assertState(2, NodeState.None);
        assertFalse(escrow.nonceUsed(buyer, 2 << 8));
    }

    function test_multicall_failsWithTheLastReasonWhenAllFail() public {
        _hire(1, workers[0], PRICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ITaskEscrow.finalize, (7));
        calls[1] = abi.encodeCall(ITaskEscrow.finalize, (1));
        _fails(abi.encodeCall(ITaskEscrow.multicall, (calls)), _wrongState(1, NodeState.Funded));
        bytes[] memory one = new bytes[](1);
        one[0] = calls[0];
        _fails(abi.encodeCall(ITaskEscrow.multicall, (one)), _wrongState(7, NodeState.None));
    }

    function test_multicall_mayBeEmptyOrNested() public {
        bytes[] memory inner = new bytes[](0);
        bytes[] memory calls = new bytes[](1);
        calls[0] = abi.encodeCall(ITaskEscrow.multicall, (inner));
        escrow.multicall(calls);
    }

    function test_multicall_takesNoEther() public {
        vm.deal(address(this), 1);
        (bool ok,) = address(escrow).call{value: 1}(abi.encodeCall(ITaskEscrow.multicall, (new bytes[](0))));
        assertFalse(ok);
        (ok,) = address(escrow).call{value: 1}("");
        assertFalse(ok);
    }

    function test_multicall_refusesTheImplementation() public {
        vm.expectRevert(ITaskEscrow.NotAClone.selector);
        implementation.multicall(new bytes[](0));
    }
}
