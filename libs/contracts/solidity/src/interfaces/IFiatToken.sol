// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title IFiatToken
/// @notice The part of USDC (version 2.2) that the escrow uses beyond ERC-20.
interface IFiatToken is IERC20 {
    /// @notice Moves tokens to the caller by a signed EIP-3009 authorisation.
    /// @param from Payer and signer.
    /// @param to Payee; must be the caller.
    /// @param value Amount in base units.
    /// @param validAfter Unix time; the authorisation is valid strictly after it.
    /// @param validBefore Unix time; the authorisation is valid strictly before it.
    /// @param nonce Chosen by the signer, used once.
    /// @param signature ECDSA (65 bytes) or, if `from` has code, ERC-1271 signature.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external;

    /// @notice Sets an allowance by a signed EIP-2612 permit.
    /// @param owner Holder and signer.
    /// @param spender Who may spend.
    /// @param value Allowance in base units.
    /// @param deadline Unix time, the last second at which the permit may be used.
    /// @param signature ECDSA (65 bytes) or, if `owner` has code, ERC-1271 signature.
    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature) external;
}
