import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGES_KEPT_MS } from '../match-changes.sweeper.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexAnswer, IndexQuery, IndexState } from './index-messages.js';
import { CHANGES, type ChangeRow, EXCLUDED, HORIZON } from './index-rows.sql.js';
import { MarketIndex } from './market-index.js';

/** How long a search waits for the index to be what the database is, before it is better made in SQL. (policy) */
const PATIENCE_MS = 200;
/** After so long without a look, changes may have been swept that were never seen. */
const LONGEST_GAP_MS = CHANGES_KEPT_MS / 2;

/**
 * The agents of the market and the briefs they have settled, kept in memory and equal to the database: every search reads
 * first what has changed. What has changed is written in the transaction that changed it (match-changes.ts).
 */
export class AgentIndex {
  private market: MarketIndex | null = null;
  /** Transactions from this one on may have changes that were not seen. */
  private horizon = '0';
  /** Changes of those transactions that were seen. */
  private seen: ReadonlySet<string> = new Set();
  private lookedAt = 0;
  private running: Promise<void> = Promise.resolve();
  private queued: Promise<void> | null = null;

  constructor(
    private readonly connection: IndexConnection,
    private readonly says: (state: IndexState) => void = () => undefined,
  ) {}

  /**
   * What was committed before this call is in the index when it resolves. Calls at the same time share one look.
   * @throws the driver's error; the next call looks again.
   */
  follow(): Promise<void> {
    this.queued ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.queued = null;
        this.running = this.look();
        return this.running;
      });
    return this.queued;
  }

  /** The best agents and briefs; null when the index cannot be brought up to date at once. */
  async search(query: IndexQuery): Promise<IndexAnswer | null> {
    if (this.market === null) return null;
    const { buyerAccounts, buyerWallet, refusedAgents } = query;
    const current = Promise.all([
      this.connection.rows<{ number: number }>(EXCLUDED, [[...buyerAccounts], buyerWallet, [...refusedAgents]]),
      this.follow(),
    ]);
    const patience = new AbortController();
    const late = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
    const result = await Promise.race([current, late]).finally(() => patience.abort());
    if (result === null || this.market === null) return null;
    return this.market.find(query, new Set(result[0].map(({ number }) => number)));
  }

  private async look(): Promise<void> {
    const isTooOld = performance.now() - this.lookedAt > LONGEST_GAP_MS;
    if (this.market === null || isTooOld) await this.load();
    else await this.catchUp(this.market);
    this.lookedAt = performance.now();
  }

  private async load(): Promise<void> {
    this.market = null;
    this.says({ isReady: false, bytes: 0 });
    await this.connection.snapshot(async () => {
      const [row] = await this.connection.rows<{ horizon: string }>(HORIZON);
      const market = await MarketIndex.load(this.connection);
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
    const agents = fresh.flatMap(({ kind, agent_number }) =>
      agent_number !== null && (kind === 'texts' || kind === 'state') ? [agent_number] : [],
    );
    const briefs = fresh.flatMap(({ brief_number }) => brief_number ?? []);
    await market.refresh(this.connection, [...new Set(agents)], [...new Set(briefs)]);
    this.horizon = changes[0]?.horizon ?? this.horizon;
    this.seen = new Set(changes.map(({ seq }) => seq));
    if (fresh.length > 0) this.says({ isReady: true, bytes: this.bytes });
  }

  private get bytes(): number {
    return this.market?.bytes ?? 0;
  }
}
