// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, Node, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MarketProperties} from "./MarketProperties.sol";

/// @notice Money in and out of a tree, in every way that is possible at the moment.
abstract contract MarketMoney is MarketProperties {
    address internal constant ELSEWHERE = address(uint160(uint256(keccak256("an account that nobody lists"))));

    function _must(bytes32 action, bytes memory call) internal {
        (bool ok, bytes memory answer) = _send(action, call);
        if (ok) return;
        emit log_named_string("refused", string(abi.encodePacked(action)));
        assembly ("memory-safe") {
            revert(add(answer, 0x20), mload(answer))
        }
    }

    // ------------------------------------------------------------------------------------------------- bringing money

    /// @dev A way in which the payer can bring the money now.
    /// @return possible False if there is none.
    function _modeFor(uint256 seed, address payer, uint256 amount)
        internal
        view
        returns (bool possible, FundingMode mode)
    {
        if (escrow.refundOf(payer) >= amount && (seed % 2 == 0 || !_flows(payer))) {
            return (true, FundingMode.RefundBalance);
        }
        // The token asks every account with code by ERC-1271: a delegated key and a wallet in a bad mood use allowances.
        bool byAllowance = payer == workers[5] || !_signs(payer);
        return (_flows(payer), byAllowance ? FundingMode.Allowance : FundingMode((seed >> 8) % 3));
    }

    /// @dev Gives the payer the tokens and the authorisation that the mode needs.
    function _paying(uint192 id, FundingMode mode, address payer, uint256 amount, bytes memory head)
        internal
        returns (Auth memory a, bytes memory permit)
    {
        if (mode < FundingMode.RefundBalance) usdc.mint(payer, amount);
        if (mode == FundingMode.Authorization3009) {
            _note(payer, _nonceAt(id));
            return (_signed3009(id, payer, amount, head), "");
        }
        a = _signedAt(id, payer, head);
        if (mode == FundingMode.Permit) permit = _signedPermit(payer, amount, a.validUntil);
        if (mode == FundingMode.Allowance) {
            vm.prank(payer);
            usdc.approve(address(escrow), amount);
        }
    }

    function _fundName(FundingMode mode) internal pure returns (bytes32) {
        if (mode == FundingMode.Allowance) return "funded by allowance";
        if (mode == FundingMode.Authorization3009) return "funded by EIP-3009";
        if (mode == FundingMode.Permit) return "funded by permit";
        return mode == FundingMode.RefundBalance ? bytes32("funded by refund balance") : bytes32("carved out");
    }

    // ------------------------------------------------------------------------------------------------------- growing

    /// @dev Terms of a node below `parent`, or of the buyer for place 0. Floors are whole, nothing, or in between.
    function _drawn(uint256 seed, uint32 parent, address worker, uint64 amount, uint256 workSeconds, bool own)
        private
        view
        returns (NodeTerms memory t)
    {
        t = _terms(_nextPath(parent), worker, amount, own);
        uint256 dice = (seed >> 90) % 8;
        if (dice == 0) t.floor = 0;
        else if (dice < 5) t.floor = amount;
        else if (dice < 7) t.floor = uint64((seed >> 96) % (uint256(amount) + 1));
        t.workSeconds = uint32(workSeconds);
        t.acceptWindow = uint24(4 hours + (seed >> 32) % 3 days);
        t.maxRevisions = uint8((seed >> 100) % 4);
    }

    function _open(uint256 seed, uint64 amount, uint256 horizon) internal returns (bool) {
        address worker = (seed >> 20) % 13 == 0 ? buyer : workers[(seed >> 24) % 6];
        _sender = _senderFor(seed >> 8, buyer, worker);
        amount = uint64(_bound(amount, 1, 1e12));
        (bool possible, FundingMode mode) = _modeFor(seed >> 64, buyer, amount);
        if (trees[at].count >= MOST_NODES || _sender == address(0) || !possible) return false;
        NodeTerms memory t = _drawn(seed, 0, worker, amount, _bound(horizon, 1 hours, 25 days), true);
        bytes memory call = _fundCallBy(t, mode);
        if ((seed >> 80) % 4 == 0) {
            // In a batch whose first member fails.
            bytes[] memory both = new bytes[](2);
            (both[0], both[1]) = (abi.encodeCall(ITaskEscrow.finalize, (0)), call);
            _must("funded in a batch", abi.encodeCall(ITaskEscrow.multicall, (both)));
        } else {
            _must(_fundName(mode), call);
        }
        _opened(t, buyer, mode);
        return true;
    }

    function _fundCallBy(NodeTerms memory t, FundingMode mode) private returns (bytes memory) {
        (Auth memory h, bytes memory permit) = _paying(t.nodeId, mode, buyer, t.amount, _fundHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, w, permit));
    }

    /// @dev Workers hire each other at random: also themselves, their own hirers and the buyer.
    function _hireBelow(uint32 parent, uint256 seed, uint64 amount, uint256 horizon, bool own) internal returns (bool) {
        Node memory p = escrow.node(_path(parent));
        uint256 free = p.floor - p.allocated;
        if (!own && free == 0) own = true;
        amount = uint64((seed >> 48) % 3 == 0 && !own ? free : _bound(amount, 1, own ? 1e12 : free));
        free = p.deliverBy - _now();
        horizon = (seed >> 52) % 2 == 0 ? free : _bound(horizon, 1 hours, free);
        address worker = (seed >> 28) % 17 == 0 ? buyer : workers[(seed >> 24) % 6];
        NodeTerms memory t = _drawn(seed, parent, worker, amount, horizon, own);
        (bool possible, FundingMode mode) =
            own ? _modeFor(seed >> 64, p.worker, amount) : (true, FundingMode.ParentNode);
        _sender = _senderFor(seed >> 8, p.worker, worker);
        if (!possible || _sender == address(0) || trees[at].count >= MOST_NODES) return false;
        _must(_fundName(mode), _subcontractCallBy(t, mode, p.worker));
        _opened(t, p.worker, mode);
        if (agreed[at][trees[at].count].level == 8) _count("reached level 8");
        return true;
    }

    function _subcontractCallBy(NodeTerms memory t, FundingMode mode, address hirer) private returns (bytes memory) {
        (Auth memory h, bytes memory permit) = _paying(t.nodeId, mode, hirer, t.amount, _subcontractHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, hirer));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, mode, h, w, permit));
    }

    function _takeRefund(address account, address to, uint256 amount, address sender) internal {
        _sender = sender;
        Auth memory a = _signed(account, _withdrawRefundHead(account, to, amount));
        _must("withdrawRefund", abi.encodeCall(ITaskEscrow.withdrawRefund, (account, to, amount, a)));
        _refunded(account, amount);
    }

    function _gift(uint256 seed) internal {
        uint256 amount = seed % 1e6;
        if (!_flows(address(escrow))) return;
        usdc.mint(address(escrow), amount);
        trees[at].gifts += amount;
    }

    // ------------------------------------------------------------------------------------------------------- money out

    function _takes(uint32 id, uint256 available, uint256 seed) internal returns (bool) {
        uint192 path = _path(id);
        address worker = escrow.node(path).worker;
        address to = seed % 4 == 0 || usdc.isBlacklisted(worker) ? ELSEWHERE : worker;
        if (!_flows(to)) return false;
        _sender = _senderFor(seed >> 8, worker, worker);
        uint256 amount = seed % 3 == 0 ? 1 + (seed >> 16) % available : available;
        Auth memory a = _signed(worker, _withdrawHead(path, to, amount));
        _must("withdrawEarnings", abi.encodeCall(ITaskEscrow.withdrawEarnings, (path, to, amount, a)));
        _earned(id, amount);
        return true;
    }
}
