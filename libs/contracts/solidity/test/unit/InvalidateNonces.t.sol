// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth} from "../../src/Types.sol";
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

    function test_invalidateNonces_withdrawsAQuote() public {
        bytes memory call = _selectCall(_terms(1, 0, workers[0], PRICE, true));
        vm.prank(workers[0]);
        escrow.invalidateNonces(0, 1);
        _fails(call, abi.encodeWithSelector(ITaskEscrow.NonceUsed.selector, workers[0], 0));
    }

    function test_invalidateNonces_leavesTheOtherNoncesAlone() public {
        Auth memory a = _signed(buyer, _createTaskHead(1, "terms"));
        vm.prank(buyer);
        escrow.invalidateNonces(0, ~(uint256(1) << a.nonce));
        escrow.createTask(1, "terms", a);
        assertEq(escrow.nonceBitmap(buyer, 0), type(uint256).max);
    }

    function test_invalidateNonces_refusesTheImplementation() public {
        vm.expectRevert(ITaskEscrow.NotAClone.selector);
        implementation.invalidateNonces(0, 1);
    }
}
