// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";

import {Auth, FundingMode, Node, NodeState, NodeTerms, Outcome} from "../Types.sol";
import {IFiatToken} from "./IFiatToken.sol";

/// @title ITaskEscrow
/// @notice The escrow of one task tree: a buyer hires workers, workers hire further workers, and the money of all of
///         them lies here until each piece of work is accepted, refused, given up or overtaken by time.
///
/// @dev Words: a *node* is one piece of work; its *hirer* is the buyer for a node without parent, otherwise the worker
///      of the parent; a *carve-out* is a node paid out of its parent's pool; its *backers* are the nodes above it up
///      to and including the first one whose hirer brought the money itself.
/// @dev Every action is either sent by its signer with an empty signature, or sent by anyone with the signer's EIP-712
///      signature (ECDSA, or ERC-1271 if the signer has code). Both ways use the same nonce.
/// @dev Whoever holds a right may use it while `block.timestamp <= t`; the other side acts from `block.timestamp > t`.
/// @dev Members such as the worker or the amount are not passed in: the contract fills them in from its storage when it
///      rebuilds the signed struct, so a signature over other values does not verify.
interface ITaskEscrow is IERC5267 {
    // ------------------------------------------------------------------------------------------------------ events

    /// @notice A signed or directly sent action was executed and its nonce is used up.
    /// @dev The signer chooses `actionId`: match all of `actionId`, `signer` and `nonce`, never `actionId` alone.
    /// @param actionId Hash of the prepared action's identifier.
    /// @param signer Account that authorised the action.
    /// @param nonce The nonce that the action was signed with, see {Auth}.
    /// @param requestDigest Digest of the API request that prepared the action.
    event ActionConsumed(bytes32 indexed actionId, address indexed signer, uint256 nonce, bytes32 requestDigest);

    /// @notice A signer cancelled nonces.
    /// @param signer Account whose nonces they are.
    /// @param word Index of the word in the signer's nonce bitmap.
    /// @param mask Bits of the word that are used up now.
    event NoncesInvalidated(address indexed signer, uint256 word, uint256 mask);

    /// @notice Hirer and worker agreed on a node, and its money is in place.
    /// @param nodeId The new node; its id is its path in the tree, see {Node}.
    /// @param worker Who works and is paid.
    /// @param payer Its hirer.
    /// @param amount Price in token base units.
    /// @param floor The most that may be carved out, and the worker's share if the arbiter stays silent.
    /// @param deliverBy Last second at which the worker may deliver.
    /// @param acceptWindow Seconds the hirer has to answer a delivery.
    /// @param maxRevisions How often the worker may deliver again after a rejection.
    /// @param hirerFunded Whether the hirer brought the money itself.
    /// @param mode Where the money came from.
    /// @param termsHash Hash of the terms that the contract does not read.
    event NodeFunded(
        uint192 indexed nodeId,
        address indexed worker,
        address indexed payer,
        uint256 amount,
        uint256 floor,
        uint256 deliverBy,
        uint256 acceptWindow,
        uint256 maxRevisions,
        bool hirerFunded,
        FundingMode mode,
        bytes32 termsHash
    );

    /// @notice The worker delivered.
    /// @param nodeId The node.
    /// @param artifactHash Hash of the delivered artifact.
    /// @param acceptBy Last second at which the hirer may reject; silence until then accepts.
    /// @param payOut Whether the worker wants to be paid to its own address: by the call that settles the node, if all of
    ///        its backers have settled; otherwise by a {finalize} that anybody can send.
    event NodeDelivered(uint192 indexed nodeId, bytes32 artifactHash, uint256 acceptBy, bool payOut);

    /// @notice The hirer refused the delivered artifact.
    /// @param nodeId The node.
    /// @param reasonHash Hash of the reason.
    /// @param contestBy Last second at which the worker may answer; the time of the rejection if it cannot.
    event NodeRejected(uint192 indexed nodeId, bytes32 reasonHash, uint256 contestBy);

