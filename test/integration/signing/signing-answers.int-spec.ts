import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { factToJson, FundingMode } from '../../../libs/contracts/src/index.js';
import { childPath } from '#libs/kernel';
import { ChainFactEntity } from '../../../src/modules/escrow/indexed-chain/chain-fact.entity.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { ProgressWaits } from '../../../src/modules/signing/approval/progress-waits.js';
import { ProgressWaitsSettings } from '../../../src/modules/signing/approval/progress-waits.settings.js';
import { receiptIdOf } from '../../../src/modules/receipts/receipt-id.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { eventually } from '../../support/eventually.js';
import { signTypedData } from '../../support/escrow-fixture.js';
import type { Person } from '../../support/oauth/person.js';
import { shown } from '../../support/oauth/person.js';
import { randomWallet } from '../../support/random-wallet.js';
import { ask, codeOf, type JsonAnswer, type Principal, SigningFixture } from '../../support/signing-fixture.js';

const DAY_MS = 86_400_000;
type NodeChange = Partial<Pick<EscrowNodeEntity, 'state' | 'clock' | 'floor'>>;
const HASH = `0x${'ab'.repeat(32)}`;

let fixture: SigningFixture;
let ada: Principal;
let bob: Principal;

beforeAll(async () => {
  fixture = await SigningFixture.start();
  ada = await fixture.principal('Ada');
  bob = await fixture.principal('Bob');
});
afterAll(() => fixture?.stop());
afterEach(() => {
  fixture.rpc.mode = 'pass';
  fixture.rpc.tamper = (_call, answer) => answer;
});

const post = (browser: Person, action: any, route: string, body: object = {}, headers = {}): Promise<JsonAnswer> =>
  ask(browser, `${action.signing_url}/${route}`, { body, headers });
const get = (browser: Person, action: any, route: string) => ask(browser, `${action.signing_url}/${route}`);

/** A task creation whose page is open in a browser. */
async function opened() {
  const action = await fixture.publication(ada, { title: 'Forty pages' });
  return { action, ...(await fixture.open(action)), signature: await signTypedData(ada.wallet, action.payload) };
}

/** A payment whose page is open in a browser, its task, and who works on the task's nodes. */
async function paidTask() {
  const [buyer, worker] = [await fixture.principal(), await fixture.principal()];
  const action = await fixture.payment(buyer, worker);
  const { browser } = await fixture.open(action);
  const task = await fixture.service.dataSource.manager.findOneByOrFail(TaskEntity, { id: action.task_id });
  return { action, browser, task, own: { workerAccountId: worker.accountId, workerWallet: worker.wallet.address } };
}

