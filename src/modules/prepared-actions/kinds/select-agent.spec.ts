import { typedDataDigest, typedDataStructHash } from '#libs/contracts';
import { ApiError } from '../../../platform/http/api-error.js';
import { SelectAgent } from './select-agent.js';
import { fieldsOf, typedDataVector } from '../../../../test/support/typed-data-vectors.js';

const vector = typedDataVector('SelectAgent');
const { message } = vector;
const { terms } = message;
const fields = fieldsOf(vector);
const BUYER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TASK_ID = `task_${'0'.repeat(26)}`;
const NOW = 1_890_000_000_000;

const quote = {
  id: 'quote_1',
  taskId: TASK_ID,
  nodePath: BigInt(terms.nodeId),
  workerWallet: terms.worker,
  price: BigInt(terms.amount),
  floor: BigInt(terms.floor),
  workSeconds: Number(terms.workSeconds),
  maxRevisions: Number(terms.maxRevisions),
  acceptWindowSeconds: Number(terms.acceptWindow),
  hirerFunded: true,
  termsHash: terms.termsHash,
  validUntil: new Date(Number(message['validUntil']) * 1000),
  actionId: 'act_quote',
  requestDigest: `0x${'cd'.repeat(32)}`,
  nonce: 9n,
  signature: '0x1234',
};

function kind(own: { task?: object; refusal?: ApiError | null; best?: () => Promise<object> } = {}): SelectAgent {
  const task = {
    id: TASK_ID,
    buyerAccountId: 'acct_b',
    buyerWallet: BUYER,
    escrowAddress: vector.domain.verifyingContract,
    status: 'open',
    selectionMode: 'manual',
    offersUntil: new Date(NOW),
    ...own.task,
  };
  return new SelectAgent(
    ...([
      { find: async () => task },
      {},
      { ahead: (_: string, agentId: string | null) => (agentId === null && own.best) || (async () => quote) },
      { refusal: async () => own.refusal ?? null },
      { chainId: Number(vector.domain.chainId), usdcAddress: message['token'] },
      { nowMs: () => NOW },
    ] as unknown as ConstructorParameters<typeof SelectAgent>),
  );
}

const check = (select: SelectAgent, agentId: string | null = 'agent_1', accountId = 'acct_b') =>
  select.check({ accountId, walletAddress: BUYER, requestDigest: fields.requestDigest }, { taskId: TASK_ID, agentId });

describe('selecting an agent', () => {
  it('is encoded as the typed data that the contract hashes to the shared vector', async () => {
    const typedData = (await (await check(kind())).confirm()).typedData(fields);
    expect(typedData.message).toEqual(message);
    expect(typedDataStructHash(typedData)).toBe(vector.structHash);
    expect(typedDataDigest(typedData)).toBe(vector.digest);
  });

  it('is only signed: no call takes it to the chain, with or without the signature', async () => {
    const checked = await check(kind());
    expect([checked.triedCalls(fields), (await checked.confirm()).directCalls(fields)]).toEqual([[], []]);
    expect(await kind().signedCall()).toBeNull();
  });

  it('is valid exactly as long as the offer, and is about the node that the offer is for', async () => {
    const checked = await check(kind());
    expect([checked.validUntilSeconds, checked.nodeId, checked.signer]).toEqual([
      Number(message['validUntil']),
      `node_${'0'.repeat(26)}_1`,
      BUYER,
    ]);
    expect([checked.nonce, checked.details]).toEqual([256n, { quote_id: 'quote_1' }]);
  });

  it('is refused with the reason that the chain gives', async () => {
    const refusal = new ApiError('state_conflict', 'The worker has withdrawn the quote on the chain.');
    await expect((await check(kind({ refusal }))).confirm()).rejects.toBe(refusal);
  });

  it.each<[string, object, string]>([
    ['another account is the buyer', { buyerAccountId: 'acct_other', status: 'funded' }, 'not_task_buyer'],
    ['the task is a draft', { status: 'draft' }, 'state_conflict'],
    ['a payment is on its way', { status: 'funding_pending' }, 'state_conflict'],
    ['the task is funded', { status: 'funded' }, 'state_conflict'],
    ['the task is resolved', { status: 'resolved' }, 'state_conflict'],
    ['the task has expired', { status: 'expired', offersUntil: new Date(NOW - 1) }, 'window_closed'],
    ['the time to hire again is over', { status: 'refunded', offersUntil: new Date(NOW - 1) }, 'window_closed'],
  ])('is refused when %s', async (_what, task, code) => {
    await expect(check(kind({ task }))).rejects.toMatchObject({ code });
  });

  it.each(['open', 'selected', 'refunded'])(
    'is possible until the last moment of offers when it is %s',
    async (status) => {
      await expect(check(kind({ task: { status } }))).resolves.toMatchObject({ taskId: TASK_ID });
    },
  );

  it.each(['auto', 'manual'])('may be left to the service for a task that was created %s', async (selectionMode) => {
    await expect(check(kind({ task: { selectionMode } }), null)).resolves.toMatchObject({ taskId: TASK_ID });
  });

  it('is superseded once the task is past choosing', () => {
    const statuses = [
      'open',
      'selected',
      'funding_pending',
      'refunded',
      'funded',
      'resolved',
      'expired',
      null,
    ] as const;
    expect(statuses.map((taskStatus) => kind().isSupersededBy({ nodeState: null, taskStatus }))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
  });
});
