// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ActionTest} from "../base/ActionTest.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract SelectAgentHirerTest is ActionTest {
    function _arrange() internal override {}

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _selectHead(_terms(1, 0, workers[0], PRICE, true));
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(1, 0, workers[0], PRICE, true);
        return abi.encodeCall(ITaskEscrow.selectAgent, (t, a, _signed(workers[0], _quoteHead(t, buyer))));
    }
}

contract SelectAgentWorkerTest is ActionTest {
    function _arrange() internal override {}

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _quoteHead(_terms(1, 0, workers[0], PRICE, true), buyer);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(1, 0, workers[0], PRICE, true);
        return abi.encodeCall(ITaskEscrow.selectAgent, (t, _signed(buyer, _selectHead(t)), a));
    }
}

contract SelectAgentTest is EscrowTest {
    function _good() private view returns (NodeTerms memory) {
        return _terms(1, 0, workers[0], PRICE, true);
    }

    function _refused(NodeTerms memory t) private {
        _fails(_selectCall(t), _error(ITaskEscrow.InvalidTerms.selector));
    }

    function test_selectAgent_opensTheNode() public {
        NodeTerms memory t = _good();
        bytes memory call = _selectCall(t);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeOpened(1, 0, workers[0], PRICE, due, WINDOW, true, t.termsHash);
        _runs(call);
        Node memory n = escrow.node(1);
        assertEq(n.worker, workers[0]);
        assertEq(n.amount, PRICE);
        assertEq(n.allocated, 0);
        assertEq(n.deliverBy, due);
        assertEq(n.clock, START + 1 days, "the quote's last second");
        assertEq(n.parent, 0);
        assertEq(n.acceptWindow, WINDOW);
        assertEq(uint8(n.state), uint8(NodeState.Selected));
        assertTrue(n.hirerFunded);
        assertEq(n.artifactHash, 0);
    }

    function test_selectAgent_fundingEndsWithTheDeadlineIfTheQuoteIsLonger() public {
        NodeTerms memory t = _good();
        t.deliverBy = uint40(START + 1 hours);
        _runs(_selectCall(t));
        assertEq(escrow.node(1).clock, START + 1 hours);
    }

    function test_selectAgent_quoteWithoutEndDoesNotOverflowTheClock() public {
        NodeTerms memory t = _good();
        Auth memory h = _signed(buyer, _selectHead(t));
        Auth memory w = _auth(workers[0]);
        w.validUntil = type(uint256).max;
        w.signature = _sign(workers[0], _digest(_quoteHead(t, buyer), w));
        escrow.selectAgent(t, h, w);
        assertEq(escrow.node(1).clock, due);
    }

    function test_selectAgent_bothMustHaveSignedTheSameTerms() public {
        for (uint256 i; i < 7; ++i) {
            NodeTerms memory quoted = _good();
            Auth memory w = _signed(workers[0], _quoteHead(quoted, buyer));
            NodeTerms memory t = _good();
            address expected = workers[0];
            if (i == 0) t.nodeId = 2;
            else if (i == 1) t.amount -= 1;
            else if (i == 2) t.deliverBy -= 1;
            else if (i == 3) t.acceptWindow += 1;
            else if (i == 4) t.termsHash = "other brief";
            else if (i == 5) t.worker = expected = workers[1];
            else t.deliverBy += 1;
            Auth memory h = _signed(buyer, _selectHead(t));
            _fails(abi.encodeCall(ITaskEscrow.selectAgent, (t, h, w)), _invalidSignature(expected));
        }
    }

    function test_selectAgent_revertsWhenTheNodeExists() public {
        _runs(_selectCall(_good()));
        _fails(_selectCall(_good()), abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, 1));
    }

    function test_selectAgent_revertsWhenTheNodeHasEnded() public {
        _hire(1, workers[0], PRICE);
        _abandon(1);
        _fails(_selectCall(_good()), abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, 1));
    }

    function test_selectAgent_revertsWithAParent() public {
        _hire(7, workers[1], PRICE);
        NodeTerms memory t = _good();
        t.parentNodeId = 7;
        _refused(t);
    }

    function test_selectAgent_revertsUnlessHirerFunded() public {
        NodeTerms memory t = _good();
        t.hirerFunded = false;
        _refused(t);
    }

    function test_selectAgent_revertsOnNodeZeroOrNoAmount() public {
        NodeTerms memory t = _good();
        t.nodeId = 0;
        _refused(t);
        t = _good();
        t.amount = 0;
        _refused(t);
    }

    function test_selectAgent_revertsOnAWorkerThatIsNobodyOrTheArbiter() public {
        NodeTerms memory t = _good();
        t.worker = address(0);
        _refused(t);
        t.worker = arbiter;
        _refused(t);
    }

    function test_selectAgent_boundsTheDeadline() public {
        NodeTerms memory t = _good();
        t.deliverBy = uint40(START - 1);
        _refused(t);
        t.deliverBy = uint40(START);
        _refused(t);
        t.deliverBy = uint40(START + 365 days + 1);
        _refused(t);
        t.deliverBy = uint40(START + 365 days);
        _runs(_selectCall(t));
        t.nodeId = 2;
        t.deliverBy = uint40(START + 1);
        _runs(_selectCall(t));
    }

    function test_selectAgent_boundsTheAcceptWindow() public {
        NodeTerms memory t = _good();
        t.acceptWindow = 4 hours - 1;
        _refused(t);
        t.acceptWindow = 90 days + 1;
        _refused(t);
        t.acceptWindow = 4 hours;
        _runs(_selectCall(t));
        t.nodeId = 2;
        t.acceptWindow = 90 days;
        _runs(_selectCall(t));
    }

    function testFuzz_selectAgent_storesWhatWasSigned(
        uint32 id,
        uint96 amount,
        uint256 deliverBy,
        uint256 window,
        bytes32 termsHash
    ) public {
        NodeTerms memory t = NodeTerms({
            nodeId: uint32(_bound(id, 1, type(uint32).max)),
            parentNodeId: 0,
            worker: workers[0],
            amount: uint96(_bound(amount, 1, type(uint96).max)),
            deliverBy: uint40(_bound(deliverBy, START + 1, START + 365 days)),
            acceptWindow: uint32(_bound(window, 4 hours, 90 days)),
            hirerFunded: true,
            termsHash: termsHash
        });
        _runs(_selectCall(t));
        Node memory n = escrow.node(t.nodeId);
        assertEq(n.worker, t.worker);
        assertEq(n.amount, t.amount);
        assertEq(n.deliverBy, t.deliverBy);
        assertEq(n.acceptWindow, t.acceptWindow);
    }
}
