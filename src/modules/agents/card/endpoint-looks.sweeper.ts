import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import { tellCardChanged } from '../changed-card.js';
import { lockAgents } from '../locked-agent.js';
import { CardFetch, type CardLook } from './card-fetch.js';
import { type DueEndpointRow, RECORD_LOOKS, TAKE_DUE } from './endpoint-looks.sql.js';

const INTERVAL_MS = 60_000;
/** Endpoints that are looked at at once. */
const BATCH = 8;
/** An endpoint is left out once so many looks have failed over so long a time: an outage of a day is none. */
const FAILED_LOOKS = 3;
const FAILED_MS = 2 * 86_400_000;
/** Of a column that need not count further. */
const MOST_FAILURES = 30_000;

/** What a look has made of an endpoint. */
interface Looked {
  readonly before: DueEndpointRow;
  readonly after: DueEndpointRow;
}

/**
 * Looks at each endpoint about once a day, because a card that names one today may be gone tomorrow. One whose card is gone for
 * days is left out of what the agent's card shows, and comes back with the first look that finds it again.
 */
@Injectable()
export class EndpointLooksSweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly cards: CardFetch,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {
    super('agents', INTERVAL_MS, 'Some endpoints of agents are not looked at');
  }

  /** Looks at all endpoints whose look is due, a few at a time; returns how many. */
  override async sweep(): Promise<number> {
    let done = 0;
    for (let taken = BATCH; taken === BATCH && !this.isEnding; done += taken) taken = await this.lookAtBatch();
    return done;
  }

  private async lookAtBatch(): Promise<number> {
    const due = await this.transactions.run((manager) =>
      runPrepared<DueEndpointRow>(manager, TAKE_DUE, [this.clock.now(), BATCH]),
    );
    const looked = await Promise.all(due.filter(({ has_card }) => has_card).map((row) => this.lookAt(row)));
    await this.record(looked.filter((one) => one !== null));
    return due.length;
  }

  /** Null for an endpoint that nobody was asked about. */
  private async lookAt(before: DueEndpointRow): Promise<Looked | null> {
    const look = await this.cards.lookAt(before.card_url, before.url);
    this.metrics.countEndpointLook(look.outcome);
    const after = afterLook(before, look, this.clock.now());
    return after === null ? null : { before, after };
  }

  private async record(looked: readonly Looked[]): Promise<void> {
    if (looked.length === 0) return;
    const changed = looked.filter(isCardChanged).map(({ after }) => after);
    await this.transactions.run(async (manager) => {
      // Before their endpoints, as whoever names one locks them.
      const agents = await lockAgents(
        manager,
        changed.map(({ agent_id: id }) => id),
      );
      const written = await runPrepared<{ agent_id: string }>(manager, RECORD_LOOKS, [
        ...columnOf(looked, ({ before }) => [before.agent_id, before.checked_at]),
        ...columnOf(looked, ({ after }) => [
          after.checked_at,
          after.protocol_binding,
          after.protocol_version,
          after.failures,
          after.failed_since,
          after.left_out_at,
        ]),
      ]);
      const at = this.clock.now();
      for (const { id: agentId, accountId } of agents) {
        if (!written.some(({ agent_id: id }) => id === agentId)) continue;
        await tellCardChanged(manager, { accountId, agentId, at, changed: 'endpoint' });
      }
    });
  }
}

function afterLook(before: DueEndpointRow, look: CardLook, at: Date): DueEndpointRow | null {
  if (look.outcome === 'postponed') return null;
  if (look.outcome === 'named') {
    const { protocolBinding, protocolVersion } = look;
    const found = { protocol_binding: protocolBinding, protocol_version: protocolVersion, checked_at: at };
    return { ...before, ...found, failures: 0, failed_since: null, left_out_at: null };
  }
  const failures = Math.min(before.failures + 1, MOST_FAILURES);
  const since = before.failed_since ?? at;
  const isGone = failures >= FAILED_LOOKS && at.getTime() - since.getTime() >= FAILED_MS;
  return { ...before, failures, failed_since: since, left_out_at: before.left_out_at ?? (isGone ? at : null) };
}

/** True when the agent's own card shows something else than before. */
function isCardChanged({ before, after }: Looked): boolean {
  return (
    (before.left_out_at === null) !== (after.left_out_at === null) ||
    before.protocol_binding !== after.protocol_binding ||
    before.protocol_version !== after.protocol_version
  );
}

/** The values of each, as the arrays that `unnest` takes. */
function columnOf(looked: readonly Looked[], valuesOf: (one: Looked) => readonly unknown[]): unknown[][] {
  const rows = looked.map(valuesOf);
  return (rows[0] ?? []).map((_, place) => rows.map((row) => row[place]));
}
