import { LOCK_EVIDENCE } from '../../pairs/evidence.sql.js';
import { netAnew, recountAgents } from '../../evidence/evidence-recount.js';
import { refreshRecords } from '../../records/records.js';
import type { TrustRunSnapshot } from './trust-run-snapshot.js';
import type { RunConnection } from './run-connection.js';
import {
  CHANGED_SINCE,
  DELETE_CLUSTERS,
  DELETE_INDEPENDENCE,
  FINISH_RUN,
  FORGET_CHANGES,
  PUT_CLUSTERS,
  PUT_INDEPENDENCE,
  RECORDS_LEFT,
} from './run-writer.sql.js';
import { putStaged } from './staged-records.js';
import type { TrustFigures, TrustOrder } from './trust-order.js';

/** The run was replaced by another or given up while it was running. */
export class RunSupersededError extends Error {
  override readonly name = 'RunSupersededError';
}

/** Longest wait of a run for blocks that are being indexed. */
const WAIT_FOR_INDEXED_BLOCKS = "SET LOCAL lock_timeout = '60s'";

/**
 * Writes a run in one transaction: the clusters, their independence, the evidence of regrouped agents, and all records.
 * Agents that a block has changed since the run read the market are recomputed from the present data. Records that are due
 * after the index has caught up are left as they are, because their changes are told only then.
 * @throws RunSupersededError, with nothing written, when the run is no longer the current one.
 */
export function writeRun(
  connection: RunConnection,
  order: TrustOrder,
  market: TrustRunSnapshot,
  figures: TrustFigures,
): Promise<void> {
  return connection.transaction('BEGIN', async () => {
    await connection.run(WAIT_FOR_INDEXED_BLOCKS);
    await connection.rows(LOCK_EVIDENCE, []);
    await finish(connection, order, figures);
    await writeClusters(connection, market);
    await writeIndependence(connection);
    const pairs = await recountAgents(connection, [...market.regrouped].sort());
    const since = await changedSince(connection, market.seen);
    const stale = await netAnew(connection, [...new Set([...market.regrouped, ...since])], pairs);
    await putStaged(connection, stale);
    const refreshed = await withoutLeft(connection, stale);
    for (let from = 0; from < refreshed.length; from += REFRESHED_AT_ONCE) {
      await refreshRecords(connection, refreshed.slice(from, from + REFRESHED_AT_ONCE));
    }
    await connection.run(FORGET_CHANGES);
  });
}

const REFRESHED_AT_ONCE = 1_000;

/** Marks the run as finished, so that the records refreshed below use it as the last finished run. */
async function finish(connection: RunConnection, order: TrustOrder, figures: TrustFigures): Promise<void> {
  const { principals, edges, settlements, clusters } = figures;
  const finished = await connection.run(FINISH_RUN, [
    order.runId,
    order.anchors.length,
    principals,
    edges,
    settlements,
    clusters,
  ]);
  if (finished.length !== 1) throw new RunSupersededError('Another run has taken the place of this one');
}

async function writeClusters(connection: RunConnection, { changes }: TrustRunSnapshot): Promise<void> {
  const alone = changes.flatMap(({ account, cluster }) => (cluster === null ? [account] : []));
  const joined = changes.flatMap(({ account, cluster }) => (cluster === null ? [] : [{ account, cluster }]));
  await connection.run(DELETE_CLUSTERS, [alone]);
  await connection.run(PUT_CLUSTERS, [joined.map(({ account }) => account), joined.map(({ cluster }) => cluster)]);
}

async function writeIndependence(connection: RunConnection): Promise<void> {
  await connection.run(DELETE_INDEPENDENCE);
  await connection.run(PUT_INDEPENDENCE);
}

async function changedSince(connection: RunConnection, seen: string): Promise<string[]> {
  const rows = await connection.run<{ agent_id: string }>(CHANGED_SINCE, [seen]);
  return rows.map(({ agent_id }) => agent_id);
}

/** Those of the agents whose records the run may write. */
async function withoutLeft(connection: RunConnection, agentIds: readonly string[]): Promise<string[]> {
  const rows = await connection.run<{ agent_id: string }>(RECORDS_LEFT, [agentIds]);
  const left = new Set(rows.map(({ agent_id }) => agent_id));
  return agentIds.filter((id) => !left.has(id));
}
