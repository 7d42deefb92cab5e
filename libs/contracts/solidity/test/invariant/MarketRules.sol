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
        if (move == Move.Deliver) return _mayDeliver(ns, id, intime);
        if (move == Move.Accept) {
            return s == NodeState.Delivered || ((s == NodeState.Rejected || s == NodeState.Disputed) && intime);
        }
        if (move == Move.Reject) return s == NodeState.Delivered && intime;
        if (move == Move.Abandon) return s == NodeState.Funded && n.allocated == 0;
        if (move == Move.Claim) return s == NodeState.Funded && _now() > n.deliverBy;
        if (move == Move.Dispute) return s == NodeState.Rejected && intime && _judge != address(0);
        if (move == Move.Rule) return s == NodeState.Disputed && intime;
        if (move == Move.Split) return _isRunning(s) && !_isClosed(_stands(n));
        if (move == Move.Finalize) return (_isRunning(s) && s != NodeState.Funded && !intime) || _isToBePaid(ns, id);
        return _available(ns, id) != 0;
    }

    function _mayDeliver(Node[] memory ns, uint32 id, bool intime) private view returns (bool) {
        Node memory n = ns[id];
        bool again = n.state == NodeState.Rejected && intime && n.revisions < n.maxRevisions;
        return (n.state == NodeState.Funded || again) && _now() <= n.deliverBy && !_isCutOff(ns, id);
    }

    /// @dev A node that has settled and whose worker is still to be paid at its own address.
    function _isToBePaid(Node[] memory ns, uint32 id) private view returns (bool) {
        Node memory n = ns[id];
        return n.state == NodeState.Settled && n.payOut && _available(ns, id) != 0 && _flows(n.worker);
    }

    /// @dev Whether a child may be hired below the node at all.
    function _mayHireBelow(Node[] memory ns, uint32 id) internal view returns (bool) {
        Node memory n = ns[id];
        bool longEnough = _now() + 1 hours <= n.deliverBy;
        return n.state == NodeState.Funded && longEnough && agreed[at][id].level < 8 && !_isCutOff(ns, id);
    }

    function _isRunning(NodeState s) internal pure returns (bool) {
        return s == NodeState.Funded || s == NodeState.Delivered || s == NodeState.Rejected || s == NodeState.Disputed;
    }

    /// @dev The state that time has decided.
    function _stands(Node memory n) internal view returns (NodeState) {
        if (_now() <= n.clock) return n.state;
        if (n.state == NodeState.Delivered) return NodeState.Settled;
        // A silent arbiter pays the floor, or nobody if there is none.
        if (n.state == NodeState.Disputed) return n.floor == 0 ? NodeState.Refunded : NodeState.Settled;
        if (n.state == NodeState.Rejected) return NodeState.Refunded;
        return n.state;
    }

    function _isClosed(NodeState s) internal pure returns (bool) {
        return s == NodeState.Refunded || s == NodeState.Abandoned;
    }

    /// @dev Money of the node has gone back with a node above it.
    function _isCutOff(Node[] memory ns, uint32 id) internal view returns (bool) {
        while (!ns[id].hirerFunded && id != 0) {
            id = agreed[at][id].parent;
            if (_isClosed(_stands(ns[id]))) return true;
        }
        return false;
    }

    /// @dev Every node that the money passed through has settled.
    function _isBacked(Node[] memory ns, uint32 id) internal view returns (bool) {
        while (!ns[id].hirerFunded && id != 0) {
            id = agreed[at][id].parent;
            if (_stands(ns[id]) != NodeState.Settled) return false;
        }
        return true;
    }

    /// @dev Base units that the node's worker may take out now.
    function _available(Node[] memory ns, uint32 id) internal view returns (uint256) {
        Node memory n = ns[id];
        if (_stands(n) != NodeState.Settled || !_isBacked(ns, id)) return 0;
        return (n.state == NodeState.Disputed ? n.floor : n.amount) - n.allocated;
    }

    /// @dev Whether the token would let the escrow pay or be paid by the account.
    function _flows(address account) internal view returns (bool) {
        return !usdc.paused() && !usdc.isBlacklisted(account) && !usdc.isBlacklisted(address(escrow));
    }
}
