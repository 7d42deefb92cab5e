import { evidenceOfBuyer, type Settlement, type WorkForBuyer } from '../score.js';
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
import type { Statements } from './statements.js';

/**
 * Makes the evidence between agents and the principals that paid them equal to the settlements table again, and nothing
 * else: each pair is summed up from its own settlements, so that what a reorganisation took away is gone without a rest.
 * @param touched principals (principals.ts) whose settlements changed, by agent.
 * @returns the agents whose records follow from what changed: these, and those whose net value is another now.
 */
export async function recountPairs(
  statements: Statements,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  // In one order everywhere; the lock makes it the order of the sequence too.
  const agentIds = [...touched.keys()].sort();
  const noted = await statements.rows<NotedRow>(NOTE_CHANGES, [agentIds]);
  const uncounted = noted.flatMap(({ agent_id, must_rebuild }) => (must_rebuild ? [agent_id] : []));
  const paid: string[] = [];
  for (const agentId of agentIds) {
    if (uncounted.includes(agentId)) continue;
    for (const payer of touched.get(agentId) ?? []) paid.push(...(await recountPair(statements, agentId, payer)));
  }
  if (uncounted.length > 0) paid.push(...(await paidBy(statements, await recountAgents(statements, uncounted))));
  return withNoted(statements, agentIds, paid);
}

/** @returns agents of the payer whose net value is another now. */
async function recountPair(statements: Statements, agentId: string, payer: string): Promise<string[]> {
  const settlements = await statements.rows<SettlementRow>(SETTLEMENTS_WITH, [agentId, payer]);
  const [evidence] = evidenceOf(settlements);
  if (!evidence) return paidBy(statements, await statements.rows<ClusterPair>(FORGET_EVIDENCE_WITH, [agentId, payer]));
  const [, ...columns] = rowsOf(agentId, [evidence]);
  const counterparts = await statements.rows<AgentRow>(PUT_EVIDENCE, [agentId, ...columns.flat()]);
  return counterparts.map(({ agent_id }) => agent_id);
}

/**
 * Sums up every settlement of these agents anew. The caller holds the lock of the evidence.
 * @returns the pairs of clusters that had or have evidence.
 */
export async function recountAgents(statements: Statements, agentIds: readonly string[]): Promise<ClusterPair[]> {
  const pairs: ClusterPair[] = [];
  for (const agentId of agentIds) {
    const settlements = await statements.rows<SettlementRow>(SETTLEMENTS_OF, [agentId]);
    const forgotten = await statements.rows<ClusterPair>(FORGET_EVIDENCE, [agentId]);
    pairs.push(...forgotten, ...(await write(statements, agentId, settlements)));
  }
  if (agentIds.length > 0) await statements.rows(NOTE_REBUILT, [agentIds]);
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

async function write(
  statements: Statements,
  agentId: string,
  settlements: readonly SettlementRow[],
): Promise<ClusterPair[]> {
  const evidence = evidenceOf(settlements);
  if (evidence.length > 0) await statements.rows(WRITE_EVIDENCE, rowsOf(agentId, evidence));
  return evidence.map(({ buyer, worker }) => ({ buyer, worker }));
}

interface Evidence extends ClusterPair {
  work: WorkForBuyer;
  outcomes: Record<string, number>;
}

function evidenceOf(settlements: readonly SettlementRow[]): Evidence[] {
  return [...byBuyer(settlements)].map(([buyer, own]) => ({ buyer, ...sumUp(own) }));
}

/** `$1` to `$10` of the statements that write. */
function rowsOf(agentId: string, evidence: readonly Evidence[]): unknown[] {
  return [
    agentId,
    evidence.map(({ buyer }) => buyer),
    evidence.map(({ worker }) => worker),
    evidence.map(({ work }) => work.career.good),
    evidence.map(({ work }) => work.career.bad),
    evidence.map(({ work }) => work.recent.good),
    evidence.map(({ work }) => work.recent.bad),
    evidence.map(({ work }) => work.grossValue.toString()),
    evidence.map(({ work }) => work.settlements),
    evidence.map(({ outcomes }) => JSON.stringify(outcomes)),
  ];
}

/** What an owner's own buyers paid is no evidence. */
function byBuyer(settlements: readonly SettlementRow[]): Map<string, SettlementRow[]> {
  const groups = new Map<string, SettlementRow[]>();
  for (const settlement of settlements) {
    if (settlement.is_own) continue;
    const group = groups.get(settlement.buyer_cluster);
    if (group) group.push(settlement);
    else groups.set(settlement.buyer_cluster, [settlement]);
  }
  return groups;
}

function sumUp(rows: readonly SettlementRow[]): Omit<Evidence, 'buyer'> {
  const outcomes: Record<string, number> = {};
  for (const { outcome } of rows) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return { worker: rows[0]?.worker_cluster ?? '', work: evidenceOfBuyer(rows.map(settlementOf)), outcomes };
}

function settlementOf(row: SettlementRow): Settlement {
  return {
    amount: BigInt(row.amount),
    released: BigInt(row.released),
    outcome: row.outcome,
    settledAt: row.settled_at,
    isPresentWallet: row.is_present_wallet,
  };
}