describe('the document', () => {
  it('is the action as it was prepared, with the request as it was asked', async () => {
    const body = { brief: 'Count 40 pages.', budget: { amount: '12.5', currency: 'USDC' }, selection_mode: 'manual' };
    const action = await fixture.call(ada.keys.buyer, '/v1/task-creation-intents', body);
    const { browser } = await fixture.open(action);
    const { status, headers, body: document } = await get(browser, action, 'document');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(document.action).toEqual(action);
    expect(document.request).toEqual({ method: 'POST', path: '/v1/task-creation-intents', body });
    expect(document.requester).toEqual({ kind: 'key', name: "Ada's buyer key" });
    expect(document.status).toBe('opened');
    expect(document.deployment).toMatchObject({
      chainId: 31337,
      factory: fixture.chain.factory,
      implementation: fixture.chain.implementation,
      usdc: fixture.chain.usdc,
      signingOrigin: fixture.service.url,
      isTestNetwork: true,
    });
    expect(document.service_reading).toMatchObject({ source: 'service', chainId: 31337, escrow: 'undeployed_ours' });
    const { blockTime } = document.service_reading;
    expect(Math.abs(blockTime - fixture.clock.nowMs() / 1000)).toBeLessThan(86_400);
  });

  it('says what the node holds, and what of it is promised to nobody', async () => {
    const { action, browser, task, own } = await paidTask();
    await fixture.rows.node(task, { ...own, path: 1n, pool: 90_000_000n, allocated: 40_000_000n });
    const { body } = await get(browser, action, 'document');
    expect(body.facts).toMatchObject({ nodeAmount: '90000000', unallocated: '50000000' });
  });

  it.each<[string, NodeChange, boolean]>([
    ['whose time runs', { clock: new Date(Date.now() + DAY_MS) }, true],
    ['that silence accepted', {}, false],
    ['whose dispute ended with a floor', { state: 'disputed' }, false],
    ['whose dispute ended without one', { state: 'disputed', floor: 0n }, true],
  ])('says whether the money hangs on a node above: one %s', async (_, above, hangs) => {
    const { action, browser, task, own } = await paidTask();
    const passed = { state: 'delivered' as const, clock: new Date(Date.now() - DAY_MS) };
    await fixture.rows.node(task, { ...own, path: 1n, ...passed, ...above });
    const child = await fixture.rows.node(task, { ...own, path: childPath(1n, 1), hirerFunded: false });
    await fixture.service.rows('UPDATE prepared_actions SET node_id = $1 WHERE id = $2', [child.id, action.action_id]);
    const { body } = await get(browser, action, 'document');
    expect(body.facts.hangsOnParent).toBe(hangs);
  });

  it('counts as going on only those below whose time is not over', async () => {
    const { action, browser, task, own } = await paidTask();
    await fixture.rows.node(task, { ...own, path: 1n });
    const passed = new Date(Date.now() - DAY_MS);
    const below = (n: number, change: NodeChange) =>
      fixture.rows.node(task, { ...own, path: childPath(1n, n), hirerFunded: true, ...change });
    await below(1, { state: 'delivered', clock: passed });
    await below(2, { state: 'rejected', clock: passed });
    await below(3, { state: 'delivered' });
    await below(4, { state: 'funded', clock: passed });
    const { body } = await get(browser, action, 'document');
    expect(body.facts.subcontracts).toBe(2);
  });

  it('is there without the chain, and says nothing in its name', async () => {
    const { action, browser } = await opened();
    fixture.rpc.mode = 'refuse';
    const { status, body } = await get(browser, action, 'document');
    expect([status, body.service_reading]).toEqual([200, { source: 'service' }]);
  });
});

