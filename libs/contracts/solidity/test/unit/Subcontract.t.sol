// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";

contract SubcontractHirerTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _node() internal pure override returns (uint192) {
        return CHILD;
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _subcontractHead(_terms(CHILD, workers[1], 40e6, false), FundingMode.ParentNode);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(CHILD, workers[1], 40e6, false);
        Auth memory w = _signedAt(CHILD, workers[1], _quoteHead(t, workers[0]));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, a, w, ""));
    }
}

contract SubcontractWorkerTest is NodeActionTest {
    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
    }

    function _node() internal pure override returns (uint192) {
        return CHILD;
    }

    function _signer() internal view override returns (address) {
        return workers[1];
    }

    function _head() internal view override returns (bytes memory) {
        return _quoteHead(_terms(CHILD, workers[1], 40e6, false), workers[0]);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(CHILD, workers[1], 40e6, false);
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.ParentNode));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, a, ""));
    }
}

contract SubcontractTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    function _good() private view returns (NodeTerms memory) {
        return _terms(CHILD, workers[1], 40e6, false);
    }

    function _goodOwn() private view returns (NodeTerms memory) {
        return _terms(CHILD, workers[1], 40e6, true);
    }

    function _refused(bytes memory call) private {
        _fails(call, _error(ITaskEscrow.InvalidTerms.selector));
    }

    function _expectFunded(uint192 id, FundingMode mode) private {
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(
            id,
            workers[1],
            workers[0],
            40e6,
            20e6,
            due,
            WINDOW,
            REVISIONS,
            mode != FundingMode.ParentNode,
            mode,
            keccak256("brief")
        );
    }

    function test_subcontract_carvesOutOfTheParent() public {
        bytes memory call = _carveCall(_good());
        _expectFunded(CHILD, FundingMode.ParentNode);
        _runs(call);
        assertEq(escrow.node(1).amount, PRICE);
        assertEq(escrow.node(1).allocated, 40e6);
        assertEq(escrow.node(1).version, 1, "what was signed about the parent stays good");
        Node memory n = escrow.node(CHILD);
        assertEq(uint8(n.state), uint8(NodeState.Funded));
        assertEq(n.clock, due);
        assertFalse(n.hirerFunded);
        assertEq(usdc.balanceOf(address(escrow)), PRICE, "no token moves");
    }

    function test_subcontract_withOwnMoneyByAuthorization() public {
        usdc.mint(workers[0], 40e6);
        bytes memory call = _ownMoneyCall(_goodOwn());
        _expectFunded(CHILD, FundingMode.Authorization3009);
        _runs(call);
        assertEq(escrow.node(1).allocated, 0);
        assertTrue(escrow.node(CHILD).hirerFunded);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByAllowance() public {
        usdc.mint(workers[0], 40e6);
        vm.prank(workers[0]);
        usdc.approve(address(escrow), 40e6);
        _runs(_subcontractCall(_goodOwn(), FundingMode.Allowance));
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByPermit() public {
        usdc.mint(workers[0], 40e6);
        NodeTerms memory t = _goodOwn();
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.Permit));
        Auth memory w = _signedAt(CHILD, workers[1], _quoteHead(t, workers[0]));
        escrow.subcontract(t, FundingMode.Permit, h, w, _signedPermit(workers[0], 40e6, h.validUntil));
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_withOwnMoneyByRefundBalance() public {
        _hireWithOwnMoney(SIBLING, workers[2], 40e6);
        _abandon(SIBLING);
        assertEq(escrow.refundOf(workers[0]), 40e6);
        _runs(_subcontractCall(_goodOwn(), FundingMode.RefundBalance));
        assertEq(escrow.refundOf(workers[0]), 0);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + 40e6);
    }

    function test_subcontract_theModeIsSigned() public {
        _hireWithOwnMoney(SIBLING, workers[2], 40e6);
        _abandon(SIBLING);
        usdc.mint(workers[0], 40e6);
        vm.prank(workers[0]);
        usdc.approve(address(escrow), 40e6);
        NodeTerms memory t = _goodOwn();
        Auth memory w = _signedAt(CHILD, workers[1], _quoteHead(t, workers[0]));
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.Allowance));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.RefundBalance, h, w, ""));
        _fails(call, _invalidSignature(workers[0]));
        h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.RefundBalance));
        call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.Allowance, h, w, ""));
        _fails(call, _invalidSignature(workers[0]));
    }

    function test_subcontract_bothMustHaveSignedTheSameTerms() public {
        Auth memory w = _signedAt(CHILD, workers[1], _quoteHead(_good(), workers[0]));
        NodeTerms memory t = _good();
        t.amount -= 1;
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.ParentNode));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        _fails(call, _invalidSignature(workers[1]));
    }

    function test_subcontract_quoteForAnotherHirerIsRefused() public {
        NodeTerms memory t = _good();
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.ParentNode));
        Auth memory w = _signedAt(CHILD, workers[1], _quoteHead(t, buyer));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, w, ""));
        _fails(call, _invalidSignature(workers[1]));
    }

    function test_subcontract_fundingModeMustBeWhatTheTermsSay() public {
        _refused(_subcontractCall(_goodOwn(), FundingMode.ParentNode));
        FundingMode[4] memory own =
            [FundingMode.Allowance, FundingMode.Authorization3009, FundingMode.Permit, FundingMode.RefundBalance];
        for (uint256 i; i < own.length; ++i) {
            _refused(_subcontractCall(_good(), own[i]));
        }
    }

    function test_subcontract_revertsWhenTheChildWouldOutlastTheParent() public {
        NodeTerms memory t = _good();
        t.workSeconds += 1;
        _refused(_carveCall(t));
        t.workSeconds -= 1;
        _runs(_carveCall(t));
    }

    /// @dev What counts is the time of the funding.
    function test_subcontract_aQuoteThatWaitsLastsLonger() public {
        bytes memory call = _carveCall(_good());
        vm.warp(START + 1);
        _refused(call);
    }

    function test_subcontract_checksTheTerms() public {
        NodeTerms memory t = _good();
        t.amount = 0;
        t.floor = 0;
        _refused(_carveCall(t));
        t = _good();
        t.floor = t.amount + 1;
        _refused(_carveCall(t));
        t = _good();
        t.worker = arbiter;
        _refused(_carveCall(t));
        t.worker = address(escrow);
        _refused(_carveCall(t));
        t = _good();
        t.acceptWindow = 4 hours - 1;
        _refused(_carveCall(t));
        t = _good();
        t.maxRevisions = 11;
        _refused(_carveCall(t));
        t = _good();
        t.workSeconds = 1 hours - 1;
        _refused(_carveCall(t));
        t = _good();
        t.nodeId = 1 << 24; // index 0
        _refused(_carveCall(t));
        t.nodeId = 2; // a node of the buyer
        _refused(_carveCall(t));
    }

    function test_subcontract_revertsWhenTheNodeExists() public {
        _runs(_carveCall(_good()));
        bytes memory exists = abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, CHILD);
        _fails(_carveCall(_good()), exists);
        _abandon(CHILD);
        _fails(_carveCall(_good()), exists);
    }

    function test_subcontract_revertsUnlessTheParentIsFunded() public {
        NodeTerms memory t = _good();
        t.nodeId = _child(77, 1);
        _fails(_carveCall(t), _wrongState(77, NodeState.None));
        _deliver(1);
        _fails(_carveCall(_good()), _wrongState(1, NodeState.Delivered));
        _accept(1);
        _fails(_carveCall(_good()), _wrongState(1, NodeState.Settled));
    }

    function test_subcontract_keepsToTheParentsFloor() public {
        _carve(SIBLING, workers[2], 30e6);
        bytes memory short = abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 20e6, 40e6);
        _fails(_carveCall(_good()), short);
        _carve(_child(1, 3), workers[2], 20e6);
        assertEq(escrow.node(1).allocated, PRICE / 2);
        bytes memory none = abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 0, 1);
        _fails(_carveCall(_terms(_child(1, 4), workers[2], 1, false)), none);
        // The worker's own money knows no such bound, and what comes back can be promised again.
        _hireWithOwnMoney(_child(1, 5), workers[2], PRICE);
        _abandon(SIBLING);
        _carve(_child(1, 6), workers[2], 30e6);
    }

    function test_subcontract_withoutFloorNothingCanBeCarvedOut() public {
        _hire(2, workers[0], PRICE, 0);
        bytes memory none = abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 0, 1);
        _fails(_carveCall(_terms(_child(2, 1), workers[2], 1, false)), none);
    }

    function test_subcontract_staysOpenWhileTheAncestorMayStillContest() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _reject(1);
        _carve(GRANDCHILD, workers[2], 1e6);
    }

    function test_subcontract_revertsUnderAnAncestorThatEndedWithoutPay() public {
        _carve(CHILD, workers[1], 40e6);
        _hireWithOwnMoney(SIBLING, workers[2], 20e6);
        _deliver(1);
        _reject(1);
        _dispute(1);
        _rule(1, 0);
        bytes memory closed = abi.encodeWithSelector(ITaskEscrow.AncestorClosed.selector, 1);
        NodeTerms memory t = _terms(GRANDCHILD, workers[3], 1e6, false);
        _fails(_carveCall(t), closed);
        t.hirerFunded = true;
        usdc.mint(workers[1], 1e6);
        _fails(_ownMoneyCall(t), closed);
        // The sibling lives on money of its own.
        _carve(_child(SIBLING, 1), workers[4], 5e6);
    }

    function test_subcontract_treeHasEightLevels() public {
        _hire(2, workers[0], PRICE, 50e6);
        uint192 id = 2;
        for (uint192 level = 2; level <= 8; ++level) {
            id = _child(id, 0xffffff);
            _carve(id, workers[level % 6], 50e6, 50e6);
        }
        // The next level's path does not fit: it is some other node's, whose parent is not there.
        uint192 cut = _child(id, 1);
        _fails(_carveCall(_terms(cut, workers[0], 1e6, false)), _wrongState(cut >> 24, NodeState.None));
        // The last level is as usable as any other.
        for (uint192 up = id; up != 0; up >>= 24) {
            _deliver(up);
            _accept(up);
        }
        _withdraw(id, 50e6);
    }

    function testFuzz_subcontract_neverPromisesMoreThanTheFloor(uint64[5] memory amounts, uint64 floor) public {
        floor = uint64(_bound(floor, 0, PRICE));
        _hire(2, workers[0], PRICE, floor);
        uint256 promised;
        for (uint24 i; i < amounts.length; ++i) {
            uint64 amount = uint64(_bound(amounts[i], 1, PRICE));
            bytes memory call = _carveCall(_terms(_child(2, i + 10), workers[1], amount, false));
            (bool ok,) = address(escrow).call(call);
            assertEq(ok, promised + amount <= floor);
            if (ok) promised += amount;
        }
        assertEq(escrow.node(2).allocated, promised);
    }
}
