import { randomUUID } from 'node:crypto';
import type { BarePrepareOrder } from '../bare/bare-prepare.main.js';
import type { BenchMarket } from '../bench-market.js';
import { compare, type Comparison, repeated, type Side } from '../measure.js';
import { encodeNodeCall, encodeNonceUsedCall, nodeNonce } from '#libs/contracts';
import { readPathText } from '#libs/kernel';
import { FUNDED_NODES } from './prepare-bench.sql.js';

/** Fewer than the service's connections to Postgres; the baseline gets as many. */
const CONNECTIONS = 8;

/** A funded node, which its worker may abandon. */
export interface FundedNode {
  id: string;
  /** In its tree. */
  path: bigint;
  /** Transitions so far. */
  version: number;
  taskId: string;
  escrowAddress: string;
  wallet: string;
  accountId: string;
  workerKey: string;
}

interface Prepared {
  payload: { transaction: { from: string; to: string; data: string } };
}

/**
 * Compares operation 1 with the bare transaction it needs, sent both one by one and pipelined. All sides wait for the
 * chain's answer.
 */
export async function comparePrepare(
  market: BenchMarket,
  startBare: (order: BarePrepareOrder) => Promise<{ port: number; pid: number }>,
  settings: { seconds: number; rounds: number },
): Promise<Comparison[]> {
  const node = await fundedNode(market);
  const path = `/v1/tasks/${node.taskId}/nodes/${node.id}/abandon-intents`;
  const { payload } = await prepareOnce(market, path, node.workerKey);
  const order = {
    databaseUrl: market.file.database_url,
    rpcUrl: market.file.rpc_url,
    accountId: node.accountId,
    taskId: node.taskId,
    nodeId: node.id,
    escrowAddress: node.escrowAddress,
    nonce: nodeNonce(node.path, node.version).toString(),
    wallet: node.wallet,
    batch: batchOf(node, payload.transaction),
    payload: JSON.stringify(payload),
  };
  const { host, port } = new URL(market.file.base_url);
  const head = `Host: ${host}\r\nX-Api-Key: ${node.workerKey}\r\nIdempotency-Key: bench-{{n}}\r\nContent-Length: 0\r\n\r\n`;
  const ours: Side = {
    name: 'POST …/abandon-intents, all guards',
    port: Number(port),
    pid: market.servicePid,
    requests: repeated(`POST ${path} HTTP/1.1\r\n${head}`),
  };
  const comparisons: Comparison[] = [];
  for (const isPipelined of [false, true]) {
    const name = isPipelined
      ? 'its bare transaction, pipelined'
      : 'its bare transaction, one statement after the other';
    const bare = await startBare({ ...order, isPipelined });
    const baseline: Side = { name, ...bare, requests: repeated(`POST / HTTP/1.1\r\n${head}`) };
    const title = `Operation 1 against ${name}`;
    comparisons.push(await compare(title, [ours, baseline], { connections: CONNECTIONS, ...settings }));
  }
  return comparisons;
}

/** A funded node of the sample market, with the key of its worker. */
export async function fundedNode({ file, query }: Pick<BenchMarket, 'file' | 'query'>): Promise<FundedNode> {
  const rows = await query(FUNDED_NODES);
  for (const row of rows) {
    const worker = file.accounts.find(({ account_id: id }) => id === row.worker_account_id);
    if (!worker) continue;
    return {
      id: String(row.id),
      path: readPathText(String(row.path)) ?? 0n,
      version: Number(row.version),
      taskId: String(row.task_id),
      escrowAddress: String(row.escrow_address),
      wallet: String(row.worker_wallet),
      accountId: worker.account_id,
      workerKey: worker.keys.worker,
    };
  }
  throw new Error('The sample market has no funded node');
}

async function prepareOnce({ file }: BenchMarket, path: string, key: string): Promise<Prepared> {
  const answer = await fetch(`${file.base_url}${path}`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, 'Idempotency-Key': randomUUID() },
  });
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Prepared;
}

/** The calls for the node, the signer's used nonces and the call to be signed, batched as the service sends them. */
function batchOf(node: FundedNode, { from, to, data }: Prepared['payload']['transaction']): string {
  const calls = [
    { to, data: encodeNodeCall(node.path) },
    { to, data: encodeNonceUsedCall(from, nodeNonce(node.path, node.version)) },
    { from, to, data },
  ];
  return JSON.stringify(
    calls.map((call, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [call, 'latest'] })),
  );
}
