import { REPEATS_COUNTED } from '../score/reputation-constants.js';
import type { SettlementEntity } from '../settlements/settlement.entity.js';
import { type EvidenceUnits, plus, repetitionsOf, type Settlement, unitsOf } from '../score/evidence-units.js';
import { type OutcomeCounts, plusOutcomes } from './outcome-counts.js';
import { type PairEvidence, settlementOf, unitsOfRow } from './pair-evidence.js';
import type { KnownPairRow, NeighbourRow } from './pair.sql.js';

/** A settlement that was added, or removed by a reorganisation. */
export interface SettlementChange {
  readonly settlement: SettlementEntity;
  readonly isGone: boolean;
}

interface Placed extends Settlement {
  nodeId: string;
  /** True when this settlement's evidence may have changed. */
  isConcerned: boolean;
}

/**
 * Updates the evidence of a pair for added and removed settlements. The weight of a settlement depends on the number of
 * settlements in the 30 days before it, of which at most 64 count. So a change affects at most the next 64 settlements,
 * and reading as many before and after is enough, whatever the pair's size. In whole numbers the result equals a
 * recount.
 * @param known stored evidence from which nothing was left out. The added settlements are in the table, the removed
 *   ones no longer.
 * @param near the pair's settlements around the changed ones (NEIGHBOURS).
 */
export function movePair(
  { agentId, buyer, worker }: Pick<PairEvidence, 'agentId' | 'buyer' | 'worker'>,
  known: KnownPairRow,
  changes: readonly SettlementChange[],
  near: readonly NeighbourRow[],
): PairEvidence {
  const came = new Set(changes.flatMap(({ settlement, isGone }) => (isGone ? [] : [settlement.nodeId])));
  const after = near.map((row): Placed => {
    const isPresentWallet = isWalletOf(known, row.worker_wallet);
    const settlement = settlementOf({ ...row, is_present_wallet: isPresentWallet });
    return { ...settlement, nodeId: row.node_id, isConcerned: row.is_after };
  });
  const before = after.filter(({ nodeId }) => !came.has(nodeId));
  for (const { settlement, isGone } of changes) {
    if (isGone) before.push(goneOf(settlement, known));
  }
  before.sort(inOrder);
  let units = unitsOfRow(known);
  for (const said of concernedIn(before)) units = plus(units, said, -1n);
  for (const said of concernedIn(after)) units = plus(units, said);
  let outcomes: OutcomeCounts = known.outcomes;
  let gross = BigInt(known.gross);
  let { settlements } = known;
  for (const { settlement, isGone } of changes) {
    const sign = isGone ? -1 : 1;
    gross += BigInt(sign) * settlement.released;
    settlements += sign;
    outcomes = plusOutcomes(outcomes, { [settlement.outcome]: 1 }, sign);
  }
  const returned = BigInt(known.returned);
  return { agentId, buyer, worker, units, gross, returned, settlements, leftOut: false, outcomes };
}

/** True when the wallet is the agent's; for a deleted agent, every wallet counts as its own. */
function isWalletOf({ wallet }: KnownPairRow, workerWallet: string): boolean {
  return wallet === null || wallet === workerWallet;
}

function goneOf(settlement: SettlementEntity, known: KnownPairRow): Placed {
  const { amount, released, outcome, settledAt, nodeId, workerWallet } = settlement;
  const isPresentWallet = isWalletOf(known, workerWallet);
  return { amount, released, outcome, settledAt, nodeId, isPresentWallet, isConcerned: true };
}

/**
 * Evidence of the affected settlements. The rows before the first affected one of a stretch serve only for counting;
 * their own counts are incomplete.
 */
function concernedIn(rows: readonly Placed[]): EvidenceUnits[] {
  const earlier = repetitionsOf(rows);
  return rows.flatMap((row, index) => (row.isConcerned ? [unitsOf(row, earlier[index] ?? REPEATS_COUNTED)] : []));
}

/** The order of the SQL statements: by time, then by id bytewise. */
function inOrder(one: Placed, other: Placed): number {
  const apart = one.settledAt.getTime() - other.settledAt.getTime();
  if (apart !== 0) return apart;
  return one.nodeId < other.nodeId ? -1 : Number(one.nodeId > other.nodeId);
}
