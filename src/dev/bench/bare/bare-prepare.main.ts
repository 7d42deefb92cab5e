import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { argv } from 'node:process';
import pg from 'pg';
import { BARE_ACTION, BARE_COMPLETE, BARE_NODE, BARE_RESERVE } from '../requests/prepare-bench.sql.js';
import { serveBare } from './serve-bare.js';

/** What the baseline of operation 1 is given to work with. */
export interface BarePrepareOrder {
  databaseUrl: string;
  rpcUrl: string;
  accountId: string;
  taskId: string;
  nodeId: string;
  nonce: string;
  escrowAddress: string;
  wallet: string;
  /** The three calls that the service makes to the chain, as one JSON-RPC batch. */
  batch: string;
  /** A payload that the service has made, so that the baseline stores and answers as many bytes. */
  payload: string;
  /**
   * True: statements that do not depend on each other are sent together, as the service sends them; false: one by one.
   */
  isPipelined: boolean;
}

/**
 * The baseline of operation 1: `node:http` and the bare transaction that the operation needs: reserve the key, read the
 * task and the node, ask the chain, take a nonce, store the action, store the answer, commit. It runs the service's
 * statements and stores as many bytes. Sent one by one, they wait eight times for Postgres or the chain. Pipelined,
 * they wait four times, as the service does: three times for Postgres and once for the chain.
 * The baseline does no credential check, limit, visibility check, typed data, encoding, sealing or log.
 */
const order = JSON.parse(argv[2] ?? '') as BarePrepareOrder;
const pool = new pg.Pool({ connectionString: order.databaseUrl, max: 10, pipeline: order.isPipelined });

const agent = new Agent({ keepAlive: true });

/** Sends one request over a kept connection, and reads and parses the answer without looking at what it says. */
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
  /**
   * Sends a statement whose rows nobody needs. Waits for it, or, when pipelined, leaves it to be awaited with others.
   */
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
        order.nonce,
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

serveBare((request) => prepare(String(request.headers['idempotency-key'])));
