import { createHash } from 'node:crypto';
import { type Wallet, Interface, TypedDataEncoder, verifyTypedData, ZeroAddress } from 'ethers';
import type { DataSource } from 'typeorm';
import { taskEscrowFactoryAbi, treeIdOf } from '../../../libs/contracts/src/index.js';
import { type Hex, requestDigest } from '../../../libs/kernel/src/index.js';
import { TaskDetailService } from '../../../src/modules/escrow/task-detail.service.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { SubmissionsService } from '../../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import type { TaskDraft } from '../../../src/modules/tasks/task-drafts.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { TaskStatusSweeper } from '../../../src/modules/tasks/task-status.sweeper.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { TasksService } from '../../../src/modules/tasks/tasks.service.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import type { Principal } from '../../../src/platform/http/principal.js';
import type { ChainMarket } from '../../support/chain-market.js';
import { ActionFixture } from '../../support/action-fixture.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import { codeOf } from '../../support/failure.js';
import { IndexedMarket } from '../../support/indexed-market.js';
import type { TestService } from '../../support/test-service.js';
import type { MarketRows } from '../../support/market-rows.js';

const TTL_MS = 900_000;
const DAY_MS = 86_400_000;
const BODY = {
  brief: 'Translate 40 pages.\nKeep the tables — "as they are".',
  budget: { amount: '250', currency: 'USDC' },
  selection_mode: 'manual',
};
const DRAFT: TaskDraft = { brief: BODY.brief, budget: 250_000_000n, selectionMode: 'manual' };

let fixture: ActionFixture;
let chain: ChainMarket;
let dataSource: DataSource;
let app: TestService;
let rows: MarketRows;
let buyerKey: Wallet;
let buyer: string;
let owner: string;
let agent: string;
let stranger: string;

beforeAll(async () => {
  // Status changes that come by time alone stay unwritten until a test sweeps.
  const idle = jest.spyOn(TaskStatusSweeper.prototype, 'onApplicationBootstrap').mockImplementation(() => undefined);
  fixture = await ActionFixture.start();
  idle.mockRestore();
  ({ chain, dataSource, app, rows } = fixture);
  buyerKey = chain.wallet();
  buyer = await rows.account('buyer', buyerKey.address);
  const ownerKey = chain.wallet();
  owner = await rows.account('owner', ownerKey.address);
  agent = await rows.agent(owner, ownerKey.address);
  stranger = await rows.account('stranger');
});
afterEach(() => {
  app.clock.aheadMs = 0;
});
afterAll(() => fixture?.stop());

const principal = (accountId: string): Principal => ({
  accountId,
  walletAddress: null,
  credentialId: 'key_1',
  scopes: ['buyer', 'read'],
  pinnedVersion: '2026-11-20',
});

function prepare(change: Partial<TaskDraft> = {}): Promise<PreparedActionDto> {
  const intent = { accountId: buyer, walletAddress: buyerKey.address, requestDigest: requestDigest(BODY) };
  return app.get(PreparedActionsService).prepare('create_task', intent, { draft: { ...DRAFT, ...change } });
}

const sign = ({ payload }: PreparedActionDto): Promise<Hex> => signTypedData(buyerKey, payload as never);

async function handIn(action: PreparedActionDto, signature?: Hex) {
  const given = signature ?? (await sign(action));
  return app.get(SubmissionsService).submitSignature(principal(buyer), action.action_id, given);
}

const detail = (taskId: string, accountId = buyer) => app.get(TaskDetailService).get(accountId, taskId);
const statusOf = async (taskId: string) => (await detail(taskId)).status;
const row = (id: string) => dataSource.manager.findOneByOrFail(TaskEntity, { id });

/** The task's status in the caller's list; undefined when the list, with this filter, does not contain it. */
async function listed(taskId: string, accountId = buyer, status?: TaskEntity['status']): Promise<string | undefined> {
  const query = { limit: 100, ...(status === undefined ? {} : { status }) };
  const page = JSON.parse((await app.get(TasksService).list(principal(accountId), query)).text);
  return page.data.find(({ id }: { id: string }) => id === taskId)?.status;
}

/** A task that its buyer's signature has opened. */
async function opened(change: Partial<TaskDraft> = {}): Promise<string> {
  const action = await prepare(change);
  await handIn(action);
  return action.task_id!;
}

