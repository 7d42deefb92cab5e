import { Interface } from 'ethers';
import { BYTES32_PATTERN, type Hex } from '#libs/kernel';
import { asHex, checksumAddress } from './addresses.js';
import { localUsdcAbi } from '../generated/local-usdc.js';
import { taskEscrowFactoryAbi } from '../generated/task-escrow-factory.js';
import { taskEscrowAbi } from '../generated/task-escrow.js';
import type { FundingMode } from '../tree/node-states.js';
import type { ActionFields, NodeTerms } from '#libs/prepared-action';

const WORD_DIGITS = 64;
const escrow = new Interface(taskEscrowAbi);
const factory = new Interface(taskEscrowFactoryAbi);
const usdc = new Interface(localUsdcAbi);
/**
 * The two offsets in `abandonNode(uint192, Auth)`: of the tuple from the start of the arguments, and of its signature
 * from the start of the tuple.
 */
const AUTH_OFFSET = uintWord(0x40n, 256);
const SIGNATURE_OFFSET = uintWord(0xa0n, 256);
const abandonNode = selectorOf('abandonNode');

/**
 * What authorises one action on chain: the four members the typed data ends with, and the signature (an EOA's 65 or 64
 * bytes, or whatever an ERC-1271 wallet accepts; `0x` when the signer itself sends the call).
 */
export type ActionAuth = ActionFields & { signature: Hex };

/** A call as a wallet takes it (`eth_sendTransaction`, ERC-5792 `calls`). No call of the escrow carries ether. */
export interface ContractCall {
  to: Hex;
  data: Hex;
  value: '0x0';
}

/** How a node is paid: `permit` is the EIP-2612 signature in mode Permit, and empty in every other mode. */
export interface Funding {
  mode: FundingMode;
  permit?: Hex;
}

/** The call of a contract with this data. Throws TypeError when `to` is not an address. */
export function contractCall(to: string, data: Hex): ContractCall {
  return { to: checksumAddress(to), data, value: '0x0' };
}

/** The authorisation of a call that the signer itself sends. */
export function senderAuth({ actionId, requestDigest, nonce, validUntil }: ActionFields): ActionAuth {
  return { actionId, requestDigest, nonce, validUntil, signature: '0x' };
}

/*
 * Call data of every function of the escrow (docs/decisions/escrow.md#signed-actions). Nodes by path, amounts in base
 * units. All throw TypeError or RangeError when an argument does not fit its type.
 */

/** Buyer, with the worker's signed quote: open and pay a root node. */
export function encodeFundTask(terms: NodeTerms, funding: Funding, hirerAuth: ActionAuth, workerAuth: ActionAuth): Hex {
  return call('fundTask', [terms, funding.mode, hirerAuth, workerAuth, funding.permit ?? '0x']);
}

/** Worker of the parent node, with the other worker's signed quote: open and pay a child node. */
export function encodeSubcontract(
  terms: NodeTerms,
  funding: Funding,
  hirerAuth: ActionAuth,
  workerAuth: ActionAuth,
): Hex {
  return call('subcontract', [terms, funding.mode, hirerAuth, workerAuth, funding.permit ?? '0x']);
}

/** Worker: deliver an artifact; with `payOut` to be paid to its own address as soon as the node settles. */
export function encodeDeliver(nodeId: bigint, artifactHash: string, payOut: boolean, auth: ActionAuth): Hex {
  return call('deliver', [nodeId, artifactHash, payOut, auth]);
}

/** Hirer: accept what was delivered. */
export function encodeResolveTask(nodeId: bigint, artifactHash: string, auth: ActionAuth): Hex {
  return call('resolveTask', [nodeId, artifactHash, auth]);
}

/** Hirer: reject what was delivered. */
export function encodeRejectTask(nodeId: bigint, artifactHash: string, reasonHash: string, auth: ActionAuth): Hex {
  return call('rejectTask', [nodeId, artifactHash, reasonHash, auth]);
}

/** Worker: give a funded node back. Laid out by hand: every preparation encodes it twice. */
export function encodeAbandonNode(nodeId: bigint, auth: ActionAuth): Hex {
  const { actionId, requestDigest, nonce, validUntil } = auth;
  const signature = asHex(auth.signature).slice(2);
  return asHex(
    [
      abandonNode,
      uintWord(nodeId, 192),
      AUTH_OFFSET,
      bytes32Word(actionId),
      bytes32Word(requestDigest),
      uintWord(nonce, 256),
      uintWord(validUntil, 256),
      SIGNATURE_OFFSET,
      uintWord(signature.length / 2, 256),
      signature.padEnd(Math.ceil(signature.length / WORD_DIGITS) * WORD_DIGITS, '0').toLowerCase(),
    ].join(''),
  );
}

