import { type BuyerEvidence, type Reputation, reputationOf, sumsOf } from '../score.js';
import {
  type BuyerRow,
  BUYERS_OF,
  BUYERS_OF_ONE,
  DELETE_RECORDS,
  type HeadRow,
  PUT_RECORD,
  PUT_RECORDS,
  RECORD_HEADS,
} from './records.sql.js';
import type { Statements } from './statements.js';

/** One row of the records. */
export interface RecordRow extends Reputation {
  agentId: string;
  /** When the newest work ended. */
  updatedAt: Date;
}

/**
 * Makes the records of these agents equal to their evidence, as of their newest settlement or the last finished run,
 * whichever is later. No clock is read: the same settlements and the same run make the same record, whenever.
 */
export async function refreshRecords(statements: Statements, agentIds: readonly string[]): Promise<void> {
  const ids = [...new Set(agentIds)].sort();
  if (ids.length === 0) return;
  const heads = await statements.rows<HeadRow>(RECORD_HEADS, [ids]);
  const buyers = byAgent(
    ids.length > 1
      ? await statements.rows<BuyerRow>(BUYERS_OF, [ids])
      : await statements.rows<BuyerRow>(BUYERS_OF_ONE, ids),
  );
  const records = heads.flatMap(({ agent_id, newest, as_of, anchors }) => {
    if (newest === null) return [];
    return [recordOf(agent_id, newest, (buyers.get(agent_id) ?? []).map(buyerOf), { asOf: as_of, anchors })];
  });
  const bare = heads.flatMap(({ agent_id, newest }) => (newest === null ? [agent_id] : []));
  if (bare.length > 0) await statements.rows(DELETE_RECORDS, [bare]);
  const [only] = records;
  if (records.length > 1) await statements.rows(PUT_RECORDS, recordArrays(records));
  else if (only) await statements.rows(PUT_RECORD, recordArrays([only]).flat());
}

/** What a finished trust run leaves for the records. */
export interface RunView {
  /** Null before the first. */
  asOf: Date | null;
  /** Verified buyers. */
  anchors: number;
}

/** @param newest when the agent's newest work ended. */
export function recordOf(
  agentId: string,
  newest: Date,
  buyers: readonly BuyerEvidence[],
  { asOf, anchors }: RunView,
): RecordRow {
  const at = asOf === null || asOf < newest ? newest : asOf;
  return { ...reputationOf(buyers, at, anchors > 0), agentId, updatedAt: newest };
}

export function buyerOf(row: BuyerRow): BuyerEvidence {
  return {
    ...sumsOf({
      careerGood: BigInt(row.career_good),
      careerBad: BigInt(row.career_bad),
      recentGood: BigInt(row.recent_good),
      recentBad: BigInt(row.recent_bad),
    }),
    grossValue: BigInt(row.gross),
    netValue: BigInt(row.net),
    settlements: row.settlements,
    independence: row.independence,
  };
}

/** Rows by agent, in the order in which they came. */
export function byAgent(rows: readonly BuyerRow[]): Map<string, BuyerRow[]> {
  const groups = new Map<string, BuyerRow[]>();
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
  ];
}
