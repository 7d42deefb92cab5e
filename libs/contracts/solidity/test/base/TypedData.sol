// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {NodeTerms} from "../../src/Types.sol";

/// @notice EIP-712 types as docs/decisions/escrow.md#signed-actions words them, put together from parts and without the
///         contract's constants, so that a slip in either shows as a refused signature.
library TypedData {
    string private constant CLOSING = "bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil)";
    string private constant TERMS =
        "NodeTerms(uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,bool hirerFunded,bytes32 termsHash)";

    function typeHash(string memory opening) internal pure returns (bytes32) {
        return keccak256(bytes.concat(bytes(opening), ",", bytes(CLOSING)));
    }

    function typeHashWithTerms(string memory opening) internal pure returns (bytes32) {
        return keccak256(bytes.concat(bytes(opening), ",", bytes(CLOSING), bytes(TERMS)));
    }

    function hash(NodeTerms memory t) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(bytes(TERMS)),
                t.nodeId,
                t.worker,
                t.amount,
                t.floor,
                t.workSeconds,
                t.acceptWindow,
                t.maxRevisions,
                t.hirerFunded,
                t.termsHash
            )
        );
    }

    function domainSeparator(string memory name, string memory version, uint256 chainId, address verifier)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                verifier
            )
        );
    }

    function digest(bytes32 separator, bytes32 structHash) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }
}
