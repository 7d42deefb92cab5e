// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {MarketStore} from "./MarketStore.sol";

/// @notice The rules of docs/decisions/escrow.md#states-of-a-node in words of their own: what may be done with a node
///         now. The guided handler requires that the contract lets it through exactly then.
abstract contract MarketRules is MarketStore {
    enum Move {
        Deliver,
        Accept,
        Reject,
        Abandon,
        Claim,
        Dispute,
        Rule,
        Split,
        Finalize,
        Withdraw
    }

    /// @dev Whether whoever holds the right may use it now. `ns` are all nodes of the current tree.
    function _may(Move move, Node[] memory ns, uint32 id) internal view returns (bool) {
        Node memory n = ns[id];
        NodeState s = n.state;
        bool intime = _now() <= n.clock;
        if (move == Move.Deliver) return _mayDeliver(ns, n, intime);
        if (move == Move.Accept) {
            return s == NodeState.Delivered || ((s == NodeState.Rejected || s == NodeState.Disputed) && intime);
        }
        if (move == Move.Reject) return s == NodeState.Delivered && intime;
        if (move == Move.Abandon) return s == NodeState.Funded && n.allocated == 0;
        if (move == Move.Claim) return s == NodeState.Funded && _now() > n.deliverBy;
        if (move == Move.Dispute) return s == NodeState.Rejected && intime && _judge != address(0);
        if (move == Move.Rule) return s == NodeState.Disputed && intime;
        if (move == Move.Split) return _isRunning(s) && (s != NodeState.Rejected || intime);
        if (move == Move.Finalize) return _isRunning(s) && s != NodeState.Funded && !intime;
        return _available(ns, id) != 0;
    }

    function _mayDeliver(Node[] memory ns, Node memory n, bool intime) private view returns (bool) {
        bool open = n.state == NodeState.Funded || (n.state == NodeState.Rejected && intime);
        return open && _now() <= n.deliverBy && !_isCutOff(ns, n);
    }

    /// @dev Whether a child may be hired below the node at all.
    function _mayHireBelow(Node[] memory ns, uint32 id) internal view returns (bool) {
        Node memory n = ns[id];
        return n.state == NodeState.Funded && _now() < n.deliverBy && _level(ns, n) < 8 && !_isCutOff(ns, n);
    }

    function _isRunning(NodeState s) internal pure returns (bool) {
        return s == NodeState.Funded || s == NodeState.Delivered || s == NodeState.Rejected || s == NodeState.Disputed;
    }

    /// @dev The state that time has decided.
    function _stands(Node memory n) internal view returns (NodeState) {
        if (_now() <= n.clock) return n.state;
        if (n.state == NodeState.Delivered || n.state == NodeState.Disputed) return NodeState.Settled;
        if (n.state == NodeState.Rejected) return NodeState.Refunded;
        return n.state;
    }

    function _isClosed(NodeState s) internal pure returns (bool) {
        return s == NodeState.Refunded || s == NodeState.Abandoned;
    }

    /// @dev Money of the node has gone back with a node above it.
    function _isCutOff(Node[] memory ns, Node memory n) internal view returns (bool) {
        while (!n.hirerFunded) {
            n = ns[n.parent];
            if (_isClosed(_stands(n))) return true;
        }
        return false;
    }

    /// @dev Every node that the money passed through has settled.
    function _isBacked(Node[] memory ns, Node memory n) internal view returns (bool) {
        while (!n.hirerFunded) {
            n = ns[n.parent];
            if (_stands(n) != NodeState.Settled) return false;
        }
        return true;
    }

    /// @dev Base units that the node's worker may take out now.
    function _available(Node[] memory ns, uint32 id) internal view returns (uint256) {
        Node memory n = ns[id];
        if (_stands(n) != NodeState.Settled || !_isBacked(ns, n)) return 0;
        uint256 kept = n.amount;
        if (n.state == NodeState.Disputed) {
            // A silent arbiter halves, but takes nothing from the children.
            kept = n.amount / 2;
            if (kept < n.allocated) kept = n.allocated;
        }
        return kept - n.allocated;
    }

    function _level(Node[] memory ns, Node memory n) internal pure returns (uint256 level) {
        for (level = 1; n.parent != 0; ++level) {
            n = ns[n.parent];
        }
    }

    /// @dev Whether the token would let the escrow pay or be paid by the account.
    function _flows(address account) internal view returns (bool) {
        return !usdc.paused() && !usdc.isBlacklisted(account) && !usdc.isBlacklisted(address(escrow));
    }
}
