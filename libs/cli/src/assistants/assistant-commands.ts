import { confirm } from '@clack/prompts';
import { Argument, type Command, Option } from 'commander';
import { createInterface } from 'node:readline';
import type { Scope } from '#libs/sdk';
import {
  type AssistantName,
  ASSISTANTS,
  changed,
  replaceSettings,
  type ServerEntry,
  textOf,
} from './assistant-files.js';
import { McpProxy } from './mcp-proxy.js';
import type { CommandContext } from '../frame/command-context.js';
import { type Frame, withExamples } from '../frame/frame.js';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { SCOPES } from '../profile/settings.js';

interface SetupOptions {
  print?: boolean;
  scope?: Scope;
}

/** The market as tools of an assistant. */
export function assistantCommands(program: Command, frame: Frame): void {
  withExamples(
    program
      .command('mcp')
      .description('Be an MCP server on standard input and output, with your credential')
      .addOption(scopeOption())
      .action(frame.run(serve)),
    'mcp',
    'mcp --scope buyer',
  );
  const agent = withExamples(
    program.command('agent').description('Assistants of yours: setup'),
    'agent setup claude-code',
  );
  withExamples(
    agent
      .command('setup')
      .description('Tell an assistant to use this program; asks before it changes a file')
      .addArgument(new Argument('<assistant>').choices(Object.keys(ASSISTANTS)))
      .option('--print', 'only show what would be written, and where')
      .addOption(scopeOption())
      .action(frame.run(setup)),
    'agent setup claude-code',
    'agent setup codex --print',
  );
}

function scopeOption(): Option {
  return new Option('--scope <scope>', 'of several API keys, that of this scope; a sign-in has all of its own')
    .choices(SCOPES)
    .default('read');
}

/** Ends when the client closes our standard input, once all that it has asked is answered. */
async function serve(context: CommandContext, { scope }: { scope: Scope }): Promise<void> {
  const { settings, host, signal } = context;
  // A client that is told at once ends at once; later it would only see calls that fail.
  await context.authorization(scope);
  const proxy = new McpProxy(
    `${settings.url}/mcp`,
    host.fetch,
    () => context.authorization(scope),
    (line) => host.out.write(`${line}\n`),
    signal,
  );
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  signal.addEventListener('abort', () => lines.close());
  const asked = new Set<Promise<void>>();
  let opening: Promise<void> | undefined;
  for await (const line of lines) {
    // The first answer names the revision that all others must repeat.
    await opening;
    const one = proxy.take(line).finally(() => asked.delete(one));
    opening ??= one;
    asked.add(one);
  }
  await Promise.all(asked);
}

async function setup(context: CommandContext, which: AssistantName, { print, scope }: SetupOptions): Promise<void> {
  const { out, host, settings } = context;
  const assistant = ASSISTANTS[which];
  const file = assistant.file(host.env['HOME'] ?? host.env['USERPROFILE'] ?? '.');
  const entry = entryOf(scope, settings.name);
  const text = changed(assistant, file, entry);
  const isSet = textOf(file) === text;
  if (print === true || isSet) {
    const note = isSet ? `${file} has it already.` : `Goes into ${file}:`;
    const shown = { assistant: which, file, is_set: isSet, entry };
    return out.answer(shown, () => [note, assistant.with('', entry).trimEnd()]);
  }
  if (!host.canAsk || !out.isHuman) {
    throw usageError(`${file} is changed only after you were asked.`, 'Run it in a terminal, or with --print');
  }
  const yes = await confirm({
    message: `Add Tasktree to ${file}? It starts: ${[entry.command, ...entry.args].join(' ')}`,
  });
  // Ctrl-C is a symbol.
  if (yes !== true) throw new CliError({ exit: EXIT.declined, what: 'Nothing was changed.', code: 'declined' });
  replaceSettings(file, text);
  out.answer({ assistant: which, file, is_set: true, entry }, () => [`Done. Start ${assistant.name} anew.`]);
}

/** Names the profile and holds no credential. */
function entryOf(scope: Scope | undefined, profile: string): ServerEntry {
  const own = profile === 'default' ? [] : ['--profile', profile];
  const as = scope === undefined || scope === 'read' ? [] : ['--scope', scope];
  return { command: 'npx', args: ['-y', '@tasktree/cli', ...own, 'mcp', ...as] };
}
