// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";
import {PlainUsdc} from "./PlainUsdc.sol";

/// @notice The calls whose price depends on what is sent, with what the prototype's figures were measured with: the
///         plain token and three letters for an artifact's hash. {GasTest} sends whole hashes to {LocalUsdc}.
contract GasAsDesignedTest is EscrowTest {
    bytes32 private constant SHORT = "art";

    function setUp() public override {
        super.setUp();
        _useToken(LocalUsdc(address(new PlainUsdc())));
        usdc.mint(buyer, 1_000e6);
        for (uint256 i; i < workers.length; ++i) {
            usdc.mint(workers[i], 100e6);
        }
    }

    function _measure(string memory name, bytes memory call) private {
        _runs(call);
        vm.snapshotGasLastCall("as-designed", name);
    }

    function _warm(address account) private {
        vm.prank(account);
        escrow.invalidateNonces(0, 1 << 255);
    }

    function _hired() private {
        _select(1, workers[0], PRICE);
        _runs(_fundCall(1));
    }

    function _delivered() private {
        _hired();
        _runs(_deliverCall(1, SHORT));
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
        bytes memory head = _createTaskHead(PRICE, "terms");
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, "t3"));
        calls[0] = abi.encodeCall(ITaskEscrow.createTask, (PRICE, "terms", _signed(buyer, head)));
        calls[1] = _selectCall(_terms(1, 0, workers[0], PRICE, true));
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1, workers[0], PRICE));
        calls[2] = abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Authorization3009, a, ""));
        factory.createTree(buyer, arbiter, "t3", calls);
        vm.snapshotGasLastCall("as-designed", "createTree + createTask + selectAgent + fundTask");
        _assertState(1, NodeState.Funded);
    }

    function test_gas_subcontractOwnMoney() public {
        _hired();
        _measure("subcontract, hirer-funded, EIP-3009", _ownMoneyCall(_terms(2, 1, workers[1], 40e6, true)));
    }

    function test_gas_deliver() public {
        _hired();
        _measure("deliver", _deliverCall(1, SHORT));
        _reject(1);
        _measure("deliver, again", _deliverCall(1, "art2"));
    }

    function test_gas_deliverDirect() public {
        _hired();
        bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (1, SHORT, _auth(workers[0])));
        vm.prank(workers[0]);
        _measure("deliver, direct", call);
    }

    function test_gas_deliverErc1271() public {
        address owner = _account("wallet owner");
        address wallet = address(new OwnedWallet(owner));
        keyOf[wallet] = keyOf[owner];
        _select(1, wallet, PRICE);
        _runs(_fundCall(1));
        _measure("deliver, ERC-1271", _deliverCall(1, SHORT));
    }

    function test_gas_resolveTask() public {
        _delivered();
        _measure("resolveTask", _acceptCall(1));
    }

    function test_gas_resolveTaskDirect() public {
        _delivered();
        bytes memory call = abi.encodeCall(ITaskEscrow.resolveTask, (1, SHORT, _auth(buyer)));
        vm.prank(buyer);
        _measure("resolveTask, direct", call);
    }

    function test_gas_rejectTask() public {
        _delivered();
        Auth memory a = _signed(buyer, _rejectHead(1, "why"));
        _measure("rejectTask", abi.encodeCall(ITaskEscrow.rejectTask, (1, SHORT, "why", a)));
    }

    function test_gas_withdrawEarnings() public {
        _delivered();
        _accept(1);
        _measure("withdrawEarnings", _withdrawCall(1, PRICE));
    }

    function test_gas_withdrawRefund() public {
        _hired();
        _abandon(1);
        _measure("withdrawRefund", _withdrawRefundCall(buyer, PRICE));
    }
}
