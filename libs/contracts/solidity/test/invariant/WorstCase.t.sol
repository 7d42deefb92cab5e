// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Node, NodeState} from "../../src/Types.sol";
import {WorstCaseHistory} from "./WorstCaseHistory.sol";

/// @notice The promise of docs/decisions/escrow.md in the words of one honest party: it does its own part in time and
///         signs nothing else, everybody else is hostile and works together, and it has at the end no less than the number
///         that it signed.
contract WorstCaseTest is WorstCaseHistory {
    /// @dev How a history ended for the honest party.
    enum End {
        Other,
        NothingDelivered,
        RefusedWithoutArbiter,
        LostTheFloor,
        RuledAgainstTheBuyer,
        NobodyAnswered,
        NobodyAnsweredBelow,
        GotTheFloor,
        RuledAgainstTheWorker
    }

    // ------------------------------------------------------------------------------------------------- the promises

    function testFuzz_worstCase_ofTheBuyer(uint256 seed) public {
        _playBuyer(seed);
    }

    function testFuzz_worstCase_ofAWorker(uint256 seed) public {
        _playWorker(seed);
    }

    /// @notice The histories get as far as the promises go: a bound that no history comes near would hold for nothing.
    function test_worstCase_isReached() public {
        uint256[9] memory reached;
        uint256 start = vm.snapshotState();
        for (uint256 seed; seed < 400; ++seed) {
            ++reached[uint256(seed % 2 == 0 ? _playBuyer(seed) : _playWorker(seed))];
            vm.revertToState(start);
            vm.resetGasMetering(); // of one history, so that the limit that ends a mutant's endless loop is far off
        }
        for (uint256 end = 1; end < reached.length; ++end) {
            assertGt(reached[end], 0, vm.toString(end));
        }
    }

    /// @return What the buyer lost, in the words of the promise.
    function _playBuyer(uint256 seed) private returns (End) {
        _begin(seed);
        _honest = buyer;
        uint64 price = _price();
        uint64 floor = uint64(_pick(uint256(price) + 1));
        _own = _hireFor(0, _hostile(), price, floor, true);
        _history();
        uint256 lost = price - escrow.refundOf(buyer);
        if (!_wasDelivered || _kind == Judge.None) assertEq(lost, 0, "paid for nothing that it accepted");
        else if (_kind == Judge.Silent) assertLe(lost, floor, "lost more than the floor");
        assertLe(lost, price);
        _takesRefund(price - lost);
        if (!_wasDelivered) return End.NothingDelivered;
        if (_kind == Judge.None) return End.RefusedWithoutArbiter;
        if (_kind == Judge.Silent && floor != 0 && floor != price && lost == floor) return End.LostTheFloor;
        return _kind == Judge.Hostile && lost == price ? End.RuledAgainstTheBuyer : End.Other;
    }

    /// @return What the worker got, in the words of the promise.
    function _playWorker(uint256 seed) private returns (End) {
        _begin(seed);
        _honest = workers[0];
        uint192 parent;
        uint64 price = uint64(1 << 40);
        for (uint256 level = _pick(4); level != 0; --level) {
            parent = _hireFor(parent, _hostile(), price, price, parent == 0 || _pick(3) == 0);
        }
        price = _price();
        uint64 floor = uint64(_pick(uint256(price) + 1));
        bool own = parent == 0 || _pick(2) == 0;
        _own = _hireFor(parent, _honest, price, floor, own);
        _history();
        Node memory n = escrow.node(_own);
        if (!own && !_backersSettled(_own)) {
            assertEq(usdc.balanceOf(_honest), 0);
            return End.Other;
        }
        uint256 share = n.state == NodeState.Settled ? n.amount : 0;
        if (!_wasAnswered) assertEq(share, price, "nobody answered, and it was not accepted");
        else if (_kind == Judge.Silent) assertGe(share, floor, "less than the floor");
        if (share != 0) _takesEarnings(share - n.allocated);
        if (!_wasAnswered) return parent == 0 ? End.NobodyAnswered : End.NobodyAnsweredBelow;
        if (_kind == Judge.None) return share == 0 ? End.RefusedWithoutArbiter : End.Other;
        if (_kind == Judge.Silent && floor != 0 && floor != price && share == floor) return End.GotTheFloor;
        return _kind == Judge.Hostile && share == 0 ? End.RuledAgainstTheWorker : End.Other;
    }
}
