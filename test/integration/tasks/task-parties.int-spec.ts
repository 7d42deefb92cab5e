import { DataSource, type EntityManager } from 'typeorm';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import { ListIndexes1700000000027 } from '../../../src/migrations/1700000000027-list-indexes.js';
import { TaskParties } from '../../../src/modules/tasks/visibility/task-parties.js';
import { TaskStore } from '../../../src/modules/tasks/task-store.js';
import { TaskEntity } from '../../../src/modules/tasks/task/task.entity.js';
import { dataSourceOptions } from '../../../src/platform/database/data-source.options.js';
import { createDatabase } from '../../support/database.js';
import { BUYER, RIVAL, STRANGER, taskId, WORKER } from '../../support/market-rows.js';
import { ReadSide } from '../../support/read-side.js';
import { withPatientPool } from '../../support/patient.js';

const parties = new TaskParties();
let side: ReadSide;

beforeEach(async () => {
  side = await ReadSide.create();
  await side.task(1);
});
afterEach(() => side.close());

/** Status of each party of a task, by account and role. */
async function statuses(dataSource: DataSource): Promise<Record<string, string>> {
  const rows: { party: string; status: string }[] = await dataSource.query(
    `SELECT account_id || ' ' || role AS party, status FROM task_parties ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ party, status }) => [party, status]));
}

const change = (manager: EntityManager, status: string): Promise<unknown> =>
  manager.query('UPDATE tasks SET status = $2 WHERE id = $1', [taskId(1), status]);

/** Resolves when another session waits for a lock in this database. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const [{ waiting }] = await side.dataSource.query(
      `SELECT count(*)::integer AS waiting FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (waiting > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('the status that a party carries', () => {
  it('is that of the task when the party comes, and follows every save of the task', async () => {
    await parties.admitAll(side.dataSource.manager, taskId(1), [WORKER, RIVAL], 'quoted');
    const open = { 'acct_buyer buyer': 'open', 'acct_worker quoted': 'open', 'acct_rival quoted': 'open' };
    expect(await statuses(side.dataSource)).toEqual(open);
    const store = new TaskStore(side.clock);
    await side.dataSource.transaction(async (manager) => {
      const task = await manager.findOneByOrFail(TaskEntity, { id: taskId(1) });
      await store.save(manager, Object.assign(task, { status: 'disputed' }));
    });
    const chainParty = { taskId: taskId(1), accountId: WORKER, role: 'worker' } as const;
    await parties.replaceChainRoles(side.dataSource.manager, [taskId(1)], [chainParty]);
    expect(await statuses(side.dataSource)).toEqual({
      'acct_buyer buyer': 'disputed',
      'acct_worker quoted': 'disputed',
      'acct_rival quoted': 'disputed',
      'acct_worker worker': 'disputed',
    });
  });

  it('goes back with a transaction that is given up', async () => {
    const given = side.dataSource.transaction(async (manager) => {
      await change(manager, 'funded');
      throw new Error('given up');
    });
    await expect(given).rejects.toThrow('given up');
    expect(await statuses(side.dataSource)).toEqual({ 'acct_buyer buyer': 'open' });
  });

  it('cannot be written as another, neither with the row nor afterwards', async () => {
    await side.dataSource.query(
      `INSERT INTO task_parties (account_id, task_id, role, status) VALUES ($1, $2, 'quoted', 'resolved')`,
      [WORKER, taskId(1)],
    );
    await side.dataSource.query(`UPDATE task_parties SET status = 'resolved'`);
    expect(await statuses(side.dataSource)).toEqual({ 'acct_buyer buyer': 'open', 'acct_worker quoted': 'open' });
  });

  it('is the new one for who becomes a party while the status is being changed', async () => {
    let coming: Promise<void> | undefined;
    await side.dataSource.transaction(async (manager) => {
      await change(manager, 'funded');
      coming = parties.admit(side.dataSource.manager, taskId(1), STRANGER, 'quoted');
      await somebodyWaits();
    });
    await coming;
    expect(await statuses(side.dataSource)).toEqual({ 'acct_buyer buyer': 'funded', 'acct_stranger quoted': 'funded' });
  });

  it('follows a change that waits for who is becoming a party', async () => {
    let changing: Promise<unknown> | undefined;
    await side.dataSource.transaction(async (manager) => {
      await parties.admit(manager, taskId(1), STRANGER, 'quoted');
      changing = change(side.dataSource.manager, 'funded');
      await somebodyWaits();
    });
    await changing;
    expect(await statuses(side.dataSource)).toEqual({ 'acct_buyer buyer': 'funded', 'acct_stranger quoted': 'funded' });
  });

  it('is right after many writers came and changed at the same moment, none of whom waited for ever', async () => {
    const accounts = [BUYER, WORKER, RIVAL, STRANGER];
    const roles = ['quoted', 'invited', 'hirer', 'worker'] as const;
    const words = ['open', 'selected', 'funded', 'delivered', 'resolved'];
    // They take turns, and the last one waits for a connection until all others are done.
    await withPatientPool(side.dataSource, () =>
      Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          side.dataSource.transaction(async (manager) => {
            const role = roles[n % roles.length]!;
            if (n % 3 === 0) await change(manager, words[n % words.length]!);
            await parties.admit(manager, taskId(1), accounts[n % accounts.length]!, role);
            if (n % 3 === 1) await change(manager, words[n % words.length]!);
            if (n % 7 === 0) await manager.query('DELETE FROM task_parties WHERE role = $1', [role]);
          }),
        ),
      ),
    );
    const [{ status }] = await side.dataSource.query('SELECT status FROM tasks');
    const seen = await statuses(side.dataSource);
    expect(Object.keys(seen).length).toBeGreaterThan(1);
    expect(new Set(Object.values(seen))).toEqual(new Set([status]));
  });

  it('who is a party already waits for nobody', async () => {
    await side.dataSource.transaction(async (manager) => {
      await change(manager, 'funded');
      await parties.admit(side.dataSource.manager, taskId(1), BUYER, 'buyer');
    });
    expect(await statuses(side.dataSource)).toEqual({ 'acct_buyer buyer': 'funded' });
  });

  it('of a task that does not exist is refused by its key', async () => {
    await expect(parties.admit(side.dataSource.manager, taskId(9), BUYER, 'buyer')).rejects.toThrow(
      'task_parties_task_id_fkey',
    );
  });
});

it('parties of an earlier release get the status of their tasks', async () => {
  const url = await createDatabase();
  const earlier = migrations.slice(0, migrations.indexOf(ListIndexes1700000000027));
  const dataSource = new DataSource(dataSourceOptions(url, { entities, migrations: earlier }));
  await dataSource.initialize();
  try {
    await dataSource.runMigrations();
    await dataSource.query(`INSERT INTO accounts (id, name, created_at) VALUES ('acct_b', 'Buyer', now())`);
    for (const status of ['open', 'expired']) {
      await dataSource.query(
        `INSERT INTO tasks (id, buyer_account_id, brief, criteria, budget, selection_mode, tier, status,
           accept_window_seconds, delivery_window_seconds, terms_hash, buyer_wallet, arbiter_wallet, escrow_address,
           created_at, updated_at, document)
         VALUES ($1, 'acct_b', 'x', '{}', 1, 'manual', 'public', $2, 1, 1, '0x', '0x1', '0x0', $1, now(), now(), '{}')`,
        [`task_${status}`, status],
      );
      await dataSource.query(`INSERT INTO task_parties (account_id, task_id, role) VALUES ('acct_b', $1, $2)`, [
        `task_${status}`,
        status,
      ]);
    }
    const runner = dataSource.createQueryRunner();
    await new ListIndexes1700000000027().up(runner);
    expect(await statuses(dataSource)).toEqual({ 'acct_b open': 'open', 'acct_b expired': 'expired' });
    await new ListIndexes1700000000027().down(runner);
    await runner.release();
  } finally {
    await dataSource.destroy();
  }
});
