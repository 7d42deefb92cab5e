// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {TypedData} from "../test/base/TypedData.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice What a node holds came in, to the unit, from the one who hires for it, on terms that its worker has signed.
contract MoneyInProof is ProofBase {
    /// @dev Nothing was ever written to a node that does not exist.
    function _assumeUnused(uint192 id) private view {
        Node memory n = escrow.node(id);
        if (n.state != NodeState.None) return; // the call will be refused
        vm.assume(n.allocated == 0 && n.revisions == 0 && n.version == 0 && !n.payOut && n.artifactHash == 0);
    }

    /// @dev The node is what both sides signed, and the worker did sign it, for this hirer.
    function _checkOpened(Input memory x, NodeTerms memory t, address hirer, Auth memory quote) private view {
        Node memory n = escrow.node(t.nodeId);
        assert(n.worker == t.worker && n.amount == t.amount && n.floor == t.floor && n.floor <= n.amount);
        assert(n.state == NodeState.Funded && n.version == 1 && n.allocated == 0);
        assert(n.deliverBy == x.time + t.workSeconds && n.clock == n.deliverBy);
        assert(t.workSeconds >= 1 hours && t.workSeconds <= 365 days);
        assert(t.acceptWindow >= 4 hours && t.acceptWindow <= 90 days);
        assert(n.acceptWindow == t.acceptWindow && n.maxRevisions == t.maxRevisions && t.maxRevisions <= 10);
        assert(n.hirerFunded == t.hirerFunded && n.amount != 0 && !n.payOut);
        assert(t.worker != address(0) && t.worker != ARBITER && t.worker != address(escrow));
        assert(quote.nonce == uint256(t.nodeId) << 8 && x.time <= quote.validUntil);
        _checkSigned(t.worker, _quoteHead(TypedData.hash(t), hirer), quote);
    }

    function check_fundTask_bringsTheAmount(Input memory x, NodeTerms memory terms, uint8 mode, uint256 quoteNonce)
        external
    {
        vm.assume(mode <= uint8(FundingMode.ParentNode));
        vm.assume(terms.worker.code.length == 0 && x.otherId != terms.nodeId);
        vm.assume(x.otherAccount != BUYER && x.otherAccount != address(escrow));
        // The walk up the backers of a parent, which is refused afterwards, has an end of its own.
        vm.assume(_parent(terms.nodeId) == 0 || escrow.node(_parent(terms.nodeId)).hirerFunded);
        _assumeUnused(terms.nodeId);
        x.id = terms.nodeId;
        World memory b = _read(x);
        uint256 refund = escrow.refundOf(BUYER);
        uint256 payer = token.balanceOf(BUYER);
        Auth memory quote = _relayed(x, svm.createBytes(65, "quote"));
        quote.nonce = quoteNonce;
        bool is3009 = mode == uint8(FundingMode.Authorization3009);
        Auth memory auth = is3009 ? _relayed(x, svm.createBytes(65, "payment")) : _own(x);
        _step(x, abi.encodeCall(ITaskEscrow.fundTask, (terms, FundingMode(mode), auth, quote, "")));
        World memory a = _read(x);
        assert(b.node.state == NodeState.None && terms.nodeId >> 24 == 0 && terms.hirerFunded);
        assert(a.other.amount == b.other.amount && a.other.allocated == b.other.allocated);
        assert(a.other.state == b.other.state && a.other.version == b.other.version);
        assert(a.otherBalance == b.otherBalance && a.otherRefund == b.otherRefund);
        _checkOpened(x, terms, BUYER, quote);
        assert(mode != uint8(FundingMode.ParentNode));
        if (mode == uint8(FundingMode.RefundBalance)) {
            assert(refund - escrow.refundOf(BUYER) == terms.amount && a.balance == b.balance);
        } else {
            assert(escrow.refundOf(BUYER) == refund && a.balance - b.balance == terms.amount);
            assert(payer - token.balanceOf(BUYER) == terms.amount);
        }
        assert(x.nonce == uint256(terms.nodeId) << 8 && x.time <= x.until);
        if (is3009) {
            // The token asks for the signature; what it is asked about is the digest of this very action.
            bytes32 t = TypedData.typeHashWithTerms("FundTask(NodeTerms terms,address token,uint8 fundingMode");
            bytes memory head = abi.encode(t, TypedData.hash(terms), address(token), mode);
            bytes memory closing = abi.encode(auth.actionId, auth.requestDigest, auth.nonce, auth.validUntil);
            bytes32 digest = escrow.hashTypedData(keccak256(bytes.concat(head, closing)));
            assert(token.lastPayer() == BUYER && token.lastNonce() == digest);
            assert(token.lastEnd() == x.until + 1);
        } else {
            assert(x.sender == BUYER);
        }
    }

    /// @dev The child's money leaves the parent's free part, within the floor that the parent's hirer signed; nothing else
    ///      moves.
    function check_subcontract_carvesOut(Input memory x, NodeTerms memory terms, uint256 quoteNonce) external {
        vm.assume(!terms.hirerFunded && terms.worker.code.length == 0);
        uint192 parentId = _parent(terms.nodeId);
        Node memory parent = escrow.node(parentId);
        vm.assume(parent.hirerFunded && parent.allocated <= parent.floor && parent.floor <= parent.amount);
        vm.assume(escrow.node(0).state == NodeState.None);
        _assumeUnused(terms.nodeId);
        vm.assume(x.otherId != terms.nodeId && x.otherId != parentId);
        Node memory other = escrow.node(x.otherId);
        uint256 balance = token.balanceOf(address(escrow));
        uint256 refund = escrow.refundOf(x.otherAccount);
        Auth memory quote = _relayed(x, svm.createBytes(65, "quote"));
        quote.nonce = quoteNonce;
        _step(x, abi.encodeCall(ITaskEscrow.subcontract, (terms, FundingMode.ParentNode, _own(x), quote, "")));
        Node memory a = escrow.node(parentId);
        assert(parentId != 0 && parent.state == NodeState.Funded);
        assert(x.sender == parent.worker && x.nonce == uint256(terms.nodeId) << 8 && x.time <= x.until);
        assert(a.amount == parent.amount && a.allocated == parent.allocated + terms.amount && a.allocated <= a.floor);
        assert(a.state == parent.state && a.version == parent.version && a.floor == parent.floor);
        _checkOpened(x, terms, parent.worker, quote);
        assert(escrow.node(terms.nodeId).deliverBy <= parent.deliverBy);
        assert(token.balanceOf(address(escrow)) == balance && escrow.refundOf(x.otherAccount) == refund);
        Node memory after_ = escrow.node(x.otherId);
        assert(after_.amount == other.amount && after_.allocated == other.allocated && after_.state == other.state);
    }
}
