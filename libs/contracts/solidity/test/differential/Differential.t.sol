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

    /// @dev An authorisation of 39 bytes: who signed (nobody: 255), whether what it signed is what the call says, nonce and
    ///      last second.
    struct Signing {
        uint256 signer;
        bool intact;
        uint256 nonce;
        uint256 validUntil;
    }

    /// @dev One step: what tools/histories.mjs writes into 144 bytes.
    struct Step {
        uint8 kind;
        uint40 time;
        address sender;
        uint192 id;
        address worker;
        uint256 amount;
        uint64 floor;
        uint32 workSeconds;
        uint24 acceptWindow;
        uint8 maxRevisions;
        bool hirerFunded;
        FundingMode mode;
        address recipient;
        bytes32 artifact;
        bool payOut;
        Signing first;
        Signing second;
        bytes4 expected;
    }

    uint256 private constant ACCOUNTS = 12;
    uint256 private constant STEP = 144;
    address[12] private accounts;

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
        escrow = TaskEscrow(factory.createTree(buyer, hasArbiter ? arbiter : address(0), "history", ""));
        (accounts[10], accounts[11]) = (address(escrow), address(factory));
        for (uint256 i; i < 9; ++i) {
            // Without an arbiter its account is one like any other and may work.
            if (i < 7) usdc.mint(accounts[i], _read(one, 3 + 12 * i, 12));
            vm.prank(accounts[i]);
            usdc.approve(address(escrow), type(uint256).max);
        }
        uint256 at = 3 + 12 * 7;
        for (uint256 i; i < steps; ++i) {
            _take(_decode(one, at), i);
            at += STEP;
        }
        at = _checkBooks(one, at);
        _checkNonces(one, at, steps);
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
        s.id = uint192(_read(one, at + 7, 24));
        s.worker = _who(_read(one, at + 31, 1));
        s.amount = _read(one, at + 32, 9);
        s.floor = uint64(_read(one, at + 41, 8));
        s.workSeconds = uint32(_read(one, at + 49, 4));
        s.acceptWindow = uint24(_read(one, at + 53, 3));
        s.maxRevisions = uint8(_read(one, at + 56, 1));
        s.hirerFunded = _read(one, at + 57, 1) == 1;
        s.mode = FundingMode(_read(one, at + 58, 1));
        s.recipient = _who(_read(one, at + 59, 1));
        s.artifact = bytes32(_read(one, at + 60, 1));
        s.payOut = _read(one, at + 61, 1) == 1;
        s.first = _signing(one, at + 62);
        s.second = _signing(one, at + 101);
        s.expected = bytes4(uint32(_read(one, at + 140, 4)));
    }

    function _signing(bytes memory one, uint256 at) private pure returns (Signing memory) {
        return Signing({
            signer: _read(one, at, 1),
            intact: _read(one, at + 1, 1) == 1,
            nonce: _read(one, at + 2, 32),
            validUntil: _read(one, at + 34, 5)
        });
    }

    function _authOf(Signing memory signing) private view returns (Auth memory a, uint256 key, uint256 slip) {
        (a.actionId, a.requestDigest) = (keccak256(abi.encode(signing)), bytes32("request"));
        (a.nonce, a.validUntil) = (signing.nonce, signing.validUntil);
        slip = signing.intact ? 0 : 1;
        key = signing.signer == 255 ? 0 : keyOf[accounts[signing.signer]];
    }

    function _by(Signing memory signing, bytes memory head) private view returns (Auth memory a) {
        uint256 key;
        uint256 slip;
        (a, key, slip) = _authOf(signing);
        if (key != 0) a.signature = _bySlip(key, _digest(head, a), slip);
    }

    /// @dev As {_by}, or with EIP-3009 over the token's own type.
    function _paidBy(Step memory s, address payer, bytes memory head) private view returns (Auth memory a) {
        if (s.mode != FundingMode.Authorization3009) return _by(s.first, head);
        uint256 key;
        uint256 slip;
        (a, key, slip) = _authOf(s.first);
        bytes32 t = usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH();
        bytes32 structHash =
            keccak256(abi.encode(t, payer, address(escrow), s.amount, uint256(0), a.validUntil + 1, _digest(head, a)));
        if (key != 0) a.signature = _bySlip(key, TypedData.digest(usdc.DOMAIN_SEPARATOR(), structHash), slip);
    }

    function _bySlip(uint256 key, bytes32 digest, uint256 slip) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest ^ bytes32(slip));
        return abi.encodePacked(r, s, v);
    }

    // ------------------------------------------------------------------------------------------------------ replaying

    function _take(Step memory s, uint256 index) private {
        vm.warp(s.time);
        if (s.kind == 14) return usdc.pause();
        if (s.kind == 15) return usdc.unpause();
        if (s.kind == 16) return usdc.blacklist(s.worker);
        if (s.kind == 17) return usdc.unBlacklist(s.worker);
        bytes memory call = s.kind < 2 ? _hiring(s) : s.kind < 11 ? _work(s) : _money(s);
        vm.prank(s.sender);
        (bool ok, bytes memory answer) = address(escrow).call(call);
        if (ok == (s.expected == 0) && (ok || bytes4(answer) == s.expected)) return;
        emit log_named_uint("step", index);
        emit log_named_uint("kind", s.kind);
        emit log_named_bytes32("the model says", s.expected);
        emit log_named_bytes("the contract says", answer);
        revert("contract and model disagree");
    }

    function _hiring(Step memory s) private view returns (bytes memory) {
        NodeTerms memory t = NodeTerms({
            nodeId: s.id,
            worker: s.worker,
            amount: uint64(s.amount),
            floor: s.floor,
            workSeconds: s.workSeconds,
            acceptWindow: s.acceptWindow,
            maxRevisions: s.maxRevisions,
            hirerFunded: s.hirerFunded,
            termsHash: "brief"
        });
        if (s.kind == 0) {
            Auth memory b = _paidBy(s, buyer, _fundHead(t, s.mode));
            return
                abi.encodeCall(ITaskEscrow.fundTask, (t, s.mode, b, _by(s.second, _quoteHead(t, buyer)), "no permit"));
        }
        address hirer = _hirerOf(s.id);
        Auth memory h = _paidBy(s, hirer, _subcontractHead(t, s.mode));
        return abi.encodeCall(ITaskEscrow.subcontract, (t, s.mode, h, _by(s.second, _quoteHead(t, hirer)), "no permit"));
    }

    function _work(Step memory s) private view returns (bytes memory) {
        if (s.kind == 2) {
            Auth memory a = _by(s.first, _deliverHead(s.id, s.artifact, s.payOut));
            return abi.encodeCall(ITaskEscrow.deliver, (s.id, s.artifact, s.payOut, a));
        }
        if (s.kind == 3) {
            return abi.encodeCall(ITaskEscrow.resolveTask, (s.id, s.artifact, _by(s.first, _resolveHead(s.id))));
        }
        if (s.kind == 4) {
            Auth memory a = _by(s.first, _rejectHead(s.id, "reason"));
            return abi.encodeCall(ITaskEscrow.rejectTask, (s.id, s.artifact, "reason", a));
        }
        if (s.kind == 5) return abi.encodeCall(ITaskEscrow.abandonNode, (s.id, _by(s.first, _abandonHead(s.id))));
        if (s.kind == 6) {
            return abi.encodeCall(ITaskEscrow.claimNonDelivery, (s.id, s.worker, _by(s.first, _claimHead(s.id))));
        }
        if (s.kind == 7) {
            Auth memory a = _by(s.first, _disputeHead(s.id, "evidence"));
            return abi.encodeCall(ITaskEscrow.disputeNode, (s.id, "evidence", a));
        }
        if (s.kind == 8) {
            Auth memory a = _by(s.first, _ruleHead(s.id, s.amount, "ruling"));
            return abi.encodeCall(ITaskEscrow.ruleDispute, (s.id, s.amount, "ruling", a));
        }
        if (s.kind == 9) {
            bytes memory head = _splitHead(s.id, s.amount);
            return abi.encodeCall(ITaskEscrow.agreeSplit, (s.id, s.amount, _by(s.first, head), _by(s.second, head)));
        }
        return abi.encodeCall(ITaskEscrow.finalize, (s.id));
    }

    function _money(Step memory s) private view returns (bytes memory) {
        if (s.kind == 11) {
            Auth memory a = _by(s.first, _withdrawHead(s.id, s.recipient, s.amount));
            return abi.encodeCall(ITaskEscrow.withdrawEarnings, (s.id, s.recipient, s.amount, a));
        }
        if (s.kind == 12) {
            Auth memory a = _by(s.first, _withdrawRefundHead(s.worker, s.recipient, s.amount));
            return abi.encodeCall(ITaskEscrow.withdrawRefund, (s.worker, s.recipient, s.amount, a));
        }
        return abi.encodeCall(ITaskEscrow.invalidateNonces, (s.first.nonce, s.second.nonce));
    }

    // ------------------------------------------------------------------------------------------------------ the end

    /// @return Where the nonces begin.
    function _checkBooks(bytes memory one, uint256 at) private view returns (uint256) {
        uint256 count = _read(one, at++, 1);
        for (uint256 i; i < count; ++i) {
            Node memory n = escrow.node(uint192(_read(one, at, 24)));
            assertEq(uint8(n.state), _read(one, at + 24, 1), "state");
            assertEq(n.amount, _read(one, at + 25, 8), "amount");
            assertEq(n.allocated, _read(one, at + 33, 8), "allocated");
            assertEq(n.clock, _read(one, at + 41, 5), "clock");
            assertEq(n.version, _read(one, at + 46, 1), "version");
            assertEq(n.revisions, _read(one, at + 47, 1), "revisions");
            assertEq(n.payOut, _read(one, at + 48, 1) == 1, "payOut");
            at += 49;
        }
        for (uint256 i; i < ACCOUNTS; ++i) {
            assertEq(escrow.refundOf(accounts[i]), _read(one, at + 12 * i, 12), "refund balance");
            assertEq(usdc.balanceOf(accounts[i]), _read(one, at + 12 * (ACCOUNTS + i), 12), "token balance");
        }
        return at + 24 * ACCOUNTS;
    }

    /// @dev Of every nonce that a call has named, whether an action with it could still run.
    function _checkNonces(bytes memory one, uint256 at, uint256 steps) private view {
        for (uint256 i; i < steps; ++i) {
            Step memory s = _decode(one, 3 + 12 * 7 + STEP * i);
            if (s.kind == 10 || s.kind > 12) continue;
            _checkNonce(s.first, s.sender, _read(one, at++, 1));
            if (s.kind < 2 || s.kind == 9) _checkNonce(s.second, s.sender, _read(one, at++, 1));
        }
        assertEq(at, one.length, "a history with a tail");
    }

    function _checkNonce(Signing memory signing, address sender, uint256 used) private view {
        address account = signing.signer == 255 ? sender : accounts[signing.signer];
        assertEq(escrow.nonceUsed(account, signing.nonce), used == 1, "nonce");
    }
}
