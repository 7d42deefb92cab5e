import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MarketFolder } from '../../../src/dev/market-folder/market-folder.js';
import { localMarket } from '../../support/market.js';
import { ObservedProcess, processesOf } from '../../support/market-process.js';

const README = readFileSync('README.md', 'utf8');
const CI = readFileSync('.ci/run', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
const DEMO_SPEC = readFileSync(join(__dirname, 'demo.e2e-spec.ts'), 'utf8');
const READY = 'A task played through';
const DEFAULT_URL = 'http://127.0.0.1:3000';

/** Where each command of the README is run. A command that is missing here is run nowhere. */
const RUN_BY: Readonly<Record<string, 'here' | 'ci' | 'demo.e2e-spec'>> = {
  'npm ci': 'ci',
  'npm test': 'ci',
  'npm run check': 'ci',
  '.ci/run': 'ci',
  'npm start': 'here',
  'npm start -- --reset': 'here',
  'npm start -- --help': 'here',
  curl: 'here',
  tasktree: 'here',
  'npm run demo': 'demo.e2e-spec',
  'npm run demo -- --ci': 'demo.e2e-spec',
};

/** All commands in a text: in shell blocks, in printed output and in sentences. */
function commandsOf(text: string): string[] {
  const found =
    text.match(/\bnpm (?:run [a-z:]+|[a-z]+)(?: -- --[a-z-]+)?|^\s*(?:curl|tasktree)\b|`\.ci\/run`/gm) ?? [];
  return [...new Set(found.map((command) => command.trim().replaceAll('`', '')))];
}

/** The contents of the README's shell blocks. */
const shellBlocks = [...README.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
/** The output of `npm start`, as the README shows it. */
const shownStart = /^```\n(✓ Chain[^]*?)^```$/m.exec(README)?.[1] ?? '';

describe('the commands of the README', () => {
  it('are each run by a test or by the forge', () => {
    expect(commandsOf(README).toSorted()).toEqual(Object.keys(RUN_BY).toSorted());
    expect(shellBlocks.flatMap(commandsOf).toSorted()).toEqual(
      ['npm ci', 'npm start', 'npm test', 'tasktree', 'npm run demo -- --ci'].toSorted(),
    );
  });

  it('are found in blocks, in output and in sentences', () => {
    const text =
      "Say `npm run bench -- --only`.\n\n```sh\nnpm ci && npm audit\n  curl -s 'x'\ntasktree whoami\n```\nThen `.ci/run`.";
    const found = ['npm run bench -- --only', 'npm ci', 'npm audit', 'curl', 'tasktree', '.ci/run'];
    expect(commandsOf(text)).toEqual(found);
  });

  it('name scripts that there are', () => {
    const named = [...README.matchAll(/\bnpm run ([a-z:]+)/g)].map(([, name = '']) => name);
    expect([...named, 'start', 'test'].filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('of the forge: it installs as the page says, and makes each part of `npm run check`', () => {
    const lines = CI.split('\n').map((line) => line.replace(/ 2>&1.*$/, ''));
    expect(lines).toContain('npm ci');
    const parts = scripts.check?.split(' && ') ?? [];
    expect(parts).toContain('npm test');
    expect(parts.filter((part) => !lines.includes(part))).toEqual([]);
  });

  it('of the demo: its script runs the program that the specs of the demo run, with and without --ci', () => {
    const program = scripts.demo?.split(' ').pop();
    expect(DEMO_SPEC).toContain(`const DEMO = '${program}'`);
    expect(DEMO_SPEC).toContain("ObservedProcess.node([DEMO, '--ci'], { TMPDIR: folder })");
    expect(DEMO_SPEC).toContain('${process.execPath} ${DEMO}`');
  });

  it('ask the market for its first tasks, with keys that are in its file, by the command line that the build has made', () => {
    const block = shellBlocks.find((text) => text.includes('tasktree login')) ?? '';
    expect(block).toContain('./.tasktree/local.json');
    expect(block).toContain(`${DEFAULT_URL} `);
    const file = process.env.TEST_MARKET_FILE ?? '';
    const command = block.replace('./.tasktree/local.json', file).replaceAll(DEFAULT_URL, localMarket().base_url);
    const home = mkdtempSync(join(tmpdir(), 'tasktree-readme-'));
    try {
      const said = shell(`shopt -s expand_aliases\nexport XDG_CONFIG_HOME=${home}\n${command}`);
      expect(JSON.parse(said.slice(said.indexOf('\n[') + 1))).toHaveLength(3);
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it.each([...new Set(README.match(/http:\/\/127\.0\.0\.1:3000\/docs|`\/openapi\.json`/g))])(
    'lead to the pages that it names: %s',
    async (named) => {
      const path = named.replaceAll('`', '').replace(DEFAULT_URL, '');
      expect((await fetch(`${localMarket().base_url}${path}`)).status).toBe(200);
    },
  );

  it('tell the rest at `npm start -- --help`', () => {
    expect(shell('npm start --silent -- --help')).toContain('npm start -- --reset');
  });
});

describe('`npm start`', () => {
  let folder: string;
  let running: RunningMarket;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tasktree-readme-'));
    // Postgres may have to run as another user, who must be able to enter this folder.
    chmodSync(folder, 0o711);
    running = await RunningMarket.start(folder);
  });

  afterAll(async () => {
    await running.stop();
    new MarketFolder(folder).remove();
  });

  it('prints what the page shows, but for ports, keys, times and where the folder is', () => {
    expect(shownStart.split('\n').length).toBeGreaterThan(15);
    const printed = alike(running.output.slice(running.output.indexOf('✓ Chain')), folder);
    expect(printed).toContain(alike(shownStart, '.tasktree').trim());
  });

  it('prints a first request that is answered as it stands', () => {
    const [command = ''] = /curl -s .*$/m.exec(running.output) ?? [];
    expect(command).toContain(`?limit=3'`);
    expect(JSON.parse(shell(command)).data).toHaveLength(3);
  });

  // local-market.e2e-spec.ts tests that a start without `--reset` continues where the market was.
  it('begins anew with `--reset`', async () => {
    const first = localMarket(join(folder, 'local.json')).accounts;
    await running.stop();
    running = await RunningMarket.start(folder, '--reset');
    const anew = localMarket(join(folder, 'local.json')).accounts;
    expect(anew.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
    const ids = new Set(first.map(({ account_id }) => account_id));
    expect(anew.filter(({ account_id }) => ids.has(account_id))).toEqual([]);
  });
});

/** A market started by npm, as a person starts it. */
class RunningMarket {
  private constructor(
    private readonly observed: ObservedProcess,
    private readonly folder: string,
  ) {}

  static async start(folder: string, ...more: string[]): Promise<RunningMarket> {
    const own = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: process.env.HOME };
    const child = spawn('npm', ['start', '--', '--data-dir', folder, ...more], {
      env: own,
      // Gives it a process group, so that a Ctrl-C reaches npm and everything npm has started.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const observed = ObservedProcess.of(child);
    await observed.says(READY);
    return new RunningMarket(observed, folder);
  }

  get output(): string {
    return this.observed.output;
  }

  async stop(): Promise<void> {
    if (this.observed.child.exitCode === null) process.kill(-this.observed.child.pid!, 'SIGINT');
    await this.observed.ended;
    const left = processesOf(this.folder);
    if (left.length > 0) throw new Error(`It has left processes behind: ${left.join(', ')}`);
  }
}

/** Runs a command. @returns its output. @throws when the command fails. */
function shell(command: string): string {
  return execFileSync('bash', ['-euc', command], { encoding: 'utf8', timeout: 60_000 });
}

/** The text without what differs between two starts. */
function alike(text: string, folder: string): string {
  return (
    text
      .replaceAll(folder, '.tasktree')
      // When another market uses the port, the start says so and takes another port.
      .replace(/^.*Port \d+ is used by .*\n/gm, '')
      .replace(/mkt_test_(\w)_[\w…]+/g, 'mkt_test_$1_')
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replace(/0x[0-9a-fA-F]{40}/g, 'ADDRESS')
      .replace(/[\d.]+ m?s$/gm, 'TIME')
      .replace(/[ \t]+/g, ' ')
      .replace(/ +$/gm, '')
      .replace(/^ /gm, '')
  );
}
