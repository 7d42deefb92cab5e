import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { actionIdHash } from '../../../libs/contracts/src/index.js';
import { newId, nodeIdOf, requestDigest } from '../../../libs/kernel/src/index.js';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import { ActionsSweeper } from '../../../src/modules/prepared-actions/lifecycle/actions.sweeper.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { LapsedOffersSweeper } from '../../../src/modules/prepared-actions/retention/lapsed-offers.sweeper.js';
import { createMigratedDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { EscrowFixture } from '../../support/escrow-fixture.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

const DAY_MS = 86_400_000;
const NO_BODY = requestDigest(undefined);
const OWNER = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';

let chain: EscrowFixture;
let dataSource: DataSource;
let app: TestService;
let rows: MarketRows;
let buyer: string;
let worker: string;
let agent: string;

beforeAll(async () => {
  chain = await EscrowFixture.start();
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  rows = new MarketRows(dataSource);
  app = await TestService.start(database.url, {
    rpcUrl: chain.rpcUrl,
    escrowFactoryAddress: chain.factory,
    quotaTasks: 4,
    quotaActions: 6,
    quotaAgents: 2,
  });
  buyer = await rows.account('buyer', chain.buyer.address);
  worker = await rows.account('worker', chain.worker.address);
  agent = await rows.agent(worker, chain.worker.address);
});
afterEach(async () => {
  app.clock.aheadMs = 0;
  await dataSource.query('DELETE FROM prepared_actions');
  await dataSource.query('DELETE FROM quotes');
  await dataSource.query('DELETE FROM chain_facts');
  await dataSource.query('DELETE FROM escrow_nodes');
  await dataSource.query('DELETE FROM tasks');
  await dataSource.query('DELETE FROM wallet_nonces');
  await dataSource.query('DELETE FROM chain_blocks');
});
afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> =>
  (await dataSource.query<Row[]>(text, values))[0]!;
const count = async (what: string): Promise<number> =>
  (await one<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`)).n;
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? 'an error without a code',
  );
const draft = (brief = 'Translate.') =>
  app
    .get(PreparedActionsService)
    .prepare(
      'create_task',
      { accountId: buyer, walletAddress: chain.buyer.address, requestDigest: NO_BODY },
      { draft: { brief, budget: 5_000_000n, selectionMode: 'manual' } },
    );
/** Moves the time of the service and of the index by days. */
const later = async (days: number, indexedDays = days) => {
  app.clock.aheadMs = days * DAY_MS;
  await dataSource.query(
    `INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES (1, '0x1', '0x0', $1)
     ON CONFLICT (number) DO UPDATE SET timestamp = EXCLUDED.timestamp`,
    [new Date(Date.now() + indexedDays * DAY_MS)],
  );
};
const sweep = async () => {
  await app.get(ActionsSweeper).sweep();
  await app.get(LapsedOffersSweeper).sweep();
};

interface ActionChange {
  accountId?: string;
  scope?: string;
  kind?: string;
  taskId?: string | null;
  nodeId?: string | null;
  validUntil?: Date;
  signature?: string | null;
  transactionHash?: string | null;
  reasonHash?: string;
}

async function action(change: ActionChange = {}): Promise<string> {
  const id = newId('act', Date.now());
  const { kind = 'abandon_node', taskId = 'task_x', nodeId = null, validUntil = new Date() } = change;
  await dataSource.query(
    `INSERT INTO prepared_actions (id, action_id_hash, kind, scope, account_id, wallet_address, task_id, node_id, chain_id,
       escrow_address, nonce, request_digest, payload, signing_token_hash, signing_token_sealed, created_at, expires_at,
       valid_until, signature, transaction_hash)
     VALUES ($1, $2, $3, $12, $4, '0x1', $5, $6, 31337, $2, 1, $2, $7, $8, $8, now(), now(), $9, $10, $11)`,
    [
      id,
      actionIdHash(id),
      kind,
      change.accountId ?? worker,
      taskId,
      nodeId,
      JSON.stringify({ message: { reasonHash: change.reasonHash } }),
      randomBytes(32),
      validUntil,
      change.signature ?? null,
      change.transactionHash ?? null,
      change.scope ?? 'worker',
    ],
  );
  return id;
}

/** The chain's event with the id of an action; by default of its own wallet and nonce, as `action` makes them. */
const executed = (actionId: string, taskId = 'task_x', signer = '0x1', nonce = '1') =>
  dataSource.query(
    `INSERT INTO chain_facts (block_number, log_index, block_hash, block_time, transaction_hash, task_id, action_id_hash, fact)
     VALUES ($1, 0, '0x', now(), '0x', $2, $3, $4)`,
    [Math.floor(Math.random() * 1e9), taskId, actionIdHash(actionId), { type: 'ActionConsumed', signer, nonce }],
  );
const exists = async (id: string) => (await count(`prepared_actions WHERE id = '${id}'`)) === 1;

async function quote(taskId: string, change: Record<string, unknown> = {}): Promise<string> {
  const id = newId('quote', Date.now());
  const row = { node_path: '1', status: 'pending_signature', valid_until: new Date(), signature: null, ...change };
  await dataSource.query(
    `INSERT INTO quotes (id, task_id, agent_id, worker_account_id, payer_account_id, node_path, price, floor,
       work_seconds, max_revisions, accept_window_seconds, hirer_funded, terms_hash, worker_wallet, status, valid_until, action_id,
       request_digest, nonce, signature, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 1, 0, 86400, 3, 1, true, '0x', '0x', $7, $8, 'act_x', '0x', 1, $9, now())`,
    [id, taskId, agent, worker, buyer, row.node_path, row.status, row.valid_until, row.signature],
  );
  await rows.party(worker, taskId, 'quoted');
  return id;
}

describe('what an account may prepare without the chain', () => {
  it('is so many tasks, and the refusal says how many there are, may be, and what gives room', async () => {
    for (let n = 0; n < 4; n++) await draft();
    await expect(draft()).rejects.toMatchObject({
      code: 'quota_exceeded',
      status: 403,
      reason: 'The account has 4 of at most 4 tasks that nobody has paid for.',
      suggestion: expect.stringContaining('Fund one'),
    });
    expect([await count('tasks'), await count('prepared_actions')]).toEqual([4, 4]);
    await dataSource.query("UPDATE tasks SET chain_status = 'open' WHERE id = (SELECT min(id) FROM tasks)");
    await expect(draft()).resolves.toBeDefined();
  });

  it('is so many tasks also when they are asked for at the same moment', async () => {
    const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(draft())));
    expect(codes.sort()).toEqual([...Array(4).fill('done'), ...Array(4).fill('quota_exceeded')]);
    expect(await count('tasks')).toBe(4);
  });

  it('is so many actions that were not executed', async () => {
    for (let n = 0; n < 6; n++) {
      await dataSource.query("UPDATE tasks SET chain_status = 'open'");
      await draft();
    }
    await dataSource.query("UPDATE tasks SET chain_status = 'open'");
    expect(await codeOf(draft())).toBe('quota_exceeded');
    const { id } = await one<{ id: string }>('SELECT min(id) AS id FROM prepared_actions');
    const { task_id: tree } = await one<{ task_id: string }>('SELECT task_id FROM prepared_actions WHERE id = $1', [
      id,
    ]);
    await executed(id, tree, chain.buyer.address, '0');
    await later(15);
    await app.get(ActionsSweeper).sweep();
    app.clock.aheadMs = 0;
    expect(await exists(id)).toBe(true);
    expect(await codeOf(draft())).toBe('done');
  });

  it('is counted for each kind: many offers keep nobody from delivering or from answering a delivery', async () => {
    for (let n = 0; n < 6; n++) await action({ accountId: buyer, kind: 'submit_quote', scope: 'worker' });
    for (let n = 0; n < 6; n++) await action({ accountId: buyer, kind: 'claim_non_delivery', scope: 'read' });
    expect(await codeOf(draft())).toBe('done');
  });

  it('is so many agents', async () => {
    const owner = { id: await rows.account('owner', OWNER), walletAddress: OWNER };
    const profile = { name: 'Agent', agentCardUrl: 'https://example.com/card', capabilities: [], description: '' };
    const publish = () => codeOf(app.get(AgentsService).publish(owner, profile));
    const codes = await Promise.all([publish(), publish(), publish(), publish()]);
    expect(codes.sort()).toEqual(['done', 'done', 'quota_exceeded', 'quota_exceeded']);
  });
});

describe('an action whose last second is over', () => {
  it('is deleted a day later when nobody signed it, and is then no action', async () => {
    const id = await action();
    await dataSource.query(
      `INSERT INTO signing_claims (action_id, browser_hash, means, claimed_at) VALUES ($1, $2, 'link', now())`,
      [id, randomBytes(32)],
    );
    await later(0.9);
    await sweep();
    expect(await exists(id)).toBe(true);
    await later(1.1);
    await sweep();
    expect([await exists(id), await count('signing_claims')]).toEqual([false, 0]);
    expect(await codeOf(app.get(ActionsService).get({ accountId: worker, scopes: ['read'] }, id))).toBe('not_found');
  });

  it.each([
    ['signed', { signature: '0x12' }],
    ['sent', { transactionHash: '0x34' }],
  ])('is deleted a month later when it was %s and not executed', async (_what, change) => {
    const id = await action(change);
    await later(29);
    await sweep();
    expect(await exists(id)).toBe(true);
    await later(31);
    await sweep();
    expect(await exists(id)).toBe(false);
  });

  it.each([{}, { signature: '0x12' }])('stays for good when the chain has executed it %#', async (change) => {
    const id = await action(change);
    await executed(id);
    await later(400);
    await sweep();
    await sweep();
    expect(await exists(id)).toBe(true);
  });

  it('stays for good once it is paid for what was signed and has no call, and no longer takes room', async () => {
    const task = await rows.task(buyer, { status: 'funded', openedAt: new Date() });
    const node = await rows.node(task, { path: 2n, workerAccountId: worker, workerWallet: chain.worker.address });
    const about = { accountId: buyer, scope: 'buyer', taskId: task.id };
    const signature = '0x12';
    const paid = [
      await action({ ...about, kind: 'create_task', signature }),
      await action({ ...about, kind: 'select_agent', nodeId: node.id, signature }),
    ];
    await dataSource.query('UPDATE tasks SET selection_action_id = $2 WHERE id = $1', [task.id, paid[1]]);
    const unpaid = [
      // Said again, and not what the task was paid by: nobody may make rows that stay by signing one selection often.
      await action({ ...about, kind: 'select_agent', nodeId: node.id, signature }),
      await action({ ...about, kind: 'create_task' }),
      await action({ ...about, kind: 'select_agent', nodeId: nodeIdOf(task.id, 1n), signature }),
      await action({ ...about, kind: 'create_task', taskId: 'task_x', signature }),
    ];
    await later(0.05);
    await app.get(ActionsSweeper).sweep();
    expect(await count('prepared_actions WHERE is_kept')).toBe(paid.length);
    await later(400);
    await app.get(ActionsSweeper).sweep();
    expect(await Promise.all([...paid, ...unpaid].map(exists))).toEqual([true, true, false, false, false, false]);
  });

  it.each([
    ['another wallet has written its id into an event', 'task_x', '0x2'],
    ['its own wallet has written its id into an event of another tree', 'task_y', '0x1'],
  ])('goes as if nothing had happened when %s', async (_what, taskId, signer) => {
    const id = await action();
    await executed(id, taskId, signer);
    await later(2);
    await sweep();
    expect(await exists(id)).toBe(false);
  });

  it('stays while the index is behind, and while it can still be executed', async () => {
    const [behind, open] = [await action(), await action({ validUntil: new Date(Date.now() + 20 * DAY_MS) })];
    await later(15, -1);
    await sweep();
    expect([await exists(behind), await exists(open)]).toEqual([true, true]);
    await later(15);
    await sweep();
    expect([await exists(behind), await exists(open)]).toEqual([false, true]);
  });

  it('takes the reason of its rejection with it, unless the chain or another action has that', async () => {
    const keep = (node: string, hash: string) =>
      dataSource.query('INSERT INTO rejection_reasons (node_id, reason_hash, reason) VALUES ($1, $2, $3)', [
        node,
        hash,
        hash,
      ]);
    const reject = { kind: 'reject_task', taskId: 'task_x' };
    await keep('node_1', '0xa');
    await keep('node_2', '0xb');
    await action({ ...reject, nodeId: 'node_1', reasonHash: '0xa' });
    await action({ ...reject, nodeId: 'node_2', reasonHash: '0xb' });
    await action({ ...reject, nodeId: 'node_2', reasonHash: '0xb', validUntil: new Date(Date.now() + 9 * DAY_MS) });
    await later(2);
    await sweep();
    expect(await dataSource.query('SELECT node_id FROM rejection_reasons')).toEqual([{ node_id: 'node_2' }]);
    await dataSource.query('DELETE FROM rejection_reasons');
  });
});

describe('a task that the chain knows nothing of', () => {
  it('is deleted a day after its offers end when nobody signed it, with all that it left', async () => {
    const { task_id: id } = await draft('x'.repeat(10_000));
    await later(14.9);
    await sweep();
    expect(await count('tasks')).toBe(1);
    await later(15.1);
    // A task that the status sweeper holds at the same moment is left for the next round.
    await eventually(async () => {
      await sweep();
      return (await count('tasks')) === 0;
    });
    expect(await count(`task_parties WHERE task_id = '${id}'`)).toBe(0);
    expect(await count('prepared_actions')).toBe(0);
  });

  it('is deleted a month after when it was signed and nobody paid, with the offers for it', async () => {
    const task = await rows.task(buyer, { status: 'open', openedAt: new Date(), offersUntil: new Date() });
    await quote(task.id, { status: 'submitted', signature: '0x1', valid_until: new Date(Date.now() + DAY_MS) });
    await later(29);
    await sweep();
    expect([await count('tasks'), await count('quotes')]).toEqual([1, 1]);
    await later(32);
    await sweep();
    expect([await count('tasks'), await count('quotes')]).toEqual([0, 0]);
  });

  it('is deleted in the same round as the offers for it, without a quarrel about who deletes those', async () => {
    for (let n = 0; n < 60; n++) {
      const task = await rows.task(buyer, { status: 'open', openedAt: new Date(), offersUntil: new Date() });
      await quote(task.id, { status: 'submitted', signature: '0x1' });
    }
    await later(32);
    await eventually(async () => {
      await sweep();
      return (await count('tasks')) === 0;
    });
    expect([await count('quotes'), await count('task_parties')]).toEqual([0, 0]);
  });

  it('stays when the chain has a fact of it, when an offer stands, and while the index is behind', async () => {
    const lapsed = { status: 'cancelled' as const, offersUntil: new Date() };
    const [known, offered, plain] = [
      await rows.task(buyer, lapsed),
      await rows.task(buyer, lapsed),
      await rows.task(buyer, lapsed),
    ];
    await executed('act_creation', known.id);
    await quote(offered.id, { valid_until: new Date(Date.now() + 60 * DAY_MS) });
    await later(40, 0.5 - 1);
    await sweep();
    expect(await count('tasks')).toBe(3);
    await later(40);
    await sweep();
    const left = await dataSource.query<{ id: string }[]>('SELECT id FROM tasks ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual([known.id, offered.id].sort());
    expect(plain.id).toBeDefined();
  });
});

describe('an offer that is over', () => {
  it('is deleted, unsigned a day later, signed a month later, and its maker is no party any more', async () => {
    const far = new Date(Date.now() + 100 * DAY_MS);
    const task = await rows.task(buyer, { status: 'open', offersUntil: far });
    await quote(task.id);
    await quote(task.id, { node_path: '2', status: 'submitted', signature: '0x1' });
    const isParty = async () => (await count(`task_parties WHERE task_id = '${task.id}' AND role = 'quoted'`)) === 1;
    await later(1.1);
    await sweep();
    expect([await count('quotes'), await isParty()]).toEqual([1, true]);
    await later(31);
    await sweep();
    expect([await count('quotes'), await isParty()]).toEqual([0, false]);
  });

  it('stays when it was accepted, when its node is on the chain, and when it is the selected one', async () => {
    const task = await rows.task(buyer, { status: 'open', offersUntil: new Date(Date.now() + 100 * DAY_MS) });
    const signed = { status: 'submitted', signature: '0x1' };
    await quote(task.id, { node_path: '1', ...signed, status: 'accepted' });
    await quote(task.id, { node_path: '2', ...signed });
    const selected = await quote(task.id, { node_path: '3', ...signed });
    await rows.node(task, { path: 2n, workerAccountId: worker, workerWallet: chain.worker.address });
    await dataSource.query('UPDATE tasks SET selected_quote_id = $1', [selected]);
    await later(60);
    await sweep();
    expect(await count('quotes')).toBe(3);
    expect(nodeIdOf(task.id, 2n)).toBeDefined();
  });
});
