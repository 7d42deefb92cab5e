// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

/// @notice Gas of whole transactions, run by `npm run contracts:gas`. Relayed unless it says otherwise.
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

    function _disputed() private {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        _dispute(1);
    }

    function test_gas_createTree() public {
        factory.createTree(buyer, arbiter, "t2", "");
        vm.snapshotGasLastCall("escrow", "createTree");
    }

    function test_gas_fundTask3009() public {
        _measure("fundTask, EIP-3009", _fundCall(_terms(1, workers[0], PRICE, true)));
    }

    function test_gas_fundTaskAllowanceDirect() public {
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, _auth(1 << 8), w, ""));
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        vm.prank(buyer);
        _measure("fundTask, allowance, direct", call);
    }

    function test_gas_fundTaskRefundBalance() public {
        _hire(9, workers[3], PRICE);
        _abandon(9);
        _measure("fundTask, refund balance", _fundCall(_terms(1, workers[0], PRICE, true), FundingMode.RefundBalance));
    }

    function test_gas_bundle() public {
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, "t3"));
        factory.createTree(buyer, arbiter, "t3", _fundCall(_terms(1, workers[0], PRICE, true)));
        vm.snapshotGasLastCall("escrow", "createTree + fundTask");
        _assertState(1, NodeState.Funded);
    }

    function test_gas_subcontract() public {
        _hire(1, workers[0], PRICE);
        _measure("subcontract, carve-out", _carveCall(_terms(CHILD, workers[1], 40e6, false)));
    }

    function test_gas_subcontractOwnMoney() public {
        _hire(1, workers[0], PRICE);
        _measure("subcontract, hirer-funded, EIP-3009", _ownMoneyCall(_terms(CHILD, workers[1], 40e6, true)));
    }

    function test_gas_deliver() public {
        _hire(1, workers[0], PRICE);
        _measure("deliver", _deliverCall(1, ARTIFACT));
        _reject(1);
        _measure("deliver, again", _deliverCall(1, "second"));
    }

    function test_gas_deliverDirect() public {
        _hire(1, workers[0], PRICE);
        bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, false, _auth(_nonceAt(1))));
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

    function test_gas_resolveTaskPaysOut() public {
        _hire(1, workers[0], PRICE);
        _runs(_deliverCall(1, ARTIFACT, true));
        _measure("resolveTask, pays out", _acceptCall(1));
    }

    function test_gas_finalizePaysOut() public {
        _hire(1, workers[0], PRICE);
        _runs(_deliverCall(1, ARTIFACT, true));
        vm.warp(START + WINDOW + 1);
        _measure("finalize, silent acceptance, pays out", abi.encodeCall(ITaskEscrow.finalize, (1)));
    }

    function test_gas_resolveTaskDirect() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        bytes memory call = abi.encodeCall(ITaskEscrow.resolveTask, (1, ARTIFACT, _auth(_nonceAt(1))));
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
        _carve(CHILD, workers[1], 40e6);
        _measure("abandonNode, child", _abandonCall(CHILD));
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
        _carve(CHILD, workers[1], 50e6);
        _carve(GRANDCHILD, workers[2], 25e6);
        for (uint192 id = GRANDCHILD; id != 0; id >>= 24) {
            _deliver(id);
            _accept(id);
        }
        _measure("withdrawEarnings, level 3", _withdrawCall(GRANDCHILD, 25e6));
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
