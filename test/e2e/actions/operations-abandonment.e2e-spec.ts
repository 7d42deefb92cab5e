import { randomUUID } from 'node:crypto';
import { HDNodeWallet, Interface, Wallet } from 'ethers';
import { MarketDocument } from '../../support/e2e/document.js';
import { expectError, expectEveryHeader, expectSuccess } from '../../support/e2e/answers.js';
import { query } from '../../support/e2e/database-rows.js';
import { MarketFixture, type OwnNode, type Person } from '../../support/e2e/market-fixture.js';
import { api, type ApiAnswer } from '../../support/market.js';
import { Person as WebPerson, shown } from '../../support/oauth/person.js';
import { faultsOf, signedDigest } from '../../support/verify-action.js';

/** The call that executes the action (docs/decisions/escrow.md#signed-actions), typed here a second time on purpose. */
const ESCROW = new Interface([
  'function abandonNode(uint192 nodeId, tuple(bytes32 actionId, bytes32 requestDigest, uint256 nonce, uint256 validUntil, bytes signature) auth)',
]);
const TTL_SECONDS = 900;
const DEV_PHRASE = 'test test test test test test test test test test test junk';

let fixture: MarketFixture;
let document: MarketDocument;
let buyer: Person;
let worker: Person;

beforeAll(async () => {
  fixture = await MarketFixture.open();
  document = await MarketDocument.load();
  buyer = await fixture.person('Abandonment buyer');
  worker = await fixture.person('Abandonment worker', { 'Quitter-1': ['quitting'] });
});
afterAll(() => fixture.close());

const intentPath = (node: OwnNode): string => `/v1/tasks/${node.task.id}/nodes/${node.id}/abandon-intents`;

const prepare = (node: OwnNode, body?: unknown, who = worker): Promise<ApiAnswer> =>
  api(who, 'worker')(intentPath(node), {
    method: 'POST',
    headers: { 'Idempotency-Key': randomUUID() },
    ...(body === undefined ? {} : { body }),
  });

const expectation = (node: OwnNode, body?: unknown, who = worker) => ({
  kind: 'abandon_node' as const,
  principal: who.account_id,
  taskId: node.task.id,
  nodeId: node.id,
  chainId: fixture.market.chain_id,
  escrowAddress: node.task.tree.escrow,
  wallet: who.wallet_address,
  body,
  token: fixture.market.usdc_address,
  own: { nodeId: node.path, token: fixture.market.usdc_address, amount: node.amount },
  nowMs: Date.now(),
  maxTtlSeconds: TTL_SECONDS,
  signingOrigin: fixture.market.base_url,
});

/** The prepared call with the signature in its authorisation, as a relayer sends it. */
const withSignature = (action: any, signature: string): string => {
  const [nodeId, auth] = ESCROW.decodeFunctionData('abandonNode', action.payload.transaction.data);
  expect(auth.signature).toBe('0x');
  return ESCROW.encodeFunctionData('abandonNode', [
    nodeId,
    [auth.actionId, auth.requestDigest, auth.nonce, auth.validUntil, signature],
  ]);
};

/** A worker whose key the chain's node holds, so that the node can sign as a wallet in a browser does. */
const unlockedPerson = async (): Promise<Person> => {
  for (const index of [9, 8, 7, 6, 5, 4, 3, 2]) {
    const { privateKey } = HDNodeWallet.fromPhrase(DEV_PHRASE, undefined, `m/44'/60'/0'/0/${index}`);
    const wallet = new Wallet(privateKey);
    const taken = await query('SELECT 1 FROM accounts WHERE wallet_address = $1', [wallet.address]);
    if (taken.length === 0) return fixture.person('Unlocked', { 'Quitter-3': ['quitting'] }, wallet);
  }
  throw new Error('Every development wallet of the chain has an account');
};

/** The types without the domain's own, which ethers adds by itself. */
const structs = (types: Record<string, any>): Record<string, any> =>
  Object.fromEntries(Object.entries(types).filter(([name]) => name !== 'EIP712Domain'));

/** Expects everything that the service shows of an abandoned node. */
const expectAbandoned = async (
  node: OwnNode,
  actionId: string,
  transactionHash: string,
  who = worker,
): Promise<void> => {
  const readBuyer = api(buyer, 'read');
  const shown = (await readBuyer(`/v1/tasks/${node.task.id}/nodes`)).body.data.find(({ id }: any) => id === node.id);
  expect(shown).toMatchObject({ state: 'refunded', outcome: 'abandoned', effective_state: 'refunded' });
  expect(shown.allowed_actions).toEqual([]);
  expect(document.faults('EscrowNode', shown)).toEqual([]);
  expect((await readBuyer(`/v1/tasks/${node.task.id}`)).body.status).toBe('refunded');
  const receipts = (await readBuyer(`/v1/receipts?task_id=${node.task.id}`)).body.data;
  expect(receipts).toEqual([
    expect.objectContaining({ node_id: node.id, outcome: 'refunded', transaction_hash: transactionHash }),
  ]);
  expect(receipts[0].amount).toEqual({ amount: `${node.amount / 1_000_000n}.00`, currency: 'USDC' });
  expect(document.faults('Receipt', receipts[0])).toEqual([]);

  const action = await api(who, 'read')(`/v1/actions/${actionId}`);
  expectSuccess(action);
  expect(document.faults('Action', action.body)).toEqual([]);
  expect(action.body).toMatchObject({ status: 'confirmed', transaction_hash: transactionHash });
  const again = await prepare(node, undefined, who);
  expectError(again, 409, 'node_not_funded');
  // A refusal because of the state is an answer of the operation itself: it counts against the limit and says what is
  // left.
  expect(again.headers.get('x-limit-remaining')).toMatch(/^\d+$/);
};

