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
  deadline: new Date(Number(message['terms'].deliverBy) * 1000),
  termsHash: message['terms'].termsHash,
  validUntil: new Date(Number(message['validUntil']) * 1000),
};

const checks = {
  check: jest.fn(async (_account: object, _offer: { validUntil: Date; parentNodeNumber?: number }) => ({
    task: {
      id: TASK_ID,
      escrowAddress: vector.domain.verifyingContract,
      arbiterWallet: message['arbiter'],
      termsHash: message['terms'].termsHash,
    },
    agent: { id: 'agent_1', walletAddress: message['terms'].worker },
    hirer: { accountId: 'acct_b', wallet: message['hirer'], agentId: null },
    parentNodeNumber: 0,
    acceptWindowSeconds: Number(message['terms'].acceptWindow),
    hirerFunded: true,
  })),
};
const quotes = { propose: jest.fn(async () => undefined), acceptSignature: jest.fn(async () => undefined) };
const kind = new SubmitQuote(
  ...([
    checks,
    quotes,
    { nextNodeNumber: async () => Number(message['terms'].nodeId) },
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

  it('has a node only once its number was given out, and cannot be encoded before', async () => {
    const checked = await check();
    expect(checked.nodeId).toBeNull();
    const ready = await checked.confirm();
    expect(() => ready.typedData(fields)).toThrow('before its node had a number');
    await checked.reserve?.({} as never);
    expect(checked.nodeId).toBe(`node_${'0'.repeat(26)}_1`);
  });

  it('can be signed for as long as the offer stands', async () => {
    expect((await check()).validUntilSeconds).toBe(Number(message['validUntil']));
  });

  it('stands 72 hours unless it says otherwise, and never beyond its deadline', async () => {
    const offered = async (deadline: number) => {
      await kind.check(
        { accountId: 'acct_w', walletAddress: null, requestDigest: fields.requestDigest },
        { ...input, validUntil: undefined as never, deadline: new Date(deadline * 1000) },
      );
      return checks.check.mock.lastCall![1].validUntil.getTime() / 1000;
    };
    expect(await offered(NOW + 900_000)).toBe(NOW + 259_200);
    expect(await offered(NOW + 259_199)).toBe(NOW + 259_199);
  });

  it.each([
    ['node_1'],
    [`node_${'1'.repeat(26)}_1`],
    [`node_${'0'.repeat(26)}_0`],
    [`node_${'0'.repeat(26)}_01`],
    [`node_${'0'.repeat(26)}_4294967296`],
    [TASK_ID],
  ])('does not know a parent node called %s', async (parentNodeId) => {
    await expect(check({ parentNodeId })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reads the number of the parent node from its identifier', async () => {
    await check({ parentNodeId: `node_${'0'.repeat(26)}_17` });
    expect(checks.check.mock.lastCall![1].parentNodeNumber).toBe(17);
  });

  it('is executed by no call of its own; its signature is kept with the quote', async () => {
    expect(await kind.signedCall()).toBeNull();
    const action = { id: 'act_1', taskId: TASK_ID, payload: { message } } as unknown as PreparedActionEntity;
    await kind.onSigned({} as never, action, '0x12');
    const key = { taskId: TASK_ID, nodeNumber: 1, actionId: 'act_1' };
    expect(quotes.acceptSignature).toHaveBeenCalledWith({}, key, '0x12');
  });

  it('is superseded once its node exists or its task has ended', () => {
    expect(kind.isSupersededBy({ nodeState: 'funded', taskStatus: 'funded' })).toBe(true);
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
