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
/// @dev `allocated <= floor <= amount` until a node ends, so what time decides about it never depends on its children.
abstract contract NodeLedger is CloneParties {
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MIN_WORK_SECONDS = 1 hours;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_WORK_SECONDS = 365 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MIN_ACCEPT_WINDOW = 4 hours;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_ACCEPT_WINDOW = 90 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override RULING_WINDOW = 30 days;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_REVISIONS = 10;
    /// @inheritdoc ITaskEscrow
    uint256 public constant override MAX_DEPTH = 8;

    /// @dev Bits of an index in a path; a path of 192 bits has room for eight.
    uint256 private constant _INDEX_BITS = 24;
    uint256 private constant _INDEX_MASK = 0xffffff;

    mapping(uint192 nodeId => Node) internal _nodes;

    /// @inheritdoc ITaskEscrow
    mapping(address account => uint256 amount) public override refundOf;

    // ------------------------------------------------------------------------------------------------------- views

    /// @inheritdoc ITaskEscrow
    function node(uint192 nodeId) external view override returns (Node memory) {
        return _nodes[nodeId];
    }

    /// @inheritdoc ITaskEscrow
    function effectiveState(uint192 nodeId) external view override returns (NodeState) {
        return _effectiveState(_nodes[nodeId]);
    }

    /// @inheritdoc ITaskEscrow
    function withdrawable(uint192 nodeId) external view override returns (uint256) {
        Node storage n = _nodes[nodeId];
        if (_effectiveState(n) != NodeState.Settled || _unsettledBacker(nodeId, n) != 0) return 0;
        uint256 share = n.state == NodeState.Disputed ? n.floor : n.amount;
        return share - n.allocated;
    }

    // ------------------------------------------------------------------------------------------------ opening nodes

    /// @dev Opens a node whose money is about to come in.
    /// @return parent The parent's id, 0 for a node of the buyer.
    function _open(NodeTerms calldata terms) internal returns (uint192 parent) {
        uint192 nodeId = terms.nodeId;
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.None) revert NodeExists(nodeId);
        _checkTerms(terms);
        parent = _parentOf(nodeId);
        uint40 deliverBy = uint40(block.timestamp + terms.workSeconds); // at most 365 days ahead
        if (parent != 0) _checkParent(parent, deliverBy, terms);
        n.worker = terms.worker;
        n.floor = terms.floor;
        n.acceptWindow = terms.acceptWindow;
        n.hirerFunded = terms.hirerFunded;
        n.amount = terms.amount;
        n.deliverBy = deliverBy;
        n.clock = deliverBy;
        n.version = 1;
        n.maxRevisions = terms.maxRevisions;
        n.state = NodeState.Funded;
    }

    function _checkTerms(NodeTerms calldata terms) private view {
        (, address arbiter) = _parties();
        // The arbiter must not come to rule on its own pay, and what everybody may call cannot be a party.
        if (
            terms.worker == address(0) || terms.worker == arbiter || terms.worker == address(this)
                || terms.worker == factory() || terms.nodeId & _INDEX_MASK == 0
        ) revert InvalidTerms();
        if (terms.amount == 0 || terms.floor > terms.amount || terms.maxRevisions > MAX_REVISIONS) {
            revert InvalidTerms();
        }
        if (
            terms.workSeconds < MIN_WORK_SECONDS || terms.workSeconds > MAX_WORK_SECONDS
                || terms.acceptWindow < MIN_ACCEPT_WINDOW || terms.acceptWindow > MAX_ACCEPT_WINDOW
        ) revert InvalidTerms();
    }

    /// @dev A child may not outlast its parent, and its carve-out may not exceed what the parent's hirer has agreed to.
    function _checkParent(uint192 parentId, uint40 deliverBy, NodeTerms calldata terms) private {
        Node storage parent = _nodes[parentId];
        if (parent.state != NodeState.Funded) revert WrongState(parentId, parent.state);
        if (deliverBy > parent.deliverBy) revert InvalidTerms();
        _checkBackersOpen(parentId, parent);
        if (terms.hirerFunded) return;
        uint256 available = parent.floor - parent.allocated;
        if (terms.amount > available) revert InsufficientNodeBalance(available, terms.amount);
        parent.allocated += terms.amount;
    }

    // ------------------------------------------------------------------------------------------------- ending nodes

    /// @dev Writes down that a node has moved on. Everything that was signed about its state before is void from now on.
    function _enter(Node storage n, NodeState to) internal {
        ++n.version;
        n.state = to;
    }

    /// @dev Ends a node with `share` for its worker (children's carve-outs included) and the rest back.
    function _settle(uint192 nodeId, Node storage n, uint256 share, Outcome outcome) internal {
        uint256 rest = n.amount - share;
        _enter(n, NodeState.Settled);
        if (rest != 0) {
            n.amount = uint64(share); // `share <= n.amount`, or the subtraction above had failed
            _giveBack(nodeId, n, rest);
        }
        emit NodeSettled(nodeId, share, rest, outcome);
    }

    /// @dev Ends a node without pay. Its carve-outs need no visit: their money went back with it.
    function _refund(uint192 nodeId, Node storage n, NodeState to, Outcome outcome) internal {
        uint256 amount = n.amount;
        _enter(n, to);
        _giveBack(nodeId, n, amount);
        emit NodeRefunded(nodeId, amount, outcome);
    }

    /// @dev Ends a node by a decision about the worker's share: nothing, or at least what its children hold.
    function _split(uint192 nodeId, Node storage n, uint256 workerShare, Outcome outcome) internal {
        if (workerShare == 0) return _refund(nodeId, n, NodeState.Refunded, outcome);
        if (workerShare < n.allocated || workerShare > n.amount) {
            revert ShareOutOfRange(workerShare, n.allocated, n.amount);
        }
        _settle(nodeId, n, workerShare, outcome);
    }

    /// @dev Writes down what time has decided about a node.
    /// @return done Whether it had decided anything that was not written down yet.
    function _finalize(uint192 nodeId, Node storage n) internal returns (bool done) {
        if (!_hasLapsed(n)) return false;
        NodeState state = n.state;
        if (state == NodeState.Delivered) {
            _settle(nodeId, n, n.amount, Outcome.AcceptWindowLapsed);
        } else if (state == NodeState.Rejected) {
            _refund(nodeId, n, NodeState.Refunded, Outcome.RejectionFinal);
        } else {
            _split(nodeId, n, n.floor, Outcome.RulingLapsed);
        }
        return true;
    }

    /// @dev Money returns to where it came from: the parent's pool, or the hirer's refund balance.
    function _giveBack(uint192 nodeId, Node storage n, uint256 amount) private {
        if (n.hirerFunded) refundOf[_hirer(nodeId)] += amount;
        else _nodes[_parentOf(nodeId)].allocated -= uint64(amount); // never above the node's own `uint64 amount`
    }

    // -------------------------------------------------------------------------------------------------------- time

    function _hasLapsed(Node storage n) private view returns (bool) {
        NodeState state = n.state;
        return state >= NodeState.Delivered && state <= NodeState.Disputed && block.timestamp > n.clock;
    }

    function _effectiveState(Node storage n) internal view returns (NodeState state) {
        state = n.state;
        if (!_hasLapsed(n)) return state;
        if (state == NodeState.Rejected || (state == NodeState.Disputed && n.floor == 0)) return NodeState.Refunded;
        return NodeState.Settled;
    }

    // -------------------------------------------------------------------------------------------------------- tree

    function _parentOf(uint192 nodeId) internal pure returns (uint192) {
        return uint192(nodeId >> _INDEX_BITS);
    }

    function _hirer(uint192 nodeId) internal view returns (address hirer) {
        uint192 parent = _parentOf(nodeId);
        if (parent == 0) (hirer,) = _parties();
        else hirer = _nodes[parent].worker;
    }

    /// @dev Reverts if a backer has ended without pay: the money of `n` went back with it. At most MAX_DEPTH steps.
    function _checkBackersOpen(uint192 nodeId, Node storage n) internal view {
        while (!n.hirerFunded) {
            nodeId = _parentOf(nodeId);
            n = _nodes[nodeId];
            if (_effectiveState(n) > NodeState.Settled) revert AncestorClosed(nodeId);
        }
    }

    /// @dev The nearest backer that has not settled, 0 if all have. At most MAX_DEPTH steps.
    function _unsettledBacker(uint192 nodeId, Node storage n) internal view returns (uint192) {
        while (!n.hirerFunded) {
            nodeId = _parentOf(nodeId);
            n = _nodes[nodeId];
            if (_effectiveState(n) != NodeState.Settled) return nodeId;
        }
        return 0;
    }
}
