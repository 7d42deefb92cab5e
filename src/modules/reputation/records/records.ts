import type { WordChange } from '../pairs/returned-payments.js';
import { type OutcomeCounts, plusOutcomes } from '../pairs/outcome-counts.js';
import { wordOfRow } from '../pairs/pair-evidence.js';
import type { QueryExecutor } from '../pairs/query-executor.js';
import { type BuyerSums, movedSums, type Reputation, reputationFrom, sayingOf } from '../score/score.js';
import {
  type AgentWordRow,
  ALL_BUYERS,
  DELETE_RECORDS,
  FEW_BUYERS,
  FORGET_SUMS,
  PUT_RECORD,
  PUT_RECORDS,
  PUT_SUMS,
  SEEN_AGENTS,
  type SeenRow,
} from './records.sql.js';
import { sumArrays, sumsOfRow } from './kept-sums.js';

/** A reputation record of an agent. */
export interface RecordRow extends Reputation {
  agentId: string;
  /** When the agent's newest work ended. */
  updatedAt: Date;
  /** All settlements that count. */
  outcomes: OutcomeCounts;
}

/** A change of what is shown of an agent's record. */
export interface RecordChange {
  readonly agentId: string;
  /** Null where nothing is settled any more. */
  readonly record: RecordRow | null;
}

/**
 * Refreshes the records of these agents from their evidence, as of their newest settlement or the last finished run,
 * whichever is later. No clock is read, so the same settlements and run always give the same record.
 * @param changes changed evidence, which is applied to the stored sums of agents with many buyers; ignored for other
 *   agents.
 * @returns the records of which something else is shown now.
 */
export async function refreshRecords(
  statements: QueryExecutor,
  agentIds: readonly string[],
  changes: readonly WordChange[] = [],
): Promise<RecordChange[]> {
  const ids = [...new Set(agentIds)].sort();
  if (ids.length === 0) return [];
  const seen = await seenAgents(statements, ids);
  const gone = seen.flatMap(({ agentId, newest }) => (newest === null ? [agentId] : []));
  const made = seen.flatMap((agent) => {
    if (agent.newest === null) return [];
    let { sums, outcomes } = agent;
    if (agent.isKept) {
      for (const change of changes) {
        if (change.agentId !== agent.agentId) continue;
        sums = movedSums(sums, change, agent.anchors > 0);
        outcomes = plusOutcomes(outcomes, change.outcomes);
      }
    }
    return [{ ...agent, newest: agent.newest, sums, outcomes }];
  });
  if (gone.length > 0) await statements.send(DELETE_RECORDS, [gone]);
  const records = made.map((agent) => recordOf(agent.agentId, agent.newest, agent, agent));
  const [only] = records;
  if (records.length > 1) await statements.send(PUT_RECORDS, recordArrays(records));
  else if (only) await statements.send(PUT_RECORD, recordArrays([only]).flat());
  const kept = made.filter(({ sums }) => sums.buyers > FEW_BUYERS);
  if (kept.length > 0) await statements.send(PUT_SUMS, sumArrays(kept));
  const unkept = seen.flatMap(({ agentId, isKept }) =>
    isKept && !kept.some((one) => one.agentId === agentId) ? [agentId] : [],
  );
  if (unkept.length > 0) await statements.send(FORGET_SUMS, [unkept]);
  const after = new Map(records.map((record) => [record.agentId, record]));
  return seen.flatMap(({ agentId, shown }) => {
    const record = after.get(agentId) ?? null;
    return String(shown) === String(record && shownOf(record)) ? [] : [{ agentId, record }];
  });
}

/** What people are shown of a record, as Postgres writes it. */
function shownOf({ score, independenceConfidence, settledValue, settlements }: RecordRow): string[] {
  return [score.toFixed(4), independenceConfidence.toFixed(4), settledValue.toString(), String(settlements)];
}

interface SeenAgent extends RunView {
  agentId: string;
  newest: Date | null;
  sums: BuyerSums;
  outcomes: OutcomeCounts;
  /** True when `sums` are the stored sums. */
  isKept: boolean;
  shown: SeenRow['shown'];
}

async function seenAgents(statements: QueryExecutor, ids: readonly string[]): Promise<SeenAgent[]> {
  const groups = byAgent(await statements.rows<SeenRow>(SEEN_AGENTS, [ids]));
  const many = [...groups].flatMap(([id, rows]) => (rows.length > FEW_BUYERS ? [id] : []));
  const all = byAgent(many.length === 0 ? [] : await statements.rows<AgentWordRow>(ALL_BUYERS, [many]));
  return [...groups].flatMap(([agentId, rows]): SeenAgent[] => {
    const [head] = rows;
    if (!head) return [];
    const { newest, as_of: asOf, anchors, sums: kept, kept_outcomes: keptOutcomes, shown } = head;
    const words = all.get(agentId) ?? rows.flatMap((row) => (hasWord(row) ? [row] : []));
    const sums = kept ? sumsOfRow(kept) : sayingOf(words.map(wordOfRow), anchors > 0);
    const outcomes = keptOutcomes ?? outcomesOf(words);
    return [{ agentId, newest, asOf, anchors, sums, outcomes, isKept: kept !== null, shown }];
  });
}

function hasWord(row: SeenRow): row is SeenRow & { gross: string } {
  return row.gross !== null;
}

/** Facts of the last finished trust run that records depend on. */
export interface RunView {
  /** Time of the run; null before the first run. */
  asOf: Date | null;
  /** Number of verified buyers. */
  anchors: number;
}

/** Makes the record of an agent. @param newest when the agent's newest work ended. */
export function recordOf(
  agentId: string,
  newest: Date,
  { sums, outcomes }: { sums: BuyerSums; outcomes: OutcomeCounts },
  { asOf, anchors }: RunView,
): RecordRow {
  const at = asOf === null || asOf < newest ? newest : asOf;
  return { ...reputationFrom(sums, at, anchors > 0), agentId, updatedAt: newest, outcomes };
}

/** The settlements of all buyers by outcome. */
export function outcomesOf(words: readonly { outcomes: OutcomeCounts }[]): OutcomeCounts {
  return words.reduce<OutcomeCounts>((sums, { outcomes }) => plusOutcomes(sums, outcomes), {});
}

/** Groups rows by agent, in their given order. */
export function byAgent<Row extends { agent_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.agent_id);
    if (group) group.push(row);
    else groups.set(row.agent_id, [row]);
  }
  return groups;
}

/** The values of `RECORD_ROWS`. */
export function recordArrays(records: readonly RecordRow[]): unknown[][] {
  return [
    records.map(({ agentId }) => agentId),
    records.map(({ score }) => score.toFixed(4)),
    records.map(({ careerScore }) => careerScore.toFixed(4)),
    records.map(({ recentScore }) => recentScore.toFixed(4)),
    records.map(({ independenceConfidence }) => independenceConfidence.toFixed(4)),
    records.map(({ settledValue }) => settledValue.toString()),
    records.map(({ independentValue }) => independentValue.toString()),
    records.map(({ settlements }) => settlements),
    records.map(({ buyers }) => buyers),
    records.map(({ independentBuyers }) => independentBuyers),
    records.map(({ pendingBuyers }) => pendingBuyers),
    records.map(({ updatedAt }) => updatedAt),
    records.map(({ outcomes }) => JSON.stringify(outcomes)),
  ];
}
