// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {TaskEscrowFactory} from "../../src/TaskEscrowFactory.sol";
import {Auth, FundingMode, NodeState, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {FeeToken, ReentrantToken} from "../mocks/OddTokens.sol";
import {MoodyWallet} from "../mocks/Wallets.sol";

/// @notice The threats of docs/decisions/escrow.md#threats that are the contract's, by name; see ATTACKS.md.
contract AttacksTest is EscrowTest {
    function setUp() public override {
        super.setUp();
        _hire(1, workers[0], PRICE);
    }

    /// @dev A wallet in the place of an account; it signs with its owner's key.
    function _wallet(string memory owner) private returns (MoodyWallet wallet) {
        address key = _account(owner);
        wallet = new MoodyWallet(key);
        keyOf[address(wallet)] = keyOf[key];
    }

    // ------------------------------------------------------------------------------------------------------- the token

    function test_attack_denyListedEscrowFreezesItsOwnTreeOnly() public {
        TaskEscrow frozen = escrow;
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "second tree", ""));
        _hire(1, workers[0], PRICE);
        usdc.blacklist(address(frozen));
        _deliver(1);
        _accept(1);
        _withdraw(1, PRICE);
        // Decisions of the frozen tree go on; the money waits.
        escrow = frozen;
        _deliver(1);
        _accept(1);
        bytes memory call = _withdrawCall(1, PRICE);
        _fails(call, abi.encodeWithSelector(LocalUsdc.AccountBlacklisted.selector, address(escrow)));
        usdc.unBlacklist(address(escrow));
        _runs(call);
    }

    function test_attack_denyListedHirerOfAChildBlocksNobody() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        usdc.blacklist(workers[0]);
        _deliver(1);
        vm.warp(START + WINDOW + 1);
        _withdraw(CHILD, 40e6);
        assertEq(usdc.balanceOf(workers[1]), 40e6);
    }

    function test_attack_denyListedBuyerTakesItsRefundElsewhere() public {
        _abandon(1);
        usdc.blacklist(buyer);
        Auth memory a = _signed(buyer, _withdrawRefundHead(buyer, stranger, PRICE));
        escrow.withdrawRefund(buyer, stranger, PRICE, a);
        assertEq(usdc.balanceOf(stranger), PRICE);
    }

    function test_attack_pauseCannotRunAWindowOutInSilence() public {
        _deliver(1);
        usdc.pause();
        vm.warp(START + WINDOW);
        _reject(1);
        _dispute(1);
        vm.warp(escrow.node(1).clock);
        _rule(1, PRICE / 2);
        usdc.unpause();
        _withdraw(1, PRICE / 2);
        _withdrawRefund(buyer, PRICE / 2);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_tokenThatKeepsAFeeIsRefused() public {
        _useToken(new FeeToken(address(this)));
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        _fails(call, _error(ITaskEscrow.UnexpectedTransferAmount.selector));
    }

    function test_attack_reenteringTokenCannotBePaidTwice() public {
        ReentrantToken token = new ReentrantToken(address(this));
        _useToken(token);
        _hire(1, workers[0], PRICE);
        _hire(2, workers[1], PRICE);
        _deliver(1);
        _accept(1);
        bytes memory again = _withdrawCall(1, PRICE / 2);
        token.arm(address(escrow), again);
        _withdraw(1, PRICE / 2);
        assertTrue(token.attempted());
        assertEq(token.answer(), _error(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector));
        assertEq(usdc.balanceOf(address(escrow)), PRICE + PRICE / 2);
    }

    function test_attack_frontRunPermitDoesNotStopTheFunding() public {
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(2, workers[1], PRICE, true);
        Auth memory h = _signedAt(2, buyer, _fundHead(t, FundingMode.Permit));
        Auth memory w = _signedAt(2, workers[1], _quoteHead(t, buyer));
        bytes memory permit = _signedPermit(buyer, PRICE, h.validUntil);
        vm.prank(stranger);
        usdc.permit(buyer, address(escrow), PRICE, h.validUntil, permit);
        escrow.fundTask(t, FundingMode.Permit, h, w, permit);
        _assertState(2, NodeState.Funded);
    }

    function test_attack_paymentSignatureIsWorthNothingElsewhere() public {
        usdc.mint(buyer, PRICE);
        NodeTerms memory t = _terms(2, workers[1], PRICE, true);
        bytes memory head = _fundHead(t, FundingMode.Authorization3009);
        Auth memory h = _signed3009(2, buyer, PRICE, head);
        Auth memory w = _signedAt(2, workers[1], _quoteHead(t, buyer));
        bytes32 nonce = _digest(head, h);
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(LocalUsdc.CallerNotPayee.selector, stranger, address(escrow)));
        usdc.receiveWithAuthorization(buyer, address(escrow), PRICE, 0, h.validUntil + 1, nonce, h.signature);
        // The allowance of a third party is no way around it either.
        _fails(abi.encodeCall(ITaskEscrow.fundTask, (t, FundingMode.Allowance, h, w, "")), _invalidSignature(buyer));
    }

    function test_attack_noFeeMeansNothingToUnderflow() public {
        _hire(2, workers[1], 1);
        _hire(3, workers[0], PRICE, PRICE);
        _carve(_child(3, 1), workers[2], PRICE);
        uint192[3] memory ids = [uint192(2), 3, _child(3, 1)];
        for (uint256 i; i < 3; ++i) {
            _deliver(ids[i]);
        }
        vm.warp(START + WINDOW + 1);
        _withdraw(2, 1);
        _withdraw(ids[2], PRICE);
        assertEq(escrow.withdrawable(3), 0);
        assertEq(usdc.balanceOf(address(escrow)), PRICE, "node 1 alone");
    }

    function test_attack_largestAmountDoesNotOverflow() public {
        uint64 most = type(uint64).max;
        uint192 child = _child(2, 1);
        uint192 last = _child(child, 1);
        _hire(2, workers[1], most, most);
        _carve(child, workers[2], most, most);
        _carve(last, workers[3], most, most);
        _fails(
            _carveCall(_terms(_child(2, 2), workers[3], 1, false)),
            abi.encodeWithSelector(ITaskEscrow.InsufficientNodeBalance.selector, 0, 1)
        );
        _deliver(2);
        _deliver(child);
        _deliver(last);
        vm.warp(START + WINDOW + 1);
        _withdraw(last, most);
        assertEq(usdc.balanceOf(workers[3]), most);
    }

    // ------------------------------------------------------------------------------------------------------ the wallets

    function test_attack_walletThatChangesItsMindIsJudgedWhenTheActionRuns() public {
        MoodyWallet wallet = _wallet("changing");
        _hire(2, address(wallet), PRICE);
        bytes memory delivery = _deliverCall(2, ARTIFACT);
        wallet.setMood(MoodyWallet.Mood.Refusing);
        _fails(delivery, _invalidSignature(address(wallet)));
        wallet.setMood(MoodyWallet.Mood.Honest);
        _runs(delivery);
    }

    function test_attack_revertingWalletOfAWorkerHurtsOnlyItself() public {
        MoodyWallet wallet = _wallet("reverting");
        _hire(2, address(wallet), PRICE);
        _carve(_child(2, 1), workers[1], 40e6);
        _deliver(2);
        _deliver(_child(2, 1));
        wallet.setMood(MoodyWallet.Mood.Reverting);
        vm.warp(START + WINDOW + 1);
        _fails(_withdrawCall(2, 60e6), _invalidSignature(address(wallet)));
        _withdraw(_child(2, 1), 40e6);
        // It can still send by itself.
        Auth memory a = _auth(address(wallet));
        vm.prank(address(wallet));
        escrow.withdrawEarnings(2, workers[2], 60e6, a);
        assertEq(usdc.balanceOf(workers[2]), 60e6);
    }

    function test_attack_revertingWalletOfTheBuyerBlocksNoWorker() public {
        MoodyWallet wallet = _wallet("reverting buyer");
        buyer = address(wallet);
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, "wallet's tree", ""));
        _hire(1, workers[0], PRICE);
        _hire(2, workers[1], PRICE);
        wallet.setMood(MoodyWallet.Mood.Reverting);
        _deliver(1);
        vm.warp(due + 1);
        _withdraw(1, PRICE);
        _runs(_claimCall(2, stranger));
        assertEq(escrow.refundOf(buyer), PRICE);
    }

    function test_attack_noncesOfAnotherCannotBeBurned() public {
        _deliver(1);
        bytes memory rejection = _rejectCall(1);
        vm.prank(workers[0]);
        escrow.invalidateNonces(1, type(uint256).max);
        _runs(rejection);
        _assertState(1, NodeState.Rejected);
    }

    function test_attack_stolenActionDiesWithItsTimeOrItsNonce() public {
        bytes memory stolen = _abandonCall(1);
        uint256 nonce = _nonceAt(1);
        uint256 snapshot = vm.snapshotState();
        vm.warp(START + 1 days + 1);
        _fails(stolen, abi.encodeWithSelector(ITaskEscrow.ActionExpired.selector, START + 1 days));
        vm.revertToState(snapshot);
        vm.prank(workers[0]);
        escrow.invalidateNonces(nonce >> 8, 1 << (nonce & 0xff));
        _fails(stolen, _nonceUsed(workers[0], nonce));
    }

    // -------------------------------------------------------------------------------------------------- relays, bundles

    function test_attack_deadRelayerIsNotNeeded() public {
        bytes memory call = _deliverCall(1, ARTIFACT);
        vm.prank(workers[3]); // anybody
        _runs(call);
        Auth memory a = _auth(_nonceAt(1));
        vm.prank(buyer); // or the signer itself, without a signature
        escrow.resolveTask(1, ARTIFACT, a);
        _assertState(1, NodeState.Settled);
    }

    function test_attack_bundleTakenApartStillDoesWhatItsSignersWanted() public {
        usdc.mint(buyer, PRICE);
        bytes[] memory calls = new bytes[](2);
        calls[0] = _fundCall(_terms(2, workers[1], PRICE, true));
        calls[1] = _deliverCall(1, ARTIFACT);
        vm.prank(stranger);
        _runs(calls[0]);
        escrow.multicall(calls);
        _assertState(2, NodeState.Funded);
        _assertState(1, NodeState.Delivered);
    }

    function test_attack_frontRunDeploymentChangesNothing() public {
        address known = factory.escrowOf(buyer, arbiter, "new tree");
        vm.prank(stranger);
        assertEq(factory.createTree(buyer, arbiter, "new tree", ""), known);
        assertEq(factory.createTree(buyer, arbiter, "new tree", ""), known);
        assertTrue(factory.createTree(stranger, arbiter, "new tree", "") != known);
    }

    /// @dev A tree with the factory as arbiter would obey everybody, so there is none.
    function test_attack_factoryAsArbiterLetsNobodyRule() public {
        address tree = factory.escrowOf(buyer, address(factory), TREE);
        bytes memory parties = abi.encodePacked(buyer, address(factory));
        uint256 snapshot = vm.snapshotState();
        vm.etch(tree, Clones.cloneWithImmutableArgs(address(implementation), parties).code);
        escrow = TaskEscrow(tree);
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        _dispute(1);
        bytes memory ruling = abi.encodeCall(ITaskEscrow.ruleDispute, (1, 0, "ruling", _auth(_nonceAt(1))));
        vm.prank(stranger);
        factory.createTree(buyer, address(factory), TREE, ruling);
        _assertState(1, NodeState.Refunded);
        vm.revertToState(snapshot);
        vm.expectRevert(abi.encodeWithSelector(TaskEscrowFactory.InvalidParties.selector, buyer, address(factory)));
        factory.createTree(buyer, address(factory), TREE, ruling);
    }

    function test_attack_factoryAsWorkerOfAChildLetsNobodyQuote() public {
        NodeTerms memory t = _terms(CHILD, address(factory), PRICE / 2, false);
        Auth memory h = _signedAt(CHILD, workers[0], _subcontractHead(t, FundingMode.ParentNode));
        Auth memory unsigned = _auth(_nonceAt(CHILD));
        bytes memory call = abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.ParentNode, h, unsigned, ""));
        vm.expectRevert(ITaskEscrow.InvalidTerms.selector);
        factory.createTree(buyer, arbiter, TREE, call);
    }

    function test_attack_nestedMulticallLendsNobodysAddress() public {
        bytes[] memory inner = new bytes[](1);
        inner[0] = abi.encodeCall(ITaskEscrow.abandonNode, (1, _auth(_nonceAt(1))));
        bytes[] memory outer = new bytes[](1);
        outer[0] = abi.encodeCall(ITaskEscrow.multicall, (inner));
        vm.prank(stranger);
        vm.expectRevert(_invalidSignature(workers[0]));
        escrow.multicall(outer);
        vm.prank(workers[0]);
        escrow.multicall(outer);
        _assertState(1, NodeState.Abandoned);
    }

    // ------------------------------------------------------------------------------------------- parents, children, rôles

    function test_attack_griefingParentCannotKeepAnAcceptedTreesMoneyFromItsChild() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _accept(1);
        _withdraw(1, 60e6); // the parent is paid and is not heard of again
        _deliver(CHILD);
        vm.warp(START + WINDOW + 1);
        _withdraw(CHILD, 40e6);
        assertEq(usdc.balanceOf(workers[1]), 40e6);
    }

    function test_attack_griefingParentThatRejectsEverythingFacesTheArbiter() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _accept(1);
        for (uint256 i; i < 3; ++i) {
            _deliver(CHILD);
            _reject(CHILD);
        }
        _dispute(CHILD);
        _rule(CHILD, 40e6);
        _withdraw(CHILD, 40e6);
        assertEq(escrow.withdrawable(1), 60e6);
    }

    function test_attack_silentChildBlocksNeitherParentNorBuyer() public {
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        _accept(1);
        _withdraw(1, 60e6);
        vm.warp(due + 1);
        _runs(_claimCall(CHILD, stranger));
        _withdraw(1, 40e6);
        assertEq(usdc.balanceOf(workers[0]), PRICE);
    }

    /// @dev Eight levels under node 2, each carved out whole.
    /// @return last The node on the last level.
    function _chain(uint256 puppets) private returns (uint192 last) {
        _hire(2, workers[0], PRICE, PRICE);
        last = 2;
        for (uint192 level = 2; level <= 8; ++level) {
            last = _child(last, 1);
            _carve(last, workers[level % puppets], PRICE, PRICE);
        }
    }

    function test_attack_liveChildrenDoNotHoldTheBuyerUp() public {
        uint192 last = _chain(6);
        _deliver(last);
        vm.warp(due + 1);
        _claim(1);
        _claim(2);
        _withdrawRefund(buyer, 2 * uint256(PRICE));
        bytes memory waits = abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, last >> 24);
        _fails(_withdrawCall(last, PRICE), waits);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_everybodySilentStillEmptiesTheEscrow() public {
        _carve(CHILD, workers[1], 40e6);
        _hireWithOwnMoney(SIBLING, workers[2], 30e6);
        _hire(4, workers[3], PRICE);
        _deliver(1);
        _deliver(SIBLING);
        _deliver(4);
        _reject(4);
        _dispute(4);
        vm.warp(due + 40 days);
        _runs(_claimCall(CHILD, stranger));
        escrow.finalize(1);
        escrow.finalize(SIBLING);
        escrow.finalize(4);
        _withdraw(1, PRICE);
        _withdraw(SIBLING, 30e6);
        _withdraw(4, PRICE / 2);
        _withdrawRefund(buyer, PRICE / 2);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    function test_attack_selfAwardOnlyMovesOnesOwnMoney() public {
        _hireWithOwnMoney(CHILD, workers[0], 50e6); // hires itself
        _deliver(CHILD);
        _accept(CHILD);
        _withdraw(CHILD, 50e6);
        assertEq(usdc.balanceOf(workers[0]), 50e6, "as much as it brought");
        _carve(SIBLING, workers[0], PRICE / 2);
        _deliver(SIBLING);
        _accept(SIBLING);
        _fails(_withdrawCall(SIBLING, PRICE / 2), abi.encodeWithSelector(ITaskEscrow.AncestorNotSettled.selector, 1));
    }

    function test_attack_circleOfPuppetsIsPaidNothingWithoutTheBuyer() public {
        uint192 last = _chain(2); // two puppets hire each other in turn
        for (uint192 id = last; id >> 24 != 0; id >>= 24) {
            _deliver(id);
            _accept(id);
        }
        for (uint192 id = last; id >> 24 != 0; id >>= 24) {
            assertEq(escrow.withdrawable(id), 0);
        }
        vm.warp(due + 1);
        _claim(2);
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(buyer), PRICE);
    }

    function test_attack_partnersCannotTakeAContingentChildsMoneyByAgreement() public {
        _carve(CHILD, workers[1], 40e6);
        _fails(_splitCall(1, 39e6), abi.encodeWithSelector(ITaskEscrow.ShareOutOfRange.selector, 39e6, 40e6, PRICE));
        _split(1, 40e6);
        _deliver(CHILD);
        vm.warp(START + WINDOW + 1);
        _withdraw(CHILD, 40e6);
    }
}