describe('operation 1', () => {
  it('prepares exactly the action that was asked for', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const answer = await prepare(node);
    expectSuccess(answer);
    expect(document.faults('PreparedAction', answer.body)).toEqual([]);
    expect(faultsOf(answer.body, expectation(node))).toEqual([]);
    expect(answer.body.action_id).toMatch(/^act_[0-9a-z]{26}$/);
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(Object.keys(answer.body.payload).toSorted()).toEqual([
      'domain',
      'message',
      'primaryType',
      'transaction',
      'types',
    ]);

    const shown = (await api(worker, 'read')(`/v1/actions/${answer.body.action_id}`)).body;
    const { status, ...rest } = shown;
    expect(status).toBe('prepared');
    // A key with only the scope `read` sees everything except what lets it act on the action: the link, the code and
    // the call.
    const { signing_url: _link, match_code: _code, payload, ...members } = answer.body;
    const { transaction: _call, ...typedData } = payload;
    expect(rest).toEqual({ ...members, payload: typedData });
    // Preparing an action does not change the node.
    const nodes = (await api(buyer, 'read')(`/v1/tasks/${node.task.id}/nodes`)).body.data;
    expect(nodes[0]).toMatchObject({ id: node.id, state: 'funded' });
  });

  it('never uses an action id twice, gives all of them the nonce of the node as it is, and puts the body into the digest and nowhere else', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const bodies = [
      undefined,
      {},
      { b: 1, a: 'x' },
      { principal: 'acct_x', chain_id: 1, escrow_address: `0x${'1'.repeat(40)}`, wallet_address: 'x', nonce: '7' },
    ];
    const actions = [];
    for (const body of bodies) {
      const answer = await prepare(node, body);
      expect(faultsOf(answer.body, expectation(node, body))).toEqual([]);
      actions.push(answer.body);
    }
    for (const member of ['action_id', 'request_digest', 'signing_url'] as const) {
      expect(new Set(actions.map((action) => action[member])).size).toBe(actions.length);
    }
    expect(new Set(actions.map(({ nonce }) => nonce)).size).toBe(1);
    expect(JSON.stringify(actions)).not.toContain(worker.wallet_private_key.slice(2));
  });

  it('is signed by ethers, relayed by a stranger, and mined', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const { body: action } = await prepare(node);
    const { wallet } = worker.participant;
    const { domain, types, message } = action.payload;
    const signature = await wallet.signTypedData(domain, structs(types), message);
    expect(wallet.signingKey.sign(signedDigest(action.payload)).serialized).toBe(signature);
    const { chain } = fixture;
    const mined = await chain.send(chain.relayer, action.escrow_address, withSignature(action, signature));
    await fixture.indexed(mined);
    await expectAbandoned(node, action.action_id, mined.hash);
  });

  it('is signed by eth_signTypedData_v4 as it stands, and mined', async () => {
    const unlocked = await unlockedPerson();
    const node = await fixture.fundedNode(buyer, unlocked);
    const { body: action } = await prepare(node, undefined, unlocked);
    const { chain } = fixture;
    const signature = await chain.provider.send('eth_signTypedData_v4', [unlocked.wallet_address, action.payload]);
    const mined = await chain.send(chain.relayer, action.escrow_address, withSignature(action, signature));
    await fixture.indexed(mined);
    await expectAbandoned(node, action.action_id, mined.hash, unlocked);
  });

  it('is executed by the call that came with it, sent by the wallet itself', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const { body: action } = await prepare(node);
    const { transaction } = action.payload;
    // Anvil accepts the transaction exactly as the service answered it.
    await fixture.chain.provider.send('eth_estimateGas', [transaction]);
    const mined = await fixture.chain.send(worker.participant.wallet, transaction.to, transaction.data);
    await fixture.indexed(mined);
    await expectAbandoned(node, action.action_id, mined.hash);
  });

  it('gives back a child to the node that it was paid from', async () => {
    const other = await fixture.person('Abandonment child', { 'Quitter-2': ['quitting'] });
    const root = await fixture.fundedNode(buyer, worker);
    const child = await fixture.childNode(root, other);
    const { body: action } = await prepare(child, undefined, other);
    expect(faultsOf(action, expectation(child, undefined, other))).toEqual([]);
    // The root cannot be abandoned while a child works for its money.
    expectError(await prepare(root), 409, 'state_conflict');
    const { transaction } = action.payload;
    await fixture.indexed(await fixture.chain.send(other.participant.wallet, transaction.to, transaction.data));
    const { data } = (await api(buyer, 'read')(`/v1/tasks/${root.task.id}/nodes`)).body;
    expect(data.map(({ state }: any) => state)).toEqual(['funded', 'refunded']);
    expect((await prepare(root)).status).toBe(200);
  });

  it('is refused once the work is delivered, and by the chain even before the index knows', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const { body: earlier } = await prepare(node);
    await node.task.tree.deliver(node.path, worker.participant, 'Words: 12,000');
    // The index is not awaited, because operation 1 also asks the chain's latest state.
    expectError(await prepare(node), 409, 'node_not_funded');
    await fixture.indexed({ ...fixture.chain.lastBlock!, hash: '0x', contract: null });
    expectError(await prepare(node), 409, 'node_not_funded');
    const shown = (await api(worker, 'read')(`/v1/actions/${earlier.action_id}`)).body;
    expect(shown.status).toBe('superseded');
  });

  it('is refused to everybody but the worker: buyer 403, stranger 404 as for a node that is not there', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    expectError(await prepare(node, undefined, buyer), 403, 'not_node_worker');
    const stranger = await fixture.person('Stranger', { 'Onlooker-1': ['looking'] });
    const invisible = await prepare(node, undefined, stranger);
    expectError(invisible, 404, 'not_found');
    const missing = await api(stranger, 'worker')(`/v1/tasks/${node.task.id}/nodes/${node.id}9/abandon-intents`, {
      method: 'POST',
      headers: { 'Idempotency-Key': randomUUID() },
    });
    expect(missing.text).toBe(invisible.text);
  });
});

