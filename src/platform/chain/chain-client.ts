import { Injectable } from '@nestjs/common';
import {
  decodeAmountResult,
  decodeNodeResult,
  decodeNonceBitmapResult,
  decodeNonceUsedResult,
  decodeRevert,
  type DecodedRevert,
  encodeNodeCall,
  encodeNonceBitmapCall,
  encodeNonceUsedCall,
  encodeRefundOfCall,
  NodeState,
  NonceBitmapWord,
} from '#libs/contracts';
import type { StoredNode } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { AskedWhileWriting } from '../database/write-stage.js';
import { ChainUnavailableError } from './rpc/chain-unavailable.error.js';
import { RpcEndpoint, RpcRefusal } from './rpc/rpc-endpoint.js';
import {
  type BlockHeader,
  type ChainLog,
  readCount,
  readData,
  readHeader,
  readLogs,
  readReceipt,
  readTransactionData,
} from './rpc/rpc-shapes.js';

/** A block number, or the name of a moving block. */
export type BlockTag = number | 'earliest' | 'latest' | 'safe' | 'finalized';

/** A call that is tried and not sent. */
export interface ReadCall {
  /** The sender to try it as; absent: the zero address. */
  from?: string;
  /** Absent: `data` is creation code, and its return data is the answer. */
  to?: string;
  data: string;
  /** The most gas that it may use; absent: what the endpoint allows. */
  gas?: number;
  /**
   * For whom the call is made (an account's id, or a wallet), where it may run a stranger's contract. Such a call has
   * an HTTP request of its own and less time, and its owner may have only few of them at once; it should have a bound
   * of `gas` too.
   */
  foreignFor?: string;
}

/** What a call would do: return data, or revert with the contract's own error (null when it is none that is known). */
export type CallOutcome = { reverted: false; data: Hex } | { reverted: true; revert: DecodedRevert | null; data: Hex };

/**
 * What an endpoint knows of a transaction: `unseen` is not "failed", it may be on its way elsewhere; `pending` waits
 * for a block; `reverted` and `mined` are in one. A transaction that could still execute an action, or has failed to,
 * comes with its data.
 */
export type TransactionOutcome =
  | { kind: 'unseen' }
  | { kind: 'pending'; data: Hex }
  | { kind: 'reverted'; blockNumber: number; data: Hex }
  | { kind: 'mined'; blockNumber: number };

/** The methods that a verifier's questions use (libs/prepared-action); all of them only read. */
export type ReadMethod = 'eth_chainId' | 'eth_getCode' | 'eth_call' | 'eth_getBlockByNumber';

/** Which events to read: by block numbers, both included, or those of exactly one block. */
export type LogRange = { fromBlock: number; toBlock: number } | { blockHash: Hex };

/** How a virtual machine says that a call failed; any other error is the endpoint's own. */
const EXECUTION_FAILURE =
  /revert|out of gas|invalid opcode|invalid jump|stack (?:under|over)flow|execution error|EVM error/i;
const EXECUTION_FAILURE_CODE = 3;

/**
 * Reads the chain. Every failure of the endpoint is a `ChainUnavailableError`, which a caller on the request path does
 * not catch: it becomes the 503. Calls made in one turn of the event loop travel as one batch.
 */
@Injectable()
export class ChainClient {
  constructor(private readonly endpoint: RpcEndpoint) {}

  /** The endpoint's EIP-155 chain id. */
  chainId(): Promise<number> {
    return this.read('eth_chainId', [], readCount);
  }

  /** Number of the newest block. */
  blockNumber(): Promise<number> {
    return this.read('eth_blockNumber', [], readCount);
  }

  /** A block's header; null when the chain has no such block (yet). */
  block(tag: BlockTag): Promise<BlockHeader | null> {
    return this.read('eth_getBlockByNumber', [blockTag(tag), false], readHeader);
  }

  /** The hash that tells one chain from another with the same id. */
  async genesisHash(): Promise<Hex> {
    const genesis = await this.block(0);
    if (genesis === null) throw new ChainUnavailableError(new Error('The endpoint does not serve the first block'));
    return genesis.hash;
  }

  /**
   * Events whose first topic is one of `topics`, in chain order: those of all contracts; with `of`, only those of one
   * contract whose second topic is one of `of.seconds`.
   */
  logs(range: LogRange, topics: readonly Hex[], of?: { address: Hex; seconds: readonly Hex[] }): Promise<ChainLog[]> {
    const blocks =
      'blockHash' in range
        ? { blockHash: range.blockHash }
        : { fromBlock: blockTag(range.fromBlock), toBlock: blockTag(range.toBlock) };
    const filter = of ? { address: of.address, topics: [topics, of.seconds] } : { topics: [topics] };
    return this.read('eth_getLogs', [{ ...blocks, ...filter }], readLogs);
  }

  /** The code at an address; `0x` for an account without any. */
  codeAt(address: string, tag: BlockTag = 'latest'): Promise<Hex> {
    return this.read('eth_getCode', [address, blockTag(tag)], readData);
  }

  /**
   * What a call returns; `0x` when there is no code at the address.
   * @throws ChainUnavailableError also when it reverts, so this is only for calls that cannot revert.
   */
  async call(tx: ReadCall, tag: BlockTag = 'latest'): Promise<Hex> {
    const outcome = await this.rawCall(tx, tag);
    if (outcome.reverted) {
      throw new ChainUnavailableError(new Error(`A read reverted with ${outcome.revert?.name ?? outcome.data}`));
    }
    return outcome.data;
  }

