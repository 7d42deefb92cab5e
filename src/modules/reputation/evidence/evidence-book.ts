import type { SettlementEntity } from '../settlements/settlement.entity.js';
import { evidenceColumns, evidenceOf, type PairEvidence, wordOf, wordOfRow } from '../pairs/pair-evidence.js';
import {
  type ClusterPair,
  FORGET_PAIRS,
  NOTE_CHANGES,
  NOTE_DUE,
  PUT_EVIDENCE,
  SETTLEMENTS_WITH,
  type SettlementRow,
  SHARE_EVIDENCE,
} from '../pairs/evidence.sql.js';
import { moveReturned, PaidMore, type WordChange } from '../pairs/returned-payments.js';
import { COUNTERPARTS_OF, PAID_BETWEEN } from '../pairs/netting.sql.js';
import { movePair, type SettlementChange } from '../pairs/pair-change.js';
import {
  FEW_OF,
  FEW_TO_LEAVE_OF,
  KNOWN_PAIRS,
  type KnownPairRow,
  type MeetingRow,
  MEETINGS,
  type NeighbourRow,
  NEIGHBOURS,
} from '../pairs/pair.sql.js';
import { plusOutcomes } from '../pairs/outcome-counts.js';
import { principalOf } from '../clusters/principals.js';
import { recountAgents } from './evidence-recount.js';
import type { QueryExecutor } from '../pairs/query-executor.js';

/** Result of following settlements. */
export interface Followed {
  /** Agents whose records must be refreshed: those with changed settlements, and those whose net value has changed. */
  agentIds: string[];
  /** Changed evidence of single buyers, for agents that were not recounted. */
  changes: WordChange[];
}

/** The same, with what is left. */
interface FollowedAmong extends Followed {
  /** Agents with many settlements that wait for a run to count them anew. */
  uncounted: string[];
}

/**
 * Updates the evidence between agents and the principals that paid them, for settlements that were added or removed.
 * The evidence of a pair is a sum, to which each settlement is added or from which it is subtracted; a pair is
 * recounted as a whole only when it is new or its clusters have changed. The number of statements does not depend on
 * the number of settlements. An agent marked for a recount is recounted here when it has few settlements; otherwise the
 * next trust run does it, and its record is due after that.
 *
 * All affected agents are found first and then locked at once, in the same order everywhere, so that there are no
 * deadlocks. An agent that becomes affected between the two steps is left to the next run.
 */
export async function followSettlements(
  statements: QueryExecutor,
  changes: readonly SettlementChange[],
): Promise<Followed> {
  await statements.send(SHARE_EVIDENCE, []);
  const concerned = await concernedBy(statements, changes);
  await statements.send(NOTE_CHANGES, [concerned.locked]);
  const followed = await followAmong(statements, changes, concerned);
  const { uncounted } = followed;
  if (uncounted.length === 0) return followed;
  await statements.send(NOTE_DUE, [uncounted, uncounted.map(() => true)]);
  return { ...followed, agentIds: followed.agentIds.filter((id) => !uncounted.includes(id)) };
}

/**
 * The same while the index catches up: agents with few settlements are only marked, and `countLeft` counts them once,
 * however many transactions they settle in. The records of all agents concerned are marked as due.
 * @returns the agents whose evidence was updated at once.
 */
export async function leaveSettlements(
  statements: QueryExecutor,
  changes: readonly SettlementChange[],
): Promise<readonly string[]> {
  await statements.send(SHARE_EVIDENCE, []);
  const settled = [...new Set(changes.map(({ settlement }) => settlement.agentId))];
  const left = new Set(await agentsIn(statements, FEW_TO_LEAVE_OF, settled));
  const followed = changes.filter(({ settlement }) => !left.has(settlement.agentId));
  const concerned = followed.length === 0 ? null : await concernedBy(statements, followed);
  const noted = [...new Set([...left, ...(concerned?.locked ?? [])])].sort();
  // Transactions of the index wait for each other at agents, so this lock is sent as late as possible, with what follows.
  await statements.send(NOTE_DUE, [noted, noted.map((id) => left.has(id))]);
  if (concerned === null) return [];
  await followAmong(statements, followed, concerned);
  return concerned.locked;
}

