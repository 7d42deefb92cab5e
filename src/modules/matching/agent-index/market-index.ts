import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { WeighedTerm } from '../briefs/task-words.js';
import type { AlikeBriefs, SettledAgents } from '../briefs/settled-agents.js';
import { BRIEF_CANDIDATES, BRIEF_WORDS, SIMILAR_BRIEFS, TEXT_CANDIDATES } from '../matching-limits.js';
import { type AgentColumns, AgentColumnsWriter } from './agent-columns.js';
import { Availability } from './availability.js';
import type { DocumentSum } from './best-sums.js';
import type { WantedAgents } from './helper-messages.js';
import type { IndexConnection } from './index-connection.js';
import {
  AGENT_FACTS,
  AGENT_ROWS,
  type AgentFactRow,
  BRIEF_ROWS,
  type DocumentStatements,
  factOf,
  type IndexedAgentRow,
  type PostedRow,
  postedOf,
  READ_AT_ONCE,
} from './index-rows.sql.js';
import { KnownFacts } from './known-facts.js';
import { PostingIndex } from './posting-index.js';
import { SegmentBuilder } from './posting-segment.js';
import type { SearchHelpers } from './search-helpers.js';
import { type LeadingPart, WholeSearch } from './search-part.js';

/**
 * Of fewer postings a search is done before others are awake. measured, with one helper: of 200,000 to 400,000 as long as
 * alone, 4.3 ms; of 400,000 to a million 5.3 ms instead of 7.5, of more 7.7 instead of 13.0
 */
const HELPED_POSTINGS = 200_000;

/** Agents and settled briefs of one moment, and changes since. */
export class MarketIndex {
  private constructor(
    private readonly agents: PostingIndex,
    private readonly availability: Availability,
    private readonly facts: KnownFacts,
    private readonly briefs: PostingIndex,
    private readonly helpers: SearchHelpers | null,
  ) {}

  /** Reads everything; within a snapshot of the connection it is of one moment. */
  static async load(connection: IndexConnection, helpers: SearchHelpers | null): Promise<MarketIndex> {
    const availability = new Availability();
    const facts = new KnownFacts();
    const agents = await loadPostings<IndexedAgentRow>(connection, AGENT_ROWS, (row) => keep(availability, facts, row));
    const briefs = await loadPostings<PostedRow>(connection, BRIEF_ROWS, () => undefined);
    return new MarketIndex(agents, availability, facts, briefs, helpers);
  }

  get bytes(): number {
    return this.agents.bytes + this.availability.bytes + this.facts.bytes + this.briefs.bytes;
  }

  /** Reads these again; agents and briefs that have no words left are found no more. */
  async refresh(connection: IndexConnection, { agents, facts, briefs }: ChangedNumbers): Promise<void> {
    for (const rows of await rowsOf<IndexedAgentRow>(connection, AGENT_ROWS.of, agents)) {
      replace(this.agents, rows);
      for (const row of rows.found) keep(this.availability, this.facts, row);
    }
    for (const { found } of await rowsOf<AgentFactRow>(connection, AGENT_FACTS, facts)) {
      for (const row of found) keep(this.availability, this.facts, row);
    }
    for (const rows of await rowsOf<PostedRow>(connection, BRIEF_ROWS.of, briefs)) replace(this.briefs, rows);
  }

  /** The settled briefs most similar to one, the best first. */
  briefsLike(brief: readonly WeighedTerm[]): AlikeBriefs {
    const query = { terms: brief, leading: BRIEF_WORDS, limit: SIMILAR_BRIEFS, accepts: () => true };
    const found = this.briefs.best(query);
    return { numbers: found.map(({ document }) => document), products: found.map(({ sum }) => sum) };
  }

  /** The most relevant agents that may be hired. */
  mostRelevant(wanted: WantedAgents): DocumentSum[] {
    const { terms } = wanted;
    const accepts = (agent: number): boolean => this.availability.mayBeHired(agent, wanted);
    return this.agents.find({ terms, leading: terms.length, accepts }, this.begin(wanted));
  }

  /** What is known of those, and of the best that have settled similar briefs and may be hired. */
  candidates(wanted: WantedAgents, relevant: readonly DocumentSum[], settled: SettledAgents): AgentColumns {
    const known = new Set(relevant.map(({ document }) => document));
    const others = [...settled.keys()]
      .filter((agent) => this.availability.mayBeHired(agent, wanted))
      .slice(0, BRIEF_CANDIDATES)
      .filter((agent) => !known.has(agent));
    const sums = this.agents.sumsOf(others, wanted.terms);
    const writer = new AgentColumnsWriter(this.facts, relevant.length + others.length);
    for (const { document, sum } of relevant) writer.write(document, sum, settled.get(document) ?? 0);
    for (const [index, agent] of others.entries()) writer.write(agent, sums[index] ?? 0, settled.get(agent) ?? 0);
    return writer.columns;
  }

  private begin(wanted: WantedAgents): LeadingPart {
    const { helpers } = this;
    if (helpers === null || this.agents.postingsOf(wanted.terms) < HELPED_POSTINGS)
      return new WholeSearch(TEXT_CANDIDATES);
    return helpers.search(this.agents, this.availability, wanted, TEXT_CANDIDATES);
  }
}

/** Numbers of what has changed. */
export interface ChangedNumbers {
  /** Agents that may have other words. */
  agents: readonly number[];
  /** Agents of which anything else is new. */
  facts: readonly number[];
  briefs: readonly number[];
}

function keep(availability: Availability, facts: KnownFacts, row: AgentFactRow): void {
  availability.set(row.number, row.available, row.until_ms);
  facts.set(row.number, factOf(row));
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

async function rowsOf<Row extends object>(
  connection: IndexConnection,
  of: PreparedStatement,
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
  // The next lot is on its way while this one is put into its place.
  for (let next = connection.rows<Row>(after, [0]); ;) {
    const rows = await next;
    const last = rows.length === READ_AT_ONCE ? rows.at(-1) : undefined;
    if (last !== undefined) next = connection.rows<Row>(after, [last.number]);
    for (const row of rows) {
      seen(row);
      if (row.terms !== null) builder.add(row.number, postedOf(row));
    }
    if (last === undefined) return new PostingIndex(builder.finish());
  }
}
