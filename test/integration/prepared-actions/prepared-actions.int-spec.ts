import { recoverAddress } from 'ethers';
import { Dispatcher } from 'undici';
import { DataSource } from 'typeorm';
import { encodeAbandonNode, encodeInvalidateNonces, factToJson } from '../../../libs/contracts/src/index.js';
import { type Hex, newId, nodeIdOf, requestDigest } from '../../../libs/kernel/src/index.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { ChainFactEntity } from '../../../src/modules/escrow/indexed-chain/chain-fact.entity.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { approvalPage } from '../../../src/modules/signing/pages/approval.page.js';
import { SigningPages } from '../../../src/modules/signing/signing-pages.service.js';
import { SigningVisits } from '../../../src/modules/signing/visits/signing-visits.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';
import { EscrowFixture, type FixtureTree, signTypedData } from '../../support/escrow-fixture.js';
import { codeOf } from '../../support/failure.js';
import { TestService } from '../../support/test-service.js';
import type { SteppingClock } from '../../support/stepping-clock.js';
import { MarketRows } from '../../support/market-rows.js';
import { withPatientPool } from '../../support/patient.js';
import { faultsOf, signedDigest } from '../../support/verify-action.js';

const NO_BODY = requestDigest(undefined);
const BASE_URL = 'https://api.example.com';
const AMOUNT = 100_000_000n;

let chain: EscrowFixture;
let dataSource: DataSource;
let app: TestService;
let rows: MarketRows;
let actions: PreparedActionsService;
let buyer: string;
let worker: string;
let stranger: string;
let clock: SteppingClock;

beforeAll(async () => {
  chain = await EscrowFixture.start();
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  rows = new MarketRows(dataSource);
  app = await TestService.start(database.url, {
    baseUrl: BASE_URL,
    rpcUrl: chain.rpcUrl,
    escrowFactoryAddress: chain.factory,
  });
  clock = app.clock;
  actions = app.get(PreparedActionsService);
  buyer = await rows.account('buyer', chain.buyer.address);
  worker = await rows.account('worker', chain.worker.address);
  stranger = await rows.account('stranger');
});

afterAll(async () => {
  await app?.close();
  await dataSource?.destroy();
  await chain?.stop();
});

/** A task whose node 1 is funded on the chain and in the index. */
async function fundedTask(
  change: Partial<TaskEntity> = {},
): Promise<{ task: TaskEntity; tree: FixtureTree; node: EscrowNodeEntity }> {
  const task = await rows.task(buyer, { tier: 'private_curated', buyerWallet: chain.buyer.address, ...change });
  const tree = await chain.openTree(task.id);
  await dataSource.query('UPDATE tasks SET escrow_address = $2 WHERE id = $1', [task.id, tree.escrow]);
  await chain.fundRoot(tree, 1, AMOUNT);
  const node = await rows.node(task, { path: 1n, workerAccountId: worker, workerWallet: chain.worker.address });
  return { task, tree, node };
}

function prepare(
  task: { id: string },
  change: { accountId?: string; nodeId?: string; requestDigest?: Hex } = {},
): Promise<PreparedActionDto> {
  const { accountId = worker, requestDigest = NO_BODY, nodeId = nodeIdOf(task.id, 1n) } = change;
  const intent = { accountId, walletAddress: chain.worker.address, requestDigest };
  return actions.prepare('abandon_node', intent, { taskId: task.id, nodeId });
}

function actionCount(): Promise<number> {
  return dataSource.manager.count(PreparedActionEntity);
}

