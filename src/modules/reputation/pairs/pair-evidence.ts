import { type BuyerEvidence, sumsOf, unitsOfBuyer } from '../score/score.js';
import type { EvidenceUnits, Settlement } from '../score/evidence-units.js';
import type { SettlementRow } from './evidence.sql.js';
import { netValueOf } from './netting.js';
import type { OutcomeCounts } from './outcome-counts.js';

/** The evidence between an agent and a buyer cluster; one row of `buyer_evidence`. */
export interface PairEvidence {
  agentId: string;
  buyer: string;
  worker: string;
  units: EvidenceUnits;
  /** Released to the agent, base units. */
  gross: bigint;
  /** Base units that the owner's cluster paid to the buyer's cluster. */
  returned: bigint;
  settlements: number;
  /** True when the pair has settlements that are no evidence. */
  leftOut: boolean;
  outcomes: OutcomeCounts;
}

/**
 * Sums settlements, which must be in order of time, by agent and buyer cluster. Payments within the owner's own cluster
 * are no evidence.
 */
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
  return { agentId, buyer, worker, units, gross, returned: 0n, settlements: rows.length, leftOut, outcomes };
}

/** Converts evidence to the input of the formulas, with the buyer's independence. */
export function wordOf(
  { units, gross, returned, settlements }: Pick<PairEvidence, 'units' | 'gross' | 'returned' | 'settlements'>,
  independence: number | null,
): BuyerEvidence {
  return { ...sumsOf(units), grossValue: gross, netValue: netValueOf(gross, returned), settlements, independence };
}

/** A row of evidence as the statements return it. */
export interface WordRow {
  career_good: string;
  career_bad: string;
  recent_good: string;
  recent_bad: string;
  gross: string;
  returned: string;
  settlements: number;
  /** Null: no finished run has seen the buyer. */
  independence: number | null;
}

export function wordOfRow(row: WordRow): BuyerEvidence {
  const { settlements, independence } = row;
  const [gross, returned] = [BigInt(row.gross), BigInt(row.returned)];
  return wordOf({ units: unitsOfRow(row), gross, returned, settlements }, independence);
}

export function unitsOfRow(
  row: Pick<WordRow, 'career_good' | 'career_bad' | 'recent_good' | 'recent_bad'>,
): EvidenceUnits {
  return {
    careerGood: BigInt(row.career_good),
    careerBad: BigInt(row.career_bad),
    recentGood: BigInt(row.recent_good),
    recentBad: BigInt(row.recent_bad),
  };
}

/** Converts a database row to a settlement. */
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

/** The values `$1` to `$12` of the statements that write evidence. */
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
    evidence.map(({ returned }) => returned.toString()),
    evidence.map(({ settlements }) => settlements),
    evidence.map(({ leftOut }) => leftOut),
    evidence.map(({ outcomes }) => JSON.stringify(outcomes)),
  ];
}
