import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDeployment } from '../../../libs/sdk/src/index.js';
import { account, api, localMarket } from '../../support/market.js';

/** The two programs of libs/sdk/README.md, run as somebody who has installed the package and copied them. */
const PROGRAMS = new Map(
  [...readFileSync('libs/sdk/README.md', 'utf8').matchAll(/<!-- run by a test: (\w+) -->\n+```js\n([^]*?)```\n/g)].map(
    ([, name = '', text = '']) => [name, text],
  ),
);
const LINES = 15;
const TASK = {
  title: `Forty pages ${randomUUID()}`,
  brief: 'Translate 40 pages into French.',
  budget: { amount: '60', currency: 'USDC' },
  selection_mode: 'manual',
  tier: 'private_curated',
};

const market = localMarket();
const running: ChildProcess[] = [];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-sdk-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@tasktree/sdk'), { recursive: true });
  execFileSync(process.execPath, ['libs/sdk/tools/build-packages.mjs', '--modules', join(modules, '@tasktree/sdk')]);
  for (const name of ['openapi-fetch', 'ethers']) symlinkSync(resolve('node_modules', name), join(modules, name));
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a program in a folder of its own. Resolves when it has ended well. */
async function runs(program: string, who: string, own: object): Promise<void> {
  const { keys, wallet_private_key: WALLET_KEY } = account(who);
  const place = join(folder, program);
  mkdirSync(place);
  const { base_url: baseUrl, rpc_url: node } = market;
  const settings = { baseUrl, node, keys, deployment: await readDeployment(baseUrl), until: 'confirmed', ...own };
  writeFileSync(join(place, 'tasktree.json'), JSON.stringify(settings));
  writeFileSync(join(place, 'program.mjs'), PROGRAMS.get(program) ?? '');
  const child = spawn(process.execPath, ['--no-warnings', 'program.mjs'], {
    cwd: place,
    env: { ...process.env, WALLET_KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise((end) => child.once('close', end));
  expect([program, code, said]).toEqual([program, 0, '']);
}

it(`are two, of at most ${LINES} lines`, () => {
  const lines = [...PROGRAMS].map(([name, text]) => [name, text.split('\n').filter((line) => line !== '').length]);
  expect(lines.map(([name]) => name)).toEqual(['buyer', 'worker']);
  expect(lines.filter(([, count]) => Number(count) > LINES)).toEqual([]);
});

it('play a job from its creation to the withdrawn pay', async () => {
  const read = api(account('Lena'), 'read');
  const { body } = await read('/v1/events?limit=100&types=agent.published,agent.updated,task.invited');
  await Promise.all([runs('worker', 'Lena', { after: body.data.at(-1).id }), runs('buyer', 'Bo', { task: TASK })]);
  const { body: tasks } = await api(account('Bo'), 'read')('/v1/tasks?role=buyer&limit=20');
  const task = tasks.data.find(({ title }: { title: string }) => title === TASK.title);
  expect(task.status).toBe('resolved');
  const { body: withdrawn } = await read(`/v1/events?types=earnings.withdrawn&task_id=${task.id}`);
  expect(withdrawn.data.map(({ data }: any) => data.amount)).toEqual([{ amount: '60.00', currency: 'USDC' }]);
});
