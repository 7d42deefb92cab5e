// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {NodeActionTest} from "../base/NodeActionTest.sol";
import {FeeToken, ReentrantToken} from "../mocks/OddTokens.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";

contract FundTaskBuyerTest is NodeActionTest {
    function _arrange() internal override {
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
    }

    function _signer() internal view override returns (address) {
        return buyer;
    }

    function _head() internal view override returns (bytes memory) {
        return _fundHead(_terms(1, workers[0], PRICE, true), FundingMode.Allowance);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory w = _signedAt(1, workers[0], _quoteHead(t, buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, a, w, ""));
    }
}

contract FundTaskWorkerTest is NodeActionTest {
    function _arrange() internal override {
        usdc.mint(buyer, PRICE);
        vm.prank(buyer);
        usdc.approve(address(escrow), PRICE);
    }

    function _signer() internal view override returns (address) {
        return workers[0];
    }

    function _head() internal view override returns (bytes memory) {
        return _quoteHead(_terms(1, workers[0], PRICE, true), buyer);
    }

    function _call(Auth memory a) internal override returns (bytes memory) {
        NodeTerms memory t = _terms(1, workers[0], PRICE, true);
        Auth memory h = _signedAt(1, buyer, _fundHead(t, FundingMode.Allowance));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, a, ""));
    }
}