/** Locks the agents, and counts the settlements of those that wait to be counted anew and have few settlements. */
export async function countLeft(
  statements: QueryExecutor,
  agentIds: readonly string[],
  waiting: readonly string[],
): Promise<Followed> {
  await statements.send(SHARE_EVIDENCE, []);
  const few = await agentsIn(statements, FEW_OF, waiting);
  const counterparts = await agentsIn(statements, COUNTERPARTS_OF, few);
  const locked = [...new Set([...agentIds, ...counterparts])].sort();
  await statements.send(NOTE_CHANGES, [locked]);
  const followed = { uncounted: new Set(few), paid: new PaidMore(), changes: [] };
  return { agentIds: locked, changes: await recountAmong(statements, followed, { few, counterparts, locked }) };
}

/** The agents that settlements concern. */
interface Concerned {
  readonly met: readonly MeetingRow[];
  /** Agents that wait to be counted anew and have few settlements. */
  readonly few: readonly string[];
  /** Agents whose net value may change. */
  readonly counterparts: readonly string[];
  /** The settled agents and the counterparts, in the order in which they are locked. */
  readonly locked: string[];
}

async function concernedBy(statements: QueryExecutor, changes: readonly SettlementChange[]): Promise<Concerned> {
  const met = await meetingsOf(
    statements,
    changes.map(({ settlement }) => settlement),
  );
  const waiting = changes.flatMap(({ settlement }, index) => (met[index]?.must_rebuild ? [settlement.agentId] : []));
  const few = await agentsIn(statements, FEW_OF, waiting);
  const settled = changes.map(({ settlement }) => settlement.agentId);
  const counterparts = [
    ...met.flatMap(({ counterparts: one, former_counterparts: other }) => [...(one ?? []), ...(other ?? [])]),
    ...(await agentsIn(statements, COUNTERPARTS_OF, few)),
  ];
  return { met, few, counterparts, locked: [...new Set([...settled, ...counterparts])].sort() };
}

/** Updates the evidence of locked agents with what changed. */
async function followAmong(
  statements: QueryExecutor,
  changes: readonly SettlementChange[],
  concerned: Concerned,
): Promise<FollowedAmong> {
  const followed = await followPairs(statements, pairsOf(changes, concerned.met));
  const uncounted = [...followed.uncounted].filter((id) => !concerned.few.includes(id)).sort();
  return { agentIds: concerned.locked, changes: await recountAmong(statements, followed, concerned), uncounted };
}

/** Counts the agents that need it anew, and nets the returned value of all. @returns every change of buyers' evidence. */
async function recountAmong(
  statements: QueryExecutor,
  { uncounted, paid, changes }: FollowedPairs,
  { few, counterparts, locked }: Omit<Concerned, 'met'>,
): Promise<WordChange[]> {
  const recounted = few.filter((id) => uncounted.has(id));
  for (const pair of await recountAgents(statements, recounted)) paid.add(pair, pair.value);
  if (counterparts.length === 0 && !paid.isMutual()) return changes;
  const netting = locked.filter((id) => !recounted.includes(id));
  return [...changes, ...(await moveReturned(statements, paid, netting))];
}

async function agentsIn(
  statements: QueryExecutor,
  statement: typeof FEW_OF,
  agentIds: readonly string[],
): Promise<string[]> {
  if (agentIds.length === 0) return [];
  return (await statements.rows<{ agent_id: string }>(statement, [agentIds])).map(({ agent_id }) => agent_id);
}

interface Pair extends ClusterPair {
  agentId: string;
  /** True when all changed settlements were within one principal, false when none was, null when some were. */
  isOwn: boolean | null;
  changes: SettlementChange[];
}

interface FollowedPairs {
  /** Agents marked for a recount; their changes were not applied. */
  uncounted: Set<string>;
  paid: PaidMore;
  changes: WordChange[];
}

