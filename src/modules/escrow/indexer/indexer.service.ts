import { Injectable } from '@nestjs/common';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { Environment } from '../../../platform/config/environment.js';
import { type BlockRange, BlockSource, cutRange } from '../indexed-chain/block-source.js';
import { TreesApart } from '../publication/trees-apart.js';
import { TreesWaiting } from '../publication/trees-waiting.js';
import type { Backlog } from '../publication/unpublished-trees.js';
import { IndexWriter } from './index-writer.js';
import type { StoredBlock } from '../indexed-chain/index-store.js';
import { IndexerStatus } from '../indexed-chain/indexer-status.js';
import { CommonAncestor } from './common-ancestor.js';

/**
 * Blocks that are read at once: fewer after every failure, more after every success with few logs. The first range is
 * small, because nothing can be written while it is read.
 */
const FIRST_RANGE = 256;
const MAX_RANGE = 10_000;
/** Most logs that should be read at once, judged by the logs of the range before. */
const MANY_LOGS = 20_000;
/**
 * Most logs that are written at once: a longer range takes several steps, so that what one step reads, sorts and writes
 * stays in the caches, and the trees of the first blocks need not wait for the last.
 */
const MOST_LOGS_WRITTEN = 7_000;
/** While more trees than this wait to be shown, no more blocks are read. */
const MAX_WAITING_TREES = 2_000;
/** Most transactions of waiting trees in one step: the chain is checked for a reorganisation only between steps. */
const PUBLISHED_A_STEP = 10;
/**
 * Milliseconds for which trees and handlers that had nothing to do are not asked again, unless something was written or a
 * tree waits. What another process has left is done after that.
 */
const QUIET_MS = 3_000;

/** `idle`: nothing to do before the next poll. `again`: there is more, at once. */
export type AdvanceResult = 'idle' | 'again';

/** A range that is read while the one before is written, or the rest of one that was read and is not written yet. */
interface Ahead {
  readonly from: number;
  readonly to: number;
  readonly parentHash: Hex;
  readonly range: Promise<BlockRange | null> | BlockRange;
}

/** Brings the index closer to the chain, step by step; a step happens wholly or not at all, and once. */
@Injectable()
export class IndexerService {
  private blocksAtOnce = FIRST_RANGE;
  private ahead: Ahead | null = null;
  /** When everything that was written had been shown and dealt with, by the monotonic clock; never since the last step. */
  private finishedMs = -Infinity;

  constructor(
    private readonly environment: Environment,
    private readonly client: ChainClient,
    private readonly commonAncestor: CommonAncestor,
    private readonly source: BlockSource,
    private readonly writer: IndexWriter,
    private readonly waiting: TreesWaiting,
    private readonly apart: TreesApart,
    private readonly status: IndexerStatus,
  ) {}

  /** Reads the newest blocks of index and chain, and which trees wait to be shown. Errors as `advance`. */
  async poll(): Promise<void> {
    await this.readIndex();
    await this.readHead();
  }

  /**
   * Indexes the next blocks and, at the same time, publishes the next trees that wait to be shown. Those need only what is
   * stored, so they are published whether or not the chain answers.
   * @throws ChainUnavailableError, a database error, or ChainConfigurationError; the part that failed changed nothing.
   */
  async advance(): Promise<AdvanceResult> {
    const { tip, backlog } = await this.readIndex();
    const [advanced, published] = await Promise.allSettled([
      this.followChain(tip, backlog),
      backlog.waiting > 0 && this.waiting.publish(PUBLISHED_A_STEP),
    ]);
    const hasMore = !this.isQuiet(backlog) && (await this.finishPublication(published));
    if (advanced.status === 'rejected') throw advanced.reason;
    return hasMore ? 'again' : advanced.value;
  }

  /** What is left to publish after a step; true when there may be more. @throws a database error, also of that step. */
  private async finishPublication(published: PromiseSettledResult<boolean>): Promise<boolean> {
    try {
      if (published.status === 'rejected') throw published.reason;
      const hasMore = published.value || (await this.waiting.publish(1)) || (await this.waiting.finish());
      this.finishedMs = hasMore ? -Infinity : performance.now();
      return hasMore;
    } finally {
      this.apart.start();
    }
  }

