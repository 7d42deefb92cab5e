// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Plays whole histories of one tree: an honest party that does its own part in time and signs nothing else, and all
///         others, who are hostile and work together. The honest party acts at the last moment that it may.
abstract contract WorstCaseHistory is EscrowTest {
    enum Judge {
        None,
        Silent,
        Hostile
    }

    uint256 private constant MOVES = 40;
    uint256 private constant MOST_NODES = 14;

    uint256 private _random;
    Judge internal _kind;
    address internal _honest;
    /// @dev The honest party's node: a root that it pays for, or one that it works on.
    uint192 internal _own;
    /// @dev Whether somebody has delivered to the node of an honest buyer, or answered the last delivery of a worker.
    bool internal _wasDelivered;
    bool internal _wasAnswered;
    /// @dev When the others last did their part about the own node.
    uint256 private _answeredAt;
    /// @dev What the own node's terms say: last second of the work, seconds for an answer, revisions not used yet.
    uint256 private _deliverBy;
    uint256 private _acceptWindow;
    uint256 private _revisionsLeft;
    uint192[] private _all;
    uint256 private _withdrawalsSent;

    // ------------------------------------------------------------------------------------------------- the history

    function _begin(uint256 seed) internal {
        _random = seed;
        _kind = Judge(_pick(3));
        escrow = TaskEscrow(factory.createTree(buyer, _kind == Judge.None ? address(0) : arbiter, bytes32(seed), ""));
    }

    function _history() internal {
        for (uint256 i; i < MOVES; ++i) {
            if (_pick(3) == 0) _pass(_someTime());
            _hostileMove();
            if (_pick(4) == 0) _honestMove();
        }
        // All clocks run out, the honest party does what is left to do, and strangers write down what time has decided.
        for (uint256 i; i < 8; ++i) {
            _pass(block.timestamp + 60 days);
            _sweep();
        }
    }

    /// @dev Strangers write down what is over, in any order.
    function _sweep() private {
        uint256 from = _pick(_all.length);
        for (uint256 i; i < _all.length; ++i) {
            uint192 id = _all[(from + i) % _all.length];
            NodeState state = escrow.node(id).state;
            if (state == NodeState.Funded) {
                _as(stranger, abi.encodeCall(ITaskEscrow.claimNonDelivery, (id, stranger, _at(id))));
            } else if (state < NodeState.Settled) {
                _as(stranger, abi.encodeCall(ITaskEscrow.finalize, (id)));
            }
        }
    }

    /// @dev A moment near the end of somebody's right, or not.
    function _someTime() private returns (uint256) {
        Node memory n = escrow.node(_all[_pick(_all.length)]);
        uint256 edge = (_pick(2) == 0 ? n.clock : n.deliverBy) + _pick(3);
        if (_pick(2) == 0 && edge > block.timestamp) return edge - 1;
        return block.timestamp + _pick(3 days);
    }

    /// @dev Time does not pass the end of a right of the honest party before it has used it.
    function _pass(uint256 to) private {
        for (uint256 i; i < 30; ++i) {
            uint256 last = _honestDue();
            if (last == 0 || last >= to) break;
            vm.warp(last);
            _honestMove();
            for (uint256 answers = 1 + _pick(6); answers != 0; --answers) {
                _hostileMove();
            }
        }
        vm.warp(to);
    }

    // ----------------------------------------------------------------------------------------------- the honest party

    /// @dev The last second at which the signed terms let the honest party do what is its part now, 0 if nothing is. It is
    ///      counted here and not read from the contract: a shorter window would be a promise that is not kept.
    function _honestDue() private view returns (uint256 last) {
        NodeState state = escrow.node(_own).state;
        if (_honest == buyer) {
            if (state == NodeState.Delivered) last = _answeredAt + _acceptWindow;
        } else if (state == NodeState.Funded) {
            last = _deliverBy;
        } else if (state == NodeState.Rejected) {
            if (_kind != Judge.None) last = _answeredAt + _acceptWindow;
            if (_revisionsLeft != 0 && _deliverBy > last) last = _deliverBy;
        }
        if (block.timestamp > last) last = 0;
    }

    /// @dev A buyer refuses whatever it gets; a worker delivers, delivers again, and contests where somebody may rule.
    function _honestMove() private {
        if (_honestDue() == 0) return;
        Node memory n = escrow.node(_own);
        if (_honest == buyer) {
            _as(buyer, abi.encodeCall(ITaskEscrow.rejectTask, (_own, n.artifactHash, "no", _at(_own))));
            return;
        }
        bool again = n.state == NodeState.Rejected && _revisionsLeft != 0 && block.timestamp <= _deliverBy;
        if (again && _kind != Judge.None && _pick(2) == 0) again = false;
        if (n.state == NodeState.Funded || again) {
            bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (_own, bytes32(_random | 1), false, _at(_own)));
            if (!_as(_honest, call)) return;
            _wasAnswered = false;
            if (again) --_revisionsLeft;
        } else if (_kind != Judge.None) {
            _as(_honest, abi.encodeCall(ITaskEscrow.disputeNode, (_own, "see", _at(_own))));
        }
    }

    // ---------------------------------------------------------------------------------------------------- the others

    function _hostileMove() private {
        uint192 id = _pick(2) == 0 ? _own : _all[_pick(_all.length)];
        Node memory n = escrow.node(id);
        address hirer = _hirerOf(id);
        uint256 dice = n.state == NodeState.Disputed && _pick(2) == 0 ? 5 : _pick(13);
        if (dice < 3) return _hostileHire(id, n);
        if (dice == 12) return _hostileForgery();
        if (dice == 3) {
            _as(stranger, abi.encodeCall(ITaskEscrow.finalize, (id)));
        } else if (dice == 4) {
            _as(stranger, abi.encodeCall(ITaskEscrow.claimNonDelivery, (id, stranger, _at(id))));
        } else if (dice == 5 && _kind == Judge.Hostile) {
            uint256 share = _pick(4) == 0 ? _pick(uint256(n.amount) + 1) : _pick(2) * n.amount;
            _as(arbiter, abi.encodeCall(ITaskEscrow.ruleDispute, (id, share, "so", _at(id))));
        } else if (dice < 11) {
            if (hirer == _honest || (dice < 8 && n.worker != _honest)) _hostileWork(id, n);
            else _hostileReview(id, n);
        } else if (hirer != _honest && n.worker != _honest && n.state != NodeState.None) {
            _hostileSplit(id, n, hirer);
        }
    }

    function _hostileHire(uint192 parent, Node memory p) private {
        if (_all.length >= MOST_NODES || p.worker == _honest || p.state != NodeState.Funded) return;
        if (block.timestamp + 1 hours > p.deliverBy || parent >> 168 != 0) return;
        bool own = _pick(3) == 0;
        uint64 left = p.allocated < p.floor ? p.floor - p.allocated : 0;
        uint64 most = _pick(4) == 0 ? p.amount : left; // more than the floor leaves is refused
        if (own || most == 0) most = uint64(1 << 40);
        uint64 amount = _pick(3) == 0 ? most : uint64(1 + _pick(most));
        uint64 floor = _pick(2) == 0 ? amount : uint64(_pick(uint256(amount) + 1));
        _hireFor(parent, _hostile(), amount, floor, own);
    }

    function _hostileWork(uint192 id, Node memory n) private {
        uint256 dice = n.state == NodeState.Rejected ? 1 + _pick(2) : _pick(5);
        if (dice < 2) {
            bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (id, bytes32(_random | 1), _pick(2) == 0, _at(id)));
            if (_as(n.worker, call) && id == _own) (_wasDelivered, _answeredAt) = (true, block.timestamp);
        } else if (dice == 2) {
            _as(n.worker, abi.encodeCall(ITaskEscrow.disputeNode, (id, "see", _at(id))));
        } else if (dice == 3) {
            _as(n.worker, abi.encodeCall(ITaskEscrow.abandonNode, (id, _at(id))));
        } else {
            uint256 amount = n.amount - n.allocated; // whether or not the escrow says that it may be taken out
            if (amount == 0) return;
            _as(n.worker, abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, n.worker, amount, _withdrawal())));
        }
    }

    function _hostileReview(uint192 id, Node memory n) private {
        address hirer = _hirerOf(id);
        bool accepts = _pick(id == _own ? 9 : 3) == 0;
        bytes memory call = accepts
            ? abi.encodeCall(ITaskEscrow.resolveTask, (id, n.artifactHash, _at(id)))
            : abi.encodeCall(ITaskEscrow.rejectTask, (id, n.artifactHash, "no", _at(id)));
        if (_as(hirer, call) && id == _own && !accepts) (_wasAnswered, _answeredAt) = (true, block.timestamp);
    }

    /// @dev Acts on the own node in the name of whoever may, without a signature.
    function _hostileForgery() private {
        Node memory n = escrow.node(_own);
        address forger = n.worker == _honest || _pick(3) != 0 ? _hostile() : n.worker;
        uint256 dice = _pick(7);
        bytes memory call;
        if (dice == 0) {
            call = abi.encodeCall(ITaskEscrow.resolveTask, (_own, n.artifactHash, _at(_own)));
        } else if (dice == 1) {
            call = abi.encodeCall(ITaskEscrow.abandonNode, (_own, _at(_own)));
        } else if (dice == 2) {
            call = abi.encodeCall(ITaskEscrow.ruleDispute, (_own, _pick(2) * n.amount, "so", _at(_own)));
        } else if (dice == 3) {
            call = abi.encodeCall(ITaskEscrow.withdrawRefund, (buyer, forger, escrow.refundOf(buyer), _withdrawal()));
        } else if (dice == 4) {
            call =
                abi.encodeCall(ITaskEscrow.withdrawEarnings, (_own, forger, escrow.withdrawable(_own), _withdrawal()));
        } else if (dice == 5) {
            call = abi.encodeCall(ITaskEscrow.agreeSplit, (_own, _pick(2) * n.amount, _at(_own), _at(_own)));
        } else if (forger != _hirerOf(_own)) {
            call = abi.encodeCall(ITaskEscrow.rejectTask, (_own, n.artifactHash, "no", _at(_own)));
        }
        _as(forger, call);
    }

    function _hostileSplit(uint192 id, Node memory n, address hirer) private {
        uint256 share = _pick(uint256(n.amount) + 1);
        Auth memory a = _at(id);
        Auth memory w = _at(id);
        w.signature = _sign(n.worker, _digest(_splitHead(id, share), w));
        _as(hirer, abi.encodeCall(ITaskEscrow.agreeSplit, (id, share, a, w)));
    }

    // ----------------------------------------------------------------------------------------------------- machinery

    function _hireFor(uint192 parent, address worker, uint64 amount, uint64 floor, bool own)
        internal
        returns (uint192 id)
    {
        id = parent << 24 | uint192(_all.length + 1);
        address hirer = _hirerOf(id);
        due = uint40(block.timestamp + WORK);
        NodeTerms memory t = _terms(id, worker, amount, own);
        t.floor = floor;
        uint256 left = parent == 0 ? 20 days : escrow.node(parent).deliverBy - block.timestamp;
        t.workSeconds = uint32(_pick(3) == 0 ? left : 1 hours + _pick(left - 1 hours + 1));
        t.acceptWindow = uint24(4 hours + _pick(3 days));
        t.maxRevisions = uint8(_pick(4));
        Auth memory w = _at(id);
        w.signature = _sign(worker, _digest(_quoteHead(t, hirer), w));
        FundingMode mode = own ? FundingMode.Allowance : FundingMode.ParentNode;
        if (own) {
            usdc.mint(hirer, amount);
            vm.prank(hirer);
            usdc.approve(address(escrow), amount);
        }
        bytes memory call = parent == 0
            ? abi.encodeCall(ITaskEscrow.fundTask, (t, mode, _at(id), w, ""))
            : abi.encodeCall(ITaskEscrow.subcontract, (t, mode, _at(id), w, ""));
        bool ok = _as(hirer, call);
        if (ok) _all.push(id);
        if (_own != 0) return id;
        require(ok, "the honest party's own line was not hired");
        (_deliverBy, _acceptWindow, _revisionsLeft) = (block.timestamp + t.workSeconds, t.acceptWindow, t.maxRevisions);
    }

    /// @dev The sender is the signer. Hostile calls may fail.
    function _as(address sender, bytes memory call) private returns (bool ok) {
        vm.prank(sender);
        (ok,) = address(escrow).call(call);
    }

    function _at(uint192 id) private returns (Auth memory a) {
        a = _auth(_nonceAt(id));
    }

    function _withdrawal() private returns (Auth memory a) {
        a = _auth(FIRST_WITHDRAWAL + _withdrawalsSent++);
    }

    function _takesRefund(uint256 amount) internal {
        if (amount == 0) return;
        uint256 before = usdc.balanceOf(buyer);
        _as(buyer, abi.encodeCall(ITaskEscrow.withdrawRefund, (buyer, buyer, amount, _withdrawal())));
        assertEq(usdc.balanceOf(buyer) - before, amount, "not paid back");
    }

    function _takesEarnings(uint256 amount) internal {
        assertEq(escrow.withdrawable(_own), amount);
        if (amount == 0) return;
        _as(_honest, abi.encodeCall(ITaskEscrow.withdrawEarnings, (_own, _honest, amount, _withdrawal())));
        assertEq(usdc.balanceOf(_honest), amount, "not paid");
    }

    function _backersSettled(uint192 id) internal view returns (bool) {
        while (!escrow.node(id).hirerFunded) {
            id >>= 24;
            if (escrow.node(id).state != NodeState.Settled) return false;
        }
        return true;
    }

    function _hostile() internal returns (address) {
        return workers[1 + _pick(5)];
    }

    function _price() internal returns (uint64) {
        return uint64(1 + _pick(1 << (1 + _pick(30))));
    }

    function _pick(uint256 below) internal returns (uint256) {
        _random = uint256(keccak256(abi.encode(_random)));
        return _random % below;
    }
}
