import { Interface } from 'ethers';
import {
  encodeAbandonNode,
  encodeFinalize,
  encodeMulticall,
  NodeState,
  senderAuth,
  type StoredNode,
  taskEscrowAbi,
  typedDataDigest,
  typedDataStructHash,
} from '#libs/contracts';
import { childPath } from '#libs/kernel';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { AbandonNode } from './abandon-node.js';
import { PendingFinalizations } from '../money/pending-finalizations.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('AbandonNode');
const { message } = vector;
const fields = fieldsOf(vector);
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A node below that gives back so much once it is finalized, of a number of such nodes. */
interface Ended {
  amount?: bigint;
  nodes?: number;
  fault?: { revert: { name: string; args: object } | null };
}

function kind(
  stored: Partial<StoredNode> | null,
  node: object = {},
  { amount = 0n, nodes = 1, fault }: Ended = {},
): AbandonNode {
  const below = amount === 0n ? [] : Array.from({ length: nodes }, (_, index) => childPath(1n, index + 1));
  const onChain = {
    state: NodeState.Funded,
    allocated: 0n,
    worker: WALLET,
    amount: BigInt(message['amount']!),
    ...stored,
  };
  const skipped = fault === undefined ? [] : [{ index: below.length, ...fault }];
  const simulation = { run: async () => ({ failure: null, skipped }) };
  const ends = Object.assign(
    new PendingFinalizations(
      ...([{}, {}, simulation] as unknown as ConstructorParameters<typeof PendingFinalizations>),
    ),
    { returnsOf: async () => ({ paths: below, amount, left: 0n }) },
  );
  const dependencies = [
    {
      find: async () => ({
        escrowAddress: vector.domain.verifyingContract,
        path: 1n,
        version: 1,
        workerAccountId: 'acct_w',
        workerWallet: WALLET,
        state: 'funded',
        allocated: 0n,
        ...node,
      }),
    },
    { returnsTo: async () => below },
    ends,
    { nodeAt: async () => (stored === null ? null : onChain) },
    { chainId: Number(vector.domain.chainId), usdcAddress: message['token'] },
  ] as unknown as ConstructorParameters<typeof AbandonNode>;
  return new AbandonNode(...dependencies);
}

const UNITS = 3n;
const over = (ended: Ended, chain: bigint = UNITS) => kind({ allocated: chain }, { allocated: UNITS }, ended);

function check(abandon: AbandonNode) {
  return abandon.check(
    { accountId: 'acct_w', walletAddress: WALLET, requestDigest: fields.requestDigest },
    { taskId: 'task_1', nodeId: 'node_1' },
  );
}

describe('abandoning a node', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const typedData = (await (await check(kind({}))).confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
    expect(Object.keys(typedData.types)).toEqual(['EIP712Domain', 'AbandonNode']);
  });

  it('is encoded as the direct call of the same node with the same fields and no signature', async () => {
    const ready = await (await check(kind({}))).confirm();
    const [direct, ...more] = ready.directCalls(fields);
    expect([direct?.to, more]).toEqual([vector.domain.verifyingContract, []]);
    const call = new Interface(taskEscrowAbi).parseTransaction({ data: direct?.data ?? '0x' });
    const [nodeId, auth] = call!.args;
    expect([call!.name, nodeId]).toEqual(['abandonNode', 1n]);
    expect([...auth]).toEqual([fields.actionId, fields.requestDigest, fields.nonce, fields.validUntil, '0x']);
  });

  it('has the nonce of the version of its node', async () => {
    expect((await check(kind({}))).nonce).toBe(257n);
  });

  it.each<[string, Partial<StoredNode> | null, string]>([
    ['no such node', null, 'node_not_funded'],
    ['a delivered node', { state: NodeState.Delivered }, 'node_not_funded'],
    ['live carve-outs', { allocated: 1n }, 'state_conflict'],
    ['another worker', { worker: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' }, 'wallet_mismatch'],
  ])('is refused when the chain has %s', async (_what, stored, code) => {
    const checked = await check(kind(stored));
    await expect(checked.confirm()).rejects.toMatchObject({ code, status: 409 });
  });

  it.each([
    ['another worker', { workerAccountId: 'acct_other', state: 'refunded' }, 'not_node_worker'],
    ['no worker that is known', { workerAccountId: null }, 'not_node_worker'],
    ['another state', { state: 'delivered', allocated: 1n }, 'node_not_funded'],
    ['live carve-outs', { allocated: 1n }, 'state_conflict'],
  ])('is refused when the index has %s', async (_what, node, code) => {
    await expect(check(kind({}, node))).rejects.toMatchObject({ code });
  });

  it('finalizes first what time has sent back, and tries the finalizations by themselves', async () => {
    const checked = await check(over({ amount: UNITS }));
    const ready = await checked.confirm();
    expect(ready.typedData(fields).message).toEqual(message);
    const [first, last] = [encodeFinalize(childPath(1n, 1)), encodeAbandonNode(1n, senderAuth(fields))];
    const data = encodeMulticall([first, last]);
    expect(ready.directCalls(fields)).toEqual([expect.objectContaining({ data })]);
    expect(checked.triedCalls(fields)).toEqual([expect.objectContaining({ from: WALLET, data: first })]);
    const action = { escrowAddress: vector.domain.verifyingContract, payload: { message }, details: checked.details };
    const signed = encodeAbandonNode(1n, { ...senderAuth(fields), signature: '0xabcd' });
    await expect(over({}).signedCall(action as unknown as PreparedActionEntity, '0xabcd')).resolves.toMatchObject({
      data: encodeMulticall([first, signed]),
    });
  });

  it.each<[string, Ended, bigint, string]>([
    ['less comes back than is promised', { amount: UNITS - 1n }, UNITS, 'ended without pay'],
    ['more is promised on the chain', { amount: UNITS }, UNITS + 1n, 'ended without pay'],
    ['more would have to be finalized than one call does', { amount: UNITS - 1n, nodes: 21 }, UNITS, 'finalize'],
    ['it would fail after them', { amount: UNITS, fault: { revert: { name: 'NonceUsed', args: {} } } }, UNITS, 'Read'],
  ])('is refused when %s', async (_what, ended, chain, suggestion) => {
    const refused = check(over(ended, chain)).then((checked) => checked.confirm());
    await expect(refused).rejects.toMatchObject({
      code: 'state_conflict',
      suggestion: expect.stringContaining(suggestion),
    });
  });

  it('is superseded by every state but funded', () => {
    const states = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded', null] as const;
    expect(states.map((nodeState) => kind({}).isSupersededBy({ nodeState, taskStatus: 'funded' }))).toEqual([
      false,
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
  });
});
