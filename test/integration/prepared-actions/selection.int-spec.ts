import { id as keccakOf, verifyTypedData } from 'ethers';
import { encodeCreateTree, encodeInvalidateNonces, NodeState, treeIdOf } from '#libs/contracts';
import { nodeIdOf } from '#libs/kernel';
import { AgentsService } from '../../../src/modules/agents/agents.service.js';
import { ActionsService } from '../../../src/modules/prepared-actions/lifecycle/actions.service.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { SelectedQuotes } from '../../../src/modules/prepared-actions/money/selected-quotes.js';
import type { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import type { Trader } from '../../support/action-fixture.js';
import { codeOf as refusalOf } from '../../support/failure.js';
import { DAY_MS, OfferFixture, type Worker } from '../../support/offer-fixture.js';

/** The struct of docs/decisions/escrow.md#signed-actions, typed here a second time on purpose. */
const TERMS =
  'uint192 nodeId,address worker,uint64 amount,uint64 floor,uint32 workSeconds,uint24 acceptWindow,uint8 maxRevisions,' +
  'bool hirerFunded,bytes32 termsHash';
const H = 'bytes32 actionId,bytes32 requestDigest,uint256 nonce,uint256 validUntil';
const members = (list: string) =>
  list.split(',').map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { name, type };
  });

let fixture: OfferFixture;
let buyer: Trader;
let worker: Worker;
let rival: Worker;
let task: TaskEntity;

beforeAll(async () => {
  fixture = await OfferFixture.start();
  buyer = await fixture.person('buyer');
  worker = await fixture.worker('worker');
  rival = await fixture.worker('rival', 'pasta');
});
beforeEach(async () => {
  task = await fixture.openTask(buyer);
});
afterEach(() => {
  fixture.app.clock.aheadMs = 0;
});
afterAll(() => fixture?.stop());

const select = (agent: Worker | null, who = buyer, of = task): Promise<PreparedActionDto> =>
  fixture.prepare('select_agent', who, { taskId: of.id, agentId: agent?.agentId ?? null });
const codeOf = (agent: Worker | null, who = buyer, of = task) => refusalOf(select(agent, who, of));
const taskNow = () => fixture.task(task.id);

/** Deploys the task's escrow, without a node. */
async function deployed(): Promise<void> {
  const tree = { buyer: task.buyerWallet, arbiter: task.arbiterWallet, treeId: treeIdOf(task.id) };
  await fixture.chain.send(fixture.chain.factory, encodeCreateTree(tree));
  await fixture.index();
}

/** Pays for a task's selection with the buyer's money, as anybody may send it. */
async function pay(who = buyer, of = task): Promise<void> {
  await fixture.chain.callUsdc('mint', [who.address, 100_000_000n]);
  const payment = await fixture.prepare('fund_task', who, { taskId: of.id, fundingMode: 'authorization' });
  await fixture.relay(await fixture.submit(who, payment));
}

