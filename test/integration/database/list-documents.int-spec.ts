import type { WireNodeState } from '#libs/contracts';
import { childPath, formatUsdc, nodeIdOf, parentPath } from '#libs/kernel';
import { Seeded } from '../../../src/dev/eval/statistics/seeded.js';
import { AgentDto } from '../../../src/modules/agents/agent/agent.dto.js';
import { AgentEntity } from '../../../src/modules/agents/agent/agent.entity.js';
import { AgentListService } from '../../../src/modules/agents/search/agent-list.service.js';
import { ArtifactCustodyEntity } from '../../../src/modules/artifacts/custody/artifact-custody.entity.js';
import { DeliveriesService } from '../../../src/modules/deliveries/deliveries.service.js';
import { DeliveryEntity, type DeliveryStatus } from '../../../src/modules/deliveries/delivery.entity.js';
import { RejectionReasonEntity } from '../../../src/modules/deliveries/rejection-reason.entity.js';
import { EarningsService } from '../../../src/modules/earnings/earnings.service.js';
import { EarningsSweeper } from '../../../src/modules/earnings/sums/earnings.sweeper.js';
import { EscrowNodeEntity } from '../../../src/modules/escrow/node/escrow-node.entity.js';
import { QuoteEntity, type QuoteStatus } from '../../../src/modules/quotes/quote/quote.entity.js';
import { QuoteListService } from '../../../src/modules/quotes/quote-list.service.js';
import { ReceiptEntity } from '../../../src/modules/receipts/receipt.entity.js';
import { ReceiptsService } from '../../../src/modules/receipts/receipts.service.js';
import { ReputationListService } from '../../../src/modules/reputation/reputation-list.service.js';
import { ReputationRecordEntity } from '../../../src/modules/reputation/reputation-record.entity.js';
import { PageJson } from '../../../src/platform/http/raw-json.js';
import {
  address,
  bytes32,
  deliveryRow,
  nodeRow,
  NOW,
  quoteRow,
  receiptRow,
  STRANGER,
  taskId,
  ulid,
  WORKER,
} from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { EARNED_ANEW } from '../../support/worked-anew.sql.js';

/** Rows of each list: one full page of the largest size. */
const ROWS = 100;
const CALLER = { accountId: WORKER };
const NOW_MS = Date.parse(NOW);
const CONTROLS = Array.from({ length: 0x1f }, (_, index) => String.fromCharCode(index + 1)).join('');
/**
 * Parts of texts that a renderer may get wrong. Random texts are joined from them, so each can begin, fill or end one.
 */
const HOSTILE = [
  CONTROLS,
  '"',
  '\\',
  '\\u0041\\n',
  '","status":"submitted"}',
  '</script><!--',
  '\u007f\u0080\u009f\u00a0\u2028\u2029\ufeff',
  '\u202e\u200b',
  '😀𝔘',
  'ß é e\u0301',
  "%s {0} $1 '; --",
  'null',
];

let side: ReadSide;
let chance: Seeded;

const whole = (most: number): number => Math.floor(chance.next() * most);
const oneOf = <T>(values: readonly T[]): T => values[whole(values.length)]!;
const text = (): string => Array.from({ length: 1 + whole(4) }, () => oneOf(HOSTILE)).join(oneOf(['', ' ', 'a']));
const time = (): Date => new Date(NOW_MS + whole(2e10) - 1e10);
const units = (): bigint =>
  oneOf([0n, 1n, 10n, 1_000_000n, 99_990_000n, 2n ** 96n - 1n, BigInt(whole(1e9)) * 10n ** BigInt(whole(12))]);
const usdc = (amount: bigint): object => ({ amount: formatUsdc(amount), currency: 'USDC' });
const numbers = Array.from({ length: ROWS }, (_, index) => index + 1);
const newestFirst = <T extends { id: string; createdAt: Date }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
/** The page that the rows' presenter and `JSON.stringify` make, which the answer must equal to the byte. */
const page = (data: readonly object[]): string => JSON.stringify({ data, next_page: null });

