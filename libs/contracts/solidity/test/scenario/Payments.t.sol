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
    uint96 private constant PART = 40e6;

    // ----------------------------------------------------------------------------------------------------- helpers

    /// @dev Everything that the escrow knows about money, and the token's view of it.
    function _books() private view returns (bytes32) {
        bytes memory books = abi.encode(usdc.balanceOf(address(escrow)), usdc.balanceOf(buyer), escrow.refundOf(buyer));
        for (uint32 id = 1; id <= 4; ++id) {
            books = abi.encode(books, escrow.node(id), escrow.withdrawable(id));
        }
        for (uint256 i; i < workers.length; ++i) {
            address worker = workers[i];
            books = abi.encode(books, usdc.balanceOf(worker), escrow.refundOf(worker), escrow.nonceBitmap(worker, 0));
        }
        return keccak256(abi.encode(books, escrow.nonceBitmap(buyer, 0)));
    }

    /// @dev Refused for this reason, and nothing has changed: the very same call may be sent again.
    function _waits(bytes memory call, bytes memory reason) private {
        bytes32 before = _books();
        _refuses(call, reason);
        assertEq(_books(), before, "a refused call has changed something");
    }

    function _selected() private {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
    }

    function _fundBy(FundingMode mode, Auth memory a, bytes memory permit) private pure returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.fundTask, (1, mode, a, permit));
    }

    function _permitCall() private returns (bytes memory) {
        Auth memory a = _signed(buyer, _fundHead(1));
        return _fundBy(FundingMode.Permit, a, _signedPermit(buyer, PRICE, a.validUntil));
    }

    function _allowanceCall() private returns (bytes memory) {
        return _fundBy(FundingMode.Allowance, _signed(buyer, _fundHead(1)), "");
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

    function _withdrawTo(uint32 id, address recipient, uint256 amount) private returns (bytes memory) {
        Auth memory a = _signed(escrow.node(id).worker, _withdrawHead(id, recipient, amount));
        return abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, recipient, amount, a));
    }

    function _refundTo(address account, address recipient, uint256 amount) private returns (bytes memory) {
        Auth memory a = _signed(account, _withdrawRefundHead(account, recipient, amount));
        return abi.encodeCall(ITaskEscrow.withdrawRefund, (account, recipient, amount, a));
    }

    /// @dev Node 1 has a settled child, node 2, and is settled itself; node 3 was given up.
    function _owed() private {
        _hire(1, workers[0], PRICE);
        _carve(2, 1, workers[1], PART);
        _hire(3, workers[2], PRICE);
        _abandon(3);
        _deliver(2);
        _accept(2);
        _deliver(1);
        _accept(1);
    }

    // ---------------------------------------------------------------------------------------------------- money in

    function table_payIn_byAuthorization(uint8 market) public inMarket(market) {
        _selected();
        bytes memory call = _fundCall(1);
        vm.prank(stranger);
        _runs(call);
        _assertFunded();
    }

    function table_payIn_byAuthorizationOfAnotherActionIsRefused(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        a.requestDigest ^= bytes32(uint256(1));
        _waits(_fundBy(FundingMode.Authorization3009, a, ""), _signatureReason(buyer));
        a.requestDigest ^= bytes32(uint256(1));
        _runs(_fundBy(FundingMode.Authorization3009, a, ""));
        _assertFunded();
    }

    function table_payIn_byAuthorizationOfAnotherAmountIsRefused(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE - 1, _fundHead(1));
        _waits(_fundBy(FundingMode.Authorization3009, a, ""), _signatureReason(buyer));
    }

    function table_payIn_byAuthorizationThatSomebodyElseCannotPresent(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        bytes32 nonce = _digest(_fundHead(1), a);
        vm.prank(stranger);
        vm.expectRevert(_payeeReason(stranger, address(escrow)));
        usdc.receiveWithAuthorization(buyer, address(escrow), PRICE, 0, a.validUntil, nonce, a.signature);
        assertFalse(usdc.authorizationState(buyer, nonce));
        _runs(_fundBy(FundingMode.Authorization3009, a, ""));
        assertTrue(usdc.authorizationState(buyer, nonce));
    }

    function table_payIn_byAuthorizationWithTooLittleMoneyWaits(uint8 market) public inMarket(market) {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE - 1);
        bytes memory call = _fundCall(1);
        _waits(call, _balanceReason(buyer, PRICE - 1, PRICE));
        usdc.mint(buyer, 1);
        _runs(call);
        _assertFunded();
    }

    /// @dev The token wants the time strictly before the end, the escrow's own signatures include it.
    function table_payIn_byAuthorizationEndsOneSecondEarlier(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        bytes memory call = _fundBy(FundingMode.Authorization3009, a, "");
        vm.warp(a.validUntil);
        _waits(call, _expiredReason(a.validUntil));
        vm.warp(a.validUntil - 1);
        _runs(call);
        _assertFunded();
    }

    function table_payIn_byPermit(uint8 market) public inMarket(market) {
        _selected();
        bytes memory call = _permitCall();
        vm.prank(stranger);
        _runs(call);
        _assertFunded();
        assertEq(usdc.allowance(buyer, address(escrow)), 0);
        assertEq(usdc.nonces(buyer), 1);
    }

    function table_payIn_byPermitThatSomebodyPresentedFirst(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed(buyer, _fundHead(1));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        vm.prank(stranger);
        usdc.permit(buyer, address(escrow), PRICE, a.validUntil, permit);
        _runs(_fundBy(FundingMode.Permit, a, permit));
        _assertFunded();
    }

    function table_payIn_byPermitOfSomethingElseIsRefused(uint8 market) public inMarket(market) {
        _selected();
        Auth memory a = _signed(buyer, _fundHead(1));
        bytes memory permit = _signedPermit(buyer, PRICE + 1, a.validUntil);
        _waits(_fundBy(FundingMode.Permit, a, permit), _allowanceReason(address(escrow), 0, PRICE));
    }

    function table_payIn_byAllowance(uint8 market) public inMarket(market) {
        _selected();
        _approve(PRICE - 1);
        bytes memory call = _allowanceCall();
        _waits(call, _allowanceReason(address(escrow), PRICE - 1, PRICE));
        _approve(PRICE);
        _runs(call);
        _assertFunded();
        assertEq(usdc.allowance(buyer, address(escrow)), 0);
    }

    function table_payIn_byAnUnlimitedAllowanceIsCountedDown(uint8 market) public inMarket(market) {
        _selected();
        _approve(type(uint256).max);
        _runs(_allowanceCall());
        assertEq(usdc.allowance(buyer, address(escrow)), type(uint256).max - PRICE);
    }

    function table_payIn_byTheHirerOfAChild(uint8 market) public inMarket(market) {
        _hire(1, workers[0], PRICE);
        _hireWithOwnMoney(2, 1, workers[1], PART);
        assertEq(usdc.balanceOf(address(escrow)), PRICE + PART);
        _deliver(2);
        _accept(2);
        _withdraw(2, PART);
        assertEq(usdc.balanceOf(workers[1]), PART);
    }

    // --------------------------------------------------------------------------------------------------- whole jobs

    /// @dev From nothing to the last payment, the start in one transaction of a stranger.
    function table_wholeJob(uint8 market) public inMarket(market) {
        bytes32 id = keccak256("task_2");
        escrow = TaskEscrow(factory.escrowOf(buyer, arbiter, id));
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(1, 0, workers[0], PRICE, true);
        bytes[] memory start = new bytes[](2);
        start[0] = _selectCall(t);
        start[1] =
            _fundBy(FundingMode.Authorization3009, _signed3009(buyer, PRICE, _fundHead(1, workers[0], PRICE)), "");
        vm.prank(stranger);
        factory.createTree(buyer, arbiter, id, start);
        _assertFunded();
        _carve(2, 1, workers[1], PART);
        _carve(3, 2, workers[2], 10e6);
        _deliver(3);
        _accept(3);
        _deliver(2);
        _reject(2);
        _dispute(2);
        _runs(_ruleCall(2, 30e6));
        _deliver(1);
        vm.warp(block.timestamp + WINDOW + 1);
        _runs(_withdrawTo(1, RECIPIENT, 70e6));
        _withdraw(2, 20e6);
        _withdraw(3, 10e6);
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
        _withdraw(2, PART);
        assertEq(usdc.balanceOf(RECIPIENT), PRICE);
        assertEq(usdc.balanceOf(stranger), PRICE - PART - 1);
        assertEq(usdc.balanceOf(buyer), 1);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    // --------------------------------------------------------------------------------------------- the issuer steps in

    function table_denied_buyerCannotPayIn(uint8 market) public inMarket(market) {
        _selected();
        _approve(PRICE);
        usdc.blacklist(buyer);
        bytes[3] memory calls = [_fundCall(1), _permitCall(), _allowanceCall()];
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
        _withdraw(2, PART);
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
        _withdraw(2, PART); // the child's money is not stuck below it
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
        _carve(2, 1, workers[1], PART);
        _deliver(2);
        _accept(2);
        _deliver(1);
        _accept(1);
        _withdraw(2, PART);
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
        _select(4, workers[3], PRICE);
        usdc.mint(buyer, PRICE);
        usdc.blacklist(address(escrow));
        bytes memory payIn = _fundCall4();
        _waits(payIn, _deniedReason(address(escrow)));
        _carve(2, 1, workers[1], PART);
        _deliver(2);
        _accept(2);
        _deliver(1);
        vm.warp(block.timestamp + WINDOW + 1);
        _runs(abi.encodeCall(ITaskEscrow.finalize, (1)));
        _abandon(3);
        assertEq(usdc.balanceOf(address(escrow)), 2 * uint256(PRICE));
        _waits(_withdrawTo(1, RECIPIENT, 1), _deniedReason(address(escrow)));
        _waits(_withdrawCall(2, PART), _deniedReason(address(escrow)));
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
        _select(1, workers[0], PRICE);
        usdc.blacklist(address(escrow));
        _runs(_fundBy(FundingMode.RefundBalance, _signed(buyer, _fundHead(1)), ""));
        _assertFunded();
        assertEq(escrow.refundOf(buyer), 0);
        usdc.unBlacklist(address(escrow));
        _deliver(1);
        _accept(1);
        _withdraw(1, PRICE);
    }

    function _fundCall4() private returns (bytes memory) {
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(4));
        return abi.encodeCall(ITaskEscrow.fundTask, (4, FundingMode.Authorization3009, a, ""));
    }

    /// @dev A job of another tree, paid with what the buyer holds, from the first signature to the last payment.
    function _otherTreeWorks() private {
        uint256 held = usdc.balanceOf(buyer);
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "another tree", new bytes[](0)));
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
        _select(4, workers[3], PRICE);
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
        usdc.pause();
        _carve(2, 1, workers[1], PART);
        _deliver(2);
        _accept(2);
        _deliver(1);
        _accept(1);
        _abandon(3);
        Auth memory a = _signed(buyer, _fundHead(4));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        bytes[6] memory calls = [
            _fundCall4(),
            abi.encodeCall(ITaskEscrow.fundTask, (4, FundingMode.Permit, a, permit)),
            abi.encodeCall(ITaskEscrow.fundTask, (4, FundingMode.Allowance, a, "")),
            _withdrawCall(1, PRICE - PART),
            _withdrawCall(2, PART),
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
