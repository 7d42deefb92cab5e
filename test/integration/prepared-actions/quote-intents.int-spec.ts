import { TypedDataEncoder, verifyTypedData, ZeroAddress, id as keccakOf } from 'ethers';
import { encodeCreateTree, encodeInvalidateNonces, treeIdOf } from '#libs/contracts';
import { childPath, newId, nodeIdOf, pathIndex } from '#libs/kernel';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import type { SubmitQuoteInput } from '../../../src/modules/prepared-actions/dto/quote.body.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { QuoteEntity } from '../../../src/modules/quotes/quote/quote.entity.js';
import { TaskPartyEntity } from '../../../src/modules/tasks/visibility/task-party.entity.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import type { Trader } from '../../support/action-fixture.js';
import { codeOf as refusalOf } from '../../support/failure.js';
import { DAY_MS, OfferFixture, type Worker } from '../../support/offer-fixture.js';

/** The structs of docs/decisions/escrow.md#signed-actions, typed here a second time on purpose. */
const TERMS = [
  { name: 'nodeId', type: 'uint192' },
  { name: 'worker', type: 'address' },
  { name: 'amount', type: 'uint64' },
  { name: 'floor', type: 'uint64' },
  { name: 'workSeconds', type: 'uint32' },
  { name: 'acceptWindow', type: 'uint24' },
  { name: 'maxRevisions', type: 'uint8' },
  { name: 'hirerFunded', type: 'bool' },
  { name: 'termsHash', type: 'bytes32' },
];
const QUOTE = [
  { name: 'terms', type: 'NodeTerms' },
  { name: 'hirer', type: 'address' },
  { name: 'arbiter', type: 'address' },
  { name: 'token', type: 'address' },
  { name: 'actionId', type: 'bytes32' },
  { name: 'requestDigest', type: 'bytes32' },
  { name: 'nonce', type: 'uint256' },
  { name: 'validUntil', type: 'uint256' },
];

let fixture: OfferFixture;
let buyer: Trader;
let worker: Worker;
let rival: Worker;
let task: TaskEntity;

beforeAll(async () => {
  fixture = await OfferFixture.start();
  buyer = await fixture.person('buyer');
  worker = await fixture.worker('worker');
  rival = await fixture.worker('rival');
});
beforeEach(async () => {
  task = await fixture.openTask(buyer);
});
afterEach(() => {
  fixture.app.clock.aheadMs = 0;
});
afterAll(() => fixture?.stop());

const prepare = (who: Worker, change: Partial<SubmitQuoteInput> = {}, of = task): Promise<PreparedActionDto> =>
  fixture.prepare('submit_quote', who, fixture.offerFor(of, change));

const codeOf = (who: Worker, change: Partial<SubmitQuoteInput>, of = task) => refusalOf(prepare(who, change, of));

/** Writes a funded node of `who`, as the indexer does. */
async function fundedNode(who: Worker, path: bigint, change: object = {}): Promise<string> {
  const node = await fixture.rows.node(task, {
    path,
    workerAccountId: who.accountId,
    workerWallet: who.address,
    workerAgentId: who.agentId,
    ...change,
  });
  await fixture.dataSource.query('UPDATE tasks SET node_sequence = greatest(node_sequence, $2) WHERE id = $1', [
    task.id,
    pathIndex(path),
  ]);
  return node.id;
}