beforeEach(async () => {
  side = await ReadSide.create();
  await side.task(1);
  chance = new Seeded(20_261_125);
});
afterEach(() => side.close());

it('receipts are rendered to the byte as they were presented', async () => {
  const rows = numbers.map((n) =>
    Object.assign(new ReceiptEntity(), receiptRow(n), {
      outcome: oneOf(['released', 'refunded']),
      amount: units(),
      blockNumber: whole(2 ** 31),
      createdAt: time(),
    }),
  );
  await side.insert(ReceiptEntity, ...rows);
  const { text: answer } = await new ReceiptsService(side.reads, side.cursors).list(CALLER, { limit: ROWS });
  const presented = newestFirst(rows).map((row) => ({
    id: row.id,
    task_id: row.taskId,
    node_id: row.nodeId,
    outcome: row.outcome,
    amount: usdc(row.amount),
    transaction_hash: row.transactionHash,
    block_number: row.blockNumber,
    created_at: row.createdAt.toISOString(),
  }));
  expect(answer).toBe(page(presented));
});

it('deliveries are rendered to the byte as they were presented, with what custody and hirers add', async () => {
  const rows = numbers.map((n) =>
    Object.assign(new DeliveryEntity(), deliveryRow(n), {
      nodeId: `node_${ulid(1)}_${n}`,
      status: oneOf<DeliveryStatus>(['submitted', 'available', 'released', 'rejected']),
      revision: 1 + whole(9),
      reasonHash: oneOf([null, bytes32(7)]),
      createdAt: time(),
    }),
  );
  await side.insert(DeliveryEntity, ...rows);
  const kept = rows.filter(() => chance.next() < 0.5);
  await side.insert(
    ArtifactCustodyEntity,
    ...kept.map(({ artifactHash }) => ({
      accountId: WORKER,
      artifactHash,
      bytes: 1,
      mediaType: 'text/plain',
      createdAt: new Date(NOW),
      keptUntil: new Date(NOW),
    })),
  );
  const reasons = rows.map(({ nodeId }) => ({ nodeId, reasonHash: bytes32(7), reason: text() }));
  await side.insert(RejectionReasonEntity, ...reasons);
  const { text: answer } = await new DeliveriesService(side.reads, side.cursors).list(CALLER, { limit: ROWS });
  const presented = newestFirst(rows).map((row) => ({
    id: row.id,
    task_id: row.taskId,
    artifact_hash: row.artifactHash,
    status: row.status === 'submitted' && kept.includes(row) ? 'available' : row.status,
    created_at: row.createdAt.toISOString(),
    node_id: row.nodeId,
    revision: row.revision,
    ...(row.reasonHash === null
      ? {}
      : { rejection_reason: reasons.find(({ nodeId }) => nodeId === row.nodeId)?.reason }),
  }));
  expect(answer).toBe(page(presented));
});

