// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ActionTest} from "../base/ActionTest.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract SubcontractHirerTest is ActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _subcontractHead(_terms(2, 1, workers[1], 40e6, false));
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(2, 1, workers[1], 40e6, false);
        Auth memory w = _signed(workers[1], _quoteHead(t, workers[0]));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, a, w, ""));
    }
}

contract SubcontractWorkerTest is ActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[1];
    }

    function _head() internal view override returns (bytes memory) {
        return _quoteHead(_terms(2, 1, workers[1], 40e6, false), workers[0]);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(2, 1, workers[1], 40e6, false);
        Auth memory h = _signed(workers[0], _subcontractHead(t));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, a, ""));
    }
}

contract SubcontractTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _child() private view returns (NodeTerms memory) {
        return _terms(2, 1, workers[1], 40e6, false);
    }

    function _refused(bytes memory call) private {
        _fails(call, _error(ITaskEscrow.InvalidTerms.selector));
    }

    function test_subcontract_carvesOutOfTheParent() public {
        NodeTerms memory t = _child();
        bytes memory call = _carveCall(t);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeOpened(2, 1, workers[1], 40e6, due, WINDOW, false, t.termsHash);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(2, workers[0], 40e6, FundingMode.ParentNode);
        _runs(call);
        assertEq(escrow.node(1).amount, PRICE);
        assertEq(escrow.node(1).allocated, 40e6);
        Node memory n = escrow.node(2);
        assertEq(uint8(n.state), uint8(NodeState.Funded));
        assertEq(n.clock, due);
        assertEq(n.parent, 1);
        assertFalse(n.hirerFunded);
        assertEq(usdc.balanceOf(address(escrow)), PRICE, "no token moves");
    }

    function test_subcontract_withOwnMoneyByAuthorization() public {
        usdc.mint(workers[0], 40e6);
        bytes memory call = _ownMoneyCall(_terms(2, 1, workers[1], 40e6, true));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(2, workers[0], 40e6, FundingMode.Authorization3009);
        _runs(call);
        assertEq(escrow.node(1).allocated, 0);
        assertTrue(escrow.node(2).hirerFunded);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByAllowance() public {
        usdc.mint(workers[0], 40e6);
        vm.prank(workers[0]);
        usdc.approve(address(escrow), 40e6);
        _runs(_subcontractCall(_terms(2, 1, workers[1], 40e6, true), FundingMode.Allowance));
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByPermit() public {
        usdc.mint(workers[0], 40e6);
        NodeTerms memory t = _terms(2, 1, workers[1], 40e6, true);
        Auth memory h = _signed(workers[0], _subcontractHead(t));
        Auth memory w = _signed(workers[1], _quoteHead(t, workers[0]));
        escrow.subcontract(t, FundingMode.Permit, h, w, _signedPermit(workers[0], 40e6, h.validUntil));
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByRefundBalance() public {
        _hireWithOwnMoney(3, 1, workers[2], 40e6);
        _abandon(3);
        assertEq(escrow.refundOf(workers[0]), 40e6);
        _runs(_subcontractCall(_terms(2, 1, workers[1], 40e6, true), FundingMode.RefundBalance));
        assertEq(escrow.refundOf(workers[0]), 0);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_bothMustHaveSignedTheSameTerms() public {
        Auth memory w = _signed(workers[1], _quoteHead(_child(), workers[0]));
        NodeTerms memory t = _child();
        t.amount -= 1;
        Auth memory h = _signed(workers[0], _subcontractHead(t));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        _fails(call, _invalidSignature(workers[1]));
    }

    function test_subcontract_quoteForAnotherHirerIsRefused() public {
        NodeTerms memory t = _child();
        Auth memory h = _signed(workers[0], _subcontractHead(t));
        Auth memory w = _signed(workers[1], _quoteHead(t, buyer));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        _fails(call, _invalidSignature(workers[1]));
    }

    function test_subcontract_fundingModeMustBeWhatTheTermsSay() public {
        _refused(_subcontractCall(_terms(2, 1, workers[1], 40e6, true), FundingMode.ParentNode));
        FundingMode[4] memory own =
            [FundingMode.Allowance, FundingMode.Authorization3009, FundingMode.Permit, FundingMode.RefundBalance];
        for (uint256 i; i < own.length; ++i) {
            _refused(_subcontractCall(_child(), own[i]));
        }
    }

    function test_subcontract_revertsWhenTheChildWouldOutlastTheParent() public {
        NodeTerms memory t = _child();
        t.deliverBy = due + 1;
        _refused(_carveCall(t));
        t.deliverBy = due;
        _runs(_carveCall(t));
    }

    function test_subcontract_checksTheTerms() public {
        NodeTerms memory t = _child();
        t.amount = 0;
        _refused(_carveCall(t));
        t = _child();
        t.worker = arbiter;
        _refused(_carveCall(t));
        t = _child();
        t.acceptWindow = 4 hours - 1;
        _refused(_carveCall(t));
        t = _child();
        t.nodeId = 0;
        _refused(_carveCall(t));
        t = _child();
        t.deliverBy = uint40(START);
        _refused(_carveCall(t));
    }

    function test_subcontract_revertsWhenTheNodeExists() public {
        NodeTerms memory t = _child();
        t.nodeId = 1; // also: a node cannot be its own parent
        _fails(_carveCall(t), abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, 1));
        _runs(_carveCall(_child()));
        _fails(_carveCall(_child()), abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, 2));
    }

    function test_subcontract_revertsUnlessTheParentIsFunded() public {
        NodeTerms memory t = _child();
        t.parentNodeId = 0;
        _fails(_carveCall(t), _wrongState(0, NodeState.None));
        t.parentNodeId = 77;
        _fails(_carveCall(t), _wrongState(77, NodeState.None));
        _deliver(1);
        _fails(_carveCall(_child()), _wrongState(1, NodeState.Delivered));
        _accept(1);
        _fails(_carveCall(_child()), _wrongState(1, NodeState.Settled));
    }

    function test_subcontract_revertsWhenTheParentIsOnlySelected() public {
        _select(5, workers[2], PRICE);
        NodeTerms memory t = _child();
        t.parentNodeId = 5;
        _fails(_carveCall(t), _wrongState(5, NodeState.Selected));
    }

    function test_subcontract_revertsWhenThePoolIsShort() public {
        _carve(3, 1, workers[2], 70e6);
        _fails(_carveCall(_child()), abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 30e6, 40e6));
        _carve(4, 1, workers[2], 30e6);
        assertEq(escrow.node(1).allocated, PRICE);
    }

    function test_subcontract_staysOpenWhileTheAncestorMayStillContest() public {
        _carve(2, 1, workers[1], 40e6);
        _deliver(1);
        _reject(1);
        _carve(3, 2, workers[2], 1e6);
    }

    function test_subcontract_revertsUnderAnAncestorThatEndedWithoutPay() public {
        _carve(2, 1, workers[1], 40e6);
        _hireWithOwnMoney(3, 1, workers[2], 20e6);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _runs(_ruleCall(1, 0));
        bytes memory closed = abi.encodeWithSelector(ITaskEscrow.AncestorClosed.selector, 1);
        NodeTerms memory t = _terms(5, 2, workers[3], 1e6, false);
        _fails(_carveCall(t), closed);
        t.hirerFunded = true;
        usdc.mint(workers[1], 1e6);
        _fails(_ownMoneyCall(t), closed);
        // Node 3 lives on money of its own.
        _carve(6, 3, workers[4], 5e6);
    }

    function test_subcontract_treeHasEightLevels() public {
        for (uint32 level = 2; level <= 8; ++level) {
            _carve(level, level - 1, workers[level % 6], 50e6);
        }
        NodeTerms memory t = _terms(9, 8, workers[0], 1e6, false);
        _fails(_carveCall(t), _error(ITaskEscrow.TreeTooDeep.selector));
        // The last level is as usable as any other.
        _deliver(8);
        _accept(8);
        for (uint32 id = 1; id <= 7; ++id) {
            _deliver(id);
            _accept(id);
        }
        _withdraw(8, 50e6);
    }

    function test_subcontract_levelsCountHoweverTheyArePaid() public {
        for (uint32 level = 2; level <= 8; ++level) {
            _hireWithOwnMoney(level, level - 1, workers[level % 6], 50e6);
        }
        usdc.mint(escrow.node(8).worker, 1e6);
        _fails(_ownMoneyCall(_terms(9, 8, workers[0], 1e6, true)), _error(ITaskEscrow.TreeTooDeep.selector));
    }

    function testFuzz_subcontract_neverPromisesMoreThanThePool(uint96[5] memory amounts) public {
        uint256 promised;
        for (uint32 i; i < amounts.length; ++i) {
            uint96 amount = uint96(_bound(amounts[i], 1, PRICE));
            bytes memory call = _carveCall(_terms(i + 10, 1, workers[1], amount, false));
            (bool ok,) = address(escrow).call(call);
            assertEq(ok, promised + amount <= PRICE);
            if (ok) promised += amount;
        }
        assertEq(escrow.node(1).allocated, promised);
    }
}
