// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TaskEscrow} from "../../src/TaskEscrow.sol";
import {Auth, FundingMode, Node, NodeState, NodeTerms} from "../../src/Types.sol";
import {EscrowTest} from "../base/EscrowTest.sol";
import {MoodyWallet} from "../mocks/Wallets.sol";

/// @notice Three trees over one token, the people in them, and what the properties remember about the past: the terms
///         that were signed, who brought money, who took some out, and which nonces are gone. A node goes by its place
///         in the order of hiring, from 1 on; {_path} is the id that the contract knows it by.
abstract contract MarketStore is EscrowTest {
    uint32 internal constant MOST_NODES = 30;

    /// @dev One tree as the outside has seen it. Money in token base units.
    struct Tree {
        TaskEscrow escrow;
        address buyer;
        address arbiter;
        uint32 count;
        uint256 deposited;
        uint256 withdrawn;
        uint256 gifts;
    }

    /// @dev What both sides signed about a node.
    struct Agreed {
        address worker;
        uint64 amount;
        address hirer;
        uint64 floor;
        uint40 deliverBy;
        uint24 acceptWindow;
        uint8 maxRevisions;
        uint32 parent;
        uint8 level;
        bool hirerFunded;
        uint192 path;
    }

    /// @dev A nonce that an action has used.
    struct Spent {
        uint256 tree;
        address account;
        uint256 nonce;
    }

    Tree[3] internal trees;
    /// @dev Index of the tree that the current call is about; {escrow}, {buyer} and {_judge} are its own.
    uint256 internal at;
    address internal _judge;
    /// @dev Who sends the current call: it needs no signature of its own.
    address internal _sender;
    /// @dev Everybody whose money or nonces may move: six workers, two buyers, arbiter, stranger.
    address[10] internal people;
    mapping(address account => uint256 oneBased) internal placeOf;
    MoodyWallet internal workerWallet;
    MoodyWallet internal buyerWallet;
    /// @dev What went wrong where a revert would not be seen.
    string public violation;

    mapping(uint256 tree => mapping(uint32 id => Agreed)) internal agreed;
    mapping(uint256 tree => mapping(uint32 id => uint256)) internal withdrawnFrom;
    mapping(uint256 tree => mapping(address account => uint256)) internal refundsUsed;
    mapping(uint256 tree => mapping(address account => uint256)) internal broughtIn;
    mapping(uint256 tree => mapping(address account => uint256)) internal tookOut;
    mapping(uint256 tree => mapping(address account => mapping(uint256 word => uint256))) internal usedBits;
    /// @dev Nonces about nodes that an action has used, to be asked for again and again.
    Spent[] internal spent;
    mapping(uint256 tree => mapping(uint192 path => uint32)) internal placeAt;
    mapping(bytes32 action => uint256) internal done;
    bytes32[] internal actions;
    bytes[16] internal sentCalls;
    uint256[16] internal sentTrees;
    uint256 internal sentCount;
    uint256 internal calls;

    uint256 private _moment = START;
    address[4] private _issuedTo;
    uint256[4] private _issued;
    uint256 private _issuedCount;

    /// @dev Tree 0 has an arbiter, tree 1 has none, tree 2 has a contract wallet for its buyer. Worker 4 is a contract
    ///      wallet, worker 5 a key with delegated code (EIP-7702).
    function setUp() public virtual override {
        super.setUp();
        workerWallet = new MoodyWallet(_account("worker wallet owner"));
        buyerWallet = new MoodyWallet(_account("buyer wallet owner"));
        keyOf[address(workerWallet)] = keyOf[_account("worker wallet owner")];
        keyOf[address(buyerWallet)] = keyOf[_account("buyer wallet owner")];
        workers[4] = address(workerWallet);
        vm.etch(workers[5], abi.encodePacked(hex"ef0100", address(usdc)));
        for (uint256 i; i < 6; ++i) {
            people[i] = workers[i];
        }
        (people[6], people[7], people[8], people[9]) = (buyer, address(buyerWallet), arbiter, stranger);
        for (uint256 i; i < people.length; ++i) {
            placeOf[people[i]] = i + 1;
        }
        _plant(0, buyer, arbiter);
        _plant(1, buyer, address(0));
        _plant(2, address(buyerWallet), arbiter);
        _use(0);
    }

    function _plant(uint256 k, address buyer_, address arbiter_) private {
        trees[k].escrow = TaskEscrow(factory.createTree(buyer_, arbiter_, bytes32(k), ""));
        (trees[k].buyer, trees[k].arbiter) = (buyer_, arbiter_);
    }

    function _use(uint256 k) internal {
        at = k;
        (escrow, buyer, _judge) = (trees[k].escrow, trees[k].buyer, trees[k].arbiter);
        _sender = stranger;
        _issuedCount = 0;
    }

    /// @dev All nodes of the current tree; index 0 stays empty, so that a node is at its own id.
    function _nodes() internal view returns (Node[] memory ns) {
        uint32 count = trees[at].count;
        ns = new Node[](count + 1);
        for (uint32 id = 1; id <= count; ++id) {
            ns[id] = escrow.node(_path(id));
        }
    }

    /// @dev The id of the node at this place; of none for place 0.
    function _path(uint32 place) internal view returns (uint192) {
        return agreed[at][place].path;
    }

    /// @dev Path of the child that a node, or the buyer for place 0, hires next. Indices leave gaps.
    function _nextPath(uint32 parent) internal view returns (uint192) {
        return _path(parent) << 24 | (7 * (trees[at].count + 1));
    }

    /// @dev `block.timestamp`, in a form that an optimizer cannot read too early.
    function _now() internal view returns (uint256) {
        return _moment;
    }

    function _warp(uint256 to) internal {
        _moment = to;
        due = uint40(to + WORK);
        vm.warp(to);
    }

    // ----------------------------------------------------------------------------------------------------- sending

    /// @dev Remembers whose nonce the call under way carries.
    function _note(address signer, uint256 nonce) internal {
        if (_issuedCount < 4) (_issuedTo[_issuedCount], _issued[_issuedCount]) = (signer, nonce);
        ++_issuedCount;
    }

    /// @dev The sender needs no signature.
    function _signed(address signer, bytes memory head) internal override returns (Auth memory a) {
        a = signer == _sender ? _auth(signer) : super._signed(signer, head);
        _note(signer, a.nonce);
    }

    function _signedAt(uint192 id, address signer, bytes memory head) internal override returns (Auth memory a) {
        a = signer == _sender ? _auth(_nonceAt(id)) : super._signedAt(id, signer, head);
        _note(signer, a.nonce);
    }

    /// @dev Whether the account's signature is good now; a wallet in a bad mood can still send by itself.
    function _signs(address account) internal view returns (bool) {
        if (account == address(workerWallet)) return workerWallet.mood() == MoodyWallet.Mood.Honest;
        if (account == address(buyerWallet)) return buyerWallet.mood() == MoodyWallet.Mood.Honest;
        return true;
    }

    /// @dev A sender with whom both may act: one whose wallet does not sign sends by itself. Zero if both would have to.
    function _senderFor(uint256 seed, address first, address second) internal view returns (address) {
        if (!_signs(first)) return first == second || _signs(second) ? first : address(0);
        if (!_signs(second)) return second;
        if (seed % 4 == 0) return first;
        if (seed % 4 == 1) return second;
        return stranger;
    }

    /// @dev Sends the call to the current tree. On success every nonce it carried is gone, and was not before.
    function _send(bytes32 action, bytes memory call) internal returns (bool ok, bytes memory answer) {
        uint256 issued = _issuedCount;
        _issuedCount = 0;
        bool fresh = true;
        for (uint256 i; i < issued; ++i) {
            if (escrow.nonceUsed(_issuedTo[i], _issued[i])) fresh = false;
        }
        vm.prank(_sender);
        (ok, answer) = address(escrow).call(call);
        if (!ok) return (ok, answer);
        if (!fresh) violation = "a used nonce went through";
        for (uint256 i; i < issued; ++i) {
            _spend(_issuedTo[i], _issued[i]);
        }
        _count(action);
        if (issued == 0) return (ok, answer);
        (sentCalls[sentCount % 16], sentTrees[sentCount % 16]) = (call, at);
        ++sentCount;
    }

    function _spend(address account, uint256 nonce) internal {
        if (nonce < FIRST_WITHDRAWAL) {
            spent.push(Spent(at, account, nonce));
            return;
        }
        uint256 mask = 1 << (nonce & 0xff);
        if (usedBits[at][account][nonce >> 8] & mask != 0) violation = "a nonce was used twice";
        usedBits[at][account][nonce >> 8] |= mask;
    }

    function _count(bytes32 action) internal {
        if (done[action]++ == 0) actions.push(action);
    }

    function _countStep(uint8 from, uint8 to, uint8 level, bool late, bool carved) internal {
        _count(
            bytes32(
                abi.encodePacked(
                    "step ", _digit(from), _digit(to), _digit(level), _digit(late ? 1 : 0), _digit(carved ? 1 : 0)
                )
            )
        );
    }

    function _digit(uint8 value) internal pure returns (bytes1) {
        return bytes1(48 + value); // value < 10
    }

    // --------------------------------------------------------------------------------------------------- recording

    function _opened(NodeTerms memory t, address hirer, FundingMode mode) internal {
        uint32 place = ++trees[at].count;
        placeAt[at][t.nodeId] = place;
        Agreed storage a = agreed[at][place];
        (a.worker, a.amount, a.hirer, a.floor) = (t.worker, t.amount, hirer, t.floor);
        (a.acceptWindow, a.maxRevisions, a.hirerFunded) = (t.acceptWindow, t.maxRevisions, t.hirerFunded);
        (a.deliverBy, a.path, a.parent) = (uint40(_now() + t.workSeconds), t.nodeId, placeAt[at][t.nodeId >> 24]);
        a.level = a.parent == 0 ? 1 : agreed[at][a.parent].level + 1;
        if (place == MOST_NODES) _count("a tree is full");
        if (mode == FundingMode.ParentNode) return;
        broughtIn[at][hirer] += a.amount;
        if (mode == FundingMode.RefundBalance) refundsUsed[at][hirer] += a.amount;
        else trees[at].deposited += a.amount;
    }

    function _earned(uint32 id, uint256 amount) internal {
        trees[at].withdrawn += amount;
        withdrawnFrom[at][id] += amount;
        tookOut[at][agreed[at][id].worker] += amount;
        if (amount != 0) _count(bytes32(abi.encodePacked("paid ", _digit(agreed[at][id].level))));
    }

    function _refunded(address account, uint256 amount) internal {
        trees[at].withdrawn += amount;
        refundsUsed[at][account] += amount;
        tookOut[at][account] += amount;
    }

    /// @notice What was done, as lines of `action count`.
    function tally() external view returns (string memory lines) {
        for (uint256 i; i < actions.length; ++i) {
            bytes32 action = actions[i];
            bytes memory name = new bytes(32);
            uint256 length;
            for (; length < 32 && action[length] != 0; ++length) {
                name[length] = action[length];
            }
            assembly ("memory-safe") {
                mstore(name, length)
            }
            lines = string.concat(lines, i == 0 ? "" : "\n", vm.toString(done[action]), " ", string(name));
        }
    }
}