describe('handing in', () => {
  it('takes the signature of the wallet, and what follows from it takes effect', async () => {
    const { action, browser, signature } = await opened();
    const { status, body } = await post(browser, action, 'submission', { signature });
    expect([status, body.status]).toEqual([200, 'signed']);
    // The task is open for quotes at once; no transaction is needed.
    expect(body).not.toHaveProperty('transaction');
    const again = await post(browser, action, 'submission', { signature });
    expect(again.body).toEqual(body);
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('signed');
    const [task] = await fixture.service.rows('SELECT status FROM tasks WHERE id = $1', [action.task_id]);
    expect(task).toEqual({ status: 'open' });
  });

  it('refuses the signature of another wallet, of another action, and what is none', async () => {
    const { action, browser } = await opened();
    const other = await fixture.publication(ada);
    const wrong = [await signTypedData(randomWallet(), action.payload), await signTypedData(ada.wallet, other.payload)];
    for (const signature of wrong) {
      expect(codeOf(await post(browser, action, 'submission', { signature }))).toBe('wallet_mismatch');
    }
    const malformed = [{}, { signature: 'x' }, { signature: '0x' }, { signature: HASH, transaction_hash: HASH }];
    for (const body of [...malformed, { transaction_hash: '0x1' }, { signature: HASH, more: 1 }]) {
      expect(codeOf(await post(browser, action, 'submission', body))).toBe('invalid_body');
    }
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('opened');
  });

  it.each([
    ['another site', { Origin: 'https://evil.example' }],
    ['an opaque origin', { Origin: 'null' }],
  ])('refuses what %s sends with the cookies of the browser', async (_who, headers) => {
    const { action, browser, signature } = await opened();
    for (const [route, body] of [
      ['submission', { signature }],
      ['decline', {}],
      ['renew', {}],
      ['link', {}],
    ] as const) {
      expect(codeOf(await post(browser, action, route, body, headers))).toBe('invalid_request');
    }
    const target = new URL(`${action.signing_url}/decline`);
    const bare = await fetch(target, {
      method: 'POST',
      headers: { ...browser.jar.header(target), Accept: 'application/json', 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(bare.status).toBe(400);
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('opened');
  });

  it('refuses a signature after the action has expired', async () => {
    const { action, browser, signature } = await opened();
    fixture.clock.aheadMs = 901_000;
    const answer = await post(browser, action, 'submission', { signature });
    fixture.clock.aheadMs = 0;
    expect(codeOf(answer)).toBe('window_closed');
  });

  it('takes none for a suspended account', async () => {
    const cara = await fixture.principal('Cara');
    const action = await fixture.publication(cara);
    const { browser } = await fixture.open(action);
    await fixture.service.rows("UPDATE accounts SET status = 'suspended' WHERE id = $1", [cara.accountId]);
    const signature = await signTypedData(cara.wallet, action.payload);
    expect(codeOf(await post(browser, action, 'submission', { signature }))).toBe('account_suspended');
    expect(codeOf(await post(browser, action, 'link'))).toBe('account_suspended');
  });
});

describe('declining', () => {
  it('needs no wallet, is told to the application, and lets nobody sign any more', async () => {
    const { action, browser, signature } = await opened();
    expect((await post(browser, action, 'decline')).body).toEqual({ status: 'declined' });
    expect((await post(browser, action, 'decline')).body).toEqual({ status: 'declined' });
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('declined');
    expect(codeOf(await post(browser, action, 'submission', { signature }))).toBe('state_conflict');
    expect(codeOf(await post(browser, action, 'submission', { transaction_hash: HASH }))).toBe('state_conflict');
    await expect(fixture.sign(ada, action, ada.keys.buyer)).rejects.toThrow('state_conflict');
    expect(codeOf(await post(browser, action, 'renew'))).toBe('state_conflict');
    expect(shown(await browser.open(action.signing_url)).text).toContain('This request was declined');
  });

  it('is possible by the form of the page, without a script', async () => {
    const { action, browser, page } = await opened();
    const after = shown(await browser.submit(page, page.form('/decline')));
    expect(after.text).toContain('This request was declined. Nothing was signed.');
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('declined');
  });

  it('comes too late after signing', async () => {
    const { action, browser, signature } = await opened();
    await post(browser, action, 'submission', { signature });
    expect(codeOf(await post(browser, action, 'decline'))).toBe('state_conflict');
    expect((await fixture.readAction(ada, action.action_id)).status).toBe('signed');
  });

  it('and signing at once end in one of both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { action, browser, signature } = await opened();
      const answers = await Promise.all([
        post(browser, action, 'decline'),
        post(browser, action, 'submission', { signature }),
      ]);
      expect(answers.map(codeOf).sort()).toEqual(['none', 'state_conflict']);
      const { status } = await fixture.readAction(ada, action.action_id);
      expect(status).toBe(answers[0]!.status === 200 ? 'declined' : 'signed');
    }
  });
});

describe('progress', () => {
  it('leads to the receipt of the node, once there is one', async () => {
    const { action, browser } = await opened();
    const { dataSource, environment } = fixture.service;
    const node = `node_${action.task_id.slice(5)}_1`;
    await dataSource.query('UPDATE prepared_actions SET node_id = $2 WHERE id = $1', [action.action_id, node]);
    expect((await get(browser, action, 'progress')).body).not.toHaveProperty('receipt_path');
    const receipt = receiptIdOf(node);
    await dataSource.manager.insert(ReceiptEntity, {
      id: receipt,
      taskId: action.task_id,
      nodeId: node,
      outcome: 'released',
      amount: 1n,
      transactionHash: HASH,
      blockNumber: 1,
      payerAccountId: ada.accountId,
      buyerAccountId: ada.accountId,
      workerAccountId: bob.accountId,
      createdAt: new Date(),
    });
    const { receipt_path: path } = (await get(browser, action, 'progress')).body;
    expect(new URL(path, environment.baseUrl).pathname).toBe(`/account/receipts/${receipt}`);
  });

  it('follows the action from its opening to the end', async () => {
    const { action, browser, signature } = await opened();
    expect((await get(browser, action, 'progress')).body).toMatchObject({ status: 'opened' });
    await post(browser, action, 'submission', { signature });
    expect((await get(browser, action, 'progress')).body.status).toBe('signed');
    await post(browser, action, 'submission', { transaction_hash: HASH });
    expect((await get(browser, action, 'progress')).body).toMatchObject({ status: 'unknown', transaction_hash: HASH });
    // A creation has no call of its own: the first payment under its terms makes it good.
    const address = ada.wallet.address as `0x${string}`;
    const { termsHash } = action.payload.message;
    const parties = { worker: address, payer: address, hirerFunded: true, mode: FundingMode.Allowance, termsHash };
    const terms = { amount: 1n, floor: 0n, deliverBy: 1, acceptWindow: 1, maxRevisions: 0 };
    const fact = { type: 'NodeFunded' as const, nodeId: 1n, ...parties, ...terms };
    await fixture.service.dataSource.manager.insert(ChainFactEntity, {
      blockHash: HASH,
      blockNumber: 50,
      blockTime: new Date(),
      logIndex: 0,
      taskId: action.task_id,
      transactionHash: `0x${'cd'.repeat(32)}`,
      fact: factToJson(fact),
    } as any);
    expect((await get(browser, action, 'progress')).body).toMatchObject({
      status: 'confirmed',
      transaction_hash: `0x${'cd'.repeat(32)}`,
      block: 50,
      final_at_block: 1_850,
    });
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).toContain('Already signed and done');
    expect(page.text).toContain(`0x${'cd'.repeat(32)}`);
    expect(page.has('/decline')).toBe(false);
  });
});

