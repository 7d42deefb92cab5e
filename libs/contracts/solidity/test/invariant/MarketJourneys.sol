// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {MarketMoves} from "./MarketMoves.sol";

/// @notice Chance alone rarely leads a deep node through a rejection and a dispute with most of its money promised: a
///         journey draws one step of tools/market-coverage.mjs and a level, and leads a node there by allowed moves. The
///         properties are checked after each of them.
abstract contract MarketJourneys is MarketMoves {
    /// @dev One step of a node, and what its terms and the time must be for it.
    struct Step {
        NodeState from;
        NodeState to;
        bool late;
        bool carved;
    }

    /// @dev The steps that are not on the way to another one, in the digits of the tally without the level: from, to, late,
    ///      promised.
    bytes private constant STEPS = "1500 1501 1510 1511 1600 1610 1611 1700 1710 " // of a funded node
        "2500 2501 2510 2511 2600 2601 2610 " // of a delivered one
        "3200 3201 3500 3501 3600 3610 3611 " // of a rejected one
        "4500 4501 4510 4511 4600 4601 4610 "; // of a disputed one

    /// @dev Where {_drawn} reads the floor and the revisions of the terms in its seed, and the values that it takes there.
    uint256 private constant FLOOR_AT = 90;
    uint256 private constant REVISIONS_AT = 100;
    uint256 private constant FLOOR_NOTHING = 0;
    uint256 private constant FLOOR_WHOLE = 1;

    /// @dev Leads a node to the end of a step that the seed draws.
    /// @return Whether the step was taken.
    function _travel(uint256 seed) internal returns (bool) {
        seed >>= 8; // room for {_shareSeed} to count up
        uint8 level = uint8(1 + (seed >> 16) % 8);
        Step memory step = _drawStep(seed >> 24, level);
        if (step.from == NodeState.Disputed) _use((seed >> 40) % 2 * 2); // a tree with an arbiter
        // A rejection is final at once only where nobody may rule.
        bool finalAtOnce = step.from == NodeState.Delivered && step.to == NodeState.Refunded && !step.late;
        if (finalAtOnce) _use(1);
        if (!_flows(buyer)) return false;
        uint32 id = _reach(level, _termsSeed(seed, step, finalAtOnce));
        if (id == 0) return false;
        if (step.carved && !_promise(id, seed)) return false;
        return _lead(id, step, seed);
    }

    function _drawStep(uint256 seed, uint8 level) private pure returns (Step memory step) {
        uint256 place = seed % (STEPS.length / 5) * 5;
        step.from = NodeState(uint8(STEPS[place]) - 48);
        step.to = NodeState(uint8(STEPS[place + 1]) - 48);
        step.late = STEPS[place + 2] == "1";
        // The last level hires nobody: there the same step is taken without a promise.
        step.carved = STEPS[place + 3] == "1" && level < 8;
    }

    /// @dev A seed from which {_drawn} makes terms under which the step is possible.
    function _termsSeed(uint256 seed, Step memory step, bool finalAtOnce) private pure returns (uint256) {
        bool lapses = step.from == NodeState.Disputed && step.late;
        uint256 floor = lapses && step.to == NodeState.Refunded ? FLOOR_NOTHING : FLOOR_WHOLE;
        uint256 revisions = finalAtOnce ? 0 : 1 + (seed >> 44) % 3;
        seed &= ~(uint256(7) << FLOOR_AT | uint256(3) << REVISIONS_AT);
        return seed | floor << FLOOR_AT | revisions << REVISIONS_AT;
    }

    /// @dev A new node of that level, below an old one where that is possible and else at the end of a new chain.
    /// @return Its place, zero if the tree has no room or somebody cannot sign or pay now.
    function _reach(uint8 level, uint256 seed) private returns (uint32) {
        Node[] memory ns = _nodes();
        uint32 above;
        for (uint256 id = ns.length - 1; id > 0 && above == 0; --id) {
            bool fits = agreed[at][uint32(id)].level + 1 == level && ns[id].deliverBy > _now() + 1 days;
            if (fits && _mayHireBelow(ns, uint32(id))) above = uint32(id);
        }
        uint8 reached = above == 0 ? 0 : level - 1;
        while (reached < level) {
            ++reached;
            if (!_hireFor(above, seed, reached)) return 0;
            above = trees[at].count;
            _checkTree();
        }
        return above;
    }

    function _hireFor(uint32 above, uint256 seed, uint8 level) private returns (bool) {
        if (above == 0) return _open(seed, uint64(1e9 + seed % 1e9), 20 days);
        Node memory parent = escrow.node(_path(above));
        // Three of four are carved out, as long as there is enough for all levels below.
        bool own = parent.floor - parent.allocated < 1_000 || (seed >> (60 + level)) & 3 == 0;
        uint64 amount = own ? uint64(1e8) : (parent.floor - parent.allocated) / 2;
        return _hireBelow(above, seed | 1 << 52, amount, parent.deliverBy - _now() - 1 hours, own);
    }

    /// @dev Promises more than half of the node to a child.
    function _promise(uint32 id, uint256 seed) private returns (bool) {
        Node memory n = escrow.node(_path(id));
        uint256 half = n.amount / 2;
        if (n.floor - n.allocated <= half) return false;
        if (!_hireBelow(id, seed | 1 << 52, uint64(half + 1), n.deliverBy - _now() - 1 hours, false)) return false;
        _checkTree();
        return true;
    }

    function _lead(uint32 id, Step memory step, uint256 seed) private returns (bool) {
        for (uint256 i; i < uint8(step.from) - 1; ++i) {
            Move move = i == 0 ? Move.Deliver : i == 1 ? Move.Reject : Move.Dispute;
            if (!_goes(move, id, seed)) return false;
        }
        if (step.late) {
            Node memory n = escrow.node(_path(id));
            _warp((step.from == NodeState.Funded ? n.deliverBy : n.clock) + 1 + (seed >> 48) % 2 hours);
        }
        return _goes(_moveOf(step, seed), id, _shareSeed(step, seed));
    }

    /// @dev One of the moves that take the step.
    function _moveOf(Step memory step, uint256 seed) private pure returns (Move) {
        bool other = (seed >> 52) % 2 == 0;
        if (step.to == NodeState.Delivered) return Move.Deliver;
        if (step.to == NodeState.Abandoned) return Move.Abandon;
        if (step.from == NodeState.Funded) {
            return step.to == NodeState.Refunded && step.late && other ? Move.Claim : Move.Split;
        }
        if (step.to == NodeState.Settled) {
            if (step.late) return other && step.from == NodeState.Delivered ? Move.Accept : Move.Finalize;
            return other ? Move.Split : step.from == NodeState.Disputed ? Move.Rule : Move.Accept;
        }
        if (step.from == NodeState.Delivered) return step.late ? Move.Split : Move.Reject;
        if (step.late) return Move.Finalize;
        return step.from == NodeState.Disputed ? Move.Rule : Move.Split;
    }

    /// @dev A seed from which a ruling or an agreement takes a share of nothing, or of something, as the step wants it.
    function _shareSeed(Step memory step, uint256 seed) private pure returns (uint256) {
        bool nothing = step.to == NodeState.Refunded;
        // Where {_share} chooses between the children's part, the whole and what lies between.
        seed = seed & ~(uint256(3) << 16) | (nothing ? 0 : 1 + (seed >> 54) % 2) << 16;
        // Where {_callOf} chooses between a ruling for nothing and one for a share.
        while (((seed >> 8) % 3 == 0) != nothing) seed += 1 << 18;
        return seed;
    }

    function _goes(Move move, uint32 id, uint256 seed) private returns (bool) {
        Node[] memory ns = _nodes();
        if (!_may(move, ns, id) || !_does(move, ns, id, seed)) return false;
        _checkTree();
        return true;
    }
}
