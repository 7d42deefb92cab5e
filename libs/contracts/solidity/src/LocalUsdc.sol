// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

import {IFiatToken} from "./interfaces/IFiatToken.sol";

/// @title LocalUsdc
/// @notice USDC of a local market. It answers as the real token (version 2.2) does wherever the escrow or a wallet can
///         notice: decimals, EIP-712 domain, EIP-3009 and EIP-2612 in both signature forms, deny list, pause, and ERC-1271
///         for every account that has code. Never deployed where real money is.
contract LocalUsdc is ERC20, Ownable, IFiatToken {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant _DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice Version of the EIP-712 domain.
    string public constant version = "2";
    /// @notice Currency that the token stands for.
    string public constant currency = "USD";

    /// @notice Whether all movements are stopped.
    bool public paused;
    /// @notice Whether an account may neither send, receive nor approve.
    mapping(address account => bool) public isBlacklisted;
    /// @notice Next EIP-2612 nonce of an account.
    mapping(address owner => uint256) public nonces;
    /// @notice Whether an EIP-3009 nonce is used or cancelled.
    mapping(address authorizer => mapping(bytes32 nonce => bool)) public authorizationState;

    /// @notice An authorisation was presented.
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    /// @notice An authorisation was cancelled by its signer.
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    /// @notice New tokens were made.
    event Mint(address indexed minter, address indexed to, uint256 amount);
    /// @notice An account was put on the deny list.
    event Blacklisted(address indexed account);
    /// @notice An account was taken off the deny list.
    event UnBlacklisted(address indexed account);
    /// @notice All movements were stopped.
    event Pause();
    /// @notice The pause ended.
    event Unpause();

    /// @notice The token is paused.
    error TokenPaused();
    /// @notice The account is on the deny list.
    error AccountBlacklisted(address account);
    /// @notice Only the payee itself may present a receive authorisation.
    error CallerNotPayee(address caller, address payee);
    /// @notice The authorisation is not valid yet.
    error AuthorizationNotYetValid(uint256 validAfter);
    /// @notice The authorisation or the permit is not valid any more.
    error AuthorizationExpired(uint256 validBefore);
    /// @notice The authorisation is used or cancelled.
    error AuthorizationUsedOrCanceled(address authorizer, bytes32 nonce);
    /// @notice The signature is not the account's.
    error InvalidTokenSignature(address account);

    modifier whenNotPaused() {
        if (paused) revert TokenPaused();
        _;
    }

    modifier notBlacklisted(address account) {
        if (isBlacklisted[account]) revert AccountBlacklisted(account);
        _;
    }

    /// @param owner_ Mints, pauses and keeps the deny list.
    constructor(address owner_) ERC20("USD Coin", "USDC") Ownable(owner_) {}

    // --------------------------------------------------------------------------------------------------- the owner

    /// @notice Makes new tokens.
    function mint(address to, uint256 amount)
        external
        onlyOwner
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        _mint(to, amount);
        emit Mint(msg.sender, to, amount);
        return true;
    }

    /// @notice Puts an account on the deny list.
    function blacklist(address account) external onlyOwner {
        isBlacklisted[account] = true;
        emit Blacklisted(account);
    }

    /// @notice Takes an account off the deny list.
    function unBlacklist(address account) external onlyOwner {
        isBlacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    /// @notice Stops all movements and approvals.
    function pause() external onlyOwner {
        paused = true;
        emit Pause();
    }

    /// @notice Ends a pause.
    function unpause() external onlyOwner {
        paused = false;
        emit Unpause();
    }

    // ------------------------------------------------------------------------------------------------------ ERC-20

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @inheritdoc ERC20
    function transfer(address to, uint256 value)
        public
        override(ERC20, IERC20)
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(to)
        returns (bool)
    {
        return super.transfer(to, value);
    }

    /// @inheritdoc ERC20
    function transferFrom(address from, address to, uint256 value)
        public
        override(ERC20, IERC20)
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(from)
        notBlacklisted(to)
        returns (bool)
    {
        return super.transferFrom(from, to, value);
    }

    /// @inheritdoc ERC20
    function approve(address spender, uint256 value)
        public
        override(ERC20, IERC20)
        whenNotPaused
        notBlacklisted(msg.sender)
        notBlacklisted(spender)
        returns (bool)
    {
        return super.approve(spender, value);
    }

    // ---------------------------------------------------------------------------------------------------- EIP-3009

    /// @notice Moves tokens by a signed authorisation that anyone may present.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        bytes memory message = abi.encode(
            TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce
        );
        _useAuthorization(from, validAfter, validBefore, nonce, message, signature);
        _transfer(from, to, value);
    }

    /// @notice {transferWithAuthorization} with the signature in three parts.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        transferWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @inheritdoc IFiatToken
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) public override whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        if (to != msg.sender) revert CallerNotPayee(msg.sender, to);
        bytes memory message =
            abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce);
        _useAuthorization(from, validAfter, validBefore, nonce, message, signature);
        _transfer(from, to, value);
    }

    /// @notice {receiveWithAuthorization} with the signature in three parts.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        receiveWithAuthorization(from, to, value, validAfter, validBefore, nonce, abi.encodePacked(r, s, v));
    }

    /// @notice Cancels an authorisation that was signed but not presented.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) public whenNotPaused {
        _requireUnused(authorizer, nonce);
        _requireSignature(authorizer, abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce), signature);
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    /// @notice {cancelAuthorization} with the signature in three parts.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    // ---------------------------------------------------------------------------------------------------- EIP-2612

    /// @inheritdoc IFiatToken
    function permit(address owner_, address spender, uint256 value, uint256 deadline, bytes memory signature)
        public
        override
        whenNotPaused
        notBlacklisted(owner_)
        notBlacklisted(spender)
    {
        if (block.timestamp > deadline) revert AuthorizationExpired(deadline);
        _requireSignature(
            owner_, abi.encode(PERMIT_TYPEHASH, owner_, spender, value, nonces[owner_]++, deadline), signature
        );
        _approve(owner_, spender, value);
    }

    /// @notice {permit} with the signature in three parts.
    function permit(address owner_, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        permit(owner_, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    /// @notice EIP-712 domain separator on this chain.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(
            abi.encode(
                _DOMAIN_TYPEHASH, keccak256(bytes(name())), keccak256(bytes(version)), block.chainid, address(this)
            )
        );
    }

    // ---------------------------------------------------------------------------------------------------- internal

    /// @dev Valid strictly between the two times.
    function _useAuthorization(
        address from,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory message,
        bytes memory signature
    ) private {
        if (block.timestamp <= validAfter) revert AuthorizationNotYetValid(validAfter);
        if (block.timestamp >= validBefore) revert AuthorizationExpired(validBefore);
        _requireUnused(from, nonce);
        _requireSignature(from, message, signature);
        authorizationState[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
    }

    function _requireUnused(address authorizer, bytes32 nonce) private view {
        if (authorizationState[authorizer][nonce]) revert AuthorizationUsedOrCanceled(authorizer, nonce);
    }

    /// @dev An account with code is asked by ERC-1271 and by nothing else, even if it is a delegated key (EIP-7702).
    function _requireSignature(address account, bytes memory message, bytes memory signature) private view {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), keccak256(message)));
        if (!SignatureChecker.isValidSignatureNow(account, digest, signature)) revert InvalidTokenSignature(account);
    }

    /// @dev Counts every allowance down, an unlimited one too.
    function _spendAllowance(address owner_, address spender, uint256 value) internal override {
        uint256 allowed = allowance(owner_, spender);
        if (allowed < value) revert ERC20InsufficientAllowance(spender, allowed, value);
        unchecked {
            _approve(owner_, spender, allowed - value, false); // `value <= allowed` was checked above
        }
    }
}