describe('preparing a quote', () => {
  it('returns typed data that a client can check from the interface alone', async () => {
    const action = await prepare(worker, { workSeconds: 8 * 86_400 });
    const { domain, types, primaryType, message } = action.payload as any;
    expect(action).toMatchObject({
      kind: 'submit_quote',
      principal: worker.accountId,
      wallet_address: worker.address,
      task_id: task.id,
      node_id: nodeIdOf(task.id, 1n),
      escrow_address: task.escrowAddress,
      nonce: '256',
    });
    expect(domain).toEqual({ name: 'Tasktree', version: '2', chainId: 31337, verifyingContract: task.escrowAddress });
    expect([primaryType, types.SubmitQuote, types.NodeTerms]).toEqual(['SubmitQuote', QUOTE, TERMS]);
    const validUntil = Math.floor(Date.now() / 1000) + 3 * 86_400;
    expect(Math.abs(Number(message.validUntil) - validUntil)).toBeLessThan(30);
    expect(message).toEqual({
      terms: {
        nodeId: '1',
        worker: worker.address,
        amount: '100000000',
        floor: '50000000',
        workSeconds: '691200',
        acceptWindow: task.acceptWindowSeconds.toString(),
        maxRevisions: '3',
        hirerFunded: true,
        termsHash: task.termsHash,
      },
      hirer: buyer.address,
      arbiter: ZeroAddress,
      token: fixture.chain.usdc,
      actionId: keccakOf(action.action_id),
      requestDigest: action.request_digest,
      nonce: action.nonce,
      validUntil: message.validUntil,
    });
    expect(action.payload).not.toHaveProperty('transaction');
    expect(action.payload).not.toHaveProperty('calls');
    const stored = await fixture.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: action.action_id });
    expect(stored.nodeId).toBe(action.node_id);
  });

  it('keeps it as pending_signature for its worker alone until the wallet has signed', async () => {
    const action = await prepare(worker);
    expect(await fixture.statusesSeenBy(worker, task.id)).toEqual(['pending_signature']);
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual([]);
    const signed = await fixture.submit(worker, action);
    expect(signed).not.toHaveProperty('transaction');
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual(['submitted']);
    const quote = await fixture.quoteOf(action);
    const { domain, message } = action.payload as any;
    expect(verifyTypedData(domain, { SubmitQuote: QUOTE, NodeTerms: TERMS }, message, quote.signature!)).toBe(
      worker.address,
    );
    expect(TypedDataEncoder.hash(domain, { SubmitQuote: QUOTE, NodeTerms: TERMS }, message)).toMatch(/^0x/);
    const parties = await fixture.dataSource.manager.findBy(TaskPartyEntity, { taskId: task.id, role: 'quoted' });
    expect(parties.map(({ accountId }) => accountId)).toEqual([worker.accountId]);
  });

  it('ends by itself with its action when nobody signs, and no signature revives it', async () => {
    const action = await prepare(worker);
    fixture.app.clock.aheadMs = 890_000;
    expect(await fixture.statusesSeenBy(worker, task.id)).toEqual(['pending_signature']);
    fixture.app.clock.aheadMs = 902_000;
    expect(await fixture.statusesSeenBy(worker, task.id)).toEqual(['expired']);
    expect(await refusalOf(fixture.submit(worker, action))).toBe('window_closed');
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual([]);
  });

  it('refuses the signature of another wallet and stays unsigned', async () => {
    const action = await prepare(worker);
    expect(await refusalOf(fixture.submit(worker, action, rival))).toBe('wallet_mismatch');
    expect((await fixture.quoteOf(action)).status).toBe('pending_signature');
  });

  it('takes the same signature again as the same', async () => {
    const action = await prepare(worker);
    await fixture.submit(worker, action);
    expect((await fixture.submit(worker, action)).status).toBe('signed');
    expect((await fixture.quoteOf(action)).status).toBe('submitted');
  });

  it('of a contract wallet is as good as the contract says', async () => {
    const contract = await fixture.contractWorker('contract');
    const quote = await fixture.quote(contract, task);
    expect(quote).toMatchObject({ status: 'submitted', workerWallet: contract.address });
  });

  it('gives each of twenty parallel quotes a place and a nonce of its own', async () => {
    const actions = await Promise.all(Array.from({ length: 20 }, () => prepare(worker)));
    expect(new Set(actions.map(({ node_id }) => node_id)).size).toBe(20);
    expect(new Set(actions.map(({ nonce }) => nonce)).size).toBe(20);
    expect(await fixture.dataSource.manager.countBy(QuoteEntity, { taskId: task.id })).toBe(20);
  });

  it('lets several signed quotes of one agent stand side by side', async () => {
    await fixture.quote(worker, task);
    await fixture.quote(worker, task, { price: 90_000_000n });
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual(['submitted', 'submitted']);
  });

  it('is withdrawn by cancelling its nonce on the chain, and by nothing else', async () => {
    const quote = await fixture.quote(worker, task);
    const tree = { buyer: task.buyerWallet, arbiter: task.arbiterWallet, treeId: treeIdOf(task.id) };
    await fixture.chain.send(fixture.chain.factory, encodeCreateTree(tree));
    const word = quote.nonce >> 8n;
    await fixture.chain.sendAs(worker.address, {
      to: task.escrowAddress,
      data: encodeInvalidateNonces(word, 1n << (quote.nonce & 255n)),
    } as never);
    await fixture.index();
    const isUsed = fixture.app.get(ChainClient).nonceUsed(task.escrowAddress, worker.address, quote.nonce);
    expect(await isUsed).toBe(true);
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual(['withdrawn']);
  });
});

