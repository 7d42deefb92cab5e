import { unitsOfBuyer } from '../score.js';
import type { EvidenceUnits, Settlement } from './evidence-units.js';
import type { SettlementRow } from './evidence.sql.js';

/** One row of the evidence. */
export interface PairEvidence {
  agentId: string;
  buyer: string;
  worker: string;
  units: EvidenceUnits;
  /** Released to the agent, base units. */
  gross: bigint;
  settlements: number;
  /** True when the pair has settlements that are no evidence. */
  leftOut: boolean;
  outcomes: Record<string, number>;
}

/** What settlements, in order of time, say of each agent and buyer cluster. What an owner's own buyers paid is no evidence. */
export function evidenceOf(rows: readonly SettlementRow[]): PairEvidence[] {
  const pairs = new Map<string, SettlementRow[]>();
  const mixed = new Set<string>();
  for (const row of rows) {
    const key = `${row.agent_id} ${row.buyer_cluster}`;
    const known = pairs.get(key);
    if (row.is_own) mixed.add(key);
    else if (known) known.push(row);
    else pairs.set(key, [row]);
  }
  return [...pairs].flatMap(([key, own]) => {
    const [first] = own;
    return first ? [sumUp(first, own, mixed.has(key))] : [];
  });
}

function sumUp(
  { agent_id: agentId, buyer_cluster: buyer, worker_cluster: worker }: SettlementRow,
  rows: readonly SettlementRow[],
  leftOut: boolean,
): PairEvidence {
  const outcomes: Record<string, number> = {};
  for (const { outcome } of rows) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const gross = rows.reduce((sum, { released }) => sum + BigInt(released), 0n);
  const units = unitsOfBuyer(rows.map(settlementOf));
  return { agentId, buyer, worker, units, gross, settlements: rows.length, leftOut, outcomes };
}

/** A settlement as the database tells it. */
export function settlementOf(
  row: Pick<SettlementRow, 'amount' | 'released' | 'outcome' | 'settled_at' | 'is_present_wallet'>,
): Settlement {
  return {
    amount: BigInt(row.amount),
    released: BigInt(row.released),
    outcome: row.outcome,
    settledAt: row.settled_at,
    isPresentWallet: row.is_present_wallet,
  };
}

/** `$1` to `$11` of the statements that write evidence. */
export function evidenceColumns(evidence: readonly PairEvidence[]): unknown[][] {
  return [
    evidence.map(({ agentId }) => agentId),
    evidence.map(({ buyer }) => buyer),
    evidence.map(({ worker }) => worker),
    evidence.map(({ units }) => units.careerGood.toString()),
    evidence.map(({ units }) => units.careerBad.toString()),
    evidence.map(({ units }) => units.recentGood.toString()),
    evidence.map(({ units }) => units.recentBad.toString()),
    evidence.map(({ gross }) => gross.toString()),
    evidence.map(({ settlements }) => settlements),
    evidence.map(({ leftOut }) => leftOut),
    evidence.map(({ outcomes }) => JSON.stringify(outcomes)),
  ];
}
