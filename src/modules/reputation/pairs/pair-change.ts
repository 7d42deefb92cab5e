import { REPEATS_COUNTED } from '../score/reputation-constants.js';
import type { SettlementEntity } from '../settlements/settlement.entity.js';
import { type EvidenceUnits, plus, repetitionsOf, type Settlement, unitsOf } from '../score/evidence-units.js';
import { type PairEvidence, settlementOf, unitsOfRow } from './pair-evidence.js';
import type { KnownPairRow, NeighbourRow } from './pair.sql.js';

/** A settlement that came, or that a reorganisation took away. */
export interface SettlementChange {
  readonly settlement: SettlementEntity;
  readonly isGone: boolean;
}

interface Placed extends Settlement {
  nodeId: string;
  /** What it says may be another than before. */
  isConcerned: boolean;
}

/**
 * What is known of a pair, moved by settlements that came and went. How much a settlement counts hangs on how many were
 * there in the 30 days before it, of which 64 matter: so one that comes or goes concerns the 64 after it, and whoever
 * reads as many before and after knows all that changes, however much the pair has settled. In whole numbers it is the
 * same as counting all of it anew.
 * @param known evidence of which nothing was left out; the settlements are in the table, or not any more.
 * @param near the pair's settlements around those that came and went (NEIGHBOURS).
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
  const outcomes = { ...known.outcomes };
  let gross = BigInt(known.gross);
  let { settlements } = known;
  for (const { settlement, isGone } of changes) {
    const sign = isGone ? -1 : 1;
    gross += BigInt(sign) * settlement.released;
    settlements += sign;
    outcomes[settlement.outcome] = (outcomes[settlement.outcome] ?? 0) + sign;
    if (outcomes[settlement.outcome] === 0) delete outcomes[settlement.outcome];
  }
  const returned = BigInt(known.returned);
  return { agentId, buyer, worker, units, gross, returned, settlements, leftOut: false, outcomes };
}

/** An agent that is not there any more has had every wallet. */
function isWalletOf({ wallet }: KnownPairRow, workerWallet: string): boolean {
  return wallet === null || wallet === workerWallet;
}

function goneOf(settlement: SettlementEntity, known: KnownPairRow): Placed {
  const { amount, released, outcome, settledAt, nodeId, workerWallet } = settlement;
  const isPresentWallet = isWalletOf(known, workerWallet);
  return { amount, released, outcome, settledAt, nodeId, isPresentWallet, isConcerned: true };
}

/** What the concerned ones say. The few before the first of a stretch are not whole, and not concerned. */
function concernedIn(rows: readonly Placed[]): EvidenceUnits[] {
  const earlier = repetitionsOf(rows);
  return rows.flatMap((row, index) => (row.isConcerned ? [unitsOf(row, earlier[index] ?? REPEATS_COUNTED)] : []));
}

/** As the statements order them: by time, then by id, byte by byte. */
function inOrder(one: Placed, other: Placed): number {
  const apart = one.settledAt.getTime() - other.settledAt.getTime();
  if (apart !== 0) return apart;
  return one.nodeId < other.nodeId ? -1 : Number(one.nodeId > other.nodeId);
}
