import { typedDataDigest, typedDataStructHash } from '#libs/contracts';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { SubmitQuoteInput } from '../dto/quote.body.js';
import { SubmitQuote } from './submit-quote.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('SubmitQuote');
const { message } = vector;
const fields = fieldsOf(vector);
const TASK_ID = `task_${'0'.repeat(26)}`;
const NOW = 1_890_000_000;

const input: SubmitQuoteInput = {
  taskId: TASK_ID,
  parentNodeId: null,
  price: BigInt(message['terms'].amount),
  floor: BigInt(message['terms'].floor),
  workSeconds: Number(message['terms'].workSeconds),
  maxRevisions: Number(message['terms'].maxRevisions),
  termsHash: message['terms'].termsHash,
  validUntil: new Date(Number(message['validUntil']) * 1000),
};

const checks = {
  check: jest.fn(
    async (_account: object, _offer: { validUntil: Date; workSeconds?: number; parentNodePath?: bigint }) => ({
      task: {
        id: TASK_ID,
        escrowAddress: vector.domain.verifyingContract,
        arbiterWallet: message['arbiter'],
        termsHash: message['terms'].termsHash,
      },
      agent: { id: 'agent_1', walletAddress: message['terms'].worker },
      hirer: { accountId: 'acct_b', wallet: message['hirer'], agentId: null },
      parentNodePath: 0n,
      floor: BigInt(message['terms'].floor),
      workSeconds: Number(message['terms'].workSeconds),
      acceptWindowSeconds: Number(message['terms'].acceptWindow),
      maxRevisions: Number(message['terms'].maxRevisions),
      hirerFunded: true,
    }),
  ),
};
const quotes = { propose: jest.fn(async () => undefined), acceptSignature: jest.fn(async () => undefined) };
const kind = new SubmitQuote(
  ...([
    checks,
    quotes,
    { nextNodePath: async (_manager: object, _task: string, parent: bigint) => (parent << 24n) | 1n },
    { chainId: Number(vector.domain.chainId), usdcAddress: message['token'] },
    { nowSeconds: () => NOW },
  ] as unknown as ConstructorParameters<typeof SubmitQuote>),
);

const check = (change: Partial<SubmitQuoteInput> = {}) => {
  const intent = { accountId: 'acct_w', walletAddress: null, requestDigest: fields.requestDigest };
  return kind.check(intent, { ...input, ...change });
};

describe('offering for a node', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const checked = await check();
    const ready = await checked.confirm();
    await checked.reserve?.({} as never);
    const typedData = ready.typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
    expect(Object.keys(typedData.types)).toEqual(['EIP712Domain', 'SubmitQuote', 'NodeTerms']);
    expect([ready.directCalls(fields), checked.triedCalls(fields)]).toEqual([[], []]);
  });

  it('has a node and a nonce only once its place was given out, and cannot be encoded before', async () => {
    const checked = await check();
    expect([checked.nodeId, checked.nonce]).toEqual([null, 0n]);
    const ready = await checked.confirm();
    expect(() => ready.typedData(fields)).toThrow('before its node had a place');
    await checked.reserve?.({} as never);
    expect([checked.nodeId, checked.nonce]).toEqual([`node_${'0'.repeat(26)}_1`, 256n]);
  });

  it('can be signed for as long as the offer stands', async () => {
    expect((await check()).validUntilSeconds).toBe(Number(message['validUntil']));
  });

  it('stands 72 hours unless it says otherwise', async () => {
    const { validUntil: _, ...open } = input;
    await kind.check({ accountId: 'acct_w', walletAddress: null, requestDigest: fields.requestDigest }, open);
    expect(checks.check.mock.lastCall![1].validUntil.getTime() / 1000).toBe(NOW + 259_200);
  });

  it('takes a deadline as the seconds from now until then', async () => {
    const { workSeconds: _, ...until } = input;
    const deadline = new Date((NOW + 90_000) * 1000);
    const intent = { accountId: 'acct_w', walletAddress: null, requestDigest: fields.requestDigest };
    await kind.check(intent, { ...until, deadline });
    expect(checks.check.mock.lastCall![1].workSeconds).toBe(90_000);
    await kind.check(intent, until);
    expect(checks.check.mock.lastCall![1].workSeconds).toBeUndefined();
  });

  it.each([
    ['node_1'],
    [`node_${'1'.repeat(26)}_1`],
    [`node_${'0'.repeat(26)}_0`],
    [`node_${'0'.repeat(26)}_01`],
    [`node_${'0'.repeat(26)}_16777216`],
    [`node_${'0'.repeat(26)}_1-`],
    [`node_${'0'.repeat(26)}_1-0`],
    [`node_${'0'.repeat(26)}_1-1-1-1-1-1-1-1-1`],
    [TASK_ID],
  ])('does not know a parent node called %s', async (parentNodeId) => {
    await expect(check({ parentNodeId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads the path of the parent node from its identifier', async () => {
    await check({ parentNodeId: `node_${'0'.repeat(26)}_17-2` });
    expect(checks.check.mock.lastCall![1].parentNodePath).toBe((17n << 24n) | 2n);
  });

  it('is executed by no call of its own; its signature is kept with the quote', async () => {
    expect(await kind.signedCall()).toBeNull();
    const action = { id: 'act_1', taskId: TASK_ID, payload: { message } } as unknown as PreparedActionEntity;
    await kind.onSigned({} as never, action, '0x12');
    const key = { taskId: TASK_ID, nodePath: 1n, actionId: 'act_1' };
    expect(quotes.acceptSignature).toHaveBeenCalledWith({}, key, '0x12');
  });

  it('is superseded once its task has ended', () => {
    const over = ['open', 'selected', 'funded', 'refunded', 'resolved', 'cancelled', 'expired', null] as const;
    expect(over.map((taskStatus) => kind.isSupersededBy({ nodeState: null, taskStatus }))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});
