import { Injectable } from '@nestjs/common';
import { newId, sha256 } from '#libs/kernel';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { KEEP_FIRST_PAGE, type KeptSnapshot, SNAPSHOT_PAGE } from './match-snapshots.sql.js';
import { columnsOf, type PlacedMatch, SCORE_PARTS } from './ranking-columns.js';
import type { LiveMatchRow } from './match-presenter.js';

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

/** A ranking, and what its reasons are told with. */
export interface FrozenRanking {
  matches: readonly PlacedMatch[];
  /** A tsquery of any of the words that the task was matched by. */
  words: string;
  /** Whether the records that counted were made with verified buyers. */
  anchored: boolean;
}

/** What a first page leaves behind. */
export interface FirstPage {
  /** Null when there is no page after it. */
  ranking: FrozenRanking | null;
  /** The newest snapshot that the caller holds, if any. */
  newest: KeptSnapshot | null;
  /** Agents that are counted as shown for the task. */
  counted: readonly string[];
}

/** Part of a frozen ranking. */
export interface SnapshotPage {
  /** At least one; those of agents that are suspended since have no row. */
  places: { match: PlacedMatch; row: LiveMatchRow | null }[];
  anchored: boolean;
  /** Matches of the whole snapshot. */
  size: number;
}

/** A row of `SNAPSHOT_PAGE`, as the text that Postgres sent. */
interface PageRow extends LiveMatchRow {
  size: string;
  anchored: 'true' | 'false';
  agent_number: string;
  rank: string;
  /** In parts, of which one has `SCORE_PARTS`. */
  place_score: string;
  relevance: string;
  similarity: string;
  is_discovery: 'true' | 'false';
}

/** Rankings frozen for the pages after the first, so that those neither repeat nor miss an agent. */
@Injectable()
export class MatchSnapshots {
  constructor(
    private readonly searches: SearchConnections,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps a ranking for as long as the cursors that lead to it, 72 hours, and counts the agents of a first page as shown, in one
   * statement; a ranking equal to what the caller already holds is not kept twice, and nothing is written for it.
   * @returns the id of the snapshot; null when there is no page after the first.
   */
  async keep({ taskId, accountId }: SnapshotOwner, { ranking, newest, counted }: FirstPage): Promise<string | null> {
    const nowMs = this.clock.nowMs();
    const digest = ranking === null ? null : digestOf(ranking);
    const isHeld = digest !== null && newest?.digest === digest.toString('hex');
    const held = isHeld && newest.expires_at_ms >= nowMs + CURSOR_LIFETIME_MS ? newest.id : null;
    if (counted.length === 0 && (ranking === null || held !== null)) return held;
    const isKept = ranking !== null && held === null;
    const times = [0, CURSOR_LIFETIME_MS, LIFETIME_MS].map((ms) => new Date(nowMs + ms));
    const columns = isKept ? columnsOf(ranking.matches) : NO_COLUMNS;
    const frozen = isKept ? [newId('snap', nowMs), ranking.words, ranking.anchored] : [null, null, null];
    const values = [taskId, accountId, digest, ...times, ...frozen, ...columns, counted];
    const [kept] = await runPrepared<{ id: string }>(this.transactions.manager, KEEP_FIRST_PAGE, values);
    return kept?.id ?? held;
  }

  /** The `count` places behind the first `offset`; null without any, when the snapshot is not this caller's or has expired. */
  async page(owner: SnapshotOwner, id: string, offset: number, count: number): Promise<SnapshotPage | null> {
    const { name, text } = SNAPSHOT_PAGE;
    const now = this.clock.now().toISOString();
    const values = [id, owner.taskId, owner.accountId, now, offset + 1, offset + count];
    const rows = await this.searches.query<PageRow>(name, text, values);
    if (rows[0] === undefined) return null;
    const places = rows.map((row) => ({ match: placedMatch(row), row: isShown(row) ? row : null }));
    return { places, anchored: rows[0].anchored === 'true', size: Number(rows[0].size) };
  }
}

const NO_COLUMNS = Array.from<null>({ length: 6 }).fill(null);

/** Whether the agent of a place is one that is shown now. */
function isShown({ id }: { id: string | null }): boolean {
  return id !== null;
}

function placedMatch(row: PageRow): PlacedMatch {
  return {
    candidate: {
      agentNumber: Number(row.agent_number),
      relevance: Number(row.relevance),
      similarity: Number(row.similarity),
    },
    rank: Number(row.rank),
    score: Number(row.place_score) / SCORE_PARTS,
    isDiscovery: row.is_discovery === 'true',
  };
}

/** Numbers of a match that a snapshot keeps. */
const NUMBERS = 6;

/** SHA-256 of all that a snapshot of these keeps, as numbers: as the text of its columns they take longer to write. */
function digestOf({ matches, words, anchored }: FrozenRanking): Buffer {
  const numbers = new Float64Array(NUMBERS * matches.length);
  let at = 0;
  for (const { candidate, rank, score, isDiscovery } of matches) {
    const { agentNumber, relevance, similarity } = candidate;
    numbers.set([agentNumber, rank, score, relevance, similarity, Number(isDiscovery)], at);
    at += NUMBERS;
  }
  const said = Buffer.from(`${String(anchored)} ${words}`);
  return sha256(Buffer.concat([new Uint8Array(numbers.buffer), said]));
}
