import { Interface } from 'ethers';
import {
  nodeNonce,
  NodeState,
  type StoredNode,
  taskEscrowAbi,
  typedDataDigest,
  typedDataStructHash,
} from '#libs/contracts';
import { EMPTY_REQUEST_DIGEST, type Hex } from '#libs/kernel';
import type { StandingNode } from '../../escrow/node/node-authority.js';
import type { ActionFacts } from '../../escrow/node/node-outlook.js';
import { NodeIntents } from '../checks/node-intents.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { CheckedAction, PreparedKind } from '../action/prepared-kind.js';
import { ClaimNonDelivery } from './claim-non-delivery.js';
import { Deliver } from './deliver.js';
import { DisputeNode } from './dispute-node.js';
import { NodeKindServices } from '../checks/node-kind-services.js';
import { RejectTask } from './reject-task.js';
import { ResolveTask } from './resolve-task.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const NOW = 1_795_000_000;
const WORKER: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HIRER: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const VERSION = 4;

interface Case {
  primaryType: string;
  /** The state in which it is possible, in the index and on the chain. */
  from: readonly ['funded' | 'delivered' | 'rejected', NodeState];
  clock: number;
  call: string;
}

const CASES: Record<string, Case> = {
  deliver: {
    primaryType: 'Deliver',
    from: ['funded', NodeState.Funded],
    clock: NOW,
    call: 'deliver',
  },
  resolve_task: {
    primaryType: 'ResolveTask',
    from: ['delivered', NodeState.Delivered],
    clock: NOW,
    call: 'resolveTask',
  },
  reject_task: {
    primaryType: 'RejectTask',
    from: ['delivered', NodeState.Delivered],
    clock: NOW,
    call: 'rejectTask',
  },
  dispute_node: {
    primaryType: 'DisputeNode',
    from: ['rejected', NodeState.Rejected],
    clock: NOW,
    call: 'disputeNode',
  },
  claim_non_delivery: {
    primaryType: 'ClaimNonDelivery',
    from: ['funded', NodeState.Funded],
    clock: NOW - 1,
    call: 'claimNonDelivery',
  },
};