describe('selecting an agent', () => {
  it('signs exactly the terms of the quote, as a client can check from the interface alone', async () => {
    const quote = await fixture.quote(worker, task);
    const action = await select(worker);
    const { domain, primaryType, types, message } = action.payload as any;
    expect(action).toMatchObject({
      kind: 'select_agent',
      principal: buyer.accountId,
      wallet_address: buyer.address,
      task_id: task.id,
      node_id: nodeIdOf(task.id, quote.nodePath),
      escrow_address: task.escrowAddress,
    });
    expect(domain).toEqual({ name: 'Tasktree', version: '2', chainId: 31337, verifyingContract: task.escrowAddress });
    expect([primaryType, types.NodeTerms, types.SelectAgent]).toEqual([
      'SelectAgent',
      members(TERMS),
      members(`NodeTerms terms,address token,${H}`),
    ]);
    expect(message).toEqual({
      terms: {
        nodeId: String(quote.nodePath),
        worker: worker.address,
        amount: '100000000',
        floor: '50000000',
        workSeconds: '604800',
        acceptWindow: '259200',
        maxRevisions: '3',
        hirerFunded: true,
        termsHash: task.termsHash,
      },
      token: fixture.chain.usdc,
      actionId: keccakOf(action.action_id),
      requestDigest: action.request_digest,
      nonce: action.nonce,
      validUntil: String(quote.validUntil.getTime() / 1000),
    });
  });

  it('selects by the signature alone, without a transaction', async () => {
    const quote = await fixture.quote(worker, task);
    const action = await select(worker);
    expect((await taskNow()).status).toBe('open');
    await fixture.submit(buyer, action);
    expect(await taskNow()).toMatchObject({
      status: 'selected',
      selectedAgentId: worker.agentId,
      selectedQuoteId: quote.id,
      selectionActionId: action.action_id,
      selectionUntil: quote.validUntil,
    });
  });

  it('has no transaction, before the signature and after it', async () => {
    await fixture.quote(worker, task);
    const action = await select(worker);
    expect(action.payload).not.toHaveProperty('transaction');
    expect(action.payload).not.toHaveProperty('calls');
    expect(await fixture.submit(buyer, action)).not.toHaveProperty('transaction');
    await deployed();
    expect((await select(worker)).payload).not.toHaveProperty('transaction');
  });

  it('is followed by the payment, which makes the quote accepted and confirms the selection', async () => {
    const quote = await fixture.quote(worker, task);
    const signed = await fixture.submit(buyer, await select(worker));
    const unsigned = await select(worker);
    await pay();
    expect(await fixture.node(task, quote.nodePath)).toMatchObject({
      state: NodeState.Funded,
      worker: worker.address,
      amount: 100_000_000n,
      floor: 50_000_000n,
    });
    const read = ({ action_id: id }: { action_id: string }) =>
      fixture.app.get(ActionsService).get({ accountId: buyer.accountId, scopes: ['buyer'] }, id);
    expect(await read(signed)).toMatchObject({ status: 'confirmed', transaction_hash: expect.any(String) });
    expect((await read(unsigned)).status).toBe('superseded');
    expect(await taskNow()).toMatchObject({ status: 'funded', selectedAgentId: worker.agentId });
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual(['accepted']);
  });

  it('leaves a quote alone whose payment the buyer has cancelled on the chain, and takes another', async () => {
    const [cancelled, other] = [await fixture.quote(worker, task), await fixture.quote(worker, task)];
    await deployed();
    const data = encodeInvalidateNonces(cancelled.nodePath, 1n);
    await fixture.chain.sendAs(buyer.address, { to: task.escrowAddress, data });
    await fixture.index();
    const action = await select(worker);
    expect(action.node_id).toBe(nodeIdOf(task.id, other.nodePath));
  });

  it('works between two contract wallets', async () => {
    const [patron, robot] = [await fixture.contractPerson('patron'), await fixture.contractWorker('robot')];
    const theirs = await fixture.openTask(patron);
    await fixture.quote(robot, theirs);
    await fixture.submit(patron, await select(robot, patron, theirs));
    expect(await fixture.task(theirs.id)).toMatchObject({ status: 'selected', selectedAgentId: robot.agentId });
  });

  it('waits for the payment as the task says that it stands, when what was read beside the task is older', async () => {
    await fixture.quote(worker, task);
    const quote = await fixture.quote(rival, task);
    const selected = fixture.app.get(SelectedQuotes);
    expect(await selected.of(await taskNow())).toBeNull();
    await fixture.submit(buyer, await select(worker));
    const before = selected.ahead(task.id);
    await before;
    await fixture.submit(buyer, await select(rival));
    expect(await selected.of(await taskNow(), before)).toMatchObject({ id: quote.id, workerWallet: rival.address });
    await fixture.dataSource.query(`UPDATE quotes SET status = 'withdrawn' WHERE id = $1`, [quote.id]);
    expect(await selected.of(await taskNow())).toBeNull();
  });

  it('takes the newest of several offers of the agent', async () => {
    await fixture.quote(worker, task, { price: 80_000_000n });
    const newest = await fixture.quote(worker, task, { price: 90_000_000n });
    expect((await select(worker)).node_id).toBe(nodeIdOf(task.id, newest.nodePath));
  });

  it('can be changed while nothing is paid: the signature that comes last counts', async () => {
    await fixture.quote(worker, task);
    await fixture.quote(rival, task);
    const [first, second] = await Promise.all([select(worker), select(rival)]);
    await Promise.all([fixture.submit(buyer, first), fixture.submit(buyer, second)]);
    const chosen = (await taskNow()).selectedAgentId;
    expect([worker.agentId, rival.agentId]).toContain(chosen);
    const [again, winner] = chosen === worker.agentId ? [rival, rival] : [worker, worker];
    await fixture.submit(buyer, await select(again));
    expect(await taskNow()).toMatchObject({ status: 'selected', selectedAgentId: winner.agentId });
  });

  it('may be prepared twice for one quote: both say the same, so they share the nonce of the node', async () => {
    const quote = await fixture.quote(worker, task);
    const [one, other] = await Promise.all([select(worker), select(worker)]);
    await fixture.submit(buyer, one);
    await fixture.submit(buyer, other);
    expect([one.nonce, other.nonce]).toEqual([String(quote.nodePath << 8n), String(quote.nodePath << 8n)]);
    expect((await taskNow()).selectionActionId).toBe(other.action_id);
    await pay();
    expect(await codeOf(worker)).toBe('state_conflict');
  });

  it('is verified against exactly the struct that docs/decisions/escrow.md prints', async () => {
    await fixture.quote(worker, task);
    const action = await select(worker);
    const { domain, message } = action.payload as any;
    const types = { SelectAgent: members(`NodeTerms terms,address token,${H}`), NodeTerms: members(TERMS) };
    const signature = await buyer.key.signTypedData(domain, types, message);
    expect(verifyTypedData(domain, types, message, signature)).toBe(buyer.address);
    expect((await fixture.submit(buyer, action)).status).toBe('signed');
  });
});

