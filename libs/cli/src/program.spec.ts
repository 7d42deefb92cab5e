import type { Command } from 'commander';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../test/support/cli-run.js';
import type { Host } from './frame/host.js';
import { programOf } from './program.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'tasktree-cli-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: string[]) => runCli(argv, { env: { XDG_CONFIG_HOME: folder } });

function commands(of: Command, path = ''): { path: string; command: Command }[] {
  const own = { path, command: of };
  return [own, ...of.commands.flatMap((one) => commands(one, `${path} ${one.name()}`.trim()))];
}

const sink = { isTTY: false, columns: 100, write: () => undefined };
const all = commands(programOf({ out: sink, err: sink, version: '1' } as unknown as Host));

describe('every command', () => {
  it.each(all.map(({ path, command }) => [path || 'tasktree', command] as const))(
    '%s has examples',
    (path, command) => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      expect(help).toContain('Examples:\n  $ tasktree ');
      expect(command.description()).toMatch(/^[A-Z]/);
      // A group has examples of its members.
      expect(help).toContain(`$ tasktree ${command.commands.length === 0 ? path : path.replace('tasktree', '')}`);
    },
  );

  it('takes no key, secret or password from a command line, which others on the machine can read', () => {
    const words = all.flatMap(({ command }) => [
      ...command.options.map(({ flags, description }) => `${flags} ${description}`),
      ...command.registeredArguments.map((argument) => `${argument.name()} ${argument.description}`),
    ]);
    const invites = words.filter((text) =>
      /private|secret|mnemonic|seed|phrase|password|token|--key\b|-key </i.test(text),
    );
    // Both take none: one names a call, the other shows what was made here.
    const takesNone = /^--(?:idempotency-key <key>|print-secret) /;
    expect(invites.filter((text) => !takesNone.test(text))).toEqual([]);
    const withKey = words.filter((text) => text.startsWith('--with-key'));
    expect(withKey).toEqual([expect.not.stringContaining('<')]);
  });
});

it('no option swallows the argument behind it', () => {
  // That of `webhooks replay` takes the ids of events.
  const greedy = all.flatMap(({ path, command }) =>
    command.registeredArguments.length === 0 ? [] : command.options.filter(({ variadic }) => variadic).map(() => path),
  );
  expect(greedy.filter((path) => path !== 'webhooks replay')).toEqual([]);
});

describe('a command line that is not understood', () => {
  it.each([[['nope']], [['open', 'nope']], [['whoami', '--nope']], [['completion']]])(
    '%j ends with 2',
    async (argv) => {
      const { exit, out, err } = await run(...argv);
      expect([exit, out]).toEqual([2, '']);
      expect(JSON.parse(err).error).toMatchObject({ code: 'usage', exit_code: 2, advice: expect.any(String) });
    },
  );

  it('says to a person what may have been meant', async () => {
    const { exit, err } = await runCli(['whoam'], { isTTY: true, env: { XDG_CONFIG_HOME: folder } });
    expect(exit).toBe(2);
    expect(err).toMatch(/^✗ unknown command 'whoam'\n.*Did you mean whoami/);
  });
});

it('shows help and version with 0', async () => {
  expect(await run('--help')).toMatchObject({ exit: 0, err: '' });
  expect(await run('--version')).toMatchObject({ exit: 0, out: '1.2.3\n' });
});

it.each(['bash', 'zsh', 'fish'])('completes commands and their options in %s', async (shell) => {
  const { exit, out } = await run('completion', shell);
  expect(exit).toBe(0);
  for (const word of ['login', '--with-key', 'completion']) expect(out).toContain(word);
});

it('without a market says how one is named', async () => {
  const { exit, err } = await run('whoami');
  expect(exit).toBe(2);
  expect(JSON.parse(err).error.advice).toContain('tasktree login https://');
});

it('without a credential ends with 3', async () => {
  const env = { XDG_CONFIG_HOME: folder, TASKTREE_URL: 'https://market.example' };
  expect(await runCli(['whoami'], { env })).toMatchObject({ exit: 3 });
});
