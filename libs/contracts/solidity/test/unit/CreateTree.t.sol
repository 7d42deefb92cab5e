// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {TaskEscrowFactory} from "../../src/TaskEscrowFactory.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {IFiatToken} from "../../src/interfaces/IFiatToken.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice The factory with its check of the parties open to a test.
contract PartiesCheck is TaskEscrowFactory {
    constructor(IFiatToken token_) TaskEscrowFactory(token_) {}

    function checkParties(address buyer, address arbiter, address escrow) external view {
        _checkParties(buyer, arbiter, escrow);
    }
}

contract CreateTreeTest is EscrowTest {
    bytes32 private constant OTHER = keccak256("task_2");

    function test_createTree_deploysAtTheAddressKnownBefore() public {
        address predicted = factory.escrowOf(buyer, arbiter, OTHER);
        assertEq(predicted.code.length, 0);
        vm.expectEmit(address(factory));
        emit TaskEscrowFactory.TreeCreated(OTHER, predicted, buyer, arbiter);
        assertEq(factory.createTree(buyer, arbiter, OTHER, ""), predicted);
        assertEq(predicted.code.length, 0x2d + 40);
    }

    function test_factory_deploysTheImplementationItself() public view {
        assertEq(factory.implementation(), vm.computeCreateAddress(address(factory), 1));
        assertEq(TaskEscrow(factory.implementation()).factory(), address(factory));
        assertEq(address(implementation.token()), address(usdc));
        assertEq(address(factory.token()), address(usdc));
    }

    /// @dev Else every payment would fail only when the first buyer pays.
    function test_factory_needsAToken() public {
        address[2] memory none = [address(0), stranger];
        for (uint256 i; i < none.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(ITaskEscrow.InvalidToken.selector, none[i]));
            new TaskEscrowFactory(IFiatToken(none[i]));
            vm.expectRevert(abi.encodeWithSelector(ITaskEscrow.InvalidToken.selector, none[i]));
            new TaskEscrow(IFiatToken(none[i]));
        }
    }

    function test_createTree_isIdempotentForEverybody() public {
        vm.prank(stranger);
        address first = factory.createTree(buyer, arbiter, OTHER, "");
        vm.recordLogs();
        assertEq(factory.createTree(buyer, arbiter, OTHER, ""), first);
        assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_createTree_carriesTheWholeStart() public {
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, OTHER));
        usdc.mint(buyer, PRICE);
        bytes memory call = _start();
        vm.prank(stranger);
        factory.createTree(buyer, arbiter, OTHER, call);
        _assertState(1, NodeState.Funded);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
    }

    function test_createTree_carriesTheStartToATreeThatSomebodyDeployedFirst() public {
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, OTHER));
        usdc.mint(buyer, PRICE);
        bytes memory call = _start();
        vm.prank(stranger);
        factory.createTree(buyer, arbiter, OTHER, "");
        factory.createTree(buyer, arbiter, OTHER, call);
        _assertState(1, NodeState.Funded);
    }

    /// @dev Signed for a tree that is not deployed yet.
    function _start() private returns (bytes memory) {
        return _fundCall(_terms(1, workers[0], PRICE, true));
    }

    function test_createTree_senderOfTheCallIsTheFactory() public {
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, OTHER));
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, _auth(1 << 8), w, ""));
        vm.prank(buyer);
        vm.expectRevert(_invalidSignature(buyer));
        factory.createTree(buyer, arbiter, OTHER, call);
        assertEq(address(escrow).code.length, 0, "all or nothing");
    }

    function test_createTree_passesTheErrorOn() public {
        vm.expectRevert(_wrongState(1, NodeState.None));
        factory.createTree(buyer, arbiter, OTHER, abi.encodeCall(ITaskEscrow.finalize, (1)));
    }

    function test_createTree_revertsWithoutBuyerOrWithTheBuyerAsArbiter() public {
        _refuses(address(0), arbiter);
        _refuses(address(0), address(0));
        _refuses(buyer, buyer);
    }

    function test_createTree_refusesTheFactoryAsBuyer() public {
        _refuses(address(factory), arbiter);
        _refuses(address(factory), address(0));
    }

    function test_createTree_refusesContractsOfTheDeploymentAsArbiter() public {
        _refuses(buyer, address(factory));
        _refuses(buyer, address(usdc));
        _refuses(buyer, address(implementation));
    }

    function test_createTree_refusesReservedAddressesAsArbiter() public {
        _refuses(buyer, address(1));
        _refuses(buyer, address(4));
        _refuses(buyer, address(0xffff));
        _accepts(buyer, address(0x10000));
        _accepts(buyer, address(0));
    }

    /// @dev No test can find an arbiter whose tree lies at its own address, so the check is asked alone.
    function test_checkParties_refusesTheEscrowAsArbiter() public {
        PartiesCheck check = new PartiesCheck(usdc);
        check.checkParties(buyer, arbiter, address(escrow));
        vm.expectRevert(abi.encodeWithSelector(TaskEscrowFactory.InvalidParties.selector, buyer, address(escrow)));
        check.checkParties(buyer, address(escrow), address(escrow));
    }

    function _refuses(address b, address a) private {
        vm.expectRevert(abi.encodeWithSelector(TaskEscrowFactory.InvalidParties.selector, b, a));
        factory.createTree(b, a, OTHER, "");
    }

    function _accepts(address b, address a) private {
        assertEq(factory.createTree(b, a, OTHER, ""), factory.escrowOf(b, a, OTHER));
    }

    function testFuzz_escrowOf_commitsToEverything(address b, address a, bytes32 id) public {
        vm.assume(b != address(0) && b != a && b != address(factory));
        vm.assume(a == address(0) || uint160(a) > 0xffff);
        vm.assume(a != address(factory) && a != address(usdc) && a != address(implementation));
        address predicted = factory.escrowOf(b, a, id);
        assertEq(factory.createTree(b, a, id, ""), predicted);
        assertNotEq(predicted, factory.escrowOf(b, address(uint160(a) ^ 1), id));
        assertNotEq(predicted, factory.escrowOf(address(uint160(b) ^ 1), a, id));
        assertNotEq(predicted, factory.escrowOf(b, a, id ^ bytes32(uint256(1))));
        assertNotEq(predicted, new TaskEscrowFactory(usdc).escrowOf(b, a, id));
    }

    /// @dev A forwarder made without parties belongs to nobody: the zero address can neither send nor sign.
    function test_bareCloneBelongsToNobody() public {
        escrow = TaskEscrow(Clones.clone(address(implementation)));
        (address b, address a) = escrow.parties();
        assertEq(b, address(0));
        assertEq(a, address(0));
        buyer = address(0);
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory nobodys = _signedAt(1, address(0), _fundHead(t, FundingMode.Allowance));
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, address(0)));
        bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, nobodys, w, ""));
        _fails(call, _invalidSignature(address(0)));
    }
}