describe('the service names an agent', () => {
  beforeEach(async () => {
    task = await fixture.openTask(buyer, { selectionMode: 'auto', title: 'Audit', criteria: ['An audit report'] });
  });

  it('by the rank of the match list, not by price', async () => {
    await fixture.quote(rival, task, { price: 1_000_000n });
    const best = await fixture.quote(worker, task, { price: 200_000_000n });
    expect((await select(null)).node_id).toBe(nodeIdOf(task.id, best.nodePath));
  });

  it('also for a task that was created for manual selection: the buyer signs it anyway', async () => {
    const manual = await fixture.openTask(buyer, { title: 'Audit', criteria: ['An audit report'] });
    await fixture.quote(rival, manual, { price: 1_000_000n });
    const best = await fixture.quote(worker, manual, { price: 200_000_000n });
    expect((await select(null, buyer, manual)).node_id).toBe(nodeIdOf(manual.id, best.nodePath));
  });

  it('by the lowest price where none is in the list', async () => {
    const other = await fixture.worker('other', 'knitting');
    await fixture.quote(rival, task, { price: 90_000_000n });
    const cheapest = await fixture.quote(other, task, { price: 70_000_000n });
    expect((await select(null)).node_id).toBe(nodeIdOf(task.id, cheapest.nodePath));
  });

  it('never by an offer that is over, unsigned, of a retired agent, or that its wallet disowns', async () => {
    expect(await codeOf(null)).toBe('state_conflict');
    await fixture.prepare('submit_quote', worker, fixture.offerFor(task));
    expect(await codeOf(null)).toBe('state_conflict');
    const fickle = await fixture.contractWorker('fickle');
    const disowned = await fixture.quote(fickle, task);
    await fixture.chain.anvil.rpc('anvil_setCode', fickle.address, '0x');
    expect(await codeOf(null)).toBe('state_conflict');
    const valid = await fixture.quote(rival, task);
    expect(disowned.status).toBe('submitted');
    expect((await select(null)).node_id).toBe(nodeIdOf(task.id, valid.nodePath));
    const account = { id: fickle.accountId, walletAddress: fickle.address };
    await fixture.app.get(AgentsService).update(account, fickle.agentId, { status: 'retired' });
    fixture.app.clock.aheadMs = 4 * DAY_MS;
    expect(await codeOf(null)).toBe('state_conflict');
  });

  it('but its buyer may still name another', async () => {
    await fixture.quote(worker, task);
    const other = await fixture.quote(rival, task);
    expect((await select(rival)).node_id).toBe(nodeIdOf(task.id, other.nodePath));
  });
});

