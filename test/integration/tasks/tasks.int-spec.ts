import { taskData } from '../../../src/dev/bench/task-data.sql.js';
import { AFTER_ALL_TASKS, type TaskListRole, taskListStatement } from '../../../src/modules/tasks/task-list.sql.js';
import { planOf, type QueryPlan } from '../../support/query-plan.js';
import { ReadSide } from '../../support/read-side.js';

const CALLER = 'acct_caller';
const TASKS = 100_000;
/** The id in the middle of the tasks that `taskData` makes. */
const DEEP = `task_01z${(TASKS / 2).toString(16).padStart(23, '0')}`;

let side: ReadSide;

beforeAll(async () => {
  side = await ReadSide.create();
  await side.dataSource.query(`INSERT INTO accounts (id, name, created_at) VALUES ($1, 'Caller', now())`, [CALLER]);
  for (const statement of taskData(TASKS, CALLER)) await side.fill(statement);
});
afterAll(() => side?.close());

const plan = (role: TaskListRole, below: string, status?: string): Promise<QueryPlan> =>
  planOf(side.dataSource, taskListStatement(20, role, status !== undefined).text, [
    CALLER,
    below,
    ...(status === undefined ? [] : [status]),
  ]);

describe('the task list on 100,000 tasks', () => {
  it('merges two index ranges in their order: nothing is scanned whole, and no page is sorted', async () => {
    const first = await plan(undefined, AFTER_ALL_TASKS);
    const types = first.nodes.map((node) => node['Node Type']);
    expect(types).toContain('Merge Append');
    expect(types.filter((type) => type.endsWith('Sort'))).toEqual([]);
    expect(first.scans).toContain('Index Scan Backward using tasks_listed_id_idx on tasks');
    expect(first.scans).toContain('Index Only Scan Backward using task_parties_pkey on task_parties');
    expect(first.scanned).toEqual([]);
  });

  it('is read by the same plan however deep the page lies', async () => {
    const planBelow = async (below: string): Promise<string> =>
      JSON.stringify((await plan(undefined, below)).nodes).replaceAll(below, '');
    expect(await planBelow(DEEP)).toBe(await planBelow(AFTER_ALL_TASKS));
  });

  it.each<[TaskListRole, string | undefined]>([
    ['buyer', undefined],
    ['worker', undefined],
    [undefined, 'funded'],
    ['buyer', 'funded'],
    ['worker', 'funded'],
  ])('as %s with status %s scans no table whole', async (role, status) => {
    expect((await plan(role, DEEP, status)).scanned).toEqual([]);
  });

  it('shows what is listed and what is the caller’s own, once each, newest first', async () => {
    const expected: { id: string }[] = await side.dataSource.query(
      `SELECT id FROM tasks WHERE id < $2 AND ((tier = 'public' AND status NOT IN ('draft', 'cancelled')) OR buyer_account_id = $1)
        ORDER BY id DESC LIMIT 1500`,
      [CALLER, DEEP],
    );
    const shown: string[] = [];
    for (let below: string | null = DEEP; below !== null && shown.length < expected.length;) {
      const { text } = taskListStatement(100, undefined, false);
      const [page]: { documents: string; last: string; more: boolean }[] = await side.dataSource.query(text, [
        CALLER,
        below,
      ]);
      shown.push(...JSON.parse(`[${page!.documents}]`).map(({ id }: { id: string }) => id));
      below = page!.more ? page!.last : null;
    }
    expect(shown).toEqual(expected.map(({ id }) => id));
  });
});