it('quotes are rendered to the byte as they were presented, whatever time has made of them', async () => {
  const statuses: QuoteStatus[] = ['draft', 'pending_signature', 'submitted', 'accepted', 'declined', 'withdrawn'];
  const rows = numbers.map((n) =>
    Object.assign(new QuoteEntity(), quoteRow(n), {
      status: oneOf(statuses),
      nodePath: childPath(oneOf([0n, 1n, childPath(7n, 12)]), n),
      price: units(),
      floor: units(),
      workSeconds: whole(31_536_000),
      maxRevisions: whole(11),
      validUntil: oneOf([new Date(NOW_MS - 1), new Date(NOW_MS), new Date(NOW_MS + 1), time()]),
    }),
  );
  await side.insert(QuoteEntity, ...rows);
  const { text: answer } = await new QuoteListService(side.reads, side.cursors, side.clock).list(CALLER, {
    limit: ROWS,
  });
  const presented = rows.toReversed().map((row) => ({
    id: row.id,
    task_id: row.taskId,
    agent_id: row.agentId,
    price: usdc(row.price),
    floor: usdc(row.floor),
    deadline: new Date(row.validUntil.getTime() + row.workSeconds * 1_000).toISOString(),
    work_seconds: row.workSeconds,
    max_revisions: row.maxRevisions,
    status:
      ['pending_signature', 'submitted'].includes(row.status) && row.validUntil.getTime() < NOW_MS
        ? 'expired'
        : row.status,
    valid_until: row.validUntil.toISOString(),
    ...(parentPath(row.nodePath) === 0n ? {} : { parent_node_id: nodeIdOf(taskId(1), parentPath(row.nodePath)) }),
    terms_hash: row.termsHash,
  }));
  expect(answer).toBe(page(presented));
});

it('reputation records are rendered to the byte as they were presented', async () => {
  const rows = numbers.map((n) =>
    Object.assign(new ReputationRecordEntity(), {
      agentId: `agent_${ulid(n)}`,
      score: oneOf(['0.0000', '1.0000', '0.0001', '0.1000', whole(9_999) / 10_000]).toString(),
      independenceConfidence: '0.5000',
      settledValue: units(),
      updatedAt: time(),
    }),
  );
  await side.insert(ReputationRecordEntity, ...rows);
  const { text: answer } = await new ReputationListService(side.reads, side.cursors).list(CALLER, { limit: ROWS });
  const presented = rows
    .toSorted((a, b) => Number(b.score) - Number(a.score) || (a.agentId < b.agentId ? -1 : 1))
    .map((row) => ({
      agent_id: row.agentId,
      score: Number(row.score),
      updated_at: row.updatedAt.toISOString(),
      settled_value: usdc(row.settledValue),
    }));
  expect(answer).toBe(page(presented));
});

describe('earnings', () => {
  const STATES: WireNodeState[] = ['funded', 'delivered', 'rejected', 'disputed', 'released', 'refunded'];
  const nodeOf = (n: number): EscrowNodeEntity => {
    const pool = units();
    return Object.assign(new EscrowNodeEntity(), nodeRow(1n, { id: `node_${ulid(n)}_1`, taskId: taskId(n) }), {
      state: oneOf(STATES),
      outcome: oneOf(['accepted', 'accept_window_lapsed']),
      amount: pool + units(),
      pool,
      allocated: oneOf([0n, 0n, pool, pool / 3n]),
      floor: oneOf([0n, pool, pool / 2n]),
      withdrawn: oneOf([0n, units()]),
      clock: oneOf([new Date(NOW_MS - 1_000), new Date(NOW_MS), new Date(NOW_MS + 1_000), time()]),
    });
  };
  /** What the sums' presenter and `JSON.stringify` make of every node of the worker, without any stored sum. */
  const presented = async (): Promise<string> => {
    const [{ pending, claimable, paid, by_task: tasks }] = await side.dataSource.query(EARNED_ANEW, [
      WORKER,
      new Date(side.clock.nowMs()),
    ]);
    const amount = (sum: string): string => formatUsdc(BigInt(sum));
    return JSON.stringify({
      pending: amount(pending),
      claimable: amount(claimable),
      paid: amount(paid),
      currency: 'USDC',
      by_task: (tasks as string[]).map((line) => {
        const [task_id = '', open = '', due = ''] = line.split(' ');
        return { task_id, pending: amount(open), claimable: amount(due) };
      }),
    });
  };

  it('are rendered to the byte as they were presented, stored or changed by time alone', async () => {
    const earnings = new EarningsService(side.reads, side.clock);
    const sweeper = new EarningsSweeper(side.transactions, side.clock);
    for (const n of numbers) {
      if (n > 1) await side.task(n);
      await side.party(taskId(n), WORKER, 'worker');
    }
    await side.insert(EscrowNodeEntity, ...numbers.map(nodeOf));
    for (const later of [-2e10, 0, 1_000, 2_000, 1e9, 2e10]) {
      side.clock.set(new Date(NOW_MS + later).toISOString());
      const expected = await presented();
      expect([later, (await earnings.get(WORKER)).text]).toEqual([later, expected]);
      await sweeper.sweep();
      expect([later, (await earnings.get(WORKER)).text]).toEqual([later, expected]);
    }
    await side.dataSource.query(`UPDATE task_earnings SET document = 'something else'`);
    await side.dataSource.query(`UPDATE account_earnings SET document = 'something else'`);
    expect((await earnings.get(WORKER)).text).toBe(await presented());
  });
});

