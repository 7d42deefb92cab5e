// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Test} from "forge-std/Test.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {TaskEscrowFactory} from "../../src/TaskEscrowFactory.sol";
import {Auth, FundingMode, Node, NodeState, NodeTerms, Outcome} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {TypedData} from "./TypedData.sol";

/// @notice One tree with a buyer, an arbiter and six workers, and everything needed to sign for them.
/// @dev `_…Head` is what a signer signs, without the four closing members; `_…Auth` is the signed authorisation; the
///      bare verb signs and sends, relayed by the test contract.
abstract contract EscrowTest is Test {
    uint256 internal constant START = 1_750_000_000;
    uint64 internal constant PRICE = 100e6;
    uint24 internal constant WINDOW = 2 days;
    uint32 internal constant WORK = 7 days;
    uint8 internal constant REVISIONS = 3;
    uint256 internal constant FIRST_WITHDRAWAL = 1 << 255;
    bytes32 internal constant TREE = keccak256("task_1");
    bytes32 internal constant ARTIFACT = keccak256("artifact");
    /// @dev Paths below node 1.
    uint192 internal constant CHILD = 1 << 24 | 1;
    uint192 internal constant SIBLING = 1 << 24 | 2;
    uint192 internal constant GRANDCHILD = CHILD << 24 | 1;

    LocalUsdc internal usdc;
    TaskEscrow internal implementation;
    TaskEscrowFactory internal factory;
    TaskEscrow internal escrow;
    address internal buyer;
    address internal arbiter;
    address internal stranger;
    address[6] internal workers;
    uint40 internal due;

    mapping(address => uint256) internal keyOf;
    mapping(address => uint256) internal withdrawals;
    uint256 private _actions;

    function setUp() public virtual {
        vm.warp(START);
        due = uint40(START + WORK);
        buyer = _account("buyer");
        arbiter = _account("arbiter");
        stranger = _account("stranger");
        for (uint256 i; i < workers.length; ++i) {
            workers[i] = _account(string.concat("worker", vm.toString(i)));
        }
        _useToken(new LocalUsdc(address(this)));
    }

    function _account(string memory name) internal returns (address account) {
        uint256 key;
        (account, key) = makeAddrAndKey(name);
        keyOf[account] = key;
    }

    /// @dev Goes on with a tree on another token.
    function _useToken(LocalUsdc token) internal {
        usdc = token;
        factory = new TaskEscrowFactory(token);
        implementation = TaskEscrow(factory.implementation());
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, TREE, ""));
    }

    /// @dev Goes on with a tree that has no arbiter.
    function _useTreeWithoutArbiter() internal {
        escrow = TaskEscrow(factory.createTree(buyer, address(0), TREE, ""));
    }

    // ----------------------------------------------------------------------------------------------------- signing

    /// @dev An authorisation of a withdrawal, whose nonce is any that the signer has not used.
    function _auth(address signer) internal virtual returns (Auth memory a) {
        return _auth(FIRST_WITHDRAWAL + withdrawals[signer]++);
    }

    function _auth(uint256 nonce) internal returns (Auth memory a) {
        a.actionId = keccak256(abi.encode("action", ++_actions));
        a.requestDigest = keccak256(abi.encode("request", _actions));
        a.nonce = nonce;
        a.validUntil = block.timestamp + 1 days;
    }

    /// @dev Nonce of an action about a node as it stands.
    function _nonceAt(uint192 id) internal view returns (uint256) {
        uint8 version = address(escrow).code.length == 0 ? 0 : escrow.node(id).version;
        return uint256(id) << 8 | version;
    }

    function _structHash(bytes memory head, Auth memory a) internal pure returns (bytes32) {
        return keccak256(bytes.concat(head, abi.encode(a.actionId, a.requestDigest, a.nonce, a.validUntil)));
    }

    function _digest(bytes memory head, Auth memory a) internal view returns (bytes32) {
        bytes32 separator = TypedData.domainSeparator("Tasktree", "2", block.chainid, address(escrow));
        return TypedData.digest(separator, _structHash(head, a));
    }

    /// @dev Accounts without a known key, such as the zero address, sign with zeros.
    function _sign(address signer, bytes32 digest) internal view returns (bytes memory) {
        if (keyOf[signer] == 0) return new bytes(65);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[signer], digest);
        return abi.encodePacked(r, s, v);
    }

    function _signed(address signer, bytes memory head) internal virtual returns (Auth memory a) {
        a = _auth(signer);
        a.signature = _sign(signer, _digest(head, a));
    }

    function _signedAt(uint192 id, address signer, bytes memory head) internal virtual returns (Auth memory a) {
        a = _auth(_nonceAt(id));
        a.signature = _sign(signer, _digest(head, a));
    }

    function _signed3009(uint192 id, address payer, uint256 amount, bytes memory head)
        internal
        returns (Auth memory a)
    {
        a = _auth(_nonceAt(id));
        bytes32 structHash = keccak256(
            abi.encode(
                usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                payer,
                address(escrow),
                amount,
                uint256(0),
                a.validUntil + 1,
                _digest(head, a)
            )
        );
        a.signature = _sign(payer, TypedData.digest(usdc.DOMAIN_SEPARATOR(), structHash));
    }

    function _signedPermit(address payer, uint256 amount, uint256 deadline) internal view returns (bytes memory) {
        bytes32 structHash =
            keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), payer, address(escrow), amount, usdc.nonces(payer), deadline));
        return _sign(payer, TypedData.digest(usdc.DOMAIN_SEPARATOR(), structHash));
    }

    // ------------------------------------------------------------------------------------------------------- heads

    function _quoteHead(NodeTerms memory terms, address hirer) internal view returns (bytes memory) {
        bytes32 t =
            TypedData.typeHashWithTerms("SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token");
        // Before deployment the arbiter cannot be asked for; such trees are made with the default one.
        address a = arbiter;
        if (address(escrow).code.length != 0) (, a) = escrow.parties();
        return abi.encode(t, TypedData.hash(terms), hirer, a, usdc);
    }

    function _subcontractHead(NodeTerms memory terms, FundingMode mode) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHashWithTerms("Subcontract(NodeTerms terms,address token,uint8 fundingMode");
        return abi.encode(t, TypedData.hash(terms), usdc, mode);
    }

    function _fundHead(NodeTerms memory terms, FundingMode mode) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHashWithTerms("FundTask(NodeTerms terms,address token,uint8 fundingMode");
        return abi.encode(t, TypedData.hash(terms), usdc, mode);
    }

    function _deliverHead(uint192 id, bytes32 artifact, bool payOut) internal pure returns (bytes memory) {
        bytes32 t = TypedData.typeHash("Deliver(uint192 nodeId,bytes32 artifactHash,bool payOut");
        return abi.encode(t, id, artifact, payOut);
    }

    function _resolveHead(uint192 id) internal view returns (bytes memory) {
        Node memory n = escrow.node(id);
        bytes32 t = TypedData.typeHash(
            "ResolveTask(uint192 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash"
        );
        return abi.encode(t, id, n.worker, usdc, n.amount, n.artifactHash);
    }

    function _rejectHead(uint192 id, bytes32 reason) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("RejectTask(uint192 nodeId,bytes32 artifactHash,bytes32 reasonHash");
        return abi.encode(t, id, escrow.node(id).artifactHash, reason);
    }

    function _abandonHead(uint192 id) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("AbandonNode(uint192 nodeId,address token,uint256 amount");
        return abi.encode(t, id, usdc, escrow.node(id).amount);
    }

    function _claimHead(uint192 id) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("ClaimNonDelivery(uint192 nodeId,address token,uint256 amount");
        return abi.encode(t, id, usdc, escrow.node(id).amount);
    }

    function _disputeHead(uint192 id, bytes32 evidence) internal pure returns (bytes memory) {
        return abi.encode(TypedData.typeHash("DisputeNode(uint192 nodeId,bytes32 evidenceHash"), id, evidence);
    }

    function _ruleHead(uint192 id, uint256 share, bytes32 ruling) internal view returns (bytes memory) {
        bytes32 t =
            TypedData.typeHash("RuleDispute(uint192 nodeId,address token,uint256 workerShare,bytes32 rulingHash");
        return abi.encode(t, id, usdc, share, ruling);
    }

    function _splitHead(uint192 id, uint256 share) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash(
            "AgreeSplit(uint192 nodeId,address hirer,address worker,address token,uint256 amount,uint256 workerShare"
        );
        Node memory n = escrow.node(id);
        return abi.encode(t, id, _hirerOf(id), n.worker, usdc, n.amount, share);
    }

    function _withdrawHead(uint192 id, address to, uint256 amount) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("WithdrawEarnings(uint192 nodeId,address recipient,address token,uint256 amount");
        return abi.encode(t, id, to, usdc, amount);
    }

    function _withdrawRefundHead(address account, address to, uint256 amount) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("WithdrawRefund(address account,address recipient,address token,uint256 amount");
        return abi.encode(t, account, to, usdc, amount);
    }

    // --------------------------------------------------------------------------------------------------- calldata

    function _child(uint192 parent, uint24 index) internal pure returns (uint192) {
        return parent << 24 | index;
    }

    /// @dev Terms with the usual floor, a half.
    function _terms(uint192 id, address worker, uint64 amount, bool hirerFunded)
        internal
        view
        returns (NodeTerms memory)
    {
        return NodeTerms({
            nodeId: id,
            worker: worker,
            amount: amount,
            floor: amount / 2,
            workSeconds: uint32(due - block.timestamp),
            acceptWindow: WINDOW,
            maxRevisions: REVISIONS,
            hirerFunded: hirerFunded,
            termsHash: keccak256("brief")
        });
    }

    /// @dev For the modes that are signed over `FundTask` itself.
    function _fundCall(NodeTerms memory t, FundingMode mode) internal returns (bytes memory) {
        Auth memory h = _signedAt(t.nodeId, buyer, _fundHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, w, ""));
    }

    function _fundCall(NodeTerms memory t) internal returns (bytes memory) {
        FundingMode mode = FundingMode.Authorization3009;
        Auth memory h = _signed3009(t.nodeId, buyer, t.amount, _fundHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, buyer));
        return abi.encodeCall(ITaskEscrow.fundTask, (t, mode, h, w, ""));
    }

    function _carveCall(NodeTerms memory t) internal returns (bytes memory) {
        return _subcontractCall(t, FundingMode.ParentNode);
    }

    /// @dev For the modes that are signed over `Subcontract` itself.
    function _subcontractCall(NodeTerms memory t, FundingMode mode) internal returns (bytes memory) {
        address hirer = escrow.node(t.nodeId >> 24).worker;
        Auth memory h = _signedAt(t.nodeId, hirer, _subcontractHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, hirer));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, mode, h, w, ""));
    }

    function _ownMoneyCall(NodeTerms memory t) internal returns (bytes memory) {
        FundingMode mode = FundingMode.Authorization3009;
        address hirer = escrow.node(t.nodeId >> 24).worker;
        Auth memory h = _signed3009(t.nodeId, hirer, t.amount, _subcontractHead(t, mode));
        Auth memory w = _signedAt(t.nodeId, t.worker, _quoteHead(t, hirer));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, mode, h, w, ""));
    }

    function _deliverCall(uint192 id, bytes32 artifact) internal returns (bytes memory) {
        return _deliverCall(id, artifact, false);
    }

    function _deliverCall(uint192 id, bytes32 artifact, bool payOut) internal returns (bytes memory) {
        Auth memory a = _signedAt(id, escrow.node(id).worker, _deliverHead(id, artifact, payOut));
        return abi.encodeCall(ITaskEscrow.deliver, (id, artifact, payOut, a));
    }

    function _acceptCall(uint192 id) internal returns (bytes memory) {
        Auth memory a = _signedAt(id, _hirerOf(id), _resolveHead(id));
        return abi.encodeCall(ITaskEscrow.resolveTask, (id, escrow.node(id).artifactHash, a));
    }

    function _rejectCall(uint192 id) internal returns (bytes memory) {
        Auth memory a = _signedAt(id, _hirerOf(id), _rejectHead(id, "reason"));
        return abi.encodeCall(ITaskEscrow.rejectTask, (id, escrow.node(id).artifactHash, "reason", a));
    }

    function _abandonCall(uint192 id) internal returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.abandonNode, (id, _signedAt(id, escrow.node(id).worker, _abandonHead(id))));
    }

    function _claimCall(uint192 id, address account) internal returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.claimNonDelivery, (id, account, _signedAt(id, account, _claimHead(id))));
    }

    function _disputeCall(uint192 id) internal returns (bytes memory) {
        Auth memory a = _signedAt(id, escrow.node(id).worker, _disputeHead(id, "evidence"));
        return abi.encodeCall(ITaskEscrow.disputeNode, (id, "evidence", a));
    }

    function _ruleCall(uint192 id, uint256 share) internal returns (bytes memory) {
        Auth memory a = _signedAt(id, arbiter, _ruleHead(id, share, "ruling"));
        return abi.encodeCall(ITaskEscrow.ruleDispute, (id, share, "ruling", a));
    }

    function _splitCall(uint192 id, uint256 share) internal returns (bytes memory) {
        Auth memory h = _signedAt(id, _hirerOf(id), _splitHead(id, share));
        Auth memory w = _signedAt(id, escrow.node(id).worker, _splitHead(id, share));
        return abi.encodeCall(ITaskEscrow.agreeSplit, (id, share, h, w));
    }

    function _withdrawCall(uint192 id, uint256 amount) internal returns (bytes memory) {
        address worker = escrow.node(id).worker;
        Auth memory a = _signed(worker, _withdrawHead(id, worker, amount));
        return abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, worker, amount, a));
    }

    function _withdrawRefundCall(address account, uint256 amount) internal returns (bytes memory) {
        Auth memory a = _signed(account, _withdrawRefundHead(account, account, amount));
        return abi.encodeCall(ITaskEscrow.withdrawRefund, (account, account, amount, a));
    }

    // ----------------------------------------------------------------------------------------------------- actions

    /// @dev A funded node of the buyer.
    function _hire(uint192 id, address worker, uint64 amount) internal {
        usdc.mint(buyer, amount);
        _runs(_fundCall(_terms(id, worker, amount, true)));
    }

    /// @dev A funded node of the buyer with a floor of its own.
    function _hire(uint192 id, address worker, uint64 amount, uint64 floor) internal {
        usdc.mint(buyer, amount);
        NodeTerms memory t = _terms(id, worker, amount, true);
        t.floor = floor;
        _runs(_fundCall(t));
    }

    /// @dev A carve-out with a floor of its own.
    function _carve(uint192 id, address worker, uint64 amount, uint64 floor) internal {
        NodeTerms memory t = _terms(id, worker, amount, false);
        t.floor = floor;
        _runs(_carveCall(t));
    }

    /// @dev A node paid out of its parent's pool.
    function _carve(uint192 id, address worker, uint64 amount) internal {
        _runs(_carveCall(_terms(id, worker, amount, false)));
    }

    /// @dev A node paid by the parent's worker itself.
    function _hireWithOwnMoney(uint192 id, address worker, uint64 amount) internal {
        usdc.mint(escrow.node(id >> 24).worker, amount);
        _runs(_ownMoneyCall(_terms(id, worker, amount, true)));
    }

    function _deliver(uint192 id) internal {
        _runs(_deliverCall(id, ARTIFACT));
    }

    function _accept(uint192 id) internal {
        _runs(_acceptCall(id));
    }

    function _reject(uint192 id) internal {
        _runs(_rejectCall(id));
    }

    function _abandon(uint192 id) internal {
        _runs(_abandonCall(id));
    }

    function _claim(uint192 id) internal {
        _runs(_claimCall(id, _hirerOf(id)));
    }

    function _dispute(uint192 id) internal {
        _runs(_disputeCall(id));
    }

    function _rule(uint192 id, uint256 share) internal {
        _runs(_ruleCall(id, share));
    }

    function _split(uint192 id, uint256 share) internal {
        _runs(_splitCall(id, share));
    }

    function _withdraw(uint192 id, uint256 amount) internal {
        _runs(_withdrawCall(id, amount));
    }

    function _withdrawRefund(address account, uint256 amount) internal {
        _runs(_withdrawRefundCall(account, amount));
    }

    /// @dev Empties a tree in which node 1 has earned with a carve-out of `part` for its child, and the price of another
    ///      node has come back to the buyer.
    function _takeEverything(uint64 part) internal {
        _withdraw(1, PRICE - part);
        _withdraw(CHILD, part);
        _withdrawRefund(buyer, PRICE);
        assertEq(usdc.balanceOf(workers[0]), PRICE - part);
        assertEq(usdc.balanceOf(workers[1]), part);
        assertEq(usdc.balanceOf(buyer), PRICE);
        assertEq(usdc.balanceOf(address(escrow)), 0);
    }

    // ------------------------------------------------------------------------------------------------ expectations

    /// @dev Sends the call to the escrow and passes a failure on.
    function _runs(bytes memory call) internal {
        (bool ok, bytes memory result) = address(escrow).call(call);
        if (!ok) {
            assembly ("memory-safe") {
                revert(add(result, 0x20), mload(result))
            }
        }
    }

    /// @dev Sends the call to the escrow and requires exactly this error.
    function _fails(bytes memory call, bytes memory expected) internal {
        (bool ok, bytes memory result) = address(escrow).call(call);
        assertFalse(ok, "the call went through");
        assertEq(result, expected, "another error");
    }

    function _wrongState(uint192 id, NodeState state) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.WrongState.selector, id, state);
    }

    function _tooLate(uint256 since) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.TooLate.selector, since);
    }

    function _wrongNonce(uint256 expected, uint256 actual) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.WrongNonce.selector, expected, actual);
    }

    function _nonceUsed(address signer, uint256 nonce) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.NonceUsed.selector, signer, nonce);
    }

    function _invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.InvalidSignature.selector, signer);
    }

    function _error(bytes4 selector) internal pure returns (bytes memory) {
        return abi.encodePacked(selector);
    }

    function _assertState(uint192 id, NodeState state) internal view {
        assertEq(uint8(escrow.node(id).state), uint8(state), "state");
    }

    function _hirerOf(uint192 id) internal view returns (address) {
        return id >> 24 == 0 ? buyer : escrow.node(id >> 24).worker;
    }
}
