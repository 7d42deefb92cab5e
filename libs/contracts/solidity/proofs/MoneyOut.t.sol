// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../src/Types.sol";
import {ITaskEscrow} from "../src/interfaces/ITaskEscrow.sol";
import {ProofBase} from "./ProofBase.sol";

/// @notice The two functions that tokens leave by: to whom, how many, and by whose will.
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
        assert(x.sender == account && amount > 0 && recipient != address(escrow));
        assert(had - escrow.refundOf(account) == amount);
        assert(balance - token.balanceOf(address(escrow)) == amount);
        assert(token.balanceOf(recipient) - recipientBefore == amount);
        assert(escrow.refundOf(x.otherAccount) == otherHad && token.balanceOf(x.otherAccount) == otherBefore);
        Node memory after_ = escrow.node(x.id);
        assert(after_.amount == node.amount && after_.allocated == node.allocated && after_.state == node.state);
    }
}
