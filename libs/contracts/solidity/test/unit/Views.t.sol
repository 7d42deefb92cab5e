// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Node, NodeState} from "../../src/Types.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {TypedData} from "../base/TypedData.sol";

contract ViewsTest is EscrowTest {
    function _effective(uint192 id) private view returns (uint8) {
        return uint8(escrow.effectiveState(id));
    }

    function test_constants_areTheOnesAgreed() public view {
        assertEq(escrow.MIN_ACCEPT_WINDOW(), 4 hours);
        assertEq(escrow.MAX_ACCEPT_WINDOW(), 90 days);
        assertEq(escrow.MIN_WORK_SECONDS(), 1 hours);
        assertEq(escrow.MAX_WORK_SECONDS(), 365 days);
        assertEq(escrow.MAX_REVISIONS(), 10);
        assertEq(escrow.FIRST_WITHDRAWAL_NONCE(), 1 << 255);
        assertEq(escrow.RULING_WINDOW(), 30 days);
        assertEq(escrow.MAX_DEPTH(), 8);
        assertEq(address(escrow.token()), address(usdc));
        assertEq(escrow.factory(), address(factory));
    }

    function testFuzz_parties_comeFromTheClonesCode(address buyer_, address arbiter_, bytes32 treeId) public {
        vm.assume(_areParties(buyer_, arbiter_));
        TaskEscrow tree = TaskEscrow(factory.createTree(buyer_, arbiter_, treeId, ""));
        (address b, address a) = tree.parties();
        assertEq(b, buyer_);
        assertEq(a, arbiter_);
    }

    /// @dev Accounts that a factory takes for buyer and arbiter.
    function _areParties(address b, address a) private view returns (bool) {
        bool ruler = a == address(0) || (uint160(a) > 0xffff && a != address(factory) && a != address(implementation));
        return b != address(0) && b != a && b != address(factory) && ruler && a != address(usdc);
    }

    function test_node_isEmptyWhenUnknown() public view {
        Node memory n = escrow.node(42);
        assertEq(keccak256(abi.encode(n)), keccak256(new bytes(32 * 14)));
    }

    function test_effectiveState_ofADelivery() public {
        assertEq(_effective(1), uint8(NodeState.None));
        _hire(1, workers[0], PRICE);
        vm.warp(due + 1);
        assertEq(_effective(1), uint8(NodeState.Funded), "a missed deadline must be claimed");
        vm.warp(START);
        _deliver(1);
        vm.warp(START + WINDOW);
        assertEq(_effective(1), uint8(NodeState.Delivered));
        vm.warp(START + WINDOW + 1);
        assertEq(_effective(1), uint8(NodeState.Settled));
        _assertState(1, NodeState.Delivered);
        escrow.finalize(1);
        assertEq(_effective(1), uint8(NodeState.Settled));
    }

    function test_effectiveState_ofARejectionAndADispute() public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        _reject(1);
        vm.warp(due);
        assertEq(_effective(1), uint8(NodeState.Rejected));
        uint256 snapshot = vm.snapshotState();
        vm.warp(due + 1);
        assertEq(_effective(1), uint8(NodeState.Refunded));
        vm.revertToState(snapshot);
        _dispute(1);
        vm.warp(due + 30 days);
        assertEq(_effective(1), uint8(NodeState.Disputed));
        vm.warp(due + 30 days + 1);
        assertEq(_effective(1), uint8(NodeState.Settled));
    }

    function test_withdrawable_isNothingUntilSettled() public {
        assertEq(escrow.withdrawable(1), 0);
        _hire(1, workers[0], PRICE);
        assertEq(escrow.withdrawable(1), 0);
        _carve(CHILD, workers[1], 40e6);
        _deliver(1);
        assertEq(escrow.withdrawable(1), 0);
        vm.warp(START + WINDOW + 1);
        assertEq(escrow.withdrawable(1), 60e6);
        assertEq(escrow.withdrawable(CHILD), 0);
    }

    function test_nonceBitmap_hasTwoHundredFiftySixToAWord() public {
        _hire(1, workers[0], PRICE);
        _abandon(1);
        withdrawals[buyer] = 256 + 7;
        _withdrawRefund(buyer, 1);
        assertEq(escrow.nonceBitmap(buyer, FIRST_WITHDRAWAL >> 8), 0);
        assertEq(escrow.nonceBitmap(buyer, (FIRST_WITHDRAWAL >> 8) + 1), 1 << 7);
    }

    function test_nonceUsed_ofANodeFollowsItsVersion() public {
        for (uint256 version; version < 256; ++version) {
            assertFalse(escrow.nonceUsed(stranger, CHILD << 8 | version));
        }
        _hire(1, workers[0], PRICE);
        _carve(CHILD, workers[1], 40e6);
        _deliver(CHILD);
        for (uint256 version; version < 256; ++version) {
            assertEq(escrow.nonceUsed(stranger, uint256(CHILD) << 8 | version), version < 2);
        }
    }

    /// @dev Every bit of a path counts: the highest index of an eight-level one takes the last byte.
    function test_nonceUsed_ofTheLongestPath() public {
        uint192 id = 0xffffff;
        _hire(id, workers[0], PRICE);
        for (uint256 level = 2; level <= 8; ++level) {
            id = id << 24 | 0xffffff;
            _carve(id, workers[level % 6], uint64(PRICE >> level));
        }
        assertEq(id, type(uint192).max);
        assertTrue(escrow.nonceUsed(stranger, uint256(id) << 8));
        assertFalse(escrow.nonceUsed(stranger, uint256(id) << 8 | 1));
        assertFalse(escrow.nonceUsed(stranger, uint256(id & type(uint184).max) << 8));
    }

    /// @dev Bits above a path belong to no node.
    function testFuzz_nonceUsed_neverWrapsRound(uint256 high, uint8 version) public {
        _hire(1, workers[0], PRICE);
        _deliver(1);
        high = _bound(high, 1, type(uint256).max >> 200);
        assertFalse(escrow.nonceUsed(buyer, high << 200 | 1 << 8 | version));
    }

    function test_eip712Domain_describesTheDomain() public view {
        (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifier,
            bytes32 salt,
            uint256[] memory extensions
        ) = escrow.eip712Domain();
        assertEq(fields, hex"0f");
        assertEq(name, "Tasktree");
        assertEq(version, "2");
        assertEq(chainId, block.chainid);
        assertEq(verifier, address(escrow));
        assertEq(salt, 0);
        assertEq(extensions.length, 0);
    }

    function testFuzz_hashTypedData_followsTheChainAndTheDomain(bytes32 structHash, uint64 chainId) public {
        vm.chainId(_bound(chainId, 1, type(uint64).max - 1));
        (, string memory name, string memory version, uint256 id, address verifier,,) = escrow.eip712Domain();
        bytes32 separator = TypedData.domainSeparator(name, version, id, verifier);
        assertEq(escrow.hashTypedData(structHash), TypedData.digest(separator, structHash));
    }
}
