import { ZeroAddress } from 'ethers';
import {
  encodeClaimNonDelivery,
  encodeDeliver,
  encodeDisputeNode,
  encodeFinalize,
  encodeRejectTask,
  encodeRuleDispute,
} from '../../../libs/contracts/src/index.js';
import { childPath, EMPTY_REQUEST_DIGEST, type Hex, nodeIdOf } from '../../../libs/kernel/src/index.js';
import { describeAction } from '../../../libs/prepared-action/src/index.js';
import { DeliveriesService } from '../../../src/modules/deliveries/deliveries.service.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { NodesService } from '../../../src/modules/escrow/nodes.service.js';
import { DeliverySubmissions } from '../../../src/modules/prepared-actions/intents/delivery-submissions.service.js';
import { PreparedActionsService } from '../../../src/modules/prepared-actions/prepared-actions.service.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { codeOf } from '../../support/failure.js';
import { type WorkParty, type WorkTree, WorkMarket } from './work-market.js';

const DAY = 86_400;
const PRICE = 100_000_000n;
const ARTIFACT: Hex = `0x${'ab'.repeat(32)}`;
const OTHER_ARTIFACT: Hex = `0x${'ac'.repeat(32)}`;
const ZERO32: Hex = `0x${'00'.repeat(32)}`;
/** The node that `hireBelow(tree, 2, …)` makes. */
const CHILD = childPath(1n, 2);

let market: WorkMarket;
let arbiter: Hex;

beforeAll(async () => {
  market = await WorkMarket.begin();
  arbiter = (await market.person('arbiter')).address;
});
afterAll(() => market?.stop());

async function deliver(who: WorkParty, taskId: string, text: string, nodeId?: string, payOut = true) {
  const artifact = await market.artifact(who, text);
  const intent = { accountId: who.accountId, walletAddress: who.address, requestDigest: EMPTY_REQUEST_DIGEST };
  const input = { taskId, ...artifact, payOut, ...(nodeId === undefined ? {} : { nodeId }) };
  return market.get(DeliverySubmissions).submit(intent, input);
}

const buyerOf = ({ taskId }: WorkTree) => ({ taskId, nodeId: null });
const stateOf = async (nodeId: string) =>
  (await market.dataSource.manager.findOneByOrFail(EscrowNodeEntity, { id: nodeId })).state;
const shownTo = async ({ accountId }: WorkParty, taskId: string) =>
  (await market.get(NodesService).list({ accountId }, taskId, { limit: 25 })).data;
const deliveriesOf = async ({ accountId }: WorkParty, taskId: string) =>
  (await market.get(DeliveriesService).list({ accountId }, { limit: 25, task_id: taskId })).data;

/** Delivers on the chain without the service, as any worker's wallet can. */
async function deliverOnChain(tree: WorkTree, artifact: Hex = ARTIFACT, path = 1n, by = tree.worker): Promise<void> {
  await market.send(by, tree.escrow, encodeDeliver(path, artifact, false, await market.ownAuth(tree, path)));
}

async function delivered(own: Parameters<WorkMarket['tree']>[0] = {}, afterSeconds = 0): Promise<WorkTree> {
  const tree = await market.tree(own);
  if (afterSeconds > 0) await market.travel(afterSeconds);
  await deliverOnChain(tree);
  await market.index();
  return tree;
}

async function rejected(own: Parameters<WorkMarket['tree']>[0] = {}): Promise<WorkTree> {
  const tree = await delivered(own);
  await market.send(tree.buyer, tree.escrow, encodeRejectTask(1n, ARTIFACT, ZERO32, await market.ownAuth(tree, 1n)));
  await market.index();
  return tree;
}