    /// @notice The worker asked the arbiter.
    /// @param nodeId The node.
    /// @param evidenceHash Hash of the evidence.
    /// @param ruleBy Last second at which the arbiter may rule; silence until then pays the worker the node's floor.
    event NodeDisputed(uint192 indexed nodeId, bytes32 evidenceHash, uint256 ruleBy);

    /// @notice A node ended with pay for the worker.
    /// @param nodeId The node.
    /// @param workerShare What stays in the node, the children's carve-outs included, in token base units.
    /// @param hirerShare What went back to where the money came from.
    /// @param outcome Why.
    event NodeSettled(uint192 indexed nodeId, uint256 workerShare, uint256 hirerShare, Outcome outcome);

    /// @notice A node ended without pay.
    /// @param nodeId The node.
    /// @param amount What went back to where the money came from, in token base units.
    /// @param outcome Why.
    event NodeRefunded(uint192 indexed nodeId, uint256 amount, Outcome outcome);

    /// @notice A worker took earnings out.
    /// @param nodeId The node that earned them.
    /// @param worker Its worker.
    /// @param recipient Who received the tokens.
    /// @param amount Amount in token base units.
    event EarningsWithdrawn(uint192 indexed nodeId, address indexed worker, address indexed recipient, uint256 amount);

    /// @notice A hirer took money out that had come back to it.
    /// @param account The hirer.
    /// @param recipient Who received the tokens.
    /// @param amount Amount in token base units.
    event RefundWithdrawn(address indexed account, address indexed recipient, uint256 amount);

    /// @notice A member of a {multicall} failed, for instance because somebody had executed it before, and was left out.
    /// @param index Its place among the calls, from 0 on.
    /// @param reason ABI-encoded error.
    event CallSkipped(uint256 index, bytes reason);

    // ------------------------------------------------------------------------------------------------------ errors

    /// @notice The implementation was called itself; only its clones may be used.
    error NotAClone();
    /// @notice The action's last second has passed.
    /// @param validUntil That last second, unix time.
    error ActionExpired(uint256 validUntil);
    /// @notice The action was signed for another state of the node, or its nonce is none of its kind.
    /// @param expected The nonce that the action must have now; for a withdrawal the least one.
    /// @param actual The nonce that it has.
    error WrongNonce(uint256 expected, uint256 actual);
    /// @notice The signer has used or cancelled this nonce before.
    /// @param signer Whose nonce it is.
    /// @param nonce The nonce.
    error NonceUsed(address signer, uint256 nonce);
    /// @notice The call neither carries the signer's signature over these very values nor comes from the signer.
    /// @param signer Who would have had to authorise it.
    error InvalidSignature(address signer);
    /// @notice Terms, artifact or funding mode are outside what the contract allows.
    error InvalidTerms();
    /// @notice There is no contract at the token's address.
    /// @param token The address.
    error InvalidToken(address token);
    /// @notice The worker has delivered again as often as the terms allow.
    /// @param maxRevisions How often they allow it.
    error NoRevisionLeft(uint256 maxRevisions);
    /// @notice The node id is taken.
    /// @param nodeId The id.
    error NodeExists(uint192 nodeId);
    /// @notice The action is not open in the node's state.
    /// @param nodeId The node.
    /// @param state The state it is in.
    error WrongState(uint192 nodeId, NodeState state);
    /// @notice The right begins only after `until`.
    /// @param until Unix time.
    error TooEarly(uint256 until);
    /// @notice The right ended with the second `since`.
    /// @param since Unix time.
    error TooLate(uint256 since);
    /// @notice The action names another artifact than the one delivered last.
    /// @param expected Hash of the artifact delivered last.
    /// @param actual Hash that the action names.
    error ArtifactMismatch(bytes32 expected, bytes32 actual);
    /// @notice The node's free pool does not hold the amount or may not be carved out that far, or the amount is zero.
    /// @param available What may be taken, in token base units.
    /// @param requested What was asked for.
    error InsufficientNodeBalance(uint256 available, uint256 requested);
    /// @notice The account's refund balance does not hold the amount, or the amount is zero.
    /// @param available What the balance holds, in token base units.
    /// @param requested What was asked for.
    error InsufficientRefund(uint256 available, uint256 requested);
    /// @notice Children still hold carve-outs of the node.
    /// @param allocated Their sum in token base units.
    error LiveAllocations(uint256 allocated);
    /// @notice The worker's share would leave children without their money or exceed the node.
    /// @param share The share, in token base units.
    /// @param min What the children hold.
    /// @param max What the node holds.
    error ShareOutOfRange(uint256 share, uint256 min, uint256 max);
    /// @notice A backer has ended without pay, so the node's money went back with it.
    /// @param nodeId The nearest such backer.
    error AncestorClosed(uint192 nodeId);
    /// @notice A backer has not settled yet, so the node's money may still go back.
    /// @param nodeId The nearest such backer.
    error AncestorNotSettled(uint192 nodeId);
    /// @notice The tree has no arbiter.
    error NoArbiter();
    /// @notice Tokens sent to this recipient would be lost to the books.
    /// @param recipient The recipient.
    error InvalidRecipient(address recipient);
    /// @notice The token moved another amount than asked for.
    error UnexpectedTransferAmount();

