// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth, FundingMode, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

/// @notice Every kind of action, executed once: its nonces turn from unused to used and never back, and the call never
///         goes through again, whoever sends it and whatever has happened since.
contract ReplaysTest is EscrowTest {
    uint256 private constant KINDS = 17;

    /// @dev A call that is possible now, the node it is about, and the nonces that it uses.
    struct Action {
        bytes call;
        uint192 id;
        address[2] signers;
        uint256[2] nonces;
    }

    function setUp() public override {
        super.setUp();
        usdc.mint(buyer, 10 * PRICE);
        for (uint256 i; i < workers.length; ++i) {
            usdc.mint(workers[i], 10 * PRICE);
            vm.prank(workers[i]);
            usdc.approve(address(escrow), type(uint256).max);
        }
        vm.prank(buyer);
        usdc.approve(address(escrow), type(uint256).max);
    }

    function _about(uint192 id, bytes memory call, address first, address second)
        private
        view
        returns (Action memory a)
    {
        a.call = call;
        a.id = id;
        a.signers = [first, second];
        a.nonces = [_nonceAt(id), _nonceAt(id)];
    }

    function _funding(uint256 kind) private returns (Action memory) {
        if (kind < 4) {
            NodeTerms memory t = _terms(1, workers[0], PRICE, true);
            if (kind == 0) return _about(1, _fundCall(t), buyer, workers[0]);
            if (kind == 1) return _about(1, _fundCall(t, FundingMode.Allowance), buyer, workers[0]);
            if (kind == 2) return _about(1, _fundCall(t, FundingMode.Permit), buyer, workers[0]);
            // More than the price, so that a second payment would find the money.
            _hire(9, workers[3], 3 * PRICE);
            _abandon(9);
            return _about(1, _fundCall(t, FundingMode.RefundBalance), buyer, workers[0]);
        }
        _hire(1, workers[0], PRICE);
        if (kind == 4) {
            bytes memory carve = _carveCall(_terms(CHILD, workers[1], 20e6, false));
            return _about(CHILD, carve, workers[0], workers[1]);
        }
        NodeTerms memory own = _terms(CHILD, workers[1], 20e6, true);
        bytes memory call = kind == 5 ? _ownMoneyCall(own) : _subcontractCall(own, FundingMode.Allowance);
        return _about(CHILD, call, workers[0], workers[1]);
    }

    function _withdrawing(uint256 kind) private returns (Action memory a) {
        (a.id, a.nonces) = (1, [FIRST_WITHDRAWAL, FIRST_WITHDRAWAL]);
        _hire(1, workers[0], PRICE);
        if (kind == 15) {
            _deliver(1);
            _accept(1);
            a.signers = [workers[0], workers[0]];
            a.call = _withdrawCall(1, 10e6);
        } else {
            _abandon(1);
            a.signers = [buyer, buyer];
            a.call = _withdrawRefundCall(buyer, 10e6);
        }
    }

    function _arrange(uint256 kind) private returns (Action memory) {
        if (kind < 7) return _funding(kind);
        if (kind > 14) return _withdrawing(kind);
        _hire(1, workers[0], PRICE);
        if (kind == 7) return _about(1, _deliverCall(1, ARTIFACT), workers[0], workers[0]);
        if (kind == 8) return _about(1, _abandonCall(1), workers[0], workers[0]);
        if (kind == 9) {
            vm.warp(due + 1);
            return _about(1, _claimCall(1, stranger), stranger, stranger);
        }
        if (kind == 10) return _about(1, _splitCall(1, 40e6), buyer, workers[0]);
        _deliver(1);
        if (kind == 11) return _about(1, _acceptCall(1), buyer, buyer);
        if (kind == 12) return _about(1, _rejectCall(1), buyer, buyer);
        _reject(1);
        if (kind == 13) return _about(1, _disputeCall(1), workers[0], workers[0]);
        _dispute(1);
        return _about(1, _ruleCall(1, 40e6), arbiter, arbiter);
    }

    /// @dev One more thing that may happen to the node, as far as it is possible.
    function _happens(uint192 id, uint256 what) private {
        bytes memory call;
        if (what == 0) call = _deliverCall(id, ARTIFACT);
        else if (what == 1) call = _rejectCall(id);
        else if (what == 2) call = _acceptCall(id);
        else if (what == 3) call = _disputeCall(id);
        else if (what == 4) call = _ruleCall(id, 40e6);
        else if (what == 5) call = _ruleCall(id, 0);
        else if (what == 6) call = _claimCall(id, stranger);
        else if (what == 7) call = _splitCall(id, 30e6);
        else if (what == 8) call = _abandonCall(id);
        else if (what == 9) call = abi.encodeCall(ITaskEscrow.finalize, (id));
        else if (what == 10) call = _withdrawCall(id, 5e6);
        else if (what == 11) call = _withdrawRefundCall(_hirerOf(id), 5e6);
        else vm.warp(vm.getBlockTimestamp() + (what == 12 ? 1 days : what == 13 ? 8 days : 31 days));
        if (call.length != 0) {
            (bool ok,) = address(escrow).call(call);
            ok; // most are not possible
        }
    }

    function _used(Action memory a) private view returns (bool first, bool second) {
        first = escrow.nonceUsed(a.signers[0], a.nonces[0]);
        second = escrow.nonceUsed(a.signers[1], a.nonces[1]);
    }

    function testFuzz_replay_noCallRunsTwiceAndNoNonceComesBack(uint256 kind, uint256 sender, uint256 seed) public {
        Action memory a = _arrange(kind % KINDS);
        (bool first, bool second) = _used(a);
        assertFalse(first || second, "unused before");
        address[6] memory senders = [stranger, buyer, arbiter, workers[0], workers[1], address(this)];
        _runs(a.call);
        for (uint256 i; i < 8; ++i) {
            (first, second) = _used(a);
            assertTrue(first && second, "used from then on");
            vm.prank(senders[(sender >> (8 * i)) % 6]);
            (bool ok,) = address(escrow).call(a.call);
            assertFalse(ok, "ran twice");
            _happens(a.id, (seed >> (8 * i)) % 15);
        }
    }

    /// @dev The same for a call that carries no signature: its sender sends it twice.
    function testFuzz_replay_noDirectCallRunsTwice(uint256 seed) public {
        _hire(1, workers[0], PRICE);
        bytes memory call = abi.encodeCall(ITaskEscrow.deliver, (1, ARTIFACT, false, _auth(_nonceAt(1))));
        vm.prank(workers[0]);
        _runs(call);
        for (uint256 i; i < 8; ++i) {
            vm.prank(workers[0]);
            (bool ok,) = address(escrow).call(call);
            assertFalse(ok, "ran twice");
            _happens(1, (seed >> (8 * i)) % 15);
        }
    }

    /// @dev Also the lapses that strangers write down use up what was signed about the state before.
    function test_nonceUsed_afterALapse() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        uint256 nonce = _nonceAt(1);
        vm.warp(START + WINDOW + 1);
        assertFalse(escrow.nonceUsed(buyer, nonce), "an acceptance may still come");
        escrow.finalize(1);
        assertTrue(escrow.nonceUsed(buyer, nonce));
        assertTrue(escrow.nonceUsed(workers[0], nonce));
    }
}
