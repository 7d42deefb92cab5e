// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Test} from "forge-std/Test.sol";

import {TaskEscrow} from "../src/TaskEscrow.sol";
import {Auth, Node, NodeState} from "../src/Types.sol";
import {IFiatToken} from "../src/interfaces/IFiatToken.sol";
import {TypedData} from "../test/base/TypedData.sol";
import {ExactToken} from "./ExactToken.sol";

/// @notice The two cheatcodes of halmos that the proofs use.
interface Svm {
    /// @notice Makes every storage slot of an account a value that nothing is known about.
    function enableSymbolicStorage(address account) external;

    /// @notice Bytes that nothing is known about.
    function createBytes(uint256 size, string memory name) external returns (bytes memory);
}

/// @notice An escrow whose storage is arbitrary, at an arbitrary time, and what every proof says about a node's end.
///
/// @dev The proofs are lemmas about one step. They speak about trees of any shape: of a tree, an action touches the node,
///      its parent and one refund balance, and the proofs show that it touches nothing else. With `allocated` of a node
///      being what its live carve-outs are worth, "what the node loses, its parent's free part or its hirer's refund
///      balance gains, to the unit" for each step is the conservation of the whole tree.
abstract contract ProofBase is Test {
    Svm internal constant svm = Svm(address(uint160(uint256(keccak256("svm cheat code")))));
    address internal constant BUYER = address(0xb0B0000000000000000000000000000000000001);
    address internal constant ARBITER = address(0xa4B0000000000000000000000000000000000002);
    uint256 internal constant HELD = 1 << 100;

    ExactToken internal token;
    TaskEscrow internal escrow;

    /// @dev Who calls, when, and with which authorisation; and any node and any account beside those of the step.
    struct Input {
        uint192 id;
        address sender;
        uint256 time;
        uint256 nonce;
        uint256 until;
        uint192 otherId;
        address otherAccount;
    }

    /// @dev What a step may touch, and one arbitrary node and account that it may not.
    struct World {
        Node node;
        Node parent;
        address hirer;
        uint256 refund;
        uint256 balance;
        uint256 worker;
        bool used;
        Node other;
        uint256 otherRefund;
        uint256 otherBalance;
    }

    function setUp() public virtual {
        token = new ExactToken();
        TaskEscrow implementation = new TaskEscrow(IFiatToken(address(token)));
        escrow = TaskEscrow(
            Clones.cloneDeterministicWithImmutableArgs(
                address(implementation), abi.encodePacked(BUYER, ARBITER), bytes32(0)
            )
        );
        token.mint(address(escrow), HELD);
        token.mint(BUYER, HELD);
        svm.enableSymbolicStorage(address(escrow));
    }

    // --------------------------------------------------------------------------------------------------- the step

    /// @dev Sends the call as anybody at any time; only calls that go through are looked at.
    function _step(Input memory x, bytes memory call) internal {
        vm.assume(x.time < 1 << 39);
        vm.warp(x.time);
        vm.prank(x.sender);
        (bool ok,) = address(escrow).call(call);
        vm.assume(ok);
    }

    /// @dev An authorisation that the sender gives by sending.
    function _own(Input memory x) internal pure returns (Auth memory) {
        return Auth(bytes32(0), bytes32(0), x.nonce, x.until, "");
    }

    /// @dev An authorisation with an arbitrary ECDSA signature; `ecrecover` is a function that nothing is known about.
    function _relayed(Input memory x, bytes memory signature) internal pure returns (Auth memory) {
        return Auth(bytes32(0), bytes32(0), x.nonce, x.until, signature);
    }

    // ------------------------------------------------------------------------------------------------- before, after

    function _read(Input memory x) internal view returns (World memory w) {
        w.node = escrow.node(x.id);
        w.parent = escrow.node(_parent(x.id));
        w.hirer = _parent(x.id) == 0 ? BUYER : w.parent.worker;
        w.refund = escrow.refundOf(w.hirer);
        w.balance = token.balanceOf(address(escrow));
        w.worker = token.balanceOf(w.node.worker);
        w.used = (escrow.nonceBitmap(x.sender, x.nonce >> 8) >> (x.nonce & 0xff)) & 1 != 0;
        w.other = escrow.node(x.otherId);
        w.otherRefund = escrow.refundOf(x.otherAccount);
        w.otherBalance = token.balanceOf(x.otherAccount);
    }

    function _parent(uint192 id) internal pure returns (uint192) {
        return id >> 24;
    }

    /// @dev An arbitrary consistent state, as far as a step on the node reads it: see {NodeLedger}.
    function _world(Input memory x) internal view returns (World memory w) {
        w = _read(x);
        vm.assume(x.id & 0xffffff != 0);
        vm.assume(_parent(x.id) != 0 || w.node.hirerFunded);
        vm.assume(w.node.allocated <= w.node.amount);
        vm.assume(w.parent.allocated <= w.parent.amount);
        vm.assume(w.node.version < 200); // a node moves on 25 times at most
        vm.assume(w.node.revisions <= w.node.maxRevisions);
        vm.assume(w.refund <= HELD && w.otherRefund <= HELD);
        vm.assume(x.otherId != x.id && (x.otherId != _parent(x.id) || w.node.hirerFunded));
        vm.assume(x.otherAccount != w.hirer && x.otherAccount != address(escrow));
        vm.assume(w.node.worker != address(escrow)); // refused when a node is opened
    }

    /// @dev The same, and the node holds money and is not final.
    function _openWorld(Input memory x) internal view returns (World memory w) {
        w = _world(x);
        vm.assume(w.node.state >= NodeState.Funded && w.node.state <= NodeState.Disputed);
        vm.assume(w.node.allocated <= w.node.floor && w.node.floor <= w.node.amount);
        // What is paid out of nodes above it needs the walk up the backers, which has an end of its own.
        vm.assume(w.node.hirerFunded || w.parent.hirerFunded || !w.node.payOut);
        // What a live carve-out holds is promised to it.
        vm.assume(w.node.hirerFunded || w.parent.allocated >= w.node.amount);
    }

    // ---------------------------------------------------------------------------------------------------- properties

    /// @dev The sender acted for itself, with the nonce of the node as it was, which it had not cancelled. Every step raises
    ///      the version, so that no nonce is good twice.
    function _checkOwn(Input memory x, World memory b, address entitled) internal pure {
        assert(x.sender == entitled);
        assert(x.nonce == uint256(x.id) << 8 | b.node.version && !b.used);
        assert(x.time <= x.until);
    }

    /// @dev The key of the account has signed exactly this struct, for this escrow on this chain.
    function _checkSigned(address account, bytes memory head, Auth memory auth) internal view {
        bytes memory closing = abi.encode(auth.actionId, auth.requestDigest, auth.nonce, auth.validUntil);
        bytes32 digest = escrow.hashTypedData(keccak256(bytes.concat(head, closing)));
        bytes memory signature = auth.signature;
        (bytes32 r, bytes32 s, uint8 v) = (bytes32(0), bytes32(0), 0);
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
        assert(ecrecover(digest, v, r, s) == account);
    }

    /// @dev As {_checkSigned} for an action about the node, with the nonce of the node as it was.
    function _checkSignedAt(Input memory x, World memory b, address account, bytes memory head, Auth memory auth)
        internal
        view
    {
        assert(auth.nonce == uint256(x.id) << 8 | b.node.version && x.time <= auth.validUntil);
        _checkSigned(account, head, auth);
    }

    function _quoteHead(bytes32 terms, address hirer) internal view returns (bytes memory) {
        bytes32 t =
            TypedData.typeHashWithTerms("SubmitQuote(NodeTerms terms,address hirer,address arbiter,address token");
        return abi.encode(t, terms, hirer, ARBITER, address(token));
    }

    /// @dev Whose node it is never changes, and nobody else's money either.
    function _checkFrame(World memory b, World memory a) internal pure {
        assert(a.node.worker == b.node.worker && a.node.floor == b.node.floor);
        assert(a.node.hirerFunded == b.node.hirerFunded && a.hirer == b.hirer);
        assert(a.node.deliverBy == b.node.deliverBy && a.node.acceptWindow == b.node.acceptWindow);
        assert(a.node.maxRevisions == b.node.maxRevisions);
        assert(a.parent.amount == b.parent.amount && a.parent.state == b.parent.state);
        assert(a.other.worker == b.other.worker && a.other.amount == b.other.amount);
        assert(a.other.allocated == b.other.allocated && a.other.state == b.other.state);
        assert(a.other.version == b.other.version && a.other.hirerFunded == b.other.hirerFunded);
        assert(a.otherRefund == b.otherRefund);
    }

    /// @dev What left the node for where its money came from: the parent's free part, or the hirer's refund balance.
    function _back(Input memory x, World memory b, World memory a) internal pure returns (uint256) {
        if (b.node.hirerFunded) {
            if (_parent(x.id) != 0) assert(a.parent.allocated == b.parent.allocated);
            return a.refund - b.refund;
        }
        assert(a.refund == b.refund);
        return b.parent.allocated - a.parent.allocated;
    }

    /// @dev The node ended, and every unit of it is still there and belongs to whom the terms name, or has gone to its
    ///      worker's own address.
    /// @return share What the worker's side has, its helpers' part and what was paid included.
    function _checkEnded(Input memory x, World memory b) internal view returns (uint256 share) {
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.node.version == b.node.version + 1);
        assert(x.otherAccount == b.node.worker || a.otherBalance == b.otherBalance);
        uint256 paid = b.balance - a.balance;
        uint256 back = _back(x, b, a);
        assert(a.node.allocated == b.node.allocated);
        if (a.node.state == NodeState.Settled) {
            share = a.node.amount + paid;
            assert(share + back == b.node.amount);
            assert(a.node.allocated <= a.node.amount);
            if (paid != 0) {
                assert(a.node.payOut && a.node.amount == a.node.allocated);
                assert(a.worker - b.worker == paid);
            }
        } else {
            assert(a.node.state == NodeState.Refunded || a.node.state == NodeState.Abandoned);
            assert(back == b.node.amount && paid == 0);
        }
    }

    /// @dev The node goes on, and holds what it held.
    function _checkHeld(Input memory x, World memory b) internal view {
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.balance == b.balance && a.otherBalance == b.otherBalance);
        assert(_back(x, b, a) == 0);
        assert(a.node.amount == b.node.amount && a.node.allocated == b.node.allocated);
        assert(a.node.state >= NodeState.Funded && a.node.state <= NodeState.Disputed);
        assert(a.node.version == b.node.version + 1);
    }
}
