// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth} from "../../src/Types.sol";
import {ActionTest} from "./ActionTest.sol";

/// @notice What must hold for every action about a node, whose nonce is the node's path and version.
abstract contract NodeActionTest is ActionTest {
    /// @dev The node that the action is about.
    function _node() internal view virtual returns (uint192) {
        return 1;
    }

    function _goodNonce() internal view override returns (uint256) {
        return _nonceAt(_node());
    }

    function _refusalOfAnotherNonce(uint256 nonce) internal view override returns (bytes memory) {
        return _wrongNonce(_goodNonce(), nonce);
    }

    function testFuzz_auth_noOtherNonceWillDo(uint256 nonce) public {
        _arrange();
        vm.assume(nonce != _goodNonce());
        _fails(_callWithNonce(nonce), _wrongNonce(_goodNonce(), nonce));
    }

    function test_auth_anotherVersionOfTheNodeIsRefused() public {
        _arrange();
        for (uint256 version; version < 256; ++version) {
            uint256 nonce = uint256(_node()) << 8 | version;
            if (nonce != _goodNonce()) _fails(_callWithNonce(nonce), _wrongNonce(_goodNonce(), nonce));
        }
    }

    function test_auth_nonceOfAnotherNodeIsRefused() public {
        _arrange();
        uint256 version = _goodNonce() & 0xff;
        uint192[5] memory others = [0, _node() + 1, _node() >> 24, _node() << 24 | 1, _node() ^ (uint192(1) << 191)];
        for (uint256 i; i < others.length; ++i) {
            if (others[i] == _node()) continue;
            uint256 nonce = uint256(others[i]) << 8 | version;
            _fails(_callWithNonce(nonce), _wrongNonce(_goodNonce(), nonce));
        }
    }

    function test_auth_nonceOfAWithdrawalIsRefused() public {
        _arrange();
        uint256[3] memory nonces = [FIRST_WITHDRAWAL, FIRST_WITHDRAWAL | _goodNonce(), type(uint256).max];
        for (uint256 i; i < nonces.length; ++i) {
            _fails(_callWithNonce(nonces[i]), _wrongNonce(_goodNonce(), nonces[i]));
        }
    }

    /// @dev Bits above a path are no second way to write the same nonce.
    function test_auth_nonceBeyondAllPathsIsRefused() public {
        _arrange();
        for (uint256 bit = 200; bit < 256; ++bit) {
            uint256 nonce = 1 << bit | _goodNonce();
            _fails(_callWithNonce(nonce), _wrongNonce(_goodNonce(), nonce));
        }
    }

    /// @dev The execution leaves no bit behind: the node itself has moved on.
    function test_auth_executionRaisesTheVersionByOne() public {
        _arrange();
        Auth memory a = _signedBy(_signer(), _head());
        _runs(_call(a));
        assertEq(_nonceAt(_node()), a.nonce + 1);
        assertEq(escrow.nonceBitmap(_signer(), a.nonce >> 8), 0);
    }
}
