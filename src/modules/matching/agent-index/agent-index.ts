import { setTimeout as sleep } from 'node:timers/promises';
import { CHANGES_KEPT_MS } from '../match-changes.sweeper.js';
import type { DocumentSum } from './best-sums.js';
import type { IndexConnection } from './index-connection.js';
import type { AgentsQuery, IndexQuery, IndexState } from './index-messages.js';
import { CHANGES, type ChangeRow, EXCLUDED, HORIZON } from './index-rows.sql.js';
import type { IndexedAgent } from './known-facts.js';
import { type ChangedNumbers, MarketIndex } from './market-index.js';

/** How long a search waits for the index to be what the database is, before it is better made in SQL. (policy) */
const PATIENCE_MS = 200;
/** After so long without a look, changes may have been swept that were never seen. */
const LONGEST_GAP_MS = CHANGES_KEPT_MS / 2;

/** What a search has found. */
interface Found {
  briefs: DocumentSum[];
  /** Looks for the agents; to be called at once, as it finds them in the index of now. */
  agents: () => IndexedAgent[];
}

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
  /** When the look began that is under way. */
  private lookingSince: number | null = null;
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

  /**
   * The best briefs, and the best agents as soon as they are asked for; null when the index cannot be brought up to date
   * at once.
   */
  async search(query: IndexQuery): Promise<Found | null> {
    if (this.market === null || this.isBehind) return null;
    const { buyerAccounts, buyerWallet, refusedAgents } = query;
    const current = Promise.all([
      this.connection.rows<{ number: number }>(EXCLUDED, [[...buyerAccounts], buyerWallet, [...refusedAgents]]),
      this.follow(),
    ]);
    const patience = new AbortController();
    const late = sleep(PATIENCE_MS, null, { signal: patience.signal }).catch(() => null);
    const result = await Promise.race([current, late]).finally(() => patience.abort());
    if (result === null || this.market === null) return null;
    const { market } = this;
    const excluded = new Set(result[0].map(({ number }) => number));
    return { briefs: market.briefsLike(query.brief), agents: () => market.agentsFor(query, excluded) };
  }

  /** What is known of these agents, as of the last look; null without a market. */
  agentsOf(query: AgentsQuery): IndexedAgent[] | null {
    return this.market?.agentsOf(query) ?? null;
  }

  private async look(): Promise<void> {
    this.lookingSince = performance.now();
    const isTooOld = this.lookingSince - this.lookedAt > LONGEST_GAP_MS;
    try {
      if (this.market === null || isTooOld) await this.load();
      else await this.catchUp(this.market);
    } finally {
      this.lookingSince = null;
    }
    this.lookedAt = performance.now();
  }

  /** Whether a look takes so long that nobody else need wait to see it: a trust run may have changed many agents. */
  private get isBehind(): boolean {
    return this.lookingSince !== null && performance.now() - this.lookingSince > PATIENCE_MS;
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
    await market.refresh(this.connection, changedNumbers(fresh));
    this.horizon = changes[0]?.horizon ?? this.horizon;
    this.seen = new Set(changes.map(({ seq }) => seq));
    if (fresh.length > 0) this.says({ isReady: true, bytes: this.bytes });
  }

  private get bytes(): number {
    return this.market?.bytes ?? 0;
  }
}

function changedNumbers(changes: readonly ChangeRow[]): ChangedNumbers {
  const agents = new Set<number>();
  const facts = new Set<number>();
  const briefs = new Set<number>();
  for (const { kind, agent_number, agent_numbers, brief_number } of changes) {
    if (agent_number !== null) (kind === 'texts' ? agents : facts).add(agent_number);
    for (const agent of agent_numbers ?? []) facts.add(agent);
    if (brief_number !== null) briefs.add(brief_number);
  }
  for (const agent of agents) facts.delete(agent);
  return { agents: [...agents], facts: [...facts], briefs: [...briefs] };
}
