// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract MulticallTest is EscrowTest {
    function test_multicall_runsSeveralRelayedCalls() public {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = _fundCall(1);
        calls[1] = _deliverCall(1, ARTIFACT);
        vm.prank(stranger);
        escrow.multicall(calls);
        _assertState(1, NodeState.Delivered);
    }

    function test_multicall_keepsTheSender() public {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ITaskEscrow.createTask, (1, "terms", _auth(buyer)));
        calls[1] = abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Allowance, _auth(buyer), ""));
        vm.startPrank(buyer);
        usdc.approve(address(escrow), PRICE);
        escrow.multicall(calls);
        vm.stopPrank();
        _assertState(1, NodeState.Funded);
    }

    function test_multicall_allOrNoneAndPassesTheErrorOn() public {
        bytes[] memory calls = new bytes[](2);
        calls[0] = _selectCall(_terms(1, 0, workers[0], PRICE, true));
        calls[1] = abi.encodeCall(ITaskEscrow.finalize, (1));
        _fails(abi.encodeCall(ITaskEscrow.multicall, (calls)), _wrongState(1, NodeState.Selected));
        _assertState(1, NodeState.None);
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
