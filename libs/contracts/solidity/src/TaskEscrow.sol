// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

import {ActionAuthorizer} from "./ActionAuthorizer.sol";
import {NodeLedger} from "./NodeLedger.sol";
import {Auth, FundingMode, Node, NodeState, NodeTerms, Outcome} from "./Types.sol";
import {IFiatToken} from "./interfaces/IFiatToken.sol";
import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";
import {ActionHash} from "./libraries/ActionHash.sol";

/// @title TaskEscrow
/// @notice Implementation behind the escrow of every tree, see {ITaskEscrow}. It has no owner, no pause, no upgrade
///         path and no fee, and holds nothing itself: {TaskEscrowFactory} makes an ERC-1167 clone for each tree.
///
/// @dev Each action checks the node, then the authorisation, then writes, then moves tokens.
contract TaskEscrow is NodeLedger, ActionAuthorizer, ReentrancyGuardTransient {
    using SafeERC20 for IFiatToken;

    /// @inheritdoc ITaskEscrow
    IFiatToken public immutable override token;

    /// @param token_ Settlement token of all clones; must move exactly the amounts it is asked to. An address without
    ///        code is refused: it is a slip, or a token on another chain.
    constructor(IFiatToken token_) {
        if (address(token_).code.length == 0) revert InvalidToken(address(token_));
        token = token_;
    }

    // ------------------------------------------------------------------------------------------------------- hiring

    /// @inheritdoc ITaskEscrow
    function fundTask(
        NodeTerms calldata terms,
        FundingMode mode,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) external override onlyClone nonReentrant {
        bytes32 termsStructHash = ActionHash.nodeTerms(terms);
        bytes32 structHash = ActionHash.fundTask(termsStructHash, address(token), mode, hirerAuth);
        uint192 parent = _open(terms);
        if (parent != 0 || !terms.hirerFunded || mode == FundingMode.ParentNode) revert InvalidTerms();
        (address buyer,) = _parties();
        _hire(terms, buyer, mode, termsStructHash, structHash, hirerAuth, workerAuth, permit);
    }

    /// @inheritdoc ITaskEscrow
    function subcontract(
        NodeTerms calldata terms,
        FundingMode mode,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) external override onlyClone nonReentrant {
        bytes32 termsStructHash = ActionHash.nodeTerms(terms);
        bytes32 structHash = ActionHash.subcontract(termsStructHash, address(token), mode, hirerAuth);
        uint192 parent = _open(terms);
        // What the terms say about the node's money must be what happens.
        if (parent == 0 || terms.hirerFunded == (mode == FundingMode.ParentNode)) revert InvalidTerms();
        _hire(terms, _nodes[parent].worker, mode, termsStructHash, structHash, hirerAuth, workerAuth, permit);
    }

    // ----------------------------------------------------------------------------------------------------- the work

    /// @inheritdoc ITaskEscrow
    function deliver(uint192 nodeId, bytes32 artifactHash, bool payOut, Auth calldata auth)
        external
        override
        onlyClone
    {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        bool again = state == NodeState.Rejected && block.timestamp <= n.clock;
        if (state != NodeState.Funded && !again) revert WrongState(nodeId, state);
        if (block.timestamp > n.deliverBy) revert TooLate(n.deliverBy);
        if (artifactHash == 0) revert InvalidTerms();
        if (again && n.revisions == n.maxRevisions) revert NoRevisionLeft(n.maxRevisions);
        _checkBackersOpen(nodeId, n);
        _authorizeAt(nodeId, n, n.worker, ActionHash.deliver(nodeId, artifactHash, payOut, auth), auth);
        uint256 acceptBy = block.timestamp + n.acceptWindow;
        if (again) ++n.revisions;
        n.artifactHash = artifactHash;
        n.payOut = payOut;
        n.clock = uint40(acceptBy); // at most 365 + 90 days ahead
        _enter(n, NodeState.Delivered);
        emit NodeDelivered(nodeId, artifactHash, acceptBy, payOut);
    }

    /// @inheritdoc ITaskEscrow
    function resolveTask(uint192 nodeId, bytes32 artifactHash, Auth calldata auth)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        // Giving in ends with the clock; accepting a delivery does not, as silence would have accepted it too.
        bool givesIn = (state == NodeState.Rejected || state == NodeState.Disputed) && block.timestamp <= n.clock;
        if (state != NodeState.Delivered && !givesIn) revert WrongState(nodeId, state);
        _checkArtifact(n, artifactHash);
        uint256 amount = n.amount;
        bytes32 structHash = ActionHash.resolveTask(nodeId, n.worker, address(token), amount, artifactHash, auth);
        _authorizeAt(nodeId, n, _hirer(nodeId), structHash, auth);
        _settle(nodeId, n, amount, Outcome.Accepted);
        _payOut(nodeId, n);
    }

    /// @inheritdoc ITaskEscrow
    function rejectTask(uint192 nodeId, bytes32 artifactHash, bytes32 reasonHash, Auth calldata auth)
        external
        override
        onlyClone
    {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Delivered);
        _checkArtifact(n, artifactHash);
        _authorizeAt(nodeId, n, _hirer(nodeId), ActionHash.rejectTask(nodeId, artifactHash, reasonHash, auth), auth);
        // The worker may deliver again while the terms leave a revision, and go to the arbiter if there is one.
        uint256 contestBy = n.revisions < n.maxRevisions ? n.deliverBy : 0;
        (, address arbiter) = _parties();
        if (arbiter != address(0)) {
            uint256 disputeBy = block.timestamp + n.acceptWindow;
            if (disputeBy > contestBy) contestBy = disputeBy;
        }
        if (contestBy <= block.timestamp) {
            emit NodeRejected(nodeId, reasonHash, block.timestamp);
            _refund(nodeId, n, NodeState.Refunded, Outcome.RejectionFinal);
        } else {
            n.clock = uint40(contestBy); // a deadline, or at most 90 days ahead
            _enter(n, NodeState.Rejected);
            emit NodeRejected(nodeId, reasonHash, contestBy);
        }
    }

    /// @inheritdoc ITaskEscrow
    function abandonNode(uint192 nodeId, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.Funded) revert WrongState(nodeId, n.state);
        if (n.allocated != 0) revert LiveAllocations(n.allocated);
        _authorizeAt(nodeId, n, n.worker, ActionHash.abandonNode(nodeId, address(token), n.amount, auth), auth);
        _refund(nodeId, n, NodeState.Abandoned, Outcome.Abandoned);
    }

    /// @inheritdoc ITaskEscrow
    function claimNonDelivery(uint192 nodeId, address account, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.Funded) revert WrongState(nodeId, n.state);
        if (block.timestamp <= n.deliverBy) revert TooEarly(n.deliverBy);
        _authorizeAt(nodeId, n, account, ActionHash.claimNonDelivery(nodeId, address(token), n.amount, auth), auth);
        _refund(nodeId, n, NodeState.Refunded, Outcome.NonDelivery);
    }

    // ----------------------------------------------------------------------------------------------------- disputes

    /// @inheritdoc ITaskEscrow
    function disputeNode(uint192 nodeId, bytes32 evidenceHash, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Rejected);
        (, address arbiter) = _parties();
        if (arbiter == address(0)) revert NoArbiter();
        _authorizeAt(nodeId, n, n.worker, ActionHash.disputeNode(nodeId, evidenceHash, auth), auth);
        uint256 ruleBy = block.timestamp + RULING_WINDOW;
        n.clock = uint40(ruleBy); // 30 days ahead
        _enter(n, NodeState.Disputed);
        emit NodeDisputed(nodeId, evidenceHash, ruleBy);
    }

    /// @inheritdoc ITaskEscrow
    function ruleDispute(uint192 nodeId, uint256 workerShare, bytes32 rulingHash, Auth calldata auth)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Disputed);
        (, address arbiter) = _parties();
        bytes32 structHash = ActionHash.ruleDispute(nodeId, address(token), workerShare, rulingHash, auth);
        _authorizeAt(nodeId, n, arbiter, structHash, auth);
        _split(nodeId, n, workerShare, Outcome.Ruled);
        _payOut(nodeId, n);
    }

    /// @inheritdoc ITaskEscrow
    function agreeSplit(uint192 nodeId, uint256 workerShare, Auth calldata hirerAuth, Auth calldata workerAuth)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        if (state < NodeState.Funded || state > NodeState.Disputed) revert WrongState(nodeId, state);
        // What time has refunded cannot be talked back: descendants already count on it.
        if (_effectiveState(n) == NodeState.Refunded) revert TooLate(n.clock);
        // Unlike a ruling, an agreement may not take the children's money, not even with a share of nothing.
        if (workerShare < n.allocated) revert ShareOutOfRange(workerShare, n.allocated, n.amount);
        address hirer = _hirer(nodeId);
        _authorizeSplit(nodeId, n, hirer, workerShare, hirer, hirerAuth);
        _authorizeSplit(nodeId, n, hirer, workerShare, n.worker, workerAuth);
        _split(nodeId, n, workerShare, Outcome.Agreed);
        _payOut(nodeId, n);
    }

    /// @inheritdoc ITaskEscrow
    function finalize(uint192 nodeId) external override onlyClone nonReentrant {
        Node storage n = _nodes[nodeId];
        bool lapsed = _finalize(nodeId, n);
        bool paid = _payOut(nodeId, n);
        if (!lapsed && !paid) revert WrongState(nodeId, n.state);
    }

    // ---------------------------------------------------------------------------------------------------- money out

    /// @inheritdoc ITaskEscrow
    function withdrawEarnings(uint192 nodeId, address recipient, uint256 amount, Auth calldata auth)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        _checkRecipient(recipient);
        if (n.state != NodeState.Settled) _finalize(nodeId, n);
        if (n.state != NodeState.Settled) revert WrongState(nodeId, n.state);
        uint192 unsettled = _unsettledBacker(nodeId, n);
        if (unsettled != 0) revert AncestorNotSettled(unsettled);
        address worker = n.worker;
        _authorizeWithdrawal(worker, ActionHash.withdrawEarnings(nodeId, recipient, address(token), amount, auth), auth);
        uint256 available = n.amount - n.allocated;
        if (amount == 0 || amount > available) revert InsufficientNodeBalance(available, amount);
        n.amount -= uint64(amount); // `amount <= available`, which is 64 bits wide
        emit EarningsWithdrawn(nodeId, worker, recipient, amount);
        token.safeTransfer(recipient, amount);
    }

    /// @inheritdoc ITaskEscrow
    function withdrawRefund(address account, address recipient, uint256 amount, Auth calldata auth)
        external
        override
        onlyClone
        nonReentrant
    {
        _checkRecipient(recipient);
        _authorizeWithdrawal(account, ActionHash.withdrawRefund(account, recipient, address(token), amount, auth), auth);
        _takeRefund(account, amount);
        emit RefundWithdrawn(account, recipient, amount);
        token.safeTransfer(recipient, amount);
    }

    // ------------------------------------------------------------------------------------------------ housekeeping

    /// @inheritdoc ITaskEscrow
    function invalidateNonces(uint256 word, uint256 mask) external override onlyClone {
        _invalidate(word, mask);
    }

    /// @inheritdoc ITaskEscrow
    function nonceUsed(address signer, uint256 nonce) external view override returns (bool) {
        if (_isRevoked(signer, nonce)) return true;
        uint256 nodeId = nonce >> 8;
        return nodeId <= type(uint192).max && _nodes[uint192(nodeId)].version > uint8(nonce);
    }

    /// @inheritdoc ITaskEscrow
    function multicall(bytes[] calldata calls) external override onlyClone {
        uint256 skipped;
        bytes memory result;
        for (uint256 i; i < calls.length; ++i) {
            bool ok;
            (ok, result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                ++skipped;
                emit CallSkipped(i, result);
            }
        }
        if (skipped == 0 || skipped < calls.length) return;
        // Nothing was done: the sender learns why, and pays for no more than the attempt.
        assembly ("memory-safe") {
            revert(add(result, 0x20), mload(result))
        }
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev Requires the signatures of both sides under the terms of a node that was opened, and brings its money in.
    /// @param structHash What the hirer signs.
    function _hire(
        NodeTerms calldata terms,
        address hirer,
        FundingMode mode,
        bytes32 termsStructHash,
        bytes32 structHash,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) private {
        (, address arbiter) = _parties();
        uint256 nonce = uint256(terms.nodeId) << 8; // version 0, as the node is new
        bytes32 quote = ActionHash.submitQuote(termsStructHash, hirer, arbiter, address(token), workerAuth);
        _authorize(terms.worker, quote, nonce, workerAuth);
        _announce(terms, hirer, mode);
        if (mode == FundingMode.ParentNode) _authorize(hirer, structHash, nonce, hirerAuth);
        else _collect(hirer, terms.amount, mode, nonce, structHash, hirerAuth, permit);
    }

    /// @dev On its own because the event has more members than fit beside what its caller holds.
    function _announce(NodeTerms calldata terms, address hirer, FundingMode mode) private {
        emit NodeFunded(
            terms.nodeId,
            terms.worker,
            hirer,
            terms.amount,
            terms.floor,
            block.timestamp + terms.workSeconds,
            terms.acceptWindow,
            terms.maxRevisions,
            terms.hirerFunded,
            mode,
            terms.termsHash
        );
    }

    /// @dev Requires an authorisation that was given for the state that the node is in.
    function _authorizeAt(uint192 nodeId, Node storage n, address signer, bytes32 structHash, Auth calldata auth)
        private
    {
        _authorize(signer, structHash, uint256(nodeId) << 8 | n.version, auth);
    }

    /// @dev Requires one side's authorisation of a split. Both sides sign the same roles, so neither signature can stand in
    ///      for the other's role.
    function _authorizeSplit(
        uint192 nodeId,
        Node storage n,
        address hirer,
        uint256 workerShare,
        address signer,
        Auth calldata auth
    ) private {
        bytes32 structHash = ActionHash.agreeSplit(nodeId, hirer, n.worker, address(token), n.amount, workerShare, auth);
        _authorizeAt(nodeId, n, signer, structHash, auth);
    }

    /// @dev Brings `amount` in from outside the tree, or from the payer's refund balance.
    /// @param structHash The action that the payer signs, see {ITaskEscrow-fundTask}.
    function _collect(
        address payer,
        uint256 amount,
        FundingMode mode,
        uint256 nonce,
        bytes32 structHash,
        Auth calldata auth,
        bytes calldata permit
    ) private {
        if (mode == FundingMode.RefundBalance) {
            _authorize(payer, structHash, nonce, auth);
            _takeRefund(payer, amount);
            return;
        }
        uint256 balanceBefore = token.balanceOf(address(this));
        if (mode == FundingMode.Authorization3009) {
            // One signature pays and authorises, as the authorisation's nonce is the digest of the action. Nobody else
            // can use it: the token only lets the payee itself present it.
            _checkNonce(payer, nonce, auth);
            token.receiveWithAuthorization({
                from: payer,
                to: address(this),
                value: amount,
                validAfter: 0,
                validBefore: auth.validUntil + 1, // the token's bound is the first second that is too late
                nonce: _hashTypedData(structHash),
                signature: auth.signature
            });
        } else {
            _authorize(payer, structHash, nonce, auth);
            if (mode == FundingMode.Permit) {
                // Somebody may have presented the permit first; then the allowance is already there.
                try token.permit(payer, address(this), amount, auth.validUntil, permit) {} catch {}
            }
            token.safeTransferFrom(payer, address(this), amount);
        }
        if (token.balanceOf(address(this)) != balanceBefore + amount) revert UnexpectedTransferAmount();
    }

    /// @dev Pays what a settled node has free to its worker's own address, if the worker asked for it and every backer has
    ///      settled. If the token refuses, the money stays for {withdrawEarnings}.
    /// @return Whether money went out.
    function _payOut(uint192 nodeId, Node storage n) private returns (bool) {
        if (!n.payOut || n.state != NodeState.Settled || _unsettledBacker(nodeId, n) != 0) return false;
        (uint64 amount, uint64 allocated, address worker) = (n.amount, n.allocated, n.worker);
        uint64 available = amount - allocated;
        if (available == 0) return false;
        n.amount = allocated;
        if (!token.trySafeTransfer(worker, available)) {
            n.amount = amount;
            return false;
        }
        emit EarningsWithdrawn(nodeId, worker, worker, available);
        return true;
    }

    function _takeRefund(address account, uint256 amount) private {
        uint256 available = refundOf[account];
        if (amount == 0 || amount > available) revert InsufficientRefund(available, amount);
        unchecked {
            refundOf[account] = available - amount; // `amount <= available` was checked above
        }
    }

    /// @dev Requires the state, and that the right which belongs to it has not ended.
    function _checkRunning(uint192 nodeId, Node storage n, NodeState state) private view {
        if (n.state != state) revert WrongState(nodeId, n.state);
        if (block.timestamp > n.clock) revert TooLate(n.clock);
    }

    function _checkArtifact(Node storage n, bytes32 artifactHash) private view {
        if (n.artifactHash != artifactHash) revert ArtifactMismatch(n.artifactHash, artifactHash);
    }

    /// @dev Tokens sent to the escrow by itself would still be here, but owed to nobody.
    function _checkRecipient(address recipient) private view {
        if (recipient == address(this)) revert InvalidRecipient(recipient);
    }
}
