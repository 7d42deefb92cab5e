import { Injectable } from '@nestjs/common';
import { newId, sha256 } from '#libs/kernel';
import { ReadConnections } from '../../platform/database/read-connections.js';
import { runPrepared, Transactions } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { HOLD_SNAPSHOT, MAKE_SNAPSHOT, SNAPSHOT_SLICE } from './match-snapshots.sql.js';
import { columnsOf, type PlacedMatch, SCORE_PARTS } from './ranking-columns.js';

const HOUR_MS = 3_600_000;
/** The cursors that lead to a snapshot. rule: docs/decisions/interface.md#pagination */
const CURSOR_LIFETIME_MS = 72 * HOUR_MS;
/** A snapshot lives longer than its cursors, so that who looks again within that time makes nobody write. (policy) */
const LIFETIME_MS = CURSOR_LIFETIME_MS + HOUR_MS;

/** Whose ranking of which task. */
export interface SnapshotOwner {
  taskId: string;
  accountId: string;
}

/** Part of a frozen ranking. */
export interface SnapshotSlice {
  /** At least one. */
  matches: PlacedMatch[];
  /** Matches of the whole snapshot. */
  size: number;
}

/** A row of `SNAPSHOT_SLICE`, as the text that Postgres sent. */
interface SliceRow {
  size: string;
  agent_number: string;
  rank: string;
  /** In parts, of which one has `SCORE_PARTS`. */
  score: string;
  relevance: string;
  similarity: string;
  is_discovery: 'true' | 'false';
}

/** Rankings frozen for the pages after the first, so that those neither repeat nor miss an agent. */
@Injectable()
export class MatchSnapshots {
  constructor(
    private readonly reads: ReadConnections,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps a ranking for as long as the cursors that lead to it, 72 hours, and returns its id; one equal to what the caller
   * already holds is not kept twice.
   */
  async freeze({ taskId, accountId }: SnapshotOwner, matches: readonly PlacedMatch[]): Promise<string> {
    const nowMs = this.clock.nowMs();
    const digest = digestOf(matches);
    const [now, cursorsEnd, end] = [nowMs, nowMs + CURSOR_LIFETIME_MS, nowMs + LIFETIME_MS].map((ms) => new Date(ms));
    const { manager } = this.transactions;
    const holding = [taskId, accountId, digest, now, cursorsEnd, end];
    const [held] = await runPrepared<{ id: string }>(manager, HOLD_SNAPSHOT, holding);
    if (held) return held.id;
    const id = newId('snap', nowMs);
    await runPrepared(manager, MAKE_SNAPSHOT, [id, taskId, accountId, digest, now, end, ...columnsOf(matches)]);
    return id;
  }

  /** The `count` matches behind the first `offset`; null without any, when the snapshot is not this caller's or has expired. */
  async slice(owner: SnapshotOwner, id: string, offset: number, count: number): Promise<SnapshotSlice | null> {
    const { name, text } = SNAPSHOT_SLICE;
    const now = this.clock.now().toISOString();
    const values = [id, owner.taskId, owner.accountId, now, offset + 1, offset + count];
    const rows = await this.reads.query<SliceRow>(name, text, values);
    return rows[0] === undefined ? null : { matches: rows.map(placedMatch), size: Number(rows[0].size) };
  }
}

function placedMatch(row: SliceRow): PlacedMatch {
  return {
    candidate: {
      agentNumber: Number(row.agent_number),
      relevance: Number(row.relevance),
      similarity: Number(row.similarity),
    },
    rank: Number(row.rank),
    score: Number(row.score) / SCORE_PARTS,
    isDiscovery: row.is_discovery === 'true',
  };
}

/** Numbers of a match that a snapshot keeps. */
const NUMBERS = 6;

/** SHA-256 of all that a snapshot of these keeps, as numbers: as the text of its columns they take longer to write. */
function digestOf(matches: readonly PlacedMatch[]): Buffer {
  const numbers = new Float64Array(NUMBERS * matches.length);
  let at = 0;
  for (const { candidate, rank, score, isDiscovery } of matches) {
    const { agentNumber, relevance, similarity } = candidate;
    numbers.set([agentNumber, rank, score, relevance, similarity, Number(isDiscovery)], at);
    at += NUMBERS;
  }
  return sha256(new Uint8Array(numbers.buffer));
}
