import { Injectable } from '@nestjs/common';
import { FACT_TOPICS } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import type { BlockHeader, ChainLog } from '../../../platform/chain/rpc/rpc-shapes.js';

/** Ranges of at most this many blocks are checked header by header: all ranges are, once the index follows the head. */
const FULLY_LINKED_BLOCKS = 32;

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
 */
@Injectable()
export class BlockSource {
  constructor(private readonly client: ChainClient) {}

  /**
   * The blocks `from` to `to`, both included, or null when the answers do not fit together: then ask again.
   * @param parentHash hash of block `from − 1`; null when that block is not in the index.
   * @throws ChainUnavailableError also when the endpoint refuses the range as too large.
   */
  async read(from: number, to: number, parentHash: Hex | null): Promise<BlockRange | null> {
    const last = await this.client.block(to);
    if (last === null) return null;
    // A single block, as at the head, is asked for by its hash, which leaves no doubt about the block that is meant.
    const logRange = from === to ? { blockHash: last.hash } : { fromBlock: from, toBlock: to };
    const logs = await this.client.logs(logRange, FACT_TOPICS);
    if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to)) return null;
    const withLogs = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
    const all = to - from < FULLY_LINKED_BLOCKS;
    const numbers = all ? Array.from({ length: to - from }, (_, i) => from + i) : [...new Set([from, ...withLogs])];
    const [again, ...headers] = await Promise.all([
      this.client.block(to),
      ...numbers.filter((number) => number !== to).map((number) => this.client.block(number)),
    ]);
    const known = headers.filter((header) => header !== null);
    if (again?.hash !== last.hash || known.length !== headers.length) return null;
    known.push(last);
    if (!isOneChain(known, parentHash, from) || !areFromBlocks(logs, known)) return null;
    const kept = new Set([...withLogs, to]);
    return { headers: known.filter(({ number }) => kept.has(number)), logs };
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
