// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Gas of a whole job, transaction by transaction.
contract JobGasTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        usdc.mint(buyer, 1_000e6);
        usdc.mint(workers[0], 100e6);
    }

    function _start() private returns (uint256 gas) {
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, "job"));
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        factory.createTree(buyer, arbiter, "job", call);
        gas = vm.snapshotGasLastCall("job", "tree and hire");
    }

    function test_gas_job() public {
        uint256 total = _start();
        _runs(_deliverCall(1, ARTIFACT, true));
        total += vm.snapshotGasLastCall("job", "deliver");
        _runs(_acceptCall(1));
        total += vm.snapshotGasLastCall("job", "accept, pays the worker's own wallet");
        _assertState(1, NodeState.Settled);
        assertEq(usdc.balanceOf(workers[0]), 100e6 + PRICE);
        vm.snapshotValue("job", "total", total);
    }

    function test_gas_jobBySilence() public {
        uint256 total = _start();
        _runs(_deliverCall(1, ARTIFACT, true));
        total += vm.snapshotGasLastCall("job", "deliver");
        vm.warp(START + WINDOW + 1);
        _runs(abi.encodeCall(ITaskEscrow.finalize, (1)));
        total += vm.snapshotGasLastCall("job", "finalize, pays the worker's own wallet");
        assertEq(usdc.balanceOf(workers[0]), 100e6 + PRICE);
        vm.snapshotValue("job", "total by silence", total);
    }

    function test_gas_jobPulled() public {
        uint256 total = _start();
        _runs(_deliverCall(1, ARTIFACT, false));
        total += vm.snapshotGasLastCall("job", "deliver, to pull");
        _runs(_acceptCall(1));
        total += vm.snapshotGasLastCall("job", "accept, to pull");
        _runs(_withdrawCall(1, PRICE));
        total += vm.snapshotGasLastCall("job", "withdrawEarnings");
        vm.snapshotValue("job", "total, pulled", total);
    }
}
