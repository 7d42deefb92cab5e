// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {CloneParties} from "./CloneParties.sol";
import {Node, NodeState, NodeTerms, Outcome} from "./Types.sol";
import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";

/// @title NodeLedger
/// @notice The books of a tree: its nodes, what they hold, where money goes when a node ends, and who backs whom.
///
/// @dev At any time the escrow's token balance is the sum of `amount - allocated` over all live nodes plus the sum of
///      all refund balances, where a node is live if neither it nor a backer has ended without pay. `allocated` of a
///      node is what its carve-out children that have not ended without pay hold or have taken out.
abstract contract NodeLedger is CloneParties {
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MIN_ACCEPT_WINDOW = 4 hours;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_ACCEPT_WINDOW = 90 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_DELIVERY_HORIZON = 365 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override RULING_WINDOW = 30 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_DEPTH = 8;

    mapping(uint32 nodeId => Node) internal _nodes;

    /// @inheritdoc ITaskEscrow
    mapping(address account => uint256 amount) public override refundOf;

    // ------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc ITaskEscrow
    function node(uint32 nodeId) external view override returns (Node memory) {
        return _nodes[nodeId];
    }

    /// @inheritdoc ITaskEscrow
    function effectiveState(uint32 nodeId) external view override returns (NodeState) {
        return _effectiveState(_nodes[nodeId]);
    }

    /// @inheritdoc ITaskEscrow
    function withdrawable(uint32 nodeId) external view override returns (uint256) {
        Node storage n = _nodes[nodeId];
        if (_effectiveState(n) != NodeState.Settled || _unsettledBacker(n) != 0) return 0;
        uint256 share = n.state == NodeState.Disputed ? _lapsedShare(n) : n.amount;
        return share - n.allocated;
    }

    // ------------------------------------------------------------------------------------------------ opening nodes

    function _checkTerms(NodeTerms calldata terms) internal view {
        (, address arbiter) = _parties();
        // The arbiter must not come to rule on its own pay, and through the factory anybody could act as the worker.
        if (
            terms.nodeId == 0 || terms.worker == address(0) || terms.worker == arbiter || terms.worker == _FACTORY
                || terms.amount == 0
        ) revert InvalidTerms();
        if (
            terms.deliverBy <= block.timestamp || terms.deliverBy > block.timestamp + MAX_DELIVERY_HORIZON
                || terms.acceptWindow < MIN_ACCEPT_WINDOW || terms.acceptWindow > MAX_ACCEPT_WINDOW
        ) revert InvalidTerms();
    }

    function _open(NodeTerms calldata terms, NodeState state, uint256 clock) internal {
        Node storage n = _nodes[terms.nodeId];
        if (n.state != NodeState.None) revert NodeExists(terms.nodeId);
        n.worker = terms.worker;
        n.amount = terms.amount;
        n.deliverBy = terms.deliverBy;
        n.clock = uint40(clock); // at most `deliverBy`, which is 40 bits wide
        n.parent = terms.parentNodeId;
        n.acceptWindow = terms.acceptWindow;
        n.state = state;
        n.hirerFunded = terms.hirerFunded;
        emit NodeOpened(
            terms.nodeId,
            terms.parentNodeId,
            terms.worker,
            terms.amount,
            terms.deliverBy,
            terms.acceptWindow,
            terms.hirerFunded,
            terms.termsHash
        );
    }

    /// @dev Promises a part of a node's free pool to a child.
    function _allocate(Node storage n, uint96 amount) internal {
        uint256 available = n.amount - n.allocated;
        if (amount > available) revert InsufficientNodeBalance(available, amount);
        n.allocated += amount;
    }

    // ------------------------------------------------------------------------------------------------- ending nodes

    /// @dev Ends a node with `share` for its worker (children's carve-outs included) and the rest back.
    function _settle(uint32 nodeId, Node storage n, uint256 share, Outcome outcome) internal {
        uint256 rest = n.amount - share;
        n.state = NodeState.Settled;
        if (rest != 0) {
            n.amount = uint96(share); // `share <= n.amount`, or the subtraction above had failed
            _giveBack(n, rest);
        }
        emit NodeSettled(nodeId, share, rest, outcome);
    }

    /// @dev Ends a node without pay. Its carve-outs need no visit: their money went back with it.
    function _refund(uint32 nodeId, Node storage n, NodeState to, Outcome outcome) internal {
        uint256 amount = n.amount;
        n.state = to;
        _giveBack(n, amount);
        emit NodeRefunded(nodeId, amount, outcome);
    }

    /// @dev Ends a node by a decision about the worker's share: nothing, or at least what its children hold.
    function _split(uint32 nodeId, Node storage n, uint256 workerShare, Outcome outcome) internal {
        if (workerShare == 0) {
            _refund(nodeId, n, NodeState.Refunded, outcome);
            return;
        }
        if (workerShare < n.allocated || workerShare > n.amount) {
            revert ShareOutOfRange(workerShare, n.allocated, n.amount);
        }
        _settle(nodeId, n, workerShare, outcome);
    }

    /// @dev Writes down what time has decided about a node.
    /// @return done Whether it had decided anything that was not written down yet.
    function _finalize(uint32 nodeId, Node storage n) internal returns (bool done) {
        if (!_hasLapsed(n)) return false;
        NodeState state = n.state;
        if (state == NodeState.Delivered) {
            _settle(nodeId, n, n.amount, Outcome.AcceptWindowLapsed);
        } else if (state == NodeState.Rejected) {
            _refund(nodeId, n, NodeState.Refunded, Outcome.RejectionFinal);
        } else {
            _settle(nodeId, n, _lapsedShare(n), Outcome.RulingLapsed);
        }
        return true;
    }

    /// @dev Money returns to where it came from: the parent's pool, or the hirer's refund balance.
    function _giveBack(Node storage n, uint256 amount) private {
        if (n.hirerFunded) refundOf[_hirer(n)] += amount;
        else _nodes[n.parent].allocated -= uint96(amount); // never above the node's own `uint96 amount`
    }

    // -------------------------------------------------------------------------------------------------------- time

    function _hasLapsed(Node storage n) private view returns (bool) {
        NodeState state = n.state;
        return state >= NodeState.Delivered && state <= NodeState.Disputed && block.timestamp > n.clock;
    }

    /// @dev What a worker keeps when the arbiter stays silent: half, the odd unit for the hirer, but never less than
    ///      what its children hold.
    function _lapsedShare(Node storage n) private view returns (uint256) {
        uint256 half = n.amount / 2;
        return half < n.allocated ? n.allocated : half;
    }

    function _effectiveState(Node storage n) internal view returns (NodeState state) {
        state = n.state;
        if (_hasLapsed(n)) return state == NodeState.Rejected ? NodeState.Refunded : NodeState.Settled;
    }

    // -------------------------------------------------------------------------------------------------------- tree

    function _hirer(Node storage n) internal view returns (address hirer) {
        uint32 parent = n.parent;
        if (parent == 0) (hirer,) = _parties();
        else hirer = _nodes[parent].worker;
    }

    /// @dev Reverts if a backer has ended without pay: the money of `n` went back with it. At most MAX_DEPTH steps.
    function _checkBackersOpen(Node storage n) internal view {
        while (!n.hirerFunded) {
            uint32 parent = n.parent;
            n = _nodes[parent];
            if (_effectiveState(n) > NodeState.Settled) revert AncestorClosed(parent);
        }
    }

    /// @dev Reverts unless every backer has settled, so that the money of `n` cannot go back any more.
    function _checkBackersSettled(Node storage n) internal view {
        uint32 unsettled = _unsettledBacker(n);
        if (unsettled != 0) revert AncestorNotSettled(unsettled);
    }

    /// @dev Reverts if a child of `n` would be below the last level. Counts every level, however it is paid.
    function _checkDepthBelow(Node storage n) internal view {
        uint256 level = 1;
        for (uint32 parent = n.parent; parent != 0; parent = _nodes[parent].parent) {
            ++level;
        }
        if (level >= MAX_DEPTH) revert TreeTooDeep();
    }

    /// @dev The nearest backer that has not settled, 0 if all have. At most MAX_DEPTH steps.
    function _unsettledBacker(Node storage n) private view returns (uint32) {
        while (!n.hirerFunded) {
            uint32 parent = n.parent;
            n = _nodes[parent];
            if (_effectiveState(n) != NodeState.Settled) return parent;
        }
        return 0;
    }
}
