import { DataSource, type EntityManager } from 'typeorm';
import { entities } from '../../../entities.js';
import { migrations } from '../../../migrations.js';
import type { AnyRecordedEvent, RecordedEvent } from '../../../modules/events/catalogue/event.js';
import { recordEvents } from '../../../modules/events/log/record-events.sql.js';
import { dataSourceOptions } from '../../../platform/database/data-source.options.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { urlOf, withScratchPostgres } from '../../eval/scratch-postgres.js';
import type { WriteLine } from '../../processes/progress.js';
import { median } from '../measure.js';
import { INSERT_READERS, RENAME_READERS, TAKE_RECORDED } from './event-bench.sql.js';

/** Pairs of transactions that count, and those before them that do not. */
const PAIRS = 2_000;
const WARM_UP = 200;
/** Facts of a block, the tasks that they are of, and pairs of such transactions. */
const FACTS = 100;
const TASKS = 20;
const BLOCK_PAIRS = 300;
/** Pairs after which what was recorded is taken. In a service it is taken within milliseconds. */
const PAIRS_KEPT = 20;
/** Bars: milliseconds more for a transaction that tells one event, microseconds for each event of a block. */
const MOST_TRANSACTION_MS = 0.1;
const MOST_EVENT_US = 10;
const AT = new Date('2026-11-27T12:00:00.000Z');

type Write = (manager: EntityManager) => Promise<unknown>;

/**
 * What recording costs a writer: the same transaction with and without its events, one after the other, so that a drift of
 * the machine's speed affects both alike. The figure is the median of the differences of neighbours.
 * @returns whether the bars are met.
 */
export function benchWriterCost(write: WriteLine): Promise<boolean> {
  return withScratchPostgres(async (client) => {
    const dataSource = new DataSource(dataSourceOptions(urlOf(client), { entities, migrations }));
    await dataSource.initialize();
    try {
      await dataSource.runMigrations();
      await dataSource.query(INSERT_READERS, [FACTS]);
      const transactions = new Transactions(dataSource);
      const take = async (): Promise<void> => {
        for (const statement of TAKE_RECORDED) await dataSource.query(statement);
      };
      const one = await difference(transactions, take, PAIRS, renaming(1), [updated()]);
      const block = await difference(
        transactions,
        take,
        BLOCK_PAIRS,
        renaming(FACTS),
        Array.from({ length: FACTS }, (_, n) => funded(n)),
      );
      const eventUs = (block.moreMs * 1_000) / FACTS;
      write('\n  What recording costs a writer');
      write(
        `    a transaction of one event        ${one.moreMs.toFixed(3)} ms more (${one.withoutMs.toFixed(3)} ms without), ` +
          `bar ${MOST_TRANSACTION_MS} ms`,
      );
      write(
        `    a transaction of ${FACTS} facts      ${eventUs.toFixed(1)} µs more an event ` +
          `(${block.withoutMs.toFixed(2)} ms without any), bar ${MOST_EVENT_US} µs`,
      );
      return one.moreMs <= MOST_TRANSACTION_MS && eventUs <= MOST_EVENT_US;
    } finally {
      await dataSource.destroy();
    }
  });
}

/** Medians in milliseconds: of the transaction without events, and of how much longer its neighbour with them took. */
async function difference(
  transactions: Transactions,
  take: () => Promise<void>,
  pairs: number,
  write: Write,
  events: readonly AnyRecordedEvent[],
): Promise<{ withoutMs: number; moreMs: number }> {
  const timed = async (work: Write): Promise<number> => {
    const begun = performance.now();
    await transactions.run(work);
    return performance.now() - begun;
  };
  const told: Write = async (manager) => {
    await write(manager);
    await recordEvents(manager, events);
  };
  const without: number[] = [];
  const more: number[] = [];
  for (let pair = -WARM_UP; pair < pairs; pair += 1) {
    if (pair % PAIRS_KEPT === 0) await take();
    // Each goes first as often as the other.
    const first = await timed(pair % 2 === 0 ? write : told);
    const second = await timed(pair % 2 === 0 ? told : write);
    if (pair < 0) continue;
    const [bare, recording] = pair % 2 === 0 ? [first, second] : [second, first];
    without.push(bare);
    more.push(recording - bare);
  }
  return { withoutMs: median(without), moreMs: median(more) };
}

/** Changes the rows of so many accounts. */
function renaming(count: number): Write {
  return (manager) => manager.query(RENAME_READERS, [count]);
}

function updated(): RecordedEvent<'agent.updated'> {
  return {
    type: 'agent.updated',
    at: AT,
    subject: { kind: 'agent', id: 'agent_01m8fe6k43sedfwpwby28abgye' },
    audience: ['acct_bench1'],
    data: { changed: ['description'], updated_at: AT.toISOString() },
  };
}

/** As the index tells of a node, five to a task: to the buyer and the owner of the worker, with its place in the chain. */
function funded(n: number): RecordedEvent<'node.funded'> {
  const hex = n.toString(16).padStart(64, '0');
  return {
    type: 'node.funded',
    at: AT,
    subject: { kind: 'node', id: `node_${n}`, taskId: `task_${n % TASKS}` },
    audience: ['acct_bench1', `acct_bench${2 + (n % TASKS)}`],
    data: {
      amount: { amount: '100.000000', currency: 'USDC' },
      worker_agent_id: 'agent_01m8fe6k43sedfwpwby28abgye',
      deadline: AT.toISOString(),
    },
    chain: {
      chainId: 8453,
      transactionHash: `0x${hex}`,
      blockNumber: 1,
      blockHash: `0x${'1'.repeat(64)}`,
      logIndex: n,
    },
  };
}
