import type { DataSource } from 'typeorm';
import { newId } from '../../../libs/kernel/src/index.js';
import { AuditLog } from '../../../src/modules/accounts/audit/audit-log.js';
import { AuditSweeper } from '../../../src/modules/accounts/audit/audit.sweeper.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { createMigratedDatabase } from '../../support/database.js';

const DAY_MS = 86_400_000;

/** A fixed clock in the middle of an hour, so that no test crosses the end of one. */
class SetClock extends Clock {
  ms = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 1_800_000;
  override wallMs(): number {
    return this.ms;
  }
}

let dataSource: DataSource;
let clock: SetClock;
let audit: AuditLog;
beforeAll(async () => {
  ({ dataSource } = await createMigratedDatabase());
  clock = new SetClock();
  audit = new AuditLog(new Transactions(dataSource), clock);
});
afterAll(() => dataSource?.destroy());

const count = async (where: string, values: unknown[] = []): Promise<number> =>
  (await dataSource.query<{ n: number }[]>(`SELECT count(*)::int AS n FROM ${where}`, values))[0]!.n;
const counted = (event: string) =>
  dataSource.query<{ source: string; count: string }[]>(
    'SELECT source, count FROM audit_counts WHERE event = $1 ORDER BY count DESC, source',
    [event],
  );

describe('the record of what nobody is signed in for', () => {
  it('does not grow with the requests of one network, and says how many there were', async () => {
    for (let n = 0; n < 200; n++) {
      const detail = { prompt: `login ${n}` };
      await audit.record({ event: 'authorization_requested', requestId: `req_${n}`, network: '203.0.113.7', detail });
    }
    expect(await count("audit_events WHERE event = 'authorization_requested'")).toBe(20);
    const [row] = await dataSource.query('SELECT * FROM audit_counts');
    expect(row).toMatchObject({
      event: 'authorization_requested',
      source: '203.0.113.7',
      count: '200',
      last_request_id: 'req_199',
      last_detail: { prompt: 'login 199' },
    });
  });

  it('does not grow with the number of networks either', async () => {
    for (let n = 0; n < 150; n++) {
      await audit.record({ event: 'token_refused', requestId: 'req', network: `10.0.0.${n}` });
    }
    const rows = await counted('token_refused');
    expect(rows).toHaveLength(101);
    expect(rows[0]).toEqual({ source: 'elsewhere', count: '50' });
  });

  it('counts every one of many at the same moment', async () => {
    const entry = { event: 'session_refused' as const, requestId: 'req', network: '198.51.100.1' };
    await Promise.all(Array.from({ length: 60 }, () => audit.record(entry)));
    expect(await counted('session_refused')).toEqual([{ source: '198.51.100.1', count: '60' }]);
    expect(await count("audit_events WHERE event = 'session_refused'")).toBe(20);
  });

  it('begins anew in the next hour', async () => {
    clock.ms += 3_600_000;
    await audit.record({ event: 'authorization_requested', requestId: 'req_next', network: '203.0.113.7' });
    expect(await count("audit_events WHERE request_id = 'req_next'")).toBe(1);
  });
});

describe('the record of an account', () => {
  it('has a hundred rows of one kind a day, counts the others, and loses no other kind for it', async () => {
    for (let n = 0; n < 130; n++) await audit.record({ event: 'token_issued', requestId: 'req', accountId: 'acct_a' });
    await audit.record({ event: 'wallet_linked', requestId: 'req', accountId: 'acct_a' });
    await audit.record({ event: 'token_issued', requestId: 'req', accountId: 'acct_b' });
    expect(await count("audit_events WHERE account_id = 'acct_a' AND event = 'token_issued'")).toBe(100);
    expect(await count("audit_events WHERE event = 'wallet_linked'")).toBe(1);
    expect(await count("audit_events WHERE account_id = 'acct_b'")).toBe(1);
    expect(await counted('token_issued')).toEqual([{ source: 'acct_a', count: '30' }]);
    clock.ms += DAY_MS;
    await audit.record({ event: 'token_issued', requestId: 'req_tomorrow', accountId: 'acct_a' });
    expect(await count("audit_events WHERE request_id = 'req_tomorrow'")).toBe(1);
  });

  it('has every command of the operator', async () => {
    for (let n = 0; n < 120; n++) await audit.record({ event: 'client_changed', requestId: null, clientId: 'c' });
    expect(await count("audit_events WHERE event = 'client_changed'")).toBe(120);
  });
});

describe('the end of the record', () => {
  const insert = (name: string, days: number, accountId: string | null) => {
    const at = new Date(Date.now() - days * DAY_MS);
    return dataSource.query(
      `INSERT INTO audit_events (id, occurred_at, request_id, event, account_id, detail) VALUES ($1, $2, $3, 'x', $4, '{}')`,
      [newId('audit', at.getTime()), at, name, accountId],
    );
  };

  it('comes for accounts with the month that is older than the retention, for everybody else after a month', async () => {
    clock.ms = Date.now();
    await insert('old account', 132, 'acct_a');
    await insert('account', 99, 'acct_a');
    await insert('old network', 32, null);
    await insert('network', 30.5, null);
    const environment = Object.assign(new Environment(), { auditRetentionDays: 100 });
    await new AuditSweeper(dataSource, new Transactions(dataSource), environment, clock).sweep();
    const left = await dataSource.query("SELECT request_id FROM audit_events WHERE event = 'x' ORDER BY request_id");
    expect(left.map((row: { request_id: string }) => row.request_id)).toEqual(['account', 'network']);
  });

  it('cannot be brought about for what is younger than 30 days, nor can anything be changed', async () => {
    await insert('young', 29, 'acct_a');
    const refusal = expect.objectContaining({ message: expect.stringContaining('audit_events') });
    await expect(dataSource.query("DELETE FROM audit_events WHERE request_id = 'young'")).rejects.toEqual(refusal);
    await expect(dataSource.query("UPDATE audit_events SET event = 'y'")).rejects.toEqual(refusal);
    await expect(dataSource.query('TRUNCATE audit_events')).rejects.toEqual(refusal);
  });
});
