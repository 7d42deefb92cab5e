import { randomUUID } from 'node:crypto';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { ListeningService } from '../../support/listening-service.js';
import { eventually } from '../../support/eventually.js';
import { runTool } from '../../support/tool-run.js';

// Each call of a tool starts a process.
jest.setTimeout(240_000);

let app: ListeningService;

beforeAll(async () => {
  app = await ListeningService.listen();
});
afterAll(() => app?.close());

const run = (tool: string, ...args: string[]) => runTool(app.environment, tool, ...args);

describe('accounts', () => {
  it('are suspended and resumed at once in the running service, and both are in the audit', async () => {
    const { id } = await app.account(`Ada ${randomUUID()}`);
    // The account got its name before such names were refused.
    await app.dataSource.query('UPDATE accounts SET name = $2 WHERE id = $1', [id, `Ada \u001b[31m${randomUUID()}`]);
    const { secret } = await app.get(ApiKeysService).create(id, { scope: 'read', name: 'k' });
    const call = async () => {
      const answer = await fetch(`${app.url}/v1/tasks`, { headers: { 'X-Api-Key': secret } });
      return answer.status;
    };
    expect(await call()).toBe(200);
    const suspended = await run('accounts', 'suspend', id, '--reason', 'spam');
    expect(suspended).toMatchObject({ code: 0, out: expect.stringContaining('suspended') });
    expect(suspended.out).not.toContain('\u001b');
    await eventually(async () => (await call()) === 403, 3_000);
    expect(JSON.parse((await run('accounts', 'show', id, '--json')).out)).toMatchObject({
      account_id: id,
      status: 'suspended',
      live_keys: 1,
      tasks: 0,
    });
    expect(await run('accounts', 'resume', id)).toMatchObject({ code: 0, out: expect.stringContaining('active') });
    await eventually(async () => (await call()) === 200, 3_000);
    expect(await run('accounts', 'resume', id)).toMatchObject({ code: 1, err: 'The account is not suspended.\n' });
    const events = await app.rows(
      `SELECT event, request_id, detail FROM audit_events WHERE account_id = $1 AND event LIKE 'account_%' ORDER BY id`,
      [id],
    );
    expect(events).toEqual([
      { event: 'account_suspended', request_id: null, detail: { by: 'operator', reason: 'spam' } },
      { event: 'account_resumed', request_id: null, detail: { by: 'operator', reason: '' } },
    ]);
  });

  it('are listed from one on', async () => {
    const [first, second] = [await app.account('First'), await app.account('Second')];
    const listed = JSON.parse((await run('accounts', 'list', '--after', first.id, '--json')).out);
    expect(listed).toEqual([expect.objectContaining({ account_id: second.id, name: 'Second' })]);
  });
});

it('the audit is exported as lines of JSON, oldest first, goes on behind an event, and has its own exports', async () => {
  const { id } = await app.account('Audited');
  await app.rows(
    `INSERT INTO audit_events (id, occurred_at, event, account_id, detail)
     SELECT 'audit_0' || lpad(n::text, 5, '0'), now(), 'session_started', $1, '{}' FROM generate_series(1, 2500) n`,
    [id],
  );
  const lines = async (...more: string[]) => {
    const { code, out } = await run('audit', 'export', '--account', id, ...more);
    expect(code).toBe(0);
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event_id: string; event: string });
  };
  const all = await lines();
  expect(all).toHaveLength(2501);
  expect(all.map(({ event_id: event }) => event)).toEqual(all.map(({ event_id: event }) => event).toSorted());
  expect(all.at(-1)?.event).toBe('audit_exported');
  expect((await lines('--after', 'audit_002499')).map(({ event }) => event)).toEqual([
    'session_started',
    'audit_exported',
    'audit_exported',
  ]);
});

it.each(['accounts', 'agents', 'audit', 'secrets', 'tasks'])(
  '%s answers an unknown command with its usage and exit code 2',
  async (tool) => {
    const { code, out, err } = await run(tool, 'destroy');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('There is no command "destroy".');
    expect(err).toContain(`npm run${tool === 'audit' ? ' --silent' : ''} ${tool} -- `);
  },
);

it.each([
  ['agents', 'suspend', 'AGENT_ID'],
  ['tasks', 'hide', 'TASK_ID'],
  ['accounts', 'erase', 'NAME|ID'],
])('%s %s says what it needs when it is called without it', async (tool, command, operand) => {
  expect(await run(tool, command)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(`"${command}" needs one ${operand}.`),
  });
});

it.each(['accounts', 'agents', 'tasks'])('%s answers --help with its usage', async (tool) => {
  expect(await run(tool, '--help')).toMatchObject({ code: 0, out: expect.stringContaining(`npm run ${tool} -- `) });
});