describe('the agent of a quote', () => {
  it('is the only active one when none is named', async () => {
    expect((await fixture.quoteOf(await prepare(worker))).agentId).toBe(worker.agentId);
  });

  it('is the one of the wallet of its account, however good another would be', async () => {
    const owner = await fixture.worker('owner of two wallets', 'pasta');
    const other = {
      name: 'Audit one solidity contract',
      agentCardUrl: 'https://agents.example/second.json',
      capabilities: ['audit'],
      walletAddress: fixture.chain.wallet().address,
    };
    await fixture.app.get(AgentsService).publish({ id: owner.accountId, walletAddress: owner.address }, other);
    expect((await fixture.quoteOf(await prepare(owner))).agentId).toBe(owner.agentId);
  });

  it('is the best matched of several that work with the wallet of the account', async () => {
    const owner = await fixture.worker('owner of a cook and an auditor', 'pasta');
    const account = { id: owner.accountId, walletAddress: owner.address };
    const card = { name: 'Auditor', agentCardUrl: 'https://agents.example/second.json', capabilities: ['audit'] };
    const auditor = await fixture.app.get(AgentsService).publish(account, card);
    expect((await fixture.quoteOf(await prepare(owner))).agentId).toBe(auditor.id);
  });

  it('must be named when several fit alike, and exist and be active when there are none', async () => {
    const owner = await fixture.worker('owner of two', 'pasta');
    const account = { id: owner.accountId, walletAddress: owner.address };
    // Neither agent matches the task, so nothing tells the service which to choose.
    const card = { name: 'Second', agentCardUrl: 'https://agents.example/second.json', capabilities: ['pasta'] };
    const second = await fixture.app.get(AgentsService).publish(account, card);
    expect(await codeOf(owner, {})).toBe('invalid_body');
    expect((await fixture.quoteOf(await prepare(owner, { agentId: second.id }))).agentId).toBe(second.id);
    await fixture.app.get(AgentsService).update(account, second.id, { status: 'inactive' });
    expect(await codeOf(owner, { agentId: second.id })).toBe('state_conflict');
    expect(await codeOf(owner, {})).toBe('none');
    await fixture.app.get(AgentsService).update(account, owner.agentId, { status: 'inactive' });
    expect(await codeOf(owner, {})).toBe('state_conflict');
    expect(await codeOf(owner, { agentId: rival.agentId })).toBe('not_found');
  });
});

