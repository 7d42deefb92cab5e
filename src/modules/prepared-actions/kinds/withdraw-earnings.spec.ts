import { Interface } from 'ethers';
import { taskEscrowAbi, typedDataDigest, typedDataStructHash } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ApiError } from '../../../platform/http/api-error.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { WithdrawEarnings, type WithdrawEarningsInput } from './withdraw-earnings.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('WithdrawEarnings');
const { message } = vector;
const fields = fieldsOf(vector);
const DESTINATION = message['recipient'] as Hex;
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ESCROW = vector.domain.verifyingContract;
const PATH = BigInt(message['nodeId']!);
const NODE = { id: 'node_1_1', taskId: 'task_1', path: PATH, workerWallet: WALLET, escrowAddress: ESCROW };
const escrow = new Interface(taskEscrowAbi);

interface World {
  standing?: object | null;
  withdrawable?: bigint;
  /** Paths of the nodes below that give money back by the index, and what they give by the chain. */
  below?: bigint[];
  returns?: { paths: bigint[]; amount: bigint };
  workerAccountId?: string;
  refusal?: ApiError;
}

function kind(world: World = {}): WithdrawEarnings {
  const { standing = { node: NODE, pending: 0n, nextDue: null }, withdrawable = 250_123_456n, below = [] } = world;
  const { returns = { paths: [], amount: 0n } } = world;
  const dependencies = [
    {
      find: async (_account: string, taskId: string) => {
        if (taskId !== 'task_1') throw new ApiError('not_found', 'There is no such task.');
      },
    },
    { find: async () => ({ workerAccountId: world.workerAccountId ?? 'acct_w' }) },
    { standing: async () => standing, returnsTo: async () => below },
    { returnsOf: async (_escrow: string, paths: bigint[]) => (paths === below ? returns : null) },
    {
      accept: async () => undefined,
      refuseUnmovable: async () => {
        if (world.refusal) throw world.refusal;
      },
    },
    { amountFrom: async () => withdrawable },
    { chainId: Number(vector.domain.chainId), usdcAddress: message['token'] },
  ] as unknown as ConstructorParameters<typeof WithdrawEarnings>;
  return new WithdrawEarnings(...dependencies);
}

function check(world: World = {}, input: Partial<WithdrawEarningsInput> = {}) {
  const intent = { accountId: 'acct_w', walletAddress: WALLET, requestDigest: fields.requestDigest };
  return kind(world).check(intent, { destination: DESTINATION, ...input });
}

/** Names of the calls that a call of the escrow makes. */
function callsIn(data: string): string[] {
  const { name, args } = escrow.parseTransaction({ data })!;
  return name === 'multicall' ? [...args[0]].flatMap((inner: string) => callsIn(inner)) : [`${name} ${args[0]}`];
}

