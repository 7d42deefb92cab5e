import type { PreparedStatement } from '../../../platform/database/transactions.js';
import type { SettledAgents } from '../search-tables/settled-briefs/settled-agents.js';
import { BRIEF_CANDIDATES, BRIEF_WORDS, SIMILAR_BRIEFS, TEXT_CANDIDATES } from '../relevance/matching-limits.js';
import { type AgentColumns, AgentColumnsWriter } from './columns/agent-columns.js';
import { excludedOwners } from './columns/agent-owners.js';
import { HireableAgents } from './columns/hireable-agents.js';
import type { WantedAgents } from './helper-messages.js';
import type { IndexConnection } from './index-connection.js';
import type { IndexQuery } from './index-messages.js';
import {
  AGENT_FACTS,
  AGENT_ROWS,
  type AgentFactRow,
  BRIEF_ROWS,
  type BriefRow,
  type DocumentStatements,
  factOf,
  type IndexedAgentRow,
  paidWorkOf,
  type PostedRow,
  postedOf,
  principalsOf,
  READ_AT_ONCE,
  TRUST,
  type TrustRow,
} from './index-rows.sql.js';
import { AgentAttributeColumns } from './columns/agent-attributes.js';
import { GreatestSums, type LeadingSearch, InvertedIndex, SegmentBuilder, WholeSearch } from '#libs/text-search';
import type { SearchHelpers } from './search-helpers.js';
import { SettledWork } from './columns/settled-work.js';

/**
 * Fewest postings for which helper threads are used; a smaller search ends before they are awake. measured, with one
 * helper: 200,000 to 400,000 postings as long as alone, 4.3 ms; 400,000 to a million 5.3 ms instead of 7.5; more 7.7
 * instead of 13.0
 */
const HELPED_POSTINGS = 200_000;

/** Agents and settled briefs, loaded at one moment and refreshed by later changes. */
export class MarketIndex {
  private constructor(
    private readonly agents: InvertedIndex,
    private readonly hireable: HireableAgents,
    private readonly facts: AgentAttributeColumns,
    private readonly briefs: InvertedIndex,
    private readonly work: SettledWork,
    private readonly helpers: SearchHelpers | null,
  ) {}

  /** Loads everything. Call it within `IndexConnection.snapshot` for a consistent state. */
  static async load(connection: IndexConnection, helpers: SearchHelpers | null): Promise<MarketIndex> {
    const hireable = new HireableAgents();
    const facts = new AgentAttributeColumns();
    const agents = await loadPostings<IndexedAgentRow>(connection, AGENT_ROWS, (row) => keep(hireable, facts, row));
    const work = new SettledWork();
    const briefs = await loadPostings<BriefRow>(connection, BRIEF_ROWS, (row) => work.set(row.number, paidWorkOf(row)));
    work.replacePrincipals(principalsOf(await connection.rows<TrustRow>(TRUST)));
    return new MarketIndex(agents, hireable, facts, briefs, work, helpers);
  }

  get bytes(): number {
    return this.agents.bytes + this.hireable.bytes + this.facts.bytes + this.briefs.bytes + this.work.bytes;
  }

  /** Reads the changed agents and briefs again. Those without words are no longer found. */
  async refresh(connection: IndexConnection, { agents, facts, briefs, isTrustNew }: MarketChanges): Promise<void> {
    for (const rows of await rowsOf<IndexedAgentRow>(connection, AGENT_ROWS.of, agents)) {
      replace(this.agents, rows);
      for (const row of rows.found) keep(this.hireable, this.facts, row);
    }
    for (const { found } of await rowsOf<AgentFactRow>(connection, AGENT_FACTS, facts)) {
      for (const row of found) keep(this.hireable, this.facts, row);
    }
    for (const rows of await rowsOf<BriefRow>(connection, BRIEF_ROWS.of, briefs)) {
      replace(this.briefs, rows);
      for (const row of rows.found) this.work.set(row.number, paidWorkOf(row));
    }
    if (isTrustNew) this.work.replacePrincipals(principalsOf(await connection.rows<TrustRow>(TRUST)));
  }

