// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {stdJson} from "forge-std/StdJson.sol";
import {Test} from "forge-std/Test.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, NodeTerms} from "../../src/Types.sol";
import {ActionHash} from "../../src/libraries/ActionHash.sol";
import {TypedData} from "../base/TypedData.sol";

/// @notice Struct hashes by the contract's own library, from outside. The closing members must come as calldata.
contract ActionHasher {
    function nodeTerms(NodeTerms calldata t) external pure returns (bytes32) {
        return ActionHash.nodeTerms(t);
    }

    function submitQuote(bytes32 terms, address hirer, address r, address t, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.submitQuote(terms, hirer, r, t, a);
    }

    function fundTask(bytes32 terms, address t, FundingMode mode, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.fundTask(terms, t, mode, a);
    }

    function subcontract(bytes32 terms, address t, FundingMode mode, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.subcontract(terms, t, mode, a);
    }

    function deliver(uint192 id, bytes32 artifact, bool payOut, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.deliver(id, artifact, payOut, a);
    }

    function resolveTask(uint192 id, address w, address t, uint256 amount, bytes32 artifact, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.resolveTask(id, w, t, amount, artifact, a);
    }

    function rejectTask(uint192 id, bytes32 artifact, bytes32 reason, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.rejectTask(id, artifact, reason, a);
    }

    function abandonNode(uint192 id, address t, uint256 amount, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.abandonNode(id, t, amount, a);
    }

    function claimNonDelivery(uint192 id, address t, uint256 amount, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.claimNonDelivery(id, t, amount, a);
    }

    function disputeNode(uint192 id, bytes32 evidence, Auth calldata a) external pure returns (bytes32) {
        return ActionHash.disputeNode(id, evidence, a);
    }

    function ruleDispute(uint192 id, address t, uint256 share, bytes32 ruling, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.ruleDispute(id, t, share, ruling, a);
    }

    function agreeSplit(uint192 id, address hirer, address w, address t, uint256 amount, uint256 share, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.agreeSplit(id, hirer, w, t, amount, share, a);
    }

    function withdrawEarnings(uint192 id, address to, address t, uint256 amount, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.withdrawEarnings(id, to, t, amount, a);
    }

    function withdrawRefund(address account, address to, address t, uint256 amount, Auth calldata a)
        external
        pure
        returns (bytes32)
    {
        return ActionHash.withdrawRefund(account, to, t, amount, a);
    }
}

