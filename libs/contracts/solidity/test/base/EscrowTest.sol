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
    uint96 internal constant PRICE = 100e6;
    uint32 internal constant WINDOW = 2 days;
    bytes32 internal constant TREE = keccak256("task_1");
    bytes32 internal constant ARTIFACT = keccak256("artifact");

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
    mapping(address => uint256) internal nextNonce;
    uint256 private _actions;

    function setUp() public virtual {
        vm.warp(START);
        due = uint40(START + 7 days);
        buyer = _account("buyer");
        arbiter = _account("arbiter");
        stranger = _account("stranger");
        for (uint256 i; i < workers.length; ++i) {
            workers[i] = _account(string.concat("worker", vm.toString(i)));
        }
        _useToken(new LocalUsdc(address(this)));
    }

    /// @dev Starts on another token, of which the test contract is the owner.
    function _useToken(LocalUsdc token) internal {
        usdc = token;
        factory = new TaskEscrowFactory(token);
        implementation = TaskEscrow(factory.implementation());
        escrow = TaskEscrow(factory.createTree(buyer, arbiter, TREE, new bytes[](0)));
    }

    function _account(string memory name) internal returns (address account) {
        uint256 key;
        (account, key) = makeAddrAndKey(name);
        keyOf[account] = key;
    }

    /// @dev Goes on with a tree that has no arbiter.
    function _useTreeWithoutArbiter() internal {
        escrow = TaskEscrow(factory.createTree(buyer, address(0), TREE, new bytes[](0)));
    }

    // ----------------------------------------------------------------------------------------------------- signing

    function _auth(address signer) internal virtual returns (Auth memory a) {
        a.actionId = keccak256(abi.encode("action", ++_actions));
        a.requestDigest = keccak256(abi.encode("request", _actions));
        a.nonce = nextNonce[signer]++;
        a.validUntil = block.timestamp + 1 days;
    }

    function _structHash(bytes memory head, Auth memory a) internal pure returns (bytes32) {
        return keccak256(bytes.concat(head, abi.encode(a.actionId, a.requestDigest, a.nonce, a.validUntil)));
    }

    function _digest(bytes memory head, Auth memory a) internal view returns (bytes32) {
        bytes32 separator = TypedData.domainSeparator("Tasktree", "1", block.chainid, address(escrow));
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

    function _signed3009(address payer, uint256 amount, bytes memory head) internal returns (Auth memory a) {
        a = _auth(payer);
        bytes32 structHash = keccak256(
            abi.encode(
                usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                payer,
                address(escrow),
                amount,
                uint256(0),
                a.validUntil,
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

    function _createTaskHead(uint256 budget, bytes32 termsHash) internal view returns (bytes memory) {
        (address b, address a) = escrow.parties();
        bytes32 t = TypedData.typeHash(
            "CreateTask(address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash"
        );
        return abi.encode(t, b, a, usdc, budget, termsHash);
    }

    function _quoteHead(NodeTerms memory terms, address hirer) internal view returns (bytes memory) {
        bytes32 t =
            TypedData.typeHashWithTerms("SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token");
        // Before deployment the arbiter cannot be asked for; such trees are made with the default one.
        address a = arbiter;
        if (address(escrow).code.length != 0) (, a) = escrow.parties();
        return abi.encode(t, TypedData.hash(terms), hirer, a, usdc);
    }

    function _selectHead(NodeTerms memory terms) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHashWithTerms("SelectAgent(NodeTerms terms,address token");
        return abi.encode(t, TypedData.hash(terms), usdc);
    }

    function _subcontractHead(NodeTerms memory terms) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHashWithTerms("Subcontract(NodeTerms terms,address token");
        return abi.encode(t, TypedData.hash(terms), usdc);
    }

    function _fundHead(uint32 id, address worker, uint256 amount) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("FundTask(uint32 nodeId,address worker,address token,uint256 amount");
        return abi.encode(t, id, worker, usdc, amount);
    }

    function _fundHead(uint32 id) internal view returns (bytes memory) {
        Node memory n = escrow.node(id);
        return _fundHead(id, n.worker, n.amount);
    }

    function _deliverHead(uint32 id, bytes32 artifact) internal pure returns (bytes memory) {
        return abi.encode(TypedData.typeHash("Deliver(uint32 nodeId,bytes32 artifactHash"), id, artifact);
    }

    function _resolveHead(uint32 id) internal view returns (bytes memory) {
        Node memory n = escrow.node(id);
        bytes32 t = TypedData.typeHash(
            "ResolveTask(uint32 nodeId,address worker,address token,uint256 amount,bytes32 artifactHash"
        );
        return abi.encode(t, id, n.worker, usdc, n.amount, n.artifactHash);
    }

    function _rejectHead(uint32 id, bytes32 reason) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("RejectTask(uint32 nodeId,bytes32 artifactHash,bytes32 reasonHash");
        return abi.encode(t, id, escrow.node(id).artifactHash, reason);
    }

    function _abandonHead(uint32 id) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("AbandonNode(uint32 nodeId,address token,uint256 amount");
        return abi.encode(t, id, usdc, escrow.node(id).amount);
    }

    function _claimHead(uint32 id) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("ClaimNonDelivery(uint32 nodeId,address token,uint256 amount");
        return abi.encode(t, id, usdc, escrow.node(id).amount);
    }

    function _disputeHead(uint32 id, bytes32 evidence) internal pure returns (bytes memory) {
        return abi.encode(TypedData.typeHash("DisputeNode(uint32 nodeId,bytes32 evidenceHash"), id, evidence);
    }

    function _ruleHead(uint32 id, uint256 share, bytes32 ruling) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("RuleDispute(uint32 nodeId,address token,uint256 workerShare,bytes32 rulingHash");
        return abi.encode(t, id, usdc, share, ruling);
    }

    function _splitHead(uint32 id, uint256 share) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("AgreeSplit(uint32 nodeId,address token,uint256 amount,uint256 workerShare");
        return abi.encode(t, id, usdc, escrow.node(id).amount, share);
    }

    function _withdrawHead(uint32 id, address to, uint256 amount) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("WithdrawEarnings(uint32 nodeId,address recipient,address token,uint256 amount");
        return abi.encode(t, id, to, usdc, amount);
    }

    function _withdrawRefundHead(address account, address to, uint256 amount) internal view returns (bytes memory) {
        bytes32 t = TypedData.typeHash("WithdrawRefund(address account,address recipient,address token,uint256 amount");
        return abi.encode(t, account, to, usdc, amount);
    }

    // --------------------------------------------------------------------------------------------------- calldata

    function _terms(uint32 id, uint32 parent, address worker, uint96 amount, bool hirerFunded)
        internal
        view
        returns (NodeTerms memory)
    {
        return NodeTerms({
            nodeId: id,
            parentNodeId: parent,
            worker: worker,
            amount: amount,
            deliverBy: due,
            acceptWindow: WINDOW,
            hirerFunded: hirerFunded,
            termsHash: keccak256("brief")
        });
    }

    function _selectCall(NodeTerms memory t) internal returns (bytes memory) {
        Auth memory h = _signed(buyer, _selectHead(t));
        return abi.encodeCall(ITaskEscrow.selectAgent, (t, h, _signed(t.worker, _quoteHead(t, buyer))));
    }

    function _fundCall(uint32 id) internal returns (bytes memory) {
        Auth memory a = _signed3009(buyer, escrow.node(id).amount, _fundHead(id));
        return abi.encodeCall(ITaskEscrow.fundTask, (id, FundingMode.Authorization3009, a, ""));
    }

    function _carveCall(NodeTerms memory t) internal returns (bytes memory) {
        return _subcontractCall(t, FundingMode.ParentNode);
    }

    /// @dev For the modes that are signed over `Subcontract` itself.
    function _subcontractCall(NodeTerms memory t, FundingMode mode) internal returns (bytes memory) {
        address hirer = escrow.node(t.parentNodeId).worker;
        Auth memory h = _signed(hirer, _subcontractHead(t));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, mode, h, _signed(t.worker, _quoteHead(t, hirer)), ""));
    }

    function _ownMoneyCall(NodeTerms memory t) internal returns (bytes memory) {
        address hirer = escrow.node(t.parentNodeId).worker;
        Auth memory h = _signed3009(hirer, t.amount, _subcontractHead(t));
        Auth memory w = _signed(t.worker, _quoteHead(t, hirer));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, FundingMode.Authorization3009, h, w, ""));
    }

    function _deliverCall(uint32 id, bytes32 artifact) internal returns (bytes memory) {
        Auth memory a = _signed(escrow.node(id).worker, _deliverHead(id, artifact));
        return abi.encodeCall(ITaskEscrow.deliver, (id, artifact, a));
    }

    function _acceptCall(uint32 id) internal returns (bytes memory) {
        Auth memory a = _signed(_hirerOf(id), _resolveHead(id));
        return abi.encodeCall(ITaskEscrow.resolveTask, (id, escrow.node(id).artifactHash, a));
    }

    function _rejectCall(uint32 id) internal returns (bytes memory) {
        Auth memory a = _signed(_hirerOf(id), _rejectHead(id, "reason"));
        return abi.encodeCall(ITaskEscrow.rejectTask, (id, escrow.node(id).artifactHash, "reason", a));
    }

    function _abandonCall(uint32 id) internal returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.abandonNode, (id, _signed(escrow.node(id).worker, _abandonHead(id))));
    }

    function _claimCall(uint32 id, address account) internal returns (bytes memory) {
        return abi.encodeCall(ITaskEscrow.claimNonDelivery, (id, account, _signed(account, _claimHead(id))));
    }

    function _disputeCall(uint32 id) internal returns (bytes memory) {
        Auth memory a = _signed(escrow.node(id).worker, _disputeHead(id, "evidence"));
        return abi.encodeCall(ITaskEscrow.disputeNode, (id, "evidence", a));
    }

    function _ruleCall(uint32 id, uint256 share) internal returns (bytes memory) {
        Auth memory a = _signed(arbiter, _ruleHead(id, share, "ruling"));
        return abi.encodeCall(ITaskEscrow.ruleDispute, (id, share, "ruling", a));
    }

    function _splitCall(uint32 id, uint256 share) internal returns (bytes memory) {
        Auth memory h = _signed(_hirerOf(id), _splitHead(id, share));
        Auth memory w = _signed(escrow.node(id).worker, _splitHead(id, share));
        return abi.encodeCall(ITaskEscrow.agreeSplit, (id, share, h, w));
    }

    function _withdrawCall(uint32 id, uint256 amount) internal returns (bytes memory) {
        address worker = escrow.node(id).worker;
        Auth memory a = _signed(worker, _withdrawHead(id, worker, amount));
        return abi.encodeCall(ITaskEscrow.withdrawEarnings, (id, worker, amount, a));
    }

    function _withdrawRefundCall(address account, uint256 amount) internal returns (bytes memory) {
        Auth memory a = _signed(account, _withdrawRefundHead(account, account, amount));
        return abi.encodeCall(ITaskEscrow.withdrawRefund, (account, account, amount, a));
    }

    // ----------------------------------------------------------------------------------------------------- actions

    function _select(uint32 id, address worker, uint96 amount) internal {
        _runs(_selectCall(_terms(id, 0, worker, amount, true)));
    }

    function _fund(uint32 id) internal {
        usdc.mint(buyer, escrow.node(id).amount);
        _runs(_fundCall(id));
    }

    /// @dev A funded node of the buyer.
    function _hire(uint32 id, address worker, uint96 amount) internal {
        _select(id, worker, amount);
        _fund(id);
    }

    /// @dev A node paid out of its parent's pool.
    function _carve(uint32 id, uint32 parent, address worker, uint96 amount) internal {
        _runs(_carveCall(_terms(id, parent, worker, amount, false)));
    }

    /// @dev A node paid by the parent's worker itself.
    function _hireWithOwnMoney(uint32 id, uint32 parent, address worker, uint96 amount) internal {
        usdc.mint(escrow.node(parent).worker, amount);
        _runs(_ownMoneyCall(_terms(id, parent, worker, amount, true)));
    }

    function _deliver(uint32 id) internal {
        _runs(_deliverCall(id, ARTIFACT));
    }

    function _accept(uint32 id) internal {
        _runs(_acceptCall(id));
    }

    function _reject(uint32 id) internal {
        _runs(_rejectCall(id));
    }

    function _abandon(uint32 id) internal {
        _runs(_abandonCall(id));
    }

    function _claim(uint32 id) internal {
        _runs(_claimCall(id, _hirerOf(id)));
    }

    function _dispute(uint32 id) internal {
        _runs(_disputeCall(id));
    }

    function _withdraw(uint32 id, uint256 amount) internal {
        _runs(_withdrawCall(id, amount));
    }

    function _withdrawRefund(address account, uint256 amount) internal {
        _runs(_withdrawRefundCall(account, amount));
    }

    /// @dev Empties a tree in which node 1 has earned with a carve-out of `part` for node 2, and the price of another node
    ///      has come back to the buyer.
    function _takeEverything(uint96 part) internal {
        _withdraw(1, PRICE - part);
        _withdraw(2, part);
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

    function _wrongState(uint32 id, NodeState state) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.WrongState.selector, id, state);
    }

    function _tooLate(uint256 since) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.TooLate.selector, since);
    }

    function _invalidSignature(address signer) internal pure returns (bytes memory) {
        return abi.encodeWithSelector(ITaskEscrow.InvalidSignature.selector, signer);
    }

    function _error(bytes4 selector) internal pure returns (bytes memory) {
        return abi.encodePacked(selector);
    }

    function _assertState(uint32 id, NodeState state) internal view {
        assertEq(uint8(escrow.node(id).state), uint8(state), "state");
    }

    function _hirerOf(uint32 id) internal view returns (address) {
        uint32 parent = escrow.node(id).parent;
        return parent == 0 ? buyer : escrow.node(parent).worker;
    }
}
