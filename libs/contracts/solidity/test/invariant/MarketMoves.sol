// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MarketMoney} from "./MarketMoney.sol";

/// @notice The machinery of the guided handler: it only does what {MarketRules} says is possible, and requires that the
///         contract lets it through; time likes to stand at the edges of the nodes' clocks.
abstract contract MarketMoves is MarketMoney {
    /// @dev The past is remembered here and not in the invariant function, whose writes the fuzzer throws away.
    modifier checked() {
        _;
        _checkTree();
    }

    /// @dev The fuzzer likes small and repeated numbers: spread them.
    function _begin(uint256 raw) internal returns (uint256 seed) {
        seed = uint256(keccak256(abi.encode(raw, ++calls)));
        _use(seed % 3);
        _pass(seed >> 8);
    }

    /// @dev Mostly little time, now and then to the second before, at, or after the end of somebody's right.
    function _pass(uint256 seed) private {
        uint256 dice = seed % 24;
        if (dice < 18) {
            _warp(_now() + (dice < 9 ? 0 : (seed >> 8) % 20 minutes));
        } else if (dice < 23 && trees[at].count != 0) {
            Node memory n = escrow.node(_path(uint32((seed >> 8) % trees[at].count) + 1));
            uint256 edge = (dice == 18 ? n.deliverBy : n.clock) + (seed >> 40) % 3;
            if (edge > _now() + 1 && edge < _now() + 35 days) _warp(edge - 1);
        } else {
            _warp(_now() + (seed >> 8) % 2 days);
        }
    }

    /// @dev Does the wanted move on some node, or else another one that is possible.
    function _work(Move wanted, uint256 seed) internal {
        Node[] memory ns = _nodes();
        if (_running(ns) < 6 && (seed >> 220) & 1 == 0 && _grow(ns, seed >> 128)) return;
        // The long way through a dispute is rare by chance alone: prefer it in a third of the calls.
        if ((seed >> 210) % 3 == 0 && (_onSome(Move.Rule, ns, seed) || _onSome(Move.Dispute, ns, seed))) return;
        if ((seed >> 210) % 3 == 0 && (seed >> 212) & 1 == 0 && _onSome(Move.Reject, ns, seed)) return;
        for (uint256 m; m < 11; ++m) {
            Move move = m == 0 ? wanted : Move(((seed >> 80) % 10 + m) % 10);
            // Both end a node early: rarely, or no tree would ever grow.
            if ((move == Move.Abandon || move == Move.Split) && (seed >> (96 + m)) & 3 != 0) continue;
            if (_onSome(move, ns, seed)) return;
        }
        if (!_grow(ns, seed >> 128)) vm.assume(false);
    }

    /// @dev Does the move on a node that allows it, if there is one.
    function _onSome(Move move, Node[] memory ns, uint256 seed) private returns (bool) {
        for (uint256 i; i + 1 < ns.length; ++i) {
            uint32 id = uint32(((seed >> 16) + i) % (ns.length - 1)) + 1;
            if (_may(move, ns, id) && _does(move, ns, id, seed >> 64)) return true;
        }
        return false;
    }

    function _running(Node[] memory ns) private pure returns (uint256 count) {
        for (uint256 id = 1; id < ns.length; ++id) {
            if (_isRunning(ns[id].state)) ++count;
        }
    }

    /// @dev Hires below the newest node that allows it, or for the buyer.
    function _grow(Node[] memory ns, uint256 seed) private returns (bool) {
        for (uint256 id = ns.length - 1; id > 0 && seed & 7 != 0; --id) {
            if (!_mayHireBelow(ns, uint32(id))) continue;
            if (_hireBelow(uint32(id), seed, uint64(seed >> 3), seed >> 20, seed & 24 == 0)) return true;
        }
        return _open(seed, uint64(seed >> 3), seed >> 20);
    }

    /// @return done_ False if nobody could sign or be paid at this moment.
    function _does(Move move, Node[] memory ns, uint32 id, uint256 seed) internal returns (bool done_) {
        if (move == Move.Withdraw) return _takes(id, _available(ns, id), seed);
        (address first, address second) = _parties(move, ns, id, seed);
        _sender = _senderFor(seed, first, second);
        if (_sender == address(0)) return false;
        _mustSettle(move, ns, id, seed);
        return true;
    }

    /// @dev Does the move. If it ends the node, what the worker asked to be paid must have gone to it, unless the token
    ///      refuses, and a silent arbiter must have left it the floor.
    function _mustSettle(Move move, Node[] memory ns, uint32 id, uint256 seed) private {
        Node memory n = ns[id];
        uint256 held = usdc.balanceOf(address(escrow));
        bool lapsedDispute = move == Move.Finalize && n.state == NodeState.Disputed;
        _must(_nameOf(move), _callOf(move, n, _path(id), seed));
        uint256 paid = held - usdc.balanceOf(address(escrow));
        if (paid != 0) {
            _earned(id, paid);
            _count("paid out");
        }
        ns[id] = escrow.node(_path(id));
        if (lapsedDispute && ns[id].amount + paid != n.floor && n.floor != 0) revert Broken("P26: not the floor");
        bool owed = ns[id].state == NodeState.Settled && n.payOut && _isBacked(ns, id) && _flows(n.worker);
        if (owed && ns[id].amount != ns[id].allocated) revert Broken("P27: not paid out");
        if (!owed && paid != 0) revert Broken("P27: paid out unasked");
    }

    /// @dev Whose authorisation the move needs.
    function _parties(Move move, Node[] memory ns, uint32 id, uint256 seed) internal view returns (address, address) {
        (Node memory n, address hirer) = (ns[id], agreed[at][id].hirer);
        if (move == Move.Accept || move == Move.Reject) return (hirer, hirer);
        if (move == Move.Claim) return (people[seed % 10], people[seed % 10]);
        if (move == Move.Rule) return (arbiter, arbiter);
        if (move == Move.Split) return (hirer, n.worker);
        if (move == Move.Finalize) return (stranger, stranger);
        return (n.worker, n.worker);
    }

    function _callOf(Move move, Node memory n, uint192 id, uint256 seed) internal returns (bytes memory) {
        if (move == Move.Deliver) return _deliverCall(id, bytes32(seed | 1), (seed >> 60) % 2 == 0);
        if (move == Move.Accept) return _acceptCall(id);
        if (move == Move.Reject) return _rejectCall(id);
        if (move == Move.Abandon) return _abandonCall(id);
        if (move == Move.Claim) return _claimCall(id, people[seed % 10]);
        if (move == Move.Dispute) return _disputeCall(id);
        if (move == Move.Rule) return _ruleCall(id, (seed >> 8) % 3 == 0 ? 0 : _share(n, seed >> 16));
        if (move == Move.Split) return _splitCall(id, _share(n, seed >> 16));
        if (move == Move.Finalize) return abi.encodeCall(ITaskEscrow.finalize, (id));
        return _withdrawCall(id, n.amount);
    }

    function _nameOf(Move move) private pure returns (bytes32) {
        bytes32[10] memory names = [
            bytes32("deliver"),
            "resolveTask",
            "rejectTask",
            "abandonNode",
            "claimNonDelivery",
            "disputeNode",
            "ruleDispute",
            "agreeSplit",
            "finalize",
            "withdrawEarnings"
        ];
        return names[uint8(move)];
    }

    /// @dev Any share that leaves the children whole; often one of the two ends.
    function _share(Node memory n, uint256 seed) private pure returns (uint256) {
        if (seed % 4 == 0) return n.allocated;
        if (seed % 4 == 1) return n.amount;
        return n.allocated + (seed >> 8) % (uint256(n.amount) - n.allocated + 1);
    }
}