describe('a quote is refused', () => {
  const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + days * DAY_MS);

  it.each<[string, () => Partial<SubmitQuoteInput>, string]>([
    ['above the budget', () => ({ price: 250_000_001n }), 'state_conflict'],
    ['below 1 USDC', () => ({ price: 999_999n }), 'invalid_body'],
    ['on other terms', () => ({ termsHash: `0x${'0'.repeat(64)}` }), 'terms_mismatch'],
    ["with another accept window than the task's", () => ({ acceptWindowSeconds: 259_201 }), 'terms_mismatch'],
    ['that promises within a day', () => ({ deadline: inDays(0.9) }), 'invalid_body'],
    ['that promises after a year', () => ({ deadline: inDays(366) }), 'invalid_body'],
    ['that stands longer than 30 days', () => ({ deadline: inDays(60), validUntil: inDays(31) }), 'invalid_body'],
    ['with a floor above its price', () => ({ floor: 100_000_001n }), 'invalid_body'],
    ['with less than a day to work', () => ({ workSeconds: 86_399 }), 'invalid_body'],
    ['with eleven revisions', () => ({ maxRevisions: 11 }), 'invalid_body'],
    ['for a root node that the buyer would not pay', () => ({ hirerFunded: false }), 'invalid_body'],
    ['for a task that does not exist', () => ({ taskId: newId('task', Date.now()) }), 'not_found'],
    ['under a node of another task', () => ({ parentNodeId: `node_${'0'.repeat(26)}_1` }), 'not_found'],
    ['under a node that does not exist', () => ({ parentNodeId: nodeIdOf(task.id, 7n) }), 'not_found'],
    ['under what is no node', () => ({ parentNodeId: 'node_1' }), 'not_found'],
  ])('%s', async (_what, change, code) => {
    expect(await codeOf(worker, change())).toBe(code);
    expect(await fixture.dataSource.manager.countBy(QuoteEntity, { taskId: task.id })).toBe(0);
  });

  it('when the task has a funded agent, and again when the time for offers is over', async () => {
    await fixture.dataSource.query(`UPDATE tasks SET status = 'funded', chain_status = 'funded' WHERE id = $1`, [
      task.id,
    ]);
    expect(await codeOf(worker, {})).toBe('state_conflict');
    await fixture.dataSource.query(`UPDATE tasks SET status = 'refunded', chain_status = 'refunded' WHERE id = $1`, [
      task.id,
    ]);
    expect(await codeOf(worker, {})).toBe('none');
    fixture.app.clock.aheadMs = 15 * DAY_MS;
    expect(await codeOf(worker, {})).toBe('state_conflict');
  });

  it('from the buyer itself, from the arbiter, and from whoever holds their wallets', async () => {
    const arbiter = await fixture.worker('arbiter');
    const own = { ...(await fixture.worker('own agent')), accountId: buyer.accountId };
    await fixture.dataSource.query('UPDATE agents SET account_id = $1 WHERE id = $2', [buyer.accountId, own.agentId]);
    const ruled = await fixture.openTask(buyer, { arbiterWallet: arbiter.address });
    expect(await codeOf(own, {})).toBe('state_conflict');
    expect(await codeOf(arbiter, {}, ruled)).toBe('wallet_mismatch');
    await fixture.dataSource.query('UPDATE agents SET wallet_address = $1 WHERE id = $2', [
      fixture.chain.wallet().address,
      arbiter.agentId,
    ]);
    expect(await codeOf(arbiter, {}, ruled)).toBe('state_conflict');
    expect(await codeOf(worker, {}, ruled)).toBe('none');
    await fixture.dataSource.query('DELETE FROM agents WHERE id = $1', [own.agentId]);
  });

  it('when its task was funded between the preparation and the signature', async () => {
    const action = await prepare(worker);
    await fixture.dataSource.query(`UPDATE tasks SET status = 'funded', chain_status = 'funded' WHERE id = $1`, [
      task.id,
    ]);
    expect(await refusalOf(fixture.submit(worker, action))).toBe('state_conflict');
    expect((await fixture.quoteOf(action)).status).toBe('pending_signature');
  });

  it('at its signature when the operator has suspended the agent meanwhile', async () => {
    const action = await prepare(worker);
    const { agentId } = await fixture.quoteOf(action);
    await fixture.dataSource.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [agentId]);
    const code = await refusalOf(fixture.submit(worker, action));
    await fixture.dataSource.query(`UPDATE agents SET status = 'active' WHERE id = $1`, [agentId]);
    expect([code, (await fixture.quoteOf(action)).status]).toEqual(['state_conflict', 'pending_signature']);
    expect((await fixture.submit(worker, action)).status).toBe('signed');
  });

  it('beyond 25 that stand or wait to be signed, and possible again when those nobody signed are over', async () => {
    for (let count = 0; count < 25; count += 1) await prepare(worker);
    expect(await codeOf(worker, {})).toBe('state_conflict');
    expect(await codeOf(rival, {})).toBe('none');
    fixture.app.clock.aheadMs = 3_602_000;
    expect(await codeOf(worker, {})).toBe('none');
  });

  it('and waits for the task: no signature slips in while somebody else holds its row', async () => {
    const action = await prepare(worker);
    const other = fixture.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`UPDATE tasks SET status = 'funded', chain_status = 'funded' WHERE id = $1`, [task.id]);
    const submission = refusalOf(fixture.submit(worker, action));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await other.commitTransaction();
    await other.release();
    expect(await submission).toBe('state_conflict');
  });
});

