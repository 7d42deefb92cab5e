import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { EXIT } from './output/cli-error.js';
import { runProgram } from './program.js';

/** Ctrl-C ends what runs, as shells expect it to be told. */
const INTERRUPTED = 130;
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const { stdout, stderr, stdin, env } = process;
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('Stopped.')));
process.once('SIGTERM', () => stop.abort(new Error('Stopped.')));
// A reader that has seen enough, such as `head`, is no fault; a disk that is full is one.
const end = ({ code }: NodeJS.ErrnoException): never => process.exit(code === 'EPIPE' ? EXIT.ok : EXIT.failed);
stdout.on('error', end);
stderr.on('error', end);

const code = await runProgram({
  env,
  argv: process.argv.slice(2),
  out: stdout,
  err: stderr,
  canAsk: stdin.isTTY && stderr.isTTY && !env['CI'],
  fetch,
  signal: stop.signal,
  now: Date.now,
  version: versionOf(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
  readStdin,
  openUrl,
});
process.exitCode = stop.signal.aborted ? INTERRUPTED : code;

async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function versionOf(text: string): string {
  return (JSON.parse(text) as { version: string }).version;
}

/** The address is an argument of a program and never read by a shell; what is no page is not opened. */
function openUrl(url: string): void {
  if (!/^https?:$/.test(new URL(url).protocol)) return;
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, new URL(url).href], { stdio: 'ignore', detached: true })
    .once('error', () => undefined)
    .unref();
}
