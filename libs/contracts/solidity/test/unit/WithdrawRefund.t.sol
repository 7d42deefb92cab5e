// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {Auth} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {WithdrawalTest} from "../base/WithdrawalTest.sol";

contract WithdrawRefundTest is WithdrawalTest {
    address private constant RECIPIENT = address(0xCAFE);

    function _arrange() internal override {
        _hire(1, workers[0], PRICE);
        _abandon(1);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _withdrawRefundHead(buyer, RECIPIENT, 30e6);
    }

    function _call(Auth memory a) internal view override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.withdrawRefund, (buyer, RECIPIENT, 30e6, a));
    }

    function _short(uint256 available, uint256 requested) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.InsufficientRefund.selector, available, requested);
    }

    function test_withdrawRefund_paysTheRecipient() public {
        _arrange();
        Auth memory a = _signed(buyer, _head());
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.RefundWithdrawn(buyer, RECIPIENT, 30e6);
        vm.expectEmit(address(usdc)); // the escrow says why before the token says that
        emit IERC20.Transfer(address(escrow), RECIPIENT, 30e6);
        _runs(_call(a));
        assertEq(usdc.balanceOf(RECIPIENT), 30e6);
        assertEq(escrow.refundOf(buyer), 70e6);
    }

    function test_withdrawRefund_revertsOnMoreThanThereIsOrNothing() public {
        _arrange();
        _fails(_withdrawRefundCall(buyer, 0), _short(PRICE, 0));
        _fails(_withdrawRefundCall(buyer, PRICE + 1), _short(PRICE, PRICE + 1));
        _withdrawRefund(buyer, PRICE);
        _fails(_withdrawRefundCall(buyer, 1), _short(0, 1));
        _fails(_withdrawRefundCall(stranger, 1), _short(0, 1));
    }

    function test_withdrawRefund_ofAnotherAccountIsRefused() public {
        _arrange();
        Auth memory a = _signed(stranger, _withdrawRefundHead(buyer, stranger, PRICE));
        bytes memory call = abi.encodeCall(ITaskEscrow.withdrawRefund, (buyer, stranger, PRICE, a));
        _fails(call, _invalidSignature(buyer));
    }

    function test_withdrawRefund_revertsWhenTheRecipientIsTheEscrow() public {
        _arrange();
        Auth memory a = _signed(buyer, _withdrawRefundHead(buyer, address(escrow), 1));
        bytes memory call = abi.encodeCall(ITaskEscrow.withdrawRefund, (buyer, address(escrow), 1, a));
        _fails(call, abi.encodeWithSelector(ITaskEscrow.InvalidRecipient.selector, address(escrow)));
    }

    function test_withdrawRefund_revertsWhilePausedAndLosesNothing() public {
        _arrange();
        bytes memory call = _withdrawRefundCall(buyer, PRICE);
        usdc.pause();
        _fails(call, _error(LocalUsdc.TokenPaused.selector));
        usdc.unpause();
        _runs(call);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    function testFuzz_withdrawRefund_inTwoPortions(uint64 amount, uint64 first) public {
        amount = uint64(_bound(amount, 2, type(uint64).max));
        first = uint64(_bound(first, 1, amount - 1));
        _hire(5, workers[0], amount);
        _abandon(5);
        _withdrawRefund(buyer, first);
        assertEq(escrow.refundOf(buyer), amount - first);
        _withdrawRefund(buyer, amount - first);
        assertEq(usdc.balanceOf(buyer), amount);
    }
}
