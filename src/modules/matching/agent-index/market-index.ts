import { BRIEF_WORDS, SIMILAR_BRIEFS, TEXT_CANDIDATES } from '../matching-limits.js';
import { Availability } from './availability.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexAnswer, IndexQuery } from './index-messages.js';
import {
  AGENT_ROWS,
  BRIEF_ROWS,
  type DocumentStatements,
  type IndexedAgentRow,
  type PostedRow,
  postedOf,
  READ_AT_ONCE,
} from './index-rows.sql.js';
import { PostingIndex } from './posting-index.js';
import { SegmentBuilder } from './posting-segment.js';

/** Agents and settled briefs of one moment, and changes since. */
export class MarketIndex {
  private constructor(
    private readonly agents: PostingIndex,
    private readonly availability: Availability,
    private readonly briefs: PostingIndex,
  ) {}

  /** Reads everything; within a snapshot of the connection it is of one moment. */
  static async load(connection: IndexConnection): Promise<MarketIndex> {
    const availability = new Availability();
    const agents = await loadPostings<IndexedAgentRow>(connection, AGENT_ROWS, (row) => keep(availability, row));
    const briefs = await loadPostings<PostedRow>(connection, BRIEF_ROWS, () => undefined);
    return new MarketIndex(agents, availability, briefs);
  }

  get bytes(): number {
    return this.agents.bytes + this.availability.bytes + this.briefs.bytes;
  }

  /** Reads these agents and briefs again; those that are gone or have no words left are found no more. */
  async refresh(connection: IndexConnection, agents: readonly number[], briefs: readonly number[]): Promise<void> {
    for (const rows of await rowsOf<IndexedAgentRow>(connection, AGENT_ROWS, agents)) {
      replace(this.agents, rows);
      for (const row of rows.found) keep(this.availability, row);
    }
    for (const rows of await rowsOf<PostedRow>(connection, BRIEF_ROWS, briefs)) replace(this.briefs, rows);
  }

  /** The most relevant agents that take new work, and the most similar briefs. */
  find({ terms, brief, atMs }: IndexQuery, excluded: ReadonlySet<number>): IndexAnswer {
    return {
      agents: this.agents.best({
        terms,
        leading: terms.length,
        limit: TEXT_CANDIDATES,
        accepts: (agent) => this.availability.isAvailable(agent, atMs) && !excluded.has(agent),
      }),
      briefs: this.briefs.best({ terms: brief, leading: BRIEF_WORDS, limit: SIMILAR_BRIEFS, accepts: () => true }),
    };
  }
}

function keep(availability: Availability, { number, available, until_ms }: IndexedAgentRow): void {
  availability.set(number, available, until_ms);
}

/** Documents that were asked for, and those of them that there are. */
interface Asked<Row> {
  numbers: readonly number[];
  found: Row[];
}

function replace(index: PostingIndex, { numbers, found }: Asked<PostedRow>): void {
  const rows = new Map(found.map((row) => [row.number, row]));
  for (const number of numbers) {
    const row = rows.get(number);
    if (row === undefined) index.remove(number);
    else index.put(number, postedOf(row));
  }
}

async function rowsOf<Row extends PostedRow>(
  connection: IndexConnection,
  { of }: DocumentStatements,
  numbers: readonly number[],
): Promise<Asked<Row>[]> {
  const asked: Asked<Row>[] = [];
  for (let from = 0; from < numbers.length; from += READ_AT_ONCE) {
    const some = numbers.slice(from, from + READ_AT_ONCE);
    asked.push({ numbers: some, found: await connection.rows<Row>(of, [some]) });
  }
  return asked;
}

/** All documents of a kind, a lot at a time in order of their numbers. */
async function loadPostings<Row extends PostedRow>(
  connection: IndexConnection,
  { counts, after }: DocumentStatements,
  seen: (row: Row) => void,
): Promise<PostingIndex> {
  const counted = await connection.rows<{ term_id: number; count: number }>(counts);
  const byTerm = new Uint32Array((counted.at(-1)?.term_id ?? -1) + 1);
  for (const { term_id, count } of counted) byTerm[term_id] = count;
  const builder = new SegmentBuilder(byTerm);
  for (let last = 0; ;) {
    const rows = await connection.rows<Row>(after, [last]);
    for (const row of rows) {
      if (row.terms === null) continue;
      builder.add(row.number, postedOf(row));
      seen(row);
    }
    last = rows.at(-1)?.number ?? last;
    if (rows.length < READ_AT_ONCE) return new PostingIndex(builder.finish());
  }
}
