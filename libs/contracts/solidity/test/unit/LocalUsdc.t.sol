// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {TypedData} from "../base/TypedData.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

contract LocalUsdcTest is EscrowTest {
    address private payer;
    address private payee;

    function setUp() public override {
        super.setUp();
        payer = workers[0];
        payee = workers[1];
        usdc.mint(payer, PRICE);
    }

    function _typed(string memory members, bytes memory values) private view returns (bytes32) {
        bytes32 structHash = keccak256(bytes.concat(abi.encode(keccak256(bytes(members))), values));
        bytes32 separator = TypedData.domainSeparator("USD Coin", "2", block.chainid, address(usdc));
        return TypedData.digest(separator, structHash);
    }

    function _authorization(string memory kind, uint256 notBefore, uint256 notAfter, bytes32 nonce)
        private
        view
        returns (bytes32)
    {
        string memory members = string.concat(
            kind, "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        return _typed(members, abi.encode(payer, payee, 40e6, notBefore, notAfter, nonce));
    }

    function _receive(uint256 notBefore, uint256 notAfter, bytes32 nonce) private view returns (bytes memory) {
        return _sign(payer, _authorization("ReceiveWithAuthorization", notBefore, notAfter, nonce));
    }

    function _permitDigest(uint256 value, uint256 deadline) private view returns (bytes32) {
        return _typed(
            "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)",
            abi.encode(payer, payee, value, usdc.nonces(payer), deadline)
        );
    }

    function _blacklisted(address account) private pure returns (bytes memory) {
        return abi.encodeWithSelector(LocalUsdc.AccountBlacklisted.selector, account);
    }

    function _badSignature() private view returns (bytes memory) {
        return abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, payer);
    }

    // ----------------------------------------------------------------------------------------------------- surface

    function test_metadata_isThatOfUsdc() public view {
        assertEq(usdc.name(), "USD Coin");
        assertEq(usdc.symbol(), "USDC");
        assertEq(usdc.decimals(), 6);
        assertEq(usdc.version(), "2");
        assertEq(usdc.currency(), "USD");
        assertEq(usdc.DOMAIN_SEPARATOR(), TypedData.domainSeparator("USD Coin", "2", block.chainid, address(usdc)));
    }

    function test_mint_isForTheOwner() public {
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Mint(address(this), payee, 5);
        assertTrue(usdc.mint(payee, 5));
        assertEq(usdc.balanceOf(payee), 5);
        vm.startPrank(stranger);
        bytes memory refused = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, stranger);
        vm.expectRevert(refused);
        usdc.mint(stranger, 5);
        vm.expectRevert(refused);
        usdc.pause();
        vm.expectRevert(refused);
        usdc.unpause();
        vm.expectRevert(refused);
        usdc.blacklist(payer);
        vm.expectRevert(refused);
        usdc.unBlacklist(payer);
    }

    function test_mint_isNotForAListedOwner() public {
        usdc.blacklist(address(this));
        vm.expectRevert(_blacklisted(address(this)));
        usdc.mint(payee, 1);
    }

    function test_pause_stopsEverything() public {
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Pause();
        usdc.pause();
        assertTrue(usdc.paused());
        bytes memory stopped = _error(LocalUsdc.TokenPaused.selector);
        vm.expectRevert(stopped);
        usdc.mint(payee, 1);
        vm.startPrank(payer);
        vm.expectRevert(stopped);
        usdc.transfer(payee, 1);
        vm.expectRevert(stopped);
        usdc.approve(payee, 1);
        vm.expectRevert(stopped);
        usdc.transferFrom(payer, payee, 1);
        vm.expectRevert(stopped);
        usdc.receiveWithAuthorization(payer, payee, 1, 0, 1, 0, "");
        vm.expectRevert(stopped);
        usdc.transferWithAuthorization(payer, payee, 1, 0, 1, 0, "");
        vm.expectRevert(stopped);
        usdc.cancelAuthorization(payer, 0, "");
        vm.expectRevert(stopped);
        usdc.permit(payer, payee, 1, 1, "");
        vm.stopPrank();
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Unpause();
        usdc.unpause();
        vm.prank(payer);
        usdc.transfer(payee, 1);
    }

    function test_blacklist_stopsBothSides() public {
        vm.expectEmit(address(usdc));
        emit LocalUsdc.Blacklisted(payee);
        usdc.blacklist(payee);
        assertTrue(usdc.isBlacklisted(payee));
        vm.startPrank(payer);
        vm.expectRevert(_blacklisted(payee));
        usdc.transfer(payee, 1);
        vm.stopPrank();
        vm.expectRevert(_blacklisted(payee));
        usdc.mint(payee, 1);
        vm.startPrank(payee);
        vm.expectRevert(_blacklisted(payee));
        usdc.transfer(payer, 0);
        vm.expectRevert(_blacklisted(payee));
        usdc.transferFrom(payer, stranger, 0);
        vm.expectRevert(_blacklisted(payee));
        usdc.receiveWithAuthorization(payer, payee, 1, 0, 1, 0, "");
        vm.expectRevert(_blacklisted(payee));
        usdc.transferWithAuthorization(payee, payer, 1, 0, 1, 0, "");
        vm.stopPrank();
        vm.expectEmit(address(usdc));
        emit LocalUsdc.UnBlacklisted(payee);
        usdc.unBlacklist(payee);
        vm.prank(payer);
        usdc.transfer(payee, 1);
    }

    /// @dev As version 2.2 of the real token, which looks at the list only when tokens move.
    function test_blacklist_doesNotStopApprovals() public {
        usdc.blacklist(payer);
        usdc.blacklist(payee);
        vm.startPrank(payer);
        usdc.approve(payee, 2);
        usdc.increaseAllowance(payee, 2);
        usdc.decreaseAllowance(payee, 1);
        assertEq(usdc.allowance(payer, payee), 3);
        usdc.permit(payer, payee, 7, START, _sign(payer, _permitDigest(7, START)));
        vm.stopPrank();
        assertEq(usdc.allowance(payer, payee), 7);
        vm.prank(payee);
        vm.expectRevert(_blacklisted(payee));
        usdc.transferFrom(payer, stranger, 1);
    }

    function test_blacklist_holdsTheTokenItself() public {
        assertTrue(usdc.isBlacklisted(address(usdc)));
        vm.prank(payer);
        vm.expectRevert(_blacklisted(address(usdc)));
        usdc.transfer(address(usdc), 1);
    }

    function test_allowance_inSteps() public {
        vm.startPrank(payer);
        usdc.approve(payee, 5);
        vm.expectEmit(address(usdc));
        emit IERC20.Approval(payer, payee, 8);
        assertTrue(usdc.increaseAllowance(payee, 3));
        vm.expectEmit(address(usdc));
        emit IERC20.Approval(payer, payee, 0);
        assertTrue(usdc.decreaseAllowance(payee, 8));
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, payee, 0, 1));
        usdc.decreaseAllowance(payee, 1);
        usdc.approve(payee, type(uint256).max);
        vm.expectRevert(abi.encodeWithSignature("Panic(uint256)", 0x11));
        usdc.increaseAllowance(payee, 1);
    }

    function test_allowance_stepsStopWithAPause() public {
        usdc.pause();
        vm.startPrank(payer);
        vm.expectRevert(_error(LocalUsdc.TokenPaused.selector));
        usdc.increaseAllowance(payee, 1);
        vm.expectRevert(_error(LocalUsdc.TokenPaused.selector));
        usdc.decreaseAllowance(payee, 0);
    }

    function test_transferFrom_theZeroAddressIsNoSender() public {
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InvalidSender.selector, address(0)));
        usdc.transferFrom(address(0), payee, 0);
    }

    function test_transferFrom_countsEveryAllowanceDown() public {
        vm.prank(payer);
        usdc.approve(payee, type(uint256).max);
        vm.prank(payee);
        usdc.transferFrom(payer, stranger, 10);
        assertEq(usdc.allowance(payer, payee), type(uint256).max - 10);
        assertEq(usdc.balanceOf(stranger), 10);
        vm.expectRevert(abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(this), 0, 1));
        usdc.transferFrom(payer, stranger, 1);
    }

    // ---------------------------------------------------------------------------------------------------- EIP-3009

    function test_receiveWithAuthorization_inBothForms() public {
        vm.startPrank(payee);
        vm.expectEmit(address(usdc));
        emit LocalUsdc.AuthorizationUsed(payer, "one");
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", _receive(0, START + 1, "one"));
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(keyOf[payer], _authorization("ReceiveWithAuthorization", 0, START + 1, "two"));
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "two", v, r, s);
        assertEq(usdc.balanceOf(payee), 80e6);
        assertTrue(usdc.authorizationState(payer, "one"));
        assertTrue(usdc.authorizationState(payer, "two"));
    }

    function test_receiveWithAuthorization_isForThePayeeOnly() public {
        bytes memory signature = _receive(0, START + 1, "one");
        vm.expectRevert(abi.encodeWithSelector(LocalUsdc.CallerNotPayee.selector, address(this), payee));
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", signature);
    }

    function test_receiveWithAuthorization_isValidStrictlyBetweenItsTimes() public {
        vm.startPrank(payee);
        bytes memory signature = _receive(START, START + 2, "one");
        vm.expectRevert(abi.encodeWithSelector(LocalUsdc.AuthorizationNotYetValid.selector, START));
        usdc.receiveWithAuthorization(payer, payee, 40e6, START, START + 2, "one", signature);
        vm.warp(START + 2);
        vm.expectRevert(abi.encodeWithSelector(LocalUsdc.AuthorizationExpired.selector, START + 2));
        usdc.receiveWithAuthorization(payer, payee, 40e6, START, START + 2, "one", signature);
        vm.warp(START + 1);
        usdc.receiveWithAuthorization(payer, payee, 40e6, START, START + 2, "one", signature);
        bytes memory used =
            abi.encodeWithSelector(LocalUsdc.AuthorizationUsedOrCanceled.selector, payer, bytes32("one"));
        vm.expectRevert(used);
        usdc.receiveWithAuthorization(payer, payee, 40e6, START, START + 2, "one", signature);
        vm.expectRevert(used); // also said of a signature that is worth nothing
        usdc.receiveWithAuthorization(payer, payee, 40e6, START, START + 2, "one", "");
    }

    function test_receiveWithAuthorization_refusesATransferAuthorization() public {
        bytes memory signature = _sign(payer, _authorization("TransferWithAuthorization", 0, START + 1, "one"));
        vm.prank(payee);
        vm.expectRevert(_badSignature());
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", signature);
    }

    function test_transferWithAuthorization_inBothFormsByAnybody() public {
        bytes32 digest = _authorization("TransferWithAuthorization", 0, START + 1, "one");
        vm.prank(stranger);
        usdc.transferWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", _sign(payer, digest));
        digest = _authorization("TransferWithAuthorization", 0, START + 1, "two");
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[payer], digest);
        usdc.transferWithAuthorization(payer, payee, 40e6, 0, START + 1, "two", v, r, s);
        assertEq(usdc.balanceOf(payee), 80e6);
    }

    function test_cancelAuthorization_inBothForms() public {
        string memory members = "CancelAuthorization(address authorizer,bytes32 nonce)";
        vm.expectEmit(address(usdc));
        emit LocalUsdc.AuthorizationCanceled(payer, "one");
        usdc.cancelAuthorization(payer, "one", _sign(payer, _typed(members, abi.encode(payer, bytes32("one")))));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[payer], _typed(members, abi.encode(payer, bytes32("two"))));
        usdc.cancelAuthorization(payer, "two", v, r, s);
        bytes memory signature = _receive(0, START + 1, "one");
        bytes memory used =
            abi.encodeWithSelector(LocalUsdc.AuthorizationUsedOrCanceled.selector, payer, bytes32("one"));
        vm.prank(payee);
        vm.expectRevert(used);
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", signature);
        vm.expectRevert(used);
        usdc.cancelAuthorization(payer, "one", "");
        vm.expectRevert(_badSignature());
        usdc.cancelAuthorization(payer, "three", new bytes(65));
    }

    /// @dev As the real token does: an account with code is asked by ERC-1271 and by nothing else.
    function test_accountsWithCodeAnswerByErc1271Only() public {
        address owner = _account("wallet owner");
        vm.etch(payer, address(new OwnedWallet(owner)).code);
        bytes memory ownKey = _receive(0, START + 1, "one");
        vm.startPrank(payee);
        vm.expectRevert(_badSignature());
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", ownKey);
        bytes memory ownersKey = _sign(owner, _authorization("ReceiveWithAuthorization", 0, START + 1, "one"));
        usdc.receiveWithAuthorization(payer, payee, 40e6, 0, START + 1, "one", ownersKey);
        assertEq(usdc.balanceOf(payee), 40e6);
    }

    // ---------------------------------------------------------------------------------------------------- EIP-2612

    function test_permit_inBothForms() public {
        usdc.permit(payer, payee, 7, START, _sign(payer, _permitDigest(7, START)));
        assertEq(usdc.allowance(payer, payee), 7);
        assertEq(usdc.nonces(payer), 1);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[payer], _permitDigest(8, START));
        usdc.permit(payer, payee, 8, START, v, r, s);
        assertEq(usdc.allowance(payer, payee), 8);
        assertEq(usdc.nonces(payer), 2);
    }

    function test_permit_refusesReplayExpiryAndOtherSigners() public {
        bytes memory signature = _sign(payer, _permitDigest(7, START));
        usdc.permit(payer, payee, 7, START, signature);
        vm.expectRevert(_badSignature());
        usdc.permit(payer, payee, 7, START, signature);
        signature = _sign(stranger, _permitDigest(7, START));
        vm.expectRevert(_badSignature());
        usdc.permit(payer, payee, 7, START, signature);
        signature = _sign(payer, _permitDigest(7, START));
        vm.warp(START + 1);
        vm.expectRevert(abi.encodeWithSelector(LocalUsdc.AuthorizationExpired.selector, START));
        usdc.permit(payer, payee, 7, START, signature);
    }
}
