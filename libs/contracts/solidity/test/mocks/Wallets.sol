// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice Smart wallet that accepts its owner's signatures.
contract OwnedWallet is IERC1271 {
    address private immutable _OWNER;

    constructor(address owner) {
        _OWNER = owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        bool valid = SignatureChecker.isValidSignatureNowCalldata(_OWNER, hash, signature);
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// @notice Account code that answers every call with the number one.
contract ConfusedWallet {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0x00, 1)
            return(0x00, 0x20)
        }
    }
}

/// @notice Account code that refuses every call.
contract ClosedWallet {
    error Closed();

    fallback() external {
        revert Closed();
    }
}

/// @notice Smart wallet whose answer to the same signature changes with its mood.
contract MoodyWallet is IERC1271 {
    enum Mood {
        Honest,
        Refusing,
        Reverting
    }

    error BadMood();

    address private immutable _OWNER;
    Mood public mood;

    constructor(address owner) {
        _OWNER = owner;
    }

    function setMood(Mood to) external {
        mood = to;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        if (mood == Mood.Reverting) revert BadMood();
        bool valid = mood == Mood.Honest && SignatureChecker.isValidSignatureNowCalldata(_OWNER, hash, signature);
        return valid ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