describe('preparing the abandonment of a node', () => {
  it('returns an action that an independent check finds complete', async () => {
    const { task, tree, node } = await fundedTask();
    const action = await prepare(task);
    const expected = {
      kind: 'abandon_node' as const,
      principal: worker,
      taskId: task.id,
      nodeId: node.id,
      chainId: 31337,
      escrowAddress: tree.escrow,
      wallet: chain.worker.address,
      token: chain.usdc,
      own: { nodeId: 1, token: chain.usdc, amount: AMOUNT },
      nowMs: Date.now(),
      maxTtlSeconds: 900,
      signingOrigin: BASE_URL,
    };
    expect(faultsOf(action, expected)).toEqual([]);
    const other = { ...expected, body: {}, own: { ...expected.own, amount: 1n } };
    const inMessage = ['message.amount', 'message.requestDigest'];
    expect(faultsOf(action, other)).toEqual(['digest', ...inMessage, 'call auth']);
    const stored = await dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: action.action_id });
    expect(stored.payload).toEqual(action.payload);
    const token = Buffer.from(action.signing_url.split('/').pop() ?? '', 'base64url');
    const [{ text }] = await dataSource.query('SELECT p::text AS text FROM prepared_actions p WHERE id = $1', [
      stored.id,
    ]);
    expect(text).toContain(stored.signingTokenHash.toString('hex'));
    expect(text).not.toContain(token.toString('hex'));
    expect(text).not.toContain(token.toString('base64url'));
  });

  it('is typed data that eth_signTypedData_v4 accepts as it stands, with the digest of the contract', async () => {
    const { task } = await fundedTask();
    const { payload } = await prepare(task);
    const byWallet = await signTypedData(chain.worker, payload as any);
    const byNode = await chain.provider.send('eth_signTypedData_v4', [chain.worker.address, payload]);
    expect(byNode).toBe(byWallet);
    expect(recoverAddress(signedDigest(payload as any), byNode)).toBe(chain.worker.address);
  });

  it('is mined as returned when its wallet sends the call', async () => {
    const { task, tree } = await fundedTask();
    const { payload } = await prepare(task);
    const hash = await chain.provider.send('eth_sendTransaction', [payload['transaction']]);
    expect((await chain.provider.waitForTransaction(hash))?.status).toBe(1);
    expect(await codeOf(prepare(task))).toBe('node_not_funded');
    expect(tree.escrow).toBe((payload['transaction'] as { to: string }).to);
  });

  it('is mined when anyone else sends it with the signature over the typed data', async () => {
    const { task, tree } = await fundedTask();
    const { payload } = await prepare(task);
    const { message } = payload as { message: Record<string, string> };
    const data = encodeAbandonNode(BigInt(message['nodeId']!), {
      actionId: message['actionId'] as Hex,
      requestDigest: message['requestDigest'] as Hex,
      nonce: BigInt(message['nonce'] ?? ''),
      validUntil: BigInt(message['validUntil'] ?? ''),
      signature: await signTypedData(chain.worker, payload as any),
    });
    await chain.send(chain.buyer, tree.escrow, data);
    expect(await codeOf(prepare(task))).toBe('node_not_funded');
  });

  it('takes nothing from the body but its digest', async () => {
    const { task } = await fundedTask();
    const body = { principal: buyer, chain_id: 1, wallet_address: chain.buyer.address, nonce: '77', kind: 'fund_task' };
    const plain = await prepare(task);
    const bound = await prepare(task, { requestDigest: requestDigest(body) });
    const comparable = ({ payload, ...action }: PreparedActionDto) => {
      const { domain, types, primaryType, message } = payload as any;
      return {
        ...action,
        action_id: '',
        nonce: '',
        request_digest: '',
        signing_url: '',
        match_code: '',
        expires_at: '',
        typed: { domain, types, primaryType, nodeId: message.nodeId, token: message.token, amount: message.amount },
      };
    };
    expect(comparable(bound)).toEqual(comparable(plain));
    expect(bound.request_digest).toBe(requestDigest(body));
    expect([plain.nonce, bound.nonce]).toEqual(['257', '257']);
  });

  it('shows the amount that the chain holds, not the one the index has', async () => {
    const { task, node } = await fundedTask();
    await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { pool: 1n, amount: 1n });
    expect(((await prepare(task)).payload['message'] as { amount: string }).amount).toBe(AMOUNT.toString());
  });

  it('is prepared 200 times at once: with the nonce of the node, and a link of its own each time', async () => {
    const { task } = await fundedTask();
    // The requests run one after another, so the last one waits for a connection until all others are done.
    const prepared = await withPatientPool(app.get(DataSource), () =>
      Promise.all(Array.from({ length: 200 }, () => prepare(task))),
    );
    expect(new Set(prepared.map(({ nonce }) => nonce))).toEqual(new Set(['257']));
    expect(new Set(prepared.map(({ signing_url }) => signing_url)).size).toBe(200);
  });

  it('asks the chain everything in one round trip', async () => {
    const { task } = await fundedTask();
    const requests = jest.spyOn(Dispatcher.prototype, 'request');
    await prepare(task);
    const sent = requests.mock.calls.map(([{ body }]) => (JSON.parse(body as string) as unknown[]).length);
    requests.mockRestore();
    expect(sent).toEqual([2]);
  });

  it('writes nothing when the write that it is part of fails', async () => {
    const { task } = await fundedTask();
    const before = await actionCount();
    const failing = app.get(Transactions).unit(async () => {
      await prepare(task);
      throw new Error('the outcome could not be stored');
    });
    await expect(failing).rejects.toThrow('could not be stored');
    expect(await actionCount()).toBe(before);
  });

  it('is refused when its wallet has cancelled the nonce of the node as it is', async () => {
    const { task, tree } = await fundedTask();
    await chain.send(chain.worker, tree.escrow, encodeInvalidateNonces(1n, 0b100n));
    expect((await prepare(task)).nonce).toBe('257');
    await chain.send(chain.worker, tree.escrow, encodeInvalidateNonces(1n, 0b010n));
    expect(await codeOf(prepare(task))).toBe('state_conflict');
  });
});

