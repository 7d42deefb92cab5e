import { once } from 'node:events';
import { TrustStatus } from '../../../src/modules/reputation/runs/trust-status.js';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ChainMarket } from '../../support/chain-market.js';
import { eventually } from '../../support/eventually.js';
import { IndexFixture } from '../../support/index-fixture.js';
import { IndexedMarket } from '../../support/indexed-market.js';
import { derivedState } from '../../support/derived-state.js';

const START_MS = 60_000;

const fixture = new IndexFixture();
let chain: ChainMarket;
let market: IndexedMarket;

beforeEach(async () => {
  ({ chain, market } = fixture);
  const { buyer, worker } = fixture;
  const tree = await market.hired(buyer, worker);
  await chain.deliver(tree, 1n, worker.wallet);
  await chain.resolve(tree, tree.root, buyer.wallet);
});

const open = () => fixture.open({ indexerEnabled: true });

const runs = () => market.dataSource.query('SELECT status, error FROM trust_runs ORDER BY id');
const isFinished = async (count: number) =>
  (await runs()).filter(({ status }: { status: string }) => status === 'finished').length === count;
const makeDue = () => market.dataSource.query(`UPDATE trust_runs SET started_at = started_at - interval '1 day'`);

/** Locks the evidence, so that a run waits when it begins to write; `release` lets it continue. */
async function hold(): Promise<{ release(): Promise<void> }> {
  const runner = market.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query('SELECT pg_advisory_xact_lock(31324, 15937)');
  return {
    release: async () => {
      await runner.rollbackTransaction();
      await runner.release();
    },
  };
}
const isWaiting = async (): Promise<boolean> => {
  const rows = await market.dataSource.query(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'tasktree-trust-run' AND wait_event = 'advisory'`);
  return rows.length > 0;
};

it('of two processes one makes the runs, as often as they are due, and its numbers are shown', async () => {
  const first = await open();
  await eventually(() => isFinished(1), START_MS);
  const second = await open();
  await makeDue();
  await eventually(() => isFinished(2), START_MS);
  expect([first, second].map((app) => app.get(TrustStatus).runner)).toEqual([true, false]);
  expect(await runs()).toHaveLength(2);
  const text = await first.get(Metrics).text();
  expect(text).toContain('trust_runner 1');
  expect(text).toContain('trust_run_failing 0');
  expect(text).toMatch(/trust_principals \d/);
  await fixture.close(first);
  await eventually(() => second.get(TrustStatus).runner, START_MS);
}, 240_000);

it('a process that is killed in the middle of a run leaves the result of the one before, and another takes over', async () => {
  const killed = await fixture.process();
  await eventually(() => isFinished(1), START_MS);
  await eventually(async () => (await market.dataSource.query('SELECT 1 FROM settlements')).length === 1, START_MS);
  const held = await hold();
  await makeDue();
  await eventually(isWaiting, START_MS);
  const before = await derivedState(market.dataSource);
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await held.release();
  await eventually(async () => !(await isWaiting()), START_MS);
  expect(await derivedState(market.dataSource)).toEqual(before);
  expect((await runs()).map(({ status }: { status: string }) => status)).toEqual(['finished', 'running']);
  await makeDue();
  await open();
  await eventually(() => isFinished(2), START_MS);
  expect(await runs()).toMatchObject([
    { status: 'finished' },
    { error: 'The run was cut off' },
    { status: 'finished' },
  ]);
}, 240_000);

it('a service that stops in the middle of a run stops at once, and the run has not happened', async () => {
  const app = await open();
  await eventually(() => isFinished(1), START_MS);
  const held = await hold();
  await makeDue();
  await eventually(isWaiting, START_MS);
  const stoppedAt = Date.now();
  await fixture.close(app);
  expect(Date.now() - stoppedAt).toBeLessThan(20_000);
  await held.release();
  expect(await runs()).toMatchObject([{ status: 'finished' }, { status: 'failed', error: 'The service stops' }]);
}, 240_000);
