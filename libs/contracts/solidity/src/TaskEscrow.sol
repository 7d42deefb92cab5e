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

    // ---------------------------------------------------------------------------------------------------- agreement

    /// @inheritdoc ITaskEscrow
    function createTask(uint256 budget, bytes32 termsHash, Auth calldata auth) external override onlyClone {
        (address buyer, address arbiter) = _parties();
        _authorize(buyer, ActionHash.createTask(buyer, arbiter, address(token), budget, termsHash, auth), auth);
        emit TaskCreated(buyer, arbiter, budget, termsHash);
    }

    /// @inheritdoc ITaskEscrow
    function selectAgent(NodeTerms calldata terms, Auth calldata hirerAuth, Auth calldata workerAuth)
        external
        override
        onlyClone
    {
        if (terms.parentNodeId != 0 || !terms.hirerFunded) revert InvalidTerms();
        _checkTerms(terms);
        (address buyer,) = _parties();
        bytes32 termsStructHash = ActionHash.nodeTerms(terms);
        _authorize(buyer, ActionHash.selectAgent(termsStructHash, address(token), hirerAuth), hirerAuth);
        _authorizeQuote(terms.worker, termsStructHash, buyer, workerAuth);
        // The quote's last second is also the last second at which the node may be funded.
        uint256 fundBy = workerAuth.validUntil < terms.deliverBy ? workerAuth.validUntil : terms.deliverBy;
        _open(terms, NodeState.Selected, fundBy);
    }

    /// @inheritdoc ITaskEscrow
    function fundTask(uint32 nodeId, FundingMode mode, Auth calldata auth, bytes calldata permit)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.Selected) revert WrongState(nodeId, n.state);
        if (block.timestamp > n.clock) revert TooLate(n.clock);
        (address buyer,) = _parties();
        uint256 amount = n.amount;
        n.state = NodeState.Funded;
        n.clock = n.deliverBy;
        _collect(buyer, amount, mode, ActionHash.fundTask(nodeId, n.worker, address(token), amount, auth), auth, permit);
        emit NodeFunded(nodeId, buyer, amount, mode);
    }

    /// @inheritdoc ITaskEscrow
    function subcontract(
        NodeTerms calldata terms,
        FundingMode mode,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) external override onlyClone nonReentrant {
        Node storage parent = _nodes[terms.parentNodeId];
        if (parent.state != NodeState.Funded) revert WrongState(terms.parentNodeId, parent.state);
        // A child may not outlast its parent, and what the terms say about its money must be what happens.
        if (terms.deliverBy > parent.deliverBy || terms.hirerFunded == (mode == FundingMode.ParentNode)) {
            revert InvalidTerms();
        }
        _checkTerms(terms);
        _checkDepthBelow(parent);
        _checkBackersOpen(parent);
        address hirer = parent.worker;
        bytes32 termsStructHash = ActionHash.nodeTerms(terms);
        _authorizeQuote(terms.worker, termsStructHash, hirer, workerAuth);
        bytes32 structHash = ActionHash.subcontract(termsStructHash, address(token), hirerAuth);
        _open(terms, NodeState.Funded, terms.deliverBy);
        if (mode == FundingMode.ParentNode) {
            _authorize(hirer, structHash, hirerAuth);
            _allocate(parent, terms.amount);
        } else {
            _collect(hirer, terms.amount, mode, structHash, hirerAuth, permit);
        }
        emit NodeFunded(terms.nodeId, hirer, terms.amount, mode);
    }

    // ----------------------------------------------------------------------------------------------------- the work

    /// @inheritdoc ITaskEscrow
    function deliver(uint32 nodeId, bytes32 artifactHash, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        if (state != NodeState.Funded && (state != NodeState.Rejected || block.timestamp > n.clock)) {
            revert WrongState(nodeId, state);
        }
        if (block.timestamp > n.deliverBy) revert TooLate(n.deliverBy);
        if (artifactHash == 0) revert InvalidTerms();
        _checkBackersOpen(n);
        _authorize(n.worker, ActionHash.deliver(nodeId, artifactHash, auth), auth);
        uint256 acceptBy = block.timestamp + n.acceptWindow;
        n.artifactHash = artifactHash;
        n.clock = uint40(acceptBy); // at most 365 + 90 days ahead
        n.state = NodeState.Delivered;
        emit NodeDelivered(nodeId, artifactHash, acceptBy);
    }

    /// @inheritdoc ITaskEscrow
    function resolveTask(uint32 nodeId, bytes32 artifactHash, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        // Giving in ends with the clock; accepting a delivery does not, as silence would have accepted it too.
        bool givesIn = (state == NodeState.Rejected || state == NodeState.Disputed) && block.timestamp <= n.clock;
        if (state != NodeState.Delivered && !givesIn) revert WrongState(nodeId, state);
        _checkArtifact(n, artifactHash);
        uint256 amount = n.amount;
        _authorize(
            _hirer(n), ActionHash.resolveTask(nodeId, n.worker, address(token), amount, artifactHash, auth), auth
        );
        _settle(nodeId, n, amount, Outcome.Accepted);
    }

    /// @inheritdoc ITaskEscrow
    function rejectTask(uint32 nodeId, bytes32 artifactHash, bytes32 reasonHash, Auth calldata auth)
        external
        override
        onlyClone
    {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Delivered);
        _checkArtifact(n, artifactHash);
        _authorize(_hirer(n), ActionHash.rejectTask(nodeId, artifactHash, reasonHash, auth), auth);
        uint256 contestBy = n.deliverBy;
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
            n.state = NodeState.Rejected;
            emit NodeRejected(nodeId, reasonHash, contestBy);
        }
    }

    /// @inheritdoc ITaskEscrow
    function abandonNode(uint32 nodeId, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.Funded) revert WrongState(nodeId, n.state);
        if (n.allocated != 0) revert LiveAllocations(n.allocated);
        _authorize(n.worker, ActionHash.abandonNode(nodeId, address(token), n.amount, auth), auth);
        _refund(nodeId, n, NodeState.Abandoned, Outcome.Abandoned);
    }

    /// @inheritdoc ITaskEscrow
    function claimNonDelivery(uint32 nodeId, address account, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        if (n.state != NodeState.Funded) revert WrongState(nodeId, n.state);
        if (block.timestamp <= n.deliverBy) revert TooEarly(n.deliverBy);
        _authorize(account, ActionHash.claimNonDelivery(nodeId, address(token), n.amount, auth), auth);
        _refund(nodeId, n, NodeState.Refunded, Outcome.NonDelivery);
    }

    // ----------------------------------------------------------------------------------------------------- disputes

    /// @inheritdoc ITaskEscrow
    function disputeNode(uint32 nodeId, bytes32 evidenceHash, Auth calldata auth) external override onlyClone {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Rejected);
        (, address arbiter) = _parties();
        if (arbiter == address(0)) revert NoArbiter();
        _authorize(n.worker, ActionHash.disputeNode(nodeId, evidenceHash, auth), auth);
        uint256 ruleBy = block.timestamp + RULING_WINDOW;
        n.clock = uint40(ruleBy); // 30 days ahead
        n.state = NodeState.Disputed;
        emit NodeDisputed(nodeId, evidenceHash, ruleBy);
    }

    /// @inheritdoc ITaskEscrow
    function ruleDispute(uint32 nodeId, uint256 workerShare, bytes32 rulingHash, Auth calldata auth)
        external
        override
        onlyClone
    {
        Node storage n = _nodes[nodeId];
        _checkRunning(nodeId, n, NodeState.Disputed);
        (, address arbiter) = _parties();
        _authorize(arbiter, ActionHash.ruleDispute(nodeId, address(token), workerShare, rulingHash, auth), auth);
        _split(nodeId, n, workerShare, Outcome.Ruled);
    }

    /// @inheritdoc ITaskEscrow
    function agreeSplit(uint32 nodeId, uint256 workerShare, Auth calldata hirerAuth, Auth calldata workerAuth)
        external
        override
        onlyClone
    {
        Node storage n = _nodes[nodeId];
        NodeState state = n.state;
        if (state < NodeState.Funded || state > NodeState.Disputed) revert WrongState(nodeId, state);
        // A rejection that has become final cannot be talked away: descendants already count on it.
        if (state == NodeState.Rejected && block.timestamp > n.clock) revert TooLate(n.clock);
        uint256 amount = n.amount;
        // Unlike a ruling, an agreement may not take the children's money, not even with a share of nothing.
        if (workerShare < n.allocated) revert ShareOutOfRange(workerShare, n.allocated, amount);
        _authorize(_hirer(n), ActionHash.agreeSplit(nodeId, address(token), amount, workerShare, hirerAuth), hirerAuth);
        _authorize(n.worker, ActionHash.agreeSplit(nodeId, address(token), amount, workerShare, workerAuth), workerAuth);
        _split(nodeId, n, workerShare, Outcome.Agreed);
    }

    /// @inheritdoc ITaskEscrow
    function finalize(uint32 nodeId) external override onlyClone {
        Node storage n = _nodes[nodeId];
        if (!_finalize(nodeId, n)) revert WrongState(nodeId, n.state);
    }

    // ---------------------------------------------------------------------------------------------------- money out

    /// @inheritdoc ITaskEscrow
    function withdrawEarnings(uint32 nodeId, address recipient, uint256 amount, Auth calldata auth)
        external
        override
        onlyClone
        nonReentrant
    {
        Node storage n = _nodes[nodeId];
        _checkRecipient(recipient);
        if (n.state != NodeState.Settled) _finalize(nodeId, n);
        if (n.state != NodeState.Settled) revert WrongState(nodeId, n.state);
        _checkBackersSettled(n);
        address worker = n.worker;
        _authorize(worker, ActionHash.withdrawEarnings(nodeId, recipient, address(token), amount, auth), auth);
        uint256 available = n.amount - n.allocated;
        if (amount == 0 || amount > available) revert InsufficientNodeBalance(available, amount);
        n.amount -= uint96(amount); // `amount <= available`, which is 96 bits wide
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
        _authorize(account, ActionHash.withdrawRefund(account, recipient, address(token), amount, auth), auth);
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
    function multicall(bytes[] calldata calls) external override onlyClone {
        for (uint256 i; i < calls.length; ++i) {
            (bool ok, bytes memory result) = address(this).delegatecall(calls[i]);
            if (!ok) {
                // Pass the inner error on as it is.
                assembly ("memory-safe") {
                    revert(add(result, 0x20), mload(result))
                }
            }
        }
    }

    // ----------------------------------------------------------------------------------------------------- internal

    /// @dev The worker's quote must name these terms, this hirer, this arbiter and this token.
    function _authorizeQuote(address worker, bytes32 termsStructHash, address hirer, Auth calldata auth) private {
        (, address arbiter) = _parties();
        _authorize(worker, ActionHash.submitQuote(termsStructHash, hirer, arbiter, address(token), auth), auth);
    }

    /// @dev Brings `amount` in from outside the tree, or from the payer's refund balance.
    /// @param structHash The action that the payer signs, see {ITaskEscrow-fundTask}.
    function _collect(
        address payer,
        uint256 amount,
        FundingMode mode,
        bytes32 structHash,
        Auth calldata auth,
        bytes calldata permit
    ) private {
        if (mode == FundingMode.ParentNode) revert InvalidTerms();
        if (mode == FundingMode.RefundBalance) {
            _authorize(payer, structHash, auth);
            _takeRefund(payer, amount);
            return;
        }
        uint256 balanceBefore = token.balanceOf(address(this));
        if (mode == FundingMode.Authorization3009) {
            // One signature pays and authorises, as the authorisation's nonce is the digest of the action. Nobody else
            // can use it: the token only lets the payee itself present it.
            _consume(payer, auth);
            token.receiveWithAuthorization({
                from: payer,
                to: address(this),
                value: amount,
                validAfter: 0,
                validBefore: auth.validUntil,
                nonce: _hashTypedData(structHash),
                signature: auth.signature
            });
        } else {
            _authorize(payer, structHash, auth);
            if (mode == FundingMode.Permit) {
                // Somebody may have presented the permit first; then the allowance is already there.
                try token.permit(payer, address(this), amount, auth.validUntil, permit) {} catch {}
            }
            token.safeTransferFrom(payer, address(this), amount);
        }
        if (token.balanceOf(address(this)) != balanceBefore + amount) revert UnexpectedTransferAmount();
    }

    function _takeRefund(address account, uint256 amount) private {
        uint256 available = refundOf[account];
        if (amount == 0 || amount > available) revert InsufficientRefund(available, amount);
        unchecked {
            refundOf[account] = available - amount; // `amount <= available` was checked above
        }
    }

    /// @dev Requires the state, and that the right which belongs to it has not ended.
    function _checkRunning(uint32 nodeId, Node storage n, NodeState state) private view {
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