describe('agents', () => {
  const agentsOf = async (): Promise<string> => {
    const agents = new AgentListService(side.reads, null as never, side.cursors, side.clock);
    const answer = await agents.list(CALLER, { limit: ROWS });
    if (!(answer instanceof PageJson)) throw new TypeError('The page is not rendered');
    return answer.text;
  };

  it('are rendered to the byte as they are presented, whatever their owners have written, at any time', async () => {
    await side.dataSource.query('DELETE FROM agents');
    const now = new Date(NOW);
    for (const n of numbers) {
      await side.agent(`agent_${ulid(n)}`, STRANGER, {
        name: text(),
        description: oneOf(['', text(), text().repeat(50)]),
        agentCardUrl: `https://agents.example/${text()}`,
        capabilities: Array.from({ length: whole(5) }, text),
        status: oneOf(['active', 'inactive']),
        available: chance.next() < 0.5,
        availableUntil: oneOf([null, null, now, new Date(NOW_MS - 1), new Date(NOW_MS + 1), time()]),
        walletAddress: address(1_000 + n),
        createdAt: time(),
      });
    }
    const rows = await side.dataSource.manager.find(AgentEntity, { order: { id: 'DESC' } });
    expect(rows).toHaveLength(ROWS);
    expect(await agentsOf()).toBe(page(rows.map((row) => AgentDto.from(row, WORKER, now))));
    const later = new Date(NOW_MS + 1);
    side.clock.set(later.toISOString());
    expect(await agentsOf()).toBe(page(rows.map((row) => AgentDto.from(row, WORKER, later))));
  });
});

it('a row and what is shown of it never differ, whoever changes the row', async () => {
  await side.insert(ReceiptEntity, receiptRow(1));
  await side.insert(DeliveryEntity, deliveryRow(1));
  await side.insert(QuoteEntity, quoteRow(1));
  await side.dataSource.query(`UPDATE receipts SET outcome = 'refunded', task_id = '${taskId(1)}'`);
  await side.dataSource.query(`UPDATE deliveries SET status = 'rejected'`);
  await side.dataSource.query(`UPDATE quotes SET status = 'withdrawn', document = 'something else'`);
  await side.dataSource.query(`UPDATE agents SET name = '"new"' WHERE id = 'agent_worker'`);
  const quotes = await new QuoteListService(side.reads, side.cursors, side.clock).list(CALLER, { limit: 1 });
  const receipts = await new ReceiptsService(side.reads, side.cursors).list(CALLER, { limit: 1 });
  const deliveries = await new DeliveriesService(side.reads, side.cursors).list(CALLER, { limit: 1 });
  const agents = await new AgentListService(side.reads, null as never, side.cursors, side.clock).list(CALLER, {
    limit: 9,
  });
  expect(quotes.data.map(({ status }) => status)).toEqual(['withdrawn']);
  expect(receipts.data.map(({ outcome }) => outcome)).toEqual(['refunded']);
  expect(deliveries.data.map(({ status }) => status)).toEqual(['rejected']);
  expect(agents.data.map(({ name }) => name)).toContain('"new"');
});