  /**
   * Returns the most relevant agents, and the best of those that have settled similar briefs, as far as they may be
   * hired.
   */
  candidates(query: IndexQuery): AgentColumns {
    const { terms, atMs, excluded } = query;
    const left = { owners: excludedOwners(excluded.owners), agents: new Set(excluded.agents) };
    const wanted = { terms, atMs, excluded: left };
    const accepts = (agent: number): boolean => this.hireable.mayBeHired(agent, wanted);
    // Helper threads search the agents while this thread searches the briefs.
    const part = this.begin(wanted);
    const settled = this.settledAgents(query);
    const relevant = this.agents.find({ terms, leading: terms.length, accepts }, part);
    const known = new Set(relevant.map(({ document }) => document));
    const others = [...settled.keys()]
      .filter(accepts)
      .slice(0, BRIEF_CANDIDATES)
      .filter((agent) => !known.has(agent));
    const sums = this.agents.sumsOf(others, terms);
    const writer = new AgentColumnsWriter(this.facts, relevant.length + others.length);
    for (const { document, sum } of relevant) writer.write(document, sum, settled.get(document) ?? 0);
    for (const [index, agent] of others.entries()) writer.write(agent, sums[index] ?? 0, settled.get(agent) ?? 0);
    return writer.columns;
  }

  /** The agents that have settled the briefs most similar to the task's. */
  private settledAgents({ brief, anchored, excluded }: IndexQuery): SettledAgents {
    // Briefs that count for nobody are left out here, because anyone can settle any number of them with their own agent.
    const accepts = (one: number): boolean => one !== excluded.brief && this.work.hasCounted(one, anchored);
    const query = { terms: brief, leading: BRIEF_WORDS, accepts };
    return this.work.settledAgents(this.briefs.find(query, new GreatestSums(SIMILAR_BRIEFS)), anchored);
  }

  private begin(wanted: WantedAgents): LeadingSearch {
    const { helpers } = this;
    if (helpers === null || this.agents.postingsOf(wanted.terms) < HELPED_POSTINGS)
      return new WholeSearch(TEXT_CANDIDATES);
    return helpers.search(this.agents, this.hireable, wanted, TEXT_CANDIDATES);
  }
}

/** Numbers of changed agents and briefs. */
export interface MarketChanges {
  /** Agents whose words may have changed. */
  agents: readonly number[];
  /** Agents of which anything but the words may have changed. */
  facts: readonly number[];
  briefs: readonly number[];
  /** True when a trust run has changed clusters or independent principals. */
  isTrustNew: boolean;
}

function keep(hireable: HireableAgents, facts: AgentAttributeColumns, row: AgentFactRow): void {
  const fact = factOf(row);
  hireable.set(row.number, { ...fact, available: row.available, untilMs: row.until_ms });
  facts.set(row.number, fact);
}

/** Document numbers that were read, and the rows that exist. */
interface Asked<Row> {
  numbers: readonly number[];
  found: Row[];
}

function replace(index: InvertedIndex, { numbers, found }: Asked<PostedRow>): void {
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

/** Loads all documents of a kind into an index, in batches by ascending number. */
async function loadPostings<Row extends PostedRow>(
  connection: IndexConnection,
  { counts, after }: DocumentStatements,
  seen: (row: Row) => void,
): Promise<InvertedIndex> {
  const counted = await connection.rows<{ term_id: number; count: number }>(counts);
  const byTerm = new Uint32Array((counted.at(-1)?.term_id ?? -1) + 1);
  for (const { term_id, count } of counted) byTerm[term_id] = count;
  const builder = new SegmentBuilder(byTerm);
  // The next batch is read while this one is added to the index.
  for (let next = connection.rows<Row>(after, [0]); ;) {
    const rows = await next;
    const last = rows.length === READ_AT_ONCE ? rows.at(-1) : undefined;
    if (last !== undefined) next = connection.rows<Row>(after, [last.number]);
    for (const row of rows) {
      seen(row);
      if (row.terms !== null) builder.add(row.number, postedOf(row));
    }
    if (last === undefined) return new InvertedIndex(builder.finish());
  }
}