describe('a page that waits for progress', () => {
  const { longestMs, pauseMs, most, mostOfAccount } = new ProgressWaitsSettings();
  const settings = (own: Partial<ProgressWaitsSettings>) =>
    Object.assign(fixture.service.get(ProgressWaitsSettings), own);
  const waiting = (): number => (fixture.service.get(ProgressWaits) as any).waiting.size;
  const pausing = (): number => (fixture.service.get(ProgressWaits) as any).pausing.size;
  afterEach(() => settings({ longestMs, pauseMs, most, mostOfAccount }));

  /** An action that was opened, and of which nothing more is to be told. */
  async function openedAndTold() {
    const open = await opened();
    const told = `SELECT FROM prepared_actions WHERE id = $1 AND told_status = 'opened'`;
    await eventually(async () => (await fixture.service.rows(told, [open.action.action_id])).length === 1);
    await fixture.service.logged();
    return open;
  }

  /** The answer, and whether it has come. */
  function asked(browser: Person, action: any, known: string): { answer: Promise<JsonAnswer>; hasCome: () => boolean } {
    let hasCome = false;
    const answer = get(browser, action, `progress?known=${known}`).finally(() => (hasCome = true));
    return { answer, hasCome: () => hasCome };
  }

  it('is answered as soon as there is something new, with what it would have been told at once', async () => {
    const { action, browser, signature } = await openedAndTold();
    const others = await openedAndTold();
    const [one, other] = [asked(browser, action, 'opened'), asked(others.browser, others.action, 'opened')];
    await eventually(() => waiting() === 2);
    await post(browser, action, 'submission', { signature });
    const { status, headers, body } = await one.answer;
    expect([status, headers.get('cache-control'), body.status]).toEqual([200, 'no-store', 'signed']);
    expect(body).toEqual((await get(browser, action, 'progress')).body);
    // News of another action of the same account are none.
    expect([other.hasCome(), waiting()]).toEqual([false, 1]);
    await post(others.browser, others.action, 'decline');
    expect((await other.answer).body.status).toBe('declined');
    expect(waiting()).toBe(0);
  });

  it('is answered at once where it knows less, and after a while where nothing happens', async () => {
    const { action, browser } = await openedAndTold();
    settings({ longestMs: 60_000 });
    for (const known of ['prepared', 'nonsense', '', 'opened&known=opened']) {
      expect((await get(browser, action, `progress?known=${known}`)).body.status).toBe('opened');
    }
    settings({ longestMs: 50 });
    expect((await get(browser, action, 'progress?known=opened')).body.status).toBe('opened');
    expect(waiting()).toBe(0);
  });

  it('is told nothing once the action is open elsewhere', async () => {
    const { action, browser } = await openedAndTold();
    const { answer } = asked(browser, action, 'opened');
    await eventually(() => waiting() === 1);
    await fixture.service.rows('DELETE FROM signing_claims WHERE action_id = $1', [action.action_id]);
    await fixture.sign(ada, action, ada.keys.buyer);
    expect(codeOf(await answer)).toBe('claim_required');
  });

  it('only pauses where too many wait, of its account or of all', async () => {
    const { action, browser } = await openedAndTold();
    const first = asked(browser, action, 'opened');
    await eventually(() => waiting() === 1);
    for (const limit of [{ mostOfAccount: 1 }, { most: 1 }]) {
      settings({ most, mostOfAccount, pauseMs: 1_000, ...limit });
      const second = asked(browser, action, 'opened');
      await eventually(() => pausing() === 1);
      expect([first.hasCome(), second.hasCome(), waiting()]).toEqual([false, false, 1]);
      expect((await second.answer).body.status).toBe('opened');
      expect([pausing(), waiting()]).toEqual([0, 1]);
    }
    await post(browser, action, 'decline');
    await first.answer;
  });

  it('leaves who can wait longer waiting for as long where nothing tells it of news', async () => {
    const { action } = await openedAndTold();
    settings({ most: 0, pauseMs: 20 });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const { accountId } = ada;
    const wait = await fixture.service
      .get(ProgressWaits)
      .begin({ id: action.action_id, accountId }, response as never, 600);
    const began = performance.now();
    await wait!.over;
    expect(performance.now() - began).toBeGreaterThan(500);
  });

  it('waits no longer than its connection', async () => {
    const { action, browser } = await openedAndTold();
    const url = new URL(`${action.signing_url}/progress?known=opened`);
    const gone = new AbortController();
    const answer = fetch(url, { headers: browser.jar.header(url), signal: gone.signal });
    await eventually(() => waiting() === 1);
    gone.abort();
    await expect(answer).rejects.toThrow();
    await eventually(() => waiting() === 0);
  });
});

