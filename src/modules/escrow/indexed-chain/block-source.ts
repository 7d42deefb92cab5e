import { Injectable } from '@nestjs/common';
import { FACT_TOPICS } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import type { BlockHeader, ChainLog } from '../../../platform/chain/rpc/rpc-shapes.js';

/**
 * So many of the newest blocks, and ranges that are no longer, are read block by block: what a node that lags may lack, and
 * everything once the index follows the head.
 */
const READ_SINGLY = 32;
const NO_BLOCKS: BlockRange = { headers: [], logs: [] };

/** The events of some consecutive blocks, all of one chain. */
export interface BlockRange {
  /** The headers to keep, in order: those of every block with events and of the last block. */
  headers: readonly BlockHeader[];
  logs: readonly ChainLog[];
}

/**
 * Cuts a range after as many whole blocks as have at most `mostLogs` logs together, or after the first block with logs.
 * @returns the blocks before and behind the cut; null when there are none behind it.
 */
export function cutRange(range: BlockRange, mostLogs: number): [BlockRange, BlockRange | null] {
  if (range.logs.length <= mostLogs) return [range, null];
  const counts = new Map<number, number>();
  for (const { blockNumber } of range.logs) counts.set(blockNumber, (counts.get(blockNumber) ?? 0) + 1);
  let blocks = 0;
  let logs = 0;
  for (const { number } of range.headers) {
    logs += counts.get(number) ?? 0;
    if (blocks > 0 && logs > mostLogs) break;
    blocks += 1;
  }
  const last = range.headers[blocks - 1]?.number ?? Infinity;
  const part = {
    headers: range.headers.slice(0, blocks),
    logs: range.logs.filter(({ blockNumber }) => blockNumber <= last),
  };
  if (blocks === range.headers.length) return [part, null];
  const logsBehind = range.logs.filter(({ blockNumber }) => blockNumber > last);
  return [part, { headers: range.headers.slice(blocks), logs: logsBehind }];
}

/**
 * Reads ranges of blocks. A range takes several requests, which different nodes may answer while the chain reorganises:
 * it counts only when all answers are about the same blocks and continue from the block before.
 *
 * Not all nodes are equally far, and one that lags answers to a range with what it has: events of the newest blocks would be
 * missing, and nothing would ever show it. So the events of the newest blocks are asked for by the hash of each, which such
 * a node refuses; those of a longer range together with its last block, which such a node does not have.
 */
@Injectable()
export class BlockSource {
  constructor(private readonly client: ChainClient) {}

  /**
   * The blocks `from` to `to`, both included, or null when the answers do not fit together: then ask again.
   * @param parentHash hash of block `from − 1`; null when that block is not in the index.
   * @param newest the newest block that is to be read, of this range or a later one.
   * @throws ChainUnavailableError also when the endpoint refuses the range as too large, or does not know one of its blocks.
   */
  async read(from: number, to: number, parentHash: Hex | null, newest = to): Promise<BlockRange | null> {
    const single = to - from < READ_SINGLY ? from : Math.min(to, newest - READ_SINGLY) + 1;
    const [first, last] = await Promise.all([
      from < single ? this.wholeRange(from, single - 1) : NO_BLOCKS,
      single <= to ? this.blockByBlock(single, to) : NO_BLOCKS,
    ]);
    if (first === null || last === null) return null;
    const [headers, logs] = [
      [...first.headers, ...last.headers],
      [...first.logs, ...last.logs],
    ];
    if (!isOneChain(headers, parentHash, from) || !areFromBlocks(logs, headers)) return null;
    const kept = new Set([...logs.map(({ blockNumber }) => blockNumber), to]);
    return { headers: headers.filter(({ number }) => kept.has(number)), logs };
  }

  private async blockByBlock(from: number, to: number): Promise<BlockRange | null> {
    const headers = await this.blocks(Array.from({ length: to - from + 1 }, (_, i) => from + i));
    if (headers === null) return null;
    const logs = await Promise.all(headers.map(({ hash }) => this.client.logs({ blockHash: hash }, FACT_TOPICS)));
    return { headers, logs: logs.flat() };
  }

  private async wholeRange(from: number, to: number): Promise<BlockRange | null> {
    // In one request, and the block first.
    const [last, logs] = await Promise.all([
      this.client.block(to),
      this.client.logs({ fromBlock: from, toBlock: to }, FACT_TOPICS),
    ]);
    if (last === null || logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to)) return null;
    const numbers = [...new Set([from, ...logs.map(({ blockNumber }) => blockNumber), to])];
    const headers = await this.blocks(numbers);
    return headers?.at(-1)?.hash === last.hash ? { headers, logs } : null;
  }

  /** The blocks with these numbers; null when the endpoint does not have all of them. */
  private async blocks(numbers: readonly number[]): Promise<BlockHeader[] | null> {
    const headers = await Promise.all(numbers.map((number) => this.client.block(number)));
    const known = headers.filter((header) => header !== null);
    return known.length === headers.length ? known : null;
  }
}

/** True when every header goes on from the one before it where both are known. `headers` are in order. */
function isOneChain(headers: readonly BlockHeader[], parentHash: Hex | null, from: number): boolean {
  let before: { number: number; hash: Hex } | null =
    parentHash === null ? null : { number: from - 1, hash: parentHash };
  for (const header of headers) {
    if (before?.number === header.number - 1 && before.hash !== header.parentHash) return false;
    before = header;
  }
  return true;
}

function areFromBlocks(logs: readonly ChainLog[], headers: readonly BlockHeader[]): boolean {
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]));
  return logs.every(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash);
}
