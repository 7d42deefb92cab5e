import type { DataSource } from 'typeorm';
import { type Hex, nodeIdOf, requestDigest } from '../../../libs/kernel/src/index.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { HINT_MS } from '../../../src/modules/prepared-actions/action/action-status.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { SubmissionsService } from '../../../src/modules/prepared-actions/lifecycle/submissions.service.js';
import type { Principal } from '../../../src/platform/http/principal.js';
import { createMigratedDatabase } from '../../support/database.js';
import { EscrowFixture, type FixtureTree, signTypedData } from '../../support/escrow-fixture.js';
import { codeOf } from '../../support/failure.js';
import { randomWallet } from '../../support/random-wallet.js';
import { TestService } from '../../support/test-service.js';
import { MarketRows } from '../../support/market-rows.js';

const AMOUNT = 100_000_000n;
const NO_BODY = requestDigest(undefined);

let chain: EscrowFixture;
let dataSource: DataSource;
let app: TestService;
let rows: MarketRows;
let buyer: string;
let worker: string;

beforeAll(async () => {
  chain = await EscrowFixture.start();
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  app = await TestService.start(database.url, { rpcUrl: chain.rpcUrl, escrowFactoryAddress: chain.factory });
  rows = new MarketRows(dataSource);
  buyer = await rows.account('buyer', chain.buyer.address);
  worker = await rows.account('worker', chain.worker.address);
});
afterEach(() => {
  app.clock.aheadMs = 0;
});
afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

interface Prepared {
  action: PreparedActionDto;
  tree: FixtureTree;
  nodeId: string;
}

/** Prepares, for its worker, the abandonment of a funded node. */
async function prepared(): Promise<Prepared> {
  const task = await rows.task(buyer, { tier: 'private_curated', buyerWallet: chain.buyer.address });
  const tree = await chain.openTree(task.id);
  await dataSource.query('UPDATE tasks SET escrow_address = $2 WHERE id = $1', [task.id, tree.escrow]);
  await chain.fundRoot(tree, 1, AMOUNT);
  await rows.node(task, { path: 1n, workerAccountId: worker, workerWallet: chain.worker.address });
  return { action: await prepareAgain(task.id), tree, nodeId: nodeIdOf(task.id, 1n) };
}

function prepareAgain(taskId: string): Promise<PreparedActionDto> {
  const intent = { accountId: worker, walletAddress: chain.worker.address as Hex, requestDigest: NO_BODY };
  const nodeId = nodeIdOf(taskId, 1n);
  return app.get(PreparedActionsService).prepare('abandon_node', intent, { taskId, nodeId });
}

function principal(change: Partial<Principal> = {}): Principal {
  return {
    accountId: worker,
    walletAddress: chain.worker.address,
    credentialId: 'key_1',
    scopes: ['worker'],
    pinnedVersion: '2026-11-20',
    ...change,
  };
}

const sign = ({ action }: Prepared, wallet = chain.worker): Promise<Hex> =>
  signTypedData(wallet, action.payload as any);

function handIn({ action }: Prepared, signature: Hex, by = principal()) {
  return app.get(SubmissionsService).submitSignature(by, action.action_id, signature);
}

function sent({ action }: Prepared, hash: string, by = principal()) {
  return app.get(SubmissionsService).submitTransaction(by, action.action_id, hash as Hex);
}

const read = ({ action }: Prepared) =>
  app.get(ActionsService).get({ accountId: worker, scopes: ['worker'] }, action.action_id);

describe('a signature that is handed in', () => {
  it('is answered with a call that anybody can send, and that the chain takes', async () => {
    const about = await prepared();
    const answer = await handIn(about, await sign(about));
    expect(answer).toMatchObject({ status: 'signed', transaction: { to: about.tree.escrow, value: '0x0' } });
    expect(answer.transaction?.from).toBeUndefined();
    // What whoever relays it needs besides the call: how long there is to send it.
    const { validUntil } = (about.action.payload as { message: { validUntil: string } }).message;
    expect(answer.valid_until).toBe(new Date(Number(validUntil) * 1000).toISOString());
    await chain.send(chain.buyer, answer.transaction?.to ?? '', answer.transaction?.data ?? '');
    expect(await codeOf(prepareAgain(about.action.task_id ?? ''))).toBe('node_not_funded');
  });

  it('has the same answer when it is handed in again', async () => {
    const about = await prepared();
    const signature = await sign(about);
    expect(await handIn(about, signature)).toEqual(await handIn(about, signature));
    expect(await read(about)).toMatchObject({ status: 'signed', transaction: { to: about.tree.escrow } });
  });

  it('is refused when another wallet made it, or for another payload, or in another form', async () => {
    const about = await prepared();
    const other = await prepared();
    const signature = await sign(about);
    const faults = [
      await sign(about, chain.buyer),
      await sign(other),
      `${signature.slice(0, -2)}${signature.endsWith('1b') ? '1c' : '1b'}`,
      `${signature}00`,
      '0x00',
    ] as Hex[];
    for (const fault of faults) expect(await codeOf(handIn(about, fault))).toBe('wallet_mismatch');
    expect((await read(about)).status).toBe('prepared');
  });

  it('needs the principal and the scope that prepared the action', async () => {
    const about = await prepared();
    const signature = await sign(about);
    expect(await codeOf(handIn(about, signature, principal({ accountId: buyer })))).toBe('not_found');
    expect(await codeOf(handIn(about, signature, principal({ scopes: ['read', 'buyer'] })))).toBe('insufficient_scope');
    expect(await codeOf(sent(about, NO_BODY, principal({ scopes: ['read'] })))).toBe('insufficient_scope');
  });

  it('is refused after its time and once the state moved on', async () => {
    const about = await prepared();
    const signature = await sign(about);
    app.clock.aheadMs = 901_000;
    expect(await codeOf(handIn(about, signature))).toBe('window_closed');
    app.clock.aheadMs = 0;
    await dataSource.manager.update(EscrowNodeEntity, { id: about.nodeId }, { state: 'delivered' });
    expect(await codeOf(handIn(about, signature))).toBe('state_conflict');
  });

  it('ends by time: the call is gone a minute after the action expired', async () => {
    const about = await prepared();
    await handIn(about, await sign(about));
    app.clock.aheadMs = 901_000;
    expect(await read(about)).toMatchObject({ status: 'signed' });
    app.clock.aheadMs = 962_000;
    const late = await read(about);
    expect([late.status, late.transaction, late.valid_until]).toEqual(['expired', undefined, undefined]);
  });
});

