// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @notice The token as the escrow assumes it: it moves exactly what it is asked to, and says so.
contract ExactToken {
    /// @notice Of the last authorisation: who paid, the authorisation's nonce, and its end.
    address public lastPayer;
    bytes32 public lastNonce;
    uint256 public lastEnd;

    mapping(address account => uint256 amount) public balanceOf;

    function mint(address account, uint256 amount) external {
        balanceOf[account] += amount;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        _move(msg.sender, to, amount);
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        _move(from, to, amount);
        return true;
    }

    /// @dev The permit of the proofs changes nothing: {transferFrom} asks for no allowance.
    function permit(address, address, uint256, uint256, bytes calldata) external {}

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata
    ) external {
        require(to == msg.sender);
        (lastPayer, lastNonce, lastEnd) = (from, nonce, validBefore);
        _move(from, to, value);
    }

    function _move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
