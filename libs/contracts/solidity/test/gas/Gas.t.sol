// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

/// @notice Gas of whole transactions, run with `FOUNDRY_PROFILE=gas`. Relayed unless it says otherwise.
contract GasTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        // Everybody has dealt in USDC before: the first balance ever is not what is measured.
        usdc.mint(buyer, 1_000e6);
        for (uint256 i; i < workers.length; ++i) {
            usdc.mint(workers[i], 100e6);
        }
    }

    /// @dev Sends the call and notes what it costs.
    function _measure(string memory name, bytes memory call) private {
        _runs(call);
        vm.snapshotGasLastCall("escrow", name);
    }

    /// @dev As after an earlier action of the account: its nonce word is in use.
    function _warm(address account) private {
        vm.prank(account);
        escrow.invalidateNonces(0, 1 << 255);
    }

    function _createTaskCall() private returns (bytes memory) {
        Auth memory a = _signed(buyer, _createTaskHead(PRICE, "terms"));
        return abi.encodeCall(ITaskEscrow.createTask, (PRICE, "terms", a));
    }

    function _disputed() private {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        _dispute(1);
    }

    function test_gas_createTree() public {
        factory.createTree(buyer, arbiter, "t2", new bytes[](0));
        vm.snapshotGasLastCall("escrow", "createTree");
    }

    function test_gas_createTask() public {
        _measure("createTask, buyer's first nonce", _createTaskCall());
    }

    function test_gas_selectAgent() public {
        _warm(buyer);
        _measure("selectAgent, worker's first nonce", _selectCall(_terms(1, 0, workers[0], PRICE, true)));
    }

    function test_gas_fundTask3009() public {
        _warm(buyer);
        _select(1, workers[0], PRICE);
        _measure("fundTask, EIP-3009", _fundCall(1));
    }

    function test_gas_fundTaskAllowanceDirect() public {
        _warm(buyer);
        _select(1, workers[0], PRICE);
        bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Allowance, _auth(buyer), ""));
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        vm.prank(buyer);
        _measure("fundTask, allowance, direct", call);
    }

    function test_gas_bundle() public {
        bytes[] memory calls = new bytes[](3);
        calls[0] = _createTaskCallFor("t3");
        calls[1] = _selectCall(_terms(1, 0, workers[0], PRICE, true));
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1, workers[0], PRICE));
        calls[2] = abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Authorization3009, a, ""));
        factory.createTree(buyer, arbiter, "t3", calls);
        vm.snapshotGasLastCall("escrow", "createTree + createTask + selectAgent + fundTask");
        _assertState(1, NodeState.Funded);
    }

    /// @dev Goes on with a tree that is not deployed yet; the head is the deployed tree's, as its parties are the same.
    function _createTaskCallFor(bytes32 treeId) private returns (bytes memory) {
        bytes memory head = _createTaskHead(PRICE, "terms");
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, treeId));
        return abi.encodeCall(ITaskEscrow.createTask, (PRICE, "terms", _signed(buyer, head)));
    }

    function test_gas_subcontract() public {
        _hire(1, workers[0], PRICE);
        _measure("subcontract, carve-out", _carveCall(_terms(2, 1, workers[1], 40e6, false)));
    }

    function test_gas_subcontractOwnMoney() public {
        _hire(1, workers[0], PRICE);
        _measure("subcontract, hirer-funded, EIP-3009", _ownMoneyCall(_terms(2, 1, workers[1], 40e6, true)));
    }

    function test_gas_deliver() public {
        _hire(1, workers[0], PRICE);
        _measure("deliver", _deliverCall(1, ARTIFACT));
        _reject(1);
        _measure("deliver, again", _deliverCall(1, "second"));
    }

    function test_gas_deliverDirect() public {
        _hire(1, workers[0], PRICE);
        bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, _auth(workers[0])));
        vm.prank(workers[0]);
        _measure("deliver, direct", call);
    }

    function test_gas_deliverErc1271() public {
        address owner = _account("wallet owner");
        address wallet = address(new OwnedWallet(owner));
        keyOf[wallet] = keyOf[owner];
        _hire(1, wallet, PRICE);
        _measure("deliver, ERC-1271", _deliverCall(1, ARTIFACT));
    }

    function test_gas_resolveTask() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _measure("resolveTask", _acceptCall(1));
    }

    function test_gas_resolveTaskDirect() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        bytes memory call = abi.encodeCall(ITaskEscrow.resolveTask, (1, ARTIFACT, _auth(buyer)));
        vm.prank(buyer);
        _measure("resolveTask, direct", call);
    }

    function test_gas_rejectTask() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _measure("rejectTask", _rejectCall(1));
    }

    function test_gas_abandonNode() public {
        _hire(1, workers[0], PRICE);
        _carve(2, 1, workers[1], 40e6);
        _measure("abandonNode, child", _abandonCall(2));
        _hire(3, workers[2], PRICE);
        _measure("abandonNode, root", _abandonCall(3));
    }

    function test_gas_claimNonDelivery() public {
        _hire(1, workers[0], PRICE);
        vm.warp(due + 1);
        _measure("claimNonDelivery, root, by the hirer", _claimCall(1, buyer));
    }

    function test_gas_disputeNode() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        _measure("disputeNode", _disputeCall(1));
    }

    function test_gas_ruleDispute() public {
        _disputed();
        _measure("ruleDispute, half", _ruleCall(1, PRICE / 2));
    }

    function test_gas_agreeSplit() public {
        _hire(1, workers[0], PRICE);
        _measure("agreeSplit", _splitCall(1, 40e6));
    }

    function test_gas_finalize() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _measure("finalize, silent acceptance", abi.encodeCall(ITaskEscrow.finalize, (1)));
    }

    function test_gas_withdrawEarnings() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _accept(1);
        _measure("withdrawEarnings", _withdrawCall(1, PRICE));
    }

    function test_gas_withdrawEarningsAfterSilence() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _measure("withdrawEarnings, with silent acceptance", _withdrawCall(1, PRICE));
    }

    function test_gas_withdrawEarningsOnLevelThree() public {
        _hire(1, workers[0], PRICE);
        _carve(2, 1, workers[1], 60e6);
        _carve(3, 2, workers[2], 30e6);
        for (uint32 id = 1; id <= 3; ++id) {
            _deliver(id);
            _accept(id);
        }
        _measure("withdrawEarnings, level 3", _withdrawCall(3, 30e6));
    }

    function test_gas_withdrawRefund() public {
        _hire(1, workers[0], PRICE);
        _abandon(1);
        _measure("withdrawRefund", _withdrawRefundCall(buyer, PRICE));
    }

    function test_gas_invalidateNonces() public {
        vm.prank(buyer);
        _measure("invalidateNonces, direct", abi.encodeCall(ITaskEscrow.invalidateNonces, (0, 1)));
    }
}
