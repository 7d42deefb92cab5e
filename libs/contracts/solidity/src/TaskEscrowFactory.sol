// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

import {TaskEscrow} from "./TaskEscrow.sol";
import {IFiatToken} from "./interfaces/IFiatToken.sol";

/// @title TaskEscrowFactory
/// @notice Makes the escrow of a tree at an address that is known before. Anyone may call it; it has no owner and keeps
///         nothing.
contract TaskEscrowFactory {
    /// @dev Precompiles, present and to come, lie at or below it. Nobody holds a key for them.
    uint160 private constant _LAST_RESERVED = 0xffff;

    /// @notice The contract that every clone forwards to.
    address public immutable implementation;
    /// @notice Settlement token of all trees.
    IFiatToken public immutable token;

    /// @notice The escrow of a tree was deployed.
    /// @param treeId Identifier of the tree.
    /// @param escrow Its escrow.
    /// @param buyer Buyer of the tree.
    /// @param arbiter Arbiter of the tree, zero if there is none.
    event TreeCreated(bytes32 indexed treeId, address indexed escrow, address indexed buyer, address arbiter);

    /// @notice There must be a buyer, neither it nor the arbiter may be a contract of the tree itself, and the buyer must
    ///         not come to rule on its own money.
    error InvalidParties(address buyer, address arbiter);

    /// @param token_ Settlement token; must have code and move exactly the amounts it is asked to.
    constructor(IFiatToken token_) {
        token = token_;
        implementation = address(new TaskEscrow(token_));
    }

    /// @notice Deploys the escrow of a tree unless it is there, then forwards a call to it.
    /// @dev A deployment by somebody else first changes nothing: same code, same parties, same address.
    /// @dev The call reaches the escrow with this factory as the sender, so it needs a signature. That is why the factory
    ///      itself can be no party of a tree: with it as the sender, everybody would act for it.
    /// @param buyer Buyer of the tree, not zero.
    /// @param arbiter Arbiter of the tree, not the buyer; zero for none.
    /// @param treeId Identifier of the tree.
    /// @param call ABI-encoded call of {ITaskEscrow}; may be empty. If it fails, everything does.
    /// @return escrow The tree's escrow.
    function createTree(address buyer, address arbiter, bytes32 treeId, bytes calldata call)
        external
        returns (address escrow)
    {
        escrow = escrowOf(buyer, arbiter, treeId);
        if (escrow.code.length == 0) {
            if (
                buyer == address(0) || buyer == arbiter || buyer == address(this) || _cannotRule(arbiter)
                    || arbiter == escrow
            ) revert InvalidParties(buyer, arbiter);
            Clones.cloneDeterministicWithImmutableArgs(implementation, abi.encodePacked(buyer, arbiter), treeId);
            emit TreeCreated(treeId, escrow, buyer, arbiter);
        }
        if (call.length != 0) Address.functionCall(escrow, call);
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

    /// @dev An arbiter that everybody can act for, or nobody ever can, is none.
    function _cannotRule(address arbiter) private view returns (bool) {
        if (arbiter == address(0)) return false;
        return uint160(arbiter) <= _LAST_RESERVED || arbiter == address(this) || arbiter == implementation
            || arbiter == address(token);
    }
}
