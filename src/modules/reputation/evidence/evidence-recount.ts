import { FORGET_SUMS } from '../records/records.sql.js';
import {
  type ClusterPair,
  FORGET_EVIDENCE,
  type ForgottenRow,
  NOTE_CHANGES,
  NOTE_REBUILT,
  PAID_BY,
  PUT_EVIDENCE,
  SETTLEMENTS_OF,
  type SettlementRow,
} from '../pairs/evidence.sql.js';
import { NET_ANEW } from '../pairs/netting.sql.js';
import { evidenceColumns, evidenceOf } from '../pairs/pair-evidence.js';
import type { QueryExecutor } from '../pairs/query-executor.js';

/** Agents whose settlements are in memory at the same time. */
const COUNTED_AT_ONCE = 100;

/**
 * Recounts all settlements of these agents. The caller must hold the lock of the evidence, or the locks of the agents.
 * @returns the pairs of clusters with old or new evidence, each with the change of the amount paid; a pair may occur
 *   more than once.
 */
export async function recountAgents(
  statements: QueryExecutor,
  agentIds: readonly string[],
): Promise<(ClusterPair & { value: bigint })[]> {
  const pairs: (ClusterPair & { value: bigint })[] = [];
  const lots: (readonly string[])[] = [];
  for (let from = 0; from < agentIds.length; from += COUNTED_AT_ONCE)
    lots.push(agentIds.slice(from, from + COUNTED_AT_ONCE));
  for (const lot of lots) {
    const evidence = evidenceOf(await statements.rows<SettlementRow>(SETTLEMENTS_OF, [lot]));
    const forgotten = await statements.rows<ForgottenRow>(FORGET_EVIDENCE, [lot]);
    if (evidence.length > 0) await statements.send(PUT_EVIDENCE, evidenceColumns(evidence));
    for (const { buyer, worker, gross } of forgotten) pairs.push({ buyer, worker, value: -BigInt(gross) });
    for (const { buyer, worker, gross } of evidence) pairs.push({ buyer, worker, value: gross });
    await statements.send(FORGET_SUMS, [lot]);
    await statements.send(NOTE_REBUILT, [lot]);
  }
  // Netted after all are stored, because the agents may have paid each other.
  for (const lot of lots) await statements.send(NET_ANEW, [lot]);
  return pairs;
}

/**
 * Recounts returned payments for these agents and for the agents of their buyers that they have paid in turn, because a
 * returned payment counts against both. Returns all these agents. The caller must hold the lock of the evidence.
 */
export async function netAnew(
  statements: QueryExecutor,
  agentIds: readonly string[],
  pairs: readonly ClusterPair[],
): Promise<string[]> {
  const paid =
    pairs.length === 0
      ? []
      : await statements.rows<{ agent_id: string }>(PAID_BY, [
          pairs.map(({ worker }) => worker),
          pairs.map(({ buyer }) => buyer),
        ]);
  const known = new Set(agentIds);
  const others = [...new Set(paid.map(({ agent_id }) => agent_id))].filter((id) => !known.has(id)).sort();
  const all = [...agentIds, ...others];
  await statements.send(NOTE_CHANGES, [others]);
  await statements.send(NET_ANEW, [all]);
  await statements.send(FORGET_SUMS, [all]);
  return all;
}
