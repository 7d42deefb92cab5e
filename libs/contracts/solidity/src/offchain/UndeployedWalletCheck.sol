// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @title UndeployedWalletCheck
/// @notice Asks a wallet contract that may not be deployed yet whether it agrees to a signature (ERC-6492). Never
///         deployed: its creation code is the data of an `eth_call` without a recipient, so that whatever the factory
///         does is forgotten with the call. What comes back as the "code" is one byte: 1 for yes, 0 for no.
contract UndeployedWalletCheck {
    /// @dev A wallet that has code is asked as it is: the factory could be made to change who speaks for it, for the
    ///      length of a call that costs nobody anything.
    /// @param wallet Address of the wallet.
    /// @param digest What was signed.
    /// @param factory Who deploys the wallet.
    /// @param factoryCall Call data with which it does.
    /// @param signature What the wallet is asked about.
    constructor(address wallet, bytes32 digest, address factory, bytes memory factoryCall, bytes memory signature) {
        // A factory that fails leaves no code, and no code agrees to nothing.
        if (wallet.code.length == 0) LowLevelCall.callNoReturn(factory, factoryCall);
        bool agrees = SignatureChecker.isValidERC1271SignatureNow(wallet, digest, signature);
        assembly ("memory-safe") {
            mstore8(0x00, agrees)
            return(0x00, 0x01)
        }
    }
}