describe.each(Object.entries(CASES))('preparing %s', (name, { primaryType, from, clock, call }) => {
  const vector = typedDataVector(primaryType);
  const { message, domain } = vector;
  const path = BigInt(message['nodeId']);
  const fields = fieldsOf(vector);
  const worker = (message['worker'] as Hex | undefined) ?? WORKER;
  const artifactHash = (message['artifactHash'] as Hex | undefined) ?? `0x${'ab'.repeat(32)}`;
  const pool = BigInt(message['amount'] ?? '250123456');

  function build(stored: Partial<StoredNode> | null = {}, facts: Partial<ActionFacts> = {}): PreparedKind<any> {
    const node: StandingNode = {
      id: 'node_1',
      taskId: 'task_1',
      path,
      version: VERSION,
      parentNodeId: null,
      hirerAccountId: 'acct_h',
      hirerWallet: HIRER,
      workerAccountId: 'acct_w',
      workerWallet: worker,
      escrowAddress: domain.verifyingContract,
      artifactHash,
      facts: {
        state: from[0],
        clock,
        deliverBy: clock,
        hasArbiter: true,
        pool,
        floor: pool,
        allocated: 0n,
        withdrawn: 0n,
        revisions: 0,
        maxRevisions: 3,
        payOut: true,
        returned: 0n,
        isRoot: true,
        hirerFunded: true,
        backers: 'released',
        level: 1,
        ...facts,
      },
    };
    const onChain = {
      state: from[1],
      version: VERSION,
      revisions: 0,
      clock,
      deliverBy: clock,
      allocated: 0n,
      worker,
      amount: pool,
      artifactHash,
      ...stored,
    };
    const nodes: any = {
      find: async () => node,
      decidingRoot: async () => ({ buyerAccountId: 'acct_h', node }),
      workedOn: async () => [node],
    };
    const time: any = { nowSeconds: () => NOW };
    const chain: any = { nodeAt: async () => (stored === null ? null : onChain) };
    const config: any = { chainId: Number(domain.chainId), usdcAddress: message['token'] };
    const intents = new NodeIntents(nodes, chain, time);
    const custody: any = { verifyReceipt: async () => ({ bytes: 1 }) };
    const services = new NodeKindServices(nodes, intents, custody, {} as any, config, time);
    const kinds: Record<string, PreparedKind<any>> = {
      deliver: new Deliver(services),
      resolve_task: new ResolveTask(services),
      reject_task: new RejectTask(services),
      dispute_node: new DisputeNode(services),
      claim_non_delivery: new ClaimNonDelivery(services),
    };
    return kinds[name]!;
  }

  function check(kind: PreparedKind<any>): Promise<CheckedAction> {
    const isReview = name === 'resolve_task' || name === 'reject_task';
    const intent = {
      accountId: isReview ? 'acct_h' : 'acct_w',
      walletAddress: WORKER,
      requestDigest: EMPTY_REQUEST_DIGEST,
    };
    const nodeId = isReview ? null : 'node_1';
    const input = { taskId: 'task_1', nodeId, artifactHash, custodyReceipt: 'r', payOut: message['payOut'] };
    return kind.check(intent, { ...input, evidenceHash: message['evidenceHash'] });
  }

  it('is typed data that the contract hashes to the shared vector', async () => {
    const kind = build();
    const prepared = (await (await check(kind)).confirm()).typedData(fields);
    // The vector's reason is a hash of no text: what was prepared without one must differ in that member alone.
    const { reasonHash } = message;
    const typedData = { ...prepared, message: { ...prepared.message, ...(reasonHash ? { reasonHash } : {}) } };
    expect(prepared.message['reasonHash']).toBe(reasonHash && `0x${'0'.repeat(64)}`);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
  });

  it('is tried and sent as the same call, and is the same with a signature', async () => {
    const kind = build();
    const checked = await check(kind);
    const ready = await checked.confirm();
    const [direct, ...more] = ready.directCalls(fields);
    expect([direct?.to, more]).toEqual([domain.verifyingContract, []]);
    expect(checked.triedCalls(fields)).toEqual([{ from: checked.signer, ...direct }]);
    const abi = new Interface(taskEscrowAbi);
    expect(abi.parseTransaction({ data: direct!.data })?.name).toBe(call);
    const payload = { ...ready.typedData(fields) };
    const escrowAddress = domain.verifyingContract as string;
    const action = { escrowAddress, payload, walletAddress: checked.signer } as unknown as PreparedActionEntity;
    const signed = await kind.signedCall(action, '0x1234');
    const argumentsOf = (data: Hex) => abi.parseTransaction({ data })!.args.toArray(true);
    const unsigned = argumentsOf(direct!.data);
    const auth = unsigned.at(-1) as unknown[];
    expect(argumentsOf(signed!.data)).toEqual([...unsigned.slice(0, -1), [...auth.slice(0, -1), '0x1234']]);
  });

  it('has the nonce of the version of its node, which ends it; otherwise only a node that is gone does', async () => {
    expect((await check(build())).nonce).toBe(nodeNonce(path, VERSION));
    expect(build().isSupersededBy({ nodeState: 'released', taskStatus: 'funded' })).toBe(false);
    expect(build().isSupersededBy({ nodeState: null, taskStatus: 'funded' })).toBe(true);
  });

  it.each<[string, Partial<StoredNode> | null, string[]]>([
    ['no such node', null, ['state_conflict']],
    ['a node that is not funded', { state: NodeState.None }, ['state_conflict']],
    ['a later version', { version: VERSION + 1 }, ['state_conflict']],
    ['an earlier version', { version: VERSION - 1 }, ['state_conflict']],
    ['a node that has ended', { state: NodeState.Settled }, ['state_conflict', 'node_not_funded']],
    ['another worker', { worker: HIRER }, ['wallet_mismatch']],
    ['another clock', { clock: clock === NOW ? NOW - 1 : NOW }, ['window_closed', 'window_not_open']],
  ])('is refused when the chain has %s', async (_what, stored, codes) => {
    const checked = await check(build(stored));
    const error = await checked.confirm().then(
      () => null,
      (refusal: { code: string; status: number }) => refusal,
    );
    expect(error).toMatchObject({ status: 409 });
    expect(codes).toContain(error?.code);
  });

  it.each<[string, Partial<ActionFacts>]>([
    ['a node that has ended', { state: 'released' }],
    ['a node whose time is another', { clock: clock === NOW ? NOW - 1 : NOW }],
    ...(name === 'claim_non_delivery'
      ? []
      : ([['a node whose money went back', { backers: 'closed' }]] as [string, Partial<ActionFacts>][])),
  ])('is refused when the index has %s', async (_what, facts) => {
    await expect(check(build({}, facts))).rejects.toMatchObject({ status: 409, suggestion: expect.any(String) });
  });
});