describe('a selection is refused', () => {
  it('to whoever does not see the task, then to everyone but its buyer', async () => {
    const hidden = await fixture.openTask(buyer, { tier: 'private_curated' });
    await fixture.quote(worker, task);
    expect(await codeOf(worker, rival, hidden)).toBe('not_found');
    expect(await codeOf(worker, rival)).toBe('not_task_buyer');
    expect(await codeOf(worker, worker)).toBe('not_task_buyer');
  });

  it('for an agent that does not exist, has made no offer, or is not active', async () => {
    expect(await codeOf({ ...worker, agentId: 'agent_unknown' })).toBe('not_found');
    expect(await codeOf(rival)).toBe('state_conflict');
    const leaver = await fixture.worker('leaver');
    await fixture.quote(leaver, task);
    const account = { id: leaver.accountId, walletAddress: leaver.address };
    await fixture.app.get(AgentsService).update(account, leaver.agentId, { status: 'inactive' });
    expect(await codeOf(leaver)).toBe('state_conflict');
  });

  it('for an offer that nobody signed', async () => {
    await fixture.prepare('submit_quote', worker, fixture.offerFor(task));
    expect(await codeOf(worker)).toBe('state_conflict');
  });

  it('when the offer is over or about to be', async () => {
    const { validUntil } = await fixture.quote(worker, task);
    fixture.app.clock.aheadMs = validUntil.getTime() - Date.now() - 100_000;
    expect(await codeOf(worker)).toBe('quote_expired');
    fixture.app.clock.aheadMs = validUntil.getTime() - Date.now() + 2_000;
    expect(await codeOf(worker)).toBe('quote_expired');
  });

  it('when the worker has withdrawn on the chain, before the index knows', async () => {
    await deployed();
    const { nonce } = await fixture.quote(worker, task);
    const data = encodeInvalidateNonces(nonce >> 8n, 1n << (nonce & 255n));
    await fixture.chain.sendAs(worker.address, { to: task.escrowAddress, data });
    expect(await codeOf(worker)).toBe('state_conflict');
    await fixture.index();
    expect(await fixture.statusesSeenBy(buyer, task.id)).toEqual(['withdrawn']);
    expect(await codeOf(worker)).toBe('state_conflict');
  });

  it("when the worker's contract wallet has changed its mind", async () => {
    const fickle = await fixture.contractWorker('changes its mind');
    await fixture.quote(fickle, task);
    await fixture.chain.anvil.rpc('anvil_setCode', fickle.address, '0x60006000fd');
    expect(await codeOf(fickle)).toBe('state_conflict');
  });

  it('when the task is funded, and when its time for offers is over after a refund', async () => {
    await fixture.quote(worker, task, { validUntil: new Date(Math.floor(Date.now() / 1000) * 1000 + 5 * DAY_MS) });
    await fixture.dataSource.query(`UPDATE tasks SET status = 'funded', chain_status = 'funded' WHERE id = $1`, [
      task.id,
    ]);
    expect(await codeOf(worker)).toBe('state_conflict');
    await fixture.dataSource.query(
      `UPDATE tasks SET status = 'refunded', chain_status = 'refunded', offers_until = now() + interval '1 day' WHERE id = $1`,
      [task.id],
    );
    expect(await codeOf(worker)).toBe('none');
    fixture.app.clock.aheadMs = DAY_MS + 2_000;
    expect(await codeOf(worker)).toBe('window_closed');
  });

  it('at its signature when the operator has suspended the agent meanwhile', async () => {
    const { agentId } = await fixture.quote(worker, task);
    const action = await select(worker);
    await fixture.dataSource.query(`UPDATE agents SET status = 'suspended' WHERE id = $1`, [agentId]);
    const refusal = await fixture.submit(buyer, action).catch((error: unknown) => error);
    await fixture.dataSource.query(`UPDATE agents SET status = 'active' WHERE id = $1`, [agentId]);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('suspended') });
    expect(await taskNow()).toMatchObject({ status: 'open', selectedQuoteId: null });
    expect((await fixture.submit(buyer, action)).status).toBe('signed');
  });

  it('at its signature when the offer ended or the task was funded after it was prepared', async () => {
    const validUntil = new Date(Math.floor(Date.now() / 1000) * 1000 + 700_000);
    const quote = await fixture.quote(worker, task, { validUntil });
    const action = await select(worker);
    expect(Date.parse(action.expires_at)).toBeLessThanOrEqual(validUntil.getTime());
    await fixture.dataSource.query(`UPDATE quotes SET status = 'withdrawn' WHERE id = $1`, [quote.id]);
    expect(await refusalOf(fixture.submit(buyer, action))).toBe('state_conflict');
    await fixture.dataSource.query(`UPDATE quotes SET status = 'submitted' WHERE id = $1`, [quote.id]);
    await fixture.dataSource.query(`UPDATE tasks SET status = 'funded', chain_status = 'funded' WHERE id = $1`, [
      task.id,
    ]);
    expect(await refusalOf(fixture.submit(buyer, action))).toBe('state_conflict');
    await fixture.dataSource.query(`UPDATE tasks SET status = 'open', chain_status = NULL WHERE id = $1`, [task.id]);
    expect((await taskNow()).selectedQuoteId).toBeNull();
    fixture.app.clock.aheadMs = 702_000;
    expect(await refusalOf(fixture.submit(buyer, action))).toBe('window_closed');
  });
});
