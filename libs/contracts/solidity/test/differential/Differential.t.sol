// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, Node, NodeTerms} from "../../src/Types.sol";
import {ITaskEscrow} from "../../src/interfaces/ITaskEscrow.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {TypedData} from "../base/TypedData.sol";

/// @notice Replays histories that the TypeScript model has judged (tools/histories.mjs): at every step the contract must
///         let the call through or refuse it with the very error, and at the end hold the same books.
contract DifferentialTest is EscrowTest {
    /// @dev The end of a history; undoes it, and leaves the memory as it was.
    error Agreed();

    /// @dev One step: what tools/histories.mjs writes into 64 bytes.
    struct Step {
        uint8 kind;
        uint40 time;
        address sender;
        uint32 id;
        uint32 parent;
        address worker;
        uint96 amount;
        uint32 acceptWindow;
        uint40 deliverBy;
        bool hirerFunded;
        FundingMode mode;
        address recipient;
        bytes32 artifact;
        uint256 first;
        uint256 second;
        bytes4 expected;
    }

    uint256 private constant ACCOUNTS = 11;
    address[11] private accounts;

    function setUp() public override {
        super.setUp();
        for (uint256 i; i < 6; ++i) {
            accounts[i] = workers[i];
        }
        (accounts[6], accounts[7], accounts[8]) = (buyer, arbiter, stranger);
        accounts[9] = address(uint160(uint256(keccak256("somebody who only receives"))));
    }

    /// @dev The committed histories; with HISTORIES (a folder) and HISTORY_FILES those of a longer run.
    function test_contractAndModelAgree() public {
        string memory folder = vm.envOr("HISTORIES", string(""));
        if (bytes(folder).length == 0) return _replayFile("test/vectors/histories.bin");
        uint256 files = vm.envUint("HISTORY_FILES");
        for (uint256 i; i < files; ++i) {
            this.replayFile(string.concat(folder, "/histories-", vm.toString(i), ".bin"));
        }
    }

    function replayFile(string calldata path) external {
        _replayFile(path);
    }

    function _replayFile(string memory path) private {
        bytes memory all = vm.readFileBinary(path);
        uint256 count = _read(all, 0, 4);
        assertGt(count, 0, "no histories");
        uint256 at = 4;
        for (uint256 i; i < count; ++i) {
            uint256 length = _read(all, at, 4);
            _replayOne(all, at + 4, length, i);
            at += 4 + length;
        }
        assertEq(at, all.length, "trailing bytes");
    }

    function _replayOne(bytes memory all, uint256 from, uint256 length, uint256 index) private {
        bytes memory one = new bytes(length);
        assembly ("memory-safe") {
            mcopy(add(one, 0x20), add(add(all, 0x20), from), length)
        }
        try this.replay(one) {
            revert("a history did not end");
        } catch (bytes memory reason) {
            if (bytes4(reason) == Agreed.selector) {
                assembly ("memory-safe") {
                    mstore(0x40, one)
                }
                return;
            }
            emit log_named_uint("history", index);
            assembly ("memory-safe") {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    /// @dev Always reverts, with {Agreed} if contract and model agreed all along.
    function replay(bytes memory one) external {
        bool hasArbiter = _read(one, 0, 1) == 1;
        uint256 steps = _read(one, 1, 2);
        escrow = TaskEscrow(factory.createTree(buyer, hasArbiter ? arbiter : address(0), "history", new bytes[](0)));
        accounts[10] = address(escrow);
        for (uint256 i; i < 9; ++i) {
            // Without an arbiter its account is one like any other and may work.
            if (i < 7) usdc.mint(accounts[i], _read(one, 3 + 12 * i, 12));
            vm.prank(accounts[i]);
            usdc.approve(address(escrow), type(uint256).max);
        }
        uint256 at = 3 + 12 * 7;
        for (uint256 i; i < steps; ++i) {
            Step memory s = _decode(one, at);
            _take(s, i);
            at += 64;
        }
        _checkEnd(one, at);
        revert Agreed();
    }

    // ------------------------------------------------------------------------------------------------------ decoding

    function _read(bytes memory data, uint256 at, uint256 length) private pure returns (uint256 value) {
        assembly ("memory-safe") {
            value := shr(sub(256, mul(8, length)), mload(add(add(data, 0x20), at)))
        }
    }

    function _who(uint256 index) private view returns (address) {
        return index == 255 ? address(0) : accounts[index];
    }

    function _decode(bytes memory one, uint256 at) private view returns (Step memory s) {
        s.kind = uint8(_read(one, at, 1));
        s.time = uint40(_read(one, at + 1, 5));
        s.sender = _who(_read(one, at + 6, 1));
        s.id = uint32(_read(one, at + 7, 4));
        s.parent = uint32(_read(one, at + 11, 4));
        s.worker = _who(_read(one, at + 15, 1));
        s.amount = uint96(_read(one, at + 16, 12));
        s.acceptWindow = uint32(_read(one, at + 28, 4));
        s.deliverBy = uint40(_read(one, at + 32, 5));
        s.hirerFunded = _read(one, at + 37, 1) == 1;
        s.mode = FundingMode(_read(one, at + 38, 1));
        s.recipient = _who(_read(one, at + 39, 1));
        s.artifact = bytes32(_read(one, at + 40, 1));
        s.first = _read(one, at + 41, 9);
        s.second = _read(one, at + 50, 9);
        s.expected = bytes4(uint32(_read(one, at + 59, 4)));
    }

    /// @dev An authorisation of 9 bytes: signer, whether what it signed is what the call says, nonce, last second.
    function _authOf(uint256 packed) private view returns (Auth memory a, uint256 key, uint256 slip) {
        uint256 signer = packed >> 64;
        (a.actionId, a.requestDigest) = (bytes32(packed), bytes32("request"));
        (a.nonce, a.validUntil) = ((packed >> 40) & 0xffff, packed & 0xffffffffff);
        slip = (packed >> 56) & 0xff == 1 ? 0 : 1;
        key = signer == 255 ? 0 : keyOf[accounts[signer]];
    }

    function _by(uint256 packed, bytes memory head) private view returns (Auth memory a) {
        uint256 key;
        uint256 slip;
        (a, key, slip) = _authOf(packed);
        if (key != 0) a.signature = _bySlip(key, _digest(head, a), slip);
    }

    /// @dev As {_by}, or with EIP-3009 over the token's own type.
    function _paidBy(uint256 packed, FundingMode mode, address payer, uint256 amount, bytes memory head)
        private
        view
        returns (Auth memory a)
    {
        if (mode != FundingMode.Authorization3009) return _by(packed, head);
        uint256 key;
        uint256 slip;
        (a, key, slip) = _authOf(packed);
        bytes32 t = usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        bytes32 structHash =
            keccak256(abi.encode(t, payer, address(escrow), amount, uint256(0), a.validUntil, _digest(head, a)));
        if (key != 0) a.signature = _bySlip(key, TypedData.digest(usdc.DOMAIN_SEPARATOR(), structHash), slip);
    }

    function _bySlip(uint256 key, bytes32 digest, uint256 slip) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest ^ bytes32(slip));
        return abi.encodePacked(r, s, v);
    }

    // ------------------------------------------------------------------------------------------------------ replaying

    function _take(Step memory s, uint256 index) private {
        vm.warp(s.time);
        if (s.kind == 16) return usdc.pause();
        if (s.kind == 17) return usdc.unpause();
        if (s.kind == 18) return usdc.blacklist(s.worker);
        if (s.kind == 19) return usdc.unBlacklist(s.worker);
        bytes memory call = s.kind < 4 ? _agreement(s) : s.kind < 13 ? _work(s) : _money(s);
        vm.prank(s.sender);
        (bool ok, bytes memory answer) = address(escrow).call(call);
        if (ok == (s.expected == 0) && (ok || bytes4(answer) == s.expected)) return;
        emit log_named_uint("step", index);
        emit log_named_uint("kind", s.kind);
        emit log_named_bytes32("the model says", s.expected);
        emit log_named_bytes("the contract says", answer);
        revert("contract and model disagree");
    }

    function _agreement(Step memory s) private view returns (bytes memory) {
        if (s.kind == 0) {
            return abi.encodeCall(
                ITaskEscrow.createTask, (s.amount, "terms", _by(s.first, _createTaskHead(s.amount, "terms")))
            );
        }
        if (s.kind == 2) {
            Auth memory a = _paidBy(s.first, s.mode, buyer, escrow.node(s.id).amount, _fundHead(s.id));
            return abi.encodeCall(ITaskEscrow.fundTask, (s.id, s.mode, a, "no permit"));
        }
        NodeTerms memory t = NodeTerms({
            nodeId: s.id,
            parentNodeId: s.parent,
            worker: s.worker,
            amount: s.amount,
            deliverBy: s.deliverBy,
            acceptWindow: s.acceptWindow,
            hirerFunded: s.hirerFunded,
            termsHash: "brief"
        });
        if (s.kind == 1) {
            Auth memory w = _by(s.second, _quoteHead(t, buyer));
            return abi.encodeCall(ITaskEscrow.selectAgent, (t, _by(s.first, _selectHead(t)), w));
        }
        address hirer = escrow.node(s.parent).worker;
        Auth memory h = _paidBy(s.first, s.mode, hirer, s.amount, _subcontractHead(t));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, s.mode, h, _by(s.second, _quoteHead(t, hirer)), "no permit"));
    }

    function _work(Step memory s) private view returns (bytes memory) {
        if (s.kind == 4) {
            return abi.encodeCall(ITaskEscrow.deliver, (s.id, s.artifact, _by(s.first, _deliverHead(s.id, s.artifact))));
        }
        if (s.kind == 5) {
            return abi.encodeCall(ITaskEscrow.resolveTask, (s.id, s.artifact, _by(s.first, _resolveHead(s.id))));
        }
        if (s.kind == 6) {
            Auth memory a = _by(s.first, _rejectHead(s.id, "reason"));
            return abi.encodeCall(ITaskEscrow.rejectTask, (s.id, s.artifact, "reason", a));
        }
        if (s.kind == 7) return abi.encodeCall(ITaskEscrow.abandonNode, (s.id, _by(s.first, _abandonHead(s.id))));
        if (s.kind == 8) {
            return abi.encodeCall(ITaskEscrow.claimNonDelivery, (s.id, s.worker, _by(s.first, _claimHead(s.id))));
        }
        if (s.kind == 9) {
            Auth memory a = _by(s.first, _disputeHead(s.id, "evidence"));
            return abi.encodeCall(ITaskEscrow.disputeNode, (s.id, "evidence", a));
        }
        if (s.kind == 10) {
            Auth memory a = _by(s.first, _ruleHead(s.id, s.amount, "ruling"));
            return abi.encodeCall(ITaskEscrow.ruleDispute, (s.id, s.amount, "ruling", a));
        }
        if (s.kind == 11) {
            bytes memory head = _splitHead(s.id, s.amount);
            return abi.encodeCall(ITaskEscrow.agreeSplit, (s.id, s.amount, _by(s.first, head), _by(s.second, head)));
        }
        return abi.encodeCall(ITaskEscrow.finalize, (s.id));
    }

    function _money(Step memory s) private view returns (bytes memory) {
        if (s.kind == 13) {
            Auth memory a = _by(s.first, _withdrawHead(s.id, s.recipient, s.amount));
            return abi.encodeCall(ITaskEscrow.withdrawEarnings, (s.id, s.recipient, s.amount, a));
        }
        if (s.kind == 14) {
            Auth memory a = _by(s.first, _withdrawRefundHead(s.worker, s.recipient, s.amount));
            return abi.encodeCall(ITaskEscrow.withdrawRefund, (s.worker, s.recipient, s.amount, a));
        }
        return abi.encodeCall(ITaskEscrow.invalidateNonces, (s.id, s.amount));
    }

    function _checkEnd(bytes memory one, uint256 at) private view {
        uint256 count = _read(one, at++, 1);
        for (uint256 i; i < count; ++i) {
            Node memory n = escrow.node(uint32(_read(one, at, 4)));
            assertEq(uint8(n.state), _read(one, at + 4, 1), "state");
            assertEq(n.amount, _read(one, at + 5, 12), "amount");
            assertEq(n.allocated, _read(one, at + 17, 12), "allocated");
            assertEq(n.clock, _read(one, at + 29, 5), "clock");
            at += 34;
        }
        uint256[22] memory bits;
        for (uint256 i; i < ACCOUNTS; ++i) {
            assertEq(escrow.refundOf(accounts[i]), _read(one, at + 12 * i, 12), "refund balance");
            assertEq(usdc.balanceOf(accounts[i]), _read(one, at + 12 * (ACCOUNTS + i), 12), "token balance");
            (bits[2 * i], bits[2 * i + 1]) = (escrow.nonceBitmap(accounts[i], 0), escrow.nonceBitmap(accounts[i], 1));
        }
        at += 24 * ACCOUNTS;
        assertEq(keccak256(abi.encode(bits)), bytes32(_read(one, at, 32)), "nonces");
        assertEq(at + 32, one.length, "a history with a tail");
    }
}
