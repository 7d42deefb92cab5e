// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {Auth} from "./Types.sol";
import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";

/// @title ActionAuthorizer
/// @notice Who may act: EIP-712 domain, single-use nonces, and signatures of keys and of contracts.
abstract contract ActionAuthorizer is ITaskEscrow {
    bytes32 private constant _DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant _NAME_HASH = keccak256("Tasktree");
    bytes32 private constant _VERSION_HASH = keccak256("1");

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
        return (hex"0f", "Tasktree", "1", block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    /// @dev Uses the nonce up and requires either the signer as the sender or its signature over the struct.
    function _authorize(address signer, bytes32 structHash, Auth calldata auth) internal {
        _consume(signer, auth);
        bool authorized = auth.signature.length == 0
            ? msg.sender == signer
            : _isValidSignature(signer, _hashTypedData(structHash), auth.signature);
        if (!authorized) revert InvalidSignature(signer);
    }

    /// @dev Uses the nonce up. On its own only where another contract checks the signature.
    function _consume(address signer, Auth calldata auth) internal {
        if (block.timestamp > auth.validUntil) revert ActionExpired(auth.validUntil);
        // Flip the bit: if it is clear afterwards it was set before.
        uint256 bit = 1 << (auth.nonce & 0xff);
        uint256 flipped = nonceBitmap[signer][auth.nonce >> 8] ^= bit;
        if (flipped & bit == 0) revert NonceUsed(signer, auth.nonce);
        emit ActionConsumed(auth.actionId, signer, auth.nonce, auth.requestDigest);
    }

    /// @dev Uses nonces of the sender up without an action.
    function _invalidate(uint256 word, uint256 mask) internal {
        nonceBitmap[msg.sender][word] |= mask;
        emit NoncesInvalidated(msg.sender, word, mask);
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

    /// @dev ECDSA first, ERC-1271 second: a key that delegated its account's code under EIP-7702 stays able to sign,
    ///      whatever its delegate thinks of ERC-1271. The key is the root authority of such an account anyway.
    function _isValidSignature(address signer, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address recovered, ECDSA.RecoverError failure,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (failure == ECDSA.RecoverError.NoError && recovered == signer) return true;
        return signer.code.length != 0 && SignatureChecker.isValidERC1271SignatureNowCalldata(signer, digest, signature);
    }
}
