import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Hex } from '#libs/kernel';
import { scriptedCode, scriptedCall } from './scripted-contracts.js';

/** One event, with everything that a log has except its position in the chain. */
export interface ScriptedEvent {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

interface Block {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly logs: readonly Readonly<Record<string, unknown>>[];
}

interface Question {
  readonly id: unknown;
  readonly method: unknown;
  readonly params: readonly unknown[];
}

const BLOCK_SECONDS = 12;

/**
 * A fake chain that serves given events over JSON-RPC on a loopback port. It answers only what an index asks, and can
 * hold more events than real contracts could emit in a test.
 */
export class ScriptedChain {
  private readonly blocks: Block[] = [];
  private readonly server: Server;
  private replaced = 0;

  /** @param firstSecond time of the first block, in unix seconds. */
  private constructor(
    private readonly chainId: number,
    private readonly firstSecond: number,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(this.answers(Buffer.concat(chunks)));
      });
    });
    this.mine([]);
  }

  /** Starts a chain that has one empty block. */
  static async start(chainId: number, firstSecond: number): Promise<ScriptedChain> {
    const chain = new ScriptedChain(chainId, firstSecond);
    await new Promise<void>((resolve) => chain.server.listen(0, '127.0.0.1', resolve));
    return chain;
  }

  get url(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('The chain does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  /** Number of the newest block. */
  get head(): number {
    return this.blocks.length - 1;
  }

  /** Adds a block with these events, two to a transaction. */
  mine(events: readonly ScriptedEvent[]): void {
    const number = this.blocks.length;
    const hash = hashOf(`block ${number} ${events.length} ${this.replaced}`);
    const quantity = hexOf(number);
    const logs = events.map(({ address, topics, data }, index) => ({
      address: address.toLowerCase(),
      topics,
      data,
      blockNumber: quantity,
      blockHash: hash,
      // Two events share a transaction, because most calls emit two.
      transactionHash: hashOf(`transaction ${number} ${index >> 1}`),
      logIndex: hexOf(index),
      removed: false,
    }));
    const parentHash = this.blocks.at(-1)?.hash ?? hashOf('nothing');
    this.blocks.push({ number, hash, parentHash, timestamp: this.firstSecond + number * BLOCK_SECONDS, logs });
  }

  /** Removes the newest blocks, as a reorganization does. The blocks mined in their place have other hashes. */
  drop(count: number): void {
    this.blocks.length -= count;
    this.replaced += 1;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answers(body: Buffer): string {
    const request: unknown = JSON.parse(body.toString());
    const list: unknown[] = Array.isArray(request) ? request : [request];
    const answers = list.map((question) => this.answer(questionOf(question)));
    return JSON.stringify(Array.isArray(request) ? answers : answers[0]);
  }

  private answer({ id, method, params }: Question): object {
    const result = this.result(String(method), params[0]);
    const own = { jsonrpc: '2.0', id };
    return result === undefined ? { ...own, error: { code: -32601, message: 'not scripted' } } : { ...own, result };
  }

  private result(method: string, first: unknown): unknown {
    if (method === 'eth_chainId') return hexOf(this.chainId);
    if (method === 'eth_blockNumber') return hexOf(this.head);
    if (method === 'eth_getBlockByNumber') return this.header(first);
    if (method === 'eth_getCode') return scriptedCode(String(first));
    if (method === 'eth_call') {
      const { to, data } = fieldsOf(first);
      return scriptedCall(this.chainId, String(to), String(data));
    }
    return method === 'eth_getLogs' ? this.logs(fieldsOf(first)) : undefined;
  }

  private header(tag: unknown): object | null {
    const block = this.blocks[tag === 'latest' ? this.head : tag === 'earliest' ? 0 : Number(tag)];
    if (!block) return null;
    const { number, hash, parentHash, timestamp } = block;
    return { number: hexOf(number), hash, parentHash, timestamp: hexOf(timestamp) };
  }

  /** Logs of a block or of a range of blocks, of all contracts. A query for one contract gets none. */
  private logs({ address, blockHash, fromBlock, toBlock }: Readonly<Record<string, unknown>>): unknown[] {
    if (address !== undefined) return [];
    if (blockHash !== undefined) return this.blocks.find(({ hash }) => hash === blockHash)?.logs.slice() ?? [];
    return this.blocks.slice(Number(fromBlock), Number(toBlock) + 1).flatMap(({ logs }) => logs);
  }
}

function questionOf(value: unknown): Question {
  const { id, method, params } = fieldsOf(value);
  return { id, method, params: Array.isArray(params) ? params : [] };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function hashOf(text: string): Hex {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

function hexOf(value: number): Hex {
  return `0x${value.toString(16)}`;
}