contract FundTaskTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        usdc.mint(buyer, PRICE);
    }

    function _good() private view returns (NodeTerms memory) {
        return _terms(1, workers[0], PRICE, true);
    }

    /// @dev Node 1 with the buyer's authorisation as given.
    function _fundWith(FundingMode mode, Auth memory h, bytes memory permit) private returns (bytes memory) {
        Auth memory w = _signedAt(1, workers[0], _quoteHead(_good(), buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (_good(), mode, h, w, permit));
    }

    function _signedFor(FundingMode mode) private returns (Auth memory) {
        return _signedAt(1, buyer, _fundHead(_good(), mode));
    }

    function _paid3009() private returns (Auth memory) {
        return _signed3009(1, buyer, PRICE, _fundHead(_good(), FundingMode.Authorization3009));
    }

    function _approve(uint256 amount) private {
        vm.prank(buyer);
        usdc.approve(address(escrow), amount);
    }

    function _refused(NodeTerms memory t) private {
        _fails(_fundCall(t), _error(ITaskEscrow.InvalidTerms.selector));
    }

    function _expectFunded(FundingMode mode) private {
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NodeFunded(
            1, workers[0], buyer, PRICE, PRICE / 2, due, WINDOW, REVISIONS, true, mode, keccak256("brief")
        );
    }

    function _assertFunded() private view {
        Node memory n = escrow.node(1);
        assertEq(n.worker, workers[0]);
        assertEq(n.floor, PRICE / 2);
        assertEq(n.acceptWindow, WINDOW);
        assertTrue(n.hirerFunded);
        assertEq(n.amount, PRICE);
        assertEq(n.allocated, 0);
        assertEq(n.deliverBy, due);
        assertEq(n.clock, due);
        assertEq(n.version, 1);
        assertEq(n.revisions, 0);
        assertEq(n.maxRevisions, REVISIONS);
        assertEq(uint8(n.state), uint8(NodeState.Funded));
        assertFalse(n.payOut);
        assertEq(n.artifactHash, 0);
        assertEq(usdc.balanceOf(address(escrow)), PRICE);
        assertEq(usdc.balanceOf(buyer), 0);
    }

    // ------------------------------------------------------------------------------------------------------ the money

    function test_fundTask_byAuthorization() public {
        Auth memory a = _paid3009();
        bytes memory call = _fundWith(FundingMode.Authorization3009, a, "");
        _expectFunded(FundingMode.Authorization3009);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.ActionConsumed(a.actionId, buyer, a.nonce, a.requestDigest);
        vm.prank(stranger);
        _runs(call);
        _assertFunded();
    }

    function test_fundTask_byAllowance() public {
        _approve(PRICE);
        bytes memory call = _fundWith(FundingMode.Allowance, _signedFor(FundingMode.Allowance), "");
        _expectFunded(FundingMode.Allowance);
        _runs(call);
        _assertFunded();
    }

    function test_fundTask_byPermit() public {
        Auth memory a = _signedFor(FundingMode.Permit);
        bytes memory call = _fundWith(FundingMode.Permit, a, _signedPermit(buyer, PRICE, a.validUntil));
        _expectFunded(FundingMode.Permit);
        _runs(call);
        _assertFunded();
    }

    function test_fundTask_byPermitThatSomebodyPresentedFirst() public {
        Auth memory a = _signedFor(FundingMode.Permit);
        bytes memory permit = _signedPermit(buyer, PRICE, a.validUntil);
        bytes memory call = _fundWith(FundingMode.Permit, a, permit);
        vm.prank(stranger);
        usdc.permit(buyer, address(escrow), PRICE, a.validUntil, permit);
        _runs(call);
        _assertFunded();
    }

    function test_fundTask_byRefundBalanceMovesNoTokens() public {
        _hire(9, workers[3], PRICE);
        _abandon(9);
        vm.prank(buyer);
        usdc.transfer(stranger, PRICE);
        bytes memory call = _fundWith(FundingMode.RefundBalance, _signedFor(FundingMode.RefundBalance), "");
        _expectFunded(FundingMode.RefundBalance);
        _runs(call);
        _assertFunded();
        assertEq(escrow.refundOf(buyer), 0);
    }

    function test_fundTask_revertsWhenTheRefundBalanceIsShort() public {
        _hire(9, workers[3], PRICE - 1);
        _abandon(9);
        bytes memory call = _fundWith(FundingMode.RefundBalance, _signedFor(FundingMode.RefundBalance), "");
        _fails(call, abi.encodeWithSelector(ITaskEscrow.InsufficientRefund.selector, PRICE - 1, PRICE));
    }

    function test_fundTask_revertsOnTheParentsPool() public {
        bytes memory call = _fundWith(FundingMode.ParentNode, _signedFor(FundingMode.ParentNode), "");
        _fails(call, _error(ITaskEscrow.InvalidTerms.selector));
    }

    function test_fundTask_revertsWithoutPermitOrAllowance() public {
        bytes memory none =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, address(escrow), 0, PRICE);
        _fails(_fundWith(FundingMode.Permit, _signedFor(FundingMode.Permit), ""), none);
        _fails(_fundWith(FundingMode.Allowance, _signedFor(FundingMode.Allowance), ""), none);
    }

    /// @dev The mode is signed: the buyer's money is taken from where the buyer said, and from nowhere else.
    function test_fundTask_theModeIsSigned() public {
        _hire(9, workers[3], PRICE);
        _abandon(9);
        _approve(PRICE);
        FundingMode[3] memory modes = [FundingMode.Allowance, FundingMode.Permit, FundingMode.RefundBalance];
        for (uint256 i; i < 3; ++i) {
            for (uint256 j; j < 3; ++j) {
                if (i == j) continue;
                _fails(_fundWith(modes[j], _signedFor(modes[i]), ""), _invalidSignature(buyer));
            }
            Auth memory a = _signedFor(modes[i]);
            bytes memory bad = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, buyer);
            _fails(_fundWith(FundingMode.Authorization3009, a, ""), bad);
            _fails(_fundWith(modes[i], _paid3009(), ""), _invalidSignature(buyer));
        }
    }

    function test_fundTask_authorizationIsBoundToTheAction() public {
        Auth memory a = _paid3009();
        bytes memory bad = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, buyer);
        a.actionId ^= bytes32(uint256(1));
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), bad);
        a.actionId ^= bytes32(uint256(1));
        a.requestDigest ^= bytes32(uint256(1));
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), bad);
        a.requestDigest ^= bytes32(uint256(1));
        a.nonce += 1;
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), _wrongNonce(a.nonce - 1, a.nonce));
        a.nonce -= 1;
        a.validUntil += 1;
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), bad);
        a.validUntil -= 1;
        _runs(_fundWith(FundingMode.Authorization3009, a, ""));
    }

    function test_fundTask_authorizationForAnotherNodeIsRefused() public {
        NodeTerms memory t = _good();
        t.nodeId = 2;
        Auth memory a = _signed3009(1, buyer, PRICE, _fundHead(t, FundingMode.Authorization3009));
        bytes memory bad = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, buyer);
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), bad);
    }

    function test_fundTask_authorizationCanBeRevokedHereToo() public {
        Auth memory a = _paid3009();
        vm.prank(buyer);
        escrow.invalidateNonces(1, 1);
        _fails(_fundWith(FundingMode.Authorization3009, a, ""), _nonceUsed(buyer, 1 << 8));
    }

    function test_fundTask_authorizationOfAContractWallet() public {
        address owner = _account("wallet owner");
        vm.etch(buyer, address(new OwnedWallet(owner)).code);
        keyOf[buyer] = keyOf[owner];
        _runs(_fundCall(_good()));
        _assertFunded();
    }

    function test_fundTask_authorizationWithoutEndNeverFits() public {
        Auth memory a = _paid3009();
        a.validUntil = type(uint256).max; // the token's bound lies one second later
        bytes memory call = _fundWith(FundingMode.Authorization3009, a, "");
        _fails(call, abi.encodeWithSignature("Panic(uint256)", 0x11));
    }

    function test_fundTask_revertsWhileTheTokenIsPaused() public {
        bytes memory call = _fundCall(_good());
        usdc.pause();
        _fails(call, _error(LocalUsdc.TokenPaused.selector));
        usdc.unpause();
        _runs(call);
    }

    function test_fundTask_revertsWhenTheTokenKeepsAFee() public {
        _useToken(new FeeToken(address(this)));
        usdc.mint(buyer, PRICE);
        _fails(_fundCall(_good()), _error(ITaskEscrow.UnexpectedTransferAmount.selector));
        _approve(PRICE);
        bytes memory call = _fundCall(_good(), FundingMode.Allowance);
        _fails(call, _error(ITaskEscrow.UnexpectedTransferAmount.selector));
    }

    function test_fundTask_tokenCannotReenterMoneyFunctions() public {
        ReentrantToken token = new ReentrantToken(address(this));
        _useToken(token);
        usdc.mint(buyer, PRICE);
        token.arm(address(escrow), _fundCall(_terms(2, workers[1], PRICE, true)));
        _runs(_fundCall(_good()));
        assertTrue(token.attempted());
        assertEq(token.answer(), _error(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
    }

    function testFuzz_fundTask_takesExactlyThePrice(uint64 amount, uint64 more) public {
        amount = uint64(_bound(amount, 1, type(uint64).max));
        usdc.mint(buyer, uint256(amount) + more);
        _runs(_fundCall(_terms(1, workers[0], amount, true)));
        assertEq(usdc.balanceOf(address(escrow)), amount);
        assertEq(usdc.balanceOf(buyer), uint256(more) + PRICE);
    }

    function testFuzz_fundTask_tokensSentBesideDoNotMatter(uint96 gift) public {
        usdc.mint(address(escrow), gift);
        _hire(1, workers[0], PRICE);
        assertEq(usdc.balanceOf(address(escrow)), uint256(gift) + PRICE);
    }

    // ------------------------------------------------------------------------------------------------------ the terms

    function test_fundTask_bothMustHaveSignedTheSameTerms() public {
        _approve(PRICE);
        for (uint256 i; i < 9; ++i) {
            Auth memory w = _signedAt(1, workers[0], _quoteHead(_good(), buyer));
            NodeTerms memory t = _good();
            address expected = workers[0];
            if (i == 0) t.amount -= 1;
            else if (i == 1) t.floor -= 1;
            else if (i == 2) t.workSeconds -= 1;
            else if (i == 3) t.workSeconds += 1;
            else if (i == 4) t.acceptWindow += 1;
            else if (i == 5) t.maxRevisions += 1;
            else if (i == 6) t.termsHash = "other brief";
            else if (i == 7) t.worker = expected = workers[1];
            else t.floor += 1;
            Auth memory h = _signedAt(1, buyer, _fundHead(t, FundingMode.Allowance));
            bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, w, ""));
            _fails(call, _invalidSignature(expected));
        }
    }

    function test_fundTask_quoteForAnotherBuyerArbiterOrTokenIsRefused() public {
        _approve(PRICE);
        bytes memory good = _quoteHead(_good(), buyer);
        for (uint256 word = 2; word < 5; ++word) {
            bytes memory head = bytes.concat(good);
            head[32 * word + 31] ^= 0x01;
            Auth memory w = _signedAt(1, workers[0], head);
            Auth memory h = _signedFor(FundingMode.Allowance);
            bytes memory call = abi.encodeCall(ITaskEscrow.fundTask, (_good(), FundingMode.Allowance, h, w, ""));
            _fails(call, _invalidSignature(workers[0]));
        }
    }

    function test_fundTask_revertsWhenTheNodeExists() public {
        _runs(_fundCall(_good()));
        bytes memory exists = abi.encodeWithSelector(ITaskEscrow.NodeExists.selector, 1);
        _fails(_fundCall(_good()), exists);
        _abandon(1);
        _fails(_fundCall(_good()), exists);
    }

    function test_fundTask_revertsBelowAnotherNode() public {
        _hire(7, workers[1], PRICE, PRICE);
        NodeTerms memory t = _good();
        t.nodeId = _child(7, 1);
        _refused(t);
    }

    function test_fundTask_revertsUnlessHirerFunded() public {
        NodeTerms memory t = _good();
        t.hirerFunded = false;
        _refused(t);
    }

    function test_fundTask_revertsOnAnIdThatIsNoPath() public {
        NodeTerms memory t = _good();
        t.nodeId = 0;
        _refused(t);
        _hire(1, workers[0], PRICE);
        t.nodeId = 1 << 24; // index 0 below node 1
        _refused(t);
        t.nodeId = 1 << 48;
        _refused(t);
        t.nodeId = 0xffffff; // the last index of the first level
        _runs(_fundCall(t));
    }

    function test_fundTask_revertsOnAWorkerThatIsNobodyOrNoParty() public {
        NodeTerms memory t = _good();
        address[4] memory bad = [address(0), arbiter, address(escrow), address(factory)];
        for (uint256 i; i < bad.length; ++i) {
            t.worker = bad[i];
            _refused(t);
        }
    }

    function test_fundTask_boundsAmountAndFloor() public {
        NodeTerms memory t = _good();
        (t.amount, t.floor) = (0, 0);
        _refused(t);
        (t.amount, t.floor) = (PRICE, PRICE + 1);
        _refused(t);
        t.floor = PRICE;
        uint256 snapshot = vm.snapshotState();
        _runs(_fundCall(t));
        vm.revertToState(snapshot);
        t.floor = 0;
        _runs(_fundCall(t));
    }

    function test_fundTask_boundsTheWorkTime() public {
        NodeTerms memory t = _good();
        t.workSeconds = 0;
        _refused(t);
        t.workSeconds = 1 hours - 1;
        _refused(t);
        t.workSeconds = 365 days + 1;
        _refused(t);
        t.workSeconds = type(uint32).max;
        _refused(t);
        t.workSeconds = 365 days;
        _runs(_fundCall(t));
        assertEq(escrow.node(1).deliverBy, START + 365 days);
        (t.nodeId, t.workSeconds) = (2, 1 hours);
        usdc.mint(buyer, PRICE);
        _runs(_fundCall(t));
        assertEq(escrow.node(2).deliverBy, START + 1 hours);
    }

    function test_fundTask_boundsTheAcceptWindow() public {
        NodeTerms memory t = _good();
        t.acceptWindow = 4 hours - 1;
        _refused(t);
        t.acceptWindow = 90 days + 1;
        _refused(t);
        t.acceptWindow = 4 hours;
        _runs(_fundCall(t));
        (t.nodeId, t.acceptWindow) = (2, 90 days);
        usdc.mint(buyer, PRICE);
        _runs(_fundCall(t));
    }

    function test_fundTask_boundsTheRevisions() public {
        NodeTerms memory t = _good();
        t.maxRevisions = 11;
        _refused(t);
        t.maxRevisions = 255;
        _refused(t);
        t.maxRevisions = 10;
        _runs(_fundCall(t));
        assertEq(escrow.node(1).maxRevisions, 10);
    }

    function testFuzz_fundTask_storesWhatWasSigned(NodeTerms memory t, uint256 later) public {
        vm.warp(_bound(later, START, 1 << 39));
        t.nodeId = uint192(_bound(t.nodeId, 1, 0xffffff));
        t.worker = workers[uint160(t.worker) % 6];
        t.amount = uint64(_bound(t.amount, 1, type(uint64).max));
        t.floor = uint64(_bound(t.floor, 0, t.amount));
        t.workSeconds = uint32(_bound(t.workSeconds, 1 hours, 365 days));
        t.acceptWindow = uint24(_bound(t.acceptWindow, 4 hours, 90 days));
        t.maxRevisions = uint8(_bound(t.maxRevisions, 0, 10));
        t.hirerFunded = true;
        usdc.mint(buyer, t.amount);
        _runs(_fundCall(t));
        Node memory n = escrow.node(t.nodeId);
        assertEq(n.worker, t.worker);
        assertEq(n.amount, t.amount);
        assertEq(n.floor, t.floor);
        assertEq(n.deliverBy, block.timestamp + t.workSeconds);
        assertEq(n.acceptWindow, t.acceptWindow);
        assertEq(n.maxRevisions, t.maxRevisions);
    }
}
