import { evidenceColumns, evidenceOf, type PairEvidence } from './pair-evidence.js';
import {
  type ClusterPair,
  FORGET_EVIDENCE,
  FORGET_PAIRS,
  NOTE_CHANGES,
  NOTE_REBUILT,
  type NotedRow,
  PAID_BY,
  PUT_EVIDENCE,
  SETTLEMENTS_OF,
  SETTLEMENTS_WITH,
  type SettlementRow,
} from './evidence.sql.js';
import { movePair, type SettlementChange } from './pair-change.js';
import {
  FEW_OF,
  KNOWN_PAIRS,
  type KnownPairRow,
  type MeetingRow,
  MEETINGS,
  type NeighbourRow,
  NEIGHBOURS,
} from './pair.sql.js';
import { principalOf } from './principals.js';
import type { Statements } from './statements.js';

/**
 * Makes the evidence between agents and the principals that paid them follow settlements that came and went. Each pair's
 * is a sum, moved by what its settlements say; it is counted as a whole only when it is new, or when who belongs together
 * is not what it was. However many settlements there are, the statements are the same few. An agent that waits to be counted
 * anew is, when it has little to count; else the next run does it.
 * @returns the agents whose records follow from what changed: these, and those whose net value is another now.
 */
export async function followSettlements(
  statements: Statements,
  changes: readonly SettlementChange[],
): Promise<string[]> {
  // In one order everywhere, so that nobody who waits for several agents waits in a circle.
  const agentIds = [...new Set(changes.map(({ settlement }) => settlement.agentId))].sort();
  const noted = await statements.rows<NotedRow>(NOTE_CHANGES, [agentIds]);
  const uncounted = noted.flatMap(({ agent_id, must_rebuild }) => (must_rebuild ? [agent_id] : []));
  const paid = await followPairs(
    statements,
    changes.filter(({ settlement }) => !uncounted.includes(settlement.agentId)),
  );
  if (uncounted.length > 0) {
    const few = (await statements.rows<AgentRow>(FEW_OF, [uncounted])).map(({ agent_id }) => agent_id);
    paid.push(...(await paidBy(statements, await recountAgents(statements, few))));
  }
  return withNoted(statements, agentIds, paid);
}

interface Pair extends ClusterPair {
  agentId: string;
  /** True when all of what changed was within one principal, false when none was. */
  isOwn: boolean | null;
  changes: SettlementChange[];
}

/** @returns agents whose net value is another now. */
async function followPairs(statements: Statements, changes: readonly SettlementChange[]): Promise<string[]> {
  if (changes.length === 0) return [];
  const pairs = await pairsOf(statements, changes);
  const known = await statements.rows<KnownPairRow>(KNOWN_PAIRS, [
    pairs.map(({ agentId }) => agentId),
    pairs.map(({ buyer }) => buyer),
    pairs.map(({ worker }) => worker),
  ]);
  // What one pays to oneself makes no evidence, however much of it there is.
  const followed = pairs.flatMap((pair, index) => {
    const row = known[index];
    if (!row) throw new TypeError('The statement has a row for each of them');
    return row.worker === null && pair.isOwn === true ? [] : [{ pair, known: row }];
  });
  const moved = followed.filter((one) => isMovable(one));
  const counted = followed.filter((one) => !isMovable(one)).map(({ pair }) => pair);
  const evidence = [...(await movePairs(statements, moved)), ...(await countPairs(statements, counted))];
  const kept = evidence.filter(({ settlements }) => settlements > 0);
  const keptKeys = new Set(kept.map(keyOf));
  const forgotten = followed.flatMap(({ pair }) => (keptKeys.has(keyOf(pair)) ? [] : [pair]));
  if (kept.length > 0) await statements.rows(PUT_EVIDENCE, evidenceColumns(kept));
  if (forgotten.length > 0) {
    await statements.rows(FORGET_PAIRS, [forgotten.map(({ agentId }) => agentId), forgotten.map(({ buyer }) => buyer)]);
  }
  return followed.flatMap(({ known: { counterparts } }) => counterparts);
}

/** The pairs that the changes belong to, as who belongs together now. */
async function pairsOf(statements: Statements, changes: readonly SettlementChange[]): Promise<Pair[]> {
  const settlements = changes.map(({ settlement }) => settlement);
  const met = await statements.rows<MeetingRow>(MEETINGS, [
    settlements.map(({ payerAccountId, payerWallet }) => principalOf(payerAccountId, payerWallet)),
    settlements.map(({ workerAccountId, workerWallet }) => principalOf(workerAccountId, workerWallet)),
    settlements.map(({ payerWallet }) => payerWallet),
    settlements.map(({ workerWallet }) => workerWallet),
  ]);
  const pairs = new Map<string, Pair>();
  for (const [index, change] of changes.entries()) {
    const meeting = met[index];
    if (!meeting) throw new TypeError('The statement has a row for each of them');
    const { buyer_cluster: buyer, worker_cluster: worker, is_own: isOwn } = meeting;
    const { agentId } = change.settlement;
    const key = keyOf({ agentId, buyer });
    const pair = pairs.get(key);
    if (!pair) pairs.set(key, { agentId, buyer, worker, isOwn, changes: [change] });
    else {
      pair.changes.push(change);
      if (pair.isOwn !== isOwn || pair.worker !== worker) pair.isOwn = null;
    }
  }
  return [...pairs.values()];
}

