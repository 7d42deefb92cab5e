// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Test} from "forge-std/Test.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Node, NodeState} from "../../src/Types.sol";
import {TreeHandler} from "./TreeHandler.sol";

/// @notice What holds after any history. That final states stay final, that nonces never become usable again, that no
///         action runs twice and that nothing closed reopens is checked by the handler at every step.
contract SolvencyTest is Test {
    TreeHandler private handler;
    TaskEscrow private escrow;
    LocalUsdc private usdc;

    function setUp() public {
        handler = new TreeHandler();
        (address escrow_, address token_) = handler.target();
        (escrow, usdc) = (TaskEscrow(escrow_), LocalUsdc(token_));
        bytes4[] memory selectors = new bytes4[](14);
        selectors[0] = TreeHandler.hire.selector;
        selectors[1] = TreeHandler.subcontract.selector;
        selectors[2] = TreeHandler.deliver.selector;
        selectors[3] = TreeHandler.accept.selector;
        selectors[4] = TreeHandler.reject.selector;
        selectors[5] = TreeHandler.abandon.selector;
        selectors[6] = TreeHandler.claim.selector;
        selectors[7] = TreeHandler.dispute.selector;
        selectors[8] = TreeHandler.rule.selector;
        selectors[9] = TreeHandler.split.selector;
        selectors[10] = TreeHandler.finalize.selector;
        selectors[11] = TreeHandler.withdraw.selector;
        selectors[12] = TreeHandler.withdrawRefund.selector;
        selectors[13] = TreeHandler.replay.selector;
        targetSelector(FuzzSelector({addr: address(handler), selectors: selectors}));
        targetContract(address(handler));
    }

    /// @dev Neither the node nor a backer has ended without pay.
    function _isLive(Node memory n) private view returns (bool) {
        while (n.state >= NodeState.Funded && n.state <= NodeState.Settled) {
            if (n.hirerFunded) return true;
            n = escrow.node(n.parent);
        }
        return false;
    }

    /// @dev 1: what the escrow holds is exactly what it owes, and 2: exactly what came in and has not gone out.
    ///      3: no node has promised more than it holds.
    function invariant_balanceIsWhatIsOwed() public view {
        uint256 owed;
        address[9] memory all = handler.accounts();
        for (uint256 i; i < all.length; ++i) {
            owed += escrow.refundOf(all[i]);
        }
        for (uint256 i; i < handler.idCount(); ++i) {
            Node memory n = escrow.node(handler.ids(i));
            assertLe(n.allocated, n.amount, "more promised than there is");
            if (_isLive(n)) owed += n.amount - n.allocated;
        }
        assertEq(usdc.balanceOf(address(escrow)), owed, "held is not owed");
        assertEq(usdc.balanceOf(address(escrow)), handler.deposited() - handler.withdrawn(), "held is not in minus out");
    }

    /// @dev 4: what a node has promised is what its children hold or have taken out.
    function invariant_promisesAreTheChildrens() public view {
        uint256 count = handler.idCount();
        for (uint256 i; i < count; ++i) {
            uint256 promised;
            for (uint256 j; j < count; ++j) {
                Node memory child = escrow.node(handler.ids(j));
                if (child.parent != handler.ids(i) || child.hirerFunded || child.state > NodeState.Settled) continue;
                promised += child.amount + handler.withdrawnFrom(handler.ids(j));
            }
            assertEq(escrow.node(handler.ids(i)).allocated, promised);
        }
    }

    /// @dev 5: what all workers and hirers can take out now is there. 6: no node lies deeper than eight levels, and none
    ///      outlasts its parent. 7: the arbiter never earns.
    function invariant_everyPromiseCanBeKeptAtOnce() public view {
        uint256 claims;
        address[9] memory all = handler.accounts();
        for (uint256 i; i < all.length; ++i) {
            claims += escrow.refundOf(all[i]);
        }
        (, address arbiter) = escrow.parties();
        for (uint256 i; i < handler.idCount(); ++i) {
            claims += escrow.withdrawable(handler.ids(i));
            Node memory n = escrow.node(handler.ids(i));
            uint256 level = 1;
            for (; n.parent != 0; ++level) {
                Node memory parent = escrow.node(n.parent);
                assertLe(n.deliverBy, parent.deliverBy, "a child outlasts its parent");
                n = parent;
            }
            assertLe(level, escrow.MAX_DEPTH(), "too deep");
        }
        assertLe(claims, usdc.balanceOf(address(escrow)), "insolvent");
        assertEq(usdc.balanceOf(arbiter), 0, "the arbiter was paid");
        assertEq(escrow.refundOf(arbiter), 0, "the arbiter is owed");
    }

    /// @dev 8: time alone ends every node, and then everything can be taken out.
    function afterInvariant() public {
        handler.drain();
        assertEq(usdc.balanceOf(address(escrow)), 0, "money is stuck");
        if (!vm.envOr("SHOW_ACTIONS", false)) return;
        for (uint256 i; i < handler.actionCount(); ++i) {
            bytes32 action = handler.actions(i);
            emit log_named_uint(string(abi.encodePacked(action)), handler.succeeded(action));
        }
    }
}
