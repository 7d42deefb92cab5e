// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ActionTest} from "../base/ActionTest.sol";

contract CreateTaskTest is ActionTest {
    function _arrange() internal override {}

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _createTaskHead(250e6, "terms");
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.createTask, (250e6, "terms", a));
    }

    function testFuzz_createTask_recordsTheTermsAndMovesNothing(uint256 budget, bytes32 termsHash) public {
        Auth memory a = _signed(buyer, _createTaskHead(budget, termsHash));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.TaskCreated(buyer, arbiter, budget, termsHash);
        escrow.createTask(budget, termsHash, a);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_createTask_worksWithoutArbiter() public {
        _useTreeWithoutArbiter();
        Auth memory a = _signed(buyer, _createTaskHead(1, "terms"));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.TaskCreated(buyer, address(0), 1, "terms");
        escrow.createTask(1, "terms", a);
    }

    function test_createTask_revertsWhenTheSignatureIsForOtherTerms() public {
        Auth memory a = _signed(buyer, _createTaskHead(1, "terms"));
        _fails(abi.encodeCall(ITaskEscrow.createTask, (2, "terms", a)), _invalidSignature(buyer));
        _fails(abi.encodeCall(ITaskEscrow.createTask, (1, "other", a)), _invalidSignature(buyer));
    }
}
