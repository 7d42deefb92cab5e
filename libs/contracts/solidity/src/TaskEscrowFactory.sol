// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";

import {ITaskEscrow} from "./interfaces/ITaskEscrow.sol";

/// @title TaskEscrowFactory
/// @notice Makes the escrow of a tree at an address that is known before. Anyone may call it; it has no owner and keeps
///         nothing.
contract TaskEscrowFactory {
    /// @notice The contract that every clone forwards to.
    address public immutable implementation;

    /// @notice The escrow of a tree was deployed.
    /// @param treeId Identifier of the tree.
    /// @param escrow Its escrow.
    /// @param buyer Buyer of the tree.
    /// @param arbiter Arbiter of the tree, zero if there is none.
    event TreeCreated(bytes32 indexed treeId, address indexed escrow, address indexed buyer, address arbiter);

    /// @notice There must be a buyer, and it must not come to rule on its own money.
    error InvalidParties(address buyer, address arbiter);

    /// @param implementation_ A deployed {TaskEscrow}.
    constructor(address implementation_) {
        implementation = implementation_;
    }

    /// @notice Deploys the escrow of a tree unless it is there, then runs the given calls on it.
    /// @dev A deployment by somebody else first changes nothing: same code, same parties, same address.
    /// @dev The calls reach the escrow with this factory as the sender, so each needs a signature.
    /// @param buyer Buyer of the tree, not zero.
    /// @param arbiter Arbiter of the tree, not the buyer; zero for none.
    /// @param treeId Identifier of the tree.
    /// @param calls ABI-encoded calls for {ITaskEscrow-multicall}; may be empty.
    /// @return escrow The tree's escrow.
    function createTree(address buyer, address arbiter, bytes32 treeId, bytes[] calldata calls)
        external
        returns (address escrow)
    {
        if (buyer == address(0) || buyer == arbiter) revert InvalidParties(buyer, arbiter);
        escrow = escrowOf(buyer, arbiter, treeId);
        if (escrow.code.length == 0) {
            Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encodePacked(buyer, arbiter), treeId);
            emit TreeCreated(treeId, escrow, buyer, arbiter);
        }
        if (calls.length != 0) ITaskEscrow(escrow).multicall(calls);
    }

    /// @notice Address of a tree's escrow, deployed or not. It commits to the implementation, the buyer and the arbiter.
    /// @param buyer Buyer of the tree.
    /// @param arbiter Arbiter of the tree, zero for none.
    /// @param treeId Identifier of the tree.
    function escrowOf(address buyer, address arbiter, bytes32 treeId) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            implementation, abi.encodePacked(buyer, arbiter), treeId, address(this)
        );
    }
}
