// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {Test} from "forge-std/Test.sol";

import {UndeployedWalletCheck} from "../../src/offchain/UndeployedWalletCheck.sol";
import {ClosedWallet, ConfusedWallet, OwnedWallet} from "../mocks/Wallets.sol";

/// @notice Deploys wallets at addresses that are known before.
contract WalletFactory {
    error NotToday();

    uint256 public calls;

    function deploy(address owner, bytes32 salt) external returns (address) {
        calls += 1;
        return address(new OwnedWallet{salt: salt}(owner));
    }

    function deployThenFail(address owner, bytes32 salt) external {
        new OwnedWallet{salt: salt}(owner);
        revert NotToday();
    }

    function deployNothing() external {
        calls += 1;
    }

    function walletOf(address owner, bytes32 salt) external view returns (address) {
        bytes memory code = abi.encodePacked(type(OwnedWallet).creationCode, abi.encode(owner));
        return Create2.computeAddress(salt, keccak256(code));
    }
}

/// @notice Wallet that can be told to say yes to everything.
contract PliableWallet {
    bool private _agrees;

    function agree() external {
        _agrees = true;
    }

    function isValidSignature(bytes32, bytes calldata) external view returns (bytes4) {
        return _agrees ? bytes4(0x1626ba7e) : bytes4(0);
    }
}

contract UndeployedWalletCheckTest is Test {
    bytes32 private constant _SALT = keccak256("salt");
    bytes32 private constant _DIGEST = keccak256("Sign in");

    WalletFactory private factory;
    address private owner;
    uint256 private ownerKey;
    uint256 private strangerKey;
    address private wallet;

    function setUp() public {
        factory = new WalletFactory();
        (owner, ownerKey) = makeAddrAndKey("owner");
        (, strangerKey) = makeAddrAndKey("stranger");
        wallet = factory.walletOf(owner, _SALT);
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    function _deployCall() private view returns (bytes memory) {
        return abi.encodeCall(WalletFactory.deploy, (owner, _SALT));
    }

    /// @dev Runs the creation code as an eth_call does, and forgets what it did.
    function _ask(address at, address through, bytes memory factoryCall, bytes memory signature)
        private
        returns (bytes memory answer)
    {
        uint256 before = vm.snapshotState();
        answer = address(new UndeployedWalletCheck(at, _DIGEST, through, factoryCall, signature)).code;
        vm.revertToState(before);
    }

    function _assertAnswer(bytes memory answer, bytes1 expected) private pure {
        assertEq(answer, abi.encodePacked(expected));
    }

    function test_undeployed_itsOwnersSignatureIsGood() public {
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), _sign(ownerKey, _DIGEST)), 0x01);
        assertEq(wallet.code.length, 0);
    }

    function test_undeployed_anothersSignatureIsNot() public {
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), _sign(strangerKey, _DIGEST)), 0x00);
    }

    function test_undeployed_aSignatureOfSomethingElseIsNot() public {
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), _sign(ownerKey, keccak256("Pay"))), 0x00);
    }

    function test_undeployed_aFactoryThatMakesAnotherWalletProvesNothing() public {
        bytes memory call = abi.encodeCall(WalletFactory.deploy, (vm.addr(strangerKey), _SALT));
        _assertAnswer(_ask(wallet, address(factory), call, _sign(strangerKey, _DIGEST)), 0x00);
    }

    function test_undeployed_aFactoryThatRevertsProvesNothing() public {
        bytes memory call = abi.encodeCall(WalletFactory.deployThenFail, (owner, _SALT));
        _assertAnswer(_ask(wallet, address(factory), call, _sign(ownerKey, _DIGEST)), 0x00);
    }

    function test_undeployed_aFactoryThatDoesNothingProvesNothing() public {
        bytes memory call = abi.encodeCall(WalletFactory.deployNothing, ());
        _assertAnswer(_ask(wallet, address(factory), call, _sign(ownerKey, _DIGEST)), 0x00);
    }

    function test_undeployed_anAddressWithoutCodeIsNoFactory() public {
        _assertAnswer(_ask(wallet, address(0xdead), _deployCall(), _sign(ownerKey, _DIGEST)), 0x00);
    }

    function test_undeployed_aKeysOwnAddressIsNoWallet() public {
        _assertAnswer(_ask(owner, address(factory), _deployCall(), _sign(ownerKey, _DIGEST)), 0x00);
    }

    function test_deployed_isAskedWithoutTheFactory() public {
        factory.deploy(owner, _SALT);
        new UndeployedWalletCheck(wallet, _DIGEST, address(factory), _deployCall(), _sign(ownerKey, _DIGEST));
        assertEq(factory.calls(), 1);
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), _sign(ownerKey, _DIGEST)), 0x01);
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), _sign(strangerKey, _DIGEST)), 0x00);
    }

    function test_deployed_cannotBeTalkedRoundByTheFactoryCall() public {
        PliableWallet pliable = new PliableWallet();
        bytes memory call = abi.encodeCall(PliableWallet.agree, ());
        _assertAnswer(_ask(address(pliable), address(pliable), call, ""), 0x00);
        pliable.agree();
        _assertAnswer(_ask(address(pliable), address(pliable), call, ""), 0x01);
    }

    function test_deployed_codeThatRevertsOrAnswersOtherwiseDoesNotAgree() public {
        _assertAnswer(_ask(address(new ClosedWallet()), address(factory), "", ""), 0x00);
        _assertAnswer(_ask(address(new ConfusedWallet()), address(factory), "", ""), 0x00);
    }

    function testFuzz_garbageIsAnsweredNo(address through, bytes memory factoryCall, bytes memory signature) public {
        vm.assume(through.code.length == 0 && uint160(through) > 0xffff);
        _assertAnswer(_ask(wallet, through, factoryCall, signature), 0x00);
        _assertAnswer(_ask(wallet, address(factory), _deployCall(), signature), 0x00);
    }

    function testFuzz_undeployed_agreesToItsOwnerOnly(uint256 key, bytes32 salt) public {
        key = bound(key, 1, 2 ** 250);
        address at = factory.walletOf(vm.addr(key), salt);
        bytes memory call = abi.encodeCall(WalletFactory.deploy, (vm.addr(key), salt));
        _assertAnswer(_ask(at, address(factory), call, _sign(key, _DIGEST)), 0x01);
        vm.assume(key != strangerKey);
        _assertAnswer(_ask(at, address(factory), call, _sign(strangerKey, _DIGEST)), 0x00);
    }
}
