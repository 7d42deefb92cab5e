import type { DataSource } from 'typeorm';
import { ChainTime } from '../../../src/modules/escrow/indexer/chain-time.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';

const FUTURE = Date.UTC(2040, 0, 1);
const HOUR = 3_600_000;

let dataSource: DataSource;
beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
});
beforeEach(() => dataSource.query('DELETE FROM chain_blocks'));
afterAll(() => dataSource.destroy());

function block(number: number, ms: number): Promise<unknown> {
  return dataSource.query(
    `INSERT INTO chain_blocks (number, hash, parent_hash, timestamp) VALUES ($1, '0x1', '0x0', $2)`,
    [number, new Date(ms)],
  );
}

function timeOn(chainId: number, indexerEnabled = true): { clock: Clock; time: ChainTime } {
  const clock = new Clock();
  const environment = Object.assign(new Environment(), { chainId, indexerEnabled });
  return { clock, time: new ChainTime(environment, new Transactions(dataSource), clock) };
}

const isNow = (clock: Clock) => Math.abs(clock.nowMs() - Date.now()) < 1_000;

describe('the time of the service', () => {
  it('runs on from the newest block of the local chain when that is ahead, and never goes back', async () => {
    const { clock, time } = timeOn(31337);
    await time.follow();
    expect(isNow(clock)).toBe(true);
    await block(1, FUTURE);
    await time.follow();
    expect(clock.nowMs() - FUTURE).toBeLessThan(10_000);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(FUTURE);
    await block(2, FUTURE - HOUR);
    await time.follow();
    expect(clock.nowMs()).toBeGreaterThanOrEqual(FUTURE);
    await block(3, FUTURE + HOUR);
    await time.follow();
    expect(clock.nowMs()).toBeGreaterThanOrEqual(FUTURE + HOUR);
  });

  it('is the wall’s while the chain is in the past', async () => {
    const { clock, time } = timeOn(31337);
    await block(1, Date.now() - 60 * 24 * HOUR);
    await time.follow();
    expect(isNow(clock)).toBe(true);
  });

  it('is the wall’s on every other chain, whatever its blocks say', async () => {
    await block(1, FUTURE);
    for (const chainId of [1, 8453, 84532]) {
      const { clock, time } = timeOn(chainId);
      await time.follow();
      expect(isNow(clock)).toBe(true);
    }
  });

  it('is followed by a process that does not index too', async () => {
    const { clock, time } = timeOn(31337, false);
    await block(1, FUTURE);
    time.onApplicationBootstrap();
    for (let waited = 0; waited < 100 && isNow(clock); waited += 1) await new Promise((done) => setTimeout(done, 50));
    await time.onModuleDestroy();
    expect(clock.nowMs()).toBeGreaterThanOrEqual(FUTURE);
  });
});
