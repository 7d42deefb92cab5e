import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The facts about the market that run.mjs writes for its programs. */
interface Facts {
  base_url: string;
  /** Base URL of the same market behind a proxy that adds unknown values and members to its answers. */
  tomorrow_url: string;
  tomorrow: string;
  buyer: { account_id: string; read: string; buyer: string };
  worker: { key: string };
  /** An open task of the buyer, and an agent that has quoted for it. */
  open_task: { id: string; title: string; agent_id: string };
  /** Ids of all tasks that the buyer sees, in the order of the list. */
  task_ids: string[];
}

export interface Page {
  ids: string[];
  next: string | null;
}

export interface SeenTask {
  id: string;
  title: string | undefined;
  status: string;
  amount: string;
}

export interface SeenAction {
  id: string;
  kind: string;
  principal: string;
  expiresAt: Date;
  payload: Record<string, unknown>;
}

export type Selection = { mode: 'auto' } | { mode: 'manual'; agentId: string };

/** The body of an error, without its envelope. */
export interface Fault {
  code: string;
  reason: string;
  details?: { path: string; reason: string }[] | undefined;
}

/** An error answer, as the generated client reported it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly fault: Fault,
  ) {
    super(`${status} ${fault.code}: ${fault.reason}`);
  }
}

/** The calls of the journey, made by a generated client. Each rejects with a Refusal when the answer is an error. */
export interface Client {
  listTasks(limit: number, cursor: string | undefined): Promise<Page>;
  getTask(id: string): Promise<SeenTask>;
  prepareTask(brief: string, idempotencyKey: string): Promise<SeenAction>;
  select(taskId: string, selection: Selection, idempotencyKey: string): Promise<SeenAction>;
  submitTransaction(actionId: string, transactionHash: string, idempotencyKey: string): Promise<{ id: string }>;
  abandon(taskId: string, nodeId: string, idempotencyKey: string): Promise<SeenAction>;
  /** Absent when the generated client cannot send bytes. */
  upload?(
    hash: string,
    bytes: Uint8Array<ArrayBuffer>,
    idempotencyKey: string,
  ): Promise<{ hash: string; bytes: number }>;
}

/** More tasks than all programs create together. Reading more means that the cursors lead in a circle. */
const TOO_MANY = 500;
const NOBODY_HAS_THIS = 'task_00000000000000000000000000';
/** A character that looks blank: valid by type and length, but refused by the service. */
const UNSEEN = '\u2800';

/**
 * Plays the journey on the market that the file named by the first argument describes. Rejects at the first wrong
 * answer.
 */
export async function play(connect: (baseUrl: string, key: string) => Client): Promise<void> {
  const facts: Facts = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
  const reader = connect(facts.base_url, facts.buyer.read);
  const buyer = connect(facts.base_url, facts.buyer.buyer);
  const worker = connect(facts.base_url, facts.worker.key);
  await pages(reader, facts);
  await errors(reader, buyer);
  await writes(buyer, facts);
  await hirings(buyer, worker, facts);
  await uploads(worker);
  await tomorrow(connect, facts);
}

async function pages(reader: Client, { task_ids: all, open_task: open }: Facts): Promise<void> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await reader.listTasks(5, cursor);
    assert.ok(page.ids.length <= 5, 'a page is longer than its limit');
    ids.push(...page.ids);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined && ids.length < TOO_MANY);
  // Other programs create drafts meanwhile, but the earlier tasks are listed once each and in their order.
  assert.deepEqual(
    ids.filter((id) => all.includes(id)),
    all,
  );
  const task = await reader.getTask(open.id);
  assert.deepEqual([task.id, task.title, task.status], [open.id, open.title, 'open']);
  assert.match(task.amount, /^\d+(\.\d+)?$/);
}

async function errors(reader: Client, buyer: Client): Promise<void> {
  const missing = await refusal(reader.getTask(NOBODY_HAS_THIS));
  assert.deepEqual([missing.status, missing.fault.code], [404, 'not_found']);
  assert.ok(missing.fault.reason.length > 0);
  const wrong = await refusal(buyer.prepareTask(UNSEEN, newKey()));
  assert.deepEqual([wrong.status, wrong.fault.code], [400, 'invalid_body']);
  assert.deepEqual(
    wrong.fault.details?.map(({ path }) => path),
    ['brief'],
  );
}

async function writes(buyer: Client, facts: Facts): Promise<void> {
  const key = newKey();
  const action = await buyer.prepareTask('Write a page about generated clients.', key);
  assert.deepEqual([action.kind, action.principal], ['create_task', facts.buyer.account_id]);
  assert.ok(action.expiresAt.getTime() > Date.now());
  assert.equal(action.payload.primaryType, 'CreateTask');
  const again = await buyer.prepareTask('Write a page about generated clients.', key);
  assert.equal(again.id, action.id);
  const other = await refusal(buyer.prepareTask('Write another page.', key));
  assert.equal(other.status, 409);
  // The service accepts the hash of a transaction that no chain knows, as a hint.
  const hinted = await buyer.submitTransaction(action.id, `0x${'ab'.repeat(32)}`, newKey());
  assert.equal(hinted.id, action.id);
}

async function hirings(buyer: Client, worker: Client, { open_task: open }: Facts): Promise<void> {
  const chosen = await buyer.select(open.id, { mode: 'manual', agentId: open.agent_id }, newKey());
  const best = await buyer.select(open.id, { mode: 'auto' }, newKey());
  assert.deepEqual([chosen.kind, best.kind], ['select_agent', 'select_agent']);
  const none = await refusal(worker.abandon(NOBODY_HAS_THIS, 'node_1', newKey()));
  assert.equal(none.status, 404);
}

async function uploads(worker: Client): Promise<void> {
  if (!worker.upload) return;
  const bytes = new Uint8Array(randomBytes(48));
  const hash = `0x${createHash('sha256').update(bytes).digest('hex')}`;
  assert.deepEqual(await worker.upload(hash, bytes, newKey()), { hash, bytes: bytes.length });
}

/** Enumerations of answers are open and members may be added, so neither may break an existing client. */
async function tomorrow(connect: (baseUrl: string, key: string) => Client, facts: Facts): Promise<void> {
  const reader = connect(facts.tomorrow_url, facts.buyer.read);
  const buyer = connect(facts.tomorrow_url, facts.buyer.buyer);
  assert.equal((await reader.listTasks(1, undefined)).ids.length, 1);
  assert.equal((await reader.getTask(facts.open_task.id)).status, facts.tomorrow);
  assert.equal((await buyer.prepareTask('Write a page about tomorrow.', newKey())).kind, facts.tomorrow);
  assert.equal((await refusal(reader.getTask(NOBODY_HAS_THIS))).fault.code, facts.tomorrow);
}

async function refusal(call: Promise<unknown>): Promise<Refusal> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail('the call was not refused');
}

function newKey(): string {
  return randomBytes(16).toString('hex');
}
