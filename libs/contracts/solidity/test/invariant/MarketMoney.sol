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
    function _paying(FundingMode mode, address payer, uint256 amount, bytes memory head)
        internal
        returns (Auth memory a, bytes memory permit)
    {
        if (mode < FundingMode.RefundBalance) usdc.mint(payer, amount);
        if (mode == FundingMode.Authorization3009) return (_signed3009(payer, amount, head), "");
        a = _signed(payer, head);
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

    function _open(uint256 seed, uint96 amount, uint256 horizon) internal returns (bool) {
        uint32 id = trees[at].count + 1;
        address worker = (seed >> 20) % 13 == 0 ? buyer : workers[(seed >> 24) % 6];
        _sender = _senderFor(seed >> 8, buyer, worker);
        if (id > MOST_NODES || _sender == address(0)) return false;
        NodeTerms memory t = _terms(id, 0, worker, uint96(_bound(amount, 1, 1e12)), true);
        t.deliverBy = uint40(_now() + _bound(horizon, 1 hours, 25 days));
        t.acceptWindow = uint32(4 hours + (seed >> 32) % 3 days);
        (bool possible, FundingMode mode) = _modeFor(seed >> 64, buyer, t.amount);
        if (!possible && (seed >> 82) % 4 != 0) return false;
        bytes memory call = _selectCall(t);
        _opened(t, buyer);
        if (!possible || (seed >> 80) % 4 == 0) {
            _must("selectAgent", call);
        } else {
            bytes[] memory both = new bytes[](2);
            (both[0], both[1]) = (call, _fundCallBy(mode, id, worker, t.amount));
            _must("selected and funded at once", abi.encodeCall(ITaskEscrow.multicall, (both)));
            _paidIn(id, mode);
        }
        return true;
    }

    function _fundCallBy(FundingMode mode, uint32 id, address worker, uint96 amount) internal returns (bytes memory) {
        (Auth memory a, bytes memory permit) = _paying(mode, buyer, amount, _fundHead(id, worker, amount));
        return abi.encodeCall(ITaskEscrow.fundTask, (id, mode, a, permit));
    }

    /// @dev Workers hire each other at random: also themselves, their own hirers and the buyer.
    function _hireBelow(uint32 parent, uint256 seed, uint96 amount, uint256 horizon, bool own) internal returns (bool) {
        Node memory p = escrow.node(parent);
        uint256 free = p.amount - p.allocated;
        if (!own && free == 0) own = true;
        NodeTerms memory t = _terms(trees[at].count + 1, parent, workers[(seed >> 24) % 6], 0, own);
        if ((seed >> 28) % 17 == 0) t.worker = buyer;
        t.amount = uint96((seed >> 48) % 3 == 0 && !own ? free : _bound(amount, 1, own ? 1e12 : free));
        t.deliverBy = uint40(_now() + _bound(horizon, 1, p.deliverBy - _now()));
        if ((seed >> 52) % 2 == 0) t.deliverBy = p.deliverBy;
        t.acceptWindow = uint32(4 hours + (seed >> 32) % 3 days);
        (bool possible, FundingMode mode) =
            own ? _modeFor(seed >> 64, p.worker, t.amount) : (true, FundingMode.ParentNode);
        _sender = _senderFor(seed >> 8, p.worker, t.worker);
        if (!possible || _sender == address(0) || t.nodeId > MOST_NODES) return false;
        (Auth memory h, bytes memory permit) = _paying(mode, p.worker, t.amount, _subcontractHead(t));
        Auth memory w = _signed(t.worker, _quoteHead(t, p.worker));
        _must(_fundName(mode), abi.encodeCall(ITaskEscrow.subcontract, (t, mode, h, w, permit)));
        _opened(t, p.worker);
        _paidIn(t.nodeId, mode);
        if (_level(_nodes(), escrow.node(t.nodeId)) == 8) _count("reached level 8");
        return true;
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
        address worker = escrow.node(id).worker;
        address to = seed % 4 == 0 || usdc.isBlacklisted(worker) ? ELSEWHERE : worker;
        if (!_flows(to)) return false;
        _sender = _senderFor(seed >> 8, worker, worker);
        uint256 amount = seed % 3 == 0 ? 1 + (seed >> 16) % available : available;
        Auth memory a = _signed(worker, _withdrawHead(id, to, amount));
        _must("withdrawEarnings", abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, to, amount, a)));
        _earned(id, amount);
        return true;
    }
}
