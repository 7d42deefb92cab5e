// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {MarketRules} from "./MarketRules.sol";

/// @notice What holds after every call, numbered as in INVARIANTS.md. Each property looks at the tree that the call was
///         about; the other trees must not have moved at all (property 19).
abstract contract MarketProperties is MarketRules {
    /// @dev Cheaper than an assertion where it holds, and it is asked many times a call.
    error Broken(string property);

    /// @dev The current tree as the contract shows it: nodes by id, refund balances by place in {people}.
    struct Books {
        Node[] ns;
        uint256[10] refunds;
        uint256 refundable;
        uint256 held;
    }

    mapping(uint256 tree => mapping(uint32 id => NodeState)) private _seen;
    mapping(uint256 tree => mapping(uint32 id => NodeState)) private _stood;
    uint256[3] private _heldBefore;

    /// @dev Checks everything; reverts with the property that does not hold.
    function _checkTree() internal {
        if (bytes(violation).length != 0) revert Broken(violation);
        Books memory books = _books();
        Node[] memory ns = books.ns;
        _p01_heldIsOwed(books);
        _p02_heldIsInMinusOut(books.held);
        _p03_everyClaimCanBePaidAtOnce(books);
        for (uint32 id = 1; id < ns.length; ++id) {
            Node memory n = ns[id];
            _p04_neverMorePromisedThanAgreed(n);
            _p06_finalIsFinal(id, n);
            _p07_onlyTheEdgesOfTheTable(id, n);
            _p08_timesDecisionStands(id, n);
            _p09_termsAreFrozen(id, n);
            _p11_noNodePaysMoreThanItsPrice(id, n);
            _p14_nothingLeavesAnUnacceptedRoot(ns, id);
            _p15_shape(ns, id);
            _p16_everyClockEnds(n);
            if ((id + calls) % 3 == 0) _p17_withdrawableIsExact(ns, id);
            if (n.state != _seen[at][id]) _reached(id, _seen[at][id], n);
            _seen[at][id] = n.state;
            _stood[at][id] = _stands(n);
        }
        _p05_promisesAreTheChildrens(ns);
        _p10_noncesOnlyEverGoAway();
        _p12_nobodyGetsMoreThanTheTermsGave(books);
        _p13_hirersAreWhole(books);
        _p18_bystandersGetNothing();
        _p19_treesDoNotTouch(books.held);
    }

    /// @dev Counts the step that a node has taken by level, by whether its time was over, and by whether more than half of it
    ///      is promised to children: `step` and five digits, see tools/market-coverage.mjs.
    function _reached(uint32 id, NodeState before, Node memory n) private {
        bool late = n.state >= NodeState.Settled && _now() > n.clock; // a clock stands still once its node has ended
        bool carved = uint256(n.allocated) * 2 > n.amount;
        _countStep(uint8(before), uint8(n.state), agreed[at][id].level, late, carved);
    }

    function _books() private view returns (Books memory books) {
        books.ns = _nodes();
        books.held = usdc.balanceOf(address(escrow));
        for (uint256 i; i < people.length; ++i) {
            books.refunds[i] = escrow.refundOf(people[i]);
            books.refundable += books.refunds[i];
        }
    }

    function _isLive(Node[] memory ns, uint32 id) private view returns (bool) {
        Node memory n = ns[id];
        while (n.state >= NodeState.Funded && n.state <= NodeState.Settled) {
            if (n.hirerFunded) return true;
            id = agreed[at][id].parent;
            n = ns[id];
        }
        return false;
    }

    function _p01_heldIsOwed(Books memory books) private view {
        uint256 owed = books.refundable + trees[at].gifts;
        for (uint32 id = 1; id < books.ns.length; ++id) {
            if (_isLive(books.ns, id)) owed += books.ns[id].amount - books.ns[id].allocated;
        }
        if (books.held != owed) revert Broken("P1: held is not owed");
    }

    function _p02_heldIsInMinusOut(uint256 held) private view {
        if (held != trees[at].deposited + trees[at].gifts - trees[at].withdrawn) {
            revert Broken("P2: held is not what came minus went");
        }
    }

    function _p03_everyClaimCanBePaidAtOnce(Books memory books) private view {
        uint256 claims = books.refundable;
        for (uint32 id = 1; id < books.ns.length; ++id) {
            claims += _available(books.ns, id);
        }
        if (claims > books.held) revert Broken("P3: insolvent");
    }

    function _p04_neverMorePromisedThanAgreed(Node memory n) private pure {
        if (n.allocated > n.amount) revert Broken("P4: more promised than held");
        if (n.allocated > n.floor) revert Broken("P4: more promised than the hirer agreed to");
    }

    function _p05_promisesAreTheChildrens(Node[] memory ns) private view {
        uint256[] memory promised = new uint256[](ns.length);
        for (uint32 id = 1; id < ns.length; ++id) {
            Node memory n = ns[id];
            if (n.hirerFunded || n.state == NodeState.None || _isClosed(n.state)) continue;
            promised[agreed[at][id].parent] += n.amount + withdrawnFrom[at][id];
        }
        for (uint32 id = 1; id < ns.length; ++id) {
            if (ns[id].allocated != promised[id]) revert Broken("P5: promises are not the children's");
        }
    }

    function _p06_finalIsFinal(uint32 id, Node memory n) private view {
        NodeState before = _seen[at][id];
        if (before >= NodeState.Settled) if (n.state != before) revert Broken("P6: a final state changed");
    }

    /// @dev One call may take several edges (a multicall, a withdrawal that writes silence down), so the edges are those
    ///      of the closure: never back, except for a delivery after a rejection.
    function _p07_onlyTheEdgesOfTheTable(uint32 id, Node memory n) private view {
        NodeState before = _seen[at][id];
        if (before == n.state) return;
        bool again = before == NodeState.Rejected && n.state == NodeState.Delivered;
        if (!(n.state > before || again)) revert Broken("P7: a node went back");
        if (n.state == NodeState.Abandoned) if (before != NodeState.Funded) revert Broken("P7: abandoned late");
        if (n.state == NodeState.Disputed) if (before != NodeState.Rejected) revert Broken("P7: disputed early");
    }

    /// @dev Closed stays closed. Settled by time stays settled, unless both sides split it and the worker took nothing.
    function _p08_timesDecisionStands(uint32 id, Node memory n) private view {
        NodeState before = _stood[at][id];
        NodeState now_ = _stands(n);
        if (_isClosed(before)) if (!_isClosed(now_)) revert Broken("P8: what was closed is open again");
        if (before == NodeState.Settled && now_ != NodeState.Settled) {
            if (_seen[at][id] == NodeState.Settled) revert Broken("P8: what was settled is open again");
            if (n.state != NodeState.Refunded) revert Broken("P8: what time had settled is open again");
            if (n.allocated != 0) revert Broken("P8: children lost what time had settled");
        }
    }

    function _p09_termsAreFrozen(uint32 id, Node memory n) private view {
        if (n.state == NodeState.None) return;
        if (n.worker != agreed[at][id].worker) revert Broken("P9: another worker");
        if (n.deliverBy != agreed[at][id].deliverBy) revert Broken("P9: another deadline");
        if (n.acceptWindow != agreed[at][id].acceptWindow) revert Broken("P9: another window");
        if (n.floor != agreed[at][id].floor) revert Broken("P9: another floor");
        if (n.maxRevisions != agreed[at][id].maxRevisions) revert Broken("P9: other revisions");
        if (n.revisions > n.maxRevisions) revert Broken("P9: more revisions than agreed");
        if (n.hirerFunded != agreed[at][id].hirerFunded) revert Broken("P9: another kind of money");
    }

    /// @dev A quarter of the people, and some of the nonces about nodes, in each call; what one call breaks, a later one
    ///      still sees.
    function _p10_noncesOnlyEverGoAway() private view {
        for (uint256 i = calls % 4; i < people.length; i += 4) {
            uint256 first = FIRST_WITHDRAWAL >> 8;
            for (uint256 word = first; word <= first + (withdrawals[people[i]] >> 8); ++word) {
                if (escrow.nonceBitmap(people[i], word) != usedBits[at][people[i]][word]) {
                    revert Broken("P10: a nonce is not what it was");
                }
            }
        }
        uint256 sample = spent.length < 5 ? spent.length : 5;
        for (uint256 i; i < sample; ++i) {
            // The newest, and older ones in turn.
            Spent memory s = spent[i == 0 ? spent.length - 1 : (calls * 5 + i) % spent.length];
            if (!trees[s.tree].escrow.nonceUsed(s.account, s.nonce)) revert Broken("P10: a used nonce is free again");
        }
    }

    function _p11_noNodePaysMoreThanItsPrice(uint32 id, Node memory n) private view {
        if (n.amount + withdrawnFrom[at][id] > agreed[at][id].amount) revert Broken("P11: more than the price");
        if (withdrawnFrom[at][id] != 0) if (n.state != NodeState.Settled) revert Broken("P11: paid unsettled");
    }

    /// @dev What an account has out, and could have now, against the prices of its nodes and the money it brought.
    function _p12_nobodyGetsMoreThanTheTermsGave(Books memory books) private view {
        uint256[10] memory most;
        uint256[10] memory has;
        for (uint32 id = 1; id < books.ns.length; ++id) {
            uint256 place = placeOf[agreed[at][id].worker];
            if (place == 0) continue; // a node that was never opened
            most[place - 1] += agreed[at][id].amount;
            has[place - 1] += _available(books.ns, id);
        }
        for (uint256 i; i < people.length; ++i) {
            has[i] += tookOut[at][people[i]] + books.refunds[i];
            if (has[i] > most[i] + broughtIn[at][people[i]]) revert Broken("P12: more than the terms gave");
        }
    }

    /// @dev To the unit: what a hirer brought and a worker did not keep has come back to the hirer.
    function _p13_hirersAreWhole(Books memory books) private view {
        uint256[10] memory back;
        for (uint32 id = 1; id < books.ns.length; ++id) {
            Node memory n = books.ns[id];
            if (!n.hirerFunded || n.state < NodeState.Settled) continue;
            uint256 kept = n.state == NodeState.Settled ? n.amount + withdrawnFrom[at][id] : 0;
            back[placeOf[agreed[at][id].hirer] - 1] += agreed[at][id].amount - kept;
        }
        for (uint256 i; i < people.length; ++i) {
            if (books.refunds[i] + refundsUsed[at][people[i]] != back[i]) revert Broken("P13: a hirer is not whole");
        }
    }

    function _p14_nothingLeavesAnUnacceptedRoot(Node[] memory ns, uint32 id) private view {
        if (withdrawnFrom[at][id] == 0) return;
        if (!_isBacked(ns, id)) revert Broken("P14: paid under a backer that has not settled");
    }

    function _p15_shape(Node[] memory ns, uint32 id) private view {
        uint32 parent = agreed[at][id].parent;
        if (_path(id) >> 24 != _path(parent)) revert Broken("P15: below another node");
        if (parent == 0) return;
        if (agreed[at][id].level > 8) revert Broken("P15: too deep");
        if (ns[id].deliverBy > ns[parent].deliverBy) revert Broken("P15: a child outlasts its parent");
    }

    function _p16_everyClockEnds(Node memory n) private pure {
        if (n.state < NodeState.Funded || n.state >= NodeState.Settled) return;
        if (n.clock > uint256(n.deliverBy) + 2 * uint256(n.acceptWindow) + 30 days) {
            revert Broken("P16: a lock without end");
        }
    }

    function _p17_withdrawableIsExact(Node[] memory ns, uint32 id) private view {
        if (escrow.withdrawable(_path(id)) != _available(ns, id)) {
            revert Broken("P17: withdrawable is not what can be had");
        }
        if (escrow.effectiveState(_path(id)) != _stands(ns[id])) revert Broken("P17: another effective state");
    }

    function _p18_bystandersGetNothing() private view {
        if (escrow.refundOf(arbiter) + escrow.refundOf(stranger) != 0) revert Broken("P18: bystanders are owed money");
        if (usdc.balanceOf(arbiter) + usdc.balanceOf(stranger) != 0) revert Broken("P18: bystanders hold money");
        if (usdc.balanceOf(address(implementation)) + usdc.balanceOf(address(factory)) != 0) {
            revert Broken("P18: misplaced money");
        }
    }

    function _p19_treesDoNotTouch(uint256 held) private {
        for (uint256 k; k < trees.length; ++k) {
            if (k == at) continue;
            if (usdc.balanceOf(address(trees[k].escrow)) != _heldBefore[k]) {
                revert Broken("P19: another tree's money moved");
            }
        }
        _heldBefore[at] = held;
    }
}
