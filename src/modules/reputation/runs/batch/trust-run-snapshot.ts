import { type Clusters } from '../../trust/clusters.js';
import { IdInterner } from '../../trust/id-interner.js';
import { Payments } from '../../trust/payments.js';
import { linkPrincipals } from './principal-links.js';
import type { RunConnection } from './run-connection.js';
import {
  AGENTS_OF,
  CURRENT_SNAPSHOT,
  EVIDENCE_EDGES,
  type EvidenceEdge,
  SETTLEMENT_EDGES,
  type SettlementEdge,
  STORED_CLUSTERS,
} from './trust-run-snapshot.sql.js';

/** An account whose cluster has changed. `cluster` is null when the account is its own cluster again. */
export interface ClusterChange {
  account: string;
  cluster: string | null;
}

/** The whole market as a run reads it, from one snapshot of the database. */
export interface TrustRunSnapshot {
  /** The database snapshot as text; changes that are not visible in it were not read. */
  seen: string;
  clusters: Clusters;
  changes: readonly ClusterChange[];
  /** Agents whose evidence concerns changed clusters; they are recounted when the run is written. */
  regrouped: ReadonlySet<string>;
  /** Clusters with payments, numbered in the order of their names. */
  principals: IdInterner;
  payments: Payments;
  settlements: number;
  /** Number of accounts that share a cluster with another. */
  merged: number;
}

/** Reads the market. Call it in a transaction with one snapshot. */
export async function viewMarket(connection: RunConnection): Promise<TrustRunSnapshot> {
  const [snapshot] = await connection.run<{ seen: string }>(CURRENT_SNAPSHOT);
  if (!snapshot) throw new TypeError('The statement always has a row');
  const clusters = await linkPrincipals(connection);
  const { changes, moved, merged } = await compareClusters(connection, clusters);
  const regrouped = await agentsOf(connection, moved);
  const mentioned = new IdInterner();
  const payments = new Payments();
  const add = (buyer: string, worker: string, value: number): void => {
    if (buyer !== worker) payments.add(mentioned.numberOf(buyer), mentioned.numberOf(worker), value);
  };
  let settlements = 0;
  for await (const rows of connection.stream<EvidenceEdge>(EVIDENCE_EDGES)) {
    for (const { agent, buyer, worker, value, count } of rows) {
      if (regrouped.has(agent)) continue;
      add(buyer, worker, value);
      settlements += count;
    }
  }
  for await (const rows of connection.stream<SettlementEdge>(SETTLEMENT_EDGES, [[...regrouped]])) {
    for (const { payer, worker, value, count } of rows) {
      add(clusters.clusterOf(payer), clusters.clusterOf(worker), value);
      settlements += count;
    }
  }
  // Rows come in any order. The numbers are sorted by name, because the result of the walk depends slightly on them.
  const { numbering: principals, places } = mentioned.sorted();
  payments.renumber(places);
  return { seen: snapshot.seen, clusters, changes, regrouped, principals, payments, settlements, merged };
}

interface Comparison {
  changes: ClusterChange[];
  /** Every account of an old or new cluster that has changed. */
  moved: Set<string>;
  merged: number;
}

async function compareClusters(connection: RunConnection, clusters: Clusters): Promise<Comparison> {
  const known = new Map<string, string>();
  for await (const rows of connection.stream<{ account: string; cluster: string }>(STORED_CLUSTERS)) {
    for (const { account, cluster } of rows) known.set(account, cluster);
  }
  const now = new Map([...clusters.merged()].map(({ account, cluster }) => [account, cluster]));
  const changes: ClusterChange[] = [];
  for (const [account, cluster] of now) if (known.get(account) !== cluster) changes.push({ account, cluster });
  for (const account of known.keys()) if (!now.has(account)) changes.push({ account, cluster: null });
  const broken = new Set(
    changes.flatMap(({ account }) => [known.get(account) ?? account, now.get(account) ?? account]),
  );
  const moved = new Set(broken);
  for (const map of [known, now]) for (const [account, cluster] of map) if (broken.has(cluster)) moved.add(account);
  return { changes, moved, merged: now.size };
}

/** Agents that these accounts have paid or own, if they have settlements. */
async function agentsOf(connection: RunConnection, accounts: ReadonlySet<string>): Promise<Set<string>> {
  if (accounts.size === 0) return new Set();
  const rows = await connection.run<{ agent: string }>(AGENTS_OF, [[...accounts]]);
  return new Set(rows.map(({ agent }) => agent));
}
