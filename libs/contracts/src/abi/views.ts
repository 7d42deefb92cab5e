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
const NODE_WORDS = 14;
/** Bits of a path. */
const NODE_BITS = 192;
const ADDRESS_DIGITS = 40;
const WORD_DIGITS = 64;
const node = selectorOf('node');
const nonceBitmap = selectorOf('nonceBitmap');
const nonceUsed = selectorOf('nonceUsed');
const refundOf = selectorOf('refundOf');
const withdrawable = selectorOf('withdrawable');

/** A node as the contract stores it now (Types.sol, `Node`). Money in base units, times in unix seconds. */
export interface StoredNode {
  /** The zero address when no node has this path. */
  worker: Hex;
  /** The most that may be carved out, and the worker's share if the arbiter is silent. */
  floor: bigint;
  /** Seconds. */
  acceptWindow: number;
  hirerFunded: boolean;
  /** What is left of the node, allocations of children included. */
  amount: bigint;
  allocated: bigint;
  deliverBy: number;
  clock: number;
  /** Transitions so far; 0 when no node has this path. */
  version: number;
  /** Deliveries after a rejection so far, and how many the terms allow. */
  revisions: number;
  maxRevisions: number;
  /** None when no node has this path. */
  state: NodeState;
  /** Whether the newest delivery asked for payment to the worker's own address. */
  payOut: boolean;
  /** Zero until the first delivery. */
  artifactHash: Hex;
}

/** Call data of `node(nodeId)`. */
export function encodeNodeCall(path: bigint): Hex {
  return asHex(node + uintWord(path, NODE_BITS));
}

/** The node in what `node(nodeId)` returned. Throws TypeError or RangeError on data that is not a node. */
export function decodeNodeResult(data: string): StoredNode {
  const words = resultWords(data, NODE_WORDS);
  const word = (index: number) => words[index] ?? '';
  return {
    worker: wordToAddress(word(0)),
    floor: wordToAmount(word(1)),
    acceptWindow: wordToCount(word(2)),
    hirerFunded: wordToFlag(word(3)),
    amount: wordToAmount(word(4)),
    allocated: wordToAmount(word(5)),
    deliverBy: wordToCount(word(6)),
    clock: wordToCount(word(7)),
    version: wordToCount(word(8)),
    revisions: wordToCount(word(9)),
    maxRevisions: wordToCount(word(10)),
    state: toNodeState(wordToCount(word(11))),
    payOut: wordToFlag(word(12)),
    artifactHash: wordToBytes32(word(13)),
  };
}

/** Call data of `nonceUsed(signer, nonce)`: whether an action with this nonce was executed, overtaken or cancelled. */
export function encodeNonceUsedCall(signer: string, nonce: bigint): Hex {
  return asHex(nonceUsed + addressWord(signer) + uintWord(nonce, 256));
}

/** What `nonceUsed` returned; once true, it stays so. Throws TypeError. */
export function decodeNonceUsedResult(data: string): boolean {
  return wordToFlag(resultWords(data, 1)[0] ?? '');
}

/** Call data of `nonceBitmap(signer, word)`. */
export function encodeNonceBitmapCall(signer: string, word: bigint): Hex {
  return asHex(nonceBitmap + addressWord(signer) + uintWord(word, 256));
}

/** What `nonceBitmap` returned, see `NonceBitmapWord`. Throws TypeError. */
export function decodeNonceBitmapResult(data: string): bigint {
  return decodeAmountResult(data);
}

/** Call data of `withdrawable(nodeId)`: base units that the worker can take out of the node now, time applied. */
export function encodeWithdrawableCall(path: bigint): Hex {
  return asHex(withdrawable + uintWord(path, NODE_BITS));
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