/** Anyone (`account` is who signs or sends): return the money of a node that was not delivered in time. */
export function encodeClaimNonDelivery(nodeId: bigint, account: string, auth: ActionAuth): Hex {
  return call('claimNonDelivery', [nodeId, account, auth]);
}

/** Worker: contest a rejection. */
export function encodeDisputeNode(nodeId: bigint, evidenceHash: string, auth: ActionAuth): Hex {
  return call('disputeNode', [nodeId, evidenceHash, auth]);
}

/** Arbiter: divide a disputed node. */
export function encodeRuleDispute(nodeId: bigint, workerShare: bigint, rulingHash: string, auth: ActionAuth): Hex {
  return call('ruleDispute', [nodeId, workerShare, rulingHash, auth]);
}

/** Hirer and worker together: end a node with a split. */
export function encodeAgreeSplit(
  nodeId: bigint,
  workerShare: bigint,
  hirerAuth: ActionAuth,
  workerAuth: ActionAuth,
): Hex {
  return call('agreeSplit', [nodeId, workerShare, hirerAuth, workerAuth]);
}

/** Worker: take earnings of a settled node out. */
export function encodeWithdrawEarnings(nodeId: bigint, recipient: string, amount: bigint, auth: ActionAuth): Hex {
  return call('withdrawEarnings', [nodeId, recipient, amount, auth]);
}

/** Hirer (`account`): take returned money out. */
export function encodeWithdrawRefund(account: string, recipient: string, amount: bigint, auth: ActionAuth): Hex {
  return call('withdrawRefund', [account, recipient, amount, auth]);
}

/** Anyone: write down what time has decided about a node, and pay it out if its worker asked for that. */
export function encodeFinalize(nodeId: bigint): Hex {
  return call('finalize', [nodeId]);
}

/** The sender: cancel its own nonces `256·word + i` for every bit `i` set in `mask`; for a node, `word` is its path. */
export function encodeInvalidateNonces(word: bigint, mask: bigint): Hex {
  return call('invalidateNonces', [word, mask]);
}

/** Anyone: several calls of one escrow in one transaction, which leaves out those that fail unless all do. */
export function encodeMulticall(calls: readonly Hex[]): Hex {
  return call('multicall', [calls]);
}

/** Call data for the factory: deploy the tree's escrow unless it exists, then make this call on it; if it fails, all does. */
export function encodeCreateTree(tree: { buyer: string; arbiter: string; treeId: string }, then: Hex = '0x'): Hex {
  return asHex(factory.encodeFunctionData('createTree', [tree.buyer, tree.arbiter, tree.treeId, then]));
}

/** The token's owner: let the spender take this many base units; replaces what it could take before. */
export function encodeTokenApprove(spender: string, amount: bigint): Hex {
  return asHex(usdc.encodeFunctionData('approve', [spender, amount]));
}

/** The token's owner: move base units. Only simulated, to learn whether the token would move them. */
export function encodeTokenTransfer(to: string, amount: bigint): Hex {
  return asHex(usdc.encodeFunctionData('transfer', [to, amount]));
}

/** The four bytes that name a function of the escrow, as `0x` text. Throws TypeError for one it does not have. */
export function selectorOf(name: string): Hex {
  const known = escrow.getFunction(name);
  if (known === null) throw new TypeError(`The escrow has no function ${name}`);
  return asHex(known.selector);
}

/** An unsigned integer as the 64 digits of its word. Throws RangeError when it does not fit its type. */
export function uintWord(value: number | bigint, bits: number): string {
  const integer = BigInt(value);
  if (integer < 0n || integer >> BigInt(bits) !== 0n) throw new RangeError(`An argument is not a uint${bits}`);
  return integer.toString(16).padStart(WORD_DIGITS, '0');
}

function bytes32Word(value: string): string {
  if (!BYTES32_PATTERN.test(value)) throw new TypeError('An argument is not bytes32');
  return value.slice(2).toLowerCase();
}

function call(name: string, values: readonly unknown[]): Hex {
  return asHex(escrow.encodeFunctionData(name, values));
}