describe('a quote under a node', () => {
  it('is for the worker of that node, within its time and what is left of its floor', async () => {
    const parent = await fundedNode(rival, 1n, { floor: 100_000_000n, allocated: 40_000_000n });
    const parentNodeId = parent;
    const deadline = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
    const child = { parentNodeId, deadline, price: 60_000_000n };
    expect(await codeOf(worker, { ...child, price: 60_000_001n })).toBe('insufficient_unallocated');
    expect(await codeOf(worker, { ...child, deadline: new Date(deadline.getTime() + 3 * DAY_MS) })).toBe(
      'nesting_violation',
    );
    const action = await prepare(worker, child);
    const { message } = action.payload as any;
    expect([message.hirer, message.terms.hirerFunded]).toEqual([rival.address, false]);
    expect(BigInt(message.terms.nodeId) >> 24n).toBe(1n);
    await fixture.submit(worker, action);
    expect(await fixture.quoteOf(action)).toMatchObject({
      status: 'submitted',
      payerAccountId: rival.accountId,
      hirerAgentId: rival.agentId,
      nodePath: BigInt(message.terms.nodeId),
    });
    expect(await fixture.statusesSeenBy(rival, task.id)).toEqual(['submitted']);
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual([]);
  });

  it('may take an hour, and ends before the node does', async () => {
    const parentNodeId = await fundedNode(rival, 1n, { floor: 100_000_000n });
    const timed = (workSeconds: number) => codeOf(worker, { parentNodeId, workSeconds, price: 1_000_000n });
    expect([await timed(3_599), await timed(3_600)]).toEqual(['invalid_body', 'none']);
    expect(await timed(8 * 86_400)).toBe('nesting_violation');
  });

  it('leaves its hirer ten minutes to take it up, and fits by itself when it names no time', async () => {
    const end = Math.floor(Date.now() / 1000) + 2 * 86_400;
    const parentNodeId = await fundedNode(rival, 1n, { deliveryDeadline: new Date(end * 1000) });
    const child = { parentNodeId, price: 1_000_000n, hirerFunded: true };
    expect(await codeOf(worker, { ...child, deadline: new Date(end * 1000) })).toBe('nesting_violation');
    expect(await codeOf(worker, { ...child, deadline: new Date((end - 590) * 1000) })).toBe('nesting_violation');
    expect(await codeOf(worker, { ...child, deadline: new Date((end - 660) * 1000) })).toBe('none');
    const { workSeconds: _none, ...untimed } = fixture.offerFor(task, child);
    const { payload } = await fixture.prepare('submit_quote', worker, untimed);
    const { workSeconds } = (payload as any).message.terms;
    const left = end - 600 - Math.floor(Date.now() / 1000);
    expect(Number(workSeconds)).toBeGreaterThanOrEqual(left);
    expect(Number(workSeconds)).toBeLessThan(left + 60);
  });

  it('may cost more than the node has when its hirer pays itself', async () => {
    const parentNodeId = await fundedNode(rival, 1n);
    const deadline = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
    expect(await codeOf(worker, { parentNodeId, deadline, price: 900_000_000n, hirerFunded: true })).toBe('none');
  });

  it('is refused to everyone who hires or works above it, by wallet and by account', async () => {
    const middle = await fixture.worker('middle');
    await fundedNode(worker, 1n);
    const parentNodeId = await fundedNode(middle, childPath(1n, 2), { hirerFunded: false });
    const deadline = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
    const child = { parentNodeId, deadline, price: 10_000_000n };
    expect(await codeOf(middle, child)).toBe('wallet_mismatch');
    expect(await codeOf(worker, child)).toBe('wallet_mismatch');
    const account = { id: worker.accountId, walletAddress: worker.address };
    const card = { name: 'Puppet', agentCardUrl: 'https://agents.example/puppet.json' };
    const puppet = await fixture.app
      .get(AgentsService)
      .publish(account, { ...card, walletAddress: fixture.chain.wallet().address });
    expect(await codeOf(worker, { ...child, agentId: puppet.id })).toBe('state_conflict');
    await fixture.app.get(AgentsService).update(account, puppet.id, { status: 'retired' });
    expect(await codeOf(rival, child)).toBe('none');
  });

  it('is refused when a node above was refunded, and when the node itself is not funded', async () => {
    await fundedNode(worker, 1n, { state: 'refunded' });
    const middle = await fixture.worker('middle of a closed tree');
    const parentNodeId = await fundedNode(middle, childPath(1n, 2), { hirerFunded: false });
    const deadline = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
    expect(await codeOf(rival, { parentNodeId, deadline })).toBe('state_conflict');
    await fixture.dataSource.query(`UPDATE escrow_nodes SET state = 'delivered' WHERE id = $1`, [parentNodeId]);
    expect(await codeOf(rival, { parentNodeId, deadline })).toBe('node_not_funded');
  });

  it('is refused below the eighth level', async () => {
    let path = 0n;
    for (let level = 1; level <= 8; level += 1) {
      const at = await fixture.worker(`level ${level}`);
      path = childPath(path, level);
      const parentNodeId = await fundedNode(at, path, { hirerFunded: level === 1 });
      const deadline = new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS);
      const code = await codeOf(rival, { parentNodeId, deadline, price: 1_000_000n });
      expect([level, code]).toEqual([level, level < 8 ? 'none' : 'nesting_violation']);
    }
  });
});
