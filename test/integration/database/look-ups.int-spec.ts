import type { DataSource } from 'typeorm';
import { Environment } from '../../../src/platform/config/environment.js';
import { LookUpConnections } from '../../../src/platform/database/reads/read-connections.js';
import { Transactions } from '../../../src/platform/database/transactions.js';
import { createMigratedDatabase } from '../../support/database.js';

const WHO = {
  name: 'look-up-who',
  text: `SELECT current_setting('application_name') AS program, current_setting('default_transaction_read_only') AS only_reads,
    (SELECT name FROM accounts WHERE id = $1) AS name, now() AS at, '\\x0102'::bytea AS bytes`,
} as const;
const INSERT = `INSERT INTO accounts (id, name, created_at) VALUES ('acct_look_up', 'Ada', now())`;

interface Found {
  program: string;
  only_reads: string;
  name: string | null;
  at: Date;
  bytes: Buffer;
}

let dataSource: DataSource;
let connections: LookUpConnections;
let transactions: Transactions;

beforeAll(async () => {
  const database = await createMigratedDatabase();
  dataSource = database.dataSource;
  connections = new LookUpConnections(Object.assign(new Environment(), { databaseUrl: database.url }));
  transactions = new Transactions(dataSource, connections);
});
afterAll(async () => {
  await connections.onModuleDestroy();
  await dataSource.destroy();
});

async function found(by = transactions): Promise<Found | undefined> {
  const [row] = await by.lookUp<Found>(WHO, ['acct_look_up']);
  return row;
}

describe('what a write looks up', () => {
  it('shares connections that only read, until the write has a transaction, and then sees what it has written', async () => {
    await transactions.unit(async () => {
      expect(await found()).toMatchObject({ program: 'tasktree-read', only_reads: 'on', name: null });
      await transactions.run((manager) => manager.query(INSERT));
      expect(await found()).toMatchObject({ only_reads: 'off', name: 'Ada' });
    });
    expect(await found()).toMatchObject({ program: 'tasktree-read', name: 'Ada' });
  });

  it('is parsed alike on both', async () => {
    const expected = { at: expect.any(Date), bytes: Buffer.from([1, 2]) };
    expect(await found()).toMatchObject(expected);
    expect(await transactions.run(() => found())).toMatchObject(expected);
  });

  it('leaves together with what others look up at the same moment', async () => {
    await Promise.all([found(), found()]);
    const { clients } = connections as unknown as { clients: { connection: { stream: { _handle: object } } }[] };
    const writes = clients.map(({ connection }) => {
      const handle = connection.stream._handle as { writeBuffer(): unknown; writev(): unknown };
      return [jest.spyOn(handle, 'writeBuffer'), jest.spyOn(handle, 'writev')];
    });
    await Promise.all(Array.from({ length: 8 }, () => found()));
    expect(writes.flat().reduce((sum, spy) => sum + spy.mock.calls.length, 0)).toBeLessThanOrEqual(clients.length);
  });

  it('is read as everything else by a program without such connections', async () => {
    expect(await found(new Transactions(dataSource))).toMatchObject({ only_reads: 'off' });
  });
});