async function followPairs(statements: QueryExecutor, pairs: readonly Pair[]): Promise<FollowedPairs> {
  const known = await statements.rows<KnownPairRow>(KNOWN_PAIRS, [
    pairs.map(({ agentId }) => agentId),
    pairs.map(({ buyer }) => buyer),
    pairs.map(({ worker }) => worker),
  ]);
  const uncounted = new Set<string>();
  // Payments within one principal are no evidence, whatever their number.
  const followed = pairs.flatMap((pair, index) => {
    const row = known[index];
    if (!row) throw new TypeError('The statement has a row for each of them');
    if (row.must_rebuild) uncounted.add(pair.agentId);
    return row.must_rebuild || (row.worker === null && pair.isOwn === true) ? [] : [{ pair, known: row }];
  });
  const moved = await movePairs(statements, followed.filter(isMovable));
  const counted = await countPairs(
    statements,
    followed.filter((one) => !isMovable(one)),
  );
  const after = new Map(
    [...moved, ...counted].filter(({ settlements }) => settlements > 0).map((one) => [keyOf(one), one]),
  );
  const forgotten = followed.flatMap(({ pair }) => (after.has(keyOf(pair)) ? [] : [pair]));
  if (after.size > 0) await statements.send(PUT_EVIDENCE, evidenceColumns([...after.values()]));
  if (forgotten.length > 0) {
    await statements.send(FORGET_PAIRS, [forgotten.map(({ agentId }) => agentId), forgotten.map(({ buyer }) => buyer)]);
  }
  const paid = new PaidMore();
  const changes = followed.map(({ pair: { agentId, buyer }, known: { independence, worker, netted, ...row } }) => {
    const now = after.get(keyOf({ agentId, buyer }));
    if (worker !== null) paid.add({ buyer, worker }, -BigInt(row.gross));
    if (now) paid.add(now, now.gross);
    const before = worker === null ? null : wordOfRow({ ...row, returned: netted ?? '0', independence });
    const outcomes = plusOutcomes(now?.outcomes ?? {}, worker === null ? {} : row.outcomes, -1);
    return { agentId, before, after: now ? wordOf(now, independence) : null, outcomes };
  });
  return { uncounted, paid, changes };
}

function meetingsOf(statements: QueryExecutor, settlements: readonly SettlementEntity[]): Promise<MeetingRow[]> {
  return statements.rows<MeetingRow>(MEETINGS, [
    settlements.map(({ payerAccountId, payerWallet }) => principalOf(payerAccountId, payerWallet)),
    settlements.map(({ workerAccountId, workerWallet }) => principalOf(workerAccountId, workerWallet)),
    settlements.map(({ payerWallet }) => payerWallet),
    settlements.map(({ workerWallet }) => workerWallet),
    settlements.map(({ agentId }) => agentId),
  ]);
}

/** Groups the changes by pair, with the present clusters. */
function pairsOf(changes: readonly SettlementChange[], met: readonly MeetingRow[]): Pair[] {
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

/** Applies changes to the stored evidence of pairs. */
async function movePairs(statements: QueryExecutor, pairs: readonly KnownPair[]): Promise<PairEvidence[]> {
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
async function countPairs(statements: QueryExecutor, pairs: readonly KnownPair[]): Promise<PairEvidence[]> {
  if (pairs.length === 0) return [];
  const evidence = evidenceOf(
    await statements.rows<SettlementRow>(SETTLEMENTS_WITH, [
      pairs.map(({ pair }) => pair.agentId),
      pairs.map(({ pair }) => pair.buyer),
    ]),
  );
  const asked = new Map(
    pairs.map(({ pair, known }) => [keyOf(pair), { owner: pair.worker, returned: known.returned }]),
  );
  // Work that was done by another cluster, before the agent had its present owner, is netted with that cluster.
  const ofOthers = evidence.filter((one) => asked.get(keyOf(one))?.owner !== one.worker);
  const back =
    ofOthers.length === 0
      ? []
      : await statements.rows<{ value: string }>(PAID_BETWEEN, [
          ofOthers.map(({ worker }) => worker),
          ofOthers.map(({ buyer }) => buyer),
        ]);
  const returned = new Map(ofOthers.map((one, index) => [keyOf(one), back[index]?.value]));
  return evidence.map((one) => {
    return { ...one, returned: BigInt(returned.get(keyOf(one)) ?? asked.get(keyOf(one))?.returned ?? 0) };
  });
}

function keyOf({ agentId, buyer }: Pick<PairEvidence, 'agentId' | 'buyer'>): string {
  return `${agentId} ${buyer}`;
}