describe('delivering', () => {
  it('keeps the artifact in custody for as long as the delivery can be executed, and longer', async () => {
    const tree = await market.tree();
    const { prepared_action: action } = await deliver(tree.worker, tree.taskId, 'kept for its delivery');
    const [row] = await market.dataSource.query<{ spare_days: number }[]>(
      `SELECT extract(epoch FROM custody.kept_until - action.valid_until)::float8 / 86400 AS spare_days
       FROM prepared_actions action JOIN artifact_custody custody ON custody.account_id = action.account_id
         AND custody.artifact_hash = action.payload -> 'message' ->> 'artifactHash'
       WHERE action.id = $1`,
      [action.action_id],
    );
    expect(row!.spare_days).toBeCloseTo(14, 3);
  });

  it('is mined as returned from the worker itself, and the record it named becomes true', async () => {
    const tree = await market.tree();
    const { prepared_action: action, ...record } = await deliver(tree.worker, tree.taskId, 'first');
    expect(record).toMatchObject({
      id: `${tree.root.replace('node_', 'dlv_')}_1`,
      task_id: tree.taskId,
      node_id: tree.root,
      status: 'submitted',
      revision: 1,
    });
    expect(action).toMatchObject({ kind: 'deliver', node_id: tree.root, wallet_address: tree.worker.address });
    expect(action.payload['message']).toMatchObject({
      nodeId: '1',
      artifactHash: record.artifact_hash,
      payOut: true,
    });
    expect(action.nonce).toBe('257');
    expect(await deliveriesOf(tree.buyer, tree.taskId)).toEqual([]);
    await market.sendDirect(action);
    expect(await stateOf(tree.root)).toBe('delivered');
    expect(await market.statusOf(action)).toBe('confirmed');
    const [shown] = await deliveriesOf(tree.buyer, tree.taskId);
    expect(shown).toEqual({ ...record, status: 'available', created_at: expect.any(String) });
  });

  it('is mined when anyone sends it with the signature, of a plain wallet and of a contract wallet', async () => {
    for (const worker of [await market.person('worker'), await market.contractPerson('worker')]) {
      const tree = await market.tree({ worker });
      const { prepared_action: action } = await deliver(worker, tree.taskId, 'signed', tree.root);
      await market.relay(action.action_id, await market.sign(worker, action));
      expect(await stateOf(tree.root)).toBe('delivered');
    }
  });

  it('is refused on chain under a signature of somebody else', async () => {
    const tree = await market.tree();
    const { prepared_action: action } = await deliver(tree.worker, tree.taskId, 'forged');
    await expect(market.relay(action.action_id, await market.sign(tree.buyer, action))).rejects.toThrow('refused');
  });

  it('follows a rejection as a revision of its own', async () => {
    const tree = await rejected({ arbiter });
    const { prepared_action: action, ...record } = await deliver(tree.worker, tree.taskId, 'mended');
    expect(record).toMatchObject({ revision: 2, id: `${tree.root.replace('node_', 'dlv_')}_2` });
    await market.sendDirect(action);
    const shown = await deliveriesOf(tree.worker, tree.taskId);
    expect(shown.map(({ revision, status }) => [revision, status])).toEqual([
      [2, 'available'],
      [1, 'rejected'],
    ]);
  });

  it('takes no receipt of another account, of another artifact, or of nobody', async () => {
    const tree = await market.tree();
    const own = await market.artifact(tree.worker, 'own');
    const foreign = await market.artifact(tree.buyer, 'foreign');
    const submit = (artifact: { artifactHash: Hex; custodyReceipt: string }, taskId = tree.taskId) => {
      const { accountId, address } = tree.worker;
      const intent = { accountId, walletAddress: address, requestDigest: EMPTY_REQUEST_DIGEST };
      return codeOf(market.get(DeliverySubmissions).submit(intent, { taskId, ...artifact, payOut: true }));
    };
    expect(await submit(foreign)).toBe('invalid_body');
    expect(await submit({ ...own, artifactHash: foreign.artifactHash })).toBe('invalid_body');
    expect(await submit({ ...own, custodyReceipt: 'AAAA' })).toBe('invalid_body');
    expect(await submit(own, 'task_unknown')).toBe('not_found');
    expect(await submit(own)).toBe('none');
  });

  it('needs the node named where several wait, and finds the only one that does', async () => {
    const tree = await market.tree();
    await market.hireRoot(tree, 2);
    await market.index();
    expect(await codeOf(deliver(tree.worker, tree.taskId, 'which?'))).toBe('invalid_body');
    await deliverOnChain(tree);
    await market.index();
    expect((await deliver(tree.worker, tree.taskId, 'this one')).node_id).toBe(nodeIdOf(tree.taskId, 2n));
    await deliverOnChain(tree, ARTIFACT, 2n);
    await market.index();
    expect(await codeOf(deliver(tree.worker, tree.taskId, 'none'))).toBe('state_conflict');
  });

  it('is for the worker of the node alone, and hides what the caller does not see', async () => {
    const tree = await market.tree();
    const stranger = await market.person('stranger');
    const hired = await market.person('hired');
    const child = await market.hireBelow(tree, 2, hired);
    expect(await codeOf(deliver(stranger, tree.taskId, 'x'))).toBe('not_found');
    expect(await codeOf(deliver(tree.buyer, tree.taskId, 'x'))).toBe('not_node_worker');
    expect(await codeOf(deliver(tree.buyer, tree.taskId, 'x', tree.root))).toBe('not_node_worker');
    expect(await codeOf(deliver(hired, tree.taskId, 'x', tree.root))).toBe('not_found');
    expect(await codeOf(deliver(tree.worker, tree.taskId, 'x', child))).toBe('not_node_worker');
    expect((await deliver(hired, tree.taskId, 'x')).node_id).toBe(child);
  });

  it('ends with the delivery deadline, and with the money behind the node', async () => {
    const tree = await market.tree();
    const hired = await market.person('hired');
    await market.hireBelow(tree, 2, hired);
    await market.travel(10 * DAY + 60);
    expect(await codeOf(deliver(tree.worker, tree.taskId, 'late'))).toBe('window_closed');
    const claim = encodeClaimNonDelivery(1n, tree.buyer.address, await market.ownAuth(tree, 1n));
    await market.send(tree.buyer, tree.escrow, claim);
    await market.index();
    expect(await codeOf(deliver(hired, tree.taskId, 'for nothing'))).toBe('state_conflict');
    expect(await codeOf(market.prepare('reject_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
  });

  it('is refused when the chain is ahead of the index', async () => {
    const tree = await market.tree();
    await deliverOnChain(tree);
    expect(await codeOf(deliver(tree.worker, tree.taskId, 'twice'))).toBe('state_conflict');
  });
});

describe('accepting', () => {
  it('is mined as returned from the buyer itself, and releases the node and its delivery', async () => {
    const tree = await delivered();
    const action = await market.prepare('resolve_task', tree.buyer, buyerOf(tree));
    expect(action).toMatchObject({ kind: 'resolve_task', node_id: tree.root, wallet_address: tree.buyer.address });
    expect(action.payload['message']).toMatchObject({
      nodeId: '1',
      worker: tree.worker.address,
      amount: '100000000',
      artifactHash: ARTIFACT,
    });
    await market.sendDirect(action);
    expect([await stateOf(tree.root), await market.statusOf(action)]).toEqual(['released', 'confirmed']);
    expect((await deliveriesOf(tree.worker, tree.taskId)).map(({ status }) => status)).toEqual(['released']);
  });

  it('is mined under the signature of a plain wallet and of a contract wallet', async () => {
    for (const buyer of [await market.person('buyer'), await market.contractPerson('buyer')]) {
      const tree = await delivered({ buyer });
      const action = await market.prepare('resolve_task', buyer, buyerOf(tree));
      await market.relay(action.action_id, await market.sign(buyer, action));
      expect(await stateOf(tree.root)).toBe('released');
    }
  });

  it('gives a rejection or a dispute up', async () => {
    const tree = await rejected({ arbiter });
    const stale = await market.prepare('resolve_task', tree.buyer, buyerOf(tree));
    await market.send(tree.worker, tree.escrow, encodeDisputeNode(1n, ZERO32, await market.ownAuth(tree, 1n)));
    // What the index shows is not what the chain would accept now.
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    expect(await market.statusOf(stale)).toBe('prepared');
    await market.index();
    expect([await stateOf(tree.root), await market.statusOf(stale)]).toEqual(['disputed', 'superseded']);
    await expect(market.sendDirect(stale)).rejects.toThrow('refused');
    await market.sendDirect(await market.prepare('resolve_task', tree.buyer, buyerOf(tree)));
    expect(await stateOf(tree.root)).toBe('released');
  });

  it('pays the worker at once where its delivery said so, and leaves the money to be withdrawn where not', async () => {
    for (const payOut of [true, false]) {
      const tree = await market.tree();
      const { prepared_action: delivery } = await deliver(tree.worker, tree.taskId, 'paid', tree.root, payOut);
      await market.relay(delivery.action_id, await market.sign(tree.worker, delivery));
      await market.sendDirect(await market.prepare('resolve_task', tree.buyer, buyerOf(tree)));
      const paid = await market.chain.balanceOf(tree.worker.address);
      expect([paid, await market.chain.balanceOf(tree.escrow)]).toEqual(payOut ? [PRICE, 0n] : [0n, PRICE]);
      const withdrawal = market.prepare('withdraw_earnings', tree.worker, { destination: tree.worker.address });
      expect(await codeOf(withdrawal)).toBe(payOut ? 'state_conflict' : 'none');
    }
  });

  it('is for the worker above in the case of a child, and for nobody else', async () => {
    const tree = await market.tree();
    const hired = await market.person('hired');
    const nodeId = await market.hireBelow(tree, 2, hired);
    await deliverOnChain(tree, ARTIFACT, CHILD, hired);
    await market.index();
    const child = { taskId: tree.taskId, nodeId };
    const root = { taskId: tree.taskId, nodeId: tree.root };
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, child))).toBe('not_node_hirer');
    expect(await codeOf(market.prepare('resolve_task', hired, child))).toBe('not_node_hirer');
    expect(await codeOf(market.prepare('resolve_task', tree.worker, root))).toBe('not_node_hirer');
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, root))).toBe('not_node_hirer');
    const asRoot = { ...buyerOf(tree), rootNodeId: nodeId };
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, asRoot))).toBe('not_found');
    expect(await codeOf(market.prepare('resolve_task', tree.worker, buyerOf(tree)))).toBe('not_task_buyer');
    expect(await codeOf(market.prepare('resolve_task', await market.person('stranger'), child))).toBe('not_found');
    const action = await market.prepare('resolve_task', tree.worker, child);
    await market.relay(action.action_id, await market.sign(tree.worker, action));
    expect(await stateOf(nodeId)).toBe('released');
  });

  it('is of the root that the buyer names, where two hold money; of the newest without a name', async () => {
    const tree = await delivered();
    const nodeId = await market.hireBelow(await market.tree({ buyer: tree.buyer }), 2, await market.person('hired'));
    await market.hireRoot(tree, 2);
    await market.index();
    const named = (rootNodeId: string) => ({ ...buyerOf(tree), rootNodeId });
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    for (const kind of ['resolve_task', 'reject_task'] as const) {
      expect(await market.prepare(kind, tree.buyer, named(tree.root))).toMatchObject({ node_id: tree.root });
      for (const other of [nodeId, nodeIdOf(tree.taskId, 3n), nodeIdOf(tree.taskId, CHILD)]) {
        expect(await codeOf(market.prepare(kind, tree.buyer, named(other)))).toBe('not_found');
      }
      expect(await codeOf(market.prepare(kind, tree.buyer, named(nodeIdOf(tree.taskId, 2n))))).toBe('state_conflict');
      expect(await codeOf(market.prepare(kind, tree.worker, named(tree.root)))).toBe('not_task_buyer');
      expect(await codeOf(market.prepare(kind, await market.person('stranger'), named(tree.root)))).toBe('not_found');
    }
    await market.sendDirect(await market.prepare('resolve_task', tree.buyer, named(tree.root)));
    expect(await stateOf(tree.root)).toBe('released');
  });

  it('is refused before a delivery, and after what silence has decided', async () => {
    const tree = await market.tree();
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    await deliverOnChain(tree);
    await market.index();
    await market.travel(3 * DAY + 60);
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('window_closed');
    expect(await codeOf(market.prepare('reject_task', tree.buyer, buyerOf(tree)))).toBe('window_closed');
    expect((await shownTo(tree.worker, tree.taskId))[0]).toMatchObject({
      effective_state: 'released',
      allowed_actions: ['withdraw_earnings'],
    });
    await market.chain.send(tree.escrow, encodeFinalize(1n));
    await market.index();
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
  });

  it('never reaches an artifact that the buyer has not seen', async () => {
    const tree = await delivered({ arbiter });
    const prepared = await market.prepare('resolve_task', tree.buyer, buyerOf(tree));
    await market.send(tree.buyer, tree.escrow, encodeRejectTask(1n, ARTIFACT, ZERO32, await market.ownAuth(tree, 1n)));
    await deliverOnChain(tree, OTHER_ARTIFACT);
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    expect(await codeOf(market.prepare('reject_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    await expect(market.sendDirect(prepared)).rejects.toThrow('refused');
  });

  it('and rejecting can both be signed: the chain takes one, and the other is superseded', async () => {
    const tree = await delivered({ arbiter });
    const [accepting, rejecting] = await Promise.all([
      market.prepare('resolve_task', tree.buyer, buyerOf(tree)),
      market.prepare('reject_task', tree.buyer, buyerOf(tree)),
    ]);
    expect(accepting.nonce).toBe(rejecting.nonce);
    await market.relay(accepting.action_id, await market.sign(tree.buyer, accepting));
    await expect(market.relay(rejecting.action_id, await market.sign(tree.buyer, rejecting))).rejects.toThrow(
      'refused',
    );
    expect(await Promise.all([accepting, rejecting].map((action) => market.statusOf(action)))).toEqual([
      'confirmed',
      'superseded',
    ]);
    expect(await codeOf(market.prepare('reject_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
  });

  it('takes the live root node when the buyer has hired again after a refund', async () => {
    const tree = await market.tree();
    await market.travel(10 * DAY + 60);
    await market.send(
      tree.buyer,
      tree.escrow,
      encodeClaimNonDelivery(1n, tree.buyer.address, await market.ownAuth(tree, 1n)),
    );
    await market.hireRoot(tree, 2);
    await deliverOnChain(tree, ARTIFACT, 2n);
    await market.index();
    const action = await market.prepare('resolve_task', tree.buyer, buyerOf(tree));
    expect(action.node_id).toBe(nodeIdOf(tree.taskId, 2n));
  });
});

describe('rejecting', () => {
  const reason = 'Page 12 is missing.\n\tSo is page 13: 資料.';

  it('is mined as returned, and shows its reason once the chain has it', async () => {
    const tree = await delivered({ arbiter });
    const action = await market.prepare('reject_task', tree.buyer, { ...buyerOf(tree), reason });
    expect(await deliveriesOf(tree.worker, tree.taskId)).toEqual([
      expect.not.objectContaining({ rejection_reason: expect.anything() }),
    ]);
    await market.sendDirect(action);
    expect([await stateOf(tree.root), await market.statusOf(action)]).toEqual(['rejected', 'confirmed']);
    const [shown] = await deliveriesOf(tree.worker, tree.taskId);
    expect(shown).toMatchObject({ status: 'rejected', rejection_reason: reason });
  });

  it('shows no reason that was prepared and not signed', async () => {
    const tree = await delivered({ arbiter });
    await market.prepare('reject_task', tree.buyer, { ...buyerOf(tree), reason: 'a draft' });
    const silent = await market.prepare('reject_task', tree.buyer, buyerOf(tree));
    expect(silent.payload['message']).toMatchObject({ reasonHash: ZERO32 });
    await market.sendDirect(silent);
    expect((await deliveriesOf(tree.worker, tree.taskId))[0]).not.toHaveProperty('rejection_reason');
  });

  it('is mined under the signature of a plain wallet and of a contract wallet', async () => {
    for (const buyer of [await market.person('buyer'), await market.contractPerson('buyer')]) {
      const tree = await delivered({ buyer, arbiter });
      const action = await market.prepare('reject_task', buyer, { ...buyerOf(tree), reason });
      await market.relay(action.action_id, await market.sign(buyer, action));
      expect(await stateOf(tree.root)).toBe('rejected');
    }
  });

  /** Moves the chain's clock to so many seconds before the time to deliver ends. @returns that time, unix seconds. */
  async function travelledTo(tree: WorkTree, secondsBefore: number): Promise<number> {
    const { deliverBy } = (await market.get(ChainClient).nodeAt(tree.escrow, 1n))!;
    await market.travel(deliverBy - secondsBefore - (await market.nowSeconds()));
    return deliverBy;
  }

  it('ends the node at once where nothing is left to contest', async () => {
    const tree = await delivered({}, 9 * DAY);
    await market.travel(2 * DAY);
    await market.sendDirect(await market.prepare('reject_task', tree.buyer, { ...buyerOf(tree), reason }));
    expect(await stateOf(tree.root)).toBe('refunded');
    expect((await deliveriesOf(tree.worker, tree.taskId))[0]).toMatchObject({
      status: 'rejected',
      rejection_reason: reason,
    });
  });

  it('that leaves time to deliver again is not mined once that time is over, which would make it final', async () => {
    const tree = await delivered({}, 9 * DAY);
    const deliverBy = await travelledTo(tree, 600);
    const action = await market.prepare('reject_task', tree.buyer, buyerOf(tree));
    expect(action.payload['message']).toMatchObject({ validUntil: String(deliverBy - 1) });
    await market.travel(602);
    await expect(market.sendDirect(action)).rejects.toThrow();
    expect(await stateOf(tree.root)).toBe('delivered');
    const final = await market.prepare('reject_task', tree.buyer, buyerOf(tree));
    expect(describeAction(final, { nowMs: 0, deliverBy, hasArbiter: false })?.mustConfirm).not.toBeNull();
    await market.sendDirect(final);
    expect(await stateOf(tree.root)).toBe('refunded');
  });

  it('is not kept from a hirer whose last moment it is, who reads that it may be final', async () => {
    const tree = await delivered({}, 9 * DAY);
    const deliverBy = await travelledTo(tree, 60);
    const action = await market.prepare('reject_task', tree.buyer, buyerOf(tree));
    expect(describeAction(action, { nowMs: 0, deliverBy, hasArbiter: false })?.mustConfirm).not.toBeNull();
    await market.travel(62);
    await market.sendDirect(action);
    expect(await stateOf(tree.root)).toBe('refunded');
  });

  it('is refused a second time, and before a delivery', async () => {
    const tree = await rejected({ arbiter });
    expect(await codeOf(market.prepare('reject_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
    const fresh = await market.tree();
    expect(await codeOf(market.prepare('reject_task', fresh.buyer, buyerOf(fresh)))).toBe('state_conflict');
  });

  it('of a child is its hirer’s', async () => {
    const tree = await market.tree();
    const hired = await market.person('hired');
    const nodeId = await market.hireBelow(tree, 2, hired);
    await deliverOnChain(tree, ARTIFACT, CHILD, hired);
    await market.index();
    expect(await codeOf(market.prepare('reject_task', hired, { taskId: tree.taskId, nodeId }))).toBe('not_node_hirer');
    await market.sendDirect(await market.prepare('reject_task', tree.worker, { taskId: tree.taskId, nodeId, reason }));
    expect(await stateOf(nodeId)).toBe('rejected');
    expect((await deliveriesOf(hired, tree.taskId))[0]).toMatchObject({ rejection_reason: reason });
  });
});

describe('contesting', () => {
  const root = ({ taskId, root: nodeId }: WorkTree) => ({ taskId, nodeId });

  it('is mined as returned and under a signature, also of a contract wallet', async () => {
    const direct = await rejected({ arbiter });
    const action = await market.prepare('dispute_node', direct.worker, {
      ...root(direct),
      evidenceHash: OTHER_ARTIFACT,
    });
    expect(action.payload['message']).toMatchObject({ nodeId: '1', evidenceHash: OTHER_ARTIFACT });
    await market.sendDirect(action);
    expect([await stateOf(direct.root), await market.statusOf(action)]).toEqual(['disputed', 'confirmed']);
    for (const worker of [await market.person('worker'), await market.contractPerson('worker')]) {
      const tree = await rejected({ worker, arbiter });
      const signed = await market.prepare('dispute_node', worker, root(tree));
      await market.relay(signed.action_id, await market.sign(worker, signed));
      expect(await stateOf(tree.root)).toBe('disputed');
    }
  });

  it('is refused without an arbiter, without a rejection, after its window and to anybody else', async () => {
    const unarbitrated = await rejected({ arbiter: ZeroAddress as Hex });
    const refusal = await market
      .prepare('dispute_node', unarbitrated.worker, root(unarbitrated))
      .catch((error) => error);
    expect(refusal).toMatchObject({ code: 'state_conflict', reason: expect.stringContaining('no arbiter') });
    const tree = await rejected({ arbiter });
    expect(await codeOf(market.prepare('dispute_node', tree.buyer, root(tree)))).toBe('not_node_worker');
    await market.travel(11 * DAY);
    expect(await codeOf(market.prepare('dispute_node', tree.worker, root(tree)))).toBe('window_closed');
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('window_closed');
    const fresh = await delivered({ arbiter });
    expect(await codeOf(market.prepare('dispute_node', fresh.worker, root(fresh)))).toBe('state_conflict');
  });

  it('is refused when the arbiter has ruled and the index does not know it yet', async () => {
    const tree = await rejected({ arbiter });
    await market.send(tree.worker, tree.escrow, encodeDisputeNode(1n, ZERO32, await market.ownAuth(tree, 1n)));
    await market.send(
      { address: arbiter },
      tree.escrow,
      encodeRuleDispute(1n, 60_000_000n, ZERO32, await market.ownAuth(tree, 1n)),
    );
    expect(await codeOf(market.prepare('dispute_node', tree.worker, root(tree)))).toBe('state_conflict');
    expect(await codeOf(market.prepare('resolve_task', tree.buyer, buyerOf(tree)))).toBe('state_conflict');
  });
});

describe('claiming what was not delivered', () => {
  const root = ({ taskId, root: nodeId }: WorkTree) => ({ taskId, nodeId });

  it('is mined as returned and under a signature, by the buyer and by a worker below, into the buyer’s balance', async () => {
    const hired = await market.person('hired');
    for (const own of [{}, { buyer: await market.contractPerson('buyer') }]) {
      const tree = await market.tree(own);
      await market.hireBelow(tree, 2, hired);
      expect(await codeOf(market.prepare('claim_non_delivery', tree.buyer, root(tree)))).toBe('window_not_open');
      await market.travel(10 * DAY + 60);
      const action = await market.prepare('claim_non_delivery', tree.buyer, root(tree));
      expect(action).toMatchObject({ kind: 'claim_non_delivery', wallet_address: tree.buyer.address });
      expect(action.payload['message']).toMatchObject({ nodeId: '1', amount: '100000000' });
      await market.relay(action.action_id, await market.sign(tree.buyer, action));
      expect([await stateOf(tree.root), await market.statusOf(action)]).toEqual(['refunded', 'confirmed']);
    }
    const tree = await market.tree();
    const nodeId = await market.hireBelow(tree, 2, hired);
    await market.travel(6 * DAY);
    await market.sendDirect(await market.prepare('claim_non_delivery', hired, { taskId: tree.taskId, nodeId }));
    expect([await stateOf(nodeId), await stateOf(tree.root)]).toEqual(['refunded', 'funded']);
  });

  it('is refused without a wallet, on other states, and to whoever does not see the node', async () => {
    const tree = await market.tree();
    await market.travel(11 * DAY);
    const { accountId } = tree.buyer;
    const intent = { accountId, walletAddress: null, requestDigest: EMPTY_REQUEST_DIGEST };
    const walletless = market.get(PreparedActionsService).prepare('claim_non_delivery', intent, root(tree));
    expect(await codeOf(walletless)).toBe('wallet_mismatch');
    expect(await codeOf(market.prepare('claim_non_delivery', await market.person('stranger'), root(tree)))).toBe(
      'not_found',
    );
    const other = await delivered();
    expect(await codeOf(market.prepare('claim_non_delivery', other.buyer, root(other)))).toBe('node_not_funded');
  });
});
