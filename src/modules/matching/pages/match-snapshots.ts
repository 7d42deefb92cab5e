import { Injectable } from '@nestjs/common';
import { newId, sha256 } from '#libs/kernel';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { noSuchTask } from '../../tasks/visibility/task-access.js';
import { KEEP_FIRST_PAGE, type KeptSnapshot, SNAPSHOT_PAGE } from './match-snapshots.sql.js';
import { arrayText } from '../relevance/pg-array.js';
import type { LiveMatchRow, PlacedMatch } from './match-presenter.js';

const HOUR_MS = 3_600_000;
/** Lifetime of a cursor of a snapshot. rule: docs/decisions/interface.md#pagination */
const CURSOR_LIFETIME_MS = 72 * HOUR_MS;
/**
 * A snapshot lives longer than its cursors, so that a repeated first page within that hour needs no new snapshot.
 * (policy)
 */
const LIFETIME_MS = CURSOR_LIFETIME_MS + HOUR_MS;

/** A frozen score is stored in units of 1/10,000, because scores have four decimals. */
const SCORE_PARTS = 10_000;

/** The task of a ranking and the account that it was made for. */
export interface SnapshotOwner {
  taskId: string;
  accountId: string;
}

/** A ranking to freeze, and the values that its reasons need. */
export interface FrozenRanking {
  matches: readonly PlacedMatch[];
  /** A tsquery that matches any of the task's query words. */
  words: string;
  /** True when the records were computed with verified buyers. */
  anchored: boolean;
}

/** What a first page stores. */
export interface FirstPage {
  /** Null when there is no further page. */
  ranking: FrozenRanking | null;
  /** The newest snapshot that the caller holds, if any. */
  newest: KeptSnapshot | null;
  /** Agents to count as shown for the task. */
  counted: readonly string[];
}

/** Part of a frozen ranking. */
export interface SnapshotPage {
  /** At least one place; `row` is null for an agent that was suspended since. */
  places: { match: PlacedMatch; row: LiveMatchRow | null }[];
  anchored: boolean;
  /** Number of matches in the whole snapshot. */
  size: number;
}

/** A row of `SNAPSHOT_PAGE`, as the text that Postgres sent. */
interface PageRow extends LiveMatchRow {
  size: string;
  anchored: 'true' | 'false';
  agent_number: string;
  rank: string;
  /** Score in units of 1/`SCORE_PARTS`. */
  place_score: string;
  relevance: string;
  similarity: string;
  is_discovery: 'true' | 'false';
}

/** Stores rankings for the pages after the first, so that these neither repeat nor miss an agent. */
@Injectable()
export class MatchSnapshots {
  constructor(
    private readonly searches: SearchConnections,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a ranking for at least the 72 hours of its cursors, and counts the agents of a first page as shown, in one
   * statement. When the caller's newest snapshot holds an equal ranking for long enough, that one is reused and no
   * ranking is written.
   * @returns the id of the snapshot; null when there is no page after the first.
   * @throws ApiError `not_found` for a task that has been deleted since it was read.
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
    const [kept] = await runPrepared<{ id: string | null }>(this.transactions.manager, KEEP_FIRST_PAGE, values);
    if (kept === undefined) throw noSuchTask();
    return kept.id ?? held;
  }

  /**
   * Returns the `count` places after the first `offset`; null when there are none, when the snapshot is not this
   * caller's, or when it has expired.
   */
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

/**
 * A ranking as columns, each the text of a Postgres array, in the order of the columns of `match_snapshots`: agent
 * numbers, ranks, scores in ten-thousandths, relevances, similarities, and whether a place is a discovery place.
 */
type RankingColumns = readonly [
  agentNumbers: string,
  ranks: string,
  scores: string,
  relevances: string,
  similarities: string,
  discoveries: string,
];

/** Converts matches to columns. */
function columnsOf(matches: readonly PlacedMatch[]): RankingColumns {
  return [
    arrayText(matches.map(({ candidate }) => candidate.agentNumber)),
    arrayText(matches.map(({ rank }) => rank)),
    arrayText(matches.map(({ score }) => Math.round(score * SCORE_PARTS))),
    arrayText(matches.map(({ candidate }) => candidate.relevance)),
    arrayText(matches.map(({ candidate }) => candidate.similarity)),
    arrayText(matches.map(({ isDiscovery }) => isDiscovery)),
  ];
}

const NO_COLUMNS = Array.from<null>({ length: 6 }).fill(null);

/** True when the agent of a place may be shown now. */
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

/** Numbers per match in the digest. */
const NUMBERS = 6;

/**
 * SHA-256 of everything that a snapshot stores. It hashes numbers, because the text of the columns takes longer to
 * write.
 */
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