/** RFC 8785 text of an object made of texts, numbers and objects, implemented for this spec alone. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
const sha256 = (text: string) => `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;

describe('creating a task', () => {
  it('is what a client computes from its own request: digest, terms, domain, escrow', async () => {
    const action = await prepare();
    const { payload, task_id: id } = action as PreparedActionDto & { payload: any };
    expect(action).toMatchObject({
      kind: 'create_task',
      principal: buyer,
      wallet_address: buyerKey.address,
      nonce: '0',
    });
    expect(action.request_digest).toBe(sha256(canonical(BODY)));
    const termsHash = sha256(
      canonical({
        accept_window_seconds: 259_200,
        arbiter: ZeroAddress,
        brief: BODY.brief,
        budget: { amount: '250.00', currency: 'USDC' },
        criteria: [],
        delivery_window_seconds: 604_800,
      }),
    );
    expect(await detail(id!)).toMatchObject({
      id,
      status: 'draft',
      terms_hash: termsHash,
      escrow_address: action.escrow_address,
    });
    const factory = new Interface(taskEscrowFactoryAbi);
    const data = factory.encodeFunctionData('escrowOf', [buyerKey.address, ZeroAddress, treeIdOf(id!)]);
    const predicted = await chain.anvil.rpc<string>('eth_call', { to: chain.factory, data }, 'latest');
    expect(predicted.slice(-40)).toBe(action.escrow_address!.slice(2).toLowerCase());
    expect(payload.domain).toEqual({
      name: 'Tasktree',
      version: '2',
      chainId: 31337,
      verifyingContract: action.escrow_address,
    });
    const { EIP712Domain: _domain, ...types } = payload.types;
    expect(TypedDataEncoder.from(types).primaryType).toBe('CreateTask');
    expect(verifyTypedData(payload.domain, types, payload.message, await sign(action))).toBe(buyerKey.address);
    const twoWeeks = Math.floor(Date.now() / 1000) + 14 * 86_400;
    expect(Math.abs(Number(payload.message.validUntil) - twoWeeks)).toBeLessThan(30);
    expect(payload.message).toMatchObject({
      buyer: buyerKey.address,
      arbiter: ZeroAddress,
      token: chain.usdc,
      budget: '250000000',
      termsHash,
      requestDigest: action.request_digest,
    });
  });

  it('makes a draft that its buyer alone sees', async () => {
    const { task_id: id } = await prepare();
    expect(await codeOf(detail(id!, stranger))).toBe('not_found');
    expect([await listed(id!), await listed(id!, stranger)]).toEqual(['draft', undefined]);
    expect(await detail(id!)).toMatchObject({
      allowed_actions: [],
      next: expect.stringMatching(/^Unless the buyer signs its creation by .*Z, the draft is cancelled; no money/),
      due_at: expect.any(String),
    });
  });

  it('writes nothing when the preparation fails', async () => {
    const [before] = await dataSource.query('SELECT count(*) FROM tasks');
    const failing = app.get(Transactions).unit(async () => {
      await prepare();
      throw new Error('the outcome could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect((await dataSource.query('SELECT count(*) FROM tasks'))[0]).toEqual(before);
  });

  it('is opened by the signature alone, for everyone to see, and again without effect', async () => {
    const action = await prepare();
    const signature = await sign(action);
    await handIn(action, signature);
    await handIn(action, signature);
    const id = action.task_id!;
    expect(await detail(id, stranger)).toMatchObject({ status: 'open', allowed_actions: [] });
    expect([await listed(id, stranger), await listed(id, stranger, 'open')]).toEqual(['open', 'open']);
    expect((await detail(id)).allowed_actions).toEqual(['select_agent']);
    expect((await detail(id, owner)).allowed_actions).toEqual(['submit_quote']);
    expect(await app.get(ActionsService).get({ accountId: buyer, scopes: ['buyer'] }, action.action_id)).toMatchObject({
      status: 'signed',
    });
  });

  it('is not opened by another wallet’s signature, nor by one over other terms', async () => {
    const action = await prepare();
    const other = await prepare({ budget: 1_000_000n });
    expect(await codeOf(handIn(action, await sign(other)))).toBe('wallet_mismatch');
    const { domain, types, message } = action.payload as any;
    const { EIP712Domain: _domain, ...own } = types;
    expect(await codeOf(handIn(action, (await chain.wallet().signTypedData(domain, own, message)) as Hex))).toBe(
      'wallet_mismatch',
    );
    expect(await statusOf(action.task_id!)).toBe('draft');
  });

  it('has no call, with or without the signature, and no fact of the chain', async () => {
    const action = await prepare();
    expect(action.payload).not.toHaveProperty('calls');
    expect(await handIn(action)).not.toHaveProperty('transaction');
    await fixture.index();
    expect(await row(action.task_id!)).toMatchObject({ status: 'open', chainStatus: null });
  });
});

describe('time', () => {
  it('cancels a draft whose action has expired, at once for who reads it and soon in the list', async () => {
    const action = await prepare();
    const id = action.task_id!;
    const expires = Date.parse(action.expires_at);
    app.clock.aheadMs = expires - Date.now() - 60_000;
    expect(await statusOf(id)).toBe('draft');
    app.clock.aheadMs = TTL_MS + 2_000;
    expect([await statusOf(id), await listed(id)]).toEqual(['cancelled', 'draft']);
    await app.get(TaskStatusSweeper).sweep();
    expect([await listed(id), await listed(id, buyer, 'cancelled')]).toEqual(['cancelled', 'cancelled']);
    expect([await listed(id, stranger), await codeOf(detail(id, stranger))]).toEqual([undefined, 'not_found']);
    expect(await detail(id)).toMatchObject({
      allowed_actions: [],
      next: expect.stringMatching(/^It is over/),
    });
    expect(await codeOf(handIn(action))).toBe('window_closed');
  });

  it('does not keep a cancelled task from being paid on the chain', async () => {
    const market = new IndexedMarket(chain, dataSource);
    const worker = await market.party('worker of a cancelled task');
    const action = await prepare();
    const id = action.task_id!;
    app.clock.aheadMs = TTL_MS + 2_000;
    await app.get(TaskStatusSweeper).sweep();
    expect(await listed(id)).toBe('cancelled');
    const tree = chain.tree(id, buyerKey);
    await chain.create(tree);
    const root = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 100_000_000n });
    await chain.fund(tree, root, worker.wallet);
    await fixture.index();
    expect([await statusOf(id), await listed(id, stranger)]).toEqual(['funded', 'funded']);
  });

  it('ends offers with the last second of the deadline', async () => {
    const offersUntil = new Date(Date.now() + 2 * DAY_MS);
    const id = await opened({ offersUntil });
    const last = Math.floor(offersUntil.getTime() / 1000) * 1000;
    const shown = await detail(id);
    expect([shown.deadline, shown.due_at]).toEqual([new Date(last).toISOString(), new Date(last).toISOString()]);
    jest.spyOn(app.clock, 'nowMs').mockReturnValue(last);
    expect(await statusOf(id)).toBe('open');
    jest.spyOn(app.clock, 'nowMs').mockReturnValue(last + 1);
    expect(await detail(id, owner)).toMatchObject({ status: 'expired', allowed_actions: [] });
    expect(await app.get(TaskStatusSweeper).sweep()).toBeGreaterThan(0);
    jest.restoreAllMocks();
    expect([await listed(id, owner, 'expired'), await listed(id, owner, 'open')]).toEqual(['expired', undefined]);
    expect((await row(id)).statusDueAt).toBeNull();
  });

  it('is swept by several processes at once, each row once, and rows that others hold are left alone', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => opened()));
    app.clock.aheadMs = 15 * DAY_MS;
    const [held] = ids;
    const sweeper = app.get(TaskStatusSweeper);
    await dataSource.transaction(async (manager) => {
      await manager.query('SELECT id FROM tasks WHERE id = $1 FOR UPDATE', [held]);
      const swept = await Promise.all([sweeper.sweep(), sweeper.sweep(), sweeper.sweep()]);
      expect(swept.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(11);
      expect(await listed(held!)).toBe('open');
    });
    const statuses = await Promise.all(ids.slice(1).map((id) => listed(id)));
    expect(new Set(statuses)).toEqual(new Set(['expired']));
    expect(await sweeper.sweep()).toBe(1);
    expect(await sweeper.sweep()).toBe(0);
  });
});

/** Records a selection as if its buyer had just signed it. */
function select(id: string, nodePath: bigint, until = new Date(Date.now() + DAY_MS)): Promise<void> {
  const selection = {
    quoteId: `quote_${nodePath}`,
    actionId: `act_${id}_${nodePath}`,
    agentId: agent,
    nodePath,
    until,
  };
  return app.get(Transactions).run((manager) => app.get(TaskStore).markSelected(manager, id, selection));
}

