// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MoodyWallet} from "../mocks/Wallets.sol";
import {MarketJourneys} from "./MarketJourneys.sol";

/// @notice Buyers, workers, sock puppets, an arbiter, relayers and a moody world, one function for each thing they do.
contract MarketHandler is MarketJourneys {
    constructor() {
        setUp();
        for (uint256 k; k < 3; ++k) {
            _use(k);
            _open(k * 77 + (1 << 80) + (1 << 90), 1_000e6, 20 days);
            uint32 levels = k == 0 ? 7 : 3;
            for (uint32 id = 1; id < levels; ++id) {
                _hireBelow(
                    id, (uint256(3 * k + id) << 24) | (1 << 90), uint64(1_000e6 >> id), 20 days - id * 1 days, false
                );
            }
            _checkTree();
        }
    }

    function hire(uint256 raw, uint64 amount, uint256 horizon) external checked {
        uint256 seed = _begin(raw);
        if (!_open(seed, amount, horizon)) _work(Move.Deliver, seed);
    }

    function subcontract(uint256 raw, uint64 amount, uint256 horizon, bool own) external checked {
        uint256 seed = _begin(raw);
        Node[] memory ns = _nodes();
        for (uint256 i; i + 1 < ns.length; ++i) {
            // Every second time from the newest on: that is how trees get deep.
            uint256 from = seed & (1 << 200) == 0 ? ns.length - 2 - i : (seed >> 16) + i;
            uint32 id = uint32(from % (ns.length - 1)) + 1;
            if (_mayHireBelow(ns, id) && _hireBelow(id, seed, amount, horizon, own)) return;
        }
        _work(Move.Deliver, seed);
    }

    /// @dev Drawn more often than the others (see {MarketTest}): a history is to see many of its steps.
    function travel(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        if (!_travel(seed)) _work(Move.Deliver, seed);
        else _count("journey");
    }

    function deliver(uint256 raw) external checked {
        _work(Move.Deliver, _begin(raw));
    }

    function accept(uint256 raw) external checked {
        _work(Move.Accept, _begin(raw));
    }

    function reject(uint256 raw) external checked {
        _work(Move.Reject, _begin(raw));
    }

    function abandon(uint256 raw) external checked {
        _work(Move.Abandon, _begin(raw));
    }

    function claim(uint256 raw) external checked {
        _work(Move.Claim, _begin(raw));
    }

    function dispute(uint256 raw) external checked {
        _work(Move.Dispute, _begin(raw));
    }

    function rule(uint256 raw) external checked {
        _work(Move.Rule, _begin(raw));
    }

    function split(uint256 raw) external checked {
        _work(Move.Split, _begin(raw));
    }

    function finalize(uint256 raw) external checked {
        _work(Move.Finalize, _begin(raw));
    }

    function withdraw(uint256 raw) external checked {
        _work(Move.Withdraw, _begin(raw));
    }

    function withdrawRefund(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        for (uint256 i; i < people.length; ++i) {
            address account = people[((seed >> 16) + i) % people.length];
            uint256 available = escrow.refundOf(account);
            address to = usdc.isBlacklisted(account) ? ELSEWHERE : account;
            if (available == 0 || !_flows(to)) continue;
            uint256 amount = seed % 4 == 0 ? 1 + (seed >> 32) % available : available;
            _takeRefund(account, to, amount, _senderFor(seed >> 8, account, account));
            return;
        }
        _work(Move.Claim, seed);
    }

    /// @dev Cancelled nonces move nothing, and nobody else's are gone.
    function housekeeping(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        _sender = people[(seed >> 140) % 10];
        uint256 next = FIRST_WITHDRAWAL + withdrawals[_sender];
        uint256 mask = ((seed >> 150) % 8) << (next & 0xff);
        withdrawals[_sender] += 3;
        usedBits[at][_sender][next >> 8] |= mask;
        _must("invalidateNonces", abi.encodeCall(ITaskEscrow.invalidateNonces, (next >> 8, mask)));
    }

    /// @dev Pause, deny list, wallets that change their mind, tokens sent beside the books. Three of four times it heals.
    function trouble(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        bool heals = (seed >> 100) % 4 != 0;
        uint256 what = (seed >> 110) % 5;
        address account = (seed >> 140) % 11 == 10 ? address(escrow) : people[(seed >> 140) % 11];
        if (what == 0) heals ? usdc.unpause() : usdc.pause();
        else if (what == 1) heals ? _forgiveEverybody() : usdc.blacklist(account);
        else if (what == 2) workerWallet.setMood(MoodyWallet.Mood(heals ? 0 : 1 + (seed >> 120) % 2));
        else if (what == 3) buyerWallet.setMood(MoodyWallet.Mood(heals ? 0 : 1 + (seed >> 120) % 2));
        else _gift(seed >> 160);
        _count("trouble");
    }

    function _forgiveEverybody() private {
        usdc.unBlacklist(address(escrow));
        for (uint256 i; i < people.length; ++i) {
            usdc.unBlacklist(people[i]);
        }
    }

    /// @dev Whatever has gone through once never does again, whoever sends it.
    function replay(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        uint256 slot = (seed >> 8) % (sentCount < 16 ? sentCount : 16);
        _use(sentTrees[slot]);
        vm.prank(people[(seed >> 24) % 10]);
        (bool ok,) = address(escrow).call(sentCalls[slot]);
        assertFalse(ok, "P20: an action ran twice");
        _count("replay refused");
    }

    /// @dev Outside its right nothing goes through, however well it is signed; within it, nothing without the signature.
    function refuse(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        Node[] memory ns = _nodes();
        uint32 id = uint32((seed >> 16) % (ns.length - 1)) + 1;
        Move move = Move((seed >> 64) % 10);
        (address first,) = _parties(move, ns, id, seed);
        bool may = _may(move, ns, id);
        // Without a signature, but sent by somebody else: `finalize` needs none.
        if (may && move == Move.Finalize) return _work(Move.Finalize, seed);
        _sender = may ? first : _senderFor(seed, first, ns[id].worker);
        if (_sender == address(0)) _sender = first;
        bytes memory call = _callOf(move, ns[id], _path(id), seed);
        // One unit, which is there: the whole price could be refused for its children alone, so that P22 could not fail.
        if (move == Move.Withdraw) call = _withdrawCall(_path(id), 1);
        if (may) _sender = ELSEWHERE;
        (bool ok,) = _send("went through", call);
        assertFalse(ok, may ? "P22: without a signature" : "P21: outside its right");
        _count(may ? bytes32("unsigned refused") : bytes32("untimely refused"));
    }

    /// @dev Whoever's node has settled below one that has not tries to be paid all the same, as a sock puppet would.
    function grab(uint256 raw) external checked {
        uint256 seed = _begin(raw);
        Node[] memory ns = _nodes();
        for (uint256 i; i + 1 < ns.length; ++i) {
            uint32 id = uint32(((seed >> 16) + i) % (ns.length - 1)) + 1;
            Node memory n = ns[id];
            if (_stands(n) != NodeState.Settled || _isBacked(ns, id) || n.amount == n.allocated) continue;
            _sender = n.worker;
            (bool ok,) = _send("went through", _withdrawCall(_path(id), n.amount - n.allocated));
            assertFalse(ok, "P14: paid under a backer that has not settled");
            return _count("puppet refused");
        }
        // None is there: make one, for another time.
        _work(Move.Accept, seed);
    }

    // -------------------------------------------------------------------------------------------------------- the end

    /// @notice Long after everything, with a token that moves again, but with wallets still in their mood and accounts
    ///         still on the deny list: strangers write down what time has decided, and everybody takes what is owed.
    function drain() external {
        _warp(_now() + 400 days);
        usdc.unpause();
        for (uint256 k; k < trees.length; ++k) {
            _use(k);
            usdc.unBlacklist(address(escrow));
            for (uint32 id = 1; id <= trees[k].count; ++id) {
                NodeState state = escrow.node(_path(id)).state;
                _sender = stranger;
                uint256 held = usdc.balanceOf(address(escrow));
                if (state == NodeState.Funded) _must("claimNonDelivery", _claimCall(_path(id), stranger));
                else if (_isRunning(state)) _must("finalize", abi.encodeCall(ITaskEscrow.finalize, (_path(id))));
                held -= usdc.balanceOf(address(escrow)); // what was paid out
                _earned(id, held);
                if (state == NodeState.Disputed) _requireFloor(id, held);
            }
            for (uint32 id = 1; id <= trees[k].count; ++id) {
                uint256 available = escrow.withdrawable(_path(id));
                if (available != 0) assertTrue(_takes(id, available, 1), "P23: earnings are stuck");
            }
            for (uint256 i; i < people.length; ++i) {
                uint256 available = escrow.refundOf(people[i]);
                if (available != 0) _takeRefund(people[i], ELSEWHERE, available, people[i]);
            }
            assertEq(usdc.balanceOf(address(escrow)), trees[k].gifts, "P23: money is stuck");
            for (uint32 id = 1; id <= trees[k].count; ++id) {
                NodeState end = escrow.node(_path(id)).state;
                assertTrue(end >= NodeState.Settled, "P23: a node without an end");
            }
        }
    }

    /// @dev The books of a dispute that lapsed and was written down just now.
    function _requireFloor(uint32 id, uint256 paid) private {
        Node memory n = escrow.node(_path(id));
        if (n.floor == 0) assertEq(uint8(n.state), uint8(NodeState.Refunded), "P26: paid without a floor");
        else assertEq(n.amount + paid, n.floor, "P26: not the floor");
        _count("lapsed dispute");
    }
}
