import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, createServer, request as send } from 'node:http';
import { argv, stdout } from 'node:process';
import pg from 'pg';
import { BARE_ACTION, BARE_COMPLETE, BARE_NODE, BARE_NONCE, BARE_RESERVE } from './requests/prepare-bench.sql.js';

/** What the baseline of operation 1 works on. */
export interface BarePrepareOrder {
  databaseUrl: string;
  rpcUrl: string;
  accountId: string;
  taskId: string;
  nodeId: string;
  escrowAddress: string;
  wallet: string;
  /** The three calls that the service asks the chain for, as one JSON-RPC batch. */
  batch: string;
  /** A payload of the service's own, so that as many bytes are stored and answered. */
  payload: string;
  /** True: statements that need nothing of each other leave together, as the service's do; false: one after the other. */
  isPipelined: boolean;
}

/**
 * The baseline of operation 1: `node:http` and the bare transaction that it needs: reserve the key, read the task and the
 * node, ask the chain, take a nonce, store the action, store the answer, commit. The same statements store as many bytes
 * as the service's. One after the other they are eight waits for Postgres or the chain; pipelined they are four, fewer than
 * the service can have, which reads before it opens its transaction. No credential, no limit, no visibility, no typed
 * data, no encoding, no sealing, no log.
 */
const order = JSON.parse(argv[2] ?? '') as BarePrepareOrder;
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 10, pipeline: order.isPipelined });

const agent = new Agent({ keepAlive: true });

/** One request over a kept connection; the answer is read and parsed, and not looked at. */
function askChain(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(order.batch) };
    const request = send(order.rpcUrl, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
    });
    request.on('error', reject).end(order.batch);
  });
}

async function prepare(key: string): Promise<Buffer> {
  const client = await pool.connect();
  let sent: Promise<unknown>[] = [];
  /** Sends a statement whose rows nobody needs: waits for it, or lets it be one of those that are waited for together. */
  const run = async (statement: string | pg.QueryConfig): Promise<void> => {
    const answer = client.query(statement);
    sent.push(answer);
    if (!order.isPipelined) await answer;
  };
  const all = async (): Promise<void> => {
    const waited = sent;
    sent = [];
    await Promise.all(waited);
  };
  try {
    await run('BEGIN');
    const scopeHash = createHash('sha256').update(`${order.accountId}/${key}`).digest();
    await run({
      name: 'reserve',
      text: BARE_RESERVE,
      values: [scopeHash, order.accountId],
    });
    await run({
      name: 'node',
      text: BARE_NODE,
      values: [order.taskId, order.nodeId],
    });
    await all();
    await askChain();
    const nonce = await client.query<{ next_nonce: string }>({
      name: 'nonce',
      text: BARE_NONCE,
      values: [order.escrowAddress, order.wallet],
    });
    const id = `act_${randomUUID().replaceAll('-', '')}`;
    await run({
      name: 'action',
      text: BARE_ACTION,
      values: [
        id,
        order.accountId,
        order.wallet,
        order.taskId,
        order.nodeId,
        order.escrowAddress,
        nonce.rows[0]?.next_nonce,
        order.payload,
        randomBytes(32),
      ],
    });
    const body = Buffer.from(JSON.stringify({ action_id: id, payload: order.payload }));
    await run({
      name: 'complete',
      text: BARE_COMPLETE,
      values: [scopeHash, body],
    });
    await run('COMMIT');
    await all();
    return body;
  } catch (error) {
    await Promise.allSettled(sent);
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const server = createServer((request, response) => {
  request.resume();
  prepare(String(request.headers['idempotency-key'])).then(
    (body) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    },
    (error: unknown) => {
      response.writeHead(500, { 'Content-Length': 0 });
      response.end();
      process.stderr.write(`${String(error)}\n`);
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') stdout.write(`${JSON.stringify({ port: address.port })}\n`);
});