describe('the page behind signing_url', () => {
  it('tells who only has the link the kind alone, and whoever opens it there in one sentence what would be signed', async () => {
    const node = await fixture.fundedNode(buyer, worker, 12_500_000n, { title: '<script>alert(1)</script> & "words"' });
    const { body: action } = await prepare(node);
    const browser = new WebPerson(new URL(action.signing_url).origin);
    const closed = shown(await browser.open(action.signing_url));
    expect(closed.status).toBe(200);
    expect(closed.headers.get('content-type')).toMatch(/^text\/html/);
    expect(closed.text).toContain('Give up a job');
    expect(closed.html).not.toContain('12.50');
    expect(closed.html).not.toContain(action.wallet_address);

    const page = shown(await browser.submit(closed, closed.form('/claim')));
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/);
    expect(page.headers.get('content-security-policy')).not.toMatch(/unsafe/);
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.html).not.toContain('<script>alert');
    expect(page.text).toContain('12.50 USDC');
    expect(page.html).toContain(action.wallet_address);
    expect(page.html).not.toContain(worker.keys.worker);

    const json = await browser.request(action.signing_url, { headers: { Accept: 'application/json' } });
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
    expect(JSON.stringify(await json.json())).toContain(action.request_digest);
  });

  it('is not found with another token, in the one error shape', async () => {
    const node = await fixture.fundedNode(buyer, worker);
    const { body: action } = await prepare(node);
    const { pathname } = new URL(action.signing_url);
    const last = pathname.at(-2) === 'A' ? 'B' : 'A';
    const answers = [];
    for (const path of [`${pathname.slice(0, -2)}${last}${pathname.at(-1)}`, '/sign/x', `/sign/${'A'.repeat(43)}`]) {
      const answer = await api(worker, 'read')(path, { headers: { Accept: 'application/json' } });
      expect([path, answer.status]).toEqual([path, 404]);
      expectEveryHeader(answer);
      answers.push(answer.text);
    }
    expect(new Set(answers).size).toBe(1);
  });
});

describe('a list that grows while it is read', () => {
  it('goes on where it stopped: no row twice, none left out, new ones only at the front', async () => {
    const own = await fixture.person('Grows');
    const ids = [];
    for (let number = 0; number < 5; number += 1) ids.push((await fixture.draft(own)).id);
    const read = api(own, 'read');
    const first = (await read('/v1/tasks?role=buyer&limit=2')).body;
    const late = (await fixture.draft(own)).id;
    const second = (await read(`/v1/tasks?role=buyer&limit=2&cursor=${first.next_page}`)).body;
    const third = (await read(`/v1/tasks?role=buyer&limit=2&cursor=${second.next_page}`)).body;
    const seen = [first, second, third].flatMap(({ data }) => data.map(({ id }: any) => id));
    expect(seen).toEqual(ids.toReversed());
    expect(third.next_page).toBeNull();
    expect((await read('/v1/tasks?role=buyer&limit=1')).body.data[0].id).toBe(late);
    // The same page may be requested again.
    const twice = (await read(`/v1/tasks?role=buyer&limit=2&cursor=${first.next_page}`)).body;
    expect(twice.data).toEqual(second.data);
  });
});