describe('a worker whose last revision is used up', () => {
  const rejected = { state: 'rejected', clock: NOW, deliverBy: NOW, backers: 'released', hasArbiter: true } as const;
  const money = {
    pool: 5n,
    floor: 2n,
    allocated: 0n,
    returned: 0n,
    withdrawn: 0n,
    payOut: true,
    isRoot: true,
    hirerFunded: true,
    level: 1,
  };
  const facts: ActionFacts = { ...rejected, ...money, revisions: 1, maxRevisions: 2 };
  const intents = new NodeIntents(
    ...([{}, {}, { nowSeconds: () => NOW }] as unknown as ConstructorParameters<typeof NodeIntents>),
  );
  const require = (event: 'deliver' | 'dispute_node', revisions: number) => () =>
    intents.requireByIndex(event, { facts: { ...facts, revisions } } as StandingNode);

  it('may contest, but not deliver again', () => {
    expect(require('deliver', 1)).not.toThrow();
    expect(require('deliver', 2)).toThrow(expect.objectContaining({ code: 'state_conflict' }));
    expect(require('dispute_node', 2)).not.toThrow();
  });
});

it.each<[string, PreparedKind<any>, object]>([
  ['acceptance', new ResolveTask({} as NodeKindServices), { resolution: 'accept' }],
  ['rejection', new RejectTask({} as NodeKindServices), {}],
])(
  'the node of an %s is read again from its request: of the path, or the root that the body names',
  (_what, kind, body) => {
    const inputOf = (params: Record<string, string>, more: object = {}) =>
      kind.inputOf({ path: '/', params, body: { ...body, ...more } });
    const [task_id, node_id] = ['task_1', 'node_1'];
    expect(inputOf({ task_id })).toEqual({ taskId: task_id, nodeId: null });
    expect(inputOf({ task_id }, { node_id })).toEqual({ taskId: task_id, nodeId: null, rootNodeId: node_id });
    expect(inputOf({ task_id, node_id })).toEqual({ taskId: task_id, nodeId: node_id });
    expect(() => inputOf({ task_id, node_id }, { node_id })).toThrow(expect.objectContaining({ code: 'invalid_body' }));
  },
);

it.each([
  [2n, /has the node's floor/, /withdraw/],
  [0n, /gone back to the hirer/, /^Nothing is left to decide\.$/],
])('who gives in after the time of the arbiter is told where a floor of %s went', (floor, reason, suggestion) => {
  const facts = { state: 'disputed', clock: NOW - 1, deliverBy: NOW, hasArbiter: true, backers: 'released', floor };
  const intents = new NodeIntents(
    ...([{}, {}, { nowSeconds: () => NOW }] as unknown as ConstructorParameters<typeof NodeIntents>),
  );
  expect(() => intents.requireByIndex('resolve_task', { facts } as StandingNode)).toThrow(
    expect.objectContaining({
      code: 'window_closed',
      reason: expect.stringMatching(reason),
      suggestion: expect.stringMatching(suggestion),
    }),
  );
});
