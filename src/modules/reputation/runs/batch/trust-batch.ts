import { MARK_CHANGED_WALLETS, WALLETS_AT_ONCE } from '../../evidence/wallets/changed-wallets.sql.js';
import { SHARE_EVIDENCE, COUNTED_AT_ONCE, LOCK_UNCOUNTED } from '../../pairs/evidence.sql.js';
import { recountAgents } from '../../evidence/evidence-recount.js';
import { dealCohorts } from '../../trust/cohorts.js';
import { independenceOf } from '../../trust/independence.js';
import { moneyGraphOf } from '../../trust/money-graph.js';
import { type TrustRunSnapshot, viewMarket } from './trust-run-snapshot.js';
import { RunConnection } from './run-connection.js';
import { writeRun } from './run-writer.js';
import { stageRecords } from './staged-records.js';
import { STAGING, STAGE_INDEPENDENCE } from './staged-records.sql.js';
import type { TrustFigures, TrustOrder } from './trust-order.js';
import type { TrustPhase } from './trust-run.entity.js';

/** Independence is stored in steps of 1/1,000,000; a power of ten, so that it is read back exactly. */
const STEPS = 1_000_000;

/**
 * One trust run: groups accounts to principals, computes each principal's independence as a buyer, and refreshes
 * evidence and records. Everything is written in one transaction at the end; until it commits, the results of the
 * previous run stay visible. rule: docs/decisions/ranking.md#independence
 */
export async function runTrustBatch(order: TrustOrder, says: (phase: TrustPhase) => void): Promise<TrustFigures> {
  const connection = await RunConnection.open(order.databaseUrl);
  try {
    says('counting');
    await markChangedWallets(connection);
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

/** Marks the agents that are concerned by wallets that were proved or given up since the last run began. */
async function markChangedWallets(connection: RunConnection): Promise<void> {
  for (let taken = WALLETS_AT_ONCE; taken === WALLETS_AT_ONCE;) {
    taken = await connection.transaction('BEGIN', async () => {
      await connection.rows(SHARE_EVIDENCE, []);
      return (await connection.rows(MARK_CHANGED_WALLETS, [WALLETS_AT_ONCE])).length;
    });
  }
}

/**
 * Recounts the agents marked for it, some at a time, so that no block waits for long. Agents locked by a block are
 * skipped; the run continues without them.
 */
async function countTheUncounted(connection: RunConnection): Promise<void> {
  for (let counted = COUNTED_AT_ONCE; counted === COUNTED_AT_ONCE;) {
    counted = await connection.transaction('BEGIN', async () => {
      await connection.rows(SHARE_EVIDENCE, []);
      const agents = await connection.run<{ agent_id: string }>(LOCK_UNCOUNTED);
      await recountAgents(
        connection,
        agents.map(({ agent_id }) => agent_id),
      );
      return agents.length;
    });
  }
}

/** Computes the independence by cluster; empty while there are no verified buyers, because trust has no start then. */
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
  // Rounded down, so that no stored independence exceeds the computed one.
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
    await connection.run(STAGE_INDEPENDENCE, [rows.map(([cluster]) => cluster), rows.map(([, value]) => value)]);
  }
}
