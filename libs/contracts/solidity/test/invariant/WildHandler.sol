// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Vm} from "forge-std/Vm.sol";

import {FundingMode, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MarketMoney} from "./MarketMoney.sol";

/// @notice Does anything at any time with any arguments: most calls fail, and nothing is expected of one but that the
///         properties hold after it. What happened is read from the events alone, as an indexer would.
contract WildHandler is MarketMoney {
    /// @dev Fewer than the guided handler has: deep trees are that one's part, and each node costs time after every call.
    uint32 private constant MOST_WILD_NODES = 12;

    /// @dev Members of `NodeFunded` that are not indexed.
    struct Heard {
        uint256 amount;
        uint256 floor;
        uint256 deliverBy;
        uint256 acceptWindow;
        uint256 maxRevisions;
        bool hirerFunded;
        FundingMode mode;
        bytes32 termsHash;
    }

    constructor() {
        setUp();
        for (uint256 k; k < 3; ++k) {
            _use(k);
            usdc.mint(buyer, 1e15);
            vm.prank(buyer);
            usdc.approve(address(escrow), type(uint256).max);
            _open(k * 77 + (1 << 80) + (1 << 90), 1_000e6, 9 days);
            _hireBelow(1, (uint256(3 * k + 1) << 24) | (1 << 90), 700e6, 8 days, false);
            _checkTree();
        }
        for (uint256 i; i < 6; ++i) {
            usdc.mint(workers[i], 1e12);
        }
    }

    /// @dev Anybody may be the sender, of any tree.
    function _begin(uint256 raw) private returns (uint256 seed) {
        seed = uint256(keccak256(abi.encode(raw, ++calls)));
        _use(seed % 3);
        _sender = people[(seed >> 8) % 10];
        if ((seed >> 16) % 3 == 0) _sender = stranger;
    }

    /// @dev Four of five times as it was built, else with one bit turned.
    function _hurl(uint256 seed, bytes memory call) private {
        if ((seed >> 32) % 5 == 0) call[(seed >> 40) % call.length] ^= bytes1(uint8(1 << ((seed >> 60) % 8)));
        vm.recordLogs();
        vm.prank(_sender);
        (bool ok,) = address(escrow).call(call);
        _count(ok ? bytes32("went through") : bytes32("refused"));
        Vm.Log[] memory logs = vm.getRecordedLogs();
        // The recorder also keeps what a failed call had emitted before it failed.
        for (uint256 i; ok && i < logs.length; ++i) {
            if (logs[i].emitter == address(escrow)) _hear(logs[i]);
        }
        _judgeNow();
    }

    /// @dev A broken property must survive the call: a revert here would only count as a refusal.
    function _judgeNow() private {
        try this.check() {}
        catch (bytes memory reason) {
            violation = string.concat("broken: ", vm.toString(reason));
        }
    }

    function check() external {
        _checkTree();
    }

    function _hear(Vm.Log memory log) private {
        bytes32 topic = log.topics[0];
        if (topic == ITaskEscrow.NodeFunded.selector) {
            _hearFunded(log);
        } else if (topic == ITaskEscrow.EarningsWithdrawn.selector) {
            _earned(placeAt[at][uint192(uint256(log.topics[1]))], abi.decode(log.data, (uint256)));
        } else if (topic == ITaskEscrow.RefundWithdrawn.selector) {
            _refunded(address(uint160(uint256(log.topics[1]))), abi.decode(log.data, (uint256)));
        } else if (topic == ITaskEscrow.ActionConsumed.selector) {
            (uint256 nonce,) = abi.decode(log.data, (uint256, bytes32));
            _spend(address(uint160(uint256(log.topics[2]))), nonce);
        } else if (topic == ITaskEscrow.NoncesInvalidated.selector) {
            (uint256 word, uint256 mask) = abi.decode(log.data, (uint256, uint256));
            usedBits[at][address(uint160(uint256(log.topics[1])))][word] |= mask;
        }
    }

    function _hearFunded(Vm.Log memory log) private {
        Heard memory heard = abi.decode(log.data, (Heard));
        NodeTerms memory t;
        t.nodeId = uint192(uint256(log.topics[1]));
        t.worker = address(uint160(uint256(log.topics[2])));
        (t.amount, t.floor) = (uint64(heard.amount), uint64(heard.floor));
        t.workSeconds = uint32(heard.deliverBy - _now());
        (t.acceptWindow, t.maxRevisions) = (uint24(heard.acceptWindow), uint8(heard.maxRevisions));
        t.hirerFunded = heard.hirerFunded;
        _opened(t, address(uint160(uint256(log.topics[3]))), heard.mode);
    }

    // ----------------------------------------------------------------------------------------------- anything at all

    /// @dev Mostly a node that is there, now and then one that is not.
    function _anyId(uint256 seed) private view returns (uint192) {
        uint32 place = uint32((seed >> 100) % (trees[at].count + 2));
        return place > trees[at].count ? uint192(seed >> 60) : _path(place);
    }

    /// @dev A place that is free, as a rule.
    function _anyPath(uint256 seed, uint192 parent) private pure returns (uint192) {
        uint192 index = uint192((seed >> 110) % 40);
        return parent << 24 | index;
    }

    function _anyAmount(uint256 seed, uint256 around) private pure returns (uint256) {
        uint256[6] memory picks = [uint256(0), 1, around, around + 1, seed >> 200, seed % 2_000e6];
        return picks[(seed >> 120) % 6];
    }

    function _anyTerms(uint256 seed, uint192 parent, bool own) private view returns (NodeTerms memory t) {
        address worker = (seed >> 130) % 16 == 0 ? arbiter : people[(seed >> 134) % 8];
        uint64 amount = uint64(_anyAmount(seed >> 7, 100e6));
        t = _terms(_anyPath(seed >> 5, parent), worker, amount, own);
        if ((seed >> 137) % 3 == 0) t.floor = uint64(_anyAmount(seed >> 17, amount));
        t.workSeconds = uint32((seed >> 140) % 12 days);
        t.acceptWindow = uint24((seed >> 160) % 8 == 0 ? (seed >> 165) % 100 days : 4 hours + (seed >> 165) % 2 days);
        t.maxRevisions = uint8((seed >> 190) % 12);
    }

    function fund(uint256 raw) external {
        uint256 seed = _begin(raw);
        uint192 parent = (seed >> 50) % 9 == 0 ? _path(1) : 0;
        NodeTerms memory t = _anyTerms(seed, parent, (seed >> 55) % 9 != 0);
        if (trees[at].count >= MOST_WILD_NODES) t.nodeId = _anyId(seed);
        if ((seed >> 70) % 3 == 0) return _hurl(seed, _fundCall(t));
        FundingMode mode = FundingMode((seed >> 80) % 5);
        _hurl(seed, _fundCall(t, mode));
    }

    function subcontract(uint256 raw) external {
        uint256 seed = _begin(raw);
        bool own = (seed >> 70) % 3 == 0;
        NodeTerms memory t = _anyTerms(seed, _anyId(seed >> 9), own);
        if (trees[at].count >= MOST_WILD_NODES) t.nodeId = _anyId(seed);
        if (own && (seed >> 75) % 2 == 0) return _hurl(seed, _ownMoneyCall(t));
        _hurl(seed, _subcontractCall(t, own ? FundingMode((seed >> 80) % 5) : FundingMode.ParentNode));
    }

    function work(uint256 raw, uint8 what) external {
        uint256 seed = _begin(raw);
        uint192 id = _anyId(seed);
        bytes memory call;
        if (what % 8 == 0) call = _deliverCall(id, bytes32(seed >> 250), (seed >> 60) % 2 == 0);
        else if (what % 8 == 1) call = _acceptCall(id);
        else if (what % 8 == 2) call = _rejectCall(id);
        else if (what % 8 == 3) call = _abandonCall(id);
        else if (what % 8 == 4) call = _claimCall(id, people[(seed >> 170) % 10]);
        else if (what % 8 == 5) call = _disputeCall(id);
        else if (what % 8 == 6) call = _ruleCall(id, _anyAmount(seed, escrow.node(id).amount));
        else call = _splitCall(id, _anyAmount(seed, escrow.node(id).amount));
        _hurl(seed, call);
    }

    function takeOut(uint256 raw) external {
        uint256 seed = _begin(raw);
        uint192 id = _anyId(seed);
        if (seed & (1 << 180) == 0) return _hurl(seed, _withdrawCall(id, _anyAmount(seed, escrow.withdrawable(id))));
        address account = people[(seed >> 190) % 10];
        _hurl(seed, _withdrawRefundCall(account, _anyAmount(seed, escrow.refundOf(account))));
    }

    function finalize(uint256 raw) external {
        uint256 seed = _begin(raw);
        _hurl(seed, abi.encodeCall(ITaskEscrow.finalize, (_anyId(seed))));
    }

    function invalidate(uint256 raw, uint256 mask) external {
        uint256 seed = _begin(raw);
        uint256 soon = FIRST_WITHDRAWAL + withdrawals[_sender] + (seed >> 100) % 4;
        // Sometimes a state of a node that is still to come.
        if ((seed >> 120) % 4 == 0) soon = _nonceAt(_anyId(seed)) + (seed >> 124) % 3;
        mask = seed & (1 << 110) == 0 ? 1 << (soon & 0xff) : mask & (seed >> 3) & (seed >> 9) & (seed >> 27);
        _hurl(seed, abi.encodeCall(ITaskEscrow.invalidateNonces, (soon >> 8, mask)));
    }

    /// @dev Bytes of the fuzzer, behind a selector of the contract every second time.
    function garbage(uint256 raw, bytes calldata data) external {
        uint256 seed = _begin(raw);
        bytes4[4] memory known = [
            ITaskEscrow.multicall.selector,
            ITaskEscrow.agreeSplit.selector,
            ITaskEscrow.withdrawEarnings.selector,
            ITaskEscrow.fundTask.selector
        ];
        bytes memory call = seed & 1024 == 0 ? bytes.concat(known[(seed >> 11) % 4], data) : bytes.concat(data, hex"00");
        _hurl(seed, call);
    }

    function wait_(uint256 raw) external {
        uint256 seed = _begin(raw);
        uint256 edge = escrow.node(_anyId(seed)).clock + (seed >> 90) % 3;
        if (edge > _now() + 1 && edge < _now() + 31 days && seed & 1 == 0) _warp(edge - 1);
        else _warp(_now() + (seed >> 20) % 6 hours);
        _judgeNow();
        _count("waited");
    }
}
