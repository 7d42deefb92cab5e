// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Vm} from "forge-std/Vm.sol";

import {FundingMode, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MarketMoney} from "./MarketMoney.sol";

/// @notice Does anything at any time with any arguments: most calls fail, and nothing is expected of one but that the
///         properties hold after it. What happened is read from the events alone, as an indexer would.
contract WildHandler is MarketMoney {
    constructor() {
        setUp();
        for (uint256 k; k < 3; ++k) {
            _use(k);
            usdc.mint(buyer, 1e15);
            vm.prank(buyer);
            usdc.approve(address(escrow), type(uint256).max);
            _open(k * 77 + (1 << 80), 1_000e6, 9 days);
            _hireBelow(1, 3 * k + 1, 700e6, 8 days, false);
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
        if (topic == ITaskEscrow.NodeOpened.selector) {
            _hearOpened(log);
        } else if (topic == ITaskEscrow.NodeFunded.selector) {
            (, FundingMode mode) = abi.decode(log.data, (uint256, FundingMode));
            _paidIn(uint32(uint256(log.topics[1])), mode);
        } else if (topic == ITaskEscrow.EarningsWithdrawn.selector) {
            _earned(uint32(uint256(log.topics[1])), abi.decode(log.data, (uint256)));
        } else if (topic == ITaskEscrow.RefundWithdrawn.selector) {
            _refunded(address(uint160(uint256(log.topics[1]))), abi.decode(log.data, (uint256)));
        } else if (topic == ITaskEscrow.ActionConsumed.selector) {
            (uint256 nonce,) = abi.decode(log.data, (uint256, bytes32));
            _spend(address(uint160(uint256(log.topics[2]))), nonce >> 8, 1 << (nonce & 0xff));
        } else if (topic == ITaskEscrow.NoncesInvalidated.selector) {
            (uint256 word, uint256 mask) = abi.decode(log.data, (uint256, uint256));
            usedBits[at][address(uint160(uint256(log.topics[1])))][word] |= mask;
        }
    }

    function _hearOpened(Vm.Log memory log) private {
        NodeTerms memory t;
        (t.nodeId, t.parentNodeId) = (uint32(uint256(log.topics[1])), uint32(uint256(log.topics[2])));
        t.worker = address(uint160(uint256(log.topics[3])));
        uint256 amount;
        uint256 deliverBy;
        uint256 window;
        (amount, deliverBy, window, t.hirerFunded,) = abi.decode(log.data, (uint256, uint256, uint256, bool, bytes32));
        (t.amount, t.deliverBy, t.acceptWindow) = (uint96(amount), uint40(deliverBy), uint32(window));
        _opened(t, t.parentNodeId == 0 ? buyer : agreed[at][t.parentNodeId].worker);
    }

    // ----------------------------------------------------------------------------------------------- anything at all

    function _anyId(uint256 seed) private pure returns (uint32) {
        return uint32((seed >> 100) % (MOST_NODES + 2));
    }

    function _anyAmount(uint256 seed, uint256 around) private pure returns (uint256) {
        uint256[6] memory picks = [uint256(0), 1, around, around + 1, seed >> 200, seed % 2_000e6];
        return picks[(seed >> 120) % 6];
    }

    function _anyTerms(uint256 seed, uint32 parent, bool own) private view returns (NodeTerms memory t) {
        address worker = (seed >> 130) % 16 == 0 ? arbiter : people[(seed >> 134) % 8];
        t = _terms(_anyId(seed >> 5), parent, worker, uint96(_anyAmount(seed >> 7, 100e6)), own);
        t.deliverBy = uint40(_now() + (seed >> 140) % 12 days);
        t.acceptWindow = uint32((seed >> 160) % 8 == 0 ? (seed >> 165) % 100 days : 4 hours + (seed >> 165) % 2 days);
    }

    function select(uint256 raw) external {
        uint256 seed = _begin(raw);
        NodeTerms memory t = _anyTerms(seed, (seed >> 50) % 9 == 0 ? 1 : 0, (seed >> 55) % 9 != 0);
        _hurl(seed, _selectCall(t));
    }

    function fund(uint256 raw) external {
        uint256 seed = _begin(raw);
        uint32 id = _anyId(seed);
        if ((seed >> 70) % 3 == 0) return _hurl(seed, _fundCall(id));
        FundingMode mode = FundingMode((seed >> 80) % 5);
        bytes memory call =
            abi.encodeCall(ITaskEscrow.fundTask, (id, mode, _signed(buyer, _fundHead(id)), abi.encode(seed)));
        _hurl(seed, call);
    }

    function subcontract(uint256 raw) external {
        uint256 seed = _begin(raw);
        bool own = (seed >> 70) % 3 == 0;
        NodeTerms memory t = _anyTerms(seed, _anyId(seed >> 9), own);
        if (own && (seed >> 75) % 2 == 0) return _hurl(seed, _ownMoneyCall(t));
        _hurl(seed, _subcontractCall(t, own ? FundingMode((seed >> 80) % 5) : FundingMode.ParentNode));
    }

    function work(uint256 raw, uint8 what) external {
        uint256 seed = _begin(raw);
        uint32 id = _anyId(seed);
        bytes memory call;
        if (what % 8 == 0) call = _deliverCall(id, bytes32(seed >> 250));
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
        uint32 id = _anyId(seed);
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
        uint256 soon = nextNonce[_sender] + (seed >> 100) % 4;
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