    // ---------------------------------------------------------------------------------------------- actions: hiring

    /// @notice The buyer takes up a worker's quote and pays for it.
    /// @param terms Of a node without parent, `hirerFunded` set.
    /// @param mode Any but {FundingMode.ParentNode}.
    /// @param hirerAuth By the buyer. With {FundingMode.Authorization3009} the signature is the token's own
    ///        `ReceiveWithAuthorization` (validAfter 0, validBefore one second after `validUntil`) whose nonce is the
    ///        digest of `FundTask`; otherwise it is over `FundTask`.
    /// @param workerAuth Signed by the worker over `SubmitQuote`.
    /// @param permit With {FundingMode.Permit}: signature of the permit over the amount, deadline
    ///        `hirerAuth.validUntil`.
    function fundTask(
        NodeTerms calldata terms,
        FundingMode mode,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) external;

    /// @notice A worker hires another worker, with a part of its node's money or with its own.
    /// @param terms Of a child of a funded node, which it may not outlast; a carve-out keeps to the parent's floor.
    /// @param mode {FundingMode.ParentNode} unless `terms.hirerFunded`.
    /// @param hirerAuth By the parent's worker, over `Subcontract`; signed as in {fundTask}.
    /// @param workerAuth Signed by the child's worker over `SubmitQuote`.
    /// @param permit As in {fundTask}.
    function subcontract(
        NodeTerms calldata terms,
        FundingMode mode,
        Auth calldata hirerAuth,
        Auth calldata workerAuth,
        bytes calldata permit
    ) external;

    // -------------------------------------------------------------------------------------------- actions: the work

    /// @notice The worker delivers, or delivers again after a rejection.
    /// @param nodeId A funded node, or a rejected one that may still be contested and has a revision left; in both cases
    ///        until its deadline.
    /// @param artifactHash Not zero.
    /// @param payOut Whether the worker wants to be paid to its own address: by the call that settles the node, if all of
    ///        its backers have settled; otherwise by a {finalize} that anybody can send.
    /// @param auth Signed by the worker over `Deliver`.
    function deliver(uint192 nodeId, bytes32 artifactHash, bool payOut, Auth calldata auth) external;

    /// @notice The hirer accepts the artifact. Also lets it give in after a rejection or during a dispute.
    /// @param nodeId A delivered node; or a rejected or disputed one until its clock.
    /// @param artifactHash The artifact delivered last.
    /// @param auth Signed by the hirer over `ResolveTask`.
    function resolveTask(uint192 nodeId, bytes32 artifactHash, Auth calldata auth) external;

