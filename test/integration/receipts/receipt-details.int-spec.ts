import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { ReceiptDetailsService } from '../../../src/modules/receipts/receipt-details.service.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import {
  BUYER,
  bytes32,
  nodeRow,
  receiptRow,
  RIVAL,
  STRANGER,
  taskId,
  ulid,
  WORKER,
} from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';

const ESCROW = `0x${'ab'.repeat(20)}`;
const FACTORY = `0x${'cd'.repeat(20)}`;
const TITLE = '<b>Audit\u202E a contract</b>';
const ID = `rcpt_${ulid(1)}_1`;
const NOT_FOUND = { code: 'not_found' };

let side: ReadSide;
let receipts: ReceiptDetailsService;

beforeEach(async () => {
  side = await ReadSide.create();
  Object.assign(side.environment, { chainId: 31_337, escrowFactoryAddress: FACTORY });
  receipts = new ReceiptDetailsService(side.reads, side.environment);
  await side.task(1, { escrowAddress: ESCROW, title: TITLE });
  const ended = { state: 'released', outcome: 'accepted', artifactHash: bytes32(5) } as const;
  await side.insert(EscrowNodeEntity, nodeRow(1n, ended));
  await side.insert(ReceiptEntity, receiptRow(1));
});
afterEach(() => side.close());

describe('one receipt', () => {
  it('says who, what, how much and by which transaction', async () => {
    const { checks: _, ...found } = await receipts.find(BUYER, ID);
    expect(found).toEqual({
      id: ID,
      taskId: taskId(1),
      nodeId: `node_${ulid(1)}_1`,
      title: TITLE,
      outcome: 'released',
      reason: 'accepted',
      amount: 99_000_001n,
      funded: 100_000_000n,
      hirer: { agentName: null, wallet: expect.stringMatching(/^0x0+1$/), isCaller: true },
      worker: { agentName: 'agent_worker', wallet: expect.stringMatching(/^0x0+12$/), isCaller: false },
      chainId: 31_337,
      escrowAddress: ESCROW,
      transactionHash: bytes32(1),
      blockNumber: 41,
      settledAt: new Date('2026-11-20T12:00:01.000Z'),
      artifactHash: bytes32(5),
    });
    const { hirer, worker } = await receipts.find(WORKER, ID);
    expect([hirer.isCaller, worker.isCaller]).toEqual([false, true]);
  });

  it('is nothing for whoever is no party of it, as if there were none', async () => {
    await expect(receipts.find(STRANGER, ID)).rejects.toMatchObject(NOT_FOUND);
    await expect(receipts.find(RIVAL, ID)).rejects.toMatchObject(NOT_FOUND);
    for (const id of ['', 'rcpt_1', "' OR true --", `${ID}\u0007`]) {
      await expect(receipts.find(BUYER, id)).rejects.toMatchObject(NOT_FOUND);
    }
  });

  it('keeps the title from a worker who may not see the task', async () => {
    await side.task(2, { tier: 'private_curated', title: 'A secret' });
    const own = { id: `node_${ulid(2)}_1`, taskId: taskId(2), workerAccountId: RIVAL, workerAgentId: 'agent_rival' };
    await side.insert(EscrowNodeEntity, nodeRow(1n, { ...own, state: 'refunded', outcome: 'abandoned' }));
    const { id: nodeId, taskId: task, workerAccountId } = own;
    await side.insert(ReceiptEntity, receiptRow(2, { nodeId, taskId: task, workerAccountId, outcome: 'refunded' }));
    expect((await receipts.find(BUYER, `rcpt_${ulid(2)}_1`)).title).toBe('A secret');
    expect((await receipts.find(RIVAL, `rcpt_${ulid(2)}_1`)).title).toBeNull();
  });

  it('asks of the chain what only this end of the job would answer', async () => {
    const word = (value: string): string => value.padStart(64, '0');
    const { checks } = await receipts.find(BUYER, ID);
    const [transaction, factory, node] = checks.map(({ request }) => JSON.parse(request));
    expect(transaction).toMatchObject({ method: 'eth_getTransactionReceipt', params: [bytes32(1)] });
    expect([factory.params[0].to, node.params[0].to]).toEqual([FACTORY, ESCROW]);
    expect(checks.map(({ answers }) => answers.map(({ value }) => value))).toEqual([
      ['0x1', '0x29'],
      [word('ab'.repeat(20))],
      [word('5'), bytes32(5).slice(2)],
    ]);
  });
});
