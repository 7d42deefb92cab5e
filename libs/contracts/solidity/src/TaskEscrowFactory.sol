// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

import {TaskEscrow} from "./TaskEscrow.sol";
import {IFiatToken} from "./interfaces/IFiatToken.sol";

/// @title TaskEscrowFactory
/// @notice Makes the escrow of a tree at an address that is known before. Anyone may call it; it has no owner and keeps
///         nothing. One transaction deploys all: the factory makes the implementation itself, so whoever knows the
///         factory's code knows the escrow's.
contract TaskEscrowFactory {
    /// @dev Last of the addresses that chains keep for contracts of their own, for which nobody holds a key. They are refused
    ///      as a precaution: the identity contract at 4 answers every ERC-1271 question with the question itself, and a
    ///      checker that compares only four bytes would take that for a yes.
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
    /// @param buyer Buyer of the tree; neither zero nor this factory.
    /// @param arbiter Arbiter of the tree, zero for none; neither the buyer nor a contract of the deployment nor an
    ///        address up to 0xffff.
    /// @param treeId Identifier of the tree.
    /// @param call ABI-encoded call of {ITaskEscrow}; may be empty. If it fails, everything does.
    /// @return escrow The tree's escrow.
    function createTree(address buyer, address arbiter, bytes32 treeId, bytes calldata call)
        external
        returns (address escrow)
    {
        escrow = escrowOf(buyer, arbiter, treeId);
        if (escrow.code.length == 0) {
            _checkParties(buyer, arbiter, escrow);
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

    /// @dev Anybody can have this factory send calls, so in either role it would act for everybody. The other contracts
    ///      refused as arbiter could never rule.
    function _checkParties(address buyer, address arbiter, address escrow) internal view {
        if (buyer == address(0) || buyer == address(this) || buyer == arbiter) revert InvalidParties(buyer, arbiter);
        if (arbiter == address(0)) return;
        if (
            uint160(arbiter) <= _LAST_RESERVED || arbiter == address(this) || arbiter == address(token)
                || arbiter == implementation || arbiter == escrow
        ) revert InvalidParties(buyer, arbiter);
    }
}
