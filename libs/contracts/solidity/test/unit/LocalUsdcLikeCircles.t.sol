// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Test} from "forge-std/Test.sol";
import {Vm} from "forge-std/Vm.sol";

import {LocalUsdc} from "../../src/LocalUsdc.sol";
import {CirclesUsdc} from "../base/CirclesUsdc.sol";
import {TypedData} from "../base/TypedData.sol";
import {ConfusedWallet, OwnedWallet} from "../mocks/Wallets.sol";

/// @notice Account code that says yes to every signature, with something behind the answer's first four bytes.
contract SloppyWallet {
    fallback() external {
        assembly ("memory-safe") {
            mstore(0x00, shl(224, 0x1626ba7e))
            mstore8(0x1f, 1)
            return(0x00, 0x20)
        }
    }
}

/// @notice Account code that agrees for as long as the authorisation named in the signature is unused.
contract CuriousWallet {
    function isValidSignature(bytes32, bytes calldata signature) external view returns (bytes4) {
        bool used = LocalUsdc(msg.sender).authorizationState(address(this), bytes32(signature));
        return used ? bytes4(0xffffffff) : bytes4(0x1626ba7e);
    }
}

/// @notice The same call is made on {LocalUsdc} and on Circle's version 2.2: both do it or both refuse, with the same
///         answer, events, reason and books.
contract LocalUsdcLikeCirclesTest is Test {
    enum Kind {
        Transfer,
        TransferFrom,
        Approve,
        IncreaseAllowance,
        DecreaseAllowance,
        Permit,
        PermitInParts,
        TransferWithAuthorization,
        TransferWithAuthorizationInParts,
        ReceiveWithAuthorization,
        ReceiveWithAuthorizationInParts,
        CancelAuthorization,
        CancelAuthorizationInParts,
        Mint,
        Deny,
        Allow,
        PauseOrGoOn
    }

    /// @dev One call of a kind with everything that any kind takes. `at` is the caller.
    struct Call {
        Kind kind;
        address at;
        address from;
        address to;
        uint256 value;
        uint256 notBefore;
        uint256 notAfter;
        bytes32 nonce;
        uint256 forgery;
    }

    uint256 private constant START = 1_750_000_000;
    uint256 private constant CALLS = 16;
    uint256 private constant KINDS = uint256(type(Kind).max) + 1;
    /// @dev Stands for the token's own address, which is another one for each token.
    address private constant TOKEN = address(0x70CE);

    LocalUsdc private local;
    LocalUsdc private circles;
    address[] private accounts;
    mapping(address => uint256) private keyOf;
    uint256 private entropy;
    mapping(Kind => uint256) private done;
    mapping(Kind => uint256) private refused;

    function setUp() public {
        vm.warp(START);
        local = new LocalUsdc(address(this));
        circles = CirclesUsdc.deploy();
        for (uint256 i; i < 4; ++i) {
            (address account, uint256 key) = makeAddrAndKey(vm.toString(i));
            keyOf[account] = key;
            accounts.push(account);
        }
        // Its owner's key signs for the wallet; the same key in a confused and in a sloppy one helps nobody.
        address[3] memory wallets =
            [address(new OwnedWallet(accounts[0])), address(new ConfusedWallet()), address(new SloppyWallet())];
        for (uint256 i; i < wallets.length; ++i) {
            keyOf[wallets[i]] = keyOf[accounts[0]];
            accounts.push(wallets[i]);
        }
        for (uint256 i; i < accounts.length; ++i) {
            local.mint(accounts[i], 100e6);
            circles.mint(accounts[i], 100e6);
        }
        accounts.push(address(0));
        accounts.push(TOKEN);
    }

    // ------------------------------------------------------------------------------------------------------ choices

    function _random(uint256 below) private returns (uint256) {
        entropy = uint256(keccak256(abi.encode(entropy)));
        return entropy % below;
    }

    function _anybody() private returns (address) {
        return accounts[_random(_random(2) == 0 ? accounts.length : 5)];
    }

    /// @dev Around what the account holds or may be taken from it, now and then nothing or everything.
    function _amount(uint256 near) private returns (uint256) {
        uint256 choice = _random(10);
        if (choice == 0) return 0;
        if (choice == 1) return type(uint256).max - _random(2);
        if (choice == 2 && near != type(uint256).max) return near + 1;
        if (choice == 3) return near;
        return _random(near / 4 + 2);
    }

    function _time(uint256 usual) private returns (uint256) {
        uint256 choice = _random(8);
        if (choice < 3) return vm.getBlockTimestamp() + choice - 1;
        return choice == 3 ? type(uint256).max - usual : usual;
    }

    function _choose() private returns (Call memory c) {
        c.kind = Kind(_random(KINDS));
        // The owner's own turns come less often, or the token would be paused half of the time.
        if (c.kind >= Kind.Mint && _random(3) != 0) c.kind = Kind(_random(uint256(Kind.Mint)));
        (c.at, c.from, c.to) = (_anybody(), _anybody(), _anybody());
        bool receives = c.kind == Kind.ReceiveWithAuthorization || c.kind == Kind.ReceiveWithAuthorizationInParts;
        if (receives && _random(4) != 0) c.to = c.at;
        if (c.kind == Kind.TransferFrom) c.value = _amount(local.allowance(_in(local, c.from), _in(local, c.at)));
        else c.value = _amount(local.balanceOf(_in(local, c.kind == Kind.Transfer ? c.at : c.from)));
        if (c.kind == Kind.Mint) c.value = 1 + _random(1e6);
        c.notBefore = _time(0);
        c.notAfter = _time(type(uint256).max);
        c.nonce = bytes32(_random(3) == 0 ? _random(4) : _random(type(uint128).max));
        c.forgery = _random(3) == 0 ? _random(9) : 0;
        // Most of the time few are on the deny list.
        if (c.kind == Kind.Deny && c.forgery == 0) c.kind = Kind.Allow;
    }

    // --------------------------------------------------------------------------------------------------- both tokens

    function _in(LocalUsdc token, address account) private pure returns (address) {
        return account == TOKEN ? address(token) : account;
    }

    function _digest(LocalUsdc token, string memory members, bytes memory values) private view returns (bytes32) {
        bytes32 separator = TypedData.domainSeparator("USD Coin", "2", block.chainid, address(token));
        return TypedData.digest(separator, keccak256(bytes.concat(abi.encode(keccak256(bytes(members))), values)));
    }

    /// @dev The signature of the account, or one of eight that are not.
    function _sign(address account, bytes32 digest, uint256 forgery) private view returns (bytes memory) {
        uint256 key = forgery == 1 ? keyOf[accounts[3]] : keyOf[account];
        if (key == 0) return new bytes(65);
        if (forgery == 2) digest = ~digest;
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        uint256 order = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;
        if (forgery == 3) return abi.encodePacked(r, bytes32(order - uint256(s)), v == 27 ? uint8(28) : uint8(27));
        if (forgery == 4) return abi.encodePacked(r, s, v - 27);
        if (forgery == 5) return abi.encodePacked(r, s);
        if (forgery == 6) return abi.encodePacked(r, s, v, v);
        if (forgery == 7) return "";
        if (forgery == 8) return new bytes(65);
        return abi.encodePacked(r, s, v);
    }

    function _signatureOf(Call memory c, LocalUsdc token) private view returns (bytes memory) {
        (address from, address to) = (_in(token, c.from), _in(token, c.to));
        string memory members;
        bytes memory values;
        if (c.kind <= Kind.PermitInParts) {
            members = "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)";
            values = abi.encode(from, to, c.value, token.nonces(from), c.notAfter);
        } else if (c.kind >= Kind.CancelAuthorization) {
            members = "CancelAuthorization(address authorizer,bytes32 nonce)";
            values = abi.encode(from, c.nonce);
        } else {
            members = string.concat(
                c.kind >= Kind.ReceiveWithAuthorization ? "ReceiveWithAuthorization" : "TransferWithAuthorization",
                "(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
            );
            values = abi.encode(from, to, c.value, c.notBefore, c.notAfter, c.nonce);
        }
        return _sign(c.from, _digest(token, members, values), c.forgery);
    }

    /// @dev The first 65 bytes of a signature in three parts; what is missing is zero.
    function _parts(bytes memory signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        bytes memory whole = bytes.concat(signature, new bytes(65));
        assembly ("memory-safe") {
            r := mload(add(whole, 0x20))
            s := mload(add(whole, 0x40))
            v := byte(0, mload(add(whole, 0x60)))
        }
    }

    function _encode(Call memory c, LocalUsdc token) private view returns (bytes memory) {
        (address from, address to) = (_in(token, c.from), _in(token, c.to));
        if (c.kind == Kind.Transfer) return abi.encodeCall(IERC20.transfer, (to, c.value));
        if (c.kind == Kind.TransferFrom) return abi.encodeCall(IERC20.transferFrom, (from, to, c.value));
        if (c.kind == Kind.Approve) return abi.encodeCall(IERC20.approve, (to, c.value));
        if (c.kind == Kind.IncreaseAllowance) {
            return abi.encodeCall(LocalUsdc.increaseAllowance, (to, c.value));
        }
        if (c.kind == Kind.DecreaseAllowance) {
            return abi.encodeCall(LocalUsdc.decreaseAllowance, (to, c.value));
        }
        if (c.kind == Kind.Mint) return abi.encodeCall(LocalUsdc.mint, (to, c.value));
        if (c.kind == Kind.Deny) return abi.encodeCall(LocalUsdc.blacklist, (from));
        if (c.kind == Kind.Allow) return abi.encodeCall(LocalUsdc.unBlacklist, (from));
        if (c.kind == Kind.PauseOrGoOn) {
            return c.forgery % 2 == 0 ? abi.encodeCall(LocalUsdc.unpause, ()) : abi.encodeCall(LocalUsdc.pause, ());
        }
        return _encodeSigned(c, token, from, to);
    }

    function _encodeSigned(Call memory c, LocalUsdc token, address from, address to)
        private
        view
        returns (bytes memory)
    {
        bytes memory signature = _signatureOf(c, token);
        bool inParts = uint8(c.kind) % 2 == 0;
        bytes memory tail = abi.encode(signature);
        if (inParts) {
            (uint8 v, bytes32 r, bytes32 s) = _parts(signature);
            tail = abi.encode(v, r, s);
        }
        if (c.kind <= Kind.PermitInParts) {
            return _join(
                inParts
                    ? "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"
                    : "permit(address,address,uint256,uint256,bytes)",
                abi.encode(from, to, c.value, c.notAfter),
                tail,
                inParts
            );
        }
        if (c.kind >= Kind.CancelAuthorization) {
            return _join(
                inParts
                    ? "cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)"
                    : "cancelAuthorization(address,bytes32,bytes)",
                abi.encode(from, c.nonce),
                tail,
                inParts
            );
        }
        string memory name = string.concat(
            c.kind >= Kind.ReceiveWithAuthorization ? "receive" : "transfer",
            "WithAuthorization(address,address,uint256,uint256,uint256,bytes32",
            inParts ? ",uint8,bytes32,bytes32)" : ",bytes)"
        );
        return _join(name, abi.encode(from, to, c.value, c.notBefore, c.notAfter, c.nonce), tail, inParts);
    }

    /// @dev Calldata of words and a signature: three more words, or bytes that an offset points to.
    function _join(string memory name, bytes memory words, bytes memory tail, bool inParts)
        private
        pure
        returns (bytes memory)
    {
        bytes memory start = bytes.concat(bytes4(keccak256(bytes(name))), words);
        if (inParts) return bytes.concat(start, tail);
        bytes memory content = new bytes(tail.length - 32);
        for (uint256 i; i < content.length; ++i) {
            content[i] = tail[i + 32];
        }
        return bytes.concat(start, abi.encode(words.length + 32), content);
    }

    // ---------------------------------------------------------------------------------------------------- comparison

    function _do(Call memory c, LocalUsdc token) private returns (bool ok, bytes memory answer, Vm.Log[] memory logs) {
        bytes memory data = _encode(c, token);
        address sender = c.kind >= Kind.Mint ? address(this) : _in(token, c.at);
        vm.recordLogs();
        vm.prank(sender);
        (ok, answer) = address(token).call(data);
        logs = vm.getRecordedLogs();
    }

    function _compare(Call memory c) private {
        (bool localOk, bytes memory localAnswer, Vm.Log[] memory localLogs) = _do(c, local);
        (bool circlesOk, bytes memory circlesAnswer, Vm.Log[] memory circlesLogs) = _do(c, circles);
        string memory what = string.concat("kind ", vm.toString(uint256(c.kind)));
        assertEq(localOk, circlesOk, string.concat(what, ": one has done it and the other refused"));
        ++(localOk ? done : refused)[c.kind];
        if (!localOk) {
            assertTrue(_isSameReason(localAnswer, _textOf(circlesAnswer)), string.concat(what, ": reason"));
            return;
        }
        assertEq(localAnswer, circlesAnswer, string.concat(what, ": answer"));
        assertEq(localLogs.length, circlesLogs.length, string.concat(what, ": number of events"));
        for (uint256 i; i < localLogs.length; ++i) {
            assertEq(_content(localLogs[i], local), _content(circlesLogs[i], circles), string.concat(what, ": event"));
        }
    }

    /// @dev Topics and data of one of the token's events, with {TOKEN} for the token's own address.
    function _content(Vm.Log memory log, LocalUsdc token) private pure returns (bytes memory) {
        assertEq(log.emitter, address(token), "emitter");
        for (uint256 i; i < log.topics.length; ++i) {
            if (log.topics[i] == bytes32(uint256(uint160(address(token))))) {
                log.topics[i] = bytes32(uint256(uint160(TOKEN)));
            }
        }
        return abi.encode(log.topics, log.data);
    }

    function _compareBooks() private view {
        assertEq(local.totalSupply(), circles.totalSupply(), "supply");
        assertEq(local.paused(), circles.paused(), "pause");
        for (uint256 i; i < accounts.length; ++i) {
            (address a, address b) = (_in(local, accounts[i]), _in(circles, accounts[i]));
            assertEq(local.balanceOf(a), circles.balanceOf(b), "balance");
            assertEq(local.nonces(a), circles.nonces(b), "nonce of permits");
            assertEq(local.isBlacklisted(a), circles.isBlacklisted(b), "deny list");
            for (uint256 n; n < 4; ++n) {
                assertEq(
                    local.authorizationState(a, bytes32(n)), circles.authorizationState(b, bytes32(n)), "authorization"
                );
            }
            for (uint256 j; j < accounts.length; ++j) {
                assertEq(
                    local.allowance(a, _in(local, accounts[j])),
                    circles.allowance(b, _in(circles, accounts[j])),
                    "allowance"
                );
            }
        }
    }

    function _textOf(bytes memory reason) private pure returns (string memory) {
        assertEq(bytes4(reason), bytes4(keccak256("Error(string)")), "a text was expected");
        bytes memory arguments = new bytes(reason.length - 4);
        for (uint256 i; i < arguments.length; ++i) {
            arguments[i] = reason[i + 4];
        }
        return abi.decode(arguments, (string));
    }

    /// @dev Each error of {LocalUsdc} belongs to certain texts of Circle's, and the other way round.
    function _isSameReason(bytes memory reason, string memory text) private pure returns (bool) {
        bytes4 e = bytes4(reason);
        bytes32 t = keccak256(bytes(text));
        if (e == LocalUsdc.TokenPaused.selector) return t == keccak256("Pausable: paused");
        if (e == LocalUsdc.AccountBlacklisted.selector) return t == keccak256("Blacklistable: account is blacklisted");
        if (e == LocalUsdc.CallerNotPayee.selector) return t == keccak256("FiatTokenV2: caller must be the payee");
        if (e == LocalUsdc.AuthorizationNotYetValid.selector) {
            return t == keccak256("FiatTokenV2: authorization is not yet valid");
        }
        if (e == LocalUsdc.AuthorizationExpired.selector) {
            return
                t == keccak256("FiatTokenV2: authorization is expired")
                    || t == keccak256("FiatTokenV2: permit is expired");
        }
        if (e == LocalUsdc.AuthorizationUsedOrCanceled.selector) {
            return t == keccak256("FiatTokenV2: authorization is used or canceled");
        }
        if (e == LocalUsdc.InvalidTokenSignature.selector) {
            return t == keccak256("FiatTokenV2: invalid signature") || t == keccak256("EIP2612: invalid signature")
                || t == keccak256("ECRecover: invalid signature")
                || t == keccak256("ECRecover: invalid signature length")
                || t == keccak256("ECRecover: invalid signature 's' value")
                || t == keccak256("ECRecover: invalid signature 'v' value");
        }
        if (e == IERC20Errors.ERC20InsufficientBalance.selector) {
            return t == keccak256("ERC20: transfer amount exceeds balance");
        }
        if (e == IERC20Errors.ERC20InsufficientAllowance.selector) {
            return t == keccak256("ERC20: transfer amount exceeds allowance")
                || t == keccak256("ERC20: decreased allowance below zero");
        }
        if (e == IERC20Errors.ERC20InvalidSender.selector) {
            return t == keccak256("ERC20: transfer from the zero address");
        }
        if (e == IERC20Errors.ERC20InvalidReceiver.selector) {
            return t == keccak256("ERC20: transfer to the zero address")
                || t == keccak256("FiatToken: mint to the zero address");
        }
        if (e == IERC20Errors.ERC20InvalidApprover.selector) {
            return t == keccak256("ERC20: approve from the zero address");
        }
        if (e == IERC20Errors.ERC20InvalidSpender.selector) {
            return t == keccak256("ERC20: approve to the zero address");
        }
        // Too large a sum is a panic here.
        return e == bytes4(keccak256("Panic(uint256)")) && t == keccak256("SafeMath: addition overflow");
    }

    function _play(uint256 seed) private {
        entropy = seed;
        for (uint256 i; i < CALLS; ++i) {
            _compare(_choose());
            if (_random(6) == 0) vm.warp(vm.getBlockTimestamp() + 1);
        }
        _compareBooks();
    }

    // --------------------------------------------------------------------------------------------------------- tests

    /// forge-config: default.fuzz.runs = 128
    function testFuzz_everyCallHasTheSameOutcome(uint256 seed) public {
        _play(seed);
    }

    /// @dev The comparison above is worth something only if calls of each kind go through and are refused.
    function test_callsOfEachKindGoThroughAndAreRefused() public {
        for (uint256 seed; seed < 40; ++seed) {
            _play(seed);
        }
        for (uint256 kind; kind < KINDS; ++kind) {
            assertGt(done[Kind(kind)], 0, string.concat("none has gone through: ", vm.toString(kind)));
            if (kind > uint256(Kind.Mint)) continue; // the owner's switches always work
            assertGt(refused[Kind(kind)], 0, string.concat("none was refused: ", vm.toString(kind)));
        }
    }

    /// @dev A wallet that looks at the token while it is asked sees what it would see at Circle's.
    function test_nonceIsUsedAfterTheWalletHasAgreed() public {
        address wallet = address(new CuriousWallet());
        LocalUsdc[2] memory tokens = [circles, local];
        for (uint256 i; i < tokens.length; ++i) {
            tokens[i].transferWithAuthorization(wallet, accounts[0], 0, 0, type(uint256).max, "a", bytes("a"));
            assertTrue(tokens[i].authorizationState(wallet, "a"));
            tokens[i].cancelAuthorization(wallet, "b", bytes("b"));
            assertTrue(tokens[i].authorizationState(wallet, "b"));
        }
    }

    /// @dev What does not depend on a call.
    function test_factsAreTheSame() public view {
        assertEq(local.name(), circles.name());
        assertEq(local.symbol(), circles.symbol());
        assertEq(local.decimals(), circles.decimals());
        assertEq(local.version(), circles.version());
        assertEq(local.currency(), circles.currency());
        assertEq(local.PERMIT_TYPEHASH(), circles.PERMIT_TYPEHASH());
        assertEq(local.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), circles.TRANSFER_WITH_AUTHORIZATION_TYPEHASH());
        assertEq(local.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), circles.RECEIVE_WITH_AUTHORIZATION_TYPEHASH());
        assertEq(local.CANCEL_AUTHORIZATION_TYPEHASH(), circles.CANCEL_AUTHORIZATION_TYPEHASH());
        bytes32 ours = TypedData.domainSeparator("USD Coin", "2", block.chainid, address(local));
        assertEq(local.DOMAIN_SEPARATOR(), ours);
        bytes32 theirs = TypedData.domainSeparator("USD Coin", "2", block.chainid, address(circles));
        assertEq(circles.DOMAIN_SEPARATOR(), theirs);
    }
}
