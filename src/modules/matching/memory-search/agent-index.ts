import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGES_KEPT_MS } from '../search-tables/match-changes.sweeper.js';
import type { AgentColumns } from './columns/agent-columns.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexQuery, IndexState } from './index-messages.js';
import { CHANGES, type ChangeRow, HORIZON } from './index-rows.sql.js';
import { type MarketChanges, MarketIndex } from './market-index.js';
import type { SearchHelpers } from './search-helpers.js';
import { monotonicMs } from './monotonic-clock.js';

/** How long a search waits for changes from the database before the caller searches in SQL instead. (policy) */
const LONGEST_READ_OF_CHANGES_MS = 200;
/** After this time without reading changes, the index is loaded anew, because unread changes may have been deleted. */
const LONGEST_GAP_MS = CHANGES_KEPT_MS / 2;

/**
 * The agents of the market and the briefs they have settled, in memory. Every search first reads what has changed in
 * the database, so its result is up to date. Each change is recorded in the transaction that makes it
 * (match-changes.ts).
 */
export class AgentIndex {
  private market: MarketIndex | null = null;
  /** Transactions with this id or a later one may contain changes that were not read. */
  private horizon = '0';
  /** Changes of those transactions that were already read. */
  private seen: ReadonlySet<string> = new Set();
  /** Start of the last complete read of changes, by `monotonicMs`. */
  private readSince = Number.NEGATIVE_INFINITY;
  /** Start of the running read, by `monotonicMs`; null when none is running. */
  private readingSince: number | null = null;
  private running: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;

  constructor(
    private readonly connection: IndexConnection,
    private readonly says: (state: IndexState) => void = () => undefined,
    private readonly helpers: SearchHelpers | null = null,
  ) {}

  /**
   * Resolves when everything committed before `sinceMs` is in the index. Concurrent calls share one read.
   * @throws the driver's error; the next call reads again.
   */
  follow(sinceMs = monotonicMs()): Promise<void> {
    if (this.readSince >= sinceMs) return Promise.resolve();
    if (this.readingSince !== null && this.readingSince >= sinceMs) return this.running;
    this.queued ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.queued = null;
        this.running = this.readChanges();
        return this.running;
      });
    return this.queued;
  }

  /**
   * Finds agents for a task, as they are at `sinceMs` or later; null when the index is not loaded or cannot read the
   * changes within LONGEST_READ_OF_CHANGES_MS.
   */
  async search(query: IndexQuery, sinceMs: number): Promise<AgentColumns | null> {
    if (this.market === null || this.isBehind) return null;
    const answered = new AbortController();
    const late = sleep(LONGEST_READ_OF_CHANGES_MS, null, { signal: answered.signal }).catch(() => null);
    const found = this.follow(sinceMs).then(() => this.market?.candidates(query) ?? null);
    return Promise.race([found, late]).finally(() => answered.abort());
  }

  private async readChanges(): Promise<void> {
    const beganMs = monotonicMs();
    this.readingSince = beganMs;
    const isTooOld = beganMs - this.readSince > LONGEST_GAP_MS;
    try {
      if (this.market === null || isTooOld) await this.load();
      else await this.catchUp(this.market);
    } finally {
      this.readingSince = null;
    }
    this.readSince = beganMs;
  }

  /**
   * True while a read takes longer than LONGEST_READ_OF_CHANGES_MS, so that further searches need not wait for it. A trust run, for
   * example, may change many agents.
   */
  private get isBehind(): boolean {
    return this.readingSince !== null && monotonicMs() - this.readingSince > LONGEST_READ_OF_CHANGES_MS;
  }

  private async load(): Promise<void> {
    this.market = null;
    this.says({ isReady: false, bytes: 0 });
    await this.helpers?.stop();
    await this.connection.snapshot(async () => {
      const [row] = await this.connection.rows<{ horizon: string }>(HORIZON);
      const market = await MarketIndex.load(this.connection, this.helpers);
      this.horizon = row?.horizon ?? '0';
      this.seen = new Set();
      this.market = market;
    });
    this.says({ isReady: true, bytes: this.bytes });
  }

  private async catchUp(market: MarketIndex): Promise<void> {
    const changes = await this.connection.rows<ChangeRow>(CHANGES, [this.horizon]);
    const fresh = changes.filter(({ seq }) => !this.seen.has(seq));
    if (fresh.some(({ kind }) => kind === 'postings')) return this.load();
    await market.refresh(this.connection, changesIn(fresh));
    this.horizon = changes[0]?.horizon ?? this.horizon;
    this.seen = new Set(changes.map(({ seq }) => seq));
    if (fresh.length > 0) this.says({ isReady: true, bytes: this.bytes });
  }

  private get bytes(): number {
    return this.market?.bytes ?? 0;
  }
}

function changesIn(changes: readonly ChangeRow[]): MarketChanges {
  const agents = new Set<number>();
  const facts = new Set<number>();
  const briefs = new Set<number>();
  for (const { kind, agent_number, agent_numbers, brief_number } of changes) {
    if (agent_number !== null) (kind === 'texts' ? agents : facts).add(agent_number);
    for (const agent of agent_numbers ?? []) facts.add(agent);
    if (brief_number !== null) briefs.add(brief_number);
  }
  for (const agent of agents) facts.delete(agent);
  const isTrustNew = changes.some(({ kind }) => kind === 'trust');
  return { agents: [...agents], facts: [...facts], briefs: [...briefs], isTrustNew };
}