/** Records a payment as if its buyer had just signed it. */
function pay(id: string, node = 1n): Promise<void> {
  const until = new Date(Date.now() + 600_000);
  return app.get(Transactions).run((manager) => app.get(TaskStore).markFundingSubmitted(manager, id, node, until));
}

describe('what the chain says', () => {
  it('is the node’s state once it is paid, and after a refund a task to hire for again', async () => {
    const market = new IndexedMarket(chain, dataSource);
    const worker = await market.party('worker');
    const id = await opened();
    const tree = chain.tree(id, buyerKey);
    await chain.create(tree);
    // The escrow alone says nothing about the task.
    await fixture.index();
    expect(await row(id)).toMatchObject({ status: 'open', chainStatus: null, fundedRoots: [] });

    const root = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 100_000_000n });
    const payer = { accountId: buyer, agentId: 'none', wallet: buyerKey };
    const quote = await market.quote(tree, root, worker, payer);
    await select(id, 1n);
    await pay(id);
    expect(await row(id)).toMatchObject({ status: 'funding_pending', fundingNodePath: 1n, selectedAgentId: agent });
    await chain.fund(tree, root, worker.wallet, quote);
    await fixture.index();
    expect(await row(id)).toMatchObject({
      status: 'funded',
      selectedAgentId: worker.agentId,
      fundedRoots: ['1'],
      statusDueAt: null,
    });
    const working = await detail(id, worker.accountId);
    expect(working.allowed_actions).toEqual(expect.arrayContaining(['deliver', 'abandon_node']));
    expect(working.next).toMatch(/^Without a delivery by .*, anyone may then send 100\.00 USDC back to the buyer\.$/);
    const { deliveryDeadline } = await dataSource.manager.findOneByOrFail(EscrowNodeEntity, { taskId: id });
    expect(working.due_at).toBe(deliveryDeadline.toISOString());
    const outside = await detail(id, stranger);
    expect([outside.status, outside.next, outside.due_at]).toEqual(['funded', undefined, undefined]);
    expect([await codeOf(select(id, 2n)), await codeOf(pay(id))]).toEqual(['state_conflict', 'none']);

    await chain.abandon(tree, root, worker.wallet);
    await fixture.index();
    expect(await detail(id)).toMatchObject({
      status: 'refunded',
      allowed_actions: ['select_agent', 'withdraw_refund'],
      next: 'Settled: 100.00 USDC went back to the buyer.',
    });
    await select(id, 2n);
    expect(await detail(id)).toMatchObject({ status: 'selected', selected_agent_id: agent });
    app.clock.aheadMs = DAY_MS + 2_000;
    expect(await detail(id)).toMatchObject({ status: 'refunded', selected_agent_id: worker.agentId });
    app.clock.aheadMs = 15 * DAY_MS;
    expect((await detail(id)).allowed_actions).toEqual(['withdraw_refund']);
    app.clock.aheadMs = 0;
    await chain.withdrawRefund(tree, 100_000_000n);
    await fixture.index();
    expect((await detail(id)).allowed_actions).toEqual(['select_agent', 'fund_task']);
  });

  it('wins over a selection and a payment that were signed for it', async () => {
    const market = new IndexedMarket(chain, dataSource);
    const worker = await market.party('second worker');
    const id = await opened();
    const tree = chain.tree(id, buyerKey);
    await select(id, 1n);
    await pay(id);
    await chain.create(tree);
    const root = chain.terms({ nodeId: 1n, worker: worker.wallet.address, amount: 100_000_000n });
    const quote = await market.quote(tree, root, worker, { ...worker, accountId: buyer });
    await chain.fund(tree, root, worker.wallet, quote);
    await chain.abandon(tree, root, worker.wallet);
    await fixture.index();
    expect(await detail(id)).toMatchObject({ status: 'refunded', selected_agent_id: worker.agentId });
  });

  it('keeps to the root that holds the money when another one has ended', async () => {
    const market = new IndexedMarket(chain, dataSource);
    const worker = await market.party('worker of two roots');
    const id = await opened();
    const tree = chain.tree(id, buyerKey);
    await chain.create(tree);
    const [first, second] = ([1n, 2n] as const).map((nodeId) =>
      chain.terms({ nodeId, worker: worker.wallet.address, amount: 100_000_000n }),
    );
    for (const root of [first!, second!]) await chain.fund(tree, root, worker.wallet);
    await chain.abandon(tree, first!, worker.wallet);
    await fixture.index();
    expect(await statusOf(id)).toBe('funded');
    expect([await codeOf(select(id, 3n)), await codeOf(pay(id, 2n))]).toEqual(['state_conflict', 'none']);
    await chain.deliver(tree, 2n, worker.wallet);
    await chain.resolve(tree, second!, buyerKey);
    await fixture.index();
    expect(await statusOf(id)).toBe('resolved');
  });
});

