import { wordOfRow } from '../../pairs/pair-evidence.js';
import { sumArrays } from '../../records/kept-sums.js';
import { byAgent, recordArrays, recordOf, type RunView } from '../../records/records.js';
import {
  type AnewRow,
  BUYERS_ANEW,
  FEW_BUYERS,
  putRecords,
  putSums,
  RECORD_COLUMNS,
  RECORD_ROWS,
  RECORD_VALUES,
  SUM_ROWS,
} from '../../records/records.sql.js';
import { sayingOf } from '../../score/score.js';
import type { RunConnection } from './run-connection.js';

/** Agents whose records are computed at once. */
const AGENTS_AT_ONCE = 2_000;

const AGENTS_AFTER = `SELECT agent_id, updated_at FROM reputation_records WHERE agent_id > $1
  ORDER BY agent_id LIMIT ${AGENTS_AT_ONCE}`;

const different = RECORD_VALUES.map((column) => `made.${column}`).join(', ');
const known = RECORD_VALUES.map((column) => `known.${column}`).join(', ');

/**
 * Stages only records that differ from the stored ones; most scores change by less than a ten-thousandth in ten
 * minutes.
 */
const STAGE = `INSERT INTO staged_records SELECT made.* FROM (${RECORD_ROWS}) AS made
  JOIN reputation_records known USING (agent_id) WHERE (${different}) IS DISTINCT FROM (${known})`;

const STAGE_SUMS = `INSERT INTO staged_sums ${SUM_ROWS}`;

const STAGE_RETURNED = `INSERT INTO staged_returned
  SELECT agent, buyer, value FROM unnest($1::text[], $2::text[], $3::numeric[]) AS row (agent, buyer, value)`;

/** Temporary tables of the connection, in which a run stages its results. */
export const STAGING: readonly string[] = [
  'CREATE TEMP TABLE staged_independence (cluster_id text NOT NULL, independence real NOT NULL)',
  `CREATE TEMP TABLE staged_records AS SELECT ${RECORD_COLUMNS} FROM reputation_records WITH NO DATA`,
  'CREATE TEMP TABLE staged_sums (LIKE buyer_sums)',
  'CREATE TEMP TABLE staged_returned (agent_id text NOT NULL, buyer_cluster_id text NOT NULL, returned numeric NOT NULL)',
];

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
    const agents = await connection.run<{ agent_id: string; updated_at: Date }>(AGENTS_AFTER, [last]);
    const ended = new Map(agents.map(({ agent_id, updated_at }) => [agent_id, updated_at]));
    const ids = [...ended.keys()].filter((id) => !skipped.has(id));
    const rows = await connection.rows<AnewRow>(BUYERS_ANEW, [ids]);
    const buyers = byAgent(rows);
    const made = ids.flatMap((id) => {
      const updatedAt = ended.get(id);
      const words = (buyers.get(id) ?? []).map((row) => wordOfRow({ ...row, independence: independenceOf(row.buyer) }));
      return updatedAt ? [{ agentId: id, updatedAt, sums: sayingOf(words, run.anchors > 0) }] : [];
    });
    const records = made.map(({ agentId, updatedAt, sums }) => recordOf(agentId, updatedAt, sums, run));
    if (records.length > 0) await connection.run(STAGE, recordArrays(records));
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

const NOT_STALE = 'NOT EXISTS (SELECT FROM unnest($1::text[]) AS stale WHERE stale = staged.agent_id)';

/** Statements that store the staged results, except for the agents $1. */
const PUT_STAGED: readonly string[] = [
  putSums(`SELECT staged.* FROM staged_sums staged WHERE ${NOT_STALE}`),
  putRecords(`SELECT ${RECORD_COLUMNS} FROM staged_records staged WHERE ${NOT_STALE}`),
  `UPDATE buyer_evidence paid SET returned = staged.returned FROM staged_returned staged
    WHERE paid.agent_id = staged.agent_id AND paid.buyer_cluster_id = staged.buyer_cluster_id AND ${NOT_STALE}`,
];

/** Stores the staged results, except for the `stale` agents, which are recomputed. Deletes the sums of earlier runs. */
export async function putStaged(connection: RunConnection, stale: readonly string[]): Promise<void> {
  await connection.run('DELETE FROM buyer_sums');
  for (const statement of PUT_STAGED) await connection.run(statement, [stale]);
}
