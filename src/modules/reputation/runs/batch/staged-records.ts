import { wordOfRow } from '../../pairs/pair-evidence.js';
import { sumArrays } from '../../records/kept-sums.js';
import { byAgent, outcomesOf, recordArrays, recordOf, type RunView } from '../../records/records.js';
import { type AnewRow, BUYERS_ANEW, FEW_BUYERS } from '../../records/records.sql.js';
import { sayingOf } from '../../score/score.js';
import type { RunConnection } from './run-connection.js';
import {
  AGENTS_AFTER,
  AGENTS_AT_ONCE,
  DELETE_SUMS,
  PUT_STAGED,
  STAGE_RECORDS,
  STAGE_RETURNED,
  STAGE_SUMS,
} from './staged-records.sql.js';

/**
 * Computes all agents' records with the run's independence and stages those that change, the sums of agents with many
 * buyers, and changed amounts of returned payments. Agents in `skipped` are computed when the run is written.
 * @param independenceOf returns the independence of a buyer cluster; null for a cluster that the run has not read.
 */
export async function stageRecords(
  connection: RunConnection,
  run: RunView,
  independenceOf: (cluster: string) => number | null,
  skipped: ReadonlySet<string>,
): Promise<void> {
  for (let last = ''; ;) {
    const agents = await connection.run<{ agent_id: string; updated_at: Date | null }>(AGENTS_AFTER, [last]);
    const ended = new Map(agents.map(({ agent_id, updated_at }) => [agent_id, updated_at]));
    const ids = [...ended.keys()].filter((id) => !skipped.has(id));
    const rows = await connection.rows<AnewRow>(BUYERS_ANEW, [ids]);
    const buyers = byAgent(rows);
    const made = ids.flatMap((id) => {
      const updatedAt = ended.get(id);
      const own = buyers.get(id) ?? [];
      const words = own.map((row) => wordOfRow({ ...row, independence: independenceOf(row.buyer) }));
      return updatedAt
        ? [{ agentId: id, updatedAt, sums: sayingOf(words, run.anchors > 0), outcomes: outcomesOf(own) }]
        : [];
    });
    const records = made.map(({ agentId, updatedAt, ...said }) => recordOf(agentId, updatedAt, said, run));
    if (records.length > 0) await connection.run(STAGE_RECORDS, recordArrays(records));
    const kept = made.filter(({ sums }) => sums.buyers > FEW_BUYERS);
    if (kept.length > 0) await connection.run(STAGE_SUMS, sumArrays(kept));
    await stageReturned(
      connection,
      rows.filter(({ returned, netted }) => returned !== netted),
    );
    last = agents.at(-1)?.agent_id ?? last;
    if (agents.length < AGENTS_AT_ONCE) return;
  }
}

async function stageReturned(connection: RunConnection, rows: readonly AnewRow[]): Promise<void> {
  if (rows.length === 0) return;
  await connection.run(STAGE_RETURNED, [
    rows.map(({ agent_id }) => agent_id),
    rows.map(({ buyer }) => buyer),
    rows.map(({ returned }) => returned),
  ]);
}

/** Stores the staged results, except for the `stale` agents, which are recomputed. Deletes the sums of earlier runs. */
export async function putStaged(connection: RunConnection, stale: readonly string[]): Promise<void> {
  await connection.run(DELETE_SUMS);
  for (const statement of PUT_STAGED) await connection.run(statement, [stale]);
}