describe('what wallets have signed', () => {
  it('shows in row, document and offers to act, and lapses by itself', async () => {
    const id = await opened();
    await select(id, 1n);
    expect(await listed(id, stranger, 'selected')).toBe('selected');
    expect(await detail(id)).toMatchObject({
      status: 'selected',
      selected_agent_id: agent,
      allowed_actions: ['select_agent', 'fund_task'],
      next: expect.stringMatching(/^Unless the selected offer is funded by .* the task is open again; no money/),
    });
    await pay(id);
    expect(await detail(id)).toMatchObject({
      status: 'funding_pending',
      selected_agent_id: agent,
      allowed_actions: [],
    });
    app.clock.aheadMs = 601_000;
    expect(await statusOf(id)).toBe('selected');
    app.clock.aheadMs = DAY_MS + 1_000;
    const lapsed = await detail(id);
    expect([lapsed.status, lapsed.selected_agent_id]).toEqual(['open', undefined]);
  });

  it('is replaced by a later selection, but not while a payment is under way', async () => {
    const id = await opened();
    await select(id, 1n);
    await select(id, 2n);
    expect(await row(id)).toMatchObject({ selectionNodePath: 2n, selectedQuoteId: 'quote_2' });
    expect(await codeOf(pay(id, 1n))).toBe('state_conflict');
    expect(await row(id)).toMatchObject({ status: 'selected', fundingNodePath: null });
    await pay(id, 2n);
    expect(await codeOf(select(id, 2n))).toBe('none');
    expect(await codeOf(select(id, 3n))).toBe('state_conflict');
    expect(await row(id)).toMatchObject({ selectionNodePath: 2n, fundingNodePath: 2n });
  });

  it('is not replaced until the index shows that the payment under way was not executed, whatever our own clock says', async () => {
    const id = await opened();
    await fixture.index();
    await select(id, 1n);
    await pay(id);
    app.clock.aheadMs = 601_000;
    expect(await statusOf(id)).toBe('selected');
    expect(await codeOf(select(id, 2n))).toBe('state_conflict');
    // The offer that is being paid is funded but once, so it may be selected again.
    expect(await codeOf(select(id, 1n))).toBe('none');
    await dataSource.query(`UPDATE tasks SET funding_until = '2026-01-01' WHERE id = $1`, [id]);
    await dataSource.query(
      `INSERT INTO unpublished_trees (task_id, block_number, is_apart, attempts, retry_at, created_at)
       VALUES ($1, 1, true, 1, now() + interval '1 day', now())`,
      [id],
    );
    expect(await codeOf(select(id, 2n))).toBe('state_conflict');
    await dataSource.query('DELETE FROM unpublished_trees WHERE task_id = $1', [id]);
    expect(await codeOf(select(id, 2n))).toBe('none');
  });

  it('is refused for what is not open, not chosen, or not there', async () => {
    const draft = (await prepare()).task_id!;
    expect([await codeOf(select(draft, 1n)), await codeOf(pay(draft))]).toEqual(['state_conflict', 'state_conflict']);
    const id = await opened();
    expect(await codeOf(pay(id))).toBe('state_conflict');
    app.clock.aheadMs = 15 * DAY_MS;
    expect(await codeOf(select(id, 1n))).toBe('state_conflict');
    expect(await codeOf(select('task_01k9q2m4t8v6w0y2z4a6c8e0g2', 1n))).toBe('not_found');
  });

  it('races for one task one after the other, and the row and its document agree', async () => {
    const id = await opened();
    await select(id, 1n);
    const outcomes = await Promise.all([pay(id), pay(id), select(id, 2n), select(id, 3n)].map(codeOf));
    const task = await dataSource.manager.findOneOrFail(TaskEntity, {
      where: { id },
      select: { document: true, status: true },
    });
    expect(JSON.parse(task.document).status).toBe(task.status);
    expect(outcomes.every((code) => code === 'none' || code === 'state_conflict')).toBe(true);
    expect(['selected', 'funding_pending']).toContain(task.status);
  });
});
