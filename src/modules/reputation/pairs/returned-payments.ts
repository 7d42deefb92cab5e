import type { BuyerEvidence } from '../score/score.js';
import type { ClusterPair } from './evidence.sql.js';
import { MOVE_RETURNED } from './netting.sql.js';
import type { OutcomeCounts } from './outcome-counts.js';
import { type WordRow, wordOfRow } from './pair-evidence.js';
import type { QueryExecutor } from './query-executor.js';

/** One buyer's evidence about an agent, before and after a change; null: none. */
export interface WordChange {
  agentId: string;
  before: BuyerEvidence | null;
  after: BuyerEvidence | null;
  /** By how much the buyer's settlements by outcome have changed. */
  outcomes: OutcomeCounts;
}

/** Changes of what clusters have paid to each other, base units; negative when less. */
export class PaidMore {
  private readonly sums = new Map<string, ClusterPair & { value: bigint }>();

  add({ buyer, worker }: ClusterPair, value: bigint): void {
    const key = `${buyer} ${worker}`;
    const sum = this.sums.get(key);
    if (sum) sum.value += value;
    else this.sums.set(key, { buyer, worker, value });
  }

  /** True when two clusters have changes in both directions. */
  isMutual(): boolean {
    return [...this.sums.values()].some(({ buyer, worker }) => this.sums.has(`${worker} ${buyer}`));
  }

  pairs(): (ClusterPair & { value: bigint })[] {
    return [...this.sums.values()].filter(({ value }) => value !== 0n);
  }
}

/**
 * Updates the netting of these agents, which must be locked, when their owners' clusters have paid more (or less) to
 * their buyers. Returns the changed evidence.
 */
export async function moveReturned(
  statements: QueryExecutor,
  paid: PaidMore,
  agentIds: readonly string[],
): Promise<WordChange[]> {
  const pairs = paid.pairs();
  if (pairs.length === 0 || agentIds.length === 0) return [];
  const rows = await statements.rows<MovedRow>(MOVE_RETURNED, [
    pairs.map(({ buyer }) => buyer),
    pairs.map(({ worker }) => worker),
    pairs.map(({ value }) => value.toString()),
    agentIds,
  ]);
  return rows.map((row) => {
    const returned = (BigInt(row.returned) - BigInt(row.moved)).toString();
    return { agentId: row.agent_id, before: wordOfRow({ ...row, returned }), after: wordOfRow(row), outcomes: {} };
  });
}

interface MovedRow extends WordRow {
  agent_id: string;
  moved: string;
}
