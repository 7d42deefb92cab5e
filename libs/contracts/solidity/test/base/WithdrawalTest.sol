// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth} from "../../src/Types.sol";
import {ActionTest} from "./ActionTest.sol";

/// @notice What must hold for every withdrawal, whose nonce is a bit of the signer's choice.
abstract contract WithdrawalTest is ActionTest {
    function _goodNonce() internal override returns (uint256) {
        return _auth(_signer()).nonce;
    }

    function _refusalOfAnotherNonce(uint256) internal view override returns (bytes memory) {
        return _invalidSignature(_signer());
    }

    function testFuzz_auth_anyFreeNonceWillDo(uint256 nonce) public {
        _arrange();
        nonce |= FIRST_WITHDRAWAL;
        assertFalse(escrow.nonceUsed(_signer(), nonce));
        _runs(_callWithNonce(nonce));
        assertTrue(escrow.nonceUsed(_signer(), nonce));
        assertEq(escrow.nonceBitmap(_signer(), nonce >> 8), 1 << (nonce & 0xff), "its own bit alone");
    }

    function testFuzz_auth_nonceOfANodeIsRefused(uint256 nonce) public {
        _arrange();
        nonce &= FIRST_WITHDRAWAL - 1;
        _fails(_callWithNonce(nonce), _wrongNonce(FIRST_WITHDRAWAL, nonce));
    }

    function test_auth_aNonceIsGoodOnce() public {
        _arrange();
        uint256 nonce = _goodNonce();
        _runs(_callWithNonce(nonce));
        _fails(_callWithNonce(nonce), _nonceUsed(_signer(), nonce));
    }

    function test_auth_firstAndLastNonceAreGood() public {
        _arrange();
        _runs(_callWithNonce(FIRST_WITHDRAWAL));
        _runs(_callWithNonce(type(uint256).max));
        _fails(_callWithNonce(FIRST_WITHDRAWAL - 1), _wrongNonce(FIRST_WITHDRAWAL, FIRST_WITHDRAWAL - 1));
    }
}