    /// @notice The hirer refuses the artifact. Final at once if the worker has no way left to answer.
    /// @dev The worker may answer until the deadline while a revision is left, and in any case for one acceptance window
    ///      from now on if the tree has an arbiter. With neither, the rejection is final at once.
    /// @param nodeId A delivered node, until its clock.
    /// @param artifactHash The artifact delivered last.
    /// @param reasonHash Hash of the reason.
    /// @param auth Signed by the hirer over `RejectTask`.
    function rejectTask(uint192 nodeId, bytes32 artifactHash, bytes32 reasonHash, Auth calldata auth) external;

    /// @notice The worker gives the node up.
    /// @param nodeId A funded node without live carve-outs.
    /// @param auth Signed by the worker over `AbandonNode`.
    function abandonNode(uint192 nodeId, Auth calldata auth) external;

    /// @notice Sends the money of a node back whose worker let the deadline pass.
    /// @dev Open to everyone, because the money goes to the hirer whoever asks: this state, too, must end without the
    ///      hirer. The signed struct names no account; the signature and the nonce are checked against `account`.
    /// @param nodeId A funded node past its deadline.
    /// @param account Who asks: signer of `auth`, or the sender.
    /// @param auth Signed by `account` over `ClaimNonDelivery`.
    function claimNonDelivery(uint192 nodeId, address account, Auth calldata auth) external;

    // -------------------------------------------------------------------------------------------- actions: disputes

    /// @notice The worker takes a rejection to the arbiter.
    /// @param nodeId A rejected node, until its clock.
    /// @param evidenceHash Hash of the evidence.
    /// @param auth Signed by the worker over `DisputeNode`.
    function disputeNode(uint192 nodeId, bytes32 evidenceHash, Auth calldata auth) external;

    /// @notice The arbiter divides the node between its worker and its hirer.
    /// @param nodeId A disputed node, until its clock.
    /// @param workerShare 0, or between what children hold and the whole amount, in token base units.
    /// @param rulingHash Hash of the ruling.
    /// @param auth Signed by the arbiter over `RuleDispute`.
    function ruleDispute(uint192 nodeId, uint256 workerShare, bytes32 rulingHash, Auth calldata auth) external;

    /// @notice Hirer and worker end the node with a split of their own.
    /// @param nodeId A node that is funded and not final; a rejected one, or a disputed one without a floor, until its
    ///        clock.
    /// @param workerShare Between what children hold and the whole amount, in token base units.
    /// @param hirerAuth Signed by the hirer over `AgreeSplit`.
    /// @param workerAuth Signed by the worker over `AgreeSplit`.
    function agreeSplit(uint192 nodeId, uint256 workerShare, Auth calldata hirerAuth, Auth calldata workerAuth) external;

    /// @notice Writes down what time has decided: silence accepts a delivery, makes a rejection final, or gives the worker
    ///         of a disputed node its floor. Then pays out if the worker asked for it. Open to everyone.
    /// @param nodeId A delivered, rejected or disputed node past its clock, or a settled one that is to be paid out.
    function finalize(uint192 nodeId) external;

    // ------------------------------------------------------------------------------------------ actions: money out

    /// @notice The worker takes earnings out. Writes down silent acceptance on the way.
    /// @param nodeId A settled node (by act or by silence) all of whose backers have settled.
    /// @param recipient Who receives the tokens; any address but this one.
    /// @param amount In token base units, above 0, at most {withdrawable}.
    /// @param auth Signed by the worker over `WithdrawEarnings`.
    function withdrawEarnings(uint192 nodeId, address recipient, uint256 amount, Auth calldata auth) external;

    /// @notice A hirer takes money out that came back to it.
    /// @param account Whose refund balance.
    /// @param recipient Who receives the tokens; any address but this one.
    /// @param amount In token base units, above 0, at most {refundOf}.
    /// @param auth Signed by `account` over `WithdrawRefund`.
    function withdrawRefund(address account, address recipient, uint256 amount, Auth calldata auth) external;

