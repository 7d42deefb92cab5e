// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";

contract InvalidateNoncesTest is EscrowTest {
    function testFuzz_invalidateNonces_addsBitsAndNeverClearsThem(uint256 word, uint256 first, uint256 second) public {
        vm.startPrank(buyer);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.NoncesInvalidated(buyer, word, first);
        escrow.invalidateNonces(word, first);
        escrow.invalidateNonces(word, second);
        vm.stopPrank();
        assertEq(escrow.nonceBitmap(buyer, word), first | second);
        assertEq(escrow.nonceBitmap(stranger, word), 0);
    }

    /// @dev A word of nonces about a node is the node's id; the bit is the version.
    function test_invalidateNonces_withdrawsAQuote() public {
        usdc.mint(buyer, PRICE);
        bytes memory call = _fundCall(_terms(1, workers[0], PRICE, true));
        vm.prank(workers[0]);
        escrow.invalidateNonces(1, 1);
        assertTrue(escrow.nonceUsed(workers[0], 1 << 8));
        _fails(call, _nonceUsed(workers[0], 1 << 8));
    }

    function test_invalidateNonces_leavesTheOtherNoncesAlone() public {
        _hire(1, workers[0], PRICE);
        bytes memory call = _deliverCall(1, ARTIFACT);
        uint256 nonce = _nonceAt(1);
        vm.startPrank(workers[0]);
        escrow.invalidateNonces(1, ~(uint256(1) << (nonce & 0xff)));
        escrow.invalidateNonces(0, type(uint256).max);
        escrow.invalidateNonces(2, type(uint256).max);
        vm.stopPrank();
        _runs(call);
    }

    /// @dev A state that is still to come can be closed beforehand, for the signer alone.
    function test_invalidateNonces_reachesIntoTheFuture() public {
        _hire(1, workers[0], PRICE);
        uint256 next = _nonceAt(1) + 1;
        vm.prank(buyer);
        escrow.invalidateNonces(1, 1 << (next & 0xff));
        _deliver(1);
        _fails(_acceptCall(1), _nonceUsed(buyer, next));
        _fails(_rejectCall(1), _nonceUsed(buyer, next));
        vm.warp(START + WINDOW + 1);
        _withdraw(1, PRICE);
    }

    function test_invalidateNonces_refusesTheImplementation() public {
        vm.expectRevert(ITaskEscrow.NotAClone.selector);
        implementation.invalidateNonces(0, 1);
    }
}
