import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../../src/dev/chromium.js';
import { pressOn } from '../../../src/dev/demo/approval/browser-approval.js';
import { ObservedProcess, processesOf } from '../../support/market-process.js';

const DEMO = 'dist/src/dev/demo/demo.main.js';
/** Runs a program in a terminal where there is none. */
const SCRIPT = '/usr/bin/script';
const PERSON_THINKS_MS = 30_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tasktree-demo-'));
  // Postgres may have to run as another user, who must be able to enter this folder.
  chmodSync(folder, 0o711);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [['--help'], 0, 'npm run demo -- --here'],
  [['--ci', '--hear'], 2, "Unknown option '--hear'"],
  [['--data-dir', 'x'], 2, 'add --here'],
])('answers %j with exit code %d, and starts nothing', async (args, code, sentence) => {
  const asked = ObservedProcess.node([DEMO, ...args], { TMPDIR: folder });
  expect(await asked.ended).toBe(code);
  expect(asked.output).toContain(sentence);
  expect(asked.output).toContain('npm run demo -- --ci');
  expect(readdirSync(folder)).toEqual([]);
});

it('says that no market runs where one is to be played in', async () => {
  const asked = ObservedProcess.node([DEMO, '--ci', '--here', '--data-dir', folder]);
  expect(await asked.ended).toBe(1);
  expect(asked.output).toContain(`No market runs in ${folder}`);
});

it('plays in a market of its own, where the translator ranks first for a translation, and leaves nothing behind', async () => {
  const demo = ObservedProcess.node([DEMO, '--ci'], { TMPDIR: folder });
  const code = await demo.ended;
  // Shows the demo's own output when it fails.
  if (code !== 0) throw new Error(`It ended with ${code}:\n${demo.output}`);
  expect(demo.output).toContain('first is Katalog-9 with');
  expect(demo.output).toContain('story, service and chain agree to the base unit');
  expect(demo.output).toContain('this market was made for the demo and ends with it');
  expect([processesOf(folder), readdirSync(folder)]).toEqual([[], []]);
});

const executablePath = chromiumPath();
const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT);

(executablePath !== null && hasTerminal ? describe : describe.skip)('at a terminal', () => {
  it('goes on by itself after a person has taken their time, and has signed and sent on the page', async () => {
    const demo = atTerminal();
    const browser = await chromium.launch({ executablePath: executablePath!, args: [...CHROMIUM_FLAGS] });
    try {
      await demo.says(/waiting for your signature/);
      const [, url = ''] = await demo.says(/(http:\/\/127\.0\.0\.1:\d+\/\S*sign\S*)/);
      const [, code = ''] = await demo.says(/match code ([A-Z]+ [A-Z]+ \d+)/);
      // A demo that polled too often would have used up the account's requests by now and would have to wait.
      await new Promise((resolve) => setTimeout(resolve, PERSON_THINKS_MS));
      const signed = performance.now();
      await pressOn(await browser.newPage(), url, code);
      await demo.says(/Ada pays 250\.00 USDC into the escrow/);
      expect(performance.now() - signed).toBeLessThan(PERSON_THINKS_MS);
    } finally {
      await browser.close();
      await demo.stop();
    }
  });
});

/** Runs the demo in its own terminal. Ada may send 60 requests a minute. */
function atTerminal() {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TMPDIR: folder,
    RATE_LIMIT_PRINCIPAL: '60',
    NO_COLOR: '1',
  };
  const child: ChildProcess = spawn(SCRIPT, ['-qefc', `${process.execPath} ${DEMO}`, '/dev/null'], { env });
  let output = '';
  let isOver = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  void ended.then(() => (isOver = true));
  return {
    says: async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const match = pattern.exec(output);
        if (match) return match;
        if (isOver) throw new Error(`It ended before it said ${pattern}:\n${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    stop: async (): Promise<void> => {
      // Ending the terminal signals the program, which then stops its market.
      child.kill('SIGTERM');
      await ended;
      while (processesOf(folder).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    },
  };
}
