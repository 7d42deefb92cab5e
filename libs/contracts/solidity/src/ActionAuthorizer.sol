// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {Auth} from "./Types.sol";
import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";

/// @title ActionAuthorizer
/// @notice Who may act: EIP-712 domain, nonces, and signatures of keys and of contracts.
///
/// @dev The nonce of an action about a node is the node's own counter, as the nonce of an account is the account's: the
///      execution raises the counter, so that nothing has to be written down per signer. Withdrawals have no such counter,
///      as they take a balance in any number of parts; their nonces are bits. A set bit revokes any nonce.
abstract contract ActionAuthorizer is ITaskEscrow {
    /// @inheritdoc ITaskEscrow
    uint256 public constant override FIRST_WITHDRAWAL_NONCE = 1 << 255;

    bytes32 private constant _DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant _NAME_HASH = keccak256("Tasktree");
    bytes32 private constant _VERSION_HASH = keccak256("2");

    /// @inheritdoc ITaskEscrow
    mapping(address signer => mapping(uint256 word => uint256 bits)) public override nonceBitmap;

    /// @inheritdoc ITaskEscrow
    function hashTypedData(bytes32 structHash) external view override returns (bytes32) {
        return _hashTypedData(structHash);
    }

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        override
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        // 0x0f: the first four members are used, the salt is not.
        return (hex"0f", "Tasktree", "2", block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    /// @dev Requires either the signer as the sender or its signature over the struct.
    /// @param nonce What the action's nonce must be.
    function _authorize(address signer, bytes32 structHash, uint256 nonce, Auth calldata auth) internal {
        _checkNonce(signer, nonce, auth);
        _checkSignature(signer, structHash, auth);
    }

    /// @dev As {_authorize} for a withdrawal, whose nonce is a bit of the signer's own choice.
    function _authorizeWithdrawal(address signer, bytes32 structHash, Auth calldata auth) internal {
        if (auth.nonce < FIRST_WITHDRAWAL_NONCE) revert WrongNonce(FIRST_WITHDRAWAL_NONCE, auth.nonce);
        _checkNonce(signer, auth.nonce, auth);
        nonceBitmap[signer][auth.nonce >> 8] |= 1 << (auth.nonce & 0xff);
        _checkSignature(signer, structHash, auth);
    }

    /// @dev On its own only where another contract checks the signature.
    function _checkNonce(address signer, uint256 nonce, Auth calldata auth) internal {
        if (block.timestamp > auth.validUntil) revert ActionExpired(auth.validUntil);
        if (auth.nonce != nonce) revert WrongNonce(nonce, auth.nonce);
        if (_isRevoked(signer, nonce)) revert NonceUsed(signer, nonce);
        emit ActionConsumed(auth.actionId, signer, nonce, auth.requestDigest);
    }

    /// @dev Uses nonces of the sender up without an action.
    function _invalidate(uint256 word, uint256 mask) internal {
        nonceBitmap[msg.sender][word] |= mask;
        emit NoncesInvalidated(msg.sender, word, mask);
    }

    function _isRevoked(address signer, uint256 nonce) internal view returns (bool) {
        return (nonceBitmap[signer][nonce >> 8] >> (nonce & 0xff)) & 1 != 0;
    }

    /// @dev The domain is computed at run time: it must follow the clone's address and a fork's chain id.
    function _hashTypedData(bytes32 structHash) internal view returns (bytes32 digest) {
        bytes32 separator =
            keccak256(abi.encode(_DOMAIN_TYPEHASH, _NAME_HASH, _VERSION_HASH, block.chainid, address(this)));
        assembly ("memory-safe") {
            let start := mload(0x40)
            mstore(start, hex"1901")
            mstore(add(start, 0x02), separator)
            mstore(add(start, 0x22), structHash)
            digest := keccak256(start, 0x42)
        }
    }

    function _checkSignature(address signer, bytes32 structHash, Auth calldata auth) private view {
        bool authorized = auth.signature.length == 0
            ? msg.sender == signer
            : _isValidSignature(signer, _hashTypedData(structHash), auth.signature);
        if (!authorized) revert InvalidSignature(signer);
    }

    /// @dev ECDSA first, ERC-1271 second: a key that delegated its account's code under EIP-7702 stays able to sign,
    ///      whatever its delegate thinks of ERC-1271. The key is the root authority of such an account anyway.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