describe('the simulation', () => {
  it('shows what a payment changes before it is signed, and what its gas costs once it is', async () => {
    const action = await fixture.payment(ada, bob);
    expect(action.payload.primaryType).toBe('ReceiveWithAuthorization');
    const { browser } = await fixture.open(action);
    const { body } = await get(browser, action, 'simulation');
    expect(body).toMatchObject({ source: 'eth_simulateV1', would_revert: null, gas: null });
    const wallet = { wallet: ada.wallet.address, label: 'wallet', before: '1000000000', after: '900000000' };
    const escrow = { wallet: action.escrow_address, label: 'escrow', before: '0', after: '100000000' };
    expect(body.balances).toEqual([
      { ...wallet, change: '-100000000' },
      { ...escrow, change: '100000000' },
    ]);
    const signature = await signTypedData(ada.wallet, action.payload);
    const { body: handedIn } = await post(browser, action, 'submission', { signature });
    expect(handedIn).toMatchObject({ status: 'signed', transaction: { chainId: '0x7a69' } });
    await fixture.chain.giveEther(ada.wallet.address);
    // When the page is opened again, it offers the remaining step: to send what was signed.
    const { body: document } = await get(browser, action, 'document');
    expect(document.signed).toEqual({ signature, transaction: handedIn.transaction, valid_until: expect.any(String) });
    const signed = (await get(browser, action, 'simulation')).body;
    expect(signed).toMatchObject({ source: 'eth_simulateV1', would_revert: null });
    expect(signed.balances).toHaveLength(2);
    expect(Number(signed.gas.units)).toBeGreaterThan(100_000);
    expect(BigInt(signed.gas.eth) % BigInt(signed.gas.units)).toBe(0n);
  });

  it('says why it would fail', async () => {
    const action = await fixture.payment(ada, bob);
    const { browser } = await fixture.open(action);
    const signature = await signTypedData(ada.wallet, action.payload);
    await post(browser, action, 'submission', { signature });
    const balance = await fixture.chain.balanceOf(ada.wallet.address);
    await fixture.chain.giveEther(ada.wallet.address);
    await fixture.chain.sendFrom(ada.wallet, fixture.chain.usdc, transferData(bob.wallet.address, balance));
    const { body } = await get(browser, action, 'simulation');
    expect(body.balances).toEqual([]);
    expect(body.would_revert.reason).toMatch(/USDC|chain would refuse/);
  });

  it('is made of calls and balances where the endpoint has no eth_simulateV1', async () => {
    const cara = await fixture.principal('Cara');
    const action = await fixture.payment(cara, bob);
    const { browser } = await fixture.open(action);
    fixture.rpc.tamper = ({ method }, answer) =>
      method === 'eth_simulateV1'
        ? { jsonrpc: '2.0', id: answer.id, error: { code: -32601, message: 'the method does not exist' } }
        : answer;
    const { body } = await get(browser, action, 'simulation');
    expect(body).toMatchObject({ source: 'eth_call', would_revert: null, gas: null });
    expect(body.balances.map(({ label, change }: any) => [label, change])).toEqual([
      ['wallet', '-100000000'],
      ['escrow', '100000000'],
    ]);
  });

  it.each([
    ['with the chain', 'pass'],
    ['without it', 'refuse'],
  ] as const)('of what is only signed is that there is no transaction and no fee, %s', async (_what, mode) => {
    const { action, browser } = await opened();
    fixture.rpc.mode = mode;
    const { body } = await get(browser, action, 'simulation');
    expect(body).toMatchObject({ source: 'no_transaction', balances: [], would_revert: null, gas: null });
    const page = shown(await browser.open(action.signing_url));
    expect(page.text).toContain('This publishes your task. No transaction, no fee.');
  });

  it('is unavailable without the chain, and the page is there all the same', async () => {
    const action = await fixture.payment(await fixture.principal('Dora'), bob);
    const { browser } = await fixture.open(action);
    fixture.rpc.mode = 'refuse';
    expect((await get(browser, action, 'simulation')).body).toEqual({
      source: 'unavailable',
      balances: [],
      would_revert: null,
      gas: null,
      block: null,
    });
    const page = shown(await browser.open(action.signing_url));
    expect([page.status, page.html.includes('id="approval"')]).toEqual([200, true]);
  });
});

describe('limits', () => {
  it('end a flood of questions about one action, and of forms of one network, and spare other actions', async () => {
    const [one, two] = [await opened(), await opened()];
    const codes: string[] = [];
    for (let i = 0; i < 125; i += 1) codes.push(codeOf(await get(one.browser, one.action, 'progress')));
    expect(codes[0]).toBe('none');
    expect(codes.at(-1)).toBe('rate_limited');
    expect(codeOf(await get(two.browser, two.action, 'progress'))).toBe('none');
    const refused = await get(one.browser, one.action, 'progress');
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const forms: string[] = [];
    // The network's one-minute window began earlier, but even two windows allow fewer requests than these.
    for (let i = 0; i < 125; i += 1) forms.push(codeOf(await post(two.browser, two.action, 'link')));
    expect(forms).toContain('rate_limited');
  });
});

function transferData(to: string, amount: bigint): string {
  return `0xa9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`;
}
