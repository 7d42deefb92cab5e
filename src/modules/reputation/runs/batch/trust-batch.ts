import { SHARE_EVIDENCE } from '../../pairs/evidence.sql.js';
import { recountAgents } from '../../evidence/evidence-recount.js';
import { dealCohorts } from '../../trust/cohorts.js';
import { independenceOf } from '../../trust/independence.js';
import { moneyGraphOf } from '../../trust/money-graph.js';
import { type TrustRunSnapshot, viewMarket } from './trust-run-snapshot.js';
import { RunConnection } from './run-connection.js';
import { writeRun } from './run-writer.js';
import { stageRecords, STAGING } from './staged-records.js';
import type { TrustFigures, TrustOrder } from './trust-order.js';
import type { TrustPhase } from './trust-run.entity.js';

/** Agents that are counted for the first time in one short transaction. */
const COUNTED_AT_ONCE = 100;
/** Steps of independence as it is kept; a power of ten, so that it is read back as it was written. */
const STEPS = 1_000_000;

/**
 * One run: finds out who is one principal and how independent each is as a buyer, and refreshes evidence and records, all
 * of it in one transaction at the end. Until that commits, everybody sees the result of the run before.
 * rule: docs/decisions/ranking.md#independence
 */
export async function runTrustBatch(order: TrustOrder, says: (phase: TrustPhase) => void): Promise<TrustFigures> {
  const connection = await RunConnection.open(order.databaseUrl);
  try {
    says('counting');
    await countTheUncounted(connection);
    for (const table of STAGING) await connection.run(table);
    const view = await connection.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY', async () => {
      says('reading');
      const market = await viewMarket(connection);
      says('walking');
      const { independence, edges } = walk(market, order);
      await stageIndependence(connection, independence);
      says('refreshing');
      const run = { asOf: new Date(order.asOfMs), anchors: order.anchors.length };
      await stageRecords(connection, run, (cluster) => independence.get(cluster) ?? null, market.regrouped);
      return { market, edges };
    });
    says('writing');
    const { market, edges } = view;
    const { principals, settlements, merged } = market;
    const figures = { principals: principals.size, edges, settlements, clusters: merged };
    await writeRun(connection, order, market, figures);
    return figures;
  } finally {
    await connection.close();
  }
}

/**
 * Settlements that are older than the evidence, some agents at a time, so that no block waits for long. Agents that a block
 * concerns are left alone: it is over soon, and a run that found only such ones goes on without them.
 */
async function countTheUncounted(connection: RunConnection): Promise<void> {
  const next = `SELECT agent_id FROM evidence_changes WHERE must_rebuild ORDER BY agent_id LIMIT ${COUNTED_AT_ONCE}
    FOR UPDATE SKIP LOCKED`;
  for (let counted = COUNTED_AT_ONCE; counted === COUNTED_AT_ONCE;) {
    counted = await connection.transaction('BEGIN', async () => {
      await connection.rows(SHARE_EVIDENCE, []);
      const agents = await connection.run<{ agent_id: string }>(next);
      await recountAgents(
        connection,
        agents.map(({ agent_id }) => agent_id),
      );
      return agents.length;
    });
  }
}

/** By cluster; empty while no verified buyers are named, because then nothing can tell buyers apart. */
function walk(market: TrustRunSnapshot, { anchors }: TrustOrder): { independence: Map<string, number>; edges: number } {
  const { principals, payments, clusters } = market;
  const graph = moneyGraphOf(payments, principals.size);
  const edges = graph.neighbours.length / 2;
  if (anchors.length === 0) return { independence: new Map(), edges };
  const candidates = anchors.flatMap(({ accountId, key }) => {
    const principal = principals.find(clusters.clusterOf(accountId));
    return principal === undefined ? [] : [{ principal, key }];
  });
  const found = independenceOf(graph, dealCohorts(graph, candidates));
  const independence = new Map<string, number>();
  // Downwards, so that nobody is more independent than the walk says.
  for (const [number, value] of found.entries()) {
    independence.set(principals.nameOf(number), Math.floor(value * STEPS) / STEPS);
  }
  return { independence, edges };
}

async function stageIndependence(connection: RunConnection, independence: ReadonlyMap<string, number>): Promise<void> {
  const lot = 20_000;
  const all = [...independence];
  for (let from = 0; from < all.length; from += lot) {
    const rows = all.slice(from, from + lot);
    await connection.run(
      `INSERT INTO staged_independence SELECT cluster, independence
       FROM unnest($1::text[], $2::real[]) AS row (cluster, independence)`,
      [rows.map(([cluster]) => cluster), rows.map(([, value]) => value)],
    );
  }
}
