// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Auth} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {ClosedWallet, ConfusedWallet, OwnedWallet} from "../mocks/Wallets.sol";
import {EscrowTest} from "./EscrowTest.sol";
import {TypedData} from "./TypedData.sol";

/// @notice What must hold for the authorisation of every action. A test contract names its action by four functions and
///         inherits the whole table.
abstract contract ActionTest is EscrowTest {
    /// @dev Brings the tree to where the action is possible.
    function _arrange() internal virtual;

    /// @dev Who must authorise the action.
    function _signer() internal view virtual returns (address);

    /// @dev Type hash and own members of the struct that the signer signs.
    function _head() internal view virtual returns (bytes memory);

    /// @dev The call, with this authorisation in the signer's place.
    function _call(Auth memory a) internal virtual returns (bytes memory);

    /// @dev A nonce that is good for the action as things stand.
    function _goodNonce() internal virtual returns (uint256);

    /// @dev What a call says whose nonce was changed after it was signed.
    function _refusalOfAnotherNonce(uint256 nonce) internal virtual returns (bytes memory);

    function _consumed(Auth memory a) internal view returns (bool) {
        return escrow.nonceUsed(_signer(), a.nonce);
    }

    /// @dev An authorisation whose digest is signed by somebody's key.
    function _signedBy(address key, bytes memory head) internal returns (Auth memory a) {
        a = _auth(_goodNonce());
        a.signature = _sign(key, _digest(head, a));
    }

    /// @dev The action with a nonce of one's choice, and otherwise signed as it should be.
    function _callWithNonce(uint256 nonce) internal returns (bytes memory) {
        Auth memory a = _auth(nonce);
        a.signature = _sign(_signer(), _digest(_head(), a));
        return _call(a);
    }

    function test_auth_relayedSignatureIsAcceptedAndConsumed() public {
        _arrange();
        Auth memory a = _signedBy(_signer(), _head());
        bytes memory call = _call(a);
        assertFalse(_consumed(a));
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.ActionConsumed(a.actionId, _signer(), a.nonce, a.requestDigest);
        vm.prank(stranger);
        _runs(call);
        assertTrue(_consumed(a));
    }

    function test_auth_signerMaySendItselfWithoutSignature() public {
        _arrange();
        Auth memory a = _auth(_goodNonce());
        bytes memory call = _call(a);
        vm.expectEmit(address(escrow));
        emit ITaskEscrow.ActionConsumed(a.actionId, _signer(), a.nonce, a.requestDigest);
        vm.prank(_signer());
        _runs(call);
        assertTrue(_consumed(a));
    }

    function test_auth_noSignatureFromAnotherSenderIsRefused() public {
        _arrange();
        bytes memory call = _call(_auth(_goodNonce()));
        _fails(call, _invalidSignature(_signer()));
    }

    function test_auth_wrongSignerIsRefused() public {
        _arrange();
        address[3] memory others = [_account("nobody"), buyer, workers[5]];
        for (uint256 i; i < others.length; ++i) {
            if (others[i] == _signer()) continue;
            _fails(_call(_signedBy(others[i], _head())), _invalidSignature(_signer()));
        }
    }

    function test_auth_signatureIsNotReplacedByTheSender() public {
        _arrange();
        bytes memory call = _call(_signedBy(_account("nobody"), _head()));
        vm.prank(_signer());
        (bool ok, bytes memory result) = address(escrow).call(call);
        assertFalse(ok);
        assertEq(result, _invalidSignature(_signer()));
    }

    /// @dev Word 0 is the type hash, so that this also stands for a signature over another kind of action.
    function test_auth_everySignedMemberCounts() public {
        _arrange();
        uint256 words = _head().length / 32;
        for (uint256 i; i < words; ++i) {
            bytes memory head = _head();
            head[32 * i + 31] ^= 0x01;
            _fails(_call(_signedBy(_signer(), head)), _invalidSignature(_signer()));
        }
    }

    function test_auth_everyClosingMemberCounts() public {
        _arrange();
        for (uint256 i; i < 3; ++i) {
            Auth memory a = _signedBy(_signer(), _head());
            if (i == 0) a.actionId ^= bytes32(uint256(1));
            else if (i == 1) a.requestDigest ^= bytes32(uint256(1));
            else a.validUntil += 1;
            _fails(_call(a), _invalidSignature(_signer()));
        }
        Auth memory b = _signedBy(_signer(), _head());
        b.nonce += 1;
        _fails(_call(b), _refusalOfAnotherNonce(b.nonce));
    }

    function test_auth_signatureForAnotherDomainIsRefused() public {
        _arrange();
        address otherTree = factory.createTree(buyer, arbiter, "another tree", "");
        bytes32[5] memory separators = [
            TypedData.domainSeparator("Tasktree", "2", block.chainid, otherTree),
            TypedData.domainSeparator("Tasktree", "2", block.chainid, address(implementation)),
            TypedData.domainSeparator("Tasktree", "2", block.chainid + 1, address(escrow)),
            TypedData.domainSeparator("Tasktree", "1", block.chainid, address(escrow)),
            TypedData.domainSeparator("tasktree", "2", block.chainid, address(escrow))
        ];
        for (uint256 i; i < separators.length; ++i) {
            Auth memory a = _auth(_goodNonce());
            a.signature = _sign(_signer(), TypedData.digest(separators[i], _structHash(_head(), a)));
            _fails(_call(a), _invalidSignature(_signer()));
        }
    }

    function test_auth_signatureDiesWithAForkOfTheChain() public {
        _arrange();
        bytes memory call = _call(_signedBy(_signer(), _head()));
        vm.chainId(block.chainid + 1);
        (bool ok, bytes memory result) = address(escrow).call(call);
        assertFalse(ok);
        // With two signatures in one call the other one may be looked at first.
        assertEq(bytes4(result), ITaskEscrow.InvalidSignature.selector);
    }

    function test_auth_validUntilIsTheLastSecond() public {
        _arrange();
        Auth memory a = _auth(_goodNonce());
        a.validUntil = block.timestamp;
        a.signature = _sign(_signer(), _digest(_head(), a));
        _runs(_call(a));
    }

    function test_auth_expiredIsRefused() public {
        _arrange();
        Auth memory a = _auth(_goodNonce());
        a.validUntil = block.timestamp - 1;
        a.signature = _sign(_signer(), _digest(_head(), a));
        _fails(_call(a), abi.encodeWithSelector(ITaskEscrow.ActionExpired.selector, a.validUntil));
    }

    function test_auth_usedNonceIsRefused() public {
        _arrange();
        Auth memory a = _signedBy(_signer(), _head());
        bytes memory call = _call(a);
        vm.prank(_signer());
        escrow.invalidateNonces(a.nonce >> 8, 1 << (a.nonce & 0xff));
        assertTrue(_consumed(a));
        _fails(call, _nonceUsed(_signer(), a.nonce));
    }

    function test_auth_theSameCallNeverRunsTwice() public {
        _arrange();
        bytes memory call = _call(_signedBy(_signer(), _head()));
        _runs(call);
        (bool ok,) = address(escrow).call(call);
        assertFalse(ok);
        vm.prank(_signer());
        (ok,) = address(escrow).call(call);
        assertFalse(ok);
    }

    function test_auth_noncesOfOthersDoNotMatter() public {
        _arrange();
        Auth memory a = _signedBy(_signer(), _head());
        bytes memory call = _call(a);
        vm.prank(_account("nobody"));
        escrow.invalidateNonces(a.nonce >> 8, type(uint256).max);
        assertFalse(_consumed(a));
        _runs(call);
    }

    function test_auth_contractWalletDecidesByErc1271() public {
        _arrange();
        address owner = _account("wallet owner");
        vm.etch(_signer(), address(new OwnedWallet(owner)).code);
        _fails(_call(_signedBy(_account("nobody"), _head())), _invalidSignature(_signer()));
        _runs(_call(_signedBy(owner, _head())));
    }

    function test_auth_contractWalletMayRefuseOrAnswerNonsense() public {
        _arrange();
        address owner = _account("wallet owner");
        vm.etch(_signer(), type(ConfusedWallet).runtimeCode);
        _fails(_call(_signedBy(owner, _head())), _invalidSignature(_signer()));
        vm.etch(_signer(), type(ClosedWallet).runtimeCode);
        _fails(_call(_signedBy(owner, _head())), _invalidSignature(_signer()));
        vm.etch(_signer(), hex"00"); // stops: success without an answer
        _fails(_call(_signedBy(owner, _head())), _invalidSignature(_signer()));
    }

    function test_auth_delegatedKeyKeepsItsSignature() public {
        _arrange();
        vm.etch(_signer(), abi.encodePacked(hex"ef0100", address(usdc))); // EIP-7702; the token knows no ERC-1271
        _runs(_call(_signedBy(_signer(), _head())));
    }

    function test_auth_malleableAndShortSignaturesAreRefused() public {
        _arrange();
        Auth memory a = _auth(_goodNonce());
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(keyOf[_signer()], _digest(_head(), a));
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        a.signature = abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        _fails(_call(a), _invalidSignature(_signer()));
        a.signature = abi.encodePacked(r, v == 27 ? s : bytes32(uint256(s) | (1 << 255)));
        _fails(_call(a), _invalidSignature(_signer()));
        a.signature = abi.encodePacked(r, s, uint8(0));
        _fails(_call(a), _invalidSignature(_signer()));
    }

    function test_auth_implementationItselfIsOutOfUse() public {
        _arrange();
        bytes memory call = _call(_signedBy(_signer(), _head()));
        (bool ok, bytes memory result) = address(implementation).call(call);
        assertFalse(ok);
        assertEq(result, _error(ITaskEscrow.NotAClone.selector));
    }
}