/// @notice The TypeScript side writes down one message of every type with its hashes; the contracts must find the same.
contract VectorsTest is Test {
    using stdJson for string;

    string private constant FILE = "test/vectors/typed-data.json";

    ActionHasher private hasher;
    LocalUsdc private usdc;
    TaskEscrow private implementation;
    string private json;
    string private at;

    function setUp() public {
        hasher = new ActionHasher();
        usdc = new LocalUsdc(address(this));
        implementation = new TaskEscrow(usdc);
    }

    function test_vectors_everyTypeHashesAsInTypeScript() public {
        require(vm.isFile(FILE), "test/vectors/typed-data.json is missing: UPDATE_VECTORS=1 npx jest typed-data");
        json = vm.readFile(FILE);
        string[15] memory wanted = [
            "CreateTask",
            "SubmitQuote",
            "SelectAgent",
            "FundTask",
            "Subcontract",
            "Deliver",
            "ResolveTask",
            "RejectTask",
            "AbandonNode",
            "ClaimNonDelivery",
            "WithdrawEarnings",
            "WithdrawRefund",
            "DisputeNode",
            "RuleDispute",
            "AgreeSplit"
        ];
        uint256 seen;
        for (uint256 i; vm.keyExistsJson(json, string.concat(".vectors[", vm.toString(i), "]")); ++i) {
            at = string.concat(".vectors[", vm.toString(i), "]");
            string memory primaryType = json.readString(string.concat(at, ".primaryType"));
            _check(primaryType);
            for (uint256 j; j < wanted.length; ++j) {
                if (_same(primaryType, wanted[j])) seen |= 1 << j;
            }
        }
        for (uint256 j; j < wanted.length; ++j) {
            assertTrue((seen >> j) & 1 == 1, string.concat("no vector for ", wanted[j]));
        }
    }

    function _check(string memory primaryType) private {
        bytes32 structHash = _structHash(primaryType);
        assertEq(structHash, json.readBytes32(string.concat(at, ".structHash")), primaryType);
        assertEq(_digest(primaryType, structHash), json.readBytes32(string.concat(at, ".digest")), primaryType);
    }

    /// @dev Asks a contract that stands at the vector's address on the vector's chain.
    function _digest(string memory primaryType, bytes32 structHash) private returns (bytes32) {
        address verifier = json.readAddress(string.concat(at, ".domain.verifyingContract"));
        vm.chainId(json.readUint(string.concat(at, ".domain.chainId")));
        if (_isToken(primaryType)) {
            vm.etch(verifier, address(usdc).code);
            // Name and version of a token are storage and constant; only the name must be there.
            vm.store(verifier, bytes32(uint256(3)), vm.load(address(usdc), bytes32(uint256(3))));
            return keccak256(abi.encodePacked(hex"1901", LocalUsdc(verifier).DOMAIN_SEPARATOR(), structHash));
        }
        address clone = Clones.cloneWithImmutableArgs(address(implementation), abi.encodePacked(address(1), address(2)));
        vm.etch(verifier, clone.code);
        return TaskEscrow(verifier).hashTypedData(structHash);
    }

    function _isToken(string memory primaryType) private pure returns (bool) {
        return _same(primaryType, "ReceiveWithAuthorization") || _same(primaryType, "Permit");
    }

    function _structHash(string memory kind) private view returns (bytes32) {
        if (_isToken(kind)) return _tokenHash(kind);
        Auth memory a = Auth(_b("actionId"), _b("requestDigest"), _u("nonce"), _u("validUntil"), "");
        if (_same(kind, "CreateTask") || _same(kind, "SelectAgent")) return _keptHash(kind, a);
        if (_same(kind, "SubmitQuote")) {
            return hasher.submitQuote(_terms(), _a("hirer"), _a("arbiter"), _a("token"), a);
        }
        if (_same(kind, "FundTask")) {
            return hasher.fundTask(_terms(), _a("token"), FundingMode(_u("fundingMode")), a);
        }
        if (_same(kind, "Subcontract")) {
            return hasher.subcontract(_terms(), _a("token"), FundingMode(_u("fundingMode")), a);
        }
        if (_same(kind, "WithdrawRefund")) {
            return hasher.withdrawRefund(_a("account"), _a("recipient"), _a("token"), _u("amount"), a);
        }
        return _nodeActionHash(kind, uint192(_u("nodeId")), a);
    }

    /// @dev What the service verifies and keeps, and no contract reads.
    function _keptHash(string memory kind, Auth memory a) private view returns (bytes32) {
        bytes memory head;
        if (_same(kind, "SelectAgent")) {
            head = abi.encode(
                TypedData.typeHashWithTerms("SelectAgent(NodeTerms terms,address token"), _terms(), _a("token")
            );
        } else {
            bytes32 t = TypedData.typeHash(
                "CreateTask(address buyer,address arbiter,address token,uint256 budget,bytes32 termsHash"
            );
            head = abi.encode(t, _a("buyer"), _a("arbiter"), _a("token"), _u("budget"), _b("termsHash"));
        }
        return keccak256(bytes.concat(head, abi.encode(a.actionId, a.requestDigest, a.nonce, a.validUntil)));
    }

    function _nodeActionHash(string memory kind, uint192 id, Auth memory a) private view returns (bytes32) {
        if (_same(kind, "Deliver")) return hasher.deliver(id, _b("artifactHash"), _bool("payOut"), a);
        if (_same(kind, "ResolveTask")) {
            return hasher.resolveTask(id, _a("worker"), _a("token"), _u("amount"), _b("artifactHash"), a);
        }
        if (_same(kind, "RejectTask")) return hasher.rejectTask(id, _b("artifactHash"), _b("reasonHash"), a);
        if (_same(kind, "AbandonNode")) return hasher.abandonNode(id, _a("token"), _u("amount"), a);
        if (_same(kind, "ClaimNonDelivery")) return hasher.claimNonDelivery(id, _a("token"), _u("amount"), a);
        if (_same(kind, "WithdrawEarnings")) {
            return hasher.withdrawEarnings(id, _a("recipient"), _a("token"), _u("amount"), a);
        }
        if (_same(kind, "DisputeNode")) return hasher.disputeNode(id, _b("evidenceHash"), a);
        if (_same(kind, "RuleDispute")) {
            return hasher.ruleDispute(id, _a("token"), _u("workerShare"), _b("rulingHash"), a);
        }
        if (_same(kind, "AgreeSplit")) {
            return hasher.agreeSplit(id, _a("hirer"), _a("worker"), _a("token"), _u("amount"), _u("workerShare"), a);
        }
        revert(string.concat("the contracts know no type ", kind));
    }

    function _tokenHash(string memory kind) private view returns (bytes32) {
        if (_same(kind, "Permit")) {
            return keccak256(
                abi.encode(usdc.PERMIT_TYPEHASH(), _a("owner"), _a("spender"), _u("value"), _u("nonce"), _u("deadline"))
            );
        }
        return keccak256(
            abi.encode(
                usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                _a("from"),
                _a("to"),
                _u("value"),
                _u("validAfter"),
                _u("validBefore"),
                _b("nonce")
            )
        );
    }

    function _terms() private view returns (bytes32) {
        return hasher.nodeTerms(
            NodeTerms({
                nodeId: uint192(_u("terms.nodeId")),
                worker: _a("terms.worker"),
                amount: uint64(_u("terms.amount")),
                floor: uint64(_u("terms.floor")),
                workSeconds: uint32(_u("terms.workSeconds")),
                acceptWindow: uint24(_u("terms.acceptWindow")),
                maxRevisions: uint8(_u("terms.maxRevisions")),
                hirerFunded: _bool("terms.hirerFunded"),
                termsHash: _b("terms.termsHash")
            })
        );
    }

    function _a(string memory member) private view returns (address) {
        return json.readAddress(string.concat(at, ".message.", member));
    }

    function _b(string memory member) private view returns (bytes32) {
        return json.readBytes32(string.concat(at, ".message.", member));
    }

    function _bool(string memory member) private view returns (bool) {
        return json.readBool(string.concat(at, ".message.", member));
    }

    function _u(string memory member) private view returns (uint256) {
        return json.readUint(string.concat(at, ".message.", member));
    }

    function _same(string memory a, string memory b) private pure returns (bool) {
        return keccak256(bytes(a)) == keccak256(bytes(b));
    }
}