    // ------------------------------------------------------------------------------------------------ housekeeping

    /// @notice Cancels nonces of the caller, so that what it signed with them can never be executed.
    /// @param word Index of the word in the caller's nonce bitmap.
    /// @param mask Bits of the word to use up.
    function invalidateNonces(uint256 word, uint256 mask) external;

    /// @notice Runs several calls on this contract in one transaction; the sender stays the same. A call that fails is left
    ///         out, so that nobody can undo a batch by executing one member of it first. Fails if all calls do.
    /// @param calls ABI-encoded calls.
    function multicall(bytes[] calldata calls) external;

    // ------------------------------------------------------------------------------------------------------- views

    /// @notice Shortest acceptance window in seconds. Silence pays the worker, so it must outlast a halt of the chain.
    function MIN_ACCEPT_WINDOW() external view returns (uint256);

    /// @notice Longest acceptance window in seconds.
    function MAX_ACCEPT_WINDOW() external view returns (uint256);

    /// @notice Least time to work, in seconds.
    function MIN_WORK_SECONDS() external view returns (uint256);

    /// @notice Longest time to work, in seconds.
    function MAX_WORK_SECONDS() external view returns (uint256);

    /// @notice Most deliveries after a rejection that terms may allow.
    function MAX_REVISIONS() external view returns (uint256);

    /// @notice Nonces from this one on are for withdrawals, the others for actions about nodes.
    function FIRST_WITHDRAWAL_NONCE() external view returns (uint256);

    /// @notice Seconds the arbiter has to rule.
    function RULING_WINDOW() external view returns (uint256);

    /// @notice Levels a tree may have; a node of the buyer is on level 1.
    function MAX_DEPTH() external view returns (uint256);

    /// @notice Settlement token.
    function token() external view returns (IFiatToken);

    /// @notice The factory that all trees come from.
    function factory() external view returns (address);

    /// @notice The accounts the escrow was made for.
    /// @return buyer Hirer of the nodes without parent.
    /// @return arbiter Who rules on disputes; zero if nobody does.
    function parties() external view returns (address buyer, address arbiter);

    /// @notice A node as it is stored. Time may have decided more, see {effectiveState}.
    /// @param nodeId Any id; an unknown one gives a node in state None.
    /// @return The node.
    function node(uint192 nodeId) external view returns (Node memory);

    /// @notice The state of a node as time has decided it, whether or not anyone has written it down.
    /// @param nodeId Any id.
    /// @return The state that counts now.
    function effectiveState(uint192 nodeId) external view returns (NodeState);

    /// @notice What the worker of a node can take out now, in token base units.
    /// @param nodeId Any id.
    /// @return 0 unless the node and all its backers have settled.
    function withdrawable(uint192 nodeId) external view returns (uint256);

    /// @notice Money that came back to an account in its role as hirer, in token base units.
    /// @param account Any account.
    /// @return The balance.
    function refundOf(address account) external view returns (uint256);

    /// @notice Whether an action with this nonce can no longer be executed for the signer: because it was, because the node
    ///         has moved on, or because the signer cancelled it. Never turns back.
    /// @param signer Any account.
    /// @param nonce Nonce of an action.
    function nonceUsed(address signer, uint256 nonce) external view returns (bool);

    /// @notice Cancelled nonces of a signer and those of its withdrawals, 256 to a word.
    /// @param signer Any account.
    /// @param word `nonce / 256`; the bit is `nonce % 256`. For an action about a node the word is the node's id.
    /// @return Set bits are used up.
    function nonceBitmap(address signer, uint256 word) external view returns (uint256);

    /// @notice EIP-712 digest of a struct hash in this escrow's domain on this chain.
    /// @param structHash Hash of the struct.
    /// @return What a signer signs.
    function hashTypedData(bytes32 structHash) external view returns (bytes32);
}
