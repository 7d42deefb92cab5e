import { Interface } from 'ethers';
import type { Hex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';
import { selectorOf, uintWord } from './encode.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { type NodeState, toNodeState } from '../tree/node-states.js';
import { splitWords, wordToAddress, wordToAmount, wordToBytes32, wordToCount, wordToFlag } from './abi-words.js';

const factory = new Interface(taskEscrowFactoryAbi);
const usdc = new Interface(localUsdcAbi);
const NODE_WORDS = 10;
const ADDRESS_DIGITS = 40;
const WORD_DIGITS = 64;
const node = selectorOf('node');
const nonceBitmap = selectorOf('nonceBitmap');
const refundOf = selectorOf('refundOf');
const withdrawable = selectorOf('withdrawable');

/** A node as the contract stores it now (Types.sol, `Node`). Money in base units, times in unix seconds. */
export interface StoredNode {
  /** The zero address when no node has this number. */
  worker: Hex;
  /** What is left of the node, allocations of children included. */
  amount: bigint;
  allocated: bigint;
  deliverBy: number;
  clock: number;
  /** 0 for a root node. */
  parent: number;
  /** Seconds. */
  acceptWindow: number;
  /** None when no node has this number. */
  state: NodeState;
  hirerFunded: boolean;
  /** Zero until the first delivery. */
  artifactHash: Hex;
}

/** Call data of `node(nodeId)`. */
export function encodeNodeCall(nodeId: number): Hex {
  return asHex(node + uintWord(nodeId, 32));
}

/** The node in what `node(nodeId)` returned. Throws TypeError or RangeError on data that is not a node. */
export function decodeNodeResult(data: string): StoredNode {
  const words = resultWords(data, NODE_WORDS);
  const word = (index: number) => words[index] ?? '';
  return {
    worker: wordToAddress(word(0)),
    amount: wordToAmount(word(1)),
    allocated: wordToAmount(word(2)),
    deliverBy: wordToCount(word(3)),
    clock: wordToCount(word(4)),
    parent: wordToCount(word(5)),
    acceptWindow: wordToCount(word(6)),
    state: toNodeState(wordToCount(word(7))),
    hirerFunded: wordToFlag(word(8)),
    artifactHash: wordToBytes32(word(9)),
  };
}

/** Call data of `nonceBitmap(signer, word)`. */
export function encodeNonceBitmapCall(signer: string, word: bigint): Hex {
  return asHex(nonceBitmap + addressWord(signer) + uintWord(word, 256));
}

/** What `nonceBitmap` returned: bit `i` is set when nonce `256·word + i` is used or cancelled. Throws TypeError. */
export function decodeNonceBitmapResult(data: string): bigint {
  return decodeAmountResult(data);
}

/** Call data of `withdrawable(nodeId)`: base units that the worker can take out of the node now, time applied. */
export function encodeWithdrawableCall(nodeId: number): Hex {
  return asHex(withdrawable + uintWord(nodeId, 32));
}

/** Call data of `refundOf(account)`: base units that came back to a hirer and wait in the tree's escrow. */
export function encodeRefundOfCall(account: string): Hex {
  return asHex(refundOf + addressWord(account));
}

/** Call data of the token's `balanceOf(account)`. */
export function encodeBalanceOfCall(account: string): Hex {
  return asHex(usdc.encodeFunctionData('balanceOf', [account]));
}

/** Call data of the token's `allowance(owner, spender)`. */
export function encodeAllowanceCall(owner: string, spender: string): Hex {
  return asHex(usdc.encodeFunctionData('allowance', [owner, spender]));
}

/** Call data of the token's `nonces(owner)`: the number of the owner's next EIP-2612 permit. */
export function encodePermitNonceCall(owner: string): Hex {
  return asHex(usdc.encodeFunctionData('nonces', [owner]));
}

/** One unsigned integer as a view returned it. Throws TypeError. */
export function decodeAmountResult(data: string): bigint {
  return wordToAmount(resultWords(data, 1)[0] ?? '');
}

/** Views of the token's EIP-712 domain, which is read from the chain because deployments differ in it. */
export type TokenDomainView = 'name' | 'version' | 'DOMAIN_SEPARATOR';

/** Call data of a view of the token's EIP-712 domain. */
export function encodeTokenDomainCall(view: TokenDomainView): Hex {
  return asHex(usdc.encodeFunctionData(view));
}

/** The text or the hash that the view returned. Throws on data that is neither. */
export function decodeTokenDomainResult(view: TokenDomainView, data: string): string {
  return String(usdc.decodeFunctionResult(view, data)[0]);
}

/** Call data of the factory's `escrowOf(buyer, arbiter, treeId)`. */
export function encodeEscrowOfCall(tree: { buyer: string; arbiter: string; treeId: string }): Hex {
  return asHex(factory.encodeFunctionData('escrowOf', [tree.buyer, tree.arbiter, tree.treeId]));
}

/** The address (EIP-55) in what `escrowOf` returned. Throws TypeError. */
export function decodeEscrowOfResult(data: string): Hex {
  return wordToAddress(resultWords(data, 1)[0] ?? '');
}

function addressWord(account: string): string {
  return checksumAddress(account).slice(-ADDRESS_DIGITS).toLowerCase().padStart(WORD_DIGITS, '0');
}

function resultWords(data: string, count: number): readonly string[] {
  const words = splitWords(data);
  if (words?.length !== count) throw new TypeError('The call did not return what the pinned contract returns');
  return words;
}
