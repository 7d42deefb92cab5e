// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {TaskEscrowFactory} from "../../src/TaskEscrowFactory.sol";
import {Auth, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {CirclesUsdc} from "../base/CirclesUsdc.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

/// @notice Gas of a whole job, transaction by transaction, with the local token.
contract JobGasTest is EscrowTest {
    address private constant RECIPIENT = address(0xCAFE);

    string private job;
    uint256 private total;
    uint256 private sent;

    function setUp() public override {
        super.setUp();
        _chooseToken();
        usdc.mint(buyer, 1_000e6);
        usdc.mint(workers[0], 100e6);
        usdc.mint(RECIPIENT, 100e6);
    }

    function _chooseToken() internal virtual {}

    /// @dev Name of the file with the figures.
    function _group() internal pure virtual returns (string memory) {
        return "job";
    }

    /// @dev Notes what the last call cost, and what of it is calldata.
    function _note(string memory name, bytes memory call) private {
        total += vm.snapshotGasLastCall(_group(), string.concat(job, ": ", name));
        sent += call.length;
    }

    function _step(string memory name, bytes memory call) private {
        _runs(call);
        _note(name, call);
    }

    function _start(string memory name) private {
        job = name;
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, "job"));
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        factory.createTree(buyer, arbiter, "job", call);
        _note("tree and hire", abi.encodeCall(TaskEscrowFactory.createTree, (buyer, arbiter, "job", call)));
    }

    /// @dev Who holds the pay at the end.
    function _end(address paid) private {
        _assertState(1, NodeState.Settled);
        assertEq(usdc.balanceOf(paid), 100e6 + PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
        vm.snapshotValue(_group(), string.concat(job, ": total"), total);
        vm.snapshotValue(_group(), string.concat(job, ": calldata"), sent);
    }

    function _paidAtAcceptance(string memory name) private {
        _start(name);
        _step("deliver", _deliverCall(1, ARTIFACT, true));
        _step("accept and pay", _acceptCall(1));
        _end(workers[0]);
    }

    /// @dev The most that a whole job may cost.
    function _bar() internal pure virtual returns (uint256) {
        return 382_000;
    }

    function test_gas_job() public {
        _paidAtAcceptance("paid at acceptance");
        assertLe(total, _bar());
    }

    /// @dev Buyer and worker are contracts, each of which accepts the signatures of a key.
    function test_gas_jobOfContractWallets() public {
        address[2] memory accounts = [buyer, workers[0]];
        for (uint256 i; i < 2; ++i) {
            address owner = _account(string.concat("owner of ", vm.toString(accounts[i])));
            vm.etch(accounts[i], address(new OwnedWallet(owner)).code);
            keyOf[accounts[i]] = keyOf[owner];
        }
        _paidAtAcceptance("ERC-1271 signers");
    }

    function test_gas_jobBySilence() public {
        _start("silence");
        _step("deliver", _deliverCall(1, ARTIFACT, true));
        vm.warp(START + WINDOW + 1);
        _step("finalize and pay", abi.encodeCall(ITaskEscrow.finalize, (1)));
        _end(workers[0]);
    }

    /// @dev Acceptance, and a withdrawal to whomever the worker named, in one transaction.
    function test_gas_jobForAnotherRecipient() public {
        _start("another recipient");
        _step("deliver", _deliverCall(1, ARTIFACT, false));
        Auth memory a = _signed(workers[0], _withdrawHead(1, RECIPIENT, PRICE));
        bytes[] memory calls = new bytes[](2);
        calls[0] = _acceptCall(1);
        calls[1] = abi.encodeCall(ITaskEscrow.withdrawEarnings, (1, RECIPIENT, PRICE, a));
        _step("accept and withdraw", abi.encodeCall(ITaskEscrow.multicall, (calls)));
        _end(RECIPIENT);
    }

    function test_gas_jobPulled() public {
        _start("withdrawn later");
        _step("deliver", _deliverCall(1, ARTIFACT, false));
        _step("accept", _acceptCall(1));
        _step("withdraw", _withdrawCall(1, PRICE));
        _end(workers[0]);
    }
}

/// @notice The same with the code of Circle's USDC.
contract CirclesJobGasTest is JobGasTest {
    function _chooseToken() internal override {
        _useToken(CirclesUsdc.deploy());
    }

    function _group() internal pure override returns (string memory) {
        return "job-circles";
    }

    function _bar() internal pure override returns (uint256) {
        return 395_000;
    }
}
