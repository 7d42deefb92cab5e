// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice The two functions whose signer names where tokens go, and the late payment by {ITaskEscrow-finalize}: to whom,
///         how many, and by whose will. The payment in the call that settles a node is part of the proofs about settling.
contract MoneyOutProof is ProofBase {
    /// @dev A node whose hirer brought the money: nothing stands above it.
    function check_withdrawEarnings_paysTheWorkersShare(Input memory x, address recipient, uint256 amount) external {
        World memory b = _world(x);
        vm.assume(b.node.hirerFunded && b.node.state != NodeState.None);
        _withdraws(x, b, recipient, amount);
    }

    /// @dev A carve-out: paid only once its backer, whose hirer brought the money, has settled.
    function check_withdrawEarnings_ofACarveOut(Input memory x, address recipient, uint256 amount) external {
        World memory b = _world(x);
        vm.assume(!b.node.hirerFunded && b.node.state != NodeState.None && b.parent.hirerFunded);
        vm.assume(b.node.state > NodeState.Settled || b.parent.allocated >= b.node.amount);
        _withdraws(x, b, recipient, amount);
        vm.warp(x.time);
        assert(escrow.effectiveState(_parent(x.id)) == NodeState.Settled);
    }

    function _withdraws(Input memory x, World memory b, address recipient, uint256 amount) private {
        bool isOpen = b.node.state >= NodeState.Funded && b.node.state <= NodeState.Disputed;
        vm.assume(!isOpen || (b.node.allocated <= b.node.floor && b.node.floor <= b.node.amount));
        vm.assume(x.time < 1 << 39);
        vm.warp(x.time);
        uint256 due = escrow.withdrawable(x.id);
        uint256 recipientBefore = token.balanceOf(recipient);
        vm.assume(x.otherAccount != recipient);
        _step(x, abi.encodeCall(ITaskEscrow.withdrawEarnings, (x.id, recipient, amount, _own(x))));
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(x.sender == b.node.worker);
        assert(amount > 0 && amount <= due);
        assert(recipient != address(escrow));
        assert(b.balance - a.balance == amount && token.balanceOf(recipient) - recipientBefore == amount);
        assert(a.otherBalance == b.otherBalance);
        // What time gave back on the way, what was paid and what is left is what the node held.
        assert(a.node.amount + amount + _back(x, b, a) == b.node.amount);
        assert(a.node.allocated == b.node.allocated && a.node.allocated <= a.node.amount);
        assert(escrow.withdrawable(x.id) == due - amount);
    }

    /// @dev The payment that the worker asked for and that could not be made when the node settled. Anybody sends it.
    function check_finalize_paysASettledNode(Input memory x) external {
        World memory b = _world(x);
        vm.assume(b.node.state == NodeState.Settled && b.node.hirerFunded);
        _paysOut(x, b);
    }

    /// @dev The same for a carve-out below a backer whose hirer brought the money.
    function check_finalize_paysASettledCarveOut(Input memory x) external {
        World memory b = _world(x);
        vm.assume(b.node.state == NodeState.Settled && !b.node.hirerFunded && b.parent.hirerFunded);
        _paysOut(x, b);
        vm.warp(x.time);
        assert(escrow.effectiveState(_parent(x.id)) == NodeState.Settled);
    }

    function _paysOut(Input memory x, World memory b) private {
        uint256 due = b.node.amount - b.node.allocated;
        vm.assume(x.otherAccount != b.node.worker);
        _step(x, abi.encodeCall(ITaskEscrow.finalize, (x.id)));
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(b.node.payOut && due != 0);
        assert(b.balance - a.balance == due && a.worker - b.worker == due);
        assert(a.otherBalance == b.otherBalance);
        assert(a.node.amount == a.node.allocated && a.node.allocated == b.node.allocated);
        assert(_back(x, b, a) == 0);
        assert(a.node.state == NodeState.Settled && a.node.version == b.node.version);
        assert(escrow.withdrawable(x.id) == 0);
    }

    function check_withdrawRefund_paysTheAccount(Input memory x, address account, address recipient, uint256 amount)
        external
    {
        uint256 had = escrow.refundOf(account);
        uint256 otherHad = escrow.refundOf(x.otherAccount);
        uint256 balance = token.balanceOf(address(escrow));
        uint256 recipientBefore = token.balanceOf(recipient);
        uint256 otherBefore = token.balanceOf(x.otherAccount);
        Node memory node = escrow.node(x.id);
        vm.assume(x.otherAccount != account && x.otherAccount != recipient && x.otherAccount != address(escrow));
        _step(x, abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, _own(x))));
        assert(x.sender == account && amount > 0 && amount <= had && recipient != address(escrow));
        assert(had - escrow.refundOf(account) == amount);
        assert(balance - token.balanceOf(address(escrow)) == amount);
        assert(token.balanceOf(recipient) - recipientBefore == amount);
        assert(escrow.refundOf(x.otherAccount) == otherHad && token.balanceOf(x.otherAccount) == otherBefore);
        Node memory after_ = escrow.node(x.id);
        assert(after_.amount == node.amount && after_.allocated == node.allocated && after_.state == node.state);
    }
}
