// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Plays all roles of one tree at random. Nine times of ten it picks a node in which the action is possible;
///         it sends half of the single-signature actions directly and has the others relayed.
contract TreeHandler is EscrowTest {
    uint256 private constant FUNDED = 1 << uint8(NodeState.Funded);
    uint256 private constant DELIVERED = 1 << uint8(NodeState.Delivered);
    uint256 private constant REJECTED = 1 << uint8(NodeState.Rejected);
    uint256 private constant DISPUTED = 1 << uint8(NodeState.Disputed);
    uint256 private constant SETTLED = 1 << uint8(NodeState.Settled);

    uint32[] public ids;
    uint256 public deposited;
    uint256 public withdrawn;
    mapping(uint32 id => uint256) public withdrawnFrom;
    mapping(bytes32 action => uint256) public succeeded;
    bytes32[] public actions;

    mapping(uint32 id => NodeState) private _seen;
    mapping(uint32 id => bool) private _closed;
    mapping(address signer => uint256) private _bits;
    bytes[] private _sent;
    uint256 private _calls;
    bool private _direct;

    /// @dev Starts with three levels and a child with money of its own, so that short histories are not all shallow.
    constructor() {
        setUp();
        _hire(1, workers[0], 1_000e6);
        _carve(2, 1, workers[1], 600e6);
        _carve(3, 2, workers[2], 200e6);
        _hireWithOwnMoney(4, 1, workers[3], 100e6);
        deposited = 1_100e6;
        for (uint32 id = 1; id <= 4; ++id) {
            ids.push(id);
        }
    }

    // -------------------------------------------------------------------------------------------- for the properties

    function target() external view returns (address escrow_, address token_) {
        return (address(escrow), address(usdc));
    }

    function idCount() external view returns (uint256) {
        return ids.length;
    }

    function actionCount() external view returns (uint256) {
        return actions.length;
    }

    /// @dev Everybody whose money or nonces may move.
    function accounts() public view returns (address[9] memory all) {
        for (uint256 i; i < 6; ++i) {
            all[i] = workers[i];
        }
        (all[6], all[7], all[8]) = (buyer, arbiter, stranger);
    }

    // ----------------------------------------------------------------------------------------------------- machinery

    /// @dev The fuzzer likes small and repeated numbers: spread them. Lets time pass, mostly little, now and then much,
    ///      and holds what was seen before against what is there now.
    modifier step(uint256 raw) {
        uint256 seed = uint256(keccak256(abi.encode(raw, ++_calls)));
        vm.warp(block.timestamp + ((seed >> 100) % 12 == 0 ? (seed >> 60) % 3 days : (seed >> 60) % 20 minutes));
        _direct = (seed >> 40) & 1 == 1;
        _checkHistory();
        _;
        _checkHistory();
    }

    function _spread(uint256 raw) private view returns (uint256) {
        return uint256(keccak256(abi.encode(raw, _calls)));
    }

    function _checkHistory() private {
        for (uint256 i; i < ids.length; ++i) {
            NodeState before = _seen[ids[i]];
            NodeState now_ = escrow.node(ids[i]).state;
            if (before >= NodeState.Settled) assertEq(uint8(now_), uint8(before), "a final state changed");
            if (before != NodeState.None) assertGe(uint8(now_), uint8(NodeState.Selected), "a node vanished");
            if (before >= NodeState.Funded) assertGe(uint8(now_), uint8(NodeState.Funded), "a node lost its money");
            _seen[ids[i]] = now_;
            bool closed = escrow.effectiveState(ids[i]) > NodeState.Settled;
            if (_closed[ids[i]]) assertTrue(closed, "a node that time had closed is open again");
            _closed[ids[i]] = closed;
        }
        address[9] memory all = accounts();
        for (uint256 i; i < all.length; ++i) {
            uint256 bits = escrow.nonceBitmap(all[i], 0);
            assertEq(bits & _bits[all[i]], _bits[all[i]], "a nonce became usable again");
            _bits[all[i]] = bits;
        }
    }

    /// @dev A direct call needs no signature.
    function _signed(address signer, bytes memory head) internal override returns (Auth memory) {
        return _direct ? _auth(signer) : super._signed(signer, head);
    }

    function _try(bytes32 action, address sender, bytes memory call) private returns (bool ok) {
        vm.prank(_direct ? sender : stranger);
        (ok,) = address(escrow).call(call);
        if (!ok) return false;
        if (succeeded[action]++ == 0) actions.push(action);
        _sent.push(call);
    }

    function _pick(uint256 seed, uint256 states) private view returns (uint32) {
        uint256 count = ids.length;
        if (count == 0) return 0;
        uint256 start = (seed >> 16) % count;
        if ((seed >> 120) % 10 == 0) return ids[start];
        for (uint256 i; i < count; ++i) {
            uint32 id = ids[(start + i) % count];
            if ((states >> uint8(escrow.node(id).state)) & 1 == 1) return id;
        }
        return ids[start];
    }

    // ------------------------------------------------------------------------------------------------------- actions

    function hire(uint256 raw, uint96 amount, uint256 horizon, uint8 mode) external step(raw) {
        if (ids.length > 40) return;
        _direct = false;
        amount = uint96(_bound(amount, 1, 1e12));
        uint32 id = uint32(ids.length + 1);
        NodeTerms memory t = _terms(id, 0, workers[_spread(raw) % 6], amount, true);
        t.deliverBy = uint40(block.timestamp + _bound(horizon, 1 days, 20 days));
        if (!_try("selectAgent", buyer, _selectCall(t))) return;
        ids.push(id);
        if (mode % 5 == 4) return; // stays without money
        if (mode % 5 == 3 && escrow.refundOf(buyer) >= amount) {
            Auth memory a = _signed(buyer, _fundHead(id));
            _try("fundTask refund", buyer, abi.encodeCall(ITaskEscrow.fundTask, (id, FundingMode.RefundBalance, a, "")));
            return;
        }
        usdc.mint(buyer, amount);
        if (_try("fundTask 3009", buyer, _fundCall(id))) deposited += amount;
    }

    function subcontract(uint256 raw, uint96 amount, uint256 horizon, bool own) external step(raw) {
        if (ids.length > 60) return;
        uint32 parent = _pick(_spread(raw), FUNDED);
        if (parent == 0) return;
        _direct = false;
        NodeTerms memory t = _childTerms(parent, workers[(_spread(raw) >> 8) % 6], amount, horizon, own);
        address hirer = escrow.node(parent).worker;
        if (own) usdc.mint(hirer, t.amount);
        bytes memory call = own ? _ownMoneyCall(t) : _carveCall(t);
        if (!_try(own ? bytes32("subcontract own") : bytes32("subcontract"), hirer, call)) return;
        ids.push(t.nodeId);
        if (own) deposited += t.amount;
    }

    /// @dev Now and then one unit more than the parent has left.
    function _childTerms(uint32 parent, address worker, uint96 amount, uint256 horizon, bool own)
        private
        view
        returns (NodeTerms memory t)
    {
        Node memory p = escrow.node(parent);
        uint256 most = own ? 1e12 : (p.amount - p.allocated) + 1;
        t = _terms(uint32(ids.length + 1), parent, worker, uint96(_bound(amount, 1, most)), own);
        uint256 by = block.timestamp + _bound(horizon, 1 hours, 10 days);
        t.deliverBy = uint40(by < p.deliverBy ? by : p.deliverBy);
    }

    function deliver(uint256 raw, bytes32 artifact) external step(raw) {
        uint32 id = _pick(_spread(raw), FUNDED | REJECTED);
        _try("deliver", escrow.node(id).worker, _deliverCall(id, artifact));
    }

    function accept(uint256 raw) external step(raw) {
        uint32 id = _pick(_spread(raw), DELIVERED);
        _try("resolveTask", _hirerOf(id), _acceptCall(id));
    }

    function reject(uint256 raw) external step(raw) {
        uint32 id = _pick(_spread(raw), DELIVERED);
        _try("rejectTask", _hirerOf(id), _rejectCall(id));
    }

    function abandon(uint256 raw) external step(raw) {
        if ((_spread(raw) >> 130) % 4 != 0) return;
        uint32 id = _pick(_spread(raw), FUNDED);
        _try("abandonNode", escrow.node(id).worker, _abandonCall(id));
    }

    function claim(uint256 raw) external step(raw) {
        uint32 id = _pick(_spread(raw), FUNDED);
        address account = accounts()[_spread(raw) % 9];
        _try("claimNonDelivery", account, _claimCall(id, account));
    }

    function dispute(uint256 raw) external step(raw) {
        uint32 id = _pick(_spread(raw), REJECTED);
        _try("disputeNode", escrow.node(id).worker, _disputeCall(id));
    }

    function rule(uint256 raw, uint256 share) external step(raw) {
        uint32 id = _pick(_spread(raw), DISPUTED);
        share = _bound(share, 0, uint256(escrow.node(id).amount) + 1);
        _try("ruleDispute", arbiter, _ruleCall(id, share));
    }

    function split(uint256 raw, uint256 share) external step(raw) {
        if ((_spread(raw) >> 130) % 4 != 0) return;
        _direct = false;
        uint32 id = _pick(_spread(raw), FUNDED | DELIVERED | REJECTED | DISPUTED);
        share = _bound(share, 0, uint256(escrow.node(id).amount) + 1);
        _try("agreeSplit", _hirerOf(id), _splitCall(id, share));
    }

    function finalize(uint256 raw) external step(raw) {
        uint32 id = _pick(_spread(raw), DELIVERED | REJECTED | DISPUTED);
        (bool ok,) = address(escrow).call(abi.encodeCall(ITaskEscrow.finalize, (id)));
        if (ok && succeeded["finalize"]++ == 0) actions.push("finalize");
    }

    /// @dev What {withdrawable} promises can be had; one unit more cannot.
    function withdraw(uint256 raw, uint256 amount) external step(raw) {
        uint32 id = _pick(_spread(raw), SETTLED | DELIVERED);
        if (id == 0) return;
        uint256 available = escrow.withdrawable(id);
        amount = _bound(amount, 1, available + 1);
        assertEq(_takeEarnings(id, amount), amount <= available, "withdrawable is not what can be withdrawn");
    }

    function _takeEarnings(uint32 id, uint256 amount) private returns (bool ok) {
        ok = _try("withdrawEarnings", escrow.node(id).worker, _withdrawCall(id, amount));
        if (!ok) return false;
        withdrawn += amount;
        withdrawnFrom[id] += amount;
    }

    function withdrawRefund(uint256 raw, uint256 amount) external step(raw) {
        address account = _spread(raw) % 2 == 0 ? buyer : workers[_spread(raw) % 6];
        uint256 available = escrow.refundOf(account);
        amount = _bound(amount, 1, available + 1);
        bool ok = _try("withdrawRefund", account, _withdrawRefundCall(account, amount));
        assertEq(ok, amount <= available, "refundOf is not what can be withdrawn");
        if (ok) withdrawn += amount;
    }

    /// @dev Whatever has gone through once never does again, whoever sends it.
    function replay(uint256 raw) external step(raw) {
        if (_sent.length == 0) return;
        vm.prank(stranger);
        (bool ok,) = address(escrow).call(_sent[_spread(raw) % _sent.length]);
        assertFalse(ok, "an action ran twice");
    }

    // ---------------------------------------------------------------------------------------------------- the end

    /// @dev Long after everything, without hirers, arbiter or API: strangers write down what time has decided, and
    ///      everybody who is owed something takes it.
    function drain() external {
        vm.warp(block.timestamp + 400 days);
        _direct = false;
        for (uint256 i; i < ids.length; ++i) {
            NodeState state = escrow.node(ids[i]).state;
            if (state == NodeState.Funded) _runs(_claimCall(ids[i], stranger));
            else if (state >= NodeState.Delivered && state <= NodeState.Disputed) escrow.finalize(ids[i]);
        }
        for (uint256 i; i < ids.length; ++i) {
            uint256 amount = escrow.withdrawable(ids[i]);
            if (amount != 0) assertTrue(_takeEarnings(ids[i], amount), "earnings are stuck");
        }
        address[9] memory all = accounts();
        for (uint256 i; i < all.length; ++i) {
            uint256 amount = escrow.refundOf(all[i]);
            if (amount != 0) _runs(_withdrawRefundCall(all[i], amount));
        }
    }
}