interface KnownPair {
  pair: Pair;
  known: KnownPairRow;
}

function isMovable({ pair, known }: KnownPair): boolean {
  return known.worker === pair.worker && pair.isOwn === false && !known.left_out;
}

/** Moves what is known of pairs by what changed. */
async function movePairs(statements: Statements, pairs: readonly KnownPair[]): Promise<PairEvidence[]> {
  if (pairs.length === 0) return [];
  const places = pairs.flatMap(({ pair }) => pair.changes.map(({ settlement }) => ({ pair, settlement })));
  const rows = await statements.rows<NeighbourRow>(NEIGHBOURS, [
    places.map(({ pair }) => pair.agentId),
    places.map(({ pair }) => pair.buyer),
    places.map(({ settlement }) => settlement.settledAt),
    places.map(({ settlement }) => settlement.nodeId),
  ]);
  const near = new Map<string, NeighbourRow[]>();
  for (const row of rows) {
    const key = keyOf({ agentId: row.agent, buyer: row.buyer });
    const others = near.get(key);
    if (others) others.push(row);
    else near.set(key, [row]);
  }
  return pairs.map(({ pair, known }) => movePair(pair, known, pair.changes, near.get(keyOf(pair)) ?? []));
}

/** Counts all settlements of pairs. */
async function countPairs(statements: Statements, pairs: readonly Pair[]): Promise<PairEvidence[]> {
  if (pairs.length === 0) return [];
  return evidenceOf(
    await statements.rows<SettlementRow>(SETTLEMENTS_WITH, [
      pairs.map(({ agentId }) => agentId),
      pairs.map(({ buyer }) => buyer),
    ]),
  );
}

function keyOf({ agentId, buyer }: Pick<PairEvidence, 'agentId' | 'buyer'>): string {
  return `${agentId} ${buyer}`;
}

/** Agents whose settlements are held in memory at once. */
const COUNTED_AT_ONCE = 100;

/**
 * Sums up every settlement of these agents anew. The caller holds the lock of the evidence, or of the agents.
 * @returns the pairs of clusters that had or have evidence.
 */
export async function recountAgents(statements: Statements, agentIds: readonly string[]): Promise<ClusterPair[]> {
  const pairs: ClusterPair[] = [];
  for (let from = 0; from < agentIds.length; from += COUNTED_AT_ONCE) {
    const lot = agentIds.slice(from, from + COUNTED_AT_ONCE);
    const evidence = evidenceOf(await statements.rows<SettlementRow>(SETTLEMENTS_OF, [lot]));
    const forgotten = await statements.rows<ClusterPair>(FORGET_EVIDENCE, [lot]);
    if (evidence.length > 0) await statements.rows(PUT_EVIDENCE, evidenceColumns(evidence));
    for (const { buyer, worker } of [...forgotten, ...evidence]) pairs.push({ buyer, worker });
    await statements.rows(NOTE_REBUILT, [lot]);
  }
  return pairs;
}

/** These agents, and the agents of buyers that were paid by them in turn: what flowed back counts against both. */
export async function withCounterparts(
  statements: Statements,
  agentIds: readonly string[],
  pairs: readonly ClusterPair[],
): Promise<string[]> {
  return withNoted(statements, agentIds, await paidBy(statements, pairs));
}

async function paidBy(statements: Statements, pairs: readonly ClusterPair[]): Promise<string[]> {
  if (pairs.length === 0) return [];
  const paid = await statements.rows<AgentRow>(PAID_BY, [
    pairs.map(({ worker }) => worker),
    pairs.map(({ buyer }) => buyer),
  ]);
  return paid.map(({ agent_id }) => agent_id);
}

async function withNoted(
  statements: Statements,
  agentIds: readonly string[],
  paid: readonly string[],
): Promise<string[]> {
  const known = new Set(agentIds);
  const others = [...new Set(paid)].filter((id) => !known.has(id)).sort();
  if (others.length > 0) await statements.rows(NOTE_CHANGES, [others]);
  return [...agentIds, ...others];
}

interface AgentRow {
  agent_id: string;
}