describe('withdrawing earnings', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const typedData = (await (await check()).confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
  });

  it('is tried and sent as the same direct call, for all that the node gives', async () => {
    const checked = await check();
    const [direct, ...more] = (await checked.confirm()).directCalls(fields);
    expect(checked.triedCalls(fields)).toEqual([{ from: WALLET, ...direct }]);
    expect([direct?.to, more]).toEqual([ESCROW, []]);
    const call = escrow.parseTransaction({ data: direct?.data ?? '0x' })!;
    const [nodeId, recipient, amount, auth] = call.args;
    expect([call.name, nodeId, recipient, amount]).toEqual(['withdrawEarnings', PATH, DESTINATION, 250_123_456n]);
    expect([...auth]).toEqual([fields.actionId, fields.requestDigest, fields.nonce, fields.validUntil, '0x']);
  });

  it('is the same call with the signature inside, rebuilt from what was stored', async () => {
    const action = { escrowAddress: ESCROW, payload: { message }, details: {} } as unknown as PreparedActionEntity;
    const { to, data } = await kind().signedCall(action, '0x1234');
    const [nodeId, recipient, amount, auth] = escrow.parseTransaction({ data })!.args;
    expect([to, nodeId, recipient, amount]).toEqual([ESCROW, PATH, DESTINATION, 250_123_456n]);
    expect([...auth].at(-1)).toBe('0x1234');
  });

  it('adds the money that comes back from nodes below, which the same call finalizes first', async () => {
    const returns = { paths: [2n, 5n], amount: 123_456n };
    const world = { withdrawable: 250_000_000n, below: [2n, 3n, 5n], returns };
    const checked = await check(world);
    const ready = await checked.confirm();
    const [direct] = ready.directCalls(fields);
    expect(callsIn(direct?.data ?? '0x')).toEqual(['finalize 2', 'finalize 5', `withdrawEarnings ${PATH}`]);
    expect(ready.typedData(fields).message).toEqual(message);
    expect(checked.details).toEqual({ unwritten_nodes: '2 5' });
  });

  it('is tried call by call, for the part that can be withdrawn before anything is finalized', async () => {
    const returns = { paths: [2n, 5n], amount: 123_456n };
    const below = [2n, 5n];
    const tried = async (withdrawable: bigint) =>
      (await check({ withdrawable, below, returns })).triedCalls(fields).map(({ from, to, data }) => {
        expect([from, to]).toEqual([WALLET, ESCROW]);
        return escrow.parseTransaction({ data })!;
      });
    const [first, second, last, ...more] = await tried(250_000_000n);
    expect([first, second].map((call) => [call?.name, call?.args[0]])).toEqual([
      ['finalize', 2n],
      ['finalize', 5n],
    ]);
    expect([last?.name, last?.args[0], last?.args[2], more]).toEqual(['withdrawEarnings', PATH, 250_000_000n, []]);
    expect((await tried(0n)).map(({ name }) => name)).toEqual(['finalize', 'finalize']);
  });

  it('is prepared for what comes back alone, when the node itself is empty', async () => {
    const world = { withdrawable: 0n, below: [2n], returns: { paths: [2n], amount: 250_123_456n } };
    expect((await (await check(world)).confirm()).typedData(fields).message).toEqual(message);
  });

  it('finalizes the same nodes with a signature; the escrow leaves out those that somebody else has finalized', async () => {
    const details = { unwritten_nodes: '1 4-2' };
    const action = { escrowAddress: ESCROW, payload: { message }, details } as unknown as PreparedActionEntity;
    const { data } = await kind().signedCall(action, '0x1234');
    expect(callsIn(data)).toEqual(['finalize 1', `finalize ${(4n << 24n) | 2n}`, `withdrawEarnings ${PATH}`]);
  });

  it('takes the next nonce of the wallet instead of one of the node', async () => {
    expect((await check()).nonce).toBeNull();
  });

  it('names the node it found, and its worker as the signer', async () => {
    expect(await check()).toMatchObject({ scope: 'worker', taskId: 'task_1', nodeId: 'node_1_1', signer: WALLET });
  });

  it('is for the worker alone, and hides what the caller may not see', async () => {
    await expect(check({}, { taskId: 'task_2' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(check({ standing: null }, { taskId: 'task_1' })).rejects.toMatchObject({ code: 'not_node_worker' });
    const other = check({ workerAccountId: 'acct_x' }, { taskId: 'task_1', nodeId: 'node_1_1' });
    await expect(other).rejects.toMatchObject({ code: 'not_node_worker' });
  });

  it.each([
    ['nothing at all', { standing: null }, 'nothing is pending'],
    ['nothing pending', { standing: { node: null, pending: 0n, nextDue: null } }, 'nothing is pending'],
    ['something pending', { standing: { node: null, pending: 5_000_000n, nextDue: null } }, '5.00 USDC is pending'],
    ['a chain that pays nothing', { withdrawable: 0n }, 'pays nothing out of this node'],
  ])('is refused with %s', async (_what, world, reason) => {
    const refusal = expect.stringContaining(reason);
    await expect(check(world)).rejects.toMatchObject({ code: 'state_conflict', reason: refusal });
  });

  it('says until when time runs for what is pending', async () => {
    const standing = { node: null, pending: 5_000_000n, nextDue: 1_795_000_000 };
    const suggestion = expect.stringContaining('2026-11-18T11:06:40Z');
    await expect(check({ standing })).rejects.toMatchObject({ suggestion });
  });

  it('is refused when the token would not pay the destination', async () => {
    const refusal = new ApiError('state_conflict', 'blocked');
    await expect((await check({ refusal })).confirm()).rejects.toBe(refusal);
  });

  it('is superseded by every state in which nothing is ever paid out', () => {
    const states = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded', null] as const;
    const superseded = states.filter((nodeState) => kind().isSupersededBy({ nodeState, taskStatus: 'funded' }));
    expect(superseded).toEqual(['funded', 'rejected', 'refunded', null]);
  });
});
