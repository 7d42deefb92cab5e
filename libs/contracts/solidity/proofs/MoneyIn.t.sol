// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {FundingMode, Node, NodeState, NodeTerms} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice What a node holds came in, to the unit, from the one who hires for it.
contract MoneyInProof is ProofBase {
    function check_fundTask_bringsTheAmount(Input memory x, uint8 mode) external {
        vm.assume(mode <= uint8(FundingMode.ParentNode));
        World memory b = _world(x);
        vm.assume(b.node.state == NodeState.Selected && b.node.parent == 0);
        vm.assume(x.otherAccount != BUYER);
        uint256 payerBefore = token.balanceOf(BUYER);
        _step(x, abi.encodeCall(ITaskEscrow.fundTask, (x.id, FundingMode(mode), _own(x), "")));
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.node.state == NodeState.Funded && a.node.amount == b.node.amount);
        assert(a.node.allocated == b.node.allocated && a.node.clock == b.node.deliverBy);
        assert(x.time <= b.node.clock && a.otherBalance == b.otherBalance);
        if (mode == uint8(FundingMode.RefundBalance)) {
            assert(b.refund - a.refund == a.node.amount && a.balance == b.balance);
        } else {
            assert(a.refund == b.refund && a.balance - b.balance == a.node.amount);
            assert(payerBefore - token.balanceOf(BUYER) == a.node.amount);
        }
        // In the mode of EIP-3009 the token asks for the signature, which binds the payer; see {AuthorityProof}.
        if (mode != uint8(FundingMode.Authorization3009)) assert(x.sender == BUYER);
    }

    /// @dev The child's money leaves the parent's free part; nothing else moves.
    function check_subcontract_carvesOut(Input memory x, NodeTerms memory terms, uint256 workerNonce) external {
        vm.assume(!terms.hirerFunded && terms.worker.code.length == 0);
        Node memory parent = escrow.node(terms.parentNodeId);
        vm.assume(parent.hirerFunded && parent.parent == 0 && parent.allocated <= parent.amount);
        vm.assume(escrow.node(0).state == NodeState.None);
        // Nothing was ever written to a node that does not exist.
        Node memory unused = escrow.node(terms.nodeId);
        vm.assume(unused.state != NodeState.None || unused.allocated == 0);
        vm.assume(x.otherId != terms.nodeId && x.otherId != terms.parentNodeId);
        Node memory other = escrow.node(x.otherId);
        uint256 balance = token.balanceOf(address(escrow));
        uint256 refund = escrow.refundOf(x.otherAccount);
        Input memory w = Input(x.id, x.sender, x.time, workerNonce, x.until, x.otherId, x.otherAccount);
        bytes memory quote = svm.createBytes(65, "quote");
        _step(
            x, abi.encodeCall(ITaskEscrow.subcontract, (terms, FundingMode.ParentNode, _own(x), _relayed(w, quote), ""))
        );
        Node memory a = escrow.node(terms.parentNodeId);
        Node memory child = escrow.node(terms.nodeId);
        assert(x.sender == parent.worker && parent.state == NodeState.Funded);
        assert(a.amount == parent.amount && a.allocated == parent.allocated + terms.amount && a.allocated <= a.amount);
        assert(child.worker == terms.worker && child.amount == terms.amount && child.allocated == 0);
        assert(child.parent == terms.parentNodeId && !child.hirerFunded && child.state == NodeState.Funded);
        assert(child.deliverBy <= parent.deliverBy);
        assert(token.balanceOf(address(escrow)) == balance && escrow.refundOf(x.otherAccount) == refund);
        Node memory after_ = escrow.node(x.otherId);
        assert(after_.amount == other.amount && after_.allocated == other.allocated && after_.state == other.state);
    }
}
