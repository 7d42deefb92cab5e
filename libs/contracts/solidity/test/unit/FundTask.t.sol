// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {Auth, FundingMode, Node, NodeState} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ActionTest} from "../base/ActionTest.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {FeeToken, ReentrantToken} from "../mocks/OddTokens.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

contract FundTaskAuthorizationTest is ActionTest {
    function _arrange() internal override {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _fundHead(1);
    }

    function _call(Auth memory a) internal pure override returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Allowance, a, ""));
    }
}

contract FundTaskTest is EscrowTest {
    function _fundWith(FundingMode mode, Auth memory a) private pure returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.fundTask, (1, mode, a, ""));
    }

    function _selected() private {
        _select(1, workers[0], PRICE);
        usdc.mint(buyer, PRICE);
    }

    function _approve(uint256 amount) private {
        vm.prank(buyer);
        usdc.approve(address(escrow), amount);
    }

    function _assertFunded() private view {
        Node memory n = escrow.node(1);
        assertEq(uint8(n.state), uint8(NodeState.Funded));
        assertEq(n.clock, n.deliverBy);
        assertEq(n.amount, PRICE);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
        assertEq(usdc.balanceOf(buyer), 0);
    }

    function test_fundTask_byAuthorization() public {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.ActionConsumed(a.actionId, buyer, a.nonce, a.requestDigest);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(1, buyer, PRICE, FundingMode.Authorization3009);
        vm.prank(stranger);
        _runs(_fundWith(FundingMode.Authorization3009, a));
        _assertFunded();
    }

    function test_fundTask_byAllowance() public {
        _selected();
        _approve(PRICE);
        Auth memory a = _signed(buyer, _fundHead(1));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(1, buyer, PRICE, FundingMode.Allowance);
        _runs(_fundWith(FundingMode.Allowance, a));
        _assertFunded();
    }

    function test_fundTask_byPermit() public {
        _selected();
        Auth memory a = _signed(buyer, _fundHead(1));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(1, buyer, PRICE, FundingMode.Permit);
        _runs(abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Permit, a, permit)));
        _assertFunded();
    }

    function test_fundTask_byPermitThatSomebodyPresentedFirst() public {
        _selected();
        Auth memory a = _signed(buyer, _fundHead(1));
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        vm.prank(stranger);
        usdc.permit(buyer, address(escrow), PRICE, a.validUntil, permit);
        _runs(abi.encodeCall(ITaskEscrow.fundTask, (1, FundingMode.Permit, a, permit)));
        _assertFunded();
    }

    function test_fundTask_byRefundBalanceMovesNoTokens() public {
        _hire(9, workers[3], PRICE);
        _abandon(9);
        _select(1, workers[0], PRICE);
        Auth memory a = _signed(buyer, _fundHead(1));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(1, buyer, PRICE, FundingMode.RefundBalance);
        _runs(_fundWith(FundingMode.RefundBalance, a));
        _assertFunded();
        assertEq(escrow.refundOf(buyer), 0);
    }

    function test_fundTask_revertsWhenTheRefundBalanceIsShort() public {
        _hire(9, workers[3], PRICE - 1);
        _abandon(9);
        _select(1, workers[0], PRICE);
        bytes memory call = _fundWith(FundingMode.RefundBalance, _signed(buyer, _fundHead(1)));
        _fails(call, abi.encodeWithSelector(ITaskEscrow.InsufficientRefund.selector, PRICE - 1, PRICE));
    }

    function test_fundTask_revertsOnTheParentsPool() public {
        _selected();
        bytes memory call = _fundWith(FundingMode.ParentNode, _signed(buyer, _fundHead(1)));
        _fails(call, _error(ITaskEscrow.InvalidTerms.selector));
    }

    function test_fundTask_revertsWithoutPermitOrAllowance() public {
        _selected();
        bytes memory none =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 0, PRICE);
        _fails(_fundWith(FundingMode.Permit, _signed(buyer, _fundHead(1))), none);
        _fails(_fundWith(FundingMode.Allowance, _signed(buyer, _fundHead(1))), none);
    }

    function test_fundTask_authorizationIsBoundToTheAction() public {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        bytes memory bad = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, buyer);
        Auth memory b = a;
        b.actionId ^= bytes32(uint256(1));
        _fails(_fundWith(FundingMode.Authorization3009, b), bad);
        b.actionId ^= bytes32(uint256(1));
        b.requestDigest ^= bytes32(uint256(1));
        _fails(_fundWith(FundingMode.Authorization3009, b), bad);
        b.requestDigest ^= bytes32(uint256(1));
        b.nonce += 1;
        _fails(_fundWith(FundingMode.Authorization3009, b), bad);
        b.nonce -= 1;
        b.validUntil += 1;
        _fails(_fundWith(FundingMode.Authorization3009, b), bad);
        b.validUntil -= 1;
        _runs(_fundWith(FundingMode.Authorization3009, b));
    }

    function test_fundTask_authorizationForAnotherNodeIsRefused() public {
        _selected();
        _select(2, workers[0], PRICE);
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(2));
        bytes memory bad = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, buyer);
        _fails(_fundWith(FundingMode.Authorization3009, a), bad);
    }

    function test_fundTask_authorizationUsesTheNonce() public {
        _selected();
        Auth memory a = _signed3009(buyer, PRICE, _fundHead(1));
        vm.prank(buyer);
        escrow.invalidateNonces(0, 1 << a.nonce);
        bytes memory used = abi.encodeWithSelector(ITaskEscrow.NonceUsed.selector, buyer, a.nonce);
        _fails(_fundWith(FundingMode.Authorization3009, a), used);
    }

    function test_fundTask_authorizationOfAContractWallet() public {
        _selected();
        address owner = _account("wallet owner");
        vm.etch(buyer, address(new OwnedWallet(owner)).code);
        keyOf[buyer] = keyOf[owner];
        _runs(_fundCall(1));
        _assertFunded();
    }

    function test_fundTask_revertsUnlessSelected() public {
        _fails(_fundWith(FundingMode.Allowance, _auth(buyer)), _wrongState(1, NodeState.None));
        _hire(1, workers[0], PRICE);
        _fails(_fundWith(FundingMode.Allowance, _auth(buyer)), _wrongState(1, NodeState.Funded));
    }

    function test_fundTask_lastSecondIsTheQuotes() public {
        _selected();
        _approve(PRICE);
        uint256 end = escrow.node(1).clock;
        uint256 snapshot = vm.snapshotState();
        for (uint256 t = end - 1; t <= end; ++t) {
            vm.warp(t);
            _runs(_fundWith(FundingMode.Allowance, _signed(buyer, _fundHead(1))));
            vm.revertToState(snapshot);
        }
        vm.warp(end + 1);
        _fails(_fundWith(FundingMode.Allowance, _signed(buyer, _fundHead(1))), _tooLate(end));
    }

    function test_fundTask_revertsWhileTheTokenIsPaused() public {
        _selected();
        bytes memory call = _fundCall(1);
        usdc.pause();
        _fails(call, _error(LocalUsdc.TokenPaused.selector));
        usdc.unpause();
        _runs(call);
    }

    function test_fundTask_revertsWhenTheTokenKeepsAFee() public {
        _useToken(new FeeToken(address(this)));
        _selected();
        _fails(_fundCall(1), _error(ITaskEscrow.UnexpectedTransferAmount.selector));
        _approve(PRICE);
        bytes memory call = _fundWith(FundingMode.Allowance, _signed(buyer, _fundHead(1)));
        _fails(call, _error(ITaskEscrow.UnexpectedTransferAmount.selector));
    }

    function test_fundTask_tokenCannotReenterMoneyFunctions() public {
        ReentrantToken token = new ReentrantToken(address(this));
        _useToken(token);
        _selected();
        _select(2, workers[1], PRICE);
        bytes memory inner = _fundCall(2);
        token.arm(address(escrow), inner);
        _runs(_fundCall(1));
        assertTrue(token.attempted());
        assertEq(token.answer(), _error(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
    }

    function testFuzz_fundTask_takesExactlyThePrice(uint96 amount, uint96 more) public {
        amount = uint96(_bound(amount, 1, type(uint96).max));
        _select(1, workers[0], amount);
        usdc.mint(buyer, uint256(amount) + more);
        _runs(_fundCall(1));
        assertEq(usdc.balanceOf(address(escrow)), amount);
        assertEq(usdc.balanceOf(buyer), more);
    }

    function testFuzz_fundTask_tokensSentBesideDoNotMatter(uint96 gift) public {
        usdc.mint(address(escrow), gift);
        _hire(1, workers[0], PRICE);
        assertEq(usdc.balanceOf(address(escrow)), uint256(gift) + PRICE);
    }
}
