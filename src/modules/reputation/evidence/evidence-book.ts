import { evidenceColumns, evidenceOf, type PairEvidence } from './pair-evidence.js';
import {
  type ClusterPair,
  FORGET_EVIDENCE,
  FORGET_EVIDENCE_WITH,
  NOTE_CHANGES,
  NOTE_REBUILT,
  type NotedRow,
  PAID_BY,
  PUT_EVIDENCE,
  SETTLEMENTS_OF,
  SETTLEMENTS_WITH,
  type SettlementRow,
  WRITE_EVIDENCE,
} from './evidence.sql.js';
import { movePair, type SettlementChange } from './pair-change.js';
import { FEW_OF, KNOWN_PAIR, type KnownPairRow, type MeetingRow, MEETINGS } from './pair.sql.js';
import { principalOf } from './principals.js';
import type { Statements } from './statements.js';

/**
 * Makes the evidence between agents and the principals that paid them follow settlements that came and went. Each pair's
 * is a sum, moved by what its settlements say; it is counted as a whole only when it is new, or when who belongs together
 * is not what it was. An agent that waits to be counted anew is, when it has little to count; else the next run does it.
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
    const key = `${agentId} ${buyer}`;
    const pair = pairs.get(key);
    if (!pair) pairs.set(key, { agentId, buyer, worker, isOwn, changes: [change] });
    else {
      pair.changes.push(change);
      if (pair.isOwn !== isOwn || pair.worker !== worker) pair.isOwn = null;
    }
  }
  const paid: string[] = [];
  for (const pair of pairs.values()) paid.push(...(await followPair(statements, pair)));
  return paid;
}

async function followPair(statements: Statements, pair: Pair): Promise<string[]> {
  const { agentId, buyer, worker, isOwn, changes } = pair;
  const [known] = await statements.rows<KnownPairRow>(KNOWN_PAIR, [agentId, buyer]);
  if (!known) throw new TypeError('The statement always has a row');
  // What one pays to oneself makes no evidence, however much of it there is.
  if (known.worker === null && isOwn === true) return [];
  const isMoved = known.worker === worker && isOwn === false && !known.left_out;
  const [evidence] = isMoved
    ? [await movePair(statements, pair, known, changes)]
    : evidenceOf(await statements.rows<SettlementRow>(SETTLEMENTS_WITH, [agentId, known.payers]));
  return !evidence || evidence.settlements === 0
    ? paidBy(statements, await statements.rows<ClusterPair>(FORGET_EVIDENCE_WITH, [agentId, buyer]))
    : put(statements, evidence);
}

async function put(statements: Statements, evidence: PairEvidence): Promise<string[]> {
  const counterparts = await statements.rows<AgentRow>(PUT_EVIDENCE, evidenceColumns([evidence]).flat());
  return counterparts.map(({ agent_id }) => agent_id);
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
    if (evidence.length > 0) await statements.rows(WRITE_EVIDENCE, evidenceColumns(evidence));
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
