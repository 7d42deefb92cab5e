// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Test} from "forge-std/Test.sol";

import {TaskEscrow} from "../src/TaskEscrow.sol";
import {Auth, Node, NodeState} from "../src/Types.sol";
import {IFiatToken} from "../src/interfaces/IFiatToken.sol";
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
        uint32 id;
        address sender;
        uint256 time;
        uint256 nonce;
        uint256 until;
        uint32 otherId;
        address otherAccount;
    }

    /// @dev What a step may touch, and one arbitrary node and account that it may not.
    struct World {
        Node node;
        Node parent;
        address hirer;
        uint256 refund;
        uint256 balance;
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
        svm.enableSymbolicStorage(address(escrow));
    }

    // --------------------------------------------------------------------------------------------------- the step

    /// @dev Sends the call as anybody at any time; only calls that go through are looked at.
    function _step(Input memory x, bytes memory call) internal {
        vm.assume(x.time < 1 << 40);
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
        w.parent = escrow.node(w.node.parent);
        w.hirer = w.node.parent == 0 ? BUYER : w.parent.worker;
        w.refund = escrow.refundOf(w.hirer);
        w.balance = token.balanceOf(address(escrow));
        w.other = escrow.node(x.otherId);
        w.otherRefund = escrow.refundOf(x.otherAccount);
        w.otherBalance = token.balanceOf(x.otherAccount);
    }

    /// @dev An arbitrary consistent state, as far as a step on the node reads it: see {NodeLedger}.
    function _world(Input memory x) internal view returns (World memory w) {
        w = _read(x);
        vm.assume(x.id != 0 && w.node.parent != x.id);
        vm.assume(w.node.parent != 0 || w.node.hirerFunded);
        vm.assume(w.node.allocated <= w.node.amount);
        vm.assume(w.parent.allocated <= w.parent.amount);
        vm.assume(w.refund <= HELD && w.otherRefund <= HELD);
        vm.assume(x.otherId != x.id && (x.otherId != w.node.parent || w.node.hirerFunded));
        vm.assume(x.otherAccount != w.hirer && x.otherAccount != address(escrow));
    }

    /// @dev The same, and the node holds money and is not final.
    function _openWorld(Input memory x) internal view returns (World memory w) {
        w = _world(x);
        vm.assume(w.node.state >= NodeState.Funded && w.node.state <= NodeState.Disputed);
        // What a live carve-out holds is promised to it.
        vm.assume(w.node.hirerFunded || w.parent.allocated >= w.node.amount);
    }

    // ---------------------------------------------------------------------------------------------------- properties

    /// @dev Whose node it is never changes, and nobody else's money either.
    function _checkFrame(World memory b, World memory a) internal pure {
        assert(a.node.worker == b.node.worker && a.node.parent == b.node.parent);
        assert(a.node.hirerFunded == b.node.hirerFunded && a.hirer == b.hirer);
        assert(a.node.deliverBy == b.node.deliverBy && a.node.acceptWindow == b.node.acceptWindow);
        assert(a.parent.amount == b.parent.amount && a.parent.state == b.parent.state);
        assert(a.other.worker == b.other.worker && a.other.amount == b.other.amount);
        assert(a.other.allocated == b.other.allocated && a.other.state == b.other.state);
        assert(a.other.parent == b.other.parent && a.other.hirerFunded == b.other.hirerFunded);
        assert(a.otherRefund == b.otherRefund);
    }

    /// @dev What left the node for where its money came from: the parent's free part, or the hirer's refund balance.
    function _back(World memory b, World memory a) internal pure returns (uint256) {
        if (b.node.hirerFunded) {
            if (b.node.parent != 0) assert(a.parent.allocated == b.parent.allocated);
            return a.refund - b.refund;
        }
        assert(a.refund == b.refund);
        return b.parent.allocated - a.parent.allocated;
    }

    /// @dev The node ended, and every unit of it is still there and belongs to whom the terms name.
    function _checkEnded(Input memory x, World memory b) internal view {
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.balance == b.balance && a.otherBalance == b.otherBalance);
        uint256 back = _back(b, a);
        assert(a.node.allocated == b.node.allocated);
        if (a.node.state == NodeState.Settled) {
            assert(a.node.amount + back == b.node.amount);
            assert(a.node.allocated <= a.node.amount);
        } else {
            assert(a.node.state == NodeState.Refunded || a.node.state == NodeState.Abandoned);
            assert(back == b.node.amount);
        }
    }

    /// @dev The node goes on, and holds what it held.
    function _checkHeld(Input memory x, World memory b) internal view {
        World memory a = _read(x);
        _checkFrame(b, a);
        assert(a.balance == b.balance && a.otherBalance == b.otherBalance);
        assert(_back(b, a) == 0);
        assert(a.node.amount == b.node.amount && a.node.allocated == b.node.allocated);
        assert(a.node.state >= NodeState.Funded && a.node.state <= NodeState.Disputed);
    }
}
