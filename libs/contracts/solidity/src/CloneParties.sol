// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";

/// @title CloneParties
/// @notice Buyer and arbiter of a tree. They are appended to the clone's code, so they cost no storage, cannot change,
///         and are part of what the clone's address commits to.
abstract contract CloneParties is ITaskEscrow {
    /// @dev The implementation's own address: in a clone `address(this)` differs from it.
    address private immutable _IMPLEMENTATION = address(this);
    /// @dev The factory, which deploys the implementation. Anybody can have it send calls, so it must not be a party.
    address private immutable _FACTORY = msg.sender;

    /// @dev Keeps the implementation out of use: what follows its code prefix is not a pair of parties.
    modifier onlyClone() {
        _checkClone();
        _;
    }

    /// @inheritdoc ITaskEscrow
    function parties() external view override returns (address buyer, address arbiter) {
        return _parties();
    }

    /// @inheritdoc ITaskEscrow
    function factory() public view override returns (address) {
        return _FACTORY;
    }

    /// @dev A clone's code is 0x2d bytes of ERC-1167 forwarder, then buyer (20 bytes) and arbiter (20 bytes).
    function _parties() internal view returns (address buyer, address arbiter) {
        assembly ("memory-safe") {
            extcodecopy(address(), 0x00, 0x2d, 0x28)
            buyer := shr(96, mload(0x00))
            arbiter := shr(96, mload(0x14))
        }
    }

    function _checkClone() private view {
        if (address(this) == _IMPLEMENTATION) revert NotAClone();
    }
}
