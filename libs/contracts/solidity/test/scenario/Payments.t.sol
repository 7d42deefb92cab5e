// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {MarketsTest} from "../base/MarketsTest.sol";

/// @notice Everything that moves tokens, and what becomes of the money when the token's issuer steps in between: with the
///         local token and with Circle's, for keys and for contract wallets.
contract PaymentsTest is MarketsTest {
    address private constant RECIPIENT = address(0xCAFE);
    uint64 private constant PART = 40e6;

    // ----------------------------------------------------------------------------------------------------- helpers

    /// @dev Everything that the escrow knows about money, and the token's view of it.
    function _books() private view returns (bytes32) {
        bytes memory books = abi.encode(usdc.balanceOf(address(escrow)), usdc.balanceOf(buyer), escrow.refundOf(buyer));
        uint192[5] memory ids = [uint192(1), CHILD, GRANDCHILD, 3, 4];
        for (uint256 i; i < ids.length; ++i) {
            books = abi.encode(books, escrow.node(ids[i]), escrow.withdrawable(ids[i]));
        }
        for (uint256 i; i < workers.length; ++i) {
            address worker = workers[i];
            books = abi.encode(books, usdc.balanceOf(worker), escrow.refundOf(worker), _withdrawalBits(worker));
        }
        return keccak256(abi.encode(books, _withdrawalBits(buyer)));
    }

    function _withdrawalBits(address signer) private view returns (uint256) {
        return escrow.nonceBitmap(signer, FIRST_WITHDRAWAL >> 8);
    }

    /// @dev Refused for this reason, and nothing has changed: the very same call may be sent again.
    function _waits(bytes memory call, bytes memory reason) private {
        bytes32 before = _books();
        _refuses(call, reason);
        assertEq(_books(), before, "a refused call has changed something");
    }

    function _root() private view returns (NodeTerms memory) {
        return _terms(1, workers[0], PRICE, true);
    }

    function _fundHead(FundingMode mode) private view returns (bytes memory) {
        return _fundHead(_root(), mode);
    }

    function _fundBy(FundingMode mode, Auth memory h, bytes memory permit) private returns (bytes memory) {
        NodeTerms memory t = _root();
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, w, permit));
    }

    /// @dev The buyer's payment in one signature, before it is put into a call.
    function _payment(uint256 amount) private returns (Auth memory) {
        return _signed3009(1, buyer, amount, _fundHead(FundingMode.Authorization3009));
    }

    function _permitCall(NodeTerms memory t) private returns (bytes memory) {
        Auth memory h = _signedAt(t.nodeId, buyer, _fundHead(t, FundingMode.Permit));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, buyer));
        bytes memory permit = _signedPermit(buyer, t.amount, h.validUntil);
        return abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Permit, h, w, permit));
    }

    function _allowanceCall() private returns (bytes memory) {
        return _fundCall(_root(), FundingMode.Allowance);
    }

    function _approve(uint256 amount) private {
        vm.prank(buyer);
        assertTrue(usdc.approve(address(escrow), amount));
    }

    function _assertFunded() private view {
        _assertState(1, NodeState.Funded);
        assertEq(escrow.node(1).amount, PRICE);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
        assertEq(usdc.balanceOf(buyer), 0);
    }

    function _withdrawTo(uint192 id, address recipient, uint256 amount) private returns (bytes memory) {
        Auth memory a = _signed(escrow.node(id).worker, _withdrawHead(id, recipient, amount));
        return abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, recipient, amount, a));
    }

    function _refundTo(address account, address recipient, uint256 amount) private returns (bytes memory) {
        Auth memory a = _signed(account, _withdrawRefundHead(account, recipient, amount));
        return abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, a));
    }

    /// @dev Node 1 has a settled child and is settled itself; node 3 was given up.
    function _owed() private {
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], PART);
        _hire(3, workers[2], PRICE);
        _abandon(3);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _accept(1);
    }

    // ---------------------------------------------------------------------------------------------------- money in

    function table_payIn_byAuthorization(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_root());
        vm.prank(stranger);
        _runs(call);
        _assertFunded();
    }

    function table_payIn_byAuthorizationOfAnotherActionIsRefused(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _payment(PRICE);
        a.requestDigest ^= bytes32(uint256(1));
        _waits(_fundBy(FundingMode.Authorization3009, a, ""), _signatureReason(buyer));
        a.requestDigest ^= bytes32(uint256(1));
        _runs(_fundBy(FundingMode.Authorization3009, a, ""));
        _assertFunded();
    }

    /// @dev The authorisation's nonce is the digest of the action, which names the mode and all terms.
    function table_payIn_byAuthorizationForAnotherModeIsRefused(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _signed3009(1, buyer, PRICE, _fundHead(FundingMode.Allowance));
        _waits(_fundBy(FundingMode.Authorization3009, a, ""), _signatureReason(buyer));
        NodeTerms memory other = _root();
        other.floor -= 1;
        a = _signed3009(1, buyer, PRICE, _fundHead(other, FundingMode.Authorization3009));
        _waits(_fundBy(FundingMode.Authorization3009, a, ""), _signatureReason(buyer));
    }

    function table_payIn_byAuthorizationOfAnotherAmountIsRefused(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        _waits(_fundBy(FundingMode.Authorization3009, _payment(PRICE - 1), ""), _signatureReason(buyer));
    }

    function table_payIn_byAuthorizationThatSomebodyElseCannotPresent(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _payment(PRICE);
        bytes32 nonce = _digest(_fundHead(FundingMode.Authorization3009), a);
        vm.prank(stranger);
        vm.expectRevert(_payeeReason(stranger, address(escrow)));
        usdc.receiveWithAuthorization(buyer, address(escrow), PRICE, 0, a.validUntil + 1, nonce, a.signature);
        assertFalse(usdc.authorizationState(buyer, nonce));
        _runs(_fundBy(FundingMode.Authorization3009, a, ""));
        assertTrue(usdc.authorizationState(buyer, nonce));
    }

    function table_payIn_byAuthorizationWithTooLittleMoneyWaits(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE - 1);
        bytes memory call = _fundCall(_root());
        _waits(call, _balanceReason(buyer, PRICE - 1, PRICE));
        usdc.mint(buyer, 1);
        _runs(call);
        _assertFunded();
    }

    /// @dev The token wants the time strictly before its end, which is therefore one second after the action's.
    function table_payIn_byAuthorizationIsGoodInItsLastSecond(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _payment(PRICE);
        bytes memory call = _fundBy(FundingMode.Authorization3009, a, "");
        vm.warp(a.validUntil + 1);
        _fails(call, abi.encodeWithSelector(ITaskEscrow.ActionExpired.selector, a.validUntil));
        vm.warp(a.validUntil);
        _runs(call);
        _assertFunded();
    }

    function table_payIn_byPermit(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        bytes memory call = _permitCall(_root());
        vm.prank(stranger);
        _runs(call);
        _assertFunded();
        assertEq(usdc.allowance(buyer, address(escrow)), 0);
        assertEq(usdc.nonces(buyer), 1);
    }

    function table_payIn_byPermitThatSomebodyPresentedFirst(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _signedAt(1, buyer, _fundHead(FundingMode.Permit));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        vm.prank(stranger);
        usdc.permit(buyer, address(escrow), PRICE, a.validUntil, permit);
        _runs(_fundBy(FundingMode.Permit, a, permit));
        _assertFunded();
    }

    function table_payIn_byPermitOfSomethingElseIsRefused(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        Auth memory a = _signedAt(1, buyer, _fundHead(FundingMode.Permit));
        bytes memory permit = _signedPermit(buyer, PRICE + 1, a.validUntil);
        _waits(_fundBy(FundingMode.Permit, a, permit), _allowanceReason(address(escrow), 0, PRICE));
    }

    function table_payIn_byAllowance(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        _approve(PRICE - 1);
        bytes memory call = _allowanceCall();
        _waits(call, _allowanceReason(address(escrow), PRICE - 1, PRICE));
        _approve(PRICE);
        _runs(call);
        _assertFunded();
        assertEq(usdc.allowance(buyer, address(escrow)), 0);
    }

    function table_payIn_byAnUnlimitedAllowanceIsCountedDown(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        _approve(type(uint256).max);
        _runs(_allowanceCall());
        assertEq(usdc.allowance(buyer, address(escrow)), type(uint256).max - PRICE);
    }

    function table_payIn_byTheHirerOfAChild(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(CHILD, workers[1], PART);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + PART);
        _deliver(CHILD);
        _accept(CHILD);
        _withdraw(CHILD, PART);
        assertEq(usdc.balanceOf(workers[1]), PART);
    }

    // --------------------------------------------------------------------------------------------------- whole jobs

    /// @dev From nothing to the last payment, the start in one transaction of a stranger.
    function table_wholeJob(uint8 market) public inMarket(market) {
        bytes32 id = keccak256("task_2");
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, id));
        usdc.mint(buyer, PRICE);
        bytes memory start = _fundCall(_root());
        vm.prank(stranger);
        factory.createTree(buyer, arbiter, id, start);
        _assertFunded();
        _carve(CHILD, workers[1], PART);
        _carve(GRANDCHILD, workers[2], 10e6);
        _deliver(GRANDCHILD);
        _accept(GRANDCHILD);
        _deliver(CHILD);
        _reject(CHILD);
        _dispute(CHILD);
        _rule(CHILD, 30e6);
        _deliver(1);
        vm.warp(block.timestamp + WINDOW + 1);
        _runs(_withdrawTo(1, RECIPIENT, 70e6));
        _withdraw(CHILD, 20e6);
        _withdraw(GRANDCHILD, 10e6);
        assertEq(usdc.balanceOf(RECIPIENT), 70e6);
        assertEq(usdc.balanceOf(workers[1]), 20e6);
        assertEq(usdc.balanceOf(workers[2]), 10e6);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function table_payOut_inPortionsToAnybody(uint8 market) public inMarket(market) {
        _owed();
        _runs(_withdrawTo(1, RECIPIENT, 1));
        _runs(_withdrawTo(1, stranger, PRICE - PART - 1));
        _runs(_refundTo(buyer, RECIPIENT, PRICE - 1));
        _withdrawRefund(buyer, 1);
        _withdraw(CHILD, PART);
        assertEq(usdc.balanceOf(RECIPIENT), PRICE);
        assertEq(usdc.balanceOf(stranger), PRICE - PART - 1);
        assertEq(usdc.balanceOf(buyer), 1);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    /// @dev To the worker's own address, by the acceptance itself and by whoever writes silence down.
    function table_payOut_asSoonAsTheNodeSettles(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _hire(3, workers[2], PRICE);
        _carve(CHILD, workers[1], PART);
        _runs(_deliverCall(CHILD, ARTIFACT, true));
        _accept(CHILD);
        assertEq(usdc.balanceOf(workers[1]), 0, "its backer may still fail");
        _runs(_deliverCall(1, ARTIFACT, true));
        _accept(1);
        assertEq(usdc.balanceOf(workers[0]), PRICE - PART);
        escrow.finalize(CHILD);
        assertEq(usdc.balanceOf(workers[1]), PART);
        _runs(_deliverCall(3, ARTIFACT, true));
        vm.warp(block.timestamp + WINDOW + 1);
        vm.prank(stranger);
        escrow.finalize(3);
        assertEq(usdc.balanceOf(workers[2]), PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    // --------------------------------------------------------------------------------------------- the issuer steps in

    /// @dev The decision stands, the money stays, and it is paid once the token lets it go.
    function table_denied_workersPayOutStopsNoDecision(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _runs(_deliverCall(1, ARTIFACT, true));
        usdc.blacklist(workers[0]);
        _accept(1);
        _assertState(1, NodeState.Settled);
        assertEq(escrow.withdrawable(1), PRICE);
        _fails(abi.encodeCall(ITaskEscrow.finalize, (1)), _wrongState(1, NodeState.Settled));
        usdc.unBlacklist(workers[0]);
        escrow.finalize(1);
        assertEq(usdc.balanceOf(workers[0]), PRICE);
    }

    function table_paused_payOutStopsNoDecision(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _runs(_deliverCall(1, ARTIFACT, true));
        _reject(1);
        _dispute(1);
        usdc.pause();
        _rule(1, PRICE - PART);
        assertEq(escrow.withdrawable(1), PRICE - PART);
        assertEq(escrow.refundOf(buyer), PART);
        usdc.unpause();
        escrow.finalize(1);
        assertEq(usdc.balanceOf(workers[0]), PRICE - PART);
    }

    function table_denied_buyerCannotPayIn(uint8 market) public inMarket(market) {
        usdc.mint(buyer, PRICE);
        _approve(PRICE);
        usdc.blacklist(buyer);
        bytes[3] memory calls = [_fundCall(_root()), _permitCall(_root()), _allowanceCall()];
        for (uint256 i; i < calls.length; ++i) {
            _waits(calls[i], _deniedReason(buyer));
        }
        usdc.unBlacklist(buyer);
        uint256 snapshot = vm.snapshotState();
        for (uint256 i; i < calls.length; ++i) {
            _runs(calls[i]);
            _assertFunded();
            vm.revertToState(snapshot);
        }
    }

    function table_denied_buyersRefundWaitsOrGoesElsewhere(uint8 market) public inMarket(market) {
        _owed();
        usdc.blacklist(buyer);
        bytes memory own = _withdrawRefundCall(buyer, PRICE - 1);
        _waits(own, _deniedReason(buyer));
        _runs(_refundTo(buyer, RECIPIENT, 1));
        // What others have earned has nothing to do with the buyer.
        _withdraw(1, PRICE - PART);
        _withdraw(CHILD, PART);
        assertEq(usdc.balanceOf(address(escrow)), PRICE - 1);
        usdc.unBlacklist(buyer);
        _runs(own);
        assertEq(usdc.balanceOf(buyer), PRICE - 1);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function table_denied_buyerCanStillDecide(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        usdc.blacklist(buyer);
        _accept(1);
        _withdraw(1, PRICE);
        assertEq(usdc.balanceOf(workers[0]), PRICE);
    }

    function table_denied_workersPayWaitsOrGoesElsewhere(uint8 market) public inMarket(market) {
        _owed();
        usdc.blacklist(workers[0]);
        bytes memory own = _withdrawCall(1, PRICE - PART - 1);
        _waits(own, _deniedReason(workers[0]));
        _withdraw(CHILD, PART); // the child's money is not stuck below it
        _withdrawRefund(buyer, PRICE);
        _runs(_withdrawTo(1, RECIPIENT, 1));
        usdc.unBlacklist(workers[0]);
        _runs(own);
        assertEq(usdc.balanceOf(workers[0]), PRICE - PART - 1);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function table_denied_workerCanStillWorkAndHireFromItsPool(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        usdc.blacklist(workers[0]);
        _carve(CHILD, workers[1], PART);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _accept(1);
        _withdraw(CHILD, PART);
        assertEq(escrow.withdrawable(1), PRICE - PART);
    }

    function table_denied_recipientIsReplacedByAnother(uint8 market) public inMarket(market) {
        _owed();
        usdc.blacklist(RECIPIENT);
        bytes memory earnings = _withdrawTo(1, RECIPIENT, 1);
        bytes memory refund = _refundTo(buyer, RECIPIENT, 1);
        _waits(earnings, _deniedReason(RECIPIENT));
        _waits(refund, _deniedReason(RECIPIENT));
        uint256 snapshot = vm.snapshotState();
        _takeEverything(PART);
        vm.revertToState(snapshot);
        usdc.unBlacklist(RECIPIENT);
        _runs(earnings);
        _runs(refund);
        assertEq(usdc.balanceOf(RECIPIENT), 2);
    }

    /// @dev The whole tree is frozen, and no other one. What needs no token goes on, and nobody has lost anything after.
    function table_denied_escrowKeepsTheMoneyAndGoesOnDeciding(uint8 market) public inMarket(market) {
        TaskEscrow frozen = escrow;
        _hire(1, workers[0], PRICE);
        _hire(3, workers[2], PRICE);
        usdc.mint(buyer, PRICE);
        usdc.blacklist(address(escrow));
        bytes memory payIn = _fundCall(_terms(4, workers[3], PRICE, true));
        _waits(payIn, _deniedReason(address(escrow)));
        _carve(CHILD, workers[1], PART);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        vm.warp(block.timestamp + WINDOW + 1);
        _runs(abi.encodeCall(ITaskEscrow.finalize, (1)));
        _abandon(3);
        assertEq(usdc.balanceOf(address(escrow)), 2 * uint256(PRICE));
        _waits(_withdrawTo(1, RECIPIENT, 1), _deniedReason(address(escrow)));
        _waits(_withdrawCall(CHILD, PART), _deniedReason(address(escrow)));
        _waits(_withdrawRefundCall(buyer, PRICE), _deniedReason(address(escrow)));
        _otherTreeWorks();
        escrow = frozen;
        usdc.unBlacklist(address(escrow));
        _takeEverything(PART);
    }

    /// @dev Money that is in the frozen escrow already may pay for another node of the same tree.
    function table_denied_escrowMayStillBeFundedFromTheRefundBalance(uint8 market) public inMarket(market) {
        _hire(2, workers[1], PRICE);
        _abandon(2);
        usdc.blacklist(address(escrow));
        _runs(_fundCall(_root(), FundingMode.RefundBalance));
        _assertFunded();
        assertEq(escrow.refundOf(buyer), 0);
        usdc.unBlacklist(address(escrow));
        _deliver(1);
        _accept(1);
        _withdraw(1, PRICE);
    }

    /// @dev A job of another tree, paid with what the buyer holds, from the first signature to the last payment.
    function _otherTreeWorks() private {
        uint256 held = usdc.balanceOf(buyer);
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "another tree", ""));
        _hire(1, workers[4], PRICE);
        _deliver(1);
        _accept(1);
        _withdraw(1, PRICE);
        assertEq(usdc.balanceOf(workers[4]), PRICE);
        assertEq(usdc.balanceOf(buyer), held);
        vm.prank(buyer);
        usdc.transfer(stranger, held); // leaves the buyer with nothing but its refund
    }

    function table_paused_paymentsWaitAndDecisionsGoOn(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _hire(3, workers[2], PRICE);
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        usdc.pause();
        _carve(CHILD, workers[1], PART);
        _deliver(CHILD);
        _accept(CHILD);
        _deliver(1);
        _accept(1);
        _abandon(3);
        NodeTerms memory next = _terms(4, workers[3], PRICE, true);
        bytes[6] memory calls = [
            _fundCall(next),
            _permitCall(next),
            _fundCall(next, FundingMode.Allowance),
            _withdrawCall(1, PRICE - PART),
            _withdrawCall(CHILD, PART),
            _withdrawRefundCall(buyer, PRICE)
        ];
        for (uint256 i; i < calls.length; ++i) {
            _waits(calls[i], _pausedReason());
        }
        usdc.unpause();
        _runs(calls[0]);
        for (uint256 i = 3; i < calls.length; ++i) {
            _runs(calls[i]);
        }
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
        assertEq(usdc.balanceOf(workers[0]), PRICE - PART);
        assertEq(usdc.balanceOf(workers[1]), PART);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }
}
