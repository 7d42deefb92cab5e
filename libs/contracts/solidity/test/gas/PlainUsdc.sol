// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice The plain token that the prototype's figures were measured with: a deny list and a pause, but none of the
///         events of EIP-3009, no admin and no proxy. {LocalUsdc} behaves as the real token does and costs more.
contract PlainUsdc is ERC20("USD Coin", "USDC") {
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );

    mapping(address account => mapping(bytes32 nonce => bool used)) public authorizationState;
    mapping(address account => bool isDenied) public denied;
    bool public paused;

    error Refused();

    function mint(address to, uint256 amount) external returns (bool) {
        _mint(to, amount);
        return true;
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USD Coin"),
                keccak256("2"),
                block.chainid,
                address(this)
            )
        );
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        if (to != msg.sender || block.timestamp <= validAfter || block.timestamp >= validBefore) {
            revert Refused();
        }
        if (authorizationState[from][nonce]) revert Refused();
        bytes32 structHash =
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), structHash));
        if (!SignatureChecker.isValidSignatureNow(from, digest, signature)) revert Refused();
        authorizationState[from][nonce] = true;
        _transfer(from, to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        if (paused || denied[from] || denied[to] || denied[msg.sender]) revert Refused();
        super._update(from, to, value);
    }
}
