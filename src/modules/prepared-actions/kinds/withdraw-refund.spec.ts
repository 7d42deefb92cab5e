import { Interface } from 'ethers';
import { taskEscrowAbi, typedDataDigest, typedDataStructHash } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { HiredNode } from '../../earnings/hired-nodes.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { RefundBalance } from '../money/refund-balances.js';
import { WithdrawRefund } from './withdraw-refund.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('WithdrawRefund');
const { message } = vector;
const fields = fieldsOf(vector);
const ACCOUNT = message['account'] as Hex;
const DESTINATION = message['recipient'] as Hex;
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ESCROW = vector.domain.verifyingContract;
const NOW = 1_795_000_000;
const escrow = new Interface(taskEscrowAbi);

interface World {
  buyer?: string;
  hired?: Partial<HiredNode>[];
  balance?: Partial<RefundBalance>;
}

/** Also remembers which wallets were asked for. */
function build({ buyer = 'acct_b', hired = [], balance = {} }: World = {}) {
  const asked: string[][] = [];
  const nodes = hired.map((node) => ({
    id: 'node_1_1',
    path: 1n,
    hirerWallet: OTHER,
    state: 'funded',
    clock: NOW,
    ...node,
  }));
  const dependencies = [
    { find: async () => ({ buyerAccountId: buyer, buyerWallet: ACCOUNT, escrowAddress: ESCROW }) },
    { ofTask: async () => nodes },
    {
      largest: async (_escrow: string, wallets: string[]) => {
        asked.push(wallets);
        const amount = 250_123_456n;
        return { wallet: wallets[0], amount, written: amount, unwritten: [], ...balance };
      },
    },
    { accept: async () => undefined, refuseUnmovable: async () => undefined },
    { chainId: Number(vector.domain.chainId), usdcAddress: message['token'] },
    { nowSeconds: () => NOW },
  ] as unknown as ConstructorParameters<typeof WithdrawRefund>;
  return { kind: new WithdrawRefund(...dependencies), asked };
}

function check(world: World = {}, wallet?: Hex) {
  const intent = { accountId: 'acct_b', walletAddress: ACCOUNT, requestDigest: fields.requestDigest };
  return build(world).kind.check(intent, { taskId: 'task_1', destination: DESTINATION, ...(wallet && { wallet }) });
}

/** Names of the calls that a call of the escrow makes. */
function callsIn(data: string): string[] {
  const { name, args } = escrow.parseTransaction({ data })!;
  return name === 'multicall' ? [...args[0]].flatMap((inner: string) => callsIn(inner)) : [`${name} ${args[0]}`];
}

describe('withdrawing a refund', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const typedData = (await (await check()).confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
  });

  it('is tried and sent as the same direct call, for the whole balance', async () => {
    const checked = await check();
    const [direct, ...more] = (await checked.confirm()).directCalls(fields);
    expect(checked.triedCalls(fields)).toEqual([{ from: ACCOUNT, ...direct }]);
    expect([direct?.to, more]).toEqual([ESCROW, []]);
    const [account, recipient, amount, auth] = escrow.parseTransaction({ data: direct?.data ?? '0x' })!.args;
    expect([account, recipient, amount]).toEqual([ACCOUNT, DESTINATION, 250_123_456n]);
    expect([...auth]).toEqual([fields.actionId, fields.requestDigest, fields.nonce, fields.validUntil, '0x']);
  });

  it('first finalizes the nodes that a time limit has ended, in the same call', async () => {
    const [direct] = (await (await check({ balance: { unwritten: [1n, 4n] } })).confirm()).directCalls(fields);
    expect(callsIn(direct?.data ?? '0x')).toEqual(['finalize 1', 'finalize 4', `withdrawRefund ${ACCOUNT}`]);
  });

  it('is tried call by call, for the part that can be withdrawn before anything is finalized', async () => {
    const tried = async (written: bigint) =>
      (await check({ balance: { unwritten: [1n, 4n], written } }))
        .triedCalls(fields)
        .flatMap(({ data }) => callsIn(data));
    expect(await tried(5n)).toEqual(['finalize 1', 'finalize 4', `withdrawRefund ${ACCOUNT}`]);
    expect(await tried(0n)).toEqual(['finalize 1', 'finalize 4']);
  });

  it('finalizes the same nodes with a signature; the escrow leaves out those that somebody else has finalized', async () => {
    const payload = { message };
    const details = { unwritten_nodes: '1 4' };
    const action = { escrowAddress: ESCROW, payload, details } as unknown as PreparedActionEntity;
    const { kind } = build();
    const call = await kind.signedCall(action, '0x1234');
    expect(callsIn(call.data)).toEqual(['finalize 1', 'finalize 4', `withdrawRefund ${ACCOUNT}`]);
    const alone = await kind.signedCall(Object.assign(action, { details: {} }), '0x1234');
    expect([...escrow.parseTransaction({ data: alone.data })!.args[3]].at(-1)).toBe('0x1234');
  });

  it('takes the next nonce of the wallet', async () => {
    expect((await check()).nonce).toBeNull();
  });

  it("is for the buyer's wallet, and for the wallets that paid for nodes of a caller who is not the buyer", async () => {
    const { kind, asked } = build({ hired: [{}] });
    const intent = { walletAddress: null, requestDigest: fields.requestDigest };
    const input = { taskId: 'task_1', destination: DESTINATION };
    await kind.check({ accountId: 'acct_b', ...intent }, input);
    expect(await kind.check({ accountId: 'acct_hirer', ...intent }, input)).toMatchObject({
      scope: 'buyer',
      nodeId: null,
    });
    expect(asked).toEqual([[ACCOUNT, OTHER], [OTHER]]);
    await expect(check({ buyer: 'acct_other' })).rejects.toMatchObject({ code: 'not_task_buyer', status: 403 });
  });

  it.each([
    ['no node', [], 'Money comes back when'],
    ['an overdue node', [{ clock: NOW - 1 }], 'claim its non-delivery first'],
    ['a rejection that can be contested', [{ state: 'rejected', clock: NOW }], '2026-11-18T11:06:40Z unless contested'],
    ['a node that is worked on', [{ clock: NOW }], 'Money comes back when'],
  ] as const)('is refused without a balance, with a way on: %s', async (_what, hired, suggestion) => {
    const refusal = { code: 'state_conflict', status: 409, suggestion: expect.stringContaining(suggestion) };
    await expect(check({ balance: { amount: 0n }, hired: [...hired] })).rejects.toMatchObject(refusal);
  });

  it('is refused for a named wallet by what that wallet alone has paid for', async () => {
    const world: World = { balance: { amount: 0n }, hired: [{ clock: NOW - 1 }] };
    const refusal = (suggestion: string) => ({
      code: 'state_conflict',
      status: 409,
      suggestion: expect.stringContaining(suggestion),
    });
    await expect(check(world, OTHER)).rejects.toMatchObject(refusal('claim its non-delivery first'));
    await expect(check(world, ACCOUNT)).rejects.toMatchObject(refusal('Money comes back when'));
    await expect(check({ hired: [{}] }, DESTINATION)).rejects.toMatchObject(refusal('Money comes back when'));
  });

  it('outlives every state of its task, but not the task', () => {
    const { kind } = build();
    expect(kind.isSupersededBy({ nodeState: null, taskStatus: 'resolved' })).toBe(false);
    expect(kind.isSupersededBy({ nodeState: null, taskStatus: null })).toBe(true);
  });
});