describe('what is refused, in the fixed order', () => {
  it('hides a task that the caller does not see, whatever else is wrong', async () => {
    const { task } = await fundedTask();
    expect(await codeOf(prepare(task, { accountId: stranger }))).toBe('not_found');
    expect(await codeOf(prepare({ id: newId('task', Date.now()) }))).toBe('not_found');
  });

  it('hides nodes of other tasks and nodes that do not exist', async () => {
    const { task } = await fundedTask();
    const other = await fundedTask();
    expect(await codeOf(prepare(task, { nodeId: other.node.id }))).toBe('not_found');
    expect(await codeOf(prepare(task, { nodeId: nodeIdOf(task.id, 9n) }))).toBe('not_found');
  });

  it('refuses the buyer by role before it looks at the state', async () => {
    const { task, node } = await fundedTask();
    await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { state: 'released' });
    expect(await codeOf(prepare(task, { accountId: buyer }))).toBe('not_node_worker');
    expect(await codeOf(prepare(task))).toBe('node_not_funded');
  });

  it.each(['delivered', 'rejected', 'disputed', 'released', 'refunded'] as const)(
    'refuses a node that the index has as %s',
    async (state) => {
      const { task, node } = await fundedTask();
      await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { state });
      expect(await codeOf(prepare(task))).toBe('node_not_funded');
    },
  );

  it('refuses a node that the chain no longer has as funded although the index does', async () => {
    const { task, tree } = await fundedTask();
    await chain.send(chain.worker, tree.escrow, encodeAbandonNode(1n, chain.auth(257n)));
    const before = await actionCount();
    expect(await codeOf(prepare(task))).toBe('node_not_funded');
    expect(await actionCount()).toBe(before);
  });

  it('refuses live subcontracts, by the index and by the chain', async () => {
    const { task, tree, node } = await fundedTask();
    await chain.carveOut(tree, 1n, 2, 15_000_000n);
    const unseen = await prepare(task).catch((error: { code: string; suggestion?: string }) => error);
    expect(unseen).toMatchObject({ code: 'state_conflict', suggestion: expect.stringContaining('subcontracts') });
    await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { allocated: 15_000_000n });
    expect(await codeOf(prepare(task))).toBe('state_conflict');
  });

  it('refuses when the wallet it knows is not the one of the chain', async () => {
    const { task, node } = await fundedTask();
    await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { workerWallet: chain.subworker.address });
    expect(await codeOf(prepare(task))).toBe('wallet_mismatch');
  });

  it('refuses an action that would revert now', async () => {
    const { task } = await fundedTask();
    clock.aheadMs = -3_600_000;
    try {
      expect(await codeOf(prepare(task))).toBe('window_closed');
    } finally {
      clock.aheadMs = 0;
    }
  });
});