describe('a transaction that is handed in', () => {
  it('is unknown while the chain does not show it, and another action may be prepared', async () => {
    const about = await prepared();
    expect(await sent(about, `0x${'5A'.repeat(32)}`)).toMatchObject({
      status: 'unknown',
      transaction_hash: `0x${'5a'.repeat(32)}`,
    });
    const again = await prepareAgain(about.action.task_id ?? '');
    expect([again.nonce, about.action.nonce]).toEqual(['257', '257']);
  });

  it('is submitted until the index has reached its block; another action is refused with the reason', async () => {
    const about = await prepared();
    const hash = await chain.provider.send('eth_sendTransaction', [about.action.payload['transaction']]);
    await chain.provider.waitForTransaction(hash);
    expect(await sent(about, hash)).toMatchObject({ status: 'submitted', transaction_hash: hash });
    const again = prepareAgain(about.action.task_id ?? '');
    await expect(again).rejects.toMatchObject({
      code: 'node_not_funded',
      reason: expect.stringContaining('the index has not caught up yet'),
    });
  });

  it('is failed when it reverted', async () => {
    const about = await prepared();
    const [{ data }] = [about.action.payload['transaction'] as { data: string }];
    const call = { from: chain.buyer.address, to: about.tree.escrow, data, gas: '0x30d40' };
    const hash = await chain.provider.send('eth_sendTransaction', [call]);
    await chain.provider.waitForTransaction(hash).catch(() => null);
    expect(await sent(about, hash)).toMatchObject({ status: 'failed' });
  });

  it('is not failed when another transaction reverted', async () => {
    const [about, other] = [await prepared(), await prepared()];
    const { data } = other.action.payload['transaction'] as { data: string };
    const call = { from: chain.buyer.address, to: about.tree.escrow, data, gas: '0x30d40' };
    const hash = await chain.provider.send('eth_sendTransaction', [call]);
    await chain.provider.waitForTransaction(hash).catch(() => null);
    expect(['submitted', 'prepared']).toContain((await sent(about, hash)).status);
    expect((await handIn(about, await sign(about))).status).not.toBe('failed');
  });

  it('is no more than a hint while another transaction waits for its block', async () => {
    const about = await prepared();
    await chain.provider.send('evm_setAutomine', [false]);
    try {
      const call = { from: chain.buyer.address, to: randomWallet().address, value: '0x1' };
      const hash = await chain.provider.send('eth_sendTransaction', [call]);
      expect((await sent(about, hash)).status).toBe('unknown');
      app.clock.aheadMs = HINT_MS;
      expect((await read(about)).status).toBe('prepared');
      const own = await chain.provider.send('eth_sendTransaction', [about.action.payload['transaction']]);
      expect((await sent(about, own)).status).toBe('submitted');
      // A hash that no chain knows does not replace one that the chain knows.
      expect(await sent(about, `0x${'5e'.repeat(32)}`)).toMatchObject({ status: 'submitted', transaction_hash: own });
      expect(await read(about)).toMatchObject({ status: 'submitted', transaction_hash: own });
    } finally {
      await chain.provider.send('evm_setAutomine', [true]);
      await chain.provider.send('anvil_mine', []);
    }
  });

  it('changes nothing when it was about something else', async () => {
    const about = await prepared();
    const hash = await chain.provider.send('eth_sendTransaction', [
      { from: chain.worker.address, to: randomWallet().address, value: '0x1' },
    ]);
    await chain.provider.waitForTransaction(hash);
    expect(['submitted', 'prepared']).toContain((await sent(about, hash)).status);
  });
});