  /** Tries a call without sending it. A revert is an outcome, not an error. */
  async rawCall({ gas, foreignFor, ...tx }: ReadCall, tag: BlockTag = 'latest'): Promise<CallOutcome> {
    const call = gas === undefined ? tx : { ...tx, gas: `0x${gas.toString(16)}` };
    const params = [call, blockTag(tag)];
    try {
      const answer = await (foreignFor === undefined
        ? this.endpoint.send('eth_call', params)
        : this.endpoint.sendForeign(foreignFor, 'eth_call', params));
      return { reverted: false, data: shaped(readData, answer) };
    } catch (error) {
      const reverted = error instanceof RpcRefusal ? revertOf(error.answer) : null;
      if (reverted) return reverted;
      throw unavailable(error);
    }
  }

  /** A node as its tree's escrow stores it; null when there is no such node or the escrow is not deployed. */
  async nodeAt(escrow: string, path: bigint, tag: BlockTag = 'latest'): Promise<StoredNode | null> {
    const data = await this.call({ to: escrow, data: encodeNodeCall(path) }, tag);
    if (data === '0x') return null;
    const node = shaped(decodeNodeResult, data);
    return node.state === NodeState.None ? null : node;
  }

  /**
   * The word of a signer's nonce bitmap in which `nonce` lies. Where the escrow is not deployed the answer has no data: no
   * nonce can be used there.
   */
  async nonceWord(escrow: string, signer: string, nonce: bigint): Promise<NonceBitmapWord> {
    const index = NonceBitmapWord.indexOf(nonce);
    const data = await this.call({ to: escrow, data: encodeNonceBitmapCall(signer, index) });
    return new NonceBitmapWord(index, data === '0x' ? 0n : shaped(decodeNonceBitmapResult, data));
  }

  /** Whether an action of the signer with this nonce was executed, overtaken or cancelled; false when the escrow is not deployed. */
  async nonceUsed(escrow: string, signer: string, nonce: bigint): Promise<boolean> {
    const data = await this.call({ to: escrow, data: encodeNonceUsedCall(signer, nonce) });
    return data !== '0x' && shaped(decodeNonceUsedResult, data);
  }

  /** Base units that came back to a hirer and wait in the tree's escrow; 0 when the escrow is not deployed. */
  async refundOf(escrow: string, account: string, tag: BlockTag = 'latest'): Promise<bigint> {
    const data = await this.call({ to: escrow, data: encodeRefundOfCall(account) }, tag);
    return data === '0x' ? 0n : shaped(decodeAmountResult, data);
  }

  /**
   * The unsigned integer that a view returns. Errors as `call`; `ChainUnavailableError` also when the answer is no
   * integer.
   */
  async amountFrom(tx: ReadCall): Promise<bigint> {
    return shaped(decodeAmountResult, await this.call(tx));
  }

  /**
   * The endpoint's answer to a request in the form of EIP-1193, as a wallet's own node would give it.
   * @throws ChainUnavailableError.
   */
  query(method: ReadMethod, params: readonly unknown[]): Promise<unknown> {
    return this.read(method, params, (answer) => answer);
  }

  /** What has become of a transaction as far as this endpoint knows. */
  async transactionOutcome(hash: Hex): Promise<TransactionOutcome> {
    const receipt = await this.read('eth_getTransactionReceipt', [hash], readReceipt);
    if (receipt?.succeeded === true) return { kind: 'mined', blockNumber: receipt.blockNumber };
    const data = await this.transactionData(hash);
    if (data === null) return { kind: 'unseen' };
    return receipt === null ? { kind: 'pending', data } : { kind: 'reverted', blockNumber: receipt.blockNumber, data };
  }

  /** What a transaction carries; null for one that the chain does not know. @throws ChainUnavailableError. */
  transactionData(hash: Hex): Promise<Hex | null> {
    return this.read('eth_getTransactionByHash', [hash], readTransactionData);
  }

  private async read<T>(method: string, params: readonly unknown[], shape: (answer: unknown) => T): Promise<T> {
    try {
      return shaped(shape, await this.endpoint.send(method, params));
    } catch (error) {
      throw unavailable(error);
    }
  }
}

function blockTag(tag: BlockTag): string {
  return typeof tag === 'number' ? `0x${tag.toString(16)}` : tag;
}

/**
 * A failure of the endpoint as one kind of error. `AskedWhileWriting` stays as it is: it is a mistake of the program
 * and must not look like a failure of the endpoint.
 */
export function unavailable(error: unknown): ChainUnavailableError | AskedWhileWriting {
  if (error instanceof ChainUnavailableError || error instanceof AskedWhileWriting) return error;
  return new ChainUnavailableError(error instanceof RpcRefusal ? { error: error.answer } : error);
}

/** Reads an answer. One in another form than the method promises is a failure of the endpoint, too. */
function shaped<A, T>(shape: (answer: A) => T, answer: A): T {
  try {
    return shape(answer);
  } catch (error) {
    throw new ChainUnavailableError(error);
  }
}

/** The revert in an error answer of `eth_call`; null when the call was not executed at all. */
function revertOf(answer: unknown): CallOutcome | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const message = 'message' in answer && typeof answer.message === 'string' ? answer.message : '';
  const code = 'code' in answer ? answer.code : undefined;
  if (code !== EXECUTION_FAILURE_CODE && !EXECUTION_FAILURE.test(message)) return null;
  const data = revertData('data' in answer ? answer.data : undefined);
  return { reverted: true, revert: decodeRevert(data), data };
}

/** Endpoints put the data into `error.data`, or one level deeper. */
function revertData(value: unknown): Hex {
  if (typeof value === 'object' && value !== null && 'data' in value) return revertData(value.data);
  try {
    return readData(value);
  } catch {
    return '0x';
  }
}
