import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A probe service in a child process. */
export interface ProbeChild {
  url: string;
  /** Resolves with the signal that ended it. */
  ended: Promise<NodeJS.Signals | null>;
  kill(): Promise<void>;
}

/** Starts `probe-process.ts` and waits for its URL. */
export async function startProbeChild(
  databaseUrl: string,
  variables: Record<string, string> = {},
): Promise<ProbeChild> {
  const child: ChildProcess = spawn(
    process.execPath,
    [join(__dirname, '../../support/run-typescript.cjs'), join(__dirname, 'probe-process.ts')],
    { env: { ...process.env, PROBE_DATABASE_URL: databaseUrl, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([, signal]) => signal as NodeJS.Signals | null);
  const line = once(child.stdout!, 'data').then(([chunk]) => String(chunk).trim());
  const url = await Promise.race([line, ended.then(() => Promise.reject(new Error(`The probe ended: ${errors}`)))]);
  return {
    url,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