  private async readIndex(): Promise<{ tip: StoredBlock | null; backlog: Backlog }> {
    const [tip, backlog] = await Promise.all([this.writer.tip(), this.writer.backlog()]);
    this.status.indexedBlock = tip === null ? null : Math.min(tip.number, (backlog.firstBlock ?? Infinity) - 1);
    this.status.waitingTrees = backlog.waiting;
    this.status.setAsideTrees = backlog.setAside;
    return { tip, backlog };
  }

  private async readHead(): Promise<number> {
    const head = await this.client.blockNumber();
    this.status.headBlock = head;
    return head;
  }

  /** True when nothing was written since all was done, a moment ago, and no tree is marked. */
  private isQuiet({ waiting, setAside }: Backlog): boolean {
    return waiting + setAside === 0 && performance.now() - this.finishedMs < QUIET_MS;
  }

  /** Waits for the trees that are published beside the steps. */
  settled(): Promise<void> {
    return this.apart.idle();
  }

  /** Lets the publication that is under way end; to be called after the last step. */
  stop(): Promise<void> {
    return this.apart.stop();
  }

  private async followChain(tip: StoredBlock | null, backlog: Backlog): Promise<AdvanceResult> {
    const head = await this.readHead();
    if (backlog.waiting > MAX_WAITING_TREES) return 'idle';
    const forkPoint = await this.commonAncestor.forkPoint(tip, head);
    this.status.behindBlocks = forkPoint.kind === 'behind' && tip !== null ? tip.number - head : 0;
    if (forkPoint.kind === 'behind') return 'idle';
    const { base, next } = forkPoint;
    const target = head - this.environment.chainConfirmations;
    const hasNews = next <= target;
    if (!hasNews && tip?.number === base?.number) return 'idle';
    const taken = this.takeAhead(next, base);
    const to = taken?.to ?? Math.min(target, next + this.blocksAtOnce - 1);
    const range = hasNews ? await this.read({ from: next, to, base, newest: target }, taken?.range) : null;
    if (hasNews && range === null) return 'idle'; // The chain moved while it was read.
    const [part, rest] = range === null ? [null, null] : cutRange(range, MOST_LOGS_WRITTEN);
    if (part !== null && rest !== null) this.keepAhead(part, rest, to);
    else if (range !== null && to < target) this.readAhead(range, to + 1, target);
    this.finishedMs = -Infinity;
    if (!(await this.writer.write({ tip, base, range: part }))) return 'again';
    return rest !== null || to < target ? 'again' : 'idle';
  }

  /** Takes the range that was read ahead, when it continues from `base`; else that range is dropped. */
  private takeAhead(from: number, base: StoredBlock | null): Ahead | null {
    const { ahead } = this;
    this.ahead = null;
    return ahead?.from === from && ahead.parentHash === base?.hash ? ahead : null;
  }

  private keepAhead({ headers }: BlockRange, rest: BlockRange, to: number): void {
    const last = headers.at(-1);
    if (last) this.ahead = { from: last.number + 1, to, parentHash: last.hash, range: rest };
  }

  private readAhead({ headers }: BlockRange, from: number, target: number): void {
    const parentHash = headers.at(-1)?.hash;
    if (parentHash === undefined) return;
    const to = Math.min(target, from + this.blocksAtOnce - 1);
    const range = this.source.read(from, to, parentHash, target);
    // `read` throws the error of a range that is taken; the error of a dropped range matters to nobody.
    range.catch(() => undefined);
    this.ahead = { from, to, parentHash, range };
  }

  private async read(
    { from, to, base, newest }: { from: number; to: number; base: StoredBlock | null; newest: number },
    begun?: Ahead['range'],
  ): Promise<BlockRange | null> {
    if (begun && !(begun instanceof Promise)) return begun;
    try {
      const range = await (begun ?? this.source.read(from, to, base?.hash ?? null, newest));
      const logs = range?.logs.length ?? 0;
      const room = logs > MANY_LOGS ? Math.ceil(((to - from + 1) * MANY_LOGS) / logs) : this.blocksAtOnce * 2;
      this.blocksAtOnce = Math.min(MAX_RANGE, room);
      return range;
    } catch (error) {
      if (error instanceof ChainUnavailableError) this.blocksAtOnce = Math.max(1, Math.floor(this.blocksAtOnce / 2));
      throw error;
    }
  }
}
