// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {OwnedWallet} from "../mocks/Wallets.sol";
import {CirclesUsdc} from "./CirclesUsdc.sol";
import {EscrowTest} from "./EscrowTest.sol";

/// @notice The same market four times: with the local token and with Circle's, for keys and for contract wallets. A test
///         named `table…` runs once in each. Circle's token refuses with texts where {LocalUsdc} has errors with arguments.
abstract contract MarketsTest is EscrowTest {
    /// @dev Read by forge: the values of the parameter `market`.
    uint8[] public fixtureMarket = [0, 1, 2, 3];
    bool private isCircles;
    LocalUsdc private circles;

    function setUp() public override {
        super.setUp();
        circles = CirclesUsdc.deploy();
    }

    /// @param market Bit 0: the token is Circle's. Bit 1: at the addresses of buyer, arbiter and workers stand contracts,
    ///        each of which accepts the signatures of a key that is not its address's.
    modifier inMarket(uint8 market) {
        _enter(market);
        _;
    }

    function _enter(uint8 market) private {
        isCircles = market & 1 != 0;
        if (isCircles) _useToken(circles);
        if (market & 2 == 0) return;
        _putWalletAt(buyer);
        _putWalletAt(arbiter);
        for (uint256 i; i < workers.length; ++i) {
            _putWalletAt(workers[i]);
        }
    }

    function _putWalletAt(address account) private {
        address owner = _account(string.concat("owner of ", vm.toString(account)));
        vm.etch(account, address(new OwnedWallet(owner)).code);
        keyOf[account] = keyOf[owner];
    }

    // ----------------------------------------------------------------------------------------- why the token refuses

    function _pausedReason() internal view returns (bytes memory) {
        return _reason(abi.encodeWithSelector(LocalUsdc.TokenPaused.selector), "Pausable: paused");
    }

    function _deniedReason(address account) internal view returns (bytes memory) {
        bytes memory ours = abi.encodeWithSelector(LocalUsdc.AccountBlacklisted.selector, account);
        return _reason(ours, "Blacklistable: account is blacklisted");
    }

    function _signatureReason(address account) internal view returns (bytes memory) {
        bytes memory ours = abi.encodeWithSelector(LocalUsdc.InvalidTokenSignature.selector, account);
        return _reason(ours, "FiatTokenV2: invalid signature");
    }

    function _payeeReason(address caller, address payee) internal view returns (bytes memory) {
        bytes memory ours = abi.encodeWithSelector(LocalUsdc.CallerNotPayee.selector, caller, payee);
        return _reason(ours, "FiatTokenV2: caller must be the payee");
    }

    function _allowanceReason(address spender, uint256 has, uint256 needs) internal view returns (bytes memory) {
        bytes memory ours =
            abi.encodeWithSelector(IERC20Errors.ERC20InsufficientAllowance.selector, spender, has, needs);
        return _reason(ours, "ERC20: transfer amount exceeds allowance");
    }

    function _balanceReason(address account, uint256 has, uint256 needs) internal view returns (bytes memory) {
        bytes memory ours = abi.encodeWithSelector(IERC20Errors.ERC20InsufficientBalance.selector, account, has, needs);
        return _reason(ours, "ERC20: transfer amount exceeds balance");
    }

    function _reason(bytes memory ours, string memory theirs) private view returns (bytes memory) {
        return isCircles ? abi.encodeWithSignature("Error(string)", theirs) : ours;
    }

    /// @dev Sends the call to the escrow and requires this reason. Texts are compared as texts: the old compiler of
    ///      Circle's token leaves rubbish in the padding behind some of them.
    function _refuses(bytes memory call, bytes memory reason) internal {
        (bool ok, bytes memory result) = address(escrow).call(call);
        assertFalse(ok, "the call went through");
        if (!isCircles) return assertEq(result, reason, "another reason");
        assertEq(bytes4(result), bytes4(reason), "another kind of reason");
        assertEq(_textOf(result), _textOf(reason), "another reason");
    }

    function _textOf(bytes memory reason) private pure returns (string memory) {
        bytes memory arguments = new bytes(reason.length - 4);
        for (uint256 i; i < arguments.length; ++i) {
            arguments[i] = reason[i + 4];
        }
        return abi.decode(arguments, (string));
    }
}