describe('reading an action back', () => {
  async function read(id: string, accountId = worker) {
    return app.get(ActionsService).get({ accountId, scopes: ['worker'] }, id);
  }

  async function fact(task: TaskEntity, action: PreparedActionDto, signer: string, logIndex: number): Promise<void> {
    const { message } = action.payload as { message: Record<string, string> };
    const consumed = factToJson({
      type: 'ActionConsumed',
      actionId: message['actionId'] as Hex,
      signer: signer as Hex,
      nonce: BigInt(action.nonce),
      requestDigest: NO_BODY,
    });
    await dataSource.manager.insert(ChainFactEntity, {
      blockNumber: 1_000 + logIndex,
      logIndex,
      blockHash: NO_BODY,
      blockTime: new Date(),
      transactionHash: `0x${String(logIndex).padStart(64, '7')}`,
      taskId: task.id,
      actionIdHash: message['actionId'] ?? null,
      fact: consumed as any,
    });
  }

  it('shows what was returned, with its status', async () => {
    const { task } = await fundedTask();
    const action = await prepare(task);
    expect(await read(action.action_id)).toEqual(Object.assign({}, action, { status: 'prepared' }));
  });

  it('hides the actions of other principals', async () => {
    const { task } = await fundedTask();
    const { action_id } = await prepare(task);
    expect(await codeOf(read(action_id, buyer))).toBe('not_found');
    expect(await codeOf(read('act_unknown'))).toBe('not_found');
  });

  it('follows the facts of its own tree and wallet only, and their removal', async () => {
    const { task } = await fundedTask();
    const other = await fundedTask();
    const action = await prepare(task);
    await fact(other.task, action, chain.worker.address, 1);
    await fact(task, action, chain.buyer.address, 2);
    expect((await read(action.action_id)).status).toBe('prepared');
    await fact(task, action, chain.worker.address, 3);
    expect(await read(action.action_id)).toMatchObject({
      status: 'confirmed',
      transaction_hash: `0x${'3'.padStart(64, '7')}`,
    });
    await dataSource.manager.delete(ChainFactEntity, { logIndex: 3 });
    expect(await read(action.action_id)).toEqual(Object.assign({}, action, { status: 'prepared' }));
  });

  it('is superseded when the node moved on, and expired when its time is over', async () => {
    const { task, node } = await fundedTask();
    const { action_id } = await prepare(task);
    clock.aheadMs = 901_000;
    expect((await read(action_id)).status).toBe('expired');
    await dataSource.manager.update(EscrowNodeEntity, { id: node.id }, { state: 'delivered', version: 2 });
    expect((await read(action_id)).status).toBe('superseded');
    clock.aheadMs = 0;
    expect((await read(action_id)).status).toBe('superseded');
  });
});

describe('the signing link', () => {
  const tokenOf = ({ signing_url }: PreparedActionDto): string => signing_url.split('/').pop() ?? '';
  const find = (token: string) => app.get(SigningVisits).find(token, { headers: {} } as any);
  const open = async (token: string) => app.get(SigningPages).contentOf(await find(token));

  it('shows the sentence of the typed data and the typed data, and changes nothing', async () => {
    const { task } = await fundedTask({ title: '<b>Forty</b>\u202E pages' });
    const action = await prepare(task);
    const before = await dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: action.action_id });
    const content = await open(tokenOf(action));
    expect(content).toMatchObject({ status: 'prepared', transactionHash: null, action: { payload: action.payload } });
    expect(content.description?.sentence).toContain('100.00 USDC');
    const document = approvalPage(
      app.get(SigningPages).frame,
      { ...content, spending: null },
      { scripts: [], styles: [] },
    );
    expect(document).not.toMatch(/<b>|\u202E/);
    expect(document).toContain('&lt;b&gt;Forty&lt;/b&gt;\\u{202e} pages');
    for (const value of Object.values(action.payload['message'] as object)) expect(document).toContain(value);
    expect(await dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: action.action_id })).toEqual(before);
  });

  it('answers one body for every unknown link, and knows when a real one has expired', async () => {
    const { task } = await fundedTask();
    const action = await prepare(task);
    const unknown = await Promise.all(
      ['x', 'A'.repeat(43), `${tokenOf(action)}A`, '../health', ''].map((token) => find(token).catch((e) => e.body())),
    );
    expect(new Set(unknown.map((body) => JSON.stringify(body))).size).toBe(1);
    clock.aheadMs = 901_000;
    expect((await open(tokenOf(action))).status).toBe('expired');
    clock.aheadMs = 0;
  });
});

describe('without the chain', () => {
  it('refuses with 503 and stores nothing', async () => {
    const { task } = await fundedTask();
    const before = await actionCount();
    await chain.stop();
    expect(await codeOf(prepare(task))).toBe('service_unavailable');
    expect(await actionCount()).toBe(before);
  });
});
